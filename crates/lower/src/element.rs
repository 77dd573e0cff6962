//! Elements of arrays that are part of a larger object.
//!
//! `s.a[i]` and `m[i][j]` must stay inside the indexed array, not only inside the enclosing object,
//! which is all that the machine sees. So the index is checked here, unless its type or the
//! expression shows that it is in bounds. An array that is an object of its own needs no check, and
//! neither does one that may have more elements than it declares: the last member of a struct
//! behind a pointer, as GNU C allows.

use super::procedure::Lowering;
use base::Span;
use cfront::ast::{BinaryOp as CBinary, CastKind, Expr as CExpr, ExprKind};
use cfront::types::{ArrayLen, Type as CType};
use logic::{IntType, IntValue};
use program::expr::{BinaryOp, Constant, Expr, Type};
use program::ir::{Property, UndefinedKind};

impl<'a> Lowering<'_, 'a> {
    /// The value of a pointer that is for an access: that of an element of an array is checked.
    pub(super) fn element(&mut self, pointer: &'a CExpr) -> Expr {
        let ExprKind::Binary(CBinary::PointerAdd, left, index) = &pointer.kind else {
            return self.value(pointer);
        };
        self.in_sequence(pointer);
        let array = decayed(self.origin(left));
        let span = pointer.span;
        let base = match decayed(left) {
            Some(array) => {
                let place = self.place(array, true);
                self.place_address(place, "an element of a scalar", array.span)
            }
            None => self.value(left),
        };
        let mark = self.mark();
        let mut at = self.value(index);
        if let Some(len) = array.and_then(|array| self.inner_length(array, &base))
            && !self.is_outside(&at, len).is_bool(false)
        {
            if at.reads_memory() {
                at = self.atom(at, span);
            }
            let bad = self.is_outside(&at, len);
            self.undefined_if(bad, UndefinedKind::ArrayBounds, span);
        }
        let base = self.protect(base, mark, span);
        let target = self.cx.pointee(pointer.ty.ty);
        self.accessed = Some(span);
        self.move_pointer(base, target, at, false, span)
    }

    /// The length of an array at an address that is not a whole object, if it is known and binding.
    fn inner_length(&self, array: &CExpr, address: &Expr) -> Option<u64> {
        let CType::Array(_, ArrayLen::Known(len)) = self.cx.ast.types.get(array.ty.ty) else {
            return None;
        };
        let is_part = match &array.kind {
            ExprKind::Deref(_) => true,
            ExprKind::Member { .. } => !self.may_go_on(array),
            _ => false,
        };
        let is_whole = match address {
            Expr::Object(object) => {
                self.cx.size(array.ty.ty) == Some(self.cx.program.objects[*object].size)
            }
            _ => false,
        };
        (is_part && !is_whole).then_some(*len)
    }

    /// Whether a member is at the end of everything behind a pointer, where GNU C lets an
    /// array continue beyond its declared length.
    fn may_go_on(&self, member: &CExpr) -> bool {
        match &member.kind {
            ExprKind::Member { record, field } => {
                let (types, ty) = (&self.cx.ast.types, record.ty.ty);
                let is_last = types
                    .body(ty)
                    .is_some_and(|it| field + 1 == it.fields.len());
                (types.is_union(ty) || is_last) && self.may_go_on(record)
            }
            ExprKind::Deref(_) => true,
            _ => false,
        }
    }

    fn is_outside(&self, index: &Expr, len: u64) -> Expr {
        self.is_not_between(index, 0, i128::from(len) - 1)
    }

    /// That an index is below or above two numbers, as far as it can be.
    pub(super) fn is_not_between(&self, index: &Expr, low: i128, high: i128) -> Expr {
        let index = match low >= 0 {
            true => self.before_widening(index),
            false => index,
        };
        let ty = self.ty(index);
        let Type::Int(int) = ty else {
            return Expr::bool(false);
        };
        let (least, most) = self.range(index);
        let compare = |op, number| Expr::binary(op, ty, index.clone(), Expr::int(int, number));
        let below = match least < low {
            true => compare(BinaryOp::Lt, low),
            false => Expr::bool(false),
        };
        let above = match most > high {
            true => compare(BinaryOp::Gt, high),
            false => Expr::bool(false),
        };
        Expr::or(below, above)
    }

    /// The index as it was before it got the type of offsets. One that was too large for that type
    /// is beyond every array, with the type that it had and with this.
    fn before_widening<'e>(&self, index: &'e Expr) -> &'e Expr {
        let Expr::Cast(Type::Int(to), operand) = index else {
            return index;
        };
        match self.ty(operand) {
            Type::Int(from) if from.bits < to.bits && (to.signed || !from.signed) => {
                self.before_widening(operand)
            }
            Type::Int(from) if from.bits == to.bits && !from.signed && to.signed => operand,
            Type::Int(_) | Type::Bool | Type::Float(_) | Type::Ptr => index,
        }
    }

    /// What an integer is between, as far as its type and its outermost steps say.
    fn range(&self, expr: &Expr) -> (i128, i128) {
        let Type::Int(ty) = self.ty(expr) else {
            return (0, 1);
        };
        let all = limits(ty);
        match expr {
            Expr::Const(Constant::Int(value)) => {
                value.to_i128().map_or(all, |value| (value, value))
            }
            Expr::Cast(_, operand) if matches!(self.ty(operand), Type::Int(_) | Type::Bool) => {
                let (low, high) = self.range(operand);
                if all.0 <= low && high <= all.1 {
                    (low, high)
                } else {
                    all
                }
            }
            Expr::Binary(BinaryOp::And, _, left, right) => {
                let ends = [self.range(left), self.range(right)];
                let masks = ends.into_iter().filter(|&(low, _)| low >= 0);
                match masks.map(|(_, high)| high).min() {
                    Some(high) => (0, high),
                    None => all,
                }
            }
            Expr::Binary(BinaryOp::Rem, _, left, right) => {
                let Some(Constant::Int(by)) = right.constant() else {
                    return all;
                };
                let most = match by.to_i128().and_then(i128::checked_abs) {
                    Some(by) if by > 0 => by - 1,
                    Some(_) | None => return all,
                };
                match self.range(left).0 >= 0 {
                    true => (0, most),
                    false => (-most, most),
                }
            }
            _ => all,
        }
    }

    /// Ends a run here that the condition holds in: it is undefined. Where accesses are checked,
    /// or inside a claim, it is a violation.
    pub(super) fn undefined_if(&mut self, bad: Expr, kind: UndefinedKind, span: Span) {
        let is_access = match kind {
            UndefinedKind::ArrayBounds => self.checks(Property::Dereference),
            _ => self.claim.is_some(),
        };
        if is_access {
            let message = format!("invalid access: {}", kind.describe());
            self.check_not(bad, Property::Dereference, message, span);
        } else if !bad.is_bool(false) {
            let (end, next) = (self.location(span), self.location(span));
            self.branch_to(bad, end, next, span);
            self.cur = end;
            self.halt_undefined(kind, span);
            self.cur = next;
        }
    }
}

/// The array whose first element a pointer points to.
fn decayed(pointer: &CExpr) -> Option<&CExpr> {
    match &pointer.kind {
        ExprKind::Cast(CastKind::ArrayDecay, operand, _) => Some(operand),
        _ => None,
    }
}

/// The least and the greatest value of a type; those of the widest are cut off.
fn limits(ty: IntType) -> (i128, i128) {
    let end = |value: IntValue, cut| value.to_i128().unwrap_or(cut);
    (end(ty.min(), i128::MIN), end(ty.max(), i128::MAX))
}
