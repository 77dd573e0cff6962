//! Statements.

use super::Storage;
use super::procedure::Lowering;
use super::scope::{JumpTarget, LoopFrame};
use super::types::Shape;
use base::Span;
use cfront::ast::visit::any_in;
use cfront::ast::{Block, Expr as CExpr, ExprKind, LocalDecl, LocalId, Stmt, StmtKind};
use cfront::claim::ClaimKind;
use program::expr::{BinaryOp, Expr, Type};
use program::ir::*;

/// How many statements after a declaration we look at for an assignment.
const LOOK_AHEAD: usize = 64;

impl<'a> Lowering<'_, 'a> {
    /// `{ … }`
    pub(super) fn block(&mut self, block: &'a Block) {
        self.open_scope();
        self.stmts(&block.stmts);
        self.close_scope(last(block.span));
    }

    /// A list of statements in the scope that is open.
    pub(super) fn stmts(&mut self, stmts: &'a [Stmt]) {
        for (index, stmt) in stmts.iter().enumerate() {
            if let StmtKind::Declare(decl) = &stmt.kind {
                let is_read = || read_first(decl.local, &stmts[index + 1..]);
                let needed = decl.init.is_some() || self.is_claimed() || is_read();
                self.declare(decl, needed, stmt.span);
            } else {
                self.stmt(stmt);
            }
        }
    }

    /// One statement.
    pub(super) fn stmt(&mut self, stmt: &'a Stmt) {
        let span = stmt.span;
        // A jump to a label comes before what is claimed of the statement.
        if !matches!(stmt.kind, StmtKind::Case { .. } | StmtKind::Label { .. }) {
            self.claims(span.lo, ClaimKind::Statement);
        }
        match &stmt.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => self.effect(expr),
            StmtKind::Declare(decl) => self.declare(decl, true, span),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => self.if_stmt(condition, then, otherwise.as_deref()),
            StmtKind::While { condition, body } => self.while_stmt(condition, body, span),
            StmtKind::DoWhile { body, condition } => self.do_stmt(body, condition, span),
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => self.for_stmt(init, condition.as_ref(), step.as_ref(), body, span),
            StmtKind::Switch { value, cases, body } => self.switch_stmt(value, cases, body, span),
            StmtKind::Case { index, body } => {
                let scope = self.scope;
                let frame = self
                    .switches
                    .last_mut()
                    .expect("a case should be in a switch");
                let location = frame.cases[*index].0;
                frame.cases[*index].1 = Some(scope);
                self.labelled(location, body, span);
            }
            StmtKind::Label { label, body } => {
                let location = self.label_location(*label);
                self.labels[*label] = Some((location, Some(self.scope)));
                self.labelled(location, body, span);
            }
            StmtKind::Goto(label) => {
                self.label_location(*label);
                self.jump(JumpTarget::Label(*label), span);
            }
            StmtKind::ComputedGoto(address) => self.computed_goto(address, span),
            StmtKind::Break => {
                let frame = self.loops.last().expect("a break should be in a loop");
                let to = JumpTarget::Location(frame.break_to, frame.scope);
                self.jump(to, span);
            }
            StmtKind::Continue => {
                let mut frames = self.loops.iter().rev();
                let found = frames.find_map(|frame| Some((frame.continue_to?, frame.scope)));
                let (location, scope) = found.expect("a continue should be in a loop");
                self.jump(JumpTarget::Location(location, scope), span);
            }
            StmtKind::Return(value) => self.return_stmt(value.as_ref(), span),
            StmtKind::Asm => self.unsupported("inline assembly", span),
        }
    }

    /// A statement that jumps lead to.
    fn labelled(&mut self, location: LocationId, body: &'a Stmt, span: Span) {
        self.go_on_at(location, span);
        // A jump that comes later may lead here.
        self.reached[location] = true;
        self.claims(span.lo, ClaimKind::Statement);
        self.stmt(body);
    }

    fn if_stmt(&mut self, condition: &'a CExpr, then: &'a Stmt, otherwise: Option<&'a Stmt>) {
        let yes = self.location(then.span);
        let end = self.location(last(then.span));
        let no = match otherwise {
            Some(otherwise) => self.location(otherwise.span),
            None => end,
        };
        self.decide(condition, yes, no);
        self.cur = yes;
        self.stmt(then);
        self.link(end, then.span);
        if let Some(otherwise) = otherwise {
            self.cur = no;
            self.stmt(otherwise);
            self.link(end, otherwise.span);
        }
        self.cur = end;
    }

    fn while_stmt(&mut self, condition: &'a CExpr, body: &'a Stmt, span: Span) {
        let head = self.loop_head(span);
        let (inside, end) = (self.location(body.span), self.location(last(span)));
        self.decide(condition, inside, end);
        self.cur = inside;
        self.loop_body(body, end, head);
        self.link(head, condition.span);
        self.cur = end;
    }

    fn do_stmt(&mut self, body: &'a Stmt, condition: &'a CExpr, span: Span) {
        let head = self.loop_head(span);
        let (test, end) = (self.location(condition.span), self.location(last(span)));
        self.loop_body(body, end, test);
        self.go_on_at(test, condition.span);
        self.decide(condition, head, end);
        self.cur = end;
    }

    fn for_stmt(
        &mut self,
        init: &'a [Stmt],
        condition: Option<&'a CExpr>,
        step: Option<&'a CExpr>,
        body: &'a Stmt,
        span: Span,
    ) {
        self.open_scope();
        self.stmts(init);
        let head = self.loop_head(span);
        let end = self.location(last(span));
        if let Some(condition) = condition {
            let inside = self.location(body.span);
            self.decide(condition, inside, end);
            self.cur = inside;
        }
        let next = self.location(step.map_or(last(span), |step| step.span));
        self.loop_body(body, end, next);
        self.go_on_at(next, span);
        if let Some(step) = step {
            self.effect(step);
        }
        self.link(head, span);
        self.cur = end;
        self.close_scope(span);
    }

    fn loop_body(&mut self, body: &'a Stmt, break_to: LocationId, continue_to: LocationId) {
        self.loops.push(LoopFrame {
            scope: self.scope,
            break_to,
            continue_to: Some(continue_to),
        });
        self.stmt(body);
        self.loops.pop();
    }

    fn return_stmt(&mut self, value: Option<&'a CExpr>, span: Span) {
        let shape = self.returns.map_or(Shape::Void, |ty| self.cx.shape(ty));
        match (value, shape) {
            (Some(value), Shape::Scalar(ty)) => {
                let result = match self.cx.scalar(value.ty.ty) {
                    Some(_) => {
                        let result = self.value(value);
                        self.converted(result, ty)
                    }
                    None => {
                        self.effect(value);
                        self.any_value(ty, span)
                    }
                };
                self.leave_with(Some(result), span);
            }
            (Some(value), Shape::Memory) => {
                let size = self.returns.and_then(|ty| self.cx.size(ty)).unwrap_or(0);
                let from = self.memory_value(value);
                if let Some(to) = self.result_pointer {
                    let to = Expr::Var(to);
                    self.copy_bytes(Library::Memcpy, to, from, size, span);
                }
                self.leave_with(None, span);
            }
            (Some(value), Shape::Void | Shape::Function) => {
                self.effect(value);
                self.leave_with(None, span);
            }
            (None, shape) => self.return_nothing(shape, span),
        }
    }

    /// Returns without a value, from whatever function.
    fn return_nothing(&mut self, shape: Shape, span: Span) {
        match shape {
            Shape::Scalar(ty) => {
                let value = self.any_value(ty, span);
                self.cx.no_value.extend(self.cx.program.sites.ids().last());
                self.leave_with(Some(value), span);
            }
            Shape::Void | Shape::Memory | Shape::Function => self.leave_with(None, span),
        }
    }

    /// The closing brace of the function is reached.
    pub(super) fn fall_off(&mut self, span: Span) {
        if !self.is_reached_by_now() {
            return;
        }
        let shape = self.returns.map_or(Shape::Void, |ty| self.cx.shape(ty));
        match shape {
            Shape::Scalar(Type::Int(ty)) if *self.procedure.name == *"main" => {
                let zero = Expr::int(ty, 0);
                self.leave_with(Some(zero), span);
            }
            shape => self.return_nothing(shape, span),
        }
    }

    /// The return edge itself.
    pub(super) fn leave_with(&mut self, value: Option<Expr>, span: Span) {
        let exit = self.procedure.exit;
        self.edge(self.cur, exit, Op::Return(value), span);
        self.cur = self.location(span);
    }

    /// An indeterminate value.
    pub(super) fn any_value(&mut self, ty: Type, span: Span) -> Expr {
        let temp = self.temp(ty, span);
        let name = self.procedure.name.clone();
        let site = self
            .cx
            .program
            .add_site(SiteKind::Uninitialized, ty, name, span);
        self.emit(Op::Havoc(Place::Var(temp), site), span);
        Expr::Var(temp)
    }

    /// A value whose parts below conversions are in a variable, so that it can be used twice.
    fn atom_below(&mut self, value: Expr, span: Span) -> Expr {
        match value {
            Expr::Cast(to, operand) => {
                let operand = self.atom_below(*operand, span);
                Expr::Cast(to, Box::new(operand))
            }
            value => self.atom(value, span),
        }
    }

    /// The length of an array, which is positive as it was written.
    fn positive_length(&mut self, count: Expr, span: Span) -> Expr {
        let count = self.atom_below(count, span);
        let mut written = &count;
        while let Expr::Cast(Type::Int(_), operand) = written
            && matches!(self.ty(operand), Type::Int(_))
        {
            written = operand;
        }
        if let Type::Int(int) = self.ty(written) {
            let zero = Expr::int(int, 0);
            let bad = Expr::arith(BinaryOp::Le, int, written.clone(), zero);
            self.undefined_if(bad, UndefinedKind::ArrayLength, span);
        }
        count
    }

    /// A declaration is executed. `needed` says whether a variable's indeterminate value may be
    /// read.
    pub(super) fn declare(&mut self, decl: &'a LocalDecl, needed: bool, span: Span) {
        for (length, value) in &decl.lengths {
            let count = self.value(value);
            let count = self.positive_length(count, value.span);
            if let Storage::Var(var) = self.local(*length) {
                let to = self.cx.program.vars[var].ty;
                let count = self.converted(count, to);
                self.assign_var(var, count, value.span);
            }
        }
        self.note_origin(decl);
        let storage = self.bind(decl.local);
        match (&decl.init, &storage) {
            (Some(init), Storage::Var(var)) => {
                let local = decl.local;
                let own = init.exprs().any(|value| mentions(value, local));
                let var = *var;
                self.declare_var(var, span, own);
                self.initialize_var(var, init, span);
            }
            (Some(init), _) => self.initialize_local(decl.local, &storage, init, span),
            (None, Storage::Var(var)) => self.declare_var(*var, span, needed),
            (None, Storage::Object(_) | Storage::Indirect(_) | Storage::Unsupported(_)) => {}
        }
    }
}

