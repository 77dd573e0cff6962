//! Operations that make polyhedra of polyhedra.

use super::cone::System;
use super::{Effort, Polyhedron};
use crate::affine::Affine;
use crate::eliminate::Elimination;
use crate::optimum::{Dictionary, Start};
use crate::row::{Kind, Row};
use crate::vector::{Vector, is_zero};
use logic::{Integer, Rational};
use std::sync::OnceLock;

impl Polyhedron {
    /// The part of it where a row holds.
    pub fn with_row(&self, row: &Row, effort: &Effort) -> Polyhedron {
        if let Some(pair) = self.pair.get()
            && let Some(pair) = pair.with_row(self.dimension, row, effort)
        {
            return Polyhedron::of_pair(self.dimension, pair);
        }
        let rows = self.rows.iter().chain([row]).cloned();
        Polyhedron::of_rows(self.dimension, rows)
    }

    /// The points that are in both.
    pub fn intersect(&self, other: &Polyhedron, effort: &Effort) -> Polyhedron {
        if self.pair.get().is_some() {
            let mut both = self.clone();
            for row in &other.rows {
                both = both.with_row(row, effort);
            }
            return both;
        }
        let rows = self.rows.iter().chain(&other.rows).cloned();
        Polyhedron::of_rows(self.dimension, rows)
    }

