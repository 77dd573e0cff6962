//! What the user could try if there is no verdict.
//!
//! # Invariants
//! - Every sentence is about this program and these options: it names a line, a limit or a flag
//!   that is not in use yet, and following it changes what is tried.

use crate::args::{DecideArgs, IntModel};
use crate::engines;
use base::Span;
use base::place::Places;
use certify::{Reason, ReasonKind};
use input::Loaded;
use logic::IntType;
use program::expr::{BinaryOp, Expr, Type};
use program::ir::{Callee, Edge, Library, Op, Place, ProcId, Procedure, Program, SiteKind, VarId};
use program::pass::callgraph::CallGraph;
use program::pass::loops::LoopNest;
use std::collections::BTreeSet;

/// How much more time is worth a try.
const LONGER: u32 = 5;

/// What could be tried.
pub(crate) fn advice(reason: &Reason, args: &DecideArgs, loaded: &Loaded) -> Vec<String> {
    let adviser = Adviser {
        program: &loaded.program,
        places: Places::new(&loaded.sources),
    };
    if reason.kind == ReasonKind::Internal {
        // The answer itself says what to do.
        return Vec::new();
    }
    let mut help: Vec<String> = undefined(reason).into_iter().collect();
    match reason.kind {
        ReasonKind::Internal | ReasonKind::Cancelled | ReasonKind::Unsupported => {}
        ReasonKind::Timeout => {
            help.push(format!("give it more time: {}", longer(args)));
            help.extend(adviser.bound_input(reason));
        }
        ReasonKind::Effort => {
            if let Some(units) = args.effort {
                help.push(format!(
                    "allow it more effort: --effort {}",
                    units.saturating_mul(4)
                ));
            }
            help.extend(adviser.bound_input(reason));
        }
        ReasonKind::Memory => {
            if let Some(megabytes) = args.memory {
                help.push(format!("give it more memory: --memory {}", megabytes * 2));
            }
            help.extend(adviser.bound_input(reason));
        }
        // A bound does not make a product easier.
        ReasonKind::GaveUp => {
            let product = adviser.product(reason).or_else(|| adviser.recursion());
            help.extend(product.or_else(|| adviser.bound_input(reason)));
        }
    }
    help.extend(adviser.replace_construct(reason));
    if let Some(unchecked) = loaded.request.selection.unchecked.first()
        && reason.message.contains(unchecked)
    {
        let names = loaded.request.selection.property_names();
        let names = names.join(",");
        help.push(format!("for a verdict on the rest: --property {names}"));
        return help;
    }
    help.extend(other_engine(args));
    if args.int_model == IntModel::Machine
        && matches!(reason.kind, ReasonKind::Timeout | ReasonKind::GaveUp)
        && adviser.has_unsigned(reason)
    {
        help.push(
            "if wrap-around of unsigned integers is no concern: --int-model math (violations are \
             still confirmed with C's integers)"
                .to_owned(),
        );
    }
    help
}

/// The flag for more time than was given.
fn longer(args: &DecideArgs) -> String {
    let seconds = (args.timeout * LONGER).as_secs_f64().ceil().max(10.0);
    format!("--timeout {seconds}s")
}

/// An engine that can do what the one in use cannot.
fn other_engine(args: &DecideArgs) -> Option<String> {
    let name = args.engine.as_str();
    if name == engines::DEFAULT {
        return None;
    }
    let default = engines::DEFAULT;
    let proves = name != "random";
    let finds = engines::find(name).is_ok_and(|engine| engine.finds_violations());
    Some(match (proves, finds) {
        (false, _) => format!("`{name}` proves nothing: --engine {default} also does"),
        (true, false) => format!("`{name}` looks for no violations: --engine {default} also does"),
        (true, true) => format!("another engine: --engine {default}, which is the default"),
    })
}

