//! Affine hulls: guess the equalities that hold in all models so far, and let the solver object.

use super::{Abstraction, Found};
use crate::{Affine, Row};
use logic::TermId;

impl Abstraction<'_> {
    /// All affine equalities among the terms that the formula entails, in echelon form; a
    /// contradiction if there is no model. Fewer where the solver gives up.
    pub fn affine_hull(&mut self, terms: &[TermId]) -> Vec<Row> {
        let terms = self.prepared(terms);
        match self.any_model() {
            Found::Model(_) => {}
            Found::Nothing => return vec![Row::contradiction(terms.len())],
            Found::Unknown => return Vec::new(),
        }
        let mut affine = Affine::of_points(terms.len(), &self.points(&terms));
        // Each model adds a dimension, so there are not many.
        loop {
            let rows = affine.rows();
            let facts: Vec<TermId> = rows
                .iter()
                .map(|row| row.to_term(self.store, &terms))
                .collect();
            let all = self.store.and(&facts);
            let broken = self.store.not(all);
            if self.store.as_bool(broken) == Some(false) {
                return rows;
            }
            match self.model_where(broken) {
                Found::Model(model) => {
                    let point = self.point(&terms, model);
                    affine = affine.join(&Affine::of_points(terms.len(), &[point]));
                }
                Found::Nothing => return rows,
                Found::Unknown => {
                    let entailed = self.entailed(&facts);
                    let rows = rows.into_iter().zip(entailed);
                    return rows
                        .filter_map(|(row, holds)| holds.then_some(row))
                        .collect();
                }
            }
        }
    }
}
