//! Values that live in memory, represented by their addresses.

use super::procedure::Lowering;
use super::types::Shape;
use base::Span;
use cfront::ast::{
    BinaryOp as CBinary, Block, Builtin, CastKind, Expr as CExpr, ExprKind, StmtKind,
};
use cfront::types::TypeId;
use logic::IntType;
use program::expr::{Expr, Type};
use program::ir::*;

impl<'a> Lowering<'_, 'a> {
    /// The address of a value that lives in memory: a record, or a number we only copy. It holds
    /// until the next effect.
    pub(super) fn memory_value(&mut self, expr: &'a CExpr) -> Expr {
        let span = expr.span;
        self.in_sequence(expr);
        match &expr.kind {
            ExprKind::Global(_)
            | ExprKind::Local(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::String(_)
            | ExprKind::CompoundLiteral(_) => {
                let place = self.lvalue(expr);
                self.place_address(place, "the address of this expression", span)
            }
            ExprKind::Assign(target, value) => self.assign(target, value, true, span),
            ExprKind::Binary(CBinary::Comma, left, right) => {
                self.effect(left);
                self.memory_value(right)
            }
            ExprKind::Conditional {
                condition,
                then: Some(then),
                otherwise,
            } => self.choose_side(condition, (then, otherwise), Self::memory_value, span),
            ExprKind::Cast(CastKind::NoOp, operand, _) => self.memory_value(operand),
            ExprKind::Call { callee, args } => {
                let result = self.call(callee, args, expr.ty.ty, true, span);
                result.unwrap_or(Expr::null())
            }
            ExprKind::Statement(block) => match self.statement(block, true) {
                Some(address) => address,
                None => self.indeterminate_bytes(expr.ty.ty, span),
            },
            ExprKind::VaArg(list) => self.next_argument(list, Type::Ptr, span),
            ExprKind::Builtin {
                builtin: Builtin::Complex(op),
                args,
            } => match self.complex_value(*op, args, expr.ty.ty, span) {
                Some(address) => address,
                None => self.unmodelled_bytes(expr.ty.ty, span),
            },
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Function(_)
            | ExprKind::AddressOf(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Increment { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::Conditional { .. }
            | ExprKind::Cast(..)
            | ExprKind::Builtin { .. }
            | ExprKind::LabelAddress(_)
            | ExprKind::SizeofVariable(_) => self.unmodelled_bytes(expr.ty.ty, span),
        }
    }

    /// A value of a type that is not computed with.
    fn unmodelled_bytes(&mut self, ty: TypeId, span: Span) -> Expr {
        let what = self.cx.unmodelled(ty);
        self.unsupported(what, span);
        self.indeterminate_bytes(ty, span)
    }

    /// A value in memory that is not wanted: reading it is an access all the same. The first and
    /// the last byte stand for all of them.
    pub(super) fn discard_bytes(&mut self, address: Expr, ty: TypeId, span: Span) {
        let Some(size) = self.cx.size(ty).filter(|&size| size > 0) else {
            return;
        };
        let address = self.checked_address(address, size, false, span);
        if self.is_inside(&address, size, false) {
            return;
        }
        let byte = Type::Int(IntType::U8);
        for at in [0, size - 1] {
            let read = Expr::load(byte, self.after(address.clone(), at));
            self.discard(read, span);
        }
    }

    /// A scratch object whose bytes are not set.
    pub(super) fn indeterminate_bytes(&mut self, ty: TypeId, span: Span) -> Expr {
        let size = self.cx.size(ty).unwrap_or(1);
        let align = self.cx.align(ty);
        self.scratch_object("$value", size, align, span)
    }

    /// A statement expression; the value of its last statement if that is wanted and there is one
    /// (for what lives in memory, the address of a copy).
    pub(super) fn statement(&mut self, block: &'a Block, want: bool) -> Option<Expr> {
        let last = block
            .stmts
            .last()
            .and_then(|stmt| labelled_expr(&stmt.kind));
        self.open_scope();
        let value = match last {
            Some(last) if want && self.cx.shape(last.ty.ty) != Shape::Void => {
                let (init, tail) = block.stmts.split_at(block.stmts.len() - 1);
                self.stmts(init);
                self.labels_of(&tail[0]);
                Some(self.escaping_value(last))
            }
            _ => {
                self.stmts(&block.stmts);
                None
            }
        };
        self.close_scope(block.span);
        value
    }

    /// A value that is still wanted when the scope around it is gone.
    pub(super) fn escaping_value(&mut self, expr: &'a CExpr) -> Expr {
        match self.cx.shape(expr.ty.ty) {
            Shape::Scalar(_) => {
                let value = self.value(expr);
                if self.scope_has_objects() && value.reads_memory() {
                    self.save(value, expr.span)
                } else {
                    value
                }
            }
            Shape::Memory => {
                let from = self.memory_value(expr);
                let size = self.cx.size(expr.ty.ty).unwrap_or(0);
                let to = self.indeterminate_bytes(expr.ty.ty, expr.span);
                self.copy_bytes(Library::Memcpy, to.clone(), from, size, expr.span);
                to
            }
            Shape::Void | Shape::Function => {
                self.effect(expr);
                Expr::i32(0)
            }
        }
    }

    /// The labels in front of the last expression of a statement expression.
    pub(super) fn labels_of(&mut self, stmt: &'a cfront::ast::Stmt) {
        if let StmtKind::Label { label, body } = &stmt.kind {
            let location = self.label_location(*label);
            self.labels[*label] = Some((location, Some(self.scope)));
            self.go_on_at(location, stmt.span);
            self.reached[location] = true;
            self.labels_of(body);
        }
    }

    /// Copies bytes from one object to another.
    pub(super) fn copy_bytes(&mut self, how: Library, to: Expr, from: Expr, size: u64, span: Span) {
        if size == 0 {
            return;
        }
        let (to, from) = (self.atom(to, span), self.atom(from, span));
        self.check_access(&to, size, true, span);
        self.check_access(&from, size, false, span);
        let args = vec![to, from, self.cx.size_const(size)];
        self.call_library(None, how, args, span);
    }
}

/// The expression that a statement is, behind its labels.
fn labelled_expr(kind: &StmtKind) -> Option<&CExpr> {
    match kind {
        StmtKind::Expr(expr) => Some(expr),
        StmtKind::Label { body, .. } => labelled_expr(&body.kind),
        _ => None,
    }
}