/// The last byte of a span, where what it names ends.
pub(super) fn last(span: Span) -> Span {
    Span {
        lo: span.hi.saturating_sub(1),
        hi: span.hi,
    }
}

/// Whether the statements may read the local before they assign it. Errs on the side of yes.
fn read_first(local: LocalId, stmts: &[Stmt]) -> bool {
    for stmt in stmts.iter().take(LOOK_AHEAD) {
        match &stmt.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => {
                if let Some(read) = assigned_or_read(local, expr) {
                    return read;
                }
            }
            StmtKind::Declare(decl) => {
                let values = decl.init.iter().flat_map(|init| init.exprs());
                let lengths = decl.lengths.iter().map(|(_, length)| length);
                if values.chain(lengths).any(|value| mentions(value, local)) {
                    return true;
                }
            }
            StmtKind::For { init, .. } => match init.first().map(|stmt| &stmt.kind) {
                Some(StmtKind::Expr(expr)) => {
                    return assigned_or_read(local, expr).unwrap_or(true);
                }
                _ => return true,
            },
            StmtKind::Block(_)
            | StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::Switch { .. }
            | StmtKind::Case { .. }
            | StmtKind::Label { .. }
            | StmtKind::Goto(_)
            | StmtKind::ComputedGoto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Asm => return true,
        }
    }
    true
}

/// `Some(false)` if the expression assigns the local before reading it, `Some(true)` if it may
/// read it, `None` if it has nothing to do with it.
fn assigned_or_read(local: LocalId, expr: &CExpr) -> Option<bool> {
    if let ExprKind::Assign(target, value) = &expr.kind
        && matches!(target.kind, ExprKind::Local(target) if target == local)
    {
        return Some(mentions(value, local));
    }
    mentions(expr, local).then_some(true)
}

/// Whether a local occurs in an expression; a statement expression counts as yes.
fn mentions(expr: &CExpr, local: LocalId) -> bool {
    any_in(expr, |expr| match &expr.kind {
        ExprKind::Local(found) => *found == local,
        ExprKind::CompoundLiteral(_) | ExprKind::Statement(_) => true,
        _ => false,
    })
}
