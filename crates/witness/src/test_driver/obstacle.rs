//! What a compiled program cannot reproduce of a run of the machine, even with a driver.
//!
//! Some obstacles are at an edge, up to which everything is reproducible: the call of an intrinsic
//! that no C file can define, since a compiled program does not know what a verifier knows about
//! memory. The others concern the whole run: inputs that no function supplies, and undefined
//! behaviour at its end, after which a compiled program may continue.

use super::define::Definitions;
use super::{Failing, driver};
use base::Span;
use cfront::ast::visit::{Visitor, any_in, walk_expr, walk_stmt};
use cfront::ast::{Ast, Expr, ExprKind, FunctionId, Stmt, StmtKind};
use exec::End;
use input::Loaded;
use program::expr::Constant;
use program::ir::{EdgeId, Op, ProcId, SiteId};
use std::collections::BTreeMap;

/// The edges that no compiled program gets past, and why.
pub fn impassable(loaded: &Loaded) -> BTreeMap<(ProcId, EdgeId), String> {
    let mut edges = BTreeMap::new();
    let calls = unanswered(loaded);
    if calls.is_empty() {
        return edges;
    }
    for (proc, procedure) in loaded.program.procs.iter_enumerated() {
        for (edge, row) in procedure.edges.iter_enumerated() {
            let does_nothing = matches!(row.op, Op::Skip | Op::Enter(_) | Op::Leave(_));
            let mut calls = calls.iter();
            let call = calls.find(|(span, _)| is_in(row.span, *span) || is_in(*span, row.span));
            if let Some((_, name)) = call.filter(|_| !does_nothing) {
                let why = format!("`{name}` has no meaning for a compiler");
                edges.insert((proc, edge), why);
            }
        }
    }
    edges
}

/// Why no compiled program makes a run with these inputs and this end, if so.
pub fn obstacle(loaded: &Loaded, inputs: &[(SiteId, Constant)], end: &End) -> Option<String> {
    if matches!(end, End::Undefined(_)) {
        return Some("its behaviour is undefined in the end".to_owned());
    }
    let driver = Failing::of_test(loaded, inputs, None).and_then(|test| driver(&test));
    match driver {
        Ok(driver) => {
            let (_, name, value) = driver.uninitialised.first()?;
            Some(format!("`{name}` is {value} without being initialised"))
        }
        Err(why) => Some(why),
    }
}

/// Whether one span is a part of another, or the same.
fn is_in(inner: Span, outer: Span) -> bool {
    outer.lo <= inner.lo && inner.hi <= outer.hi
}

/// The calls of intrinsics for which a driver has no answer, with their names.
fn unanswered(loaded: &Loaded) -> Vec<(Span, String)> {
    let Some(ast) = &loaded.ast else {
        return Vec::new();
    };
    let Ok(any) = Failing::of_test(loaded, &[], None) else {
        return Vec::new();
    };
    let definitions = Definitions::new(&any);
    let functions = ast.functions.iter_enumerated();
    let named = functions.filter(|&(id, row)| definitions.has_no_answer(id, row));
    let named: Vec<FunctionId> = named.map(|(id, _)| id).collect();
    let mut calls = Calls {
        ast,
        named,
        declared: None,
        found: Vec::new(),
    };
    for body in ast.functions.iter().filter_map(|row| row.body.as_ref()) {
        calls.block(&body.block);
    }
    calls.found
}

/// Finds calls of some functions.
struct Calls<'a> {
    ast: &'a Ast,
    named: Vec<FunctionId>,
    /// The declaration that is met: its edges have the span of a name in it.
    declared: Option<Span>,
    found: Vec<(Span, String)>,
}

impl Visitor for Calls<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        let outer = self.declared;
        self.declared = matches!(stmt.kind, StmtKind::Declare(_)).then_some(stmt.span);
        walk_stmt(self, stmt);
        self.declared = outer;
    }

    fn expr(&mut self, expr: &Expr) {
        for &id in &self.named {
            let is_named = |expr: &Expr| matches!(expr.kind, ExprKind::Function(at) if at == id);
            if let ExprKind::Call { callee, .. } = &expr.kind
                && any_in(callee, is_named)
            {
                let name = self.ast.functions[id].name.to_string();
                let span = self.declared.map_or(expr.span, |span| span.to(expr.span));
                self.found.push((span, name));
            }
        }
        walk_expr(self, expr);
    }
}
