//! C's operators on sets of integers.
//!
//! The exact results of an operation come first; [`Value::wrap`] brings them into an unsigned or
//! narrow type, [`Value::defined`] keeps those that a signed type can hold.

use super::{INFINITE, Value, add_high, add_low, clamp, gcd, range};
use logic::IntType;

impl Value {
    /// `a + b`.
    pub(crate) fn add(&self, other: &Value) -> Value {
        let ((m, r), (n, s)) = (self.congruence(), other.congruence());
        let (low, high) = (
            add_low(self.low, other.low),
            add_high(self.high, other.high),
        );
        build(low, high, gcd(m, n), r.checked_add(s))
    }

    /// `-a`.
    pub(crate) fn neg(&self) -> Value {
        build(-self.high, -self.low, self.modulus, Some(-self.rest))
    }

    /// `a - b`.
    pub(crate) fn sub(&self, other: &Value) -> Value {
        self.add(&other.neg())
    }

    /// `a · factor`.
    pub(crate) fn scale(&self, factor: i128) -> Value {
        self.mul(&Value::point(factor))
    }

    /// `a · b`.
    pub(crate) fn mul(&self, other: &Value) -> Value {
        let corners = [
            times(self.low, other.low),
            times(self.low, other.high),
            times(self.high, other.low),
            times(self.high, other.high),
        ];
        let low = corners.into_iter().min().unwrap_or(-INFINITE);
        let high = corners.into_iter().max().unwrap_or(INFINITE);
        // (r + m·i)(s + n·j) = r·s + n·r·j + m·s·i + m·n·i·j
        let ((m, r), (n, s)) = (self.congruence(), other.congruence());
        let class = || {
            let modulus = gcd(gcd(m.checked_mul(n)?, m.checked_mul(s)?), n.checked_mul(r)?);
            Some((modulus, r.checked_mul(s)?))
        };
        match class() {
            Some((modulus, rest)) => build(low, high, modulus, Some(rest)),
            None => build(low, high, 1, Some(0)),
        }
    }

    /// The values of a signed type among these: in a defined run there are no others.
    pub(crate) fn defined(&self, ty: IntType) -> Option<Value> {
        self.meet(&Value::of_type(ty))
    }

    /// The values of a type that are equal to these modulo 2^w.
    pub(crate) fn wrap(&self, ty: IntType) -> Value {
        if self.fits(ty) {
            return *self;
        }
        let (low, high) = range(ty);
        let bits = u32::from(ty.bits);
        let window = (bits < 100).then(|| 1i128 << bits);
        if let Some(window) = window
            && self.low > -INFINITE
            && self.high < INFINITE
        {
            let shift = (self.low - low).div_euclid(window) * window;
            if self.high - shift <= high {
                return build(
                    self.low - shift,
                    self.high - shift,
                    self.modulus,
                    self.rest.checked_sub(shift),
                );
            }
        }
        // What divides the window divides what wrapping takes away.
        let modulus = gcd(self.modulus, window.unwrap_or(1 << 99));
        build(low, high, modulus, Some(self.rest))
    }

    /// `a / b` towards zero; `None` where it is never defined.
    pub(crate) fn div(&self, other: &Value) -> Option<Value> {
        let mut result: Option<Value> = None;
        for (low, high) in parts_without_zero(other) {
            let corners = [low, high].map(|by| [self.low, self.high].map(|it| quotient(it, by)));
            let mut corners = corners.concat();
            if self.low <= 0 && self.high >= 0 {
                corners.push(0);
            }
            let low = corners.iter().copied().min().unwrap_or(-INFINITE);
            let high = corners.iter().copied().max().unwrap_or(INFINITE);
            let part = self.exact_quotient(other, low, high);
            result = Some(result.map_or(part, |result| result.join(&part)));
        }
        result
    }

    /// With the congruence of the quotient where the division leaves no rest.
    fn exact_quotient(&self, divisor: &Value, low: i128, high: i128) -> Value {
        match (divisor.as_point(), self.congruence()) {
            (Some(d), (m, r)) if m > 0 && m % d == 0 && r % d == 0 => {
                build(low, high, (m / d).abs(), Some(r / d))
            }
            _ => build(low, high, 1, Some(0)),
        }
    }

    /// `a % b`, with the sign of `a`; `None` where it is never defined.
    pub(crate) fn rem(&self, other: &Value) -> Option<Value> {
        let largest = other.low.abs().max(other.high.abs());
        if largest == 0 {
            return None;
        }
        if let (Some(a), Some(b)) = (self.as_point(), other.as_point()) {
            return Some(Value::point(a % b));
        }
        if self.is_below(other) {
            return Some(*self);
        }
        let limit = clamp(largest - 1);
        let (low, high) = (self.low.clamp(-limit, 0), self.high.clamp(0, limit));
        let (m, r) = self.congruence();
        let modulus = gcd(m, other.rest);
        let modulus = gcd(modulus, other.modulus);
        Some(build(low, high, modulus.max(1), Some(r)))
    }

