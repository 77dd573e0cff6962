//! Convex hulls: models outside the hull so far, their cubes, and projections of these.
//!
//! # Paper
//! The loop is the one of the hulls in [fang2025software]'s summaries. We differ in three points:
//! eliminations that cost nothing are exact and only the others are model-based, rows are rounded
//! to integers on the way, and if a limit ends the loop the rows found so far serve as templates,
//! for which entailed bounds are computed.

use super::template::rows;
use super::{Abstraction, ModelAnswer};
use crate::polyhedron::Effort;
use crate::row::{Kind, to_formula};
use crate::vector::{is_zero, negated, unit};
use crate::{Polyhedron, Row};
use logic::{Integer, TermId};

/// How much work a convex hull may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many cubes of the formula are looked at.
    pub cubes: usize,
    /// With more dimensions than that only octagons and equalities are looked for.
    pub dimensions: usize,
    /// How many generators a polyhedron may have.
    pub generators: usize,
    /// Of how many rows it is checked whether integers reach them.
    pub rounded: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            cubes: 40,
            dimensions: 14,
            generators: 400,
            rounded: 12,
        }
    }
}

impl Abstraction<'_> {
    /// The convex hull of the values of the terms, closed and over the rationals, or a polyhedron
    /// around it.
    pub fn convex_hull(&mut self, terms: &[TermId], limits: Limits) -> Polyhedron {
        let terms = self.prepared(terms);
        let effort = Effort::new(&self.budget, limits.generators);
        if terms.len() > limits.dimensions {
            return self.rough_hull(&terms);
        }
        let mut hull = Polyhedron::empty(terms.len());
        self.fill_cubes();
        for cube in 0..self.cubes.len() {
            self.join_piece(&mut hull, cube, &terms, &effort);
        }
        let most = self.cubes.len() + limits.cubes;
        loop {
            let inside = to_formula(hull.rows(), self.store, &terms);
            let outside = self.store.not(inside);
            let found = match self.cubes.len() < most {
                true => self.model_where(outside),
                false => ModelAnswer::Unknown,
            };
            match found {
                ModelAnswer::Nothing => return self.rounded(hull, &terms, limits.rounded),
                ModelAnswer::Unknown => return self.entailed_hull(&hull, &terms, &effort),
                ModelAnswer::Model(model) => {
                    let cube = self.cube(model);
                    self.join_piece(&mut hull, cube, &terms, &effort);
                }
            }
        }
    }

    fn join_piece(&self, hull: &mut Polyhedron, cube: usize, terms: &[TermId], effort: &Effort) {
        let cube = &self.cubes[cube];
        let piece = cube.piece(self.store, &self.models[cube.model], terms);
        *hull = hull.join(&piece, effort).minimised(effort);
    }

    /// Rows of a polyhedron as templates, each with a bound that the formula entails.
    fn entailed_hull(
        &mut self,
        hull: &Polyhedron,
        terms: &[TermId],
        effort: &Effort,
    ) -> Polyhedron {
        let size = terms.len();
        let halves = hull.rows().iter().flat_map(Row::halves);
        let mut directions: Vec<_> = halves.map(|half| negated(&half.coefficients)).collect();
        for place in 0..size {
            let up = unit(size, place);
            directions.push(negated(&up));
            directions.push(up);
        }
        directions.sort();
        directions.dedup();
        directions.retain(|direction| !is_zero(direction));
        let Some(reaches) = self.reaches(terms, &directions, false) else {
            return Polyhedron::empty(size);
        };
        let rows = rows(reaches, &directions).into_iter();
        let equalities = self.affine_hull(terms);
        Polyhedron::of_rows(size, rows.chain(equalities)).minimised(effort)
    }

    /// An octagon and equalities.
    fn rough_hull(&mut self, terms: &[TermId]) -> Polyhedron {
        let equalities = self.affine_hull(terms);
        let bounds = self.octagon_bounds(terms);
        Polyhedron::of_rows(terms.len(), equalities.into_iter().chain(bounds))
    }

    /// The hull with rows moved where no point of integers reaches them.
    fn rounded(&mut self, hull: Polyhedron, terms: &[TermId], most: usize) -> Polyhedron {
        let points = self.points(terms);
        let reached = |row: &Row| {
            points
                .iter()
                .any(|point| row.integer_value(point).is_zero())
        };
        let mut rows: Vec<Row> = hull.rows().to_vec();
        let mut left = most;
        let mut has_changed = false;
        for row in &mut rows {
            *row = row.tightened();
            if row.kind == Kind::Equality || row.is_contradiction() || reached(row) {
                continue;
            }
            for _ in 0..2 {
                if left == 0 {
                    break;
                }
                left -= 1;
                let sum = row.sum(self.store, terms);
                let tight = self.store.equals(sum, 0i64);
                match self.model_where(tight) {
                    ModelAnswer::Nothing => {
                        row.constant = &row.constant - &Integer::ONE;
                        has_changed = true;
                    }
                    ModelAnswer::Model(_) | ModelAnswer::Unknown => break,
                }
            }
        }
        match has_changed || rows != hull.rows() {
            true => {
                let effort = Effort::new(&self.budget, usize::MAX);
                Polyhedron::of_rows(terms.len(), rows).minimised(&effort)
            }
            false => hull,
        }
    }
}
