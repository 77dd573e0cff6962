//! What is known at a position in a formula.

use super::range::{Empty, Form, Range};
use crate::Integer;
use crate::term::{Node, TermId, TermStore};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Formulas whose truth is known, and the ranges of numbers.
#[derive(Default)]
pub(super) struct Facts {
    truths: FxHashMap<TermId, bool>,
    ranges: FxHashMap<Form, Range>,
    /// Divisibilities, and whether they hold.
    multiples: Vec<(Integer, TermId, bool)>,
    trail: Vec<Undo>,
}

/// What was there before.
enum Undo {
    Truth(TermId, Option<bool>),
    Range(Form, Option<Range>),
    Multiple,
}

impl Facts {
    /// How much is known now.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Forgets what was learnt since the mark.
    pub(super) fn undo(&mut self, mark: usize) {
        for undo in self.trail.drain(mark..).rev() {
            match undo {
                Undo::Truth(term, before) => restore(&mut self.truths, term, before),
                Undo::Range(form, before) => restore(&mut self.ranges, form, before),
                Undo::Multiple => {
                    self.multiples.pop();
                }
            }
        }
    }

    fn learn(&mut self, term: TermId, truth: bool) {
        let before = self.truths.insert(term, truth);
        self.trail.push(Undo::Truth(term, before));
    }

    /// Learns that a formula holds and its negation does not. An error if that cannot be.
    pub(super) fn assume(
        &mut self,
        store: &TermStore,
        formula: TermId,
        negation: TermId,
    ) -> Result<(), Empty> {
        self.learn(formula, true);
        self.learn(negation, false);
        let (atom, holds) = store.without_negation(formula);
        if let Node::Divides(divisor, sum) = store.node(atom) {
            self.multiples.push((divisor.clone(), *sum, holds));
            self.trail.push(Undo::Multiple);
        }
        let Some((form, relation)) = store.comparison(formula) else {
            return Ok(());
        };
        let before = self.ranges.get(&form).cloned();
        let mut range = match &before {
            Some(range) => range.clone(),
            None => Range::all(store.sort(form[0].0)),
        };
        let result = range.restrict(&relation);
        self.ranges.insert(form.clone(), range);
        self.trail.push(Undo::Range(form, before));
        result
    }

    /// The truth of a formula, if it is known.
    pub(super) fn truth(&self, store: &TermStore, formula: TermId) -> Option<bool> {
        if let Node::Bool(value) = store.node(formula) {
            return Some(*value);
        }
        if let Some(truth) = self.truths.get(&formula) {
            return Some(*truth);
        }
        if let Node::Not(inner) = store.node(formula)
            && let Some(truth) = self.truths.get(inner)
        {
            return Some(!truth);
        }
        if let Some(truth) = self.divides(store, formula) {
            return Some(truth);
        }
        if self.ranges.is_empty() {
            return None;
        }
        let (form, relation) = store.comparison(formula)?;
        self.ranges.get(&form)?.decides(&relation)
    }

    /// The truth of a divisibility or its negation, if another one decides it.
    fn divides(&self, store: &TermStore, literal: TermId) -> Option<bool> {
        let (atom, positive) = store.without_negation(literal);
        let Node::Divides(divisor, sum) = store.node(atom) else {
            return None;
        };
        let decides = |(known, multiple, holds): &(Integer, TermId, bool)| {
            let common = known.gcd(divisor);
            let rest = store.constant_residue(*sum, *multiple, &common)?;
            match (rest.is_zero(), holds) {
                (true, true) => (common == *divisor).then_some(true),
                (false, true) => Some(false),
                // What is not a multiple of a divisor's divisor is none of the divisor.
                (true, false) => (common == *known).then_some(false),
                (false, false) => None,
            }
        };
        let truth = self.multiples.iter().find_map(decides)?;
        Some(truth == positive)
    }
}

/// Gives a key the value it had before, if it had one.
fn restore<K: Eq + Hash, V>(table: &mut FxHashMap<K, V>, key: K, before: Option<V>) {
    match before {
        Some(value) => table.insert(key, value),
        None => table.remove(&key),
    };
}
