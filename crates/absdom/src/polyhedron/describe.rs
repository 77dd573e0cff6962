//! The two descriptions of a polyhedron side by side.
//!
//! # Invariants
//! - Neither has a redundant vector, and the lines of both are in echelon form; that a divisor is
//!   at least zero is among the constraints where it is not redundant.
//! - The empty polyhedron has the constraint `1 = 0` and no generators.

use super::cone::{Bits, Cone, Effort, System, tight};
use super::{Generator, Range, positivity};
use crate::row::{Kind, Row};
use crate::vector::{Echelon, Vector, dot, is_zero, negated, unit};
use logic::{Integer, Rational};

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

    pub(super) fn of_generators(
        dimension: usize,
        generators: &System,
        effort: &Effort,
    ) -> Option<Pair> {
        let constraints = generators.dual(dimension + 1, effort)?;
        // Some generators may have been redundant.
        let generators = System {
            lines: constraints_orthogonal(dimension, &constraints),
            rays: generators.rays.clone(),
        };
        let generators = minimal(&generators, &constraints);
        Some(Pair {
            constraints: constraints.normal(),
            generators: generators.normal(),
        })
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

    /// The pair with one more row; none if that takes too long.
    pub(super) fn with_row(&self, dimension: usize, row: &Row, effort: &Effort) -> Option<Pair> {
        if self.is_empty() {
            return Some(self.clone());
        }
        let mut cone = Cone::of(dimension + 1, &self.constraints, &self.generators);
        let vector = row.to_vector();
        cone.add(&vector, row.kind == Kind::Equality, effort)?;
        let mut constraints = self.constraints.clone();
        match row.kind {
            Kind::Equality => constraints.lines.push(vector),
            Kind::AtLeast => constraints.rays.push(vector),
        }
        Some(Pair::of_both(dimension, constraints, cone.into_system()))
    }

    /// The pair with more generators; none if that takes too long.
    pub(super) fn with_generators(
        &self,
        dimension: usize,
        more: &System,
        effort: &Effort,
    ) -> Option<Pair> {
        if self.is_empty() {
            return Pair::of_generators(dimension, more, effort);
        }
        let mut cone = Cone::of(dimension + 1, &self.generators, &self.constraints);
        let mut generators = self.generators.clone();
        for line in &more.lines {
            cone.add(line, true, effort)?;
        }
        for ray in &more.rays {
            cone.add(ray, false, effort)?;
        }
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

    pub(super) fn generators(&self) -> Vec<Generator> {
        let lines = self.generators.lines.iter();
        let lines = lines.map(|line| Generator::Line(line[1..].to_vec()));
        let rays = self.generators.rays.iter().map(|ray| {
            if ray[0].is_zero() {
                return Generator::Ray(ray[1..].to_vec());
            }
            let entry = |value: &Integer| Rational::new(value.clone(), ray[0].clone());
            Generator::Point(ray[1..].iter().map(entry).collect())
        });
        lines.chain(rays).collect()
    }

    pub(super) fn range(&self, coefficients: &[Integer]) -> Range {
        if self.is_empty() {
            return Range::Empty;
        }
        let sum = |vector: &Vector| dot(&vector[1..], coefficients);
        let rays = || self.generators.rays.iter();
        let values = || {
            let points = rays().filter(|ray| !ray[0].is_zero());
            points.map(|point| Rational::new(sum(point), point[0].clone()))
        };
        let crosses = self
            .generators
            .lines
            .iter()
            .any(|line| !sum(line).is_zero());
        let goes = |sign: i32| {
            let mut directions = rays().filter(|ray| ray[0].is_zero());
            crosses || directions.any(|ray| sum(ray).signum() == sign)
        };
        let low = values().min().filter(|_| !goes(-1));
        let high = values().max().filter(|_| !goes(1));
        Range::Between(low, high)
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

    /// Which generators a row is tight at.
    pub(super) fn tight(&self, row: &Row) -> Bits {
        tight(&row.to_vector(), &self.generators.rays)
    }
}

/// The vectors of generators.
pub(super) fn system_of(generators: &[Generator]) -> System {
    let mut system = System::default();
    let direction = |vector: &[Integer]| {
        let mut all = vec![Integer::ZERO];
        all.extend_from_slice(vector);
        all
    };
    for generator in generators {
        match generator {
            Generator::Line(line) => system.lines.push(direction(line)),
            Generator::Ray(ray) => system.rays.push(direction(ray)),
            Generator::Point(point) => {
                let lcm = |at: Integer, value: &Rational| at.lcm(value.denominator());
                let divisor = point.iter().fold(Integer::ONE, lcm);
                let entry =
                    |value: &Rational| value.numerator() * &divisor.div_floor(value.denominator());
                let mut vector = vec![divisor.clone()];
                vector.extend(point.iter().map(entry));
                system.rays.push(vector);
            }
        }
    }
    // A direction that is none says nothing.
    system.lines.retain(|line| !is_zero(line));
    system.rays.retain(|ray| !is_zero(ray));
    system
}

/// Rows that hold for all generators, found without much work: equalities and a box.
pub(super) fn rough_rows(dimension: usize, generators: &System) -> Vec<Row> {
    let all = generators.lines.iter().chain(&generators.rays);
    let equalities = Echelon::of(all).orthogonal(dimension + 1);
    let mut rows: Vec<Row> = (equalities.iter())
        .map(|vector| Row::of_vector(vector, Kind::Equality))
        .collect();
    let rough = Pair {
        constraints: System::default(),
        generators: generators.clone(),
    };
    for place in 0..dimension {
        let coefficients = unit(dimension, place);
        let Range::Between(low, high) = rough.range(&coefficients) else {
            continue;
        };
        if let Some(low) = low {
            let scaled = unit(dimension, place)
                .iter()
                .map(|c| c * low.denominator())
                .collect();
            rows.push(Row::at_least(scaled, -low.numerator()));
        }
        if let Some(high) = high {
            let scaled = negated(&coefficients)
                .iter()
                .map(|c| c * high.denominator())
                .collect();
            rows.push(Row::at_least(scaled, high.numerator().clone()));
        }
    }
    rows
}

/// The lines of what constraints describe.
fn constraints_orthogonal(dimension: usize, constraints: &System) -> Vec<Vector> {
    let all = constraints.lines.iter().chain(&constraints.rays);
    // The divisor is zero along lines, even where that need not be said.
    let positivity = positivity(dimension);
    Echelon::of(all.chain([&positivity])).orthogonal(dimension + 1)
}

/// The system without redundant vectors, given a minimal one of the other description.
fn minimal(system: &System, other: &System) -> System {
    let mut lines = Echelon::of(&system.lines);
    let tights: Vec<(usize, Bits)> = (system.rays.iter().enumerate())
        .map(|(place, ray)| (place, tight(ray, &other.rays)))
        .collect();
    let mut open: Vec<(usize, Bits)> = Vec::new();
    for (place, bits) in tights {
        if bits.count() == other.rays.len() {
            lines.insert(&system.rays[place]);
        } else {
            open.push((place, bits));
        }
    }
    let redundant = |at: usize| {
        let (_, own) = &open[at];
        let mut others = open.iter().enumerate();
        others.any(|(other, (_, bits))| {
            other != at && own.is_within(bits) && (!bits.is_within(own) || other < at)
        })
    };
    let kept = (0..open.len()).filter(|&at| !redundant(at));
    System {
        rays: kept.map(|at| system.rays[open[at].0].clone()).collect(),
        lines: lines.into_vectors(),
    }
}
