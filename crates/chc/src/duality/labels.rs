//! What becomes of labels: begun with what a clause says, strengthened by a bound, joined from the
//! bounds of several edges, tried for the next vertex of a relation.
//!
//! # Paper
//! [mcmillan2014lazy], section 4, "eager propagation": what is known of the instance of a relation
//! before a vertex is tried for the vertex whenever that is strengthened. The paper tries what is known of all
//! earlier ones.

use super::instance::Instance;
use super::learn::{Prefix, fewest};
use super::options::Convergence;
use super::search::Search;
use super::unwinding::{Edge, VertexId};
use crate::reduce::facts::halves;
use base::Budget;
use horn::ClauseId;
use logic::{Node, TermId};
use smt::{Answer, Model};
use std::rc::Rc;

/// What shows that a formula does not hold of a vertex.
pub(super) struct Loss {
    /// What the vertex is derived from,
    below: Vec<VertexId>,
    /// with these arguments,
    arguments: Vec<Vec<TermId>>,
    /// and their values.
    model: Rc<Model>,
}

/// Formulas that hold; and those that do not, each with a model that shows it, and the arguments of
/// the body there.
pub(super) type Kept = (Vec<TermId>, Vec<(TermId, Rc<Model>, Vec<Vec<TermId>>)>);

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
        let kept = fewest(kept, |fewer| {
            let rest = self.store.or(fewer);
            // Edges whose own bound went before may have kept to the one that goes now.
            let mut without = (edges.iter().zip(&bounds)).filter(|(_, it)| !fewer.contains(it));
            without.all(|(edge, _)| self.is_kept(edge, rest, budget))
        });
        self.store.or(&kept)
    }

    /// An instance of a clause for one question. Questions about different clauses may share a moment,
    /// since clauses share no instances; two about one clause may not.
    pub(super) fn instance(&mut self, clause: ClauseId) -> Rc<Instance> {
        let instance = (self.instances).take(self.system, &mut self.store, clause);
        self.instances.give_back(clause);
        instance
    }

    /// Whether what an edge derives satisfies a formula over the relation's parameters.
    pub(super) fn is_kept(&mut self, edge: &Edge, formula: TermId, budget: &Budget) -> bool {
        let instance = self.instance(edge.clause);
        let prefix = self.prefix(edge.clause, &instance, &self.said_below(edge));
        let claim = self.claims(edge.clause, &instance, &[formula])[0];
        (self.learner).implies(&mut self.store, &prefix, claim, budget)
    }

    /// What is said of each instance that an edge is derived from.
    pub(super) fn said_below(&self, edge: &Edge) -> Vec<Vec<TermId>> {
        let labels = edge.below.iter();
        labels
            .map(|&vertex| self.unwinding.vertices[vertex].label.clone())
            .collect()
    }

    /// Tries for a vertex what is known of the one of its relation before it.
    pub(super) fn propagate(&mut self, vertex: VertexId, budget: &Budget) {
        let relation = self.unwinding.vertices[vertex].relation;
        let others = self.unwinding.of[relation].iter().rev();
        let Some(&before) = others.clone().find(|&&other| other < vertex) else {
            return;
        };
        let mut candidates = self.unwinding.vertices[before].label.clone();
        let edges = self.unwinding.vertices[vertex].edges.clone();
        candidates.retain(|&candidate| !self.is_lost(vertex, candidate));
        let mut kept = candidates.clone();
        for edge in &edges {
            let below = self.said_below(edge);
            let (holding, losses) = self.kept_by(edge.clause, &below, kept, budget);
            kept = holding;
            for (candidate, model, arguments) in losses {
                let below = edge.below.clone();
                let loss = Loss {
                    below,
                    arguments,
                    model,
                };
                self.lost.insert((vertex, candidate), loss);
            }
        }
        for candidate in kept {
            if self.strengthen(vertex, candidate) {
                budget.counters().add("duality propagations", 1);
            }
        }
    }

    /// Whether a formula is known not to hold of a vertex, as far as labels say, or to hold.
    fn is_lost(&mut self, vertex: VertexId, candidate: TermId) -> bool {
        if self.unwinding.vertices[vertex].label.contains(&candidate) {
            return true;
        }
        let Some(loss) = self.lost.get(&(vertex, candidate)) else {
            return false;
        };
        let mut below = loss.below.iter().zip(&loss.arguments);
        below.all(|(&below, arguments)| {
            let label = self.unwinding.label(&mut self.store, below, arguments);
            loss.model.satisfies(&self.store, label)
        })
    }

    /// Those of some formulas over the parameters of its head that all that a clause derives
    /// satisfies, from what is said of each relation of its body. A model of one that is lost often
    /// shows that others are.
    pub(super) fn kept_by(
        &mut self,
        clause: ClauseId,
        below: &[Vec<TermId>],
        mut formulas: Vec<TermId>,
        budget: &Budget,
    ) -> Kept {
        let mut losses = Vec::new();
        let instance = self.instance(clause);
        let prefix = self.prefix(clause, &instance, below);
        while !formulas.is_empty() {
            let claims = self.claims(clause, &instance, &formulas);
            let all = self.store.and(&claims);
            let negated = self.store.not(all);
            let (answer, solver) = self.learner.ask(&self.store, &prefix, &[negated], budget);
            let model = match answer {
                Answer::Unsat => break,
                Answer::Sat => solver.model(),
                Answer::Unknown(_) => None,
            };
            let before = formulas.len();
            if let Some(model) = model {
                let model = Rc::new(model.clone());
                let mut claims = claims.iter();
                let store = &self.store;
                formulas.retain(|&formula| {
                    let is_kept = claims.next().is_some_and(|&it| model.satisfies(store, it));
                    if !is_kept {
                        let arguments = instance.body.clone();
                        losses.push((formula, model.clone(), arguments));
                    }
                    is_kept
                });
            }
            if formulas.len() == before {
                // The solver does not know about all of them together.
                let mut claims = claims.into_iter();
                formulas.retain(|_| {
                    claims.next().is_some_and(|claim| {
                        (self.learner).implies(&mut self.store, &prefix, claim, budget)
                    })
                });
                break;
            }
        }
        (formulas, losses)
    }

    /// The constraint of a clause, with what is said of each relation of its body.
    pub(super) fn prefix(
        &mut self,
        clause: ClauseId,
        instance: &Instance,
        below: &[Vec<TermId>],
    ) -> Prefix {
        let body = self.system.clauses[clause].body.iter();
        let mut more = Vec::new();
        for ((atom, arguments), said) in body.zip(&instance.body).zip(below) {
            let said = self.store.and(said);
            let store = &mut self.store;
            more.push(
                self.unwinding
                    .instantiate(store, atom.relation, said, arguments),
            );
        }
        Prefix {
            constraint: instance.constraint,
            more,
        }
    }

    /// Formulas over the parameters of a clause's head, said of its arguments.
    pub(super) fn claims(
        &mut self,
        clause: ClauseId,
        instance: &Instance,
        formulas: &[TermId],
    ) -> Vec<TermId> {
        let Some(head) = &self.system.clauses[clause].head else {
            return formulas.to_vec();
        };
        let arguments = &instance.head;
        let said = formulas.iter().map(|&formula| {
            (self.unwinding).instantiate(&mut self.store, head.relation, formula, arguments)
        });
        said.collect()
    }

    /// Labels a vertex whose one clause needs nothing with what that clause says, where that is a
    /// conjunction.
    pub(super) fn begin(&mut self, vertex: VertexId, budget: &Budget) {
        let [edge] = &self.unwinding.vertices[vertex].edges[..] else {
            return;
        };
        if !edge.below.is_empty() {
            return;
        }
        let instance = self.instance(edge.clause);
        let relation = self.unwinding.vertices[vertex].relation;
        let parameters = self.unwinding.parameters[relation].clone();
        let mut parts = vec![instance.constraint];
        for (&parameter, &argument) in parameters.iter().zip(&instance.head) {
            parts.push(self.store.eq(parameter, argument));
        }
        let whole = self.store.and(&parts);
        let fact = (self.learner).projected(&mut self.store, whole, &parameters, budget);
        for conjunct in fact.map_or(Vec::new(), |fact| self.store.conjuncts(fact)) {
            if matches!(self.store.node(conjunct), Node::Or(_)) {
                continue;
            }
            // One half of an equality may hold of what comes later, too.
            for half in halves(&mut self.store, conjunct) {
                self.strengthen(vertex, half);
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
        let budget = Budget::unlimited();
        let mut search = Search::new(&system, DUALITY_FINAL.options, &budget);
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
        let x = search.unwinding.parameters[relation][0];
        let store = &mut search.store;
        let (one, two) = (store.int(1i64), store.int(2i64));
        let bounds = vec![store.eq(x, one), store.le(x, two), store.le(two, x)];
        let joined = search.joined(&edges, bounds, &budget);
        for edge in &edges {
            assert!(search.is_kept(edge, joined, &budget));
        }
    }
}
