//! What is inductive of what labels say: a model, before all is covered, if queries contradict it.
//!
//! A label holds of the facts of one instance. Of what the newest instance of each relation is known
//! for we keep what every clause keeps, given the same of its body. That holds of all facts of the
//! relation, and so of every instance.
//!
//! # Paper
//! The largest inductive part of candidates is Houdini's algorithm; property-directed reachability
//! comes to the same where nothing is lost from one frame to the next.

use super::search::Search;
use base::{Budget, IdVec};
use horn::{ClauseId, RelationId};
use logic::TermId;

/// Formulas over the parameters of each relation.
pub(super) type Said = IdVec<RelationId, Vec<TermId>>;

impl Search<'_> {
    /// Strengthens all labels by what is inductive of them; that is given if it contradicts all
    /// queries.
    pub(super) fn induct(&mut self, budget: &Budget) -> Option<Said> {
        let inductive = self.inductive(budget);
        if budget.check().is_err() {
            // What could not be asked about was dropped: little is left that is worth having.
            return None;
        }
        for (relation, formulas) in inductive.iter_enumerated() {
            for vertex in self.unwinding.of[relation].clone() {
                for &formula in formulas {
                    self.strengthen(vertex, formula);
                }
            }
        }
        let queries: Vec<ClauseId> = self.system.queries().collect();
        let falsehood = self.store.bool(false);
        let mut all = queries.into_iter();
        let is_model =
            all.all(|query| self.keeps(query, &inductive, vec![falsehood], budget).len() == 1);
        is_model.then_some(inductive)
    }

    /// The largest part of what the newest labels say that is inductive.
    fn inductive(&mut self, budget: &Budget) -> Said {
        let mut kept: Said = IdVec::new();
        for relation in self.system.relations.ids() {
            let newest = self.unwinding.of[relation].last();
            let said = match newest {
                Some(&vertex) => self.unwinding.vertices[vertex].label.clone(),
                None => vec![self.store.bool(false)],
            };
            kept.push(said);
        }
        loop {
            let mut is_changed = false;
            for clause in self.system.clauses.ids() {
                let Some(head) = &self.system.clauses[clause].head else {
                    continue;
                };
                let relation = head.relation;
                let before = kept[relation].clone();
                let count = before.len();
                let after = self.keeps(clause, &kept, before, budget);
                is_changed |= after.len() < count;
                kept[relation] = after;
            }
            if !is_changed {
                return kept;
            }
        }
    }

    /// Those of some formulas that all that a clause derives satisfies, if its body satisfies what
    /// is said of its relations.
    fn keeps(
        &mut self,
        clause: ClauseId,
        said: &Said,
        formulas: Vec<TermId>,
        budget: &Budget,
    ) -> Vec<TermId> {
        let row = &self.system.clauses[clause];
        let below: Vec<Vec<TermId>> = (row.body.iter())
            .map(|atom| said[atom.relation].clone())
            .collect();
        self.kept_by(clause, &below, formulas, budget).0
    }
}
