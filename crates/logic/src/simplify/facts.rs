//! What is known at some place of a formula.

use super::range::{Empty, Form, Range};
use crate::term::{Node, TermId, TermStore};
use rustc_hash::FxHashMap;

/// Formulas whose truth is known, and the ranges of numbers.
#[derive(Default)]
pub(super) struct Facts {
    truths: FxHashMap<TermId, bool>,
    ranges: FxHashMap<Form, Range>,
    trail: Vec<Undo>,
}

/// What was there before.
enum Undo {
    Truth(TermId, Option<bool>),
    Range(Form, Option<Range>),
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
                Undo::Truth(term, Some(before)) => {
                    self.truths.insert(term, before);
                }
                Undo::Truth(term, None) => {
                    self.truths.remove(&term);
                }
                Undo::Range(form, Some(before)) => {
                    self.ranges.insert(form, before);
                }
                Undo::Range(form, None) => {
                    self.ranges.remove(&form);
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
        if self.ranges.is_empty() {
            return None;
        }
        let (form, relation) = store.comparison(formula)?;
        self.ranges.get(&form)?.decides(&relation)
    }
}
