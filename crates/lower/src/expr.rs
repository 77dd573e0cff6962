//! Expressions for their value or for their effects.

use super::procedure::Lowering;
use super::types::{self, Shape};
use base::Span;
use cfront::ast::{BinaryOp as CBinary, CastKind, Expr as CExpr, ExprKind, UnaryOp as CUnary};
use cfront::types::TypeId;
use program::expr::{BinaryOp, Constant, Expr, Type, UnaryOp};
use program::ir::UndefinedKind;

/// An expression nested this deep is cut by a temporary, so that no tree of the IR is deep.
const DEPTH: u32 = 64;

impl<'a> Lowering<'_, 'a> {
    /// The value of a scalar expression, of the IR type of its C type.
    pub(super) fn value(&mut self, expr: &'a CExpr) -> Expr {
        self.in_sequence(expr);
        self.nested(expr.span, |s| s.value_inner(expr))
    }

    /// Ends the run where the parts of an expression are in no order.
    pub(super) fn in_sequence(&mut self, expr: &'a CExpr) {
        if self.cx.unsequenced.contains(expr) {
            self.undefined_if(Expr::bool(true), UndefinedKind::Unsequenced, expr.span);
        }
    }

    /// Counts how deep the expression is, and cuts it where it gets too deep.
    pub(super) fn nested(&mut self, span: Span, inner: impl FnOnce(&mut Self) -> Expr) -> Expr {
        self.depth += 1;
        let mut value = inner(self);
        if self.depth.is_multiple_of(DEPTH) {
            value = self.atom(value, span);
        }
        self.depth -= 1;
        value
    }

    fn value_inner(&mut self, expr: &'a CExpr) -> Expr {
        use ExprKind::*;
        let span = expr.span;
        let Some(ty) = self.cx.scalar(expr.ty.ty) else {
            return self.not_scalar(expr);
        };
        match &expr.kind {
            Int(value) => self.converted(Expr::Const(Constant::Int(*value)), ty),
            Float(value) => float_value(*value, ty),
            Global(_) | Local(_) | Deref(_) | Member { .. } | String(_) | CompoundLiteral(_) => {
                let place = self.lvalue(expr);
                let value = self.read(place.clone(), span);
                self.as_volatile(expr, &place, value)
            }
            Function(function) => Expr::Proc(self.cx.proc_of(*function)),
            AddressOf(inner) => self.address_of(inner),
            Unary(op, operand) => self.unary(*op, operand, ty, span),
            Binary(op, left, right) => self.binary(*op, left, right, expr, ty),
            Increment {
                target,
                decrement,
                postfix,
            } => self.increment(target, *decrement, Some(*postfix), span),
            Assign(target, value) => self.assign(target, value, true, span),
            AssignOp {
                op,
                target,
                value,
                computation,
            } => self.assign_op(*op, (target, value), *computation, true, span),
            Conditional {
                condition,
                then,
                otherwise,
            } => self.conditional(condition, then.as_deref(), otherwise, ty, span),
            Cast(kind, operand, _) => self.cast(*kind, operand, (ty, expr.ty.ty), span),
            Call { callee, args } => {
                let result = self.call(callee, args, expr.ty.ty, true, span);
                result.unwrap_or(Expr::Const(ty.zero()))
            }
            Builtin { builtin, args } => self.builtin(*builtin, args, Some(ty), span),
            Statement(block) => match self.statement(block, true) {
                Some(value) => value,
                None => self.any_value(ty, span),
            },
            VaArg(list) => self.next_argument(list, ty, span),
            LabelAddress(label) => self.label_address(*label),
            SizeofVariable(of) => {
                let size = self.size_of(*of, span);
                self.converted(size, ty)
            }
        }
    }

    /// Something of a type that we do not compute with is used as a value.
    fn not_scalar(&mut self, expr: &'a CExpr) -> Expr {
        let what = self.cx.unmodelled(expr.ty.ty);
        self.effect(expr);
        self.unsupported_value(what, Type::I32, expr.span)
    }

    /// An expression for its effects only.
    pub(super) fn effect(&mut self, expr: &'a CExpr) {
        use ExprKind::*;
        let span = expr.span;
        self.in_sequence(expr);
        match &expr.kind {
            Int(_) | Float(_) | String(_) | Global(_) | Local(_) | Function(_)
            | LabelAddress(_) | SizeofVariable(_) => {}
            Increment {
                target, decrement, ..
            } => {
                self.increment(target, *decrement, None, span);
            }
            Assign(target, value) => {
                self.assign(target, value, false, span);
            }
            AssignOp {
                op,
                target,
                value,
                computation,
            } => {
                self.assign_op(*op, (target, value), *computation, false, span);
            }
            Call { callee, args } => {
                self.call(callee, args, expr.ty.ty, false, span);
            }
            Cast(CastKind::ToVoid | CastKind::NoOp, operand, _) => self.effect(operand),
            Binary(CBinary::Comma, left, right) => {
                self.effect(left);
                self.effect(right);
            }
            Binary(op @ (CBinary::LogicalAnd | CBinary::LogicalOr), left, right) => {
                let (go_on, end) = (self.location(span), self.location(span));
                match op {
                    CBinary::LogicalAnd => self.branch(left, go_on, end),
                    _ => self.branch(left, end, go_on),
                }
                self.cur = go_on;
                self.effect(right);
                self.go_on_at(end, span);
            }
            Conditional {
                condition,
                then,
                otherwise,
            } => {
                let (yes, no) = (self.location(span), self.location(otherwise.span));
                let end = self.location(span);
                self.decide(condition, yes, no);
                self.cur = yes;
                if let Some(then) = then {
                    self.effect(then);
                }
                self.link(end, span);
                self.cur = no;
                self.effect(otherwise);
                self.go_on_at(end, span);
            }
            Statement(block) => {
                self.statement(block, false);
            }
            Deref(_)
            | AddressOf(_)
            | Member { .. }
            | Unary(..)
            | Binary(..)
            | Cast(..)
            | Builtin { .. }
            | CompoundLiteral(_)
            | VaArg(_) => self.effect_of_value(expr),
        }
    }

    fn effect_of_value(&mut self, expr: &'a CExpr) {
        match (self.cx.shape(expr.ty.ty), &expr.kind) {
            (Shape::Scalar(_), _) => {
                let value = self.value(expr);
                self.discard(value, expr.span);
            }
            (Shape::Void, ExprKind::Builtin { builtin, args }) => {
                self.builtin(*builtin, args, None, expr.span);
            }
            (Shape::Void | Shape::Function, ExprKind::Deref(inner)) => self.effect(inner),
            (Shape::Void | Shape::Function, ExprKind::Cast(_, operand, _)) => self.effect(operand),
            (Shape::Memory, ExprKind::Deref(_) | ExprKind::Member { .. }) => {
                let address = self.memory_value(expr);
                self.discard_bytes(address, expr.ty.ty, expr.span);
            }
            (Shape::Memory, _) => {
                self.memory_value(expr);
            }
            (Shape::Void | Shape::Function, _) => self.unsupported("a void expression", expr.span),
        }
    }

    /// A value converted to another scalar type.
    pub(super) fn converted(&self, value: Expr, to: Type) -> Expr {
        let from = self.ty(&value);
        types::convert(self.pointer_bits(), value, from, to)
    }

    fn unary(&mut self, op: CUnary, operand: &'a CExpr, ty: Type, span: Span) -> Expr {
        match op {
            CUnary::LogicalNot => {
                let condition = self.truth(operand);
                self.converted(Expr::not(condition), ty)
            }
            CUnary::BitNot => {
                let value = self.value(operand);
                Expr::unary(UnaryOp::Not, ty, value)
            }
            CUnary::Neg => {
                let value = self.value(operand);
                self.negate(value, ty, span)
            }
        }
    }

    fn binary(
        &mut self,
        op: CBinary,
        left: &'a CExpr,
        right: &'a CExpr,
        whole: &'a CExpr,
        ty: Type,
    ) -> Expr {
        use CBinary::*;
        let span = whole.span;
        match op {
            Eq | Ne | Lt | Le | Gt | Ge | LogicalAnd | LogicalOr => {
                let condition = self.truth(whole);
                self.converted(condition, ty)
            }
            Comma => {
                self.effect(left);
                self.value(right)
            }
            Add | Sub | Mul | Div | Rem | And | Or | Xor | Shl | Shr | PointerAdd | PointerSub
            | PointerDiff => {
                let first = self.value(left);
                let mark = self.mark();
                let second = self.value(right);
                if matches!(op, PointerAdd | PointerSub) && self.accessed != Some(span) {
                    self.stays_in_array(left, &second, op == PointerSub);
                }
                let first = self.protect(first, mark, span);
                self.operate(op, (first, left.ty.ty), second, ty, span)
            }
        }
    }

    /// An operation on two values that are there already. The left one's C type says what a
    /// pointer points to.
    pub(super) fn operate(
        &mut self,
        op: CBinary,
        (left, left_ty): (Expr, TypeId),
        right: Expr,
        ty: Type,
        span: Span,
    ) -> Expr {
        match op {
            CBinary::PointerAdd | CBinary::PointerSub => {
                let (pointer, index) = match self.ty(&left) {
                    Type::Ptr => (left, right),
                    _ => (right, left),
                };
                let target = self.cx.pointee(left_ty);
                self.move_pointer(pointer, target, index, op == CBinary::PointerSub, span)
            }
            CBinary::PointerDiff => {
                self.same_object(UndefinedKind::PointerDifference, &left, &right, span);
                let bytes = Expr::binary(BinaryOp::PtrDiff, Type::Ptr, left, right);
                let offset = Type::Int(self.cx.program.offset_type());
                let size = self.element_size(self.cx.pointee(left_ty), span);
                let elements = Expr::binary(BinaryOp::Div, offset, bytes, size);
                self.converted(elements, ty)
            }
            op => match operator(op) {
                Some(op) => self.arith(op, ty, left, right, span),
                None => self.unsupported_value("this operator", ty, span),
            },
        }
    }

    fn conditional(
        &mut self,
        condition: &'a CExpr,
        then: Option<&'a CExpr>,
        otherwise: &'a CExpr,
        ty: Type,
        span: Span,
    ) -> Expr {
        if let Some(then) = then {
            return self.choose_side(condition, (then, otherwise), Self::value, span);
        }
        let tested = self.value(condition);
        let tested = self.atom(tested, condition.span);
        let from = self.ty(&tested);
        let test = Expr::truth(from, tested.clone());
        let kept = self.converted(tested, ty);
        self.choose(test, |_| kept, |s| s.value(otherwise), span)
    }

    fn cast(
        &mut self,
        kind: CastKind,
        operand: &'a CExpr,
        (ty, target): (Type, TypeId),
        span: Span,
    ) -> Expr {
        use CastKind::*;
        match kind {
            ArrayDecay | FunctionDecay => self.address_of(operand),
            ToBool => {
                if self.cx.scalar(operand.ty.ty).is_none() {
                    return self.not_scalar(operand);
                }
                self.truth(operand)
            }
            Int | IntToFloat | FloatToInt | Float | PointerToInt | IntToPointer | Pointer
            | NoOp => {
                if self.cx.scalar(operand.ty.ty).is_none() {
                    let what = self.cx.unmodelled(operand.ty.ty);
                    self.effect(operand);
                    return self.unsupported_value(what, ty, span);
                }
                let value = self.value(operand);
                if kind == Pointer {
                    self.is_aligned(&value, target, span);
                }
                self.converted(value, ty)
            }
            ToVoid => {
                self.effect(operand);
                Expr::Const(ty.zero())
            }
        }
    }
}

fn float_value(value: f64, ty: Type) -> Expr {
    match ty {
        Type::Float(format) => Expr::Const(Constant::Float(format, format.rounded(value))),
        Type::Bool => Expr::bool(value != 0.0),
        Type::Int(ty) => Expr::int(ty, value as i128),
        Type::Ptr => Expr::null(),
    }
}

/// The IR's operator on numbers that is written as one of C's.
pub(super) fn operator(op: CBinary) -> Option<BinaryOp> {
    BinaryOp::of_name(op.name())
}
