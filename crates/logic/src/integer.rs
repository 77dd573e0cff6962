//! Exact integers: an `i64` as long as it fits, else a big one.
//!
//! # Invariants
//! - A big one never fits an `i64`, so equal numbers are equal as `Eq` and hash alike.

use crate::IntValue;
use dashu_int::IBig;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

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
    pub fn is_zero(&self) -> bool {
        *self == Integer::ZERO
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match self.cmp(&Integer::ZERO) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
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
        self - &(&self.div_floor(divisor) * divisor)
    }

    /// The quotient rounded up; the divisor is not zero.
    pub fn div_ceil(&self, divisor: &Integer) -> Integer {
        -&(-self).div_floor(divisor)
    }

    /// The greatest common divisor, not negative.
    pub fn gcd(&self, other: &Integer) -> Integer {
        let (mut a, mut b) = (self.abs(), other.abs());
        while !b.is_zero() {
            let rest = a.mod_floor(&b);
            (a, b) = (b, rest);
        }
        a
    }
}

impl From<i64> for Integer {
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
            fn $method(self, other: &Integer) -> Integer {
                if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
                    && let Some(result) = a.$checked(*b)
                {
                    return Integer::from(result);
                }
                Integer::of_big(self.big().$method(other.big()))
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
            (Repr::Small(_) | Repr::Big(_), _) => self.big().cmp(&other.big()),
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
                let gcd = x.gcd(&y);
                for part in [&x, &y] {
                    assert!(gcd.is_zero() || part.mod_floor(&gcd).is_zero());
                }
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
}
