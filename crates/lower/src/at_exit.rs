//! Handlers that run when the program ends: `atexit`.
//!
//! A handler is kept in a variable of its own, the first that is free; there are as many as call
//! sites of `atexit`, with more for those in a loop. Running out of them is reported when it is
//! reached. The procedure that runs the handlers, last registered first, is called by `exit` and
//! after `main` has returned. What a handler must not do, or rarely does, `exit` and `atexit`, is
//! reported when it is reached.

use super::Context;
use super::external::External;
use super::library::{self, Known};
use super::procedure::Lowering;
use base::Span;
use cfront::ast::visit::{Visitor, walk_expr, walk_initializer, walk_stmt};
use cfront::ast::{Ast, Expr as CExpr, ExprKind, FunctionId, Stmt, StmtKind};
use program::expr::{BinaryOp, Constant, Expr, Type};
use program::ir::*;

/// As many handlers are kept for a place in a loop: what C promises.
const IN_A_LOOP: usize = 32;
/// More are not kept.
const MOST: usize = 64;

/// What the program does when it ends.
pub(super) struct Handlers {
    /// Runs them.
    proc: ProcId,
    /// The handlers, null where there is none.
    slots: Vec<VarId>,
    /// Whether they are being run.
    running: VarId,
}

impl Context<'_> {
    /// Declares what is needed for handlers, if the program may have some.
    pub(super) fn declare_handlers(&mut self, span: Span) {
        let count = needed(self.ast);
        if count == 0 {
            return;
        }
        let proc = self.declare_proc("$at_exit".into(), span);
        let mut global = |name: String, init| self.program.add_global(name, init, span);
        let slots = (0..count).map(|index| global(format!("$handler{index}"), Constant::Null));
        let slots: Vec<VarId> = slots.collect();
        let running = global("$ending".to_owned(), Constant::Bool(false));
        self.handlers = Some(Handlers {
            proc,
            slots: slots.clone(),
            running,
        });
        let mut lowering = Lowering::new(self, proc, None);
        let run = Op::Assign(Place::Var(running), Expr::bool(true));
        lowering.emit(run, span);
        for &slot in slots.iter().rev() {
            lowering.when(is_set(slot), span, |s| {
                s.emit(call(Callee::Pointer(Expr::Var(slot))), span);
            });
        }
        lowering.leave_with(None, span);
        lowering.finish();
    }
}

impl<'a> Lowering<'_, 'a> {
    /// `atexit(handler)`
    pub(super) fn register_handler(&mut self, handler: &Expr, call: &External<'a>) -> Option<Expr> {
        let span = call.span;
        let Some(Handlers { slots, running, .. }) = &self.cx.handlers else {
            return self.other_arguments(call);
        };
        let (slots, running) = (slots.clone(), *running);
        let handler = self.converted(handler.clone(), Type::Ptr);
        let handler = self.atom(handler, span);
        let null = Expr::binary(BinaryOp::Eq, Type::Ptr, handler.clone(), Expr::null());
        for (is_so, what) in [
            (Expr::Var(running), "`atexit` in a handler"),
            (null, "`atexit` of a null pointer"),
        ] {
            self.when(is_so, span, |s| s.unsupported(what, span));
        }
        let done = self.location(span);
        for slot in slots {
            let (free, next) = (self.location(span), self.location(span));
            self.branch_to(is_set(slot), next, free, span);
            self.cur = free;
            self.emit(Op::Assign(Place::Var(slot), handler.clone()), span);
            self.link(done, span);
            self.cur = next;
        }
        self.unsupported("more handlers of `atexit` than are kept", span);
        self.link(done, span);
        self.cur = done;
        self.external_result(call, Expr::i32(0))
    }

    /// Runs the handlers, if there may be some, and ends the run.
    pub(super) fn exit_with(&mut self, status: Expr, span: Span) {
        let mut status = status;
        if let Some(Handlers { proc, running, .. }) = self.cx.handlers {
            status = self.save(status, span);
            self.when(Expr::Var(running), span, |s| {
                s.unsupported("`exit` in a handler of `atexit`", span);
            });
            self.emit(call(Callee::Proc(proc)), span);
        }
        self.end_run(Halt::Exit(status), span);
    }
}

fn is_set(slot: VarId) -> Expr {
    Expr::binary(BinaryOp::Ne, Type::Ptr, Expr::Var(slot), Expr::null())
}

fn call(callee: Callee) -> Op {
    Op::Call(Call::new(None, callee, Vec::new()))
}

/// How many handlers may be needed: one for each place that names `atexit`, many in a loop.
fn needed(ast: &Ast) -> usize {
    struct Needed<'a> {
        named: &'a [FunctionId],
        each: usize,
        count: usize,
    }
    impl Visitor for Needed<'_> {
        fn stmt(&mut self, stmt: &Stmt) {
            let outside = self.each;
            if let StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } =
                stmt.kind
            {
                self.each = IN_A_LOOP;
            }
            walk_stmt(self, stmt);
            self.each = outside;
        }

        fn expr(&mut self, expr: &CExpr) {
            match expr.kind {
                ExprKind::Function(function) if self.named.contains(&function) => {
                    self.count += self.each;
                }
                _ => walk_expr(self, expr),
            }
        }
    }
    let is_it = |id: &FunctionId| {
        ast.functions[*id].body.is_none() && library::known(ast, *id) == Some(Known::AtExit)
    };
    let named: Vec<FunctionId> = ast.functions.ids().filter(is_it).collect();
    if named.is_empty() {
        return 0;
    }
    let mut needed = Needed {
        named: &named,
        each: 1,
        count: 0,
    };
    let bodies = ast.functions.iter().filter_map(|row| row.body.as_ref());
    bodies.for_each(|body| needed.block(&body.block));
    let values = ast.globals.iter().filter_map(|row| row.init.as_ref());
    values.for_each(|value| walk_initializer(&mut needed, value));
    needed.count.min(MOST)
}