/// What to do about undefined behaviour that ends runs.
fn undefined(reason: &Reason) -> Option<String> {
    let notes = reason.notes.iter().map(|(note, _)| note);
    let mut texts = std::iter::once(&reason.message).chain(notes);
    let is_met = texts.any(|text| text.contains("undefined behaviour"));
    is_met.then(|| {
        "undefined behaviour ends a run without a verdict; to have it reported as a violation: \
         --property def-behavior"
            .to_owned()
    })
}

struct Adviser<'a> {
    program: &'a Program,
    places: Places<'a>,
}

impl Adviser<'_> {
    fn line(&self, span: Span) -> Option<u32> {
        self.places.position(span).map(|position| position.line)
    }

    /// What to do about a recursive function.
    fn recursion(&self) -> Option<String> {
        let graph = CallGraph::new(self.program);
        let reachable = graph.reachable(self.program);
        let mut procs = self.program.procs.iter_enumerated();
        let (_, row) = procs.find(|(proc, _)| graph.recursive[*proc] && reachable[*proc])?;
        let name = &row.name;
        let line = self.line(row.span)?;
        let reads = |edge: &&Edge| edge.op.exprs().iter().any(|expr| expr.reads_memory());
        if let Some(edge) = row.edges.iter().find(reads) {
            let what = match row.varargs.is_some() {
                true => ", as `va_arg` does",
                false => "",
            };
            let read = self.line(edge.span)?;
            return Some(format!(
                "what `{name}` (line {line}) does is known by a contract only, as it is recursive, \
                 and contracts say nothing of memory, which it reads at line {read}{what}: pass \
                 the values as arguments"
            ));
        }
        Some(format!(
            "what `{name}` (line {line}) does is known by a contract only, as it is recursive: an \
             assertion about its result at its return may help, or a loop in its place"
        ))
    }

    /// What is where the reason points to and has no formula.
    fn replace_construct(&self, reason: &Reason) -> Option<String> {
        use Op::*;
        if reason.span == Span::NONE {
            return None;
        }
        let line = self.line(reason.span)?;
        let edges = self.program.procs.iter().flat_map(|proc| proc.edges.iter());
        let mut ops = edges.filter_map(|edge| (edge.span == reason.span).then_some(&edge.op));
        ops.find_map(|op| match op {
            Unsupported(what) => Some(format!(
                "{what} is not modelled: if any value may come of it, put an input in its place at \
                 line {line}, as in `x = __VERIFIER_nondet_int();`"
            )),
            Call(call) => match &call.callee {
                Callee::Pointer(_) => Some(format!(
                    "proofs do not know which function the call at line {line} goes to: call it by \
                     its name, or compare the pointer with it"
                )),
                Callee::Library(function) if !is_harmless(*function) => Some(format!(
                    "proofs do not follow the library function called at line {line}: write it out \
                     as a loop, or put an input in place of its result"
                )),
                Callee::Proc(_) | Callee::Library(_) => None,
            },
            Skip | Assign(..) | Assume(_) | Havoc(..) | Return(_) | Halt(_) | Enter(_)
            | Leave(_) => None,
        })
    }

    /// A product of variables where a run left what formulas describe.
    fn product(&self, reason: &Reason) -> Option<String> {
        let edges = self.program.procs.iter().flat_map(|proc| proc.edges.iter());
        let lines: BTreeSet<u32> = (reason.notes.iter())
            .filter_map(|(_, span)| self.line(*span))
            .collect();
        let mut found = edges.filter(|edge| edge.op.exprs().into_iter().any(has_product));
        let line = found.find_map(|edge| self.line(edge.span).filter(|at| lines.contains(at)))?;
        Some(format!(
            "the product of variables at line {line} is known to runs, not to proofs: an assertion \
             without it, such as a bound, may be proved"
        ))
    }

    /// An input that decides how the loop goes where the search stood.
    fn bound_input(&self, reason: &Reason) -> Option<String> {
        let stuck = self.stuck(reason)?;
        let procedure = &self.program.procs[stuck.proc];
        let loop_line = self.line(stuck.span)?;
        for edge in procedure.edges.iter() {
            let Op::Havoc(Place::Var(var), site) = &edge.op else {
                continue;
            };
            let row = &self.program.vars[*var];
            let is_input = self.program.sites[*site].kind == SiteKind::Nondet;
            let Type::Int(ty) = row.ty else { continue };
            if !is_input || !stuck.vars.contains(var) || row.name.starts_with('$') {
                continue;
            }
            let line = self.line(edge.span)?;
            if line >= loop_line {
                continue;
            }
            let name = &row.name;
            return Some(format!(
                "bound `{name}` behind line {line}, as in `{}`, if the loop at line {loop_line} \
                 need not be checked for more",
                bound(name, ty)
            ));
        }
        None
    }

    /// The loop that a reason mentions, or one of its notes.
    fn stuck(&self, reason: &Reason) -> Option<Stuck> {
        let notes = reason.notes.iter().map(|(_, span)| *span);
        let spans = std::iter::once(reason.span).chain(notes);
        let mut spans = spans.filter(|&span| span != Span::NONE);
        spans.find_map(|span| self.loop_at(span))
    }

    fn loop_at(&self, span: Span) -> Option<Stuck> {
        for (proc, procedure) in self.program.procs.iter_enumerated() {
            let nest = LoopNest::new(procedure);
            let heads = nest.loops.iter().map(|row| &procedure.locations[row.head]);
            for head in heads {
                let ops = head.out.iter().map(|&edge| &procedure.edges[edge]);
                let is_meant = head.span == span || ops.clone().any(|edge| edge.span == span);
                if !is_meant {
                    continue;
                }
                let mut vars = BTreeSet::new();
                for edge in ops {
                    if let Op::Assume(condition) = &edge.op {
                        vars.extend(condition.vars());
                    }
                }
                close(procedure, &mut vars);
                return Some(Stuck { proc, span, vars });
            }
        }
        None
    }

    fn has_unsigned(&self, reason: &Reason) -> bool {
        let is_unsigned = |var: &VarId| {
            let ty = self.program.vars[*var].ty;
            matches!(ty, Type::Int(int) if !int.signed && int.bits > 1)
        };
        let stuck = self.stuck(reason);
        stuck.is_some_and(|stuck| stuck.vars.iter().any(is_unsigned))
    }
}

