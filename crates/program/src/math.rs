//! Functions of `<math.h>` whose value IEEE 754 defines to the last bit.
//!
//! Those that are only accurate to some bits (`sin`, `pow`, …) are not here: their results depend
//! on the library. Rounding is to nearest, ties to even, the initial mode of a program.

use crate::expr::{Constant, FloatType, Type};
use base::named_enum;
use logic::{IntType, IntValue};

named_enum! {
    /// A function on floating-point numbers. `name` and `of_name` are of the one on `float`;
    /// [`name_on`](Math::name_on) is C's name on a format.
    #[allow(missing_docs, reason = "the names are C's")]
    pub enum Math {
        Fabs = "fabsf",
        Ceil = "ceilf",
        Floor = "floorf",
        Trunc = "truncf",
        Round = "roundf",
        Rint = "rintf",
        Sqrt = "sqrtf",
        Fmin = "fminf",
        Fmax = "fmaxf",
        Fdim = "fdimf",
        Fmod = "fmodf",
        Remainder = "remainderf",
        Copysign = "copysignf",
        Fma = "fmaf",
        Isnan = "isnanf",
        /// The sign of an infinity, otherwise zero.
        Isinf = "isinff",
        Isfinite = "isfinitef",
        Isnormal = "isnormalf",
        Signbit = "signbitf",
        /// As glibc numbers the classes.
        Fpclassify = "fpclassifyf",
    }
}

impl Math {
    /// Its name in C on a format: on `double` it is without the last letter.
    pub fn name_on(self, format: FloatType) -> &'static str {
        match format {
            FloatType::F32 => self.name(),
            FloatType::F64 => self.name().strip_suffix('f').unwrap_or_default(),
        }
    }

    /// How many numbers it takes.
    pub fn operands(self) -> usize {
        use Math::*;
        match self {
            Fma => 3,
            Fmin | Fmax | Fdim | Fmod | Remainder | Copysign => 2,
            Fabs | Ceil | Floor | Trunc | Round | Rint | Sqrt | Isnan | Isinf | Isfinite
            | Isnormal | Signbit | Fpclassify => 1,
        }
    }

    /// What it returns on a format.
    pub fn result(self, format: FloatType) -> Type {
        match self.is_test() {
            true => Type::I32,
            false => Type::Float(format),
        }
    }

    /// Whether it says something about a number rather than making one.
    fn is_test(self) -> bool {
        use Math::*;
        match self {
            Isnan | Isinf | Isfinite | Isnormal | Signbit | Fpclassify => true,
            Fabs | Ceil | Floor | Trunc | Round | Rint | Sqrt | Fmin | Fmax | Fdim | Fmod
            | Remainder | Copysign | Fma => false,
        }
    }

    /// Its value on operands given by their bits, as many as it takes.
    pub fn apply(self, format: FloatType, operands: &[u64]) -> Constant {
        let bits = [0, 1, 2].map(|index| operands.get(index).copied().unwrap_or(0));
        let singles = bits.map(|bits| f32::from_bits(bits as u32));
        let numbers = bits.map(|bits| format.number(bits));
        let is_normal = match format {
            FloatType::F32 => singles[0].is_normal(),
            FloatType::F64 => numbers[0].is_normal(),
        };
        let value = match (self, format, singles) {
            // This rounds once, in the format itself.
            (Math::Fma, FloatType::F32, [x, y, z]) => Ok(x.mul_add(y, z).into()),
            _ => self.wide(numbers, is_normal),
        };
        value.map_or_else(int, |value| Constant::Float(format, format.rounded(value)))
    }

    /// The number it makes, or what it says about one. A `float` comes here as a `double`, and what is
    /// made of it is rounded again: a difference or a root may be rounded twice (53 >= 2 * 24 + 2
    /// bits), all else is exact. That is not so of `fmaf`, which does not come here.
    fn wide(self, [x, y, z]: [f64; 3], is_normal: bool) -> Result<f64, i32> {
        Ok(match self {
            Math::Fabs => x.abs(),
            Math::Ceil => x.ceil(),
            Math::Floor => x.floor(),
            Math::Trunc => x.trunc(),
            Math::Round => x.round(),
            Math::Rint => x.round_ties_even(),
            Math::Sqrt => x.sqrt(),
            Math::Fmin if x.is_nan() || y <= x => y,
            Math::Fmax if x.is_nan() || y >= x => y,
            Math::Fmin | Math::Fmax => x,
            Math::Fdim if x <= y => 0.0,
            Math::Fdim => x - y,
            Math::Fmod => x % y,
            Math::Remainder => remainder(x, y),
            Math::Copysign => x.copysign(y),
            Math::Fma => x.mul_add(y, z),
            Math::Isnan => return Err(x.is_nan().into()),
            Math::Isinf if x.is_infinite() => return Err(if x > 0.0 { 1 } else { -1 }),
            Math::Isinf => return Err(0),
            Math::Isfinite => return Err(x.is_finite().into()),
            Math::Isnormal => return Err(is_normal.into()),
            Math::Signbit => return Err(x.is_sign_negative().into()),
            Math::Fpclassify if x.is_nan() => return Err(0),
            Math::Fpclassify if x.is_infinite() => return Err(1),
            Math::Fpclassify if x == 0.0 => return Err(2),
            Math::Fpclassify => return Err(if is_normal { 4 } else { 3 }),
        })
    }
}

