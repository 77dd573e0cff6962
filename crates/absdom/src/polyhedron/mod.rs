//! Closed convex polyhedra over the rationals, exactly.
//!
//! A polyhedron is given by rows. When an operation needs generators, both descriptions are made
//! minimal and kept ([`cone`]). Every operation takes an [`Effort`]: where it does not suffice, the
//! result is a larger polyhedron, and a question is answered as if nothing were known.
//!
//! # Paper
//! The widening is the one of [cousot1978automatic]: what stays of the first polyhedron are the
//! rows that hold in the second, and the rows of the second that say the same in the first.
//!
//! # Invariants
//! - `rows` describes the polyhedron, `pair` describes the same one.
//! - Vectors have the constant, or the divisor of a point, at the first place.

mod cone;
mod describe;
mod operate;
#[cfg(test)]
mod tests;

pub use cone::Effort;

use crate::optimum::{Dictionary, Optimum, Start};
use crate::row::{Kind, Row, to_formula};
use crate::vector::{Vector, unit};
use cone::System;
use describe::Pair;
use logic::{Integer, Rational, TermId, TermStore};
use std::sync::OnceLock;

/// A closed convex polyhedron.
#[derive(Clone)]
pub struct Polyhedron {
    dimension: usize,
    rows: Vec<Row>,
    /// Both descriptions, minimal; none if that took too long.
    pair: OnceLock<Pair>,
}

/// What generates a polyhedron.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Generator {
    /// A point of it.
    Point(Vec<Rational>),
    /// A direction in which it has no end.
    Ray(Vec<Integer>),
    /// A direction in which it has no end either way.
    Line(Vec<Integer>),
}

/// The values of a sum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Range {
    /// There are none.
    Empty,
    /// From the least, if there is one and it is known, to the greatest.
    Between(Option<Rational>, Option<Rational>),
}

impl Polyhedron {
    /// The whole space.
    pub fn universe(dimension: usize) -> Polyhedron {
        Polyhedron::of_rows(dimension, Vec::new())
    }

    /// The empty polyhedron.
    pub fn empty(dimension: usize) -> Polyhedron {
        Polyhedron::of_pair(dimension, Pair::empty(dimension))
    }

    /// Where some rows hold.
    pub fn of_rows(dimension: usize, rows: impl IntoIterator<Item = Row>) -> Polyhedron {
        let rows = rows.into_iter().inspect(|row| {
            debug_assert_eq!(
                row.dimension(),
                dimension,
                "a row should have all dimensions"
            );
        });
        let mut rows: Vec<Row> = (rows.map(|row| row.normal()))
            .filter(|row| !row.is_trivial())
            .collect();
        if rows.iter().any(Row::is_contradiction) {
            return Polyhedron::empty(dimension);
        }
        rows.sort();
        rows.dedup();
        Polyhedron {
            dimension,
            rows,
            pair: OnceLock::new(),
        }
    }

    /// The convex hull of points, with directions in which it has no end.
    pub fn of_generators(
        dimension: usize,
        generators: &[Generator],
        effort: &Effort,
    ) -> Polyhedron {
        let system = describe::system_of(generators);
        if !system.rays.iter().any(|ray| ray[0].signum() > 0) {
            return Polyhedron::empty(dimension);
        }
        Polyhedron::of_system(dimension, &system, effort)
    }

    fn of_pair(dimension: usize, pair: Pair) -> Polyhedron {
        Polyhedron {
            dimension,
            rows: pair.rows(),
            pair: OnceLock::from(pair),
        }
    }

    /// How many dimensions there are.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Rows that describe it, as they are now; see [`minimised`](Self::minimised).
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// That the values of terms, one for each dimension, are in it.
    pub fn to_formula(&self, store: &mut TermStore, terms: &[TermId]) -> TermId {
        to_formula(&self.rows, store, terms)
    }

    /// The same polyhedron without redundant rows; its equalities are in echelon form, and their
    /// pivots in no other row.
    pub fn minimised(mut self, effort: &Effort) -> Polyhedron {
        if let Some(pair) = self.pair(effort) {
            self.rows = pair.rows();
        }
        self
    }

