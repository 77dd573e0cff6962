//! What becomes of labels: strengthened by a bound, joined from the bounds of several edges, tried
//! for the next vertex of a relation.
//!
//! # Paper
//! [mcmillan2014lazy], section 4, "eager propagation": what is known of the instance of a relation
//! before a vertex is tried for the vertex whenever that is strengthened.

use super::instance::Instance;
use super::learn::Prefix;
use super::options::Convergence;
use super::search::Search;
use super::unwinding::{Edge, VertexId};
use base::Budget;
use horn::{ClauseId, RelationId};
use logic::TermId;
use std::rc::Rc;

impl Search<'_> {
    /// Strengthens the label of a vertex. What holds of all facts up to a height holds of lower
    /// ones.
    pub(super) fn strengthen(&mut self, vertex: VertexId, bound: TermId) -> bool {
        let is_new = self.unwinding.strengthen(&self.store, vertex, bound);
        if self.options.convergence == Convergence::Heights {
            let relation = self.unwinding.vertices[vertex].relation;
            for other in self.unwinding.of[relation].clone() {
                if other < vertex {
                    self.unwinding.strengthen(&self.store, other, bound);
                }
            }
        }
        is_new
    }

    /// One formula of the bounds of all edges of a vertex: a bound that all edges keep to is
    /// enough.
    pub(super) fn joined(
        &mut self,
        vertex: VertexId,
        edges: &[Edge],
        bounds: Vec<TermId>,
        budget: &Budget,
    ) -> TermId {
        if !self.options.generalises || bounds.len() < 2 {
            return self.store.or(&bounds);
        }
        let mut kept = bounds.clone();
        kept.sort_unstable();
        kept.dedup();
        let mut at = 0;
        let relation = self.unwinding.vertices[vertex].relation;
        while kept.len() > 1 && at < kept.len() {
            let mut fewer = kept.clone();
            fewer.remove(at);
            let rest = self.store.or(&fewer);
            // Edges whose own bound went before may have kept to the one that goes now.
            let mut without = (edges.iter().zip(&bounds)).filter(|(_, it)| !fewer.contains(it));
            match without.all(|(edge, _)| self.is_kept(relation, edge, rest, budget)) {
                true => kept = fewer,
                false => at += 1,
            }
        }
        self.store.or(&kept)
    }

    /// An instance of a clause that is used at once, and no longer than until the next is taken.
    pub(super) fn instance(&mut self, clause: ClauseId) -> Rc<Instance> {
        let instance = (self.instances).take(self.system, &mut self.store, clause);
        self.instances.give_back(clause);
        instance
    }

    /// Whether what an edge derives satisfies a formula over the relation's parameters.
    pub(super) fn is_kept(
        &mut self,
        relation: RelationId,
        edge: &Edge,
        formula: TermId,
        budget: &Budget,
    ) -> bool {
        let instance = self.instance(edge.clause);
        let mut more = Vec::new();
        for (&vertex, arguments) in edge.below.iter().zip(&instance.body) {
            more.push(self.unwinding.label(&mut self.store, vertex, arguments));
        }
        let prefix = Prefix {
            constraint: instance.constraint,
            more,
        };
        let head = &instance.head;
        let claim = (self.unwinding).instantiate(&mut self.store, relation, formula, head);
        (self.learner).implies(&mut self.store, &prefix, claim, budget)
    }

    /// Tries for a vertex what is known of the one of its relation before it.
    pub(super) fn propagate(&mut self, vertex: VertexId, budget: &Budget) {
        let relation = self.unwinding.vertices[vertex].relation;
        let others = self.unwinding.of[relation].iter().rev();
        let Some(&before) = others.clone().find(|&&other| other < vertex) else {
            return;
        };
        let edges = self.unwinding.vertices[vertex].edges.clone();
        for candidate in self.unwinding.vertices[before].label.clone() {
            if self.unwinding.vertices[vertex].label.contains(&candidate) {
                continue;
            }
            // What was lost is lost as long as nothing new is known of what it is derived from.
            let below = edges.iter().flat_map(|edge| &edge.below);
            let known = below.map(|&below| self.unwinding.vertices[below].label.len());
            let known = known.sum();
            if self.lost.get(&(vertex, candidate)) == Some(&known) {
                continue;
            }
            let mut all = edges.iter();
            match all.all(|edge| self.is_kept(relation, edge, candidate, budget)) {
                true if self.strengthen(vertex, candidate) => {
                    budget.counters().add("duality propagations", 1);
                }
                true => {}
                false => {
                    self.lost.insert((vertex, candidate), known);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::duality::DUALITY_FINAL;
    use base::SourceMap;

    /// Each bound follows from the others' edges but the last one is not enough for the first.
    #[test]
    fn a_bound_that_is_dropped_is_made_up_for_by_those_that_stay() {
        let text = "(set-logic HORN) (declare-fun p (Int) Bool)
            (assert (p 1)) (assert (p 2)) (assert (p 3))
            (assert (forall ((x Int)) (=> (p x) (<= x 9))))";
        let mut sources = SourceMap::new();
        let file = sources.add("p.smt2", text.as_bytes().to_vec());
        let file = file.expect("the text should fit");
        let system = horn::read(sources.file(file)).expect("the text should be clauses");
        let mut search = Search::new(&system, DUALITY_FINAL.options);
        let relation = system
            .relations
            .ids()
            .next()
            .expect("there is one relation");
        let edges: Vec<Edge> = (system.clauses_of(relation))
            .map(|clause| Edge {
                clause,
                below: Vec::new(),
            })
            .collect();
        let vertex = search.unwinding.add(relation, edges.clone());
        let x = search.unwinding.parameters[relation][0];
        let store = &mut search.store;
        let (one, two) = (store.int(1i64), store.int(2i64));
        let bounds = vec![store.eq(x, one), store.le(x, two), store.le(two, x)];
        let budget = Budget::unlimited();
        let joined = search.joined(vertex, &edges, bounds, &budget);
        for edge in &edges {
            assert!(search.is_kept(relation, edge, joined, &budget));
        }
    }
}
