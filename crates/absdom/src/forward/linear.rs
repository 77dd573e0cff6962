//! Linear forms over variables, with an interval for the non-linear rest.
//!
//! `Σ aᵢ·xᵢ + c` for some `c` between `low` and `high`: what an expression is equal to in a state.

use crate::modular::{Equality, Residue};
use crate::value::{INFINITE, Value, add_high, add_low, clamp};
use program::ir::VarId;

/// Coefficients above this are not kept.
const LARGEST: i128 = 1 << 62;

/// A linear form; the terms are in order, their factors not zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Linear {
    pub(super) terms: Vec<(VarId, i128)>,
    pub(super) low: i128,
    pub(super) high: i128,
}

impl Linear {
    /// Any of the values, unrelated to the variables.
    pub(super) fn of_value(value: &Value) -> Self {
        Linear {
            terms: Vec::new(),
            low: value.low(),
            high: value.high(),
        }
    }

    pub(super) fn var(var: VarId) -> Self {
        Linear {
            terms: vec![(var, 1)],
            low: 0,
            high: 0,
        }
    }

    /// `self + other · factor`; `None` where numbers get too large.
    pub(super) fn plus(&self, other: &Linear, factor: i128) -> Option<Linear> {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let next = match (left.peek(), right.peek()) {
                (Some(&&a), Some(&&b)) if a.0 == b.0 => {
                    left.next();
                    right.next();
                    (a.0, a.1.checked_add(b.1.checked_mul(factor)?)?)
                }
                (a, Some(&&b)) if a.is_none_or(|a| b.0 < a.0) => {
                    right.next();
                    (b.0, b.1.checked_mul(factor)?)
                }
                (Some(&&a), _) => {
                    left.next();
                    a
                }
                (None, _) => break,
            };
            if next.1.abs() > LARGEST {
                return None;
            }
            if next.1 != 0 {
                terms.push(next);
            }
        }
        let rest = other.constant().scale(factor);
        Some(Linear {
            terms,
            low: add_low(self.low, rest.low()),
            high: add_high(self.high, rest.high()),
        })
    }

    /// `self · factor`.
    pub(super) fn times(&self, factor: i128) -> Option<Linear> {
        let zero = Linear::of_value(&Value::point(0));
        zero.plus(self, factor)
    }

    /// `self + amount`.
    pub(super) fn moved(mut self, amount: i128) -> Linear {
        self.low = add_low(self.low, amount);
        self.high = add_high(self.high, amount);
        self
    }

    /// What is added to the terms.
    pub(super) fn constant(&self) -> Value {
        Value::interval(self.low, self.high).unwrap_or(Value::ANY)
    }

    pub(super) fn of_equality(equality: &Equality) -> Self {
        let terms = equality.terms.iter();
        Linear {
            terms: terms
                .map(|&(var, factor)| (var, i128::from(factor)))
                .collect(),
            low: i128::from(equality.constant),
            high: i128::from(equality.constant),
        }
    }

    /// The same modulo 2^64, if the constant is known.
    pub(super) fn residue(&self) -> Residue {
        let is_known = self.low == self.high && self.low.abs() < INFINITE;
        let terms = self.terms.iter().map(|&(var, factor)| (var, factor as u64));
        Residue {
            terms: terms.collect(),
            constant: self.low as u64,
            bits: if is_known { 64 } else { 0 },
        }
    }

    /// Without the term of a variable, and its factor.
    pub(super) fn without(&self, index: usize) -> (Linear, VarId, i128) {
        let mut rest = self.clone();
        let (var, factor) = rest.terms.remove(index);
        (rest, var, factor)
    }
}

/// `bound / divisor` rounded down; infinite stays.
pub(super) fn floor_bound(bound: i128, divisor: i128) -> i128 {
    if bound.abs() >= INFINITE {
        return bound;
    }
    clamp(bound.div_euclid(divisor))
}