    /// Its generators, if it does not take too long to find them.
    pub fn generators(&self, effort: &Effort) -> Option<Vec<Generator>> {
        self.pair(effort).map(Pair::generators)
    }

    /// Whether it has no point; false if that takes too long to see.
    pub fn is_empty(&self, effort: &Effort) -> bool {
        if let Some(pair) = self.pair.get() {
            return pair.is_empty();
        }
        match Dictionary::of(self.dimension, &self.rows, &effort.budget) {
            Start::Inconsistent => true,
            Start::Consistent(_) | Start::Unknown => false,
        }
    }

    /// Whether a point is in it.
    pub fn contains(&self, point: &[Rational]) -> bool {
        self.rows.iter().all(|row| row.holds(point))
    }

    /// Whether a point of integers is in it.
    pub fn contains_at(&self, point: &[Integer]) -> bool {
        self.rows.iter().all(|row| row.holds_at(point))
    }

    /// The values of `coefficients·x` in it.
    pub fn range(&self, coefficients: &[Integer], effort: &Effort) -> Range {
        if let Some(pair) = self.pair.get() {
            return pair.range(coefficients);
        }
        let budget = &effort.budget;
        let mut dictionary = match Dictionary::of(self.dimension, &self.rows, budget) {
            Start::Consistent(dictionary) => dictionary,
            Start::Unknown => return Range::Between(None, None),
            Start::Inconsistent => return Range::Empty,
        };
        let negative: Vec<Integer> = coefficients.iter().map(|factor| -factor).collect();
        let high = value(dictionary.greatest(coefficients, budget));
        let low = value(dictionary.greatest(&negative, budget));
        Range::Between(low.map(|low| -&low), high)
    }

    /// Whether a row holds everywhere in it; false if that takes too long to see.
    pub fn entails(&self, row: &Row, effort: &Effort) -> bool {
        if row.is_trivial() {
            return true;
        }
        if let Some(pair) = self.pair.get() {
            return pair.entails(row);
        }
        match self.range(&row.coefficients, effort) {
            Range::Empty => true,
            Range::Between(low, high) => {
                let constant = Rational::from(&row.constant);
                let low = low.map(|low| &low + &constant);
                let high = high.map(|high| &high + &constant);
                match row.kind {
                    Kind::AtLeast => low.is_some_and(|low| low.signum() >= 0),
                    Kind::Equality => {
                        low.is_some_and(|low| low.is_zero())
                            && high.is_some_and(|high| high.is_zero())
                    }
                }
            }
        }
    }

    /// Whether another polyhedron is within it; false if that takes too long to see.
    pub fn includes(&self, other: &Polyhedron, effort: &Effort) -> bool {
        // Generators make each entailment cheap.
        let _ = other.pair(effort);
        other.is_empty(effort) || self.rows.iter().all(|row| other.entails(row, effort))
    }

    /// Whether both have the same points; false if that takes too long to see.
    pub fn equals(&self, other: &Polyhedron, effort: &Effort) -> bool {
        self.includes(other, effort) && other.includes(self, effort)
    }

    fn pair(&self, effort: &Effort) -> Option<&Pair> {
        if self.pair.get().is_none() {
            let pair = Pair::of_rows(self.dimension, &self.rows, effort)?;
            return Some(self.pair.get_or_init(|| pair));
        }
        self.pair.get()
    }

    /// The polyhedron that vectors generate, or a larger one.
    fn of_system(dimension: usize, generators: &System, effort: &Effort) -> Polyhedron {
        match Pair::of_generators(dimension, generators, effort) {
            Some(pair) => Polyhedron::of_pair(dimension, pair),
            None => Polyhedron::of_rows(dimension, describe::rough_rows(dimension, generators)),
        }
    }
}

impl std::fmt::Debug for Polyhedron {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.rows).finish()
    }
}

fn value(optimum: Optimum) -> Option<Rational> {
    match optimum {
        Optimum::Value(value) => Some(value),
        Optimum::Unbounded | Optimum::Unknown => None,
    }
}

/// That the divisor is at least zero.
fn positivity(dimension: usize) -> Vector {
    unit(dimension + 1, 0)
}
