//! What is inductive of what labels say: a model, before all is covered, if queries contradict it.
//!
//! A label holds of the facts of one instance. Of what the instances of each relation are known for
//! we keep what every clause keeps, given the same of its body. That holds of all facts of the
//! relation, and so of every instance.
//!
//! # Paper
//! The largest inductive part of candidates is Houdini's algorithm; property-directed reachability
//! comes to the same where nothing is lost from one frame to the next.

use super::inductive_goals::Lemma;
use super::search::Search;
use super::unwinding::VertexId;
use base::{Budget, IdVec};
use horn::{ClauseId, RelationId};
use logic::TermId;
use rustc_hash::FxHashSet;

/// How many more candidates there are for a relation than its newest label has conjuncts.
const CANDIDATES: usize = 200;

/// Formulas over the parameters of each relation.
pub(super) type Said = IdVec<RelationId, Vec<TermId>>;

/// What attempts at induction know, from one depth to the next.
pub(super) struct Induction {
    /// What is inductive.
    pub(super) invariant: Said,
    /// Candidates that a clause without a body does not keep.
    refused: FxHashSet<(RelationId, TermId)>,
    /// Conjuncts of labels that list values: no candidates, since next to none hold of later instances.
    pub(super) listed: FxHashSet<TermId>,
    /// The lemmas of the last attempt by goals.
    pub(super) lemmas: Vec<Lemma>,
    /// How many goals were tried.
    pub(super) goals: usize,
    /// The effort of all attempts.
    pub(super) effort: u64,
}

impl Induction {
    pub(super) fn new(relations: usize) -> Induction {
        Induction {
            invariant: IdVec::filled(Vec::new(), relations),
            refused: FxHashSet::default(),
            listed: FxHashSet::default(),
            lemmas: Vec::new(),
            goals: 0,
            effort: 0,
        }
    }
}

impl Search<'_> {
    /// What is inductive and contradicts all queries, once for each depth: of what labels say, or by
    /// goals. Where induction has taken more than half of the effort there are few candidates and no
    /// goals: on long derivations it is in vain at every depth.
    pub(super) fn induct(&mut self, budget: &Budget) -> Option<Said> {
        let before = budget.effort();
        let may_try = self.induction.effort <= self.effort(budget) / 2;
        let more = if may_try { CANDIDATES } else { 0 };
        let mut said = self.strengthen_by_induction(more, budget);
        if said.is_none() && may_try {
            said = self.solve_inductive_goals(budget);
        }
        self.induction.effort += budget.effort() - before;
        said
    }

    /// Strengthens all labels by what is inductive of some candidates; that is given if it
    /// contradicts all queries.
    fn strengthen_by_induction(&mut self, more: usize, budget: &Budget) -> Option<Said> {
        let inductive = self.inductive(more, budget);
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
            self.induction.invariant[relation].extend(formulas);
        }
        let inductive = self.induction.invariant.clone();
        let queries: Vec<ClauseId> = self.system.queries().collect();
        let falsehood = self.store.bool(false);
        let mut all = queries.into_iter();
        let is_model =
            all.all(|query| self.keeps(query, &inductive, vec![falsehood], budget).len() == 1);
        is_model.then_some(inductive)
    }

    /// Strengthens the label of a new vertex by what is inductive.
    pub(super) fn inherit(&mut self, vertex: VertexId) {
        let relation = self.unwinding.vertices[vertex].relation;
        for formula in self.induction.invariant[relation].clone() {
            self.strengthen(vertex, formula);
        }
    }

    /// What labels say of a relation that is not settled: the newest one first, and as many as that
    /// says and some more.
    fn candidates(&mut self, relation: RelationId, more: usize) -> Vec<TermId> {
        let vertices = self.unwinding.of[relation].iter().rev();
        let Some(&newest) = vertices.clone().next() else {
            let nothing = self.store.bool(false);
            let is_known = self.induction.invariant[relation].contains(&nothing);
            return if is_known { Vec::new() } else { vec![nothing] };
        };
        let labels = vertices.flat_map(|&vertex| &self.unwinding.vertices[vertex].label);
        let known = self.induction.invariant[relation].iter().copied();
        let mut seen: FxHashSet<TermId> = known.collect();
        labels
            .copied()
            .filter(|&it| seen.insert(it) && !self.induction.listed.contains(&it))
            .filter(|&it| !self.induction.refused.contains(&(relation, it)))
            .take(self.unwinding.vertices[newest].label.len() + more)
            .collect()
    }

    /// The largest part of what labels say that is inductive, beside what is known to be.
    fn inductive(&mut self, more: usize, budget: &Budget) -> Said {
        let mut kept: Said = IdVec::new();
        for relation in self.system.relations.ids() {
            let candidates = self.candidates(relation, more);
            kept.push(candidates);
        }
        let (facts, others): (Vec<ClauseId>, Vec<ClauseId>) = (self.system.clauses.ids())
            .filter(|&clause| self.system.clauses[clause].head.is_some())
            .partition(|&clause| self.system.clauses[clause].body.is_empty());
        for clause in facts {
            for (relation, formula) in self.lose(clause, &mut kept, budget) {
                self.induction.refused.insert((relation, formula));
            }
        }
        loop {
            let mut is_changed = false;
            for &clause in &others {
                is_changed |= !self.lose(clause, &mut kept, budget).is_empty();
            }
            if !is_changed {
                return kept;
            }
        }
    }

    /// Takes off what a clause does not keep, and gives it.
    fn lose(
        &mut self,
        clause: ClauseId,
        kept: &mut Said,
        budget: &Budget,
    ) -> Vec<(RelationId, TermId)> {
        let Some(head) = &self.system.clauses[clause].head else {
            return Vec::new();
        };
        let relation = head.relation;
        if kept[relation].is_empty() {
            return Vec::new();
        }
        let mut said = self.induction.invariant.clone();
        for (relation, formulas) in kept.iter_enumerated() {
            said[relation].extend(formulas);
        }
        let before = kept[relation].clone();
        let after = self.keeps(clause, &said, before.clone(), budget);
        let held: FxHashSet<TermId> = after.iter().copied().collect();
        kept[relation] = after;
        let lost = before.into_iter().filter(|it| !held.contains(it));
        lost.map(|it| (relation, it)).collect()
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
        let below = self.said_of_body(clause, said);
        self.kept_by(clause, &below, formulas, budget).0
    }

    /// What is said of the relations of a clause's body.
    pub(super) fn said_of_body(&self, clause: ClauseId, said: &Said) -> Vec<Vec<TermId>> {
        let body = self.system.clauses[clause].body.iter();
        body.map(|atom| said[atom.relation].clone()).collect()
    }
}
