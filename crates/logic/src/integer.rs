//! Exact integers: an `i64` as long as it fits, otherwise a big integer.
//!
//! # Invariants
//! - A big integer never fits an `i64`, so equal numbers are equal as `Eq` and hash alike.

use crate::IntValue;
use dashu_int::IBig;
use dashu_int::ops::{Abs, Gcd};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};
use std::str::FromStr;

/// An integer of any size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Big(Box<IBig>),
}

impl Integer {
    /// Zero.
    pub const ZERO: Integer = Integer(Repr::Small(0));
    /// One.
    pub const ONE: Integer = Integer(Repr::Small(1));

    /// 2 to the power of `exponent`.
    pub fn power_of_two(exponent: u32) -> Integer {
        if exponent < 63 {
            return Integer::from(1i64 << exponent);
        }
        Integer::of_big(IBig::ONE << exponent as usize)
    }

    fn of_big(value: IBig) -> Integer {
        match i64::try_from(&value) {
            Ok(small) => Integer(Repr::Small(small)),
            Err(_) => Integer(Repr::Big(Box::new(value))),
        }
    }

    fn big(&self) -> IBig {
        match &self.0 {
            Repr::Small(value) => IBig::from(*value),
            Repr::Big(value) => IBig::clone(value),
        }
    }

    /// Whether it is zero.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0))
    }

    /// Whether it is one.
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Repr::Small(1))
    }

    /// -1, 0 or 1.
    #[inline]
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Small(value) => value.signum() as i32,
            Repr::Big(value) if **value < IBig::ZERO => -1,
            Repr::Big(_) => 1,
        }
    }

    /// Its distance from zero.
    pub fn abs(&self) -> Integer {
        if self.signum() < 0 {
            -self
        } else {
            self.clone()
        }
    }

    /// Its value, if it fits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Small(value) => Some(value),
            Repr::Big(_) => None,
        }
    }

    /// Its value, if it fits.
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Repr::Small(value) => Some(i128::from(*value)),
            Repr::Big(value) => i128::try_from(&**value).ok(),
        }
    }

    /// The quotient rounded down; the divisor is not zero.
    pub fn div_floor(&self, divisor: &Integer) -> Integer {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &divisor.0)
            && let Some(quotient) = a.checked_div(*b)
        {
            let exact = quotient * b == *a;
            let negative = (*a < 0) != (*b < 0);
            return Integer::from(quotient - i64::from(!exact && negative));
        }
        let (a, b) = (self.big(), divisor.big());
        let (quotient, remainder) = (&a / &b, &a % &b);
        let negative = (a < IBig::ZERO) != (b < IBig::ZERO);
        let down = remainder != IBig::ZERO && negative;
        Integer::of_big(if down { quotient - IBig::ONE } else { quotient })
    }

    /// What [`div_floor`](Self::div_floor) leaves: of the divisor's sign, or zero.
    pub fn mod_floor(&self, divisor: &Integer) -> Integer {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &divisor.0)
            && let Some(rest) = a.checked_rem(*b)
        {
            let wrong_side = rest != 0 && (rest < 0) != (*b < 0);
            return Integer::from(if wrong_side { rest + b } else { rest });
        }
        self - &(&self.div_floor(divisor) * divisor)
    }

    /// The quotient rounded up; the divisor is not zero.
    pub fn div_ceil(&self, divisor: &Integer) -> Integer {
        -&(-self).div_floor(divisor)
    }

    /// The greatest common divisor, not negative.
    pub fn gcd(&self, other: &Integer) -> Integer {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => {
                Integer::from(i128::from(small_gcd(a.unsigned_abs(), b.unsigned_abs())))
            }
            (Repr::Small(0), Repr::Big(_)) => other.abs(),
            (Repr::Big(_), Repr::Small(0)) => self.abs(),
            (Repr::Small(_) | Repr::Big(_), _) => {
                let (a, b) = (self.big().abs(), other.big().abs());
                Integer::of_big(IBig::from(a.gcd(b)))
            }
        }
    }

    /// The least common multiple, not negative.
    pub fn lcm(&self, other: &Integer) -> Integer {
        if self.is_zero() || other.is_zero() {
            return Integer::ZERO;
        }
        (&self.div_floor(&self.gcd(other)) * other).abs()
    }

    /// What times this is one modulo a modulus above one; `None` if nothing is.
    pub fn inverse_modulo(&self, modulus: &Integer) -> Option<Integer> {
        let (gcd, inverse, _) = self.extended_gcd(modulus);
        gcd.is_one().then(|| inverse.mod_floor(modulus))
    }

    /// The gcd of two numbers, and what to multiply them by to get it as their sum.
    pub fn extended_gcd(&self, other: &Integer) -> (Integer, Integer, Integer) {
        let (mut old, mut new) = (
            (self.clone(), Integer::ONE, Integer::ZERO),
            (other.clone(), Integer::ZERO, Integer::ONE),
        );
        while !new.0.is_zero() {
            let quotient = old.0.div_floor(&new.0);
            let step = |x: &Integer, y: &Integer| x - &(&quotient * y);
            let next = (
                step(&old.0, &new.0),
                step(&old.1, &new.1),
                step(&old.2, &new.2),
            );
            (old, new) = (new, next);
        }
        match old.0.signum() < 0 {
            true => (-&old.0, -&old.1, -&old.2),
            false => old,
        }
    }
}

/// Binary, so without divisions.
pub(crate) fn small_gcd(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        (a, b) = (a.min(b), a.abs_diff(b));
    }
    a << twos
}

