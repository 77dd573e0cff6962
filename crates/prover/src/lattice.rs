//! Equations that no integers meet.
//!
//! Solves the equations one after the other, keeping track of which multiples of which equations
//! a row is. A row whose constant is no multiple of the greatest common divisor of its
//! coefficients has no solution, and its multiples are a proof of that.
//!
//! # Paper
//! [jain2008efficient]: such multiples exist whenever there is no solution, and their partial sums
//! are interpolants.

use crate::linear::{Linear, VarId};
use base::Id;
use logic::{Integer, Rational};
use std::collections::BTreeMap;

/// An equation, or a multiple of several: the expression is zero.
#[derive(Clone, Debug)]
struct Row {
    linear: Linear,
    /// How much of each equation is in it.
    multiples: BTreeMap<usize, Rational>,
}

impl Row {
    fn add(&mut self, factor: &Rational, other: &Row) {
        self.linear.add_multiple(factor, &other.linear);
        for (equation, multiple) in &other.multiples {
            let sum = self.multiples.entry(*equation).or_insert(Rational::ZERO);
            *sum = &*sum + &(factor * multiple);
        }
        self.multiples.retain(|_, multiple| !multiple.is_zero());
    }

    fn scale(&mut self, factor: &Rational) {
        self.linear.scale(factor);
        for multiple in self.multiples.values_mut() {
            *multiple = factor * multiple;
        }
    }
}

/// Multiples of the equations (each an expression with whole coefficients that is zero) that add up
/// to whole coefficients and a constant that is not whole. `fresh` is above all variables.
pub fn contradiction(equations: &[Linear], fresh: VarId) -> Option<BTreeMap<usize, Rational>> {
    let mut solved: Vec<(VarId, Row)> = Vec::new();
    let mut fresh = fresh.index();
    for (number, equation) in equations.iter().enumerate() {
        let mut row = Row {
            linear: equation.clone(),
            multiples: BTreeMap::from([(number, Rational::ONE)]),
        };
        for (var, definition) in &solved {
            eliminate(&mut row, *var, definition);
        }
        while let Some((var, smallest)) = smallest(&row.linear) {
            let gcd = (row.linear.parts.iter())
                .fold(Integer::ZERO, |gcd, (_, it)| gcd.gcd(it.numerator()));
            row.scale(&Rational::new(1i64, gcd.clone()));
            if !row.linear.constant.is_integer() {
                return Some(row.multiples);
            }
            if smallest == gcd {
                solved.push((var, row));
                break;
            }
            // All other coefficients are brought below the smallest, by a new unknown.
            let definition = change(&row.linear, var, VarId::from_index(fresh));
            fresh += 1;
            eliminate(&mut row, var, &definition);
            solved.push((var, definition));
        }
    }
    None
}

/// Takes a variable out of a row by a row in which its coefficient is one or minus one.
fn eliminate(row: &mut Row, var: VarId, definition: &Row) {
    let Some(coefficient) = row.linear.coefficient(var) else {
        return;
    };
    let own = definition.linear.coefficient(var);
    let own = own.expect("a definition should have its variable");
    let factor = -&(coefficient / own);
    row.add(&factor, definition);
}

/// The variable with the smallest coefficient, by its distance from zero.
fn smallest(linear: &Linear) -> Option<(VarId, Integer)> {
    let sizes = linear
        .parts
        .iter()
        .map(|(var, it)| (*var, it.numerator().abs()));
    sizes.min_by(|a, b| a.1.cmp(&b.1))
}

/// `var + sum of quotients of the other coefficients - fresh = 0`, which defines the fresh one.
fn change(linear: &Linear, var: VarId, fresh: VarId) -> Row {
    let own = linear.coefficient(var).expect("the variable should occur");
    let mut definition = Linear::of_var(var);
    for (other, coefficient) in linear.parts.iter().filter(|part| part.0 != var) {
        let quotient = Rational::from((coefficient / own).floor());
        definition.add_multiple(&quotient, &Linear::of_var(*other));
    }
    definition.add_multiple(&Rational::from(-1i64), &Linear::of_var(fresh));
    Row {
        linear: definition,
        multiples: BTreeMap::new(),
    }
}
