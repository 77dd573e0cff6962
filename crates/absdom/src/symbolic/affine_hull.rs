//! Affine hulls: conjecture the equalities that hold in all models so far, and ask the solver for a
//! counterexample.

use super::{Abstraction, ModelAnswer};
use crate::Row;
use crate::affine::Affine;
use logic::TermId;

impl Abstraction<'_> {
    /// All affine equalities among the terms that the formula entails, in echelon form; a
    /// contradiction if there is no model. Fewer where the solver gives up.
    pub fn affine_hull(&mut self, terms: &[TermId]) -> Vec<Row> {
        let terms = self.prepared(terms);
        match self.any_model() {
            ModelAnswer::Model(_) => {}
            ModelAnswer::Nothing => return vec![Row::contradiction(terms.len())],
            ModelAnswer::Unknown => return Vec::new(),
        }
        let mut affine = Affine::of_points(terms.len(), &self.points(&terms));
        self.fill_cubes();
        for cube in 0..self.cubes.len() {
            self.spread(cube, &terms, &mut affine);
        }
        // Each model adds a dimension, so there are not many.
        loop {
            let rows = affine.rows();
            let facts: Vec<TermId> = rows
                .iter()
                .map(|row| row.to_term(self.store, &terms))
                .collect();
            let broken = self.store.not_all(&facts);
            if self.store.as_bool(broken) == Some(false) {
                return rows;
            }
            match self.model_where(broken) {
                ModelAnswer::Model(model) => {
                    let point = self.point(&terms, model);
                    affine = affine.join(&Affine::of_points(terms.len(), &[point]));
                    let cube = self.cube(model);
                    self.spread(cube, &terms, &mut affine);
                }
                ModelAnswer::Nothing => return rows,
                ModelAnswer::Unknown => return self.entailed(rows, &facts),
            }
        }
    }

    /// Looks for models in a cube in which an equality does not hold.
    fn spread(&mut self, cube: usize, terms: &[TermId], affine: &mut Affine) {
        let mut rows = affine.rows();
        while let Some(row) = rows.pop() {
            let sum = row.sum(self.store, terms);
            let negated = self.store.neg(sum);
            for sum in [sum, negated] {
                let Some(model) = self.extreme(cube, sum) else {
                    continue;
                };
                let point = self.point(terms, model);
                if !row.holds_at(&point) {
                    *affine = affine.join(&Affine::of_points(terms.len(), &[point]));
                    rows = affine.rows();
                    break;
                }
            }
        }
    }
}
