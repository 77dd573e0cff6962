//! Sets of integers: an interval together with a congruence.
//!
//! A [`Value`] is `{ v | low ≤ v ≤ high, v ≡ rest (mod modulus) }`. Bounds beyond ±2^120 count as
//! infinite, so that sums of two never overflow. [`arith`] has C's operators.
//!
//! # Invariants
//! - A value is never empty: a possibly empty set is an `Option<Value>`.
//! - `modulus` is 0 for one value (`rest`, which is also both bounds), 1 for no congruence;
//!   otherwise `0 ≤ rest < modulus` and finite bounds are in the class.

mod arith;
#[cfg(test)]
mod tests;

use logic::IntType;

/// From here on a bound is infinite.
pub(crate) const INFINITE: i128 = 1 << 120;

/// Moduli above this are not kept.
const LARGEST_MODULUS: i128 = 1 << 100;

/// A set of integers: an interval and a congruence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Value {
    low: i128,
    high: i128,
    modulus: i128,
    rest: i128,
}

/// A bound, infinite if it is large.
pub(crate) fn clamp(bound: i128) -> i128 {
    bound.clamp(-INFINITE, INFINITE)
}

/// The sum of two lower bounds.
pub(crate) fn add_low(a: i128, b: i128) -> i128 {
    if a <= -INFINITE || b <= -INFINITE {
        -INFINITE
    } else {
        clamp(a + b)
    }
}

/// The sum of two upper bounds.
pub(crate) fn add_high(a: i128, b: i128) -> i128 {
    -add_low(-a, -b)
}

pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Value {
    /// All integers.
    pub(crate) const ANY: Value = Value::between(-INFINITE, INFINITE);

    /// Both truth values.
    pub(crate) const BOOL: Value = Value::between(0, 1);

    /// The integers from one to a larger one.
    const fn between(low: i128, high: i128) -> Value {
        Value {
            low,
            high,
            modulus: 1,
            rest: 0,
        }
    }

    /// One integer; a very large one is not told from others.
    pub(crate) fn point(value: i128) -> Value {
        if value.abs() >= INFINITE {
            return Value::ANY;
        }
        Value {
            low: value,
            high: value,
            modulus: 0,
            rest: value,
        }
    }

    /// An interval.
    pub(crate) fn interval(low: i128, high: i128) -> Option<Value> {
        Value::new(low, high, 1, 0)
    }

    /// The integers of an interval in a residue class.
    pub(crate) fn new(low: i128, high: i128, modulus: i128, rest: i128) -> Option<Value> {
        let (mut low, mut high) = (clamp(low), clamp(high));
        let mut modulus = modulus.abs();
        if modulus == 0 {
            let fits = low <= rest && rest <= high;
            return fits.then(|| Value::point(rest));
        }
        if modulus > LARGEST_MODULUS {
            modulus = 1;
        }
        let rest = rest.rem_euclid(modulus);
        if low > -INFINITE && low < INFINITE {
            low += (rest - low).rem_euclid(modulus);
        }
        if high < INFINITE && high > -INFINITE {
            high -= (high - rest).rem_euclid(modulus);
        }
        if low > high {
            return None;
        }
        if low == high && low.abs() < INFINITE {
            return Some(Value::point(low));
        }
        Some(Value {
            low,
            high,
            modulus,
            rest,
        })
    }

    /// All values of a type.
    pub(crate) fn of_type(ty: IntType) -> Value {
        let (low, high) = range(ty);
        Value::between(low, high)
    }

    /// The least element, `-INFINITE` if there is none.
    pub(crate) fn low(&self) -> i128 {
        self.low
    }

    /// The greatest element, `INFINITE` if there is none.
    pub(crate) fn high(&self) -> i128 {
        self.high
    }

    /// The modulus and the rest: 0 and the value for a single one, 1 and 0 for no congruence.
    pub(crate) fn congruence(&self) -> (i128, i128) {
        (self.modulus, self.rest)
    }

    /// The only element.
    pub(crate) fn as_point(&self) -> Option<i128> {
        (self.modulus == 0).then_some(self.rest)
    }

    /// Whether an integer is an element.
    pub(crate) fn contains(&self, value: i128) -> bool {
        let in_class = match self.modulus {
            0 => value == self.rest,
            modulus => (value - self.rest).rem_euclid(modulus) == 0,
        };
        self.low <= value && value <= self.high && in_class
    }

    /// Whether all elements are values of a type. What has no bound may be beyond any type.
    pub(crate) fn fits(&self, ty: IntType) -> bool {
        let (low, high) = range(ty);
        let is_bounded = -INFINITE < self.low && self.high < INFINITE;
        is_bounded && low <= self.low && self.high <= high
    }

    /// Whether all elements are in the other.
    pub(crate) fn is_subset(&self, other: &Value) -> bool {
        let classes = match (self.modulus, other.modulus) {
            (0, _) => return other.contains(self.rest),
            (_, 0) => false,
            (ours, theirs) => ours % theirs == 0 && (self.rest - other.rest) % theirs == 0,
        };
        classes && other.low <= self.low && self.high <= other.high
    }

    /// What is in both.
    pub(crate) fn meet(&self, other: &Value) -> Option<Value> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        let (modulus, rest) = meet_classes(self.congruence(), other.congruence())?;
        Value::new(low, high, modulus, rest)
    }

    /// A value that holds both.
    pub(crate) fn join(&self, other: &Value) -> Value {
        let (modulus, rest) = join_classes(self.congruence(), other.congruence());
        let (low, high) = (self.low.min(other.low), self.high.max(other.high));
        Value::new(low, high, modulus, rest).unwrap_or(Value::ANY)
    }

    /// A value that holds both; a bound that grew goes to the next of the thresholds (in order),
    /// or to the end of `limit`.
    pub(crate) fn widen(&self, new: &Value, thresholds: &[i128], limit: &Value) -> Value {
        let (modulus, rest) = join_classes(self.congruence(), new.congruence());
        let low = if new.low >= self.low {
            self.low
        } else {
            let below = thresholds.partition_point(|&at| at <= new.low);
            let next = thresholds[..below].last().copied();
            next.unwrap_or(-INFINITE).max(limit.low.min(new.low))
        };
        let high = if new.high <= self.high {
            self.high
        } else {
            let next = thresholds.partition_point(|&at| at < new.high);
            let next = thresholds.get(next).copied();
            next.unwrap_or(INFINITE).min(limit.high.max(new.high))
        };
        Value::new(low, high, modulus, rest).unwrap_or(Value::ANY)
    }
}

