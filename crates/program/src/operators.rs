//! The operators of expressions on machine values: one semantics for constant folding and for the
//! machine. Integers go through [`logic::IntValue`].
//!
//! # Invariants
//! - An operation that C leaves undefined has no value; its kind of undefined behaviour is
//!   returned.

use crate::expr::{BinaryOp, Constant, FloatType, UnaryOp};
use crate::undefined::UndefinedKind;
use logic::{IntType, IntValue};
use std::cmp::Ordering;

/// A value, unless it is undefined.
type Computed<T> = Result<T, UndefinedKind>;

/// `op value` on an integer.
pub fn int_unary(op: UnaryOp, value: IntValue) -> Computed<IntValue> {
    let ty = value.ty();
    let count = |count: u32| IntValue::from_bits(ty, count.into());
    let unused = 128 - u32::from(ty.bits);
    Ok(match op {
        UnaryOp::Neg => fitting(value.neg())?,
        UnaryOp::Not => value.not(),
        UnaryOp::Popcount => count(value.bits().count_ones()),
        UnaryOp::Clz | UnaryOp::Ctz if value.is_zero() => return Err(UndefinedKind::ZeroCount),
        UnaryOp::Clz => count(value.bits().leading_zeros() - unused),
        UnaryOp::Ctz => count(value.bits().trailing_zeros()),
        UnaryOp::Bswap => IntValue::from_bits(ty, value.bits().swap_bytes() >> unused),
    })
}

/// `a op b` on integers of one type; the amount of a shift has a type of its own.
pub fn int_binary(op: BinaryOp, a: IntValue, b: IntValue) -> Computed<Constant> {
    let holds = |test: fn(Ordering) -> bool| Ok(Constant::Bool(test(a.compare(b))));
    let value = match op {
        BinaryOp::Add => fitting(a.add(b))?,
        BinaryOp::Sub => fitting(a.sub(b))?,
        BinaryOp::Mul => fitting(a.mul(b))?,
        BinaryOp::Div => fitting(a.div(b).ok_or(UndefinedKind::DivisionByZero)?)?,
        BinaryOp::Rem => fitting(a.rem(b).ok_or(UndefinedKind::DivisionByZero)?)?,
        BinaryOp::And => a.and(b),
        BinaryOp::Or => a.or(b),
        BinaryOp::Xor => a.xor(b),
        BinaryOp::Shl => fitting(a.shl(b).ok_or(UndefinedKind::ShiftOutOfRange)?)?,
        BinaryOp::Shr => a.shr(b).ok_or(UndefinedKind::ShiftOutOfRange)?,
        BinaryOp::Eq => return holds(Ordering::is_eq),
        BinaryOp::Ne => return holds(Ordering::is_ne),
        BinaryOp::Lt => return holds(Ordering::is_lt),
        BinaryOp::Le => return holds(Ordering::is_le),
        BinaryOp::Gt => return holds(Ordering::is_gt),
        BinaryOp::Ge => return holds(Ordering::is_ge),
        BinaryOp::PtrDiff => unreachable!("a difference of addresses should be none of numbers"),
    };
    Ok(Constant::Int(value))
}

fn fitting((value, overflow): (IntValue, bool)) -> Computed<IntValue> {
    match overflow && value.ty().signed {
        true => Err(UndefinedKind::SignedOverflow),
        false => Ok(value),
    }
}

/// Whether the exact result of `a op b` does not fit the signed type of `a`; false where the
/// operation is undefined for another reason.
pub fn overflows(op: BinaryOp, a: IntValue, b: IntValue) -> bool {
    use BinaryOp::*;
    match op {
        Add | Sub | Mul | Div | Rem | Shl => {
            int_binary(op, a, b) == Err(UndefinedKind::SignedOverflow)
        }
        And | Or | Xor | Shr | Eq | Ne | Lt | Le | Gt | Ge | PtrDiff => false,
    }
}

/// `-value` on the bits of a floating-point number: the sign, of what is not a number too.
pub fn float_neg(format: FloatType, bits: u64) -> u64 {
    match format {
        FloatType::F32 => bits ^ 1 << 31,
        FloatType::F64 => bits ^ 1 << 63,
    }
}