    /// Whether `a` is smaller than every divisor `b`, so that `a % b` is `a` itself.
    pub(crate) fn is_below(&self, other: &Value) -> bool {
        let parts = parts_without_zero(other);
        let smallest = parts.iter().map(|&(low, high)| low.abs().min(high.abs()));
        let smallest = smallest.min().unwrap_or(1);
        self.high < smallest && self.low > -smallest
    }

    /// `a & b` of two values of a type.
    pub(crate) fn and(&self, other: &Value, ty: IntType) -> Value {
        if let (Some(a), Some(b)) = (self.as_point(), other.as_point()) {
            return Value::point(a & b);
        }
        let (low, high) = range(ty);
        let (low, high) = match (self.low >= 0, other.low >= 0) {
            (true, true) => (0, self.high.min(other.high)),
            (true, false) => (0, self.high),
            (false, true) => (0, other.high),
            (false, false) => (low, high),
        };
        for (mask, of) in [(other.as_point(), self), (self.as_point(), other)] {
            let Some(mask) = mask else { continue };
            // The low bits that the mask keeps.
            if (0..1 << 90).contains(&mask) && mask & (mask + 1) == 0 {
                let (m, r) = of.congruence();
                if of.low >= 0 && of.high <= mask {
                    return *of;
                }
                return build(low, high, gcd(m, mask + 1), Some(r));
            }
            // The low bits that it clears.
            if mask != 0 {
                let zeros = mask.trailing_zeros().min(90);
                return build(low, high, 1 << zeros, Some(0));
            }
        }
        build(low, high, 1, Some(0))
    }

    /// `a | b` or `a ^ b` of two values of a type: not beyond the bits of the larger.
    pub(crate) fn or_xor(&self, other: &Value, ty: IntType, is_or: bool) -> Value {
        if let (Some(a), Some(b)) = (self.as_point(), other.as_point()) {
            return Value::point(if is_or { a | b } else { a ^ b });
        }
        let (mut low, mut high) = range(ty);
        if self.low >= 0 && other.low >= 0 {
            let most = self.high.max(other.high);
            let bits = 128 - most.leading_zeros();
            high = high.min((1i128 << bits.min(120)) - 1);
            low = if is_or { self.low.max(other.low) } else { 0 };
        }
        // The lowest bits are those of both.
        let parity = |value: &Value| match value.congruence() {
            (0, rest) => Some(rest & 1),
            (modulus, rest) if modulus % 2 == 0 => Some(rest & 1),
            _ => None,
        };
        match (parity(self), parity(other)) {
            (Some(a), Some(b)) => {
                let rest = if is_or { a | b } else { a ^ b };
                build(low, high, 2, Some(rest))
            }
            _ => build(low, high, 1, Some(0)),
        }
    }

    /// `a << amount` before wrapping, for an amount that is one value.
    pub(crate) fn shl(&self, amount: &Value, ty: IntType) -> Value {
        match amount.as_point() {
            Some(amount @ 0..100) => self.scale(1 << amount),
            Some(_) | None => Value::of_type(ty),
        }
    }

    /// `a >> amount`.
    pub(crate) fn shr(&self, amount: &Value, ty: IntType) -> Value {
        match amount.as_point() {
            Some(amount @ 0..128) => {
                let shift = |bound: i128| match bound.abs() {
                    INFINITE => bound,
                    _ => bound >> amount,
                };
                build(shift(self.low), shift(self.high), 1, Some(0))
            }
            Some(_) | None if self.low >= 0 => build(0, self.high, 1, Some(0)),
            Some(_) | None => Value::of_type(ty),
        }
    }
}

/// A value that cannot be empty: its bounds come from elements.
fn build(low: i128, high: i128, modulus: i128, rest: Option<i128>) -> Value {
    let value = match rest {
        Some(rest) => Value::new(low, high, modulus, rest),
        None => Value::new(low, high, 1, 0),
    };
    value.unwrap_or(Value::ANY)
}

/// A product of bounds: zero times infinity is zero.
fn times(a: i128, b: i128) -> i128 {
    clamp(a.saturating_mul(b))
}

/// A quotient of bounds.
fn quotient(a: i128, b: i128) -> i128 {
    match (a.abs() >= INFINITE, b.abs() >= INFINITE) {
        (_, true) if a.abs() < INFINITE => 0,
        (true, _) => a.signum() * b.signum() * INFINITE,
        (_, _) => a / b,
    }
}

/// The negative and the positive part.
fn parts_without_zero(value: &Value) -> Vec<(i128, i128)> {
    let negative = (value.low, value.high.min(-1));
    let positive = (value.low.max(1), value.high);
    [negative, positive]
        .into_iter()
        .filter(|(low, high)| low <= high)
        .collect()
}