/// A number as a fraction from 0.5 to 1 and a power of two, exactly; what is not finite, and
/// zero, stays as it is.
pub fn frexp(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    // A subnormal number is made normal first.
    let (x, shift) = match x.is_normal() {
        true => (x, 0),
        false => (x * 2f64.powi(64), 64),
    };
    let exponent = (x.to_bits() >> 52 & 0x7ff) as i32 - 1022;
    let fraction = f64::from_bits(x.to_bits() & !(0x7ff << 52) | 1022 << 52);
    (fraction, exponent - shift)
}

fn int(number: i32) -> Constant {
    Constant::Int(IntValue::wrap(IntType::I32, number.into()))
}

/// `x - n * y` for the whole number `n` nearest to `x / y`, the even one of two.
fn remainder(x: f64, y: f64) -> f64 {
    if y == 0.0 || !x.is_finite() || y.is_nan() {
        return f64::NAN;
    }
    let step = y.abs();
    if step.is_infinite() {
        return x;
    }
    let mut rest = match step <= f64::MAX / 2.0 {
        true => x.abs() % (step + step),
        false => x.abs(),
    };
    // `rest > step / 2` without rounding half of a subnormal number.
    let is_over = |rest: f64| rest > step - rest;
    let is_half = |rest: f64| rest >= step - rest;
    if is_over(rest) {
        rest -= step;
        if rest >= 0.0 && is_half(rest) {
            rest -= step;
        }
    }
    match x.is_sign_negative() {
        true => -rest,
        false => rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(math: Math, operands: &[f64]) -> f64 {
        let bits: Vec<u64> = operands.iter().map(|x| x.to_bits()).collect();
        match math.apply(FloatType::F64, &bits) {
            Constant::Float(FloatType::F64, bits) => f64::from_bits(bits),
            Constant::Int(value) => value.to_i128().unwrap_or(0) as f64,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn values_are_those_of_the_c_library() {
        let (inf, top) = (f64::INFINITY, 2f64.powi(1023));
        let cases: &[(Math, &[f64], f64)] = &[
            (Math::Fabs, &[-3.5], 3.5),
            (Math::Ceil, &[-2.7], -2.0),
            (Math::Floor, &[-2.7], -3.0),
            (Math::Trunc, &[-2.7], -2.0),
            (Math::Round, &[2.5], 3.0),
            (Math::Round, &[-0.5], -1.0),
            (Math::Rint, &[2.5], 2.0),
            (Math::Rint, &[-1.5], -2.0),
            (Math::Sqrt, &[2.0], std::f64::consts::SQRT_2),
            (Math::Fmin, &[f64::NAN, 1.0], 1.0),
            (Math::Fmin, &[1.0, f64::NAN], 1.0),
            (Math::Fmax, &[1.0, 2.0], 2.0),
            (Math::Fdim, &[1.0, 4.0], 0.0),
            (Math::Fdim, &[4.0, 1.0], 3.0),
            (Math::Fmod, &[-7.5, 2.0], -1.5),
            (Math::Remainder, &[5.0, 3.0], -1.0),
            (Math::Remainder, &[-5.0, 3.0], 1.0),
            (Math::Remainder, &[3.0, 2.0], -1.0),
            (Math::Remainder, &[1.0, 2.0], 1.0),
            (Math::Remainder, &[5.0, 2.0], 1.0),
            (Math::Remainder, &[1.0, inf], 1.0),
            (Math::Remainder, &[1.25 * top, top], 0.25 * top),
            (Math::Copysign, &[3.0, -0.0], -3.0),
            (Math::Isnan, &[f64::NAN], 1.0),
            (Math::Isinf, &[-inf], -1.0),
            (Math::Isfinite, &[inf], 0.0),
            (Math::Isnormal, &[5e-324], 0.0),
            (Math::Signbit, &[-0.0], 1.0),
            (Math::Fpclassify, &[5e-324], 3.0),
            (Math::Fpclassify, &[1.0], 4.0),
        ];
        for (math, operands, expected) in cases {
            let value = double(*math, operands);
            assert_eq!(value, *expected, "{math:?} of {operands:?}");
        }
        assert!(double(Math::Fmod, &[1.0, 0.0]).is_nan());
        assert!(double(Math::Fdim, &[f64::NAN, 1.0]).is_nan());
        assert!(double(Math::Fabs, &[-0.0]).is_sign_positive());
    }

    #[test]
    fn remainders_agree_with_their_definition() {
        for a in -40..=40 {
            for b in (-9..=9).filter(|b| *b != 0) {
                let (x, y) = (f64::from(a) / 4.0, f64::from(b) / 4.0);
                let exact = x - (x / y).round_ties_even() * y;
                assert_eq!(double(Math::Remainder, &[x, y]), exact, "{x} by {y}");
            }
        }
    }

    #[test]
    fn a_single_is_normal_by_its_own_format() {
        let tiny = f32::from_bits(1);
        let value = Math::Isnormal.apply(FloatType::F32, &[tiny.to_bits().into()]);
        assert_eq!(value, int(0));
    }

    #[test]
    fn numbers_come_apart_exactly() {
        for x in [8.0, -0.75, 5e-324, f64::MAX, 1.0] {
            let (fraction, exponent) = frexp(x);
            assert!((0.5..1.0).contains(&fraction.abs()), "{x}");
            let half = exponent / 2;
            assert_eq!(fraction * 2f64.powi(half) * 2f64.powi(exponent - half), x);
        }
        assert_eq!(frexp(0.0), (0.0, 0));
    }
}