/// Whether two values that are not constants are multiplied.
fn has_product(expr: &Expr) -> bool {
    let is_constant = |side: &Expr| matches!(side, Expr::Const(_));
    expr.any(&|part| match part {
        Expr::Binary(BinaryOp::Mul, _, left, right) => !is_constant(left) && !is_constant(right),
        _ => false,
    })
}

/// A loop where the search stood.
struct Stuck {
    proc: ProcId,
    span: Span,
    /// The variables that decide about the loop, and those that these are computed from.
    vars: BTreeSet<VarId>,
}

/// Adds the variables that some are computed from.
fn close(procedure: &Procedure, vars: &mut BTreeSet<VarId>) {
    loop {
        let before = vars.len();
        for edge in procedure.edges.iter() {
            if let Op::Assign(Place::Var(target), value) = &edge.op
                && vars.contains(target)
            {
                vars.extend(value.vars());
            }
        }
        if vars.len() == before {
            return;
        }
    }
}

/// A statement that ends runs with large values.
fn bound(name: &str, ty: IntType) -> String {
    match ty.signed {
        true => format!("if ({name} < 0 || {name} > 100) return 0;"),
        false => format!("if ({name} > 100) return 0;"),
    }
}

/// Whether a library function changes nothing that a program computes with.
fn is_harmless(function: Library) -> bool {
    matches!(
        function,
        Library::Printf
            | Library::Puts
            | Library::Putchar
            | Library::Free
            | Library::Tracked
            | Library::Cleaned
    )
}
