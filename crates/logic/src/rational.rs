//! Exact rational numbers.
//!
//! Numbers whose parts fit a machine word are added and multiplied without big numbers.
//!
//! # Invariants
//! - The denominator is positive and has no common divisor with the numerator, so equal numbers
//!   are equal as `Eq` and hash alike.

use crate::Integer;
use crate::integer::small_gcd;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A quotient of integers.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational {
    numerator: Integer,
    denominator: Integer,
}

impl Rational {
    /// Zero.
    pub const ZERO: Rational = Rational {
        numerator: Integer::ZERO,
        denominator: Integer::ONE,
    };
    /// One.
    pub const ONE: Rational = Rational {
        numerator: Integer::ONE,
        denominator: Integer::ONE,
    };

    /// The quotient of two integers; the second is not zero.
    pub fn new(numerator: impl Into<Integer>, denominator: impl Into<Integer>) -> Rational {
        Rational::reduced(&numerator.into(), &denominator.into())
    }

    fn reduced(numerator: &Integer, denominator: &Integer) -> Rational {
        assert!(!denominator.is_zero(), "a denominator should not be zero");
        let mut gcd = numerator.gcd(denominator);
        if denominator.signum() < 0 {
            gcd = -&gcd;
        }
        if gcd.is_one() {
            return Rational {
                numerator: numerator.clone(),
                denominator: denominator.clone(),
            };
        }
        Rational {
            numerator: numerator.div_floor(&gcd),
            denominator: denominator.div_floor(&gcd),
        }
    }

    /// The same for wide machine words; the denominator is positive.
    fn reduced_wide(numerator: i128, denominator: i128) -> Rational {
        let small = u64::try_from(numerator.unsigned_abs()).ok();
        if let (Some(a), Ok(b)) = (small, u64::try_from(denominator)) {
            let gcd = i128::from(small_gcd(a, b));
            return Rational {
                numerator: Integer::from(numerator / gcd),
                denominator: Integer::from(denominator / gcd),
            };
        }
        Rational::reduced(&Integer::from(numerator), &Integer::from(denominator))
    }

    /// The number above the line, with the sign.
    #[inline]
    pub fn numerator(&self) -> &Integer {
        &self.numerator
    }

    /// The number below the line, positive.
    #[inline]
    pub fn denominator(&self) -> &Integer {
        &self.denominator
    }

    /// Whether it is zero.
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// Whether it is one.
    #[inline]
    pub fn is_one(&self) -> bool {
        self.numerator.is_one() && self.denominator.is_one()
    }

    /// Whether it is an integer.
    #[inline]
    pub fn is_integer(&self) -> bool {
        self.denominator.is_one()
    }

    /// The integer, if it is one.
    pub fn to_integer(&self) -> Option<&Integer> {
        self.is_integer().then_some(&self.numerator)
    }

    /// -1, 0 or 1.
    #[inline]
    pub fn signum(&self) -> i32 {
        self.numerator.signum()
    }

    /// Its distance from zero.
    pub fn abs(&self) -> Rational {
        Rational {
            numerator: self.numerator.abs(),
            denominator: self.denominator.clone(),
        }
    }

    /// The greatest integer that is not above it.
    pub fn floor(&self) -> Integer {
        if self.is_integer() {
            return self.numerator.clone();
        }
        self.numerator.div_floor(&self.denominator)
    }

    /// The least integer that is not below it.
    pub fn ceil(&self) -> Integer {
        if self.is_integer() {
            return self.numerator.clone();
        }
        self.numerator.div_ceil(&self.denominator)
    }

    /// One divided by it; it is not zero.
    pub fn inverse(&self) -> Rational {
        assert!(!self.is_zero(), "zero should not be inverted");
        if self.signum() < 0 {
            return Rational {
                numerator: -&self.denominator,
                denominator: -&self.numerator,
            };
        }
        Rational {
            numerator: self.denominator.clone(),
            denominator: self.numerator.clone(),
        }
    }

    /// Both parts, if they are machine words.
    #[inline]
    fn words(&self) -> Option<(i128, i128)> {
        let numerator = self.numerator.to_i64()?;
        let denominator = self.denominator.to_i64()?;
        Some((i128::from(numerator), i128::from(denominator)))
    }

    /// The sum, or the difference if `sign` is -1.
    fn plus(&self, sign: i64, other: &Rational) -> Rational {
        if self.denominator.is_one() && other.denominator.is_one() {
            let (a, b) = (&self.numerator, &other.numerator);
            return Rational::from(if sign < 0 { a - b } else { a + b });
        }
        if let (Some((a, b)), Some((c, d))) = (self.words(), other.words()) {
            // Products of words stay below 2^126, so their sum below 2^127.
            return Rational::reduced_wide(a * d + i128::from(sign) * c * b, b * d);
        }
        let crossed = &Integer::from(sign) * &(&other.numerator * &self.denominator);
        let numerator = &(&self.numerator * &other.denominator) + &crossed;
        Rational::reduced(&numerator, &(&self.denominator * &other.denominator))
    }
}

