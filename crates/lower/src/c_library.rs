//! Library functions that are written in C: their source is lowered like the program's.
//!
//! A function is lowered separately for each call, as a procedure located at the call, so that for
//! users and witnesses whatever happens in it happens there.
//!
//! # Invariants
//! - Nothing lowered here has a span in the library's own source, or a name that a user sees.

use super::Context;
use super::external::External;
use super::params::lower_function;
use super::procedure::Lowering;
use base::{Diagnostics, SourceMap, Span};
use cfront::ast::Ast;
use cfront::types::DataModel;
use program::expr::{Expr, Type};
use program::ir::*;
use std::sync::{Arc, OnceLock};

/// One text, since the later parts use the earlier ones.
const TEXT: &str = concat!(
    include_str!("c_library/string.c"),
    include_str!("c_library/text.c"),
    include_str!("c_library/number.c"),
    include_str!("c_library/memory.c"),
);

/// The functions, parsed once for each data model.
fn functions(model: DataModel) -> &'static Ast {
    static NARROW: OnceLock<Ast> = OnceLock::new();
    static WIDE: OnceLock<Ast> = OnceLock::new();
    let parsed = match model {
        DataModel::Ilp32 => &NARROW,
        DataModel::Lp64 => &WIDE,
    };
    parsed.get_or_init(|| {
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let file = sources.add("library.c", TEXT.into());
        let file = file.expect("a short text should fit");
        let options = cfront::Options { model };
        let ast = cfront::parse(&mut sources, &[file], &options, &mut diagnostics);
        assert!(!diagnostics.has_errors(), "the library should be right C");
        ast
    })
}

impl<'a> Lowering<'_, 'a> {
    /// A call of a function that is written in C.
    pub(super) fn call_written(
        &mut self,
        name: &str,
        args: &[Expr],
        call: &External<'a>,
    ) -> Option<Expr> {
        let proc = self.cx.written(name, call.span);
        let procedure = &self.cx.program.procs[proc];
        let (params, ret) = (procedure.params.clone(), procedure.ret);
        if params.len() != args.len() {
            return self.other_arguments(call);
        }
        let types: Vec<Type> = (params.iter())
            .map(|&param| self.cx.program.vars[param].ty)
            .collect();
        let args = args.iter().zip(types);
        let args = args.map(|(arg, ty)| self.converted(arg.clone(), ty));
        let args: Vec<Expr> = args.collect();
        self.call_instead(Callee::Proc(proc), args, None, ret, call)
    }
}

impl Context<'_> {
    /// The procedure for one call of a function that is written in C.
    fn written(&mut self, name: &str, call: Span) -> ProcId {
        let ast = functions(self.ast.types.model);
        let mut functions = ast.functions.iter_enumerated();
        let found = functions.find(|(_, function)| &*function.name == name);
        let (function, _) = found.expect("the library should have the function");
        let old = Extent::of(&self.program);
        let mut library = Context::new(ast, self.options);
        std::mem::swap(&mut library.program, &mut self.program);
        std::mem::swap(&mut library.assumed, &mut self.assumed);
        let proc = library.proc_of(function);
        while let Some(function) = library.open_functions.pop_front() {
            lower_function(&mut library, function);
        }
        std::mem::swap(&mut library.program, &mut self.program);
        std::mem::swap(&mut library.assumed, &mut self.assumed);
        old.hide_rest(&mut self.program, call);
        for site in self.program.sites.iter_mut().skip(old.sites) {
            if site.kind == SiteKind::Failure {
                site.name = name.into();
            }
        }
        proc
    }
}

/// How much a program has.
struct Extent {
    vars: usize,
    objects: usize,
    sites: usize,
    procs: usize,
}

impl Extent {
    fn of(program: &Program) -> Extent {
        Extent {
            vars: program.vars.len(),
            objects: program.objects.len(),
            sites: program.sites.len(),
            procs: program.procs.len(),
        }
    }

    /// Puts all that a program has beyond this at a place of the source, under hidden names.
    fn hide_rest(&self, program: &mut Program, place: Span) {
        for var in program.vars.iter_mut().skip(self.vars) {
            (var.name, var.span) = (hidden(&var.name), place);
        }
        for object in program.objects.iter_mut().skip(self.objects) {
            (object.name, object.span) = (hidden(&object.name), place);
        }
        for site in program.sites.iter_mut().skip(self.sites) {
            site.span = place;
        }
        for procedure in program.procs.iter_mut().skip(self.procs) {
            (procedure.name, procedure.span) = (hidden(&procedure.name), place);
            procedure.loops.clear();
            for location in procedure.locations.iter_mut() {
                location.span = place;
                if let Some(violation) = &mut location.error {
                    violation.span = place;
                }
            }
            for edge in procedure.edges.iter_mut() {
                edge.span = place;
            }
        }
    }
}

fn hidden(name: &Arc<str>) -> Arc<str> {
    match name.starts_with('$') {
        true => name.clone(),
        false => format!("${name}").into(),
    }
}