    /// The convex hull of both, or a larger polyhedron.
    pub fn join(&self, other: &Polyhedron, effort: &Effort) -> Polyhedron {
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
    pub fn weak_join(&self, other: &Polyhedron, effort: &Effort) -> Polyhedron {
        let halves = |rows: &[Row]| -> Vec<Row> { rows.iter().flat_map(halves).collect() };
        let (own, others) = (halves(&self.rows), halves(&other.rows));
        let kept = (own.iter().filter(|row| other.entails(row, effort)))
            .chain(others.iter().filter(|row| self.entails(row, effort)));
        let equalities = Affine::of_rows(self.dimension, &self.rows)
            .join(&Affine::of_rows(self.dimension, &other.rows));
        let rows = kept.cloned().chain(equalities.rows());
        Polyhedron::of_rows(self.dimension, rows)
    }

    /// The polyhedron in some of its dimensions, in the order given.
    pub fn project(&self, keep: &[usize], effort: &Effort) -> Polyhedron {
        if let Some(pair) = self.pair(effort) {
            if pair.is_empty() {
                return Polyhedron::empty(keep.len());
            }
            let pick = |vectors: &[Vector]| -> Vec<Vector> {
                let picked = vectors.iter().map(|vector| {
                    let entries = keep.iter().map(|&place| vector[place + 1].clone());
                    [vector[0].clone()].into_iter().chain(entries).collect()
                });
                picked.filter(|vector: &Vector| !is_zero(vector)).collect()
            };
            let generators = System {
                lines: pick(&pair.generators.lines),
                rays: pick(&pair.generators.rays),
            };
            return Polyhedron::of_system(keep.len(), &generators, effort);
        }
        let drop: Vec<usize> = (0..self.dimension)
            .filter(|place| !keep.contains(place))
            .collect();
        let elimination = Elimination {
            model: None,
            integers: false,
        };
        let rows = elimination.run(self.rows.clone(), &drop).into_iter();
        let rows = rows.filter(|row| drop.iter().all(|&place| row.coefficients[place].is_zero()));
        let picked = rows.map(|row| Row {
            coefficients: keep
                .iter()
                .map(|&place| row.coefficients[place].clone())
                .collect(),
            ..row
        });
        Polyhedron::of_rows(keep.len(), picked)
    }

    /// What it becomes when a dimension is set to `coefficients·x + constant`.
    pub fn assigned(
        &self,
        dimension: usize,
        coefficients: &[Integer],
        constant: &Integer,
        effort: &Effort,
    ) -> Polyhedron {
        let factor = &coefficients[dimension];
        if factor.is_zero() {
            let mut equality = coefficients.to_vec();
            equality[dimension] = Integer::from(-1i64);
            let row = Row::equality(equality, constant.clone());
            return self.forget(dimension, effort).with_row(&row, effort);
        }
        // The old value is a sum of the new one: put it in its place.
        let old = |row: &Row| {
            let own = &row.coefficients[dimension];
            let (scale, times) = (
                factor.abs(),
                own * &Integer::from(i64::from(factor.signum())),
            );
            let each = |(place, entry): (usize, &Integer)| match place == dimension {
                true => times.clone(),
                false => &(entry * &scale) - &(&times * &coefficients[place]),
            };
            Row {
                coefficients: row.coefficients.iter().enumerate().map(each).collect(),
                constant: &(&row.constant * &scale) - &(&times * constant),
                kind: row.kind,
            }
        };
        Polyhedron::of_rows(self.dimension, self.rows.iter().map(old))
    }

    /// What it becomes when a dimension may have any value.
    pub fn forget(&self, dimension: usize, effort: &Effort) -> Polyhedron {
        if self.is_empty(effort) {
            return self.clone();
        }
        let mut line = vec![Integer::ZERO; self.dimension + 1];
        line[dimension + 1] = Integer::ONE;
        let more = System {
            lines: vec![line],
            rays: Vec::new(),
        };
        if let Some(pair) = self.pair(effort)
            && let Some(pair) = pair.with_generators(self.dimension, &more, effort)
        {
            return Polyhedron::of_pair(self.dimension, pair);
        }
        let elimination = Elimination {
            model: None,
            integers: false,
        };
        let rows = elimination.run(self.rows.clone(), &[dimension]);
        Polyhedron::of_rows(self.dimension, rows)
    }

    /// A polyhedron with both in it, such that a sequence in which each is the widening of the
    /// one before and something new does not grow for ever.
    pub fn widen(&self, later: &Polyhedron, effort: &Effort) -> Polyhedron {
        if self.is_empty(effort) {
            return later.clone();
        }
        let kept = self.rows.iter().flat_map(halves);
        let mut rows: Vec<Row> = kept.filter(|row| later.entails(row, effort)).collect();
        if let (Some(own), Some(_)) = (self.pair(effort), later.pair(effort)) {
            let before: Vec<_> = own.rows().iter().map(|row| own.tight(row)).collect();
            let later = later.clone().minimised(effort);
            let same = later.rows.iter().flat_map(halves);
            rows.extend(same.filter(|row| own.entails(row) && before.contains(&own.tight(row))));
        }
        Polyhedron::of_rows(self.dimension, rows)
    }

    /// A polyhedron with the same points of integers, mostly smaller: rows are divided by what
    /// their coefficients have in common, and constants rounded.
    pub fn tightened(&self) -> Polyhedron {
        let rows: Vec<Row> = self.rows.iter().map(Row::tightened).collect();
        if rows == self.rows {
            return self.clone();
        }
        Polyhedron::of_rows(self.dimension, rows)
    }

    /// The same polyhedron among more dimensions, about which nothing is said.
    pub fn extended(&self, dimension: usize) -> Polyhedron {
        let rows = self.rows.iter().cloned().map(|mut row| {
            row.coefficients.resize(dimension, Integer::ZERO);
            row
        });
        Polyhedron {
            dimension,
            rows: rows.collect(),
            pair: OnceLock::new(),
        }
    }

    /// A point of it, if there is one and it does not take too long to find it.
    pub fn point(&self, effort: &Effort) -> Option<Vec<Rational>> {
        match Dictionary::of(self.dimension, &self.rows, &effort.budget) {
            Start::Consistent(dictionary) => Some(dictionary.point()),
            Start::Inconsistent | Start::Unknown => None,
        }
    }
}

/// An equality as two inequalities.
fn halves(row: &Row) -> Vec<Row> {
    match row.kind {
        Kind::AtLeast => vec![row.clone()],
        Kind::Equality => {
            let negated = row.coefficients.iter().map(|factor| -factor).collect();
            let (a, b) = (row.coefficients.clone(), row.constant.clone());
            vec![Row::at_least(a, b), Row::at_least(negated, -&row.constant)]
        }
    }
}