impl Default for Rational {
    fn default() -> Self {
        Rational::ZERO
    }
}

impl From<Integer> for Rational {
    #[inline]
    fn from(value: Integer) -> Self {
        Rational {
            numerator: value,
            denominator: Integer::ONE,
        }
    }
}

impl From<&Integer> for Rational {
    #[inline]
    fn from(value: &Integer) -> Self {
        Rational::from(value.clone())
    }
}

impl From<i64> for Rational {
    #[inline]
    fn from(value: i64) -> Self {
        Rational::from(Integer::from(value))
    }
}

impl Add for &Rational {
    type Output = Rational;
    fn add(self, other: &Rational) -> Rational {
        self.plus(1, other)
    }
}

impl Sub for &Rational {
    type Output = Rational;
    fn sub(self, other: &Rational) -> Rational {
        self.plus(-1, other)
    }
}

impl Mul for &Rational {
    type Output = Rational;
    fn mul(self, other: &Rational) -> Rational {
        if self.denominator.is_one() && other.denominator.is_one() {
            return Rational::from(&self.numerator * &other.numerator);
        }
        if let (Some((a, b)), Some((c, d))) = (self.words(), other.words()) {
            return Rational::reduced_wide(a * c, b * d);
        }
        Rational::reduced(
            &(&self.numerator * &other.numerator),
            &(&self.denominator * &other.denominator),
        )
    }
}

impl Div for &Rational {
    type Output = Rational;
    fn div(self, other: &Rational) -> Rational {
        self.mul(&other.inverse())
    }
}

impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        Rational {
            numerator: -&self.numerator,
            denominator: self.denominator.clone(),
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.denominator == other.denominator {
            return self.numerator.cmp(&other.numerator);
        }
        if let (Some((a, b)), Some((c, d))) = (self.words(), other.words()) {
            return (a * d).cmp(&(c * b));
        }
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_integer() {
            return write!(f, "{}", self.numerator);
        }
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fraction that is not reduced, in wide words.
    type Wide = (i128, i128);

    fn check(number: &Rational, (p, q): Wide) {
        let (a, b) = (number.numerator.to_i128(), number.denominator.to_i128());
        let (Some(a), Some(b)) = (a, b) else {
            panic!("{number} should be a word");
        };
        assert!(b > 0 && number.numerator.gcd(&number.denominator).is_one());
        assert_eq!(a * q, p * b, "{number} should be {p}/{q}");
    }

    #[test]
    fn agrees_with_fractions_of_wide_integers() {
        let large = i128::from(i32::MAX) + 7;
        let numerators = [-large, -6, -3, -1, 0, 1, 2, 4, 9, large - 1];
        let denominators = [-large, -4, -1, 1, 2, 3, 6, large - 3];
        let mut all: Vec<(Rational, Wide)> = Vec::new();
        for p in numerators {
            for q in denominators {
                let number = Rational::new(p, q);
                check(&number, (p, q));
                all.push((number, if q < 0 { (-p, -q) } else { (p, q) }));
            }
        }
        for (x, (a, b)) in &all {
            let (a, b) = (*a, *b);
            assert_eq!(x.floor().to_i128(), Some(a.div_euclid(b)));
            assert_eq!(x.ceil().to_i128(), Some(-(-a).div_euclid(b)));
            assert_eq!(x.is_integer(), a % b == 0);
            assert_eq!(i128::from(x.signum()), a.signum());
            for (y, (c, d)) in &all {
                let (c, d) = (*c, *d);
                // Products of four such words could pass 2^127, so compare quotients one by one.
                let sum = x + y;
                assert_eq!(sum, Rational::new(a * d + c * b, b * d));
                assert_eq!(x - y, Rational::new(a * d - c * b, b * d));
                assert_eq!(x * y, Rational::new(a * c, b * d));
                assert_eq!(x.cmp(y), (a * d).cmp(&(c * b)));
                assert_eq!(&sum - y, *x);
                if c != 0 {
                    assert_eq!(x / y, Rational::new(a * d, b * c));
                    assert_eq!(&(x / y) * y, *x);
                }
            }
        }
    }

    #[test]
    fn goes_past_words_and_back() {
        let big = Rational::from(Integer::power_of_two(100));
        let third = Rational::new(1i64, 3i64);
        let sum = &big + &third;
        assert_eq!(&sum - &big, third);
        assert_eq!(&(&sum / &big) * &big, sum);
        assert_eq!(sum.floor(), Integer::power_of_two(100));
        assert!(sum > big && -&sum < -&big);
        let word = Rational::new(i64::MIN, i64::MAX);
        assert_eq!(&(&word + &word) - &word, word);
        assert_eq!(&(&word * &word) / &word, word);
        assert_eq!((&word - &word), Rational::ZERO);
    }

    #[test]
    fn shows_a_line_only_where_there_is_one() {
        assert_eq!(Rational::new(-6i64, 4i64).to_string(), "-3/2");
        assert_eq!(Rational::new(6i64, -3i64).to_string(), "-2");
        assert_eq!(Rational::new(0i64, -3i64), Rational::ZERO);
    }
}
