//! The two descriptions of a polyhedron side by side.
//!
//! # Invariants
//! - Neither has a redundant vector, and the lines of both are in echelon form; that a divisor is
//!   at least zero is among the constraints unless it is redundant.
//! - The empty polyhedron has the constraint `1 = 0` and no generators.

use super::cone::{Bits, Cone, Effort, System, tight};
use crate::row::{Kind, Row};
use crate::vector::{Echelon, Vector, dot, unit};

/// Constraints and generators.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pair {
    pub(super) constraints: System,
    pub(super) generators: System,
}

impl Pair {
    pub(super) fn empty(dimension: usize) -> Pair {
        Pair {
            constraints: System {
                lines: vec![unit(dimension + 1, 0)],
                rays: Vec::new(),
            },
            generators: System::default(),
        }
    }

    pub(super) fn of_rows(dimension: usize, rows: &[Row], effort: &Effort) -> Option<Pair> {
        let mut constraints = System::default();
        constraints.rays.push(positivity(dimension));
        for row in rows {
            match row.kind {
                Kind::Equality => constraints.lines.push(row.to_vector()),
                Kind::AtLeast => constraints.rays.push(row.to_vector()),
            }
        }
        let generators = constraints.dual(dimension + 1, effort)?;
        Some(Pair::of_both(dimension, constraints, generators))
    }

    /// Of constraints that may be redundant, and generators that are not.
    fn of_both(dimension: usize, constraints: System, generators: System) -> Pair {
        if !generators.rays.iter().any(|ray| ray[0].signum() > 0) {
            return Pair::empty(dimension);
        }
        Pair {
            constraints: minimal(&constraints, &generators).normal(),
            generators: generators.normal(),
        }
    }

    /// The pair, not an empty one, with more generators; none if that takes too long.
    pub(super) fn with_generators(
        &self,
        dimension: usize,
        more: &System,
        effort: &Effort,
    ) -> Option<Pair> {
        let mut cone = Cone::of(dimension + 1, &self.generators, &self.constraints);
        let mut generators = self.generators.clone();
        cone.add_all(more, effort)?;
        generators.rays.extend_from_slice(&more.rays);
        let constraints = cone.into_system();
        generators.lines = constraints_orthogonal(dimension, &constraints);
        let generators = minimal(&generators, &constraints);
        Some(Pair {
            constraints: constraints.normal(),
            generators: generators.normal(),
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.generators.rays.is_empty()
    }

    pub(super) fn rows(&self) -> Vec<Row> {
        let equalities = self.constraints.lines.iter();
        let inequalities = self.constraints.rays.iter();
        let equalities = equalities.map(|vector| Row::of_vector(vector, Kind::Equality));
        let inequalities = inequalities.map(|vector| Row::of_vector(vector, Kind::AtLeast));
        let all = equalities.chain(inequalities);
        all.filter(|row| !row.is_trivial()).collect()
    }

    pub(super) fn entails(&self, row: &Row) -> bool {
        let vector = row.to_vector();
        let mut lines = self.generators.lines.iter();
        let mut rays = self.generators.rays.iter();
        lines.all(|line| dot(line, &vector).is_zero())
            && rays.all(|ray| {
                let sign = dot(ray, &vector).signum();
                match row.kind {
                    Kind::Equality => sign == 0,
                    Kind::AtLeast => sign >= 0,
                }
            })
    }
}

/// The lines of what constraints describe.
fn constraints_orthogonal(dimension: usize, constraints: &System) -> Vec<Vector> {
    let all = constraints.lines.iter().chain(&constraints.rays);
    // The divisor is zero along lines, even where that need not be said.
    let positivity = positivity(dimension);
    Echelon::of(all.chain([&positivity])).orthogonal(dimension + 1)
}

/// That the divisor is at least zero.
fn positivity(dimension: usize) -> Vector {
    unit(dimension + 1, 0)
}

/// The system without redundant vectors, given a minimal one of the other description.
fn minimal(system: &System, other: &System) -> System {
    let mut lines = Echelon::of(&system.lines);
    let mut open: Vec<(&Vector, Bits)> = Vec::new();
    for ray in &system.rays {
        let bits = tight(ray, &other.rays);
        if bits.len() == other.rays.len() {
            lines.insert(ray);
        } else {
            open.push((ray, bits));
        }
    }
    let redundant = |at: usize| {
        let (_, own) = &open[at];
        let mut others = open.iter().enumerate();
        others.any(|(other, (_, bits))| {
            other != at && own.is_subset(bits) && (!bits.is_subset(own) || other < at)
        })
    };
    let kept = (0..open.len()).filter(|&at| !redundant(at));
    System {
        rays: kept.map(|at| open[at].0.clone()).collect(),
        lines: lines.into_vectors(),
    }
}
