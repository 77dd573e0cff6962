//! Conditions: as control flow, and as values of type `Bool`.

use super::expr::operator;
use super::procedure::Lowering;
use base::Span;
use cfront::ast::{BinaryOp as CBinary, Builtin, CastKind, Expr as CExpr, ExprKind, UnaryOp};
use program::expr::{BinaryOp, Expr, Type};
use program::ir::{LocationId, UndefinedKind};

impl<'a> Lowering<'_, 'a> {
    /// Goes to `yes` if the scalar is not zero, else to `no`. `cur` is left without meaning.
    pub(super) fn branch(&mut self, condition: &'a CExpr, yes: LocationId, no: LocationId) {
        let span = condition.span;
        match &condition.kind {
            ExprKind::Binary(op @ (CBinary::LogicalAnd | CBinary::LogicalOr), left, right) => {
                let middle = self.location(right.span);
                match op {
                    CBinary::LogicalAnd => self.branch(left, middle, no),
                    _ => self.branch(left, yes, middle),
                }
                self.cur = middle;
                self.branch(right, yes, no);
            }
            ExprKind::Binary(CBinary::Comma, left, right) => {
                self.effect(left);
                self.branch(right, yes, no);
            }
            ExprKind::Unary(UnaryOp::LogicalNot, inner) => self.branch(inner, no, yes),
            ExprKind::Conditional {
                condition,
                then: Some(then),
                otherwise,
            } => {
                let (first, second) = (self.location(then.span), self.location(otherwise.span));
                self.decide(condition, first, second);
                self.cur = first;
                self.branch(then, yes, no);
                self.cur = second;
                self.branch(otherwise, yes, no);
            }
            _ => match self.same_truth(condition) {
                Some((inner, false)) => self.branch(inner, yes, no),
                Some((inner, true)) => self.branch(inner, no, yes),
                None => {
                    let value = self.truth(condition);
                    self.branch_to(value, yes, no, span);
                }
            },
        }
    }

    /// The scalar as a condition: whether it is not zero.
    pub(super) fn truth(&mut self, expr: &'a CExpr) -> Expr {
        self.in_sequence(expr);
        self.nested(expr.span, |s| s.truth_inner(expr))
    }

    fn truth_inner(&mut self, expr: &'a CExpr) -> Expr {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) => Expr::bool(!value.is_zero()),
            ExprKind::Unary(UnaryOp::LogicalNot, inner) => Expr::not(self.truth(inner)),
            ExprKind::Binary(op @ (CBinary::LogicalAnd | CBinary::LogicalOr), left, right) => {
                self.logical(left, right, *op == CBinary::LogicalAnd, span)
            }
            ExprKind::Binary(CBinary::Comma, left, right) => {
                self.effect(left);
                self.truth(right)
            }
            ExprKind::Conditional {
                condition,
                then: Some(then),
                otherwise,
            } => self.choose_side(condition, (then, otherwise), Self::truth, span),
            kind => match (self.same_truth(expr), kind) {
                (Some((inner, negated)), _) => {
                    let inner = self.truth(inner);
                    if negated { Expr::not(inner) } else { inner }
                }
                (None, ExprKind::Binary(op, left, right)) if comparison(*op).is_some() => {
                    let op = comparison(*op).unwrap_or(BinaryOp::Eq);
                    self.compare(op, left, right, span)
                }
                (None, _) => {
                    let value = self.value(expr);
                    let ty = self.ty(&value);
                    Expr::truth(ty, value)
                }
            },
        }
    }

    /// `condition ? then : otherwise`, with a side as `read` has it.
    pub(super) fn choose_side(
        &mut self,
        condition: &'a CExpr,
        (then, otherwise): (&'a CExpr, &'a CExpr),
        read: impl Fn(&mut Self, &'a CExpr) -> Expr + Copy,
        span: Span,
    ) -> Expr {
        let (test, at) = (self.truth(condition), condition.span);
        let way = |way, side| {
            move |s: &mut Self| {
                s.has_decided(at, way);
                read(s, side)
            }
        };
        self.choose(test, way(true, then), way(false, otherwise), span)
    }

    /// `a && b` (if `conjunction`) or `a || b` as a condition.
    fn logical(
        &mut self,
        left: &'a CExpr,
        right: &'a CExpr,
        conjunction: bool,
        span: Span,
    ) -> Expr {
        let first = self.truth(left);
        if first.is_bool(conjunction) {
            return self.truth(right);
        }
        if first.is_bool(!conjunction) {
            return first;
        }
        let at = self.cur;
        let short = Expr::bool(!conjunction);
        let mut total = false;
        let second = |s: &mut Self| {
            let second = s.truth(right);
            total = s.cur == at && !second.may_be_undefined();
            second
        };
        let kept = first.clone();
        let whole = if conjunction {
            self.choose(first, second, |_| short, span)
        } else {
            self.choose(first, |_| short, second, span)
        };
        // Where the right side is always defined, evaluating it does no harm.
        match whole {
            Expr::Select(_, second, _) if total && conjunction => Expr::and(kept, *second),
            Expr::Select(_, _, second) if total && !conjunction => Expr::or(kept, *second),
            whole => whole,
        }
    }

    /// An expression that is zero exactly when this one is (or, if the flag is set, is not), if
    /// this one only wraps it.
    fn same_truth(&self, expr: &'a CExpr) -> Option<(&'a CExpr, bool)> {
        match &expr.kind {
            ExprKind::Cast(CastKind::ToBool | CastKind::NoOp, operand, _)
                if self.cx.scalar(operand.ty.ty).is_some() =>
            {
                Some((operand, false))
            }
            ExprKind::Cast(CastKind::Int, operand, _) => {
                let bits = |ty| match self.cx.scalar(ty)? {
                    Type::Int(ty) => Some(ty.bits),
                    Type::Bool => Some(1),
                    Type::Float(_) | Type::Ptr => None,
                };
                let widens = bits(operand.ty.ty)? <= bits(expr.ty.ty)?;
                (widens && is_boolean(operand)).then_some((operand, false))
            }
            ExprKind::Binary(op @ (CBinary::Eq | CBinary::Ne), left, right) => {
                let zero = matches!(right.kind, ExprKind::Int(value) if value.is_zero());
                (zero && is_boolean(left)).then_some((left, *op == CBinary::Eq))
            }
            ExprKind::Builtin {
                builtin: Builtin::Expect,
                args,
            } if args.len() > 1
                && args[1..]
                    .iter()
                    .all(|arg| matches!(arg.kind, ExprKind::Int(_) | ExprKind::Float(_))) =>
            {
                Some((&args[0], false))
            }
            _ => None,
        }
    }

    fn compare(&mut self, op: BinaryOp, left: &'a CExpr, right: &'a CExpr, span: Span) -> Expr {
        let first = self.value(left);
        let mark = self.mark();
        let second = self.value(right);
        let first = self.protect(first, mark, span);
        let ty = self.ty(&first);
        let second = self.converted(second, ty);
        if ty == Type::Ptr && !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            self.same_object(UndefinedKind::PointerOrder, &first, &second, span);
        }
        Expr::binary(op, ty, first, second)
    }
}

/// Whether the expression is a truth value, perhaps written as an `int`.
fn is_boolean(expr: &CExpr) -> bool {
    match &expr.kind {
        ExprKind::Unary(UnaryOp::LogicalNot, _) => true,
        ExprKind::Binary(op, _, right) => match op {
            CBinary::LogicalAnd | CBinary::LogicalOr => true,
            CBinary::Comma => is_boolean(right),
            op => comparison(*op).is_some(),
        },
        ExprKind::Cast(CastKind::ToBool, _, _) => true,
        ExprKind::Cast(CastKind::Int | CastKind::NoOp, operand, _) => is_boolean(operand),
        ExprKind::Builtin {
            builtin: Builtin::Expect,
            args,
        } => args.first().is_some_and(is_boolean),
        _ => false,
    }
}

/// The IR's comparison that is written as one of C's.
fn comparison(op: CBinary) -> Option<BinaryOp> {
    operator(op).filter(|op| op.is_comparison())
}
