//! Linear expressions over the variables of the prover.
//!
//! # Invariants
//! - The parts are sorted by variable and none has the coefficient zero.

use base::define_id;
use logic::{Integer, Rational};
use std::cmp::Ordering;

define_id! {
    /// A number that the prover reasons about: a symbol, an application, a quotient, a choice, or
    /// a linear form that has bounds.
    VarId = "x";
}

/// A constant and multiples of variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Linear {
    /// The constant.
    pub constant: Rational,
    /// The variables with their coefficients.
    pub parts: Vec<(VarId, Rational)>,
}

impl Linear {
    /// A constant.
    pub fn of_constant(constant: Rational) -> Linear {
        Linear {
            constant,
            parts: Vec::new(),
        }
    }

    /// A variable.
    pub fn of_var(var: VarId) -> Linear {
        Linear {
            constant: Rational::ZERO,
            parts: vec![(var, Rational::ONE)],
        }
    }

    /// The coefficient of a variable.
    pub fn coefficient(&self, var: VarId) -> Option<&Rational> {
        let at = self.parts.binary_search_by_key(&var, |part| part.0).ok()?;
        Some(&self.parts[at].1)
    }

    /// Adds a multiple of another expression.
    pub fn add_multiple(&mut self, factor: &Rational, other: &Linear) {
        if factor.is_zero() {
            return;
        }
        self.constant = &self.constant + &(factor * &other.constant);
        add_multiple(&mut self.parts, factor, &other.parts);
    }

    /// Multiplies by a number.
    pub fn scale(&mut self, factor: &Rational) {
        self.constant = factor * &self.constant;
        for (_, coefficient) in &mut self.parts {
            *coefficient = factor * coefficient;
        }
        self.parts.retain(|(_, coefficient)| !coefficient.is_zero());
    }

    /// The positive number that makes the coefficients whole and without a common divisor; one for
    /// a constant.
    pub fn normaliser(&self) -> Rational {
        let (mut numerators, mut denominators) = (Integer::ZERO, Integer::ONE);
        for (_, coefficient) in &self.parts {
            numerators = numerators.gcd(coefficient.numerator());
            denominators = denominators.lcm(coefficient.denominator());
        }
        if numerators.is_zero() {
            return Rational::ONE;
        }
        Rational::new(denominators, numerators)
    }
}

/// Adds a multiple of sorted parts to sorted parts.
pub(crate) fn add_multiple(
    parts: &mut Vec<(VarId, Rational)>,
    factor: &Rational,
    other: &[(VarId, Rational)],
) {
    let mut merged = Vec::with_capacity(parts.len() + other.len());
    let mut mine = std::mem::take(parts).into_iter().peekable();
    for (var, coefficient) in other {
        while let Some(part) = mine.next_if(|part| part.0 < *var) {
            merged.push(part);
        }
        let added = factor * coefficient;
        let sum = match mine.peek().map(|part| part.0.cmp(var)) {
            Some(Ordering::Equal) => {
                let (_, old) = mine.next().expect("a part was just seen");
                &old + &added
            }
            _ => added,
        };
        if !sum.is_zero() {
            merged.push((*var, sum));
        }
    }
    merged.extend(mine);
    *parts = merged;
}
