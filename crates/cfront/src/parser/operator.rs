//! Operators: their operand and result types.

use super::Parser;
use super::convert::Context;
use crate::ast::{BinaryOp, CastKind, Expr, ExprKind, UnaryOp};
use crate::types::{QualType, TypeId};
use base::Span;

const MIXED_ARMS: &str = "one arm of '?:' is a pointer, the other an integer";

impl Parser<'_> {
    /// `a op b`, for every operator but assignment and the comma.
    pub(super) fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        use BinaryOp::*;
        let span = a.span.to(b.span);
        if self.is_error(a.ty.ty) || self.is_error(b.ty.ty) {
            return self.broken(span);
        }
        match op {
            LogicalAnd | LogicalOr => self.logical(op, a, b, span),
            Shl | Shr => self.shift(op, a, b, span),
            Eq | Ne | Lt | Le | Gt | Ge => self.comparison(op, a, b, span),
            Add => self.add(a, b, span),
            Sub => self.subtract(a, b, span),
            Mul | Div | Rem | And | Or | Xor => self.arithmetic(op, a, b, span),
            Comma => self.comma(a, b),
            // Chosen by `add` and `subtract`.
            PointerAdd | PointerSub | PointerDiff => self.arithmetic(op, a, b, span),
        }
    }

    /// An operation on numbers.
    pub(super) fn arithmetic(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let (a, b) = (self.value(a), self.value(b));
        if !self.takes(op, a.ty.ty, b.ty.ty) {
            return self.invalid_operands(op, &a, &b, span);
        }
        if self.has_complex(&a, &b) {
            return self.complex_binary(op, a, b, span);
        }
        let (a, b, ty) = self.balanced(a, b);
        self.binary_node(op, a, b, ty, span)
    }

    /// Whether an operation on numbers takes operands of these types.
    fn takes(&self, op: BinaryOp, a: TypeId, b: TypeId) -> bool {
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => {
                self.types.is_arithmetic(a) && self.types.is_arithmetic(b)
            }
            _ => self.types.is_integer(a) && self.types.is_integer(b),
        }
    }

    pub(super) fn binary_node(
        &mut self,
        op: BinaryOp,
        a: Expr,
        b: Expr,
        ty: TypeId,
        span: Span,
    ) -> Expr {
        Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span)
    }

    pub(super) fn invalid_operands(
        &mut self,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        span: Span,
    ) -> Expr {
        let (left, right) = (self.show(a.ty), self.show(b.ty));
        let text = op.name();
        let message = format!("invalid operands of '{text}': '{left}' and '{right}'");
        self.refused(span, message)
    }

    fn logical(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let (a, b) = (self.condition(a), self.condition(b));
        if self.is_error(a.ty.ty) || self.is_error(b.ty.ty) {
            return self.broken(span);
        }
        let int = self.types.int();
        self.binary_node(op, a, b, int, span)
    }

    fn shift(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let (a, b) = (self.value(a), self.value(b));
        if !self.takes(op, a.ty.ty, b.ty.ty) {
            return self.invalid_operands(op, &a, &b, span);
        }
        let (a, b) = (self.promoted(a), self.promoted(b));
        let ty = a.ty.ty;
        self.binary_node(op, a, b, ty, span)
    }

    /// `a, b`
    pub(super) fn comma(&mut self, a: Expr, b: Expr) -> Expr {
        let span = a.span.to(b.span);
        let b = self.value(b);
        let ty = b.ty.ty;
        self.binary_node(BinaryOp::Comma, a, b, ty, span)
    }

    /// `-a`, `~a`, `!a` and `+a` (no operator).
    pub(super) fn unary(&mut self, op: Option<UnaryOp>, operand: Expr, span: Span) -> Expr {
        if self.is_error(operand.ty.ty) {
            return self.broken(span);
        }
        if op == Some(UnaryOp::LogicalNot) {
            let operand = self.condition(operand);
            if self.is_error(operand.ty.ty) {
                return self.broken(span);
            }
            return self.unary_node(UnaryOp::LogicalNot, operand, self.types.int(), span);
        }
        let operand = self.promoted(operand);
        let fits = match op {
            Some(UnaryOp::BitNot) => self.types.is_integer(operand.ty.ty),
            _ => self.types.is_arithmetic(operand.ty.ty),
        };
        if self.types.is_complex(operand.ty.ty) {
            return self.complex_unary(op, operand, span);
        }
        if !fits {
            return self.refused_type(span, "invalid operand of this operator:", operand.ty);
        }
        let ty = operand.ty.ty;
        match op {
            Some(op) => self.unary_node(op, operand, ty, span),
            // The result is a value, not the lvalue itself.
            None => {
                let lvalue = operand.is_lvalue();
                let result = if lvalue {
                    self.as_value(operand)
                } else {
                    operand
                };
                Expr { span, ..result }
            }
        }
    }

    /// The value of an lvalue, as an expression that is none.
    pub(super) fn as_value(&mut self, expr: Expr) -> Expr {
        let ty = expr.ty.ty;
        self.cast_with(expr, ty, CastKind::NoOp, false)
    }

    fn unary_node(&mut self, op: UnaryOp, operand: Expr, ty: TypeId, span: Span) -> Expr {
        // `-1` is a constant as much as `1` is.
        if let ExprKind::Int(value) = operand.kind
            && op == UnaryOp::Neg
            && let (negated, false) = value.neg()
        {
            return Expr::new(ExprKind::Int(negated), ty, span);
        }
        Expr::new(ExprKind::Unary(op, Box::new(operand)), ty, span)
    }

    /// `++x`, `x--` and so on.
    pub(super) fn increment(
        &mut self,
        target: Expr,
        decrement: bool,
        postfix: bool,
        span: Span,
    ) -> Expr {
        let what = if decrement { "decrement" } else { "increment" };
        if !self.check_modifiable(&target, what) {
            return self.broken(span);
        }
        let ty = target.ty.ty;
        if self.types.is_complex(ty) {
            return self.other_complex(vec![target], ty, span);
        }
        if !self.types.is_scalar(ty) {
            return self.refused_type(span, &format!("wrong type for {what}:"), ty);
        }
        if let Some(to) = self.types.pointee(ty)
            && !self.check_arithmetic_pointee(to.ty, span)
        {
            return self.broken(span);
        }
        Expr::new(
            ExprKind::Increment {
                target: Box::new(target),
                decrement,
                postfix,
            },
            ty,
            span,
        )
    }

    /// `target = value`
    pub(super) fn assign(&mut self, target: Expr, value: Expr) -> Expr {
        let span = target.span.to(value.span);
        if !self.check_modifiable(&target, "assignment") {
            return self.broken(span);
        }
        let ty = target.ty.ty;
        let value = self.assigned(value, ty.into(), &Context::Assign);
        if self.is_error(value.ty.ty) {
            return self.broken(span);
        }
        Expr::new(
            ExprKind::Assign(Box::new(target), Box::new(value)),
            ty,
            span,
        )
    }

    /// `target op= value`
    pub(super) fn assign_op(&mut self, op: BinaryOp, target: Expr, value: Expr) -> Expr {
        let span = target.span.to(value.span);
        let value = self.value(value);
        if self.is_error(value.ty.ty) || !self.check_modifiable(&target, "assignment") {
            return self.broken(span);
        }
        let ty = target.ty.ty;
        let numbers = self.types.is_arithmetic(ty) && self.types.is_arithmetic(value.ty.ty);
        if numbers && self.has_complex(&target, &value) {
            return self.complex_assign(op, target, value, span);
        }
        let (op, value, computation) = if self.types.is_pointer(ty) {
            let op = match op {
                BinaryOp::Add => BinaryOp::PointerAdd,
                BinaryOp::Sub => BinaryOp::PointerSub,
                _ => return self.invalid_operands(op, &target, &value, span),
            };
            if !self.types.is_integer(value.ty.ty) {
                return self.invalid_operands(op, &target, &value, span);
            }
            let to = self.types.pointee(ty).map_or(self.error, |to| to.ty);
            if !self.check_arithmetic_pointee(to, span) {
                return self.broken(span);
            }
            let offset = self.offset(value);
            (op, offset, ty)
        } else {
            match self.compound_operands(op, &target, value, span) {
                Some((value, computation)) => (op, value, computation),
                None => return self.broken(span),
            }
        };
        Expr::new(
            ExprKind::AssignOp {
                op,
                target: Box::new(target),
                value: Box::new(value),
                computation,
            },
            ty,
            span,
        )
    }

    /// The right operand and the type in which a compound assignment computes.
    fn compound_operands(
        &mut self,
        op: BinaryOp,
        target: &Expr,
        value: Expr,
        span: Span,
    ) -> Option<(Expr, TypeId)> {
        if !self.takes(op, target.ty.ty, value.ty.ty) {
            self.invalid_operands(op, target, &value, span);
            return None;
        }
        let left = self.promoted_type(target);
        let value = self.promoted(value);
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            return Some((value, left));
        }
        let computation = self.types.usual_arithmetic(left, value.ty.ty);
        Some((self.implicit(value, computation), computation))
    }

    /// `condition ? then : otherwise`, the middle perhaps omitted.
    pub(super) fn conditional(
        &mut self,
        condition: Expr,
        then: Option<Expr>,
        otherwise: Expr,
    ) -> Expr {
        let span = condition.span.to(otherwise.span);
        let condition = match then {
            Some(_) => self.value(condition),
            None => self.promoted(condition),
        };
        // With the middle omitted, the value of the condition is the one that is converted.
        let stand_in = Expr::new(
            ExprKind::Int(logic::IntValue::zero(logic::IntType::I32)),
            condition.ty,
            condition.span,
        );
        let condition = self.condition(condition);
        let (then, omitted) = match then {
            Some(then) => (self.value(then), false),
            None => (stand_in, true),
        };
        let otherwise = self.value(otherwise);
        for part in [&condition, &then, &otherwise] {
            if self.is_error(part.ty.ty) {
                return self.broken(span);
            }
        }
        let Some(ty) = self.common_type(&then, &otherwise, span) else {
            return self.broken(span);
        };
        let then = (!omitted).then(|| Box::new(self.implicit(then, ty)));
        let otherwise = self.implicit(otherwise, ty);
        Expr::new(
            ExprKind::Conditional {
                condition: Box::new(condition),
                then,
                otherwise: Box::new(otherwise),
            },
            ty,
            span,
        )
    }

    /// The type of a conditional with these arms.
    fn common_type(&mut self, a: &Expr, b: &Expr, span: Span) -> Option<TypeId> {
        let (x, y) = (a.ty.ty, b.ty.ty);
        if self.types.is_arithmetic(x) && self.types.is_arithmetic(y) {
            let (x, y) = (self.promoted_type(a), self.promoted_type(b));
            return Some(self.types.usual_arithmetic(x, y));
        }
        if self.types.is_void(x) || self.types.is_void(y) {
            return Some(self.types.void());
        }
        if x == y {
            return Some(x);
        }
        match (self.types.pointee(x), self.types.pointee(y)) {
            (Some(p), Some(q)) => Some(self.common_pointer(a, p, b, q, span)),
            (Some(_), None) if self.types.is_integer(y) => {
                self.check_mixed(b, span, MIXED_ARMS);
                Some(x)
            }
            (None, Some(_)) if self.types.is_integer(x) => {
                self.check_mixed(a, span, MIXED_ARMS);
                Some(y)
            }
            _ => {
                let (left, right) = (self.show(x), self.show(y));
                let message = format!("the arms of '?:' do not agree: '{left}' and '{right}'");
                self.error(span, message);
                None
            }
        }
    }

    /// Warns where an integer that is not null stands beside a pointer.
    pub(super) fn check_mixed(&mut self, integer: &Expr, span: Span, message: &str) {
        if !self.is_null_constant(integer) {
            self.warn(span, message);
        }
    }

    fn common_pointer(
        &mut self,
        a: &Expr,
        p: QualType,
        b: &Expr,
        q: QualType,
        span: Span,
    ) -> TypeId {
        let quals = p.quals.union(q.quals);
        let to = if self.is_null_constant(a) {
            return b.ty.ty;
        } else if self.is_null_constant(b) {
            return a.ty.ty;
        } else if self.types.compatible(p.ty, q.ty) {
            self.types.composite(p.ty, q.ty)
        } else {
            if !self.types.is_void(p.ty) && !self.types.is_void(q.ty) {
                self.warn(span, "the arms of '?:' are pointers to different types");
            }
            self.types.void()
        };
        let to = self.qualified(to, quals);
        self.types.pointer_to(to)
    }
}
