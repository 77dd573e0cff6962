//! Floating-point arithmetic on constants, each result rounded once to its own format.
//!
//! Constants are kept as doubles. A `long double` or `_Float128` operation whose exact result is
//! not a double is refused rather than approximated.

use crate::types::FloatKind;
use logic::{IntType, IntValue};

/// The exact result is not a double, but the type could hold more of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Inexact;

/// The value in that format.
pub(crate) fn round(kind: FloatKind, value: f64) -> f64 {
    match kind {
        FloatKind::Float => f64::from(value as f32),
        FloatKind::Double | FloatKind::LongDouble | FloatKind::Float128 => value,
    }
}

pub(crate) fn add(kind: FloatKind, x: f64, y: f64) -> Result<f64, Inexact> {
    if (x + y).is_nan() {
        return Ok(nan(x, y, false));
    }
    // The sum of two floats rounded to double and then to float is the float sum, as double has
    // more than twice its precision; so for products and quotients.
    let sum = x + y;
    let part = sum - x;
    let error = (x - (sum - part)) + (y - part);
    checked(kind, sum, error == 0.0)
}

pub(crate) fn sub(kind: FloatKind, x: f64, y: f64) -> Result<f64, Inexact> {
    if y.is_nan() {
        return Ok(nan(x, y, false));
    }
    add(kind, x, -y)
}

pub(crate) fn mul(kind: FloatKind, x: f64, y: f64) -> Result<f64, Inexact> {
    let product = x * y;
    if product.is_nan() {
        return Ok(nan(x, y, signs_differ(x, y)));
    }
    let zero = x == 0.0 || y == 0.0;
    let exact = zero || (!tiny(product) && x.mul_add(y, -product) == 0.0);
    checked(kind, product, exact)
}

pub(crate) fn div(kind: FloatKind, x: f64, y: f64) -> Result<f64, Inexact> {
    let quotient = x / y;
    if quotient.is_nan() {
        return Ok(nan(x, y, signs_differ(x, y)));
    }
    let exact = x == 0.0 || (!tiny(quotient) && !tiny(x) && quotient.mul_add(y, -x) == 0.0);
    checked(kind, quotient, exact)
}

/// The operand that is not a number, or a new NaN with the given sign, as in gcc.
fn nan(x: f64, y: f64, negative: bool) -> f64 {
    match (x.is_nan(), y.is_nan()) {
        (true, _) => x,
        (false, true) => y,
        (false, false) => f64::NAN.copysign(if negative { -1.0 } else { 1.0 }),
    }
}

fn signs_differ(x: f64, y: f64) -> bool {
    x.is_sign_negative() != y.is_sign_negative()
}

/// So near to zero that the rounding error itself may vanish.
fn tiny(value: f64) -> bool {
    value.abs() < f64::MIN_POSITIVE / f64::EPSILON
}

fn checked(kind: FloatKind, value: f64, exact: bool) -> Result<f64, Inexact> {
    match kind {
        FloatKind::Float | FloatKind::Double => Ok(round(kind, value)),
        FloatKind::LongDouble | FloatKind::Float128 => {
            let range = value.is_finite() && (value == 0.0 || value.abs() >= f64::MIN_POSITIVE);
            (exact && range).then_some(value).ok_or(Inexact)
        }
    }
}

/// An integer as a floating number.
pub(crate) fn from_int(kind: FloatKind, value: IntValue) -> Result<f64, Inexact> {
    let (double, single) = match value.to_i128() {
        Some(value) => (value as f64, value as f32),
        None => (value.bits() as f64, value.bits() as f32),
    };
    match kind {
        FloatKind::Float => Ok(f64::from(single)),
        FloatKind::Double => Ok(double),
        FloatKind::LongDouble | FloatKind::Float128 => (to_int(value.ty(), double) == value)
            .then_some(double)
            .ok_or(Inexact),
    }
}

/// A floating number towards zero, clamped into the type as gcc does; zero for a NaN.
pub(crate) fn to_int(ty: IntType, value: f64) -> IntValue {
    if value < 0.0 {
        let min = ty.min().to_i128().unwrap_or(0);
        return IntValue::wrap(ty, (value as i128).max(min));
    }
    IntValue::from_bits(ty, (value as u128).min(ty.max().bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_once_or_refuses() {
        assert_eq!(add(FloatKind::Double, 0.1, 0.2), Ok(0.1 + 0.2));
        assert_eq!(add(FloatKind::LongDouble, 0.1, 0.2), Err(Inexact));
        assert_eq!(add(FloatKind::LongDouble, 0.5, 0.25), Ok(0.75));
        assert_eq!(mul(FloatKind::LongDouble, 0.1, 0.1), Err(Inexact));
        assert_eq!(mul(FloatKind::LongDouble, 3.0, 0.5), Ok(1.5));
        assert_eq!(div(FloatKind::LongDouble, 1.0, 3.0), Err(Inexact));
        assert_eq!(div(FloatKind::LongDouble, 1.0, 4.0), Ok(0.25));
        assert_eq!(div(FloatKind::Double, 1.0, 0.0), Ok(f64::INFINITY));
        assert_eq!(mul(FloatKind::LongDouble, 1e-200, 1e-200), Err(Inexact));
        let sum = add(FloatKind::Float, f64::from(0.1f32), f64::from(0.2f32));
        assert_eq!(sum, Ok(f64::from(0.1f32 + 0.2f32)));
    }

    #[test]
    fn converts_and_clamps() {
        let (i8, u8) = (IntType::signed(8), IntType::U8);
        for (ty, value, expected) in [
            (i8, -128.9, -128),
            (i8, -129.0, -128),
            (i8, 127.9, 127),
            (i8, 128.0, 127),
            (u8, -0.9, 0),
            (u8, -1.0, 0),
            (u8, 1e300, 255),
            (i8, f64::NAN, 0),
        ] {
            assert_eq!(to_int(ty, value).to_i128(), Some(expected), "{value}");
        }
        let big = IntValue::wrap(IntType::I64, (1 << 53) + 1);
        assert_eq!(from_int(FloatKind::LongDouble, big), Err(Inexact));
        assert_eq!(from_int(FloatKind::Double, big), Ok(9007199254740992.0));
    }
}