/// `a op b` on the bits of floating-point numbers; `None` if there is no such operation. Both are
/// exact in `f64`, and a result of `f32` operands rounded twice (53 >= 2 * 24 + 2 bits) is the one
/// rounded once, for these four operations.
pub fn float_binary(op: BinaryOp, format: FloatType, a: u64, b: u64) -> Option<Constant> {
    use BinaryOp::*;
    let [a, b] = [a, b].map(|bits| format.number(bits));
    let value = match op {
        Add => a + b,
        Sub => a - b,
        Mul => a * b,
        Div => a / b,
        Eq => return Some(Constant::Bool(a == b)),
        Ne => return Some(Constant::Bool(a != b)),
        Lt => return Some(Constant::Bool(a < b)),
        Le => return Some(Constant::Bool(a <= b)),
        Gt => return Some(Constant::Bool(a > b)),
        Ge => return Some(Constant::Bool(a >= b)),
        Rem | And | Or | Xor | Shl | Shr | PtrDiff => return None,
    };
    Some(Constant::Float(format, format.rounded(value)))
}

/// An integer as the bits of a floating-point number.
pub fn int_to_float(value: IntValue, format: FloatType) -> u64 {
    // Directly to the format, so that it is rounded once.
    match (format, value.to_i128()) {
        (FloatType::F32, Some(value)) => u64::from((value as f32).to_bits()),
        (FloatType::F32, None) => u64::from((value.bits() as f32).to_bits()),
        (FloatType::F64, Some(value)) => (value as f64).to_bits(),
        (FloatType::F64, None) => (value.bits() as f64).to_bits(),
    }
}

/// The bits of a floating-point number in another format.
pub fn float_to_float(from: FloatType, bits: u64, to: FloatType) -> u64 {
    match (from, to) {
        (FloatType::F32, FloatType::F64) => widened(bits as u32),
        (FloatType::F64, FloatType::F32) => to.rounded(f64::from_bits(bits)),
        (FloatType::F32, FloatType::F32) | (FloatType::F64, FloatType::F64) => bits,
    }
}

/// The bits of a `float` as a `double`: exact, and a NaN keeps its sign and payload and is quiet.
fn widened(bits: u32) -> u64 {
    let value = f32::from_bits(bits);
    if !value.is_nan() {
        return f64::from(value).to_bits();
    }
    let sign = u64::from(bits >> 31) << 63;
    let payload = u64::from(bits & 0x007f_ffff) << 29;
    sign | 0x7ff8 << 48 | payload
}

/// A floating-point number as an integer, its fraction dropped.
pub fn float_to_int(value: f64, ty: IntType) -> Computed<IntValue> {
    let whole = value.trunc();
    // A whole double below 2^127 in magnitude is exact as an i128; beyond, only u128 is left.
    let result = if whole >= -(2f64.powi(127)) && whole < 2f64.powi(127) {
        let exact = whole as i128;
        Some(IntValue::wrap(ty, exact)).filter(|result| result.to_i128() == Some(exact))
    } else if whole > 0.0 && whole < 2f64.powi(128) {
        let exact = whole as u128;
        Some(IntValue::from_bits(ty, exact)).filter(|result| !ty.signed && result.bits() == exact)
    } else {
        None
    };
    result.ok_or(UndefinedKind::FloatConversion)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_become_integers_or_say_why_not() {
        let i32 = IntType::I32;
        let cases = [
            (1.9, i32, Some(1)),
            (-1.9, i32, Some(-1)),
            (2147483647.5, i32, Some(2147483647)),
            (2147483648.0, i32, None),
            (-2147483648.9, i32, Some(-2147483648)),
            (-2147483649.0, i32, None),
            (-0.5, IntType::U8, Some(0)),
            (-1.0, IntType::U8, None),
            (f64::NAN, i32, None),
            (f64::INFINITY, IntType::unsigned(128), None),
        ];
        for (value, ty, expected) in cases {
            let result = float_to_int(value, ty).ok();
            assert_eq!(
                result.and_then(IntValue::to_i128),
                expected,
                "{value} to {ty}"
            );
        }
        let big = float_to_int(3e38f64, IntType::unsigned(128));
        assert_eq!(big.unwrap().bits(), 3e38f64 as u128);
    }
}
