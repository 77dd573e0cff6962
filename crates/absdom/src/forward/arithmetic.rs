//! Arithmetic in an element: exact results, and their wrapping.

use super::element::{Domain, Element, limit};
use super::evaluate::{Result, not};
use super::linear::Linear;
use crate::modular::Residue;
use crate::value::{INFINITE, Value, range};
use logic::IntType;
use program::expr::{BinaryOp, Type, UnaryOp};

impl Element {
    /// A linear form as the result of arithmetic in a type.
    fn result(
        &self,
        domain: &Domain,
        linear: Option<Linear>,
        value: Value,
        residue: Residue,
        ty: IntType,
    ) -> Option<Result> {
        let mut exact = match linear {
            Some(linear) => Result {
                value: value.meet(&self.range(domain, &linear)?)?,
                linear,
                residue,
            },
            None => Result {
                residue,
                ..Result::of(value)
            },
        };
        if !ty.signed {
            return self.wrapped(exact, ty);
        }
        exact.value = self.in_class(exact.value.defined(ty)?, &exact.residue)?;
        Some(exact)
    }

    pub(super) fn unary(
        &self,
        domain: &Domain,
        op: UnaryOp,
        ty: Type,
        operand: Result,
    ) -> Option<Result> {
        match (op, ty) {
            (UnaryOp::Neg, Type::Int(int)) => {
                let linear = operand.linear.times(-1);
                let residue = operand.residue.times(-1);
                self.result(domain, linear, operand.value.neg(), residue, int)
            }
            // Its greatest value is beyond our bounds.
            (UnaryOp::Not, Type::Int(int)) if !int.signed && range(int).1 >= INFINITE => {
                Some(Result::of(limit(ty)))
            }
            (UnaryOp::Not, Type::Int(int)) => {
                let ones = if int.signed { -1 } else { range(int).1 };
                let linear = operand.linear.times(-1).map(|linear| linear.moved(ones));
                let value = operand.value.neg().add(&Value::point(ones));
                let residue = Residue::class(64, ones).plus(&operand.residue, -1);
                self.result(domain, linear, value, residue, int)
            }
            (UnaryOp::Not, Type::Bool) => Some(Result::of(not(&operand.value))),
            (UnaryOp::Popcount | UnaryOp::Clz | UnaryOp::Ctz, Type::Int(int)) => {
                Some(Result::of(Value::interval(0, i128::from(int.bits))?))
            }
            (UnaryOp::Neg | UnaryOp::Not, Type::Float(_) | Type::Ptr | Type::Bool)
            | (UnaryOp::Popcount | UnaryOp::Clz | UnaryOp::Ctz | UnaryOp::Bswap, _) => {
                Some(Result::of(limit(ty)))
            }
        }
    }

    pub(super) fn arithmetic(
        &self,
        domain: &Domain,
        op: BinaryOp,
        ty: IntType,
        a: &Result,
        b: &Result,
    ) -> Option<Result> {
        let (linear, value) = self.exact(op, ty, a, b)?;
        let residue = residue(op, a, b, &value);
        self.result(domain, linear, value, residue, ty)
    }

    /// The exact result of an operation, before it wraps or overflows.
    pub(super) fn exact(
        &self,
        op: BinaryOp,
        ty: IntType,
        a: &Result,
        b: &Result,
    ) -> Option<(Option<Linear>, Value)> {
        use BinaryOp::*;
        let exact = match op {
            Add => (a.linear.plus(&b.linear, 1), a.value.add(&b.value)),
            Sub => (a.linear.plus(&b.linear, -1), a.value.sub(&b.value)),
            Mul => {
                let linear = match (a.value.as_point(), b.value.as_point()) {
                    (Some(factor), _) => b.linear.times(factor),
                    (_, Some(factor)) => a.linear.times(factor),
                    (None, None) => None,
                };
                (linear, a.value.mul(&b.value))
            }
            Div => {
                let same = (b.value.as_point() == Some(1)).then(|| a.linear.clone());
                (same, a.value.div(&b.value)?)
            }
            Rem => {
                let value = a.value.rem(&b.value)?;
                let unchanged = value == a.value && a.value.is_below(&b.value);
                (unchanged.then(|| a.linear.clone()), value)
            }
            And => (None, a.value.and(&b.value, ty)),
            Or => (None, a.value.or_xor(&b.value, ty, true)),
            Xor => (None, a.value.or_xor(&b.value, ty, false)),
            Shl => {
                let linear = match b.value.as_point() {
                    Some(amount @ 0..62) => a.linear.times(1 << amount),
                    Some(_) | None => None,
                };
                (linear, a.value.shl(&b.value, ty))
            }
            Shr => (None, a.value.shr(&b.value, ty)),
            Eq | Ne | Lt | Le | Gt | Ge | PtrDiff => (None, Value::of_type(ty)),
        };
        Some(exact)
    }

    /// A result brought into a type.
    pub(super) fn wrapped(&self, mut result: Result, ty: IntType) -> Option<Result> {
        if result.value.fits(ty) {
            result.value = self.in_class(result.value, &result.residue)?;
            return Some(result);
        }
        let value = result.value.wrap(ty);
        // All of it moved by the same multiple of 2^w?
        let (old, new) = (&result.value, &value);
        let shift = new.low() - old.low();
        let window = 1i128 << ty.bits.min(100);
        let is_shift = old.low() > -INFINITE && old.high() < INFINITE && shift % window == 0;
        if is_shift && old.high() + shift == new.high() {
            let moved = Residue::class(64, shift);
            return Some(Result {
                linear: result.linear.moved(shift),
                value,
                residue: result.residue.plus(&moved, 1),
            });
        }
        let residue = result.residue.within(u32::from(ty.bits));
        let value = self.in_class(value, &residue)?;
        Some(Result {
            residue,
            ..Result::of(value)
        })
    }

    /// The values that are in the class of a linear form.
    pub(super) fn in_class(&self, value: Value, residue: &Residue) -> Option<Value> {
        if residue.bits == 0 {
            return Some(value);
        }
        match self.modular.class(residue) {
            Some((bits, rest)) => {
                Value::new(-INFINITE, INFINITE, 1 << bits, i128::from(rest))?.meet(&value)
            }
            None => Some(value),
        }
    }
}

/// The class of some values modulo a power of two.
pub(super) fn class(value: &Value) -> Residue {
    match value.congruence() {
        (0, rest) => Residue::class(64, rest),
        (modulus, rest) => Residue::class(modulus.trailing_zeros().min(64), rest),
    }
}

/// What the result of an operation is equal to modulo a power of two, before it wraps.
fn residue(op: BinaryOp, a: &Result, b: &Result, value: &Value) -> Residue {
    match (op, a.value.as_point(), b.value.as_point()) {
        (BinaryOp::Add, _, _) => a.residue.plus(&b.residue, 1),
        (BinaryOp::Sub, _, _) => a.residue.plus(&b.residue, -1),
        (BinaryOp::Mul, Some(factor), _) => b.residue.times(factor),
        (BinaryOp::Mul, _, Some(factor)) => a.residue.times(factor),
        (BinaryOp::Shl, _, Some(amount @ 0..64)) => a.residue.times(1 << amount),
        // The lowest bits stay.
        (BinaryOp::Rem, _, Some(divisor)) if divisor % 2 == 0 && divisor != 0 => {
            a.residue.clone().within(divisor.trailing_zeros())
        }
        (BinaryOp::And, _, Some(mask)) if mask % 2 != 0 => {
            a.residue.clone().within(mask.trailing_ones())
        }
        _ => class(value),
    }
}