impl FromStr for Integer {
    type Err = ();

    /// Reads decimal digits, with a sign or without.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(small) = i64::from_str(text) {
            return Ok(Integer::from(small));
        }
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(());
        }
        IBig::from_str(text).map(Integer::of_big).map_err(|_| ())
    }
}

impl From<i64> for Integer {
    #[inline]
    fn from(value: i64) -> Self {
        Integer(Repr::Small(value))
    }
}

impl From<i128> for Integer {
    fn from(value: i128) -> Self {
        match i64::try_from(value) {
            Ok(small) => Integer::from(small),
            Err(_) => Integer::of_big(IBig::from(value)),
        }
    }
}

impl From<IntValue> for Integer {
    fn from(value: IntValue) -> Self {
        match value.to_i128() {
            Some(value) => Integer::from(value),
            None => Integer::of_big(IBig::from(value.bits())),
        }
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $checked:ident) => {
        impl $trait for &Integer {
            type Output = Integer;
            #[inline]
            fn $method(self, other: &Integer) -> Integer {
                if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
                    && let Some(result) = a.$checked(*b)
                {
                    return Integer::from(result);
                }
                Integer::of_big(match (&self.0, &other.0) {
                    (Repr::Small(a), Repr::Small(b)) => IBig::from(*a).$method(IBig::from(*b)),
                    (Repr::Small(a), Repr::Big(b)) => IBig::from(*a).$method(&**b),
                    (Repr::Big(a), Repr::Small(b)) => (&**a).$method(IBig::from(*b)),
                    (Repr::Big(a), Repr::Big(b)) => (&**a).$method(&**b),
                })
            }
        }
    };
}

operator!(Add, add, checked_add);
operator!(Sub, sub, checked_sub);
operator!(Mul, mul, checked_mul);

impl Neg for &Integer {
    type Output = Integer;
    fn neg(self) -> Integer {
        &Integer::ZERO - self
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            (Repr::Big(a), Repr::Big(b)) => a.cmp(b),
            // A big one is further from zero than any small one.
            (Repr::Small(_), Repr::Big(_)) => 0.cmp(&other.signum()),
            (Repr::Big(_), Repr::Small(_)) => self.signum().cmp(&0),
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(value) => write!(f, "{value}"),
            Repr::Big(value) => write!(f, "{value}"),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide_gcd(a: i128, b: i128) -> i128 {
        if b == 0 { a.abs() } else { wide_gcd(b, a % b) }
    }

    /// Small numbers, and numbers on both sides of the limit, against `i128`.
    #[test]
    fn agrees_with_wide_integers() {
        let limit = i128::from(i64::MAX);
        let mut samples: Vec<i128> = (-7..=7).collect();
        samples.extend([
            limit - 1,
            limit,
            limit + 1,
            -limit - 2,
            -limit - 1,
            3 * limit,
        ]);
        for &a in &samples {
            let x = Integer::from(a);
            assert_eq!(x.to_i128(), Some(a));
            assert_eq!(x.to_string(), a.to_string());
            assert_eq!(a.to_string().parse(), Ok(x.clone()));
            for &b in &samples {
                let y = Integer::from(b);
                assert_eq!((&x + &y).to_i128(), Some(a + b));
                assert_eq!((&x - &y).to_i128(), Some(a - b));
                assert_eq!((&x * &y).to_i128(), a.checked_mul(b));
                assert_eq!(x.cmp(&y), a.cmp(&b));
                if b != 0 {
                    let floor = a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0);
                    assert_eq!(x.div_floor(&y).to_i128(), Some(floor), "{a} {b}");
                    assert_eq!(x.mod_floor(&y).to_i128(), Some(a - floor * b));
                    let ceil = floor + i128::from(a - floor * b != 0);
                    assert_eq!(x.div_ceil(&y).to_i128(), Some(ceil));
                }
                let gcd = wide_gcd(a, b);
                assert_eq!(x.gcd(&y).to_i128(), Some(gcd), "{a} {b}");
                let lcm = if gcd == 0 { 0 } else { (a / gcd).abs() };
                assert_eq!(x.lcm(&y).to_i128(), lcm.checked_mul(b.abs()));
            }
        }
    }

    #[test]
    fn goes_past_128_bits_and_back() {
        let big = Integer::power_of_two(200);
        assert_eq!(big.to_i128(), None);
        assert_eq!(
            big.div_floor(&Integer::power_of_two(199)),
            Integer::from(2i64)
        );
        assert_eq!(&big - &big, Integer::ZERO);
        assert_eq!(
            Integer::power_of_two(64).to_string(),
            "18446744073709551616"
        );
    }

    #[test]
    fn inverts_what_has_no_common_divisor_with_the_modulus() {
        for modulus in 2i64..20 {
            for number in -25i64..25 {
                let (m, n) = (Integer::from(modulus), Integer::from(number));
                let inverse = n.inverse_modulo(&m);
                assert_eq!(inverse.is_some(), n.gcd(&m).is_one());
                if let Some(inverse) = inverse {
                    assert!((&inverse * &n).mod_floor(&m).is_one());
                    assert!(inverse.signum() > 0 && inverse < m);
                }
            }
        }
    }

    #[test]
    fn reads_only_digits() {
        let big: Integer = "-18446744073709551616".parse().expect("digits");
        assert_eq!(big, -&Integer::power_of_two(64));
        for wrong in ["", "-", "1_000", "99999999999999999999_9", "1.5", "x"] {
            assert_eq!(wrong.parse::<Integer>(), Err(()), "{wrong}");
        }
    }
}
