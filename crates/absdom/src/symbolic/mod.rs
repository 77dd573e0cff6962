//! Symbolic abstraction: which linear facts about some terms a formula entails.
//!
//! All symbols of the formula that the terms do not mention are implicitly existentially
//! quantified. An [`Abstraction`] is one formula with one incremental solver; the models and cubes
//! found by one query serve the next, about the same terms or others.
//!
//! # Invariants
//! - Whatever the budget and whatever the solver leaves unknown: the formula entails the result.
//!   Every fact is finally justified by an "unsat" or by an exact computation over all cubes.
//! - The store is left as it was found.

mod affine_hull;
mod convex_hull;
mod cube;
mod form;
mod lattice;
mod piece;
mod sample;
mod template;
#[cfg(test)]
mod tests;

pub use convex_hull::Limits;
pub use lattice::Congruence;
pub use template::{Bounds, bounds_to_rows};

use base::Budget;
use cube::Cube;
use interpolate::eliminate::values;
use logic::{Assignment, Integer, Mark, Node, TermId, TermStore, TermValue};
use smt::Solver;
use std::collections::BTreeMap;

/// The effort of one query at first, and when many were too hard.
const PATIENCE: u64 = 1_000_000;
const HURRY: u64 = 10_000;

/// A formula to be abstracted.
pub struct Abstraction<'s> {
    store: &'s mut TermStore,
    mark: Mark,
    budget: Budget,
    solver: &'s mut Solver,
    given: TermId,
    /// The formula without quotients, remainders and choices, and what fixes the symbols for them;
    /// none before the first question.
    formula: Option<TermId>,
    /// Those of these symbols that stand for quotients.
    quotients: Vec<TermId>,
    /// Terms with such parts, and what they are with these symbols.
    composed: BTreeMap<TermId, TermId>,
    /// The effort of the next query: less after each that was too hard.
    patience: u64,
    /// Models of the formula.
    models: Vec<Assignment>,
    /// Implicants of the formula, each with a model of it.
    cubes: Vec<Cube>,
}

/// What the solver says about a condition beside the formula.
enum ModelAnswer {
    /// There is a model: the one of that number.
    Model(usize),
    /// There is none.
    Nothing,
    /// The solver gave up.
    Unknown,
}

impl<'s> Abstraction<'s> {
    /// The abstraction of a formula, by a solver that was there before: a new one takes longer than
    /// a query. What it has asserted counts as well.
    pub fn new(
        store: &'s mut TermStore,
        solver: &'s mut Solver,
        formula: TermId,
        budget: &Budget,
    ) -> Abstraction<'s> {
        let mark = store.mark();
        solver.push();
        Abstraction {
            store,
            mark,
            budget: budget.clone(),
            solver,
            given: formula,
            formula: None,
            quotients: Vec::new(),
            composed: BTreeMap::new(),
            patience: PATIENCE,
            models: Vec::new(),
            cubes: Vec::new(),
        }
    }

    /// How many models and how many cubes there are by now.
    pub fn effort(&self) -> (usize, usize) {
        (self.models.len(), self.cubes.len())
    }

    /// The terms without quotients, remainders and choices. Those that the formula has as well get
    /// the same symbols, so all of it is done anew when there are new ones.
    fn prepared(&mut self, terms: &[TermId]) -> Vec<TermId> {
        let is_composed = |store: &TermStore, term: TermId| {
            let is_it = |term: &TermId| {
                matches!(
                    store.node(*term),
                    Node::Ite(..) | Node::Div(..) | Node::Mod(..)
                )
            };
            store.below(&[term]).iter().any(is_it)
        };
        let mut is_ready = self.formula.is_some();
        for &term in terms {
            if !self.composed.contains_key(&term) && is_composed(self.store, term) {
                self.composed.insert(term, term);
                is_ready = false;
            }
        }
        if !is_ready {
            self.purify();
        }
        let known = |term: &TermId| self.composed.get(term).copied().unwrap_or(*term);
        terms.iter().map(known).collect()
    }

    fn purify(&mut self) {
        let mut roots = vec![self.given];
        roots.extend(self.composed.keys());
        let purified = self.store.purify(&roots);
        let mut parts = purified.conditions;
        parts.push(purified.formulas[0]);
        let formula = self.store.and(&parts);
        for (new, term) in self.composed.values_mut().zip(&purified.formulas[1..]) {
            *new = *term;
        }
        let symbols = purified.symbols.into_iter();
        let quotients = symbols.filter(|(_, it)| matches!(self.store.node(*it), Node::Div(..)));
        let quotients: Vec<_> = quotients.map(|(symbol, _)| symbol).collect();
        self.quotients = quotients
            .into_iter()
            .map(|it| self.store.of_symbol(it))
            .collect();
        self.solver.pop();
        self.solver.push();
        self.solver.assert(self.store, formula);
        self.formula = Some(formula);
        // The models have no values for the new symbols.
        self.models.clear();
        self.cubes.clear();
    }

    /// The formula that the solver has.
    fn formula(&self) -> TermId {
        self.formula.expect("the formula should be prepared")
    }

    /// A model of the formula in which a condition holds.
    fn model_where(&mut self, condition: TermId) -> ModelAnswer {
        let budget = self.budget.clone().with_effort(self.patience);
        match self.solver.model_of(self.store, &[condition], &budget) {
            Ok(None) => ModelAnswer::Nothing,
            Ok(Some(model)) => {
                let values = values(self.store, &[self.formula(), condition], &model);
                if self.store.evaluate_in(self.formula(), &values) != Some(TermValue::Bool(true)) {
                    return ModelAnswer::Unknown;
                }
                self.models.push(values);
                ModelAnswer::Model(self.models.len() - 1)
            }
            Err(_) => {
                self.patience = (self.patience / 2).max(HURRY);
                ModelAnswer::Unknown
            }
        }
    }

    /// A model, if there is one yet or there is one at all.
    fn any_model(&mut self) -> ModelAnswer {
        if !self.models.is_empty() {
            return ModelAnswer::Model(0);
        }
        let whole = self.store.bool(true);
        self.model_where(whole)
    }

    /// The rows that the formula entails, each said by a fact.
    fn entailed<R>(&mut self, rows: Vec<R>, facts: &[TermId]) -> Vec<R> {
        let rows = rows.into_iter().zip(facts).filter(|(_, fact)| {
            let negated = self.store.not(**fact);
            matches!(self.model_where(negated), ModelAnswer::Nothing)
        });
        rows.map(|(row, _)| row).collect()
    }

    /// The values of terms in a model. What the formula does not mention is zero there.
    fn point(&self, terms: &[TermId], model: usize) -> Vec<Integer> {
        let numbers = cube::numbers(self.store, terms, &self.models[model]);
        numbers.expect("an integer should have a value")
    }

    fn points(&self, terms: &[TermId]) -> Vec<Vec<Integer>> {
        (0..self.models.len())
            .map(|model| self.point(terms, model))
            .collect()
    }
}

impl Drop for Abstraction<'_> {
    fn drop(&mut self) {
        // The solver must not hold terms that are gone.
        self.solver.pop();
        self.store.release(self.mark);
    }
}
