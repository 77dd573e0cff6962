//! Closed convex polyhedra over the rationals, exactly.
//!
//! A polyhedron is given by rows. When an operation needs generators, both descriptions are
//! minimised and kept ([`cone`]). Every operation takes an [`Effort`]: if it does not suffice, the
//! result is a larger polyhedron, and a query is answered as if nothing were known.
//!
//! # Invariants
//! - `rows` describes the polyhedron, `pair` describes the same one.
//! - Vectors have the constant, or the divisor of a point, in first position.

mod cone;
mod describe;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use cone::Effort;

use crate::affine::Affine;
use crate::linear_program::is_consistent;
use crate::row::Row;
use crate::vector::unit;
use base::Budget;
use describe::Pair;
use interpolate::project::row::Relation;
use logic::Integer;
use std::sync::OnceLock;

/// A closed convex polyhedron.
#[derive(Clone)]
pub struct Polyhedron {
    dimension: usize,
    rows: Vec<Row>,
    /// Both descriptions, minimal; none if that took too long.
    pair: OnceLock<Pair>,
}

impl Polyhedron {
    /// The empty polyhedron: the convex hull of no points.
    pub fn empty(dimension: usize) -> Polyhedron {
        Polyhedron::of_pair(dimension, Pair::empty(dimension))
    }

    /// Where some rows hold.
    pub(crate) fn of_rows(dimension: usize, rows: impl IntoIterator<Item = Row>) -> Polyhedron {
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

    fn of_pair(dimension: usize, pair: Pair) -> Polyhedron {
        Polyhedron {
            dimension,
            rows: pair.rows(),
            pair: OnceLock::from(pair),
        }
    }

    /// The convex hull of this one and a point of integers, or a polyhedron around it when the
    /// budget ends or there are too many generators.
    pub fn with_point(&self, point: &[Integer], budget: &Budget, generators: usize) -> Polyhedron {
        if self.rows.iter().all(|row| row.holds_at(point)) {
            return self.clone();
        }
        let size = self.dimension;
        let row = |(place, value): (usize, &Integer)| Row::equality(unit(size, place), -value);
        let point = Polyhedron::of_rows(size, point.iter().enumerate().map(row));
        let effort = Effort::new(budget, generators);
        self.join(&point, &effort).minimised(&effort)
    }

    /// Rows that describe it, as they are now; see [`minimised`](Self::minimised).
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The same polyhedron without redundant rows; its equalities are in echelon form, and their
    /// pivots in no other row.
    pub(crate) fn minimised(mut self, effort: &Effort) -> Polyhedron {
        if let Some(pair) = self.pair(effort) {
            self.rows = pair.rows();
        }
        self
    }

    /// Whether it has no point; false if that takes too long to see.
    pub(crate) fn is_empty(&self, effort: &Effort) -> bool {
        if let Some(pair) = self.pair.get() {
            return pair.is_empty();
        }
        let rows = self.rows.iter().map(Row::to_sparse);
        is_consistent(self.dimension, rows, &effort.budget) == Some(false)
    }

    /// Whether a row holds everywhere in it; false if that takes too long to see.
    pub(crate) fn entails(&self, row: &Row, effort: &Effort) -> bool {
        if row.is_trivial() {
            return true;
        }
        if let Some(pair) = self.pair.get() {
            return pair.entails(row);
        }
        row.halves().iter().all(|half| {
            let mut broken = half.to_sparse();
            broken.sum = broken.sum.scaled(&logic::Integer::from(-1i64));
            broken.relation = Relation::Below;
            let rows = self.rows.iter().map(Row::to_sparse).chain([broken]);
            is_consistent(self.dimension, rows, &effort.budget) == Some(false)
        })
    }

    /// The convex hull of both, or a larger polyhedron.
    pub(crate) fn join(&self, other: &Polyhedron, effort: &Effort) -> Polyhedron {
        if self.is_empty(effort) {
            return other.clone();
        }
        if other.is_empty(effort) {
            return self.clone();
        }
        if let (Some(own), Some(others)) = (self.pair(effort), other.pair(effort))
            && let Some(pair) = own.with_generators(self.dimension, &others.generators, effort)
        {
            return Polyhedron::of_pair(self.dimension, pair);
        }
        self.weak_join(other, effort)
    }

    /// What each knows that also holds in the other: rows, and equalities of both.
    fn weak_join(&self, other: &Polyhedron, effort: &Effort) -> Polyhedron {
        let halves = |rows: &[Row]| -> Vec<Row> { rows.iter().flat_map(Row::halves).collect() };
        let (own, others) = (halves(&self.rows), halves(&other.rows));
        let kept = (own.iter().filter(|row| other.entails(row, effort)))
            .chain(others.iter().filter(|row| self.entails(row, effort)));
        let equalities = Affine::of_rows(self.dimension, &self.rows)
            .join(&Affine::of_rows(self.dimension, &other.rows));
        let rows = kept.cloned().chain(equalities.rows());
        Polyhedron::of_rows(self.dimension, rows)
    }

    fn pair(&self, effort: &Effort) -> Option<&Pair> {
        if self.pair.get().is_none() {
            let pair = Pair::of_rows(self.dimension, &self.rows, effort)?;
            return Some(self.pair.get_or_init(|| pair));
        }
        self.pair.get()
    }
}

impl std::fmt::Debug for Polyhedron {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.rows).finish()
    }
}