/// The least and the greatest value of a type.
pub(crate) fn range(ty: IntType) -> (i128, i128) {
    let bits = u32::from(ty.bits);
    match (ty.signed, bits) {
        (true, 121..) => (-INFINITE, INFINITE),
        (false, 120..) => (0, INFINITE),
        (true, bits) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        (false, bits) => (0, (1 << bits) - 1),
    }
}

/// The smallest class that holds two.
pub(crate) fn join_classes(a: (i128, i128), b: (i128, i128)) -> (i128, i128) {
    let apart = a.1.checked_sub(b.1).map_or(1, i128::abs);
    let modulus = gcd(gcd(a.0, b.0), apart);
    match modulus {
        0 => a,
        modulus => (modulus, a.1.rem_euclid(modulus)),
    }
}

/// The class of what is in both.
fn meet_classes(a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    let ((m, r), (n, s)) = (a, b);
    match (m, n) {
        (0, 0) => (r == s).then_some(a),
        (0, _) => ((r - s) % n == 0).then_some(a),
        (_, 0) => ((r - s) % m == 0).then_some(b),
        (1, _) => Some(b),
        (_, 1) => Some(a),
        (m, n) => {
            let common = gcd(m, n);
            if (r - s) % common != 0 {
                return None;
            }
            // r + m·k ≡ s (mod n), where k is needed modulo n / common.
            let step = n / common;
            let solved = || {
                let lcm = m.checked_mul(step).filter(|&lcm| lcm <= LARGEST_MODULUS)?;
                let inverse = inverse((m / common).rem_euclid(step), step)?;
                let k = ((s - r) / common).rem_euclid(step).checked_mul(inverse)?;
                let rest = m.checked_mul(k.rem_euclid(step))?.checked_add(r)?;
                Some((lcm, rest.rem_euclid(lcm)))
            };
            Some(solved().unwrap_or(if m >= n { a } else { b }))
        }
    }
}

/// The inverse modulo `modulus` of a number that has one.
pub(crate) fn inverse(a: i128, modulus: i128) -> Option<i128> {
    if modulus == 1 {
        return Some(0);
    }
    let (mut old, mut new) = ((a, 1i128), (modulus, 0i128));
    while new.0 != 0 {
        let quotient = old.0 / new.0;
        let next = (
            old.0 - quotient * new.0,
            old.1.checked_sub(quotient.checked_mul(new.1)?)?,
        );
        (old, new) = (new, next);
    }
    (old.0 == 1).then(|| old.1.rem_euclid(modulus))
}
