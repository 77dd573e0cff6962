//! Models without the solver: vertices of cubes, and steps along unbounded directions.

use super::Abstraction;
use logic::{TermId, TermValue};

/// How many cubes are looked at.
const CUBES: usize = 3;

impl Abstraction<'_> {
    /// A model in a cube where a sum goes as far as it can, or further than in the cube's model;
    /// its number. None if that point is not a model.
    pub(super) fn extreme(&mut self, cube: usize, sum: TermId) -> Option<usize> {
        let base = self.cubes[cube].model;
        let changed = self.cubes[cube].extreme(self.store, sum, &self.budget);
        let mut values = self.models[base].clone();
        let changed = changed
            .into_iter()
            .map(|(symbol, value)| (symbol, TermValue::Int(value)));
        values.symbols.extend(changed);
        if values == self.models[base] {
            return None;
        }
        let holds = self.store.evaluate_in(self.formula(), &values) == Some(TermValue::Bool(true));
        holds.then(|| {
            self.models.push(values);
            self.models.len() - 1
        })
    }

    /// Adds models in which terms are large and small.
    pub(super) fn sample(&mut self, terms: &[TermId]) {
        for cube in 0..self.cubes.len().min(CUBES) {
            for &term in terms {
                let negated = self.store.neg(term);
                let _ = (self.extreme(cube, term), self.extreme(cube, negated));
            }
        }
    }
}
