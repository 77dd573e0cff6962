//! The search for a derivation in an acyclic unwinding, and what it learns where there is none.
//!
//! # Paper
//! [mcmillan2014lazy], figure 1: [`Search::search`] and [`Search::resolve`] are its `Search` and
//! `Rstep`. Decisions are implicants of the new clause's constraint, where the paper fixes the
//! truth values of all its atoms; labels are not decided.

use super::derived::Derived;
use super::goal::{By, Conflict, Goal, GoalStep, Subgoal, Used};
use super::instance::{Instance, Instances};
use super::learn::{Learner, Prefix};
use super::options::{Convergence, Options};
use super::unwinding::{Edge, Unwinding, VertexId};
use crate::realise::equals;
use base::Budget;
use certify::{Reason, ReasonKind};
use horn::{ClauseId, Derivation, System};
use logic::{TermId, TermStore, implicant};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Answer, Model, Solver};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many clauses a goal may have.
const STEPS: usize = 2_000;

/// A search, with the unwinding that it labels.
pub(super) struct Search<'s> {
    pub(super) system: &'s System,
    pub(super) store: TermStore,
    pub(super) unwinding: Unwinding,
    pub(super) options: Options,
    pub(super) learner: Learner,
    instances: Instances,
    /// Has the constraints of all instances, each behind its guard.
    solver: Solver,
    guarded: FxHashSet<TermId>,
    goal: Goal,
    scores: FxHashMap<ClauseId, i64>,
    facts: Derived,
    is_linear: bool,
    derivation: Option<Derivation>,
}

/// What became of a goal.
enum Found {
    /// It has a derivation.
    Derived,
    /// The labels contradict it, with these clauses of the goal.
    Refuted(Used),
}

/// What became of a goal that was resolved with a clause.
enum Bound {
    /// It has a derivation.
    Derived,
    /// What the clause derives satisfies a formula over the relation's parameters that
    /// contradicts the goal, with these clauses of it.
    Refuted(TermId, Used),
    /// The goal is contradicted by others of its clauses alone.
    Irrelevant(Used),
}

impl<'s> Search<'s> {
    pub(super) fn new(system: &'s System, options: Options) -> Search<'s> {
        let mut store = system.store.clone();
        let unwinding = Unwinding::new(system, &mut store);
        Search {
            system,
            store,
            unwinding,
            options,
            learner: Learner::new(),
            instances: Instances::default(),
            solver: Solver::new(),
            guarded: FxHashSet::default(),
            goal: Goal::default(),
            scores: FxHashMap::default(),
            facts: Derived::default(),
            is_linear: system.is_linear(),
            derivation: None,
        }
    }

    /// Looks for a derivation of false by a query from vertices. If there is none, labels
    /// contradict the query afterwards.
    pub(super) fn refute(
        &mut self,
        query: ClauseId,
        below: &[VertexId],
        budget: &Budget,
    ) -> Result<Option<Derivation>, Reason> {
        let edge = Edge {
            clause: query,
            below: below.to_vec(),
        };
        self.derivation = None;
        let found = self.resolve(None, &edge, budget);
        // An error leaves the goal where it was.
        while let Some(step) = self.goal.steps.pop() {
            self.give_back(&step.by);
        }
        self.goal = Goal::default();
        found?;
        Ok(self.derivation.take())
    }

    /// Derives one of the subgoals, or strengthens its label so that the goal has no model.
    fn search(&mut self, budget: &Budget) -> Result<Found, Reason> {
        if self.goal.open.is_empty() {
            return Err(undecided(
                "a derivation that cannot be written down",
                budget,
            ));
        }
        let at = self.choice();
        let subgoal = self.goal.open.remove(at);
        let mut edges = self.unwinding.vertices[subgoal.vertex].edges.clone();
        if self.options.scores {
            edges.sort_by_key(|edge| -self.score(edge.clause));
        }
        match self.reuse(&subgoal, budget)? {
            Some(Found::Derived) => return Ok(Found::Derived),
            Some(Found::Refuted(core)) if self.is_without(&core) => {
                self.goal.open.insert(at, subgoal);
                return Ok(Found::Refuted(core));
            }
            Some(Found::Refuted(_)) | None => {}
        }
        let mut bounds = Vec::new();
        let mut used = Used::from([subgoal.step]);
        for edge in &edges {
            match self.resolve(Some(&subgoal), edge, budget)? {
                Bound::Derived => return Ok(Found::Derived),
                Bound::Irrelevant(core) => {
                    self.goal.open.insert(at, subgoal);
                    return Ok(Found::Refuted(core));
                }
                Bound::Refuted(bound, core) => {
                    bounds.push(bound);
                    used.extend(core);
                }
            }
        }
        let vertex = subgoal.vertex;
        self.goal.open.insert(at, subgoal);
        let bound = self.joined(vertex, &edges, bounds, budget);
        self.strengthen(vertex, bound);
        if self.options.propagates {
            self.propagate(vertex, budget);
        }
        Ok(Found::Refuted(used))
    }

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

    /// Goes on with a clause in the place of a subgoal, or with a query.
    fn resolve(
        &mut self,
        subgoal: Option<&Subgoal>,
        edge: &Edge,
        budget: &Budget,
    ) -> Result<Bound, Reason> {
        let own = self.enter(subgoal, edge)?;
        budget.counters().add("duality resolutions", 1);
        loop {
            let model = match self.model(None, budget)? {
                Ok(model) => model,
                Err(conflict) => {
                    let bound = self.learn(own, subgoal, conflict, budget)?;
                    self.leave(own);
                    return Ok(bound);
                }
            };
            if self.is_resolved(own, &model) {
                return Ok(Bound::Derived);
            }
            if self.options.decisions {
                self.decide(own, &model);
            }
            let found = self.search(budget)?;
            self.goal.steps[own].decision = None;
            match found {
                Found::Derived => return Ok(Bound::Derived),
                Found::Refuted(used) => {
                    if self.options.jumps && subgoal.is_some() && !used.contains(&own) {
                        budget.counters().add("duality jumps", 1);
                        *self.scores.entry(edge.clause).or_default() -= 1;
                        self.leave(own);
                        return Ok(Bound::Irrelevant(used));
                    }
                }
            }
        }
    }

    /// Whether nothing is left to derive; notes what is derived by now.
    fn is_resolved(&mut self, own: usize, model: &Model) -> bool {
        let is_leaf = match &self.goal.steps[own].by {
            By::Clause(instance) => instance.body.is_empty(),
            By::Fact(_) => true,
        };
        if is_leaf || self.goal.open.is_empty() {
            let facts = &mut self.facts;
            self.derivation = (self.goal).derive(self.system, &self.store, model, facts);
        }
        self.derivation.is_some()
    }

    /// Derives a subgoal by a fact that is known, and the rest of the goal after it. None if no
    /// fact will do.
    fn reuse(&mut self, subgoal: &Subgoal, budget: &Budget) -> Result<Option<Found>, Reason> {
        let relation = self.unwinding.vertices[subgoal.vertex].relation;
        let facts = self.facts.of(self.system, relation);
        if !self.options.reuses || self.is_linear || facts.is_empty() {
            return Ok(None);
        }
        let mut known = Vec::new();
        for (_, values) in &facts {
            let equal: Vec<TermId> = (subgoal.arguments.iter().zip(values))
                .map(|(&argument, value)| equals(&mut self.store, argument, value))
                .collect();
            known.push(self.store.and(&equal));
        }
        let any = self.store.or(&known);
        let Ok(model) = self.model(Some(any), budget)? else {
            return Ok(None);
        };
        let fits = |formula: &TermId| model.satisfies(&self.store, *formula);
        let Some(at) = known.iter().position(fits) else {
            return Ok(None);
        };
        budget.counters().add("duality reuses", 1);
        let own = self.goal.steps.len();
        self.goal.steps.push(GoalStep {
            by: By::Fact(facts[at].0),
            above: Some((subgoal.step, subgoal.place)),
            link: known[at],
            decision: None,
        });
        let found = match self.is_resolved(own, &model) {
            true => Found::Derived,
            false => self.search(budget)?,
        };
        if matches!(found, Found::Refuted(_)) {
            self.leave(own);
        }
        Ok(Some(found))
    }

    /// Adds a clause to the goal and gives its place.
    fn enter(&mut self, subgoal: Option<&Subgoal>, edge: &Edge) -> Result<usize, Reason> {
        let own = self.goal.steps.len();
        if own >= STEPS {
            let message = format!("a derivation needs more than {STEPS} steps");
            return Err(Reason::new(ReasonKind::GaveUp, message));
        }
        let instance = (self.instances).take(self.system, &mut self.store, edge.clause);
        if self.guarded.insert(instance.guard) {
            let constraint = self.store.implies(instance.guard, instance.constraint);
            self.solver.assert(&self.store, constraint);
        }
        let mut links = Vec::new();
        if let Some(subgoal) = subgoal {
            for (&a, &b) in instance.head.iter().zip(&subgoal.arguments) {
                links.push(self.store.eq(a, b));
            }
        }
        let link = self.store.and(&links);
        for (place, (&vertex, arguments)) in edge.below.iter().zip(&instance.body).enumerate() {
            self.goal.open.push(Subgoal {
                vertex,
                arguments: arguments.clone(),
                step: own,
                place,
            });
        }
        self.goal.steps.push(GoalStep {
            by: By::Clause(instance),
            above: subgoal.map(|subgoal| (subgoal.step, subgoal.place)),
            link,
            decision: None,
        });
        Ok(own)
    }

    /// Takes the last clause off the goal.
    fn leave(&mut self, own: usize) {
        self.goal.open.retain(|subgoal| subgoal.step != own);
        if let Some(step) = self.goal.steps.pop() {
            self.give_back(&step.by);
        }
    }

    fn give_back(&mut self, by: &By) {
        if let By::Clause(instance) = by {
            self.instances.give_back(instance.clause);
        }
    }

    /// A model of the goal with the labels of its subgoals, or why there is none.
    fn model(
        &mut self,
        more: Option<TermId>,
        budget: &Budget,
    ) -> Result<Result<Model, Conflict>, Reason> {
        // What is assumed, and the clause for which it is.
        let mut assumed: Vec<(TermId, usize)> = Vec::new();
        for (at, step) in self.goal.steps.iter().enumerate() {
            assumed.extend(step.assumed().into_iter().map(|term| (term, at)));
        }
        let mut labels: Vec<(TermId, usize)> = Vec::new();
        for subgoal in &self.goal.open {
            let arguments = &subgoal.arguments;
            let label = (self.unwinding).label(&mut self.store, subgoal.vertex, arguments);
            labels.push((label, subgoal.step));
        }
        let store = &self.store;
        let terms = assumed.iter().chain(&labels).map(|&(term, _)| term);
        let terms = terms.chain(more);
        let terms: Vec<TermId> = terms
            .filter(|&term| store.as_bool(term) != Some(true))
            .collect();
        match self.solver.check(&self.store, &terms, budget) {
            Answer::Sat => match self.solver.model() {
                Some(model) => Ok(Ok(model.clone())),
                None => Err(undecided("a model of a goal cannot be read", budget)),
            },
            Answer::Unsat => Ok(Err(self.conflict(&assumed, &labels))),
            Answer::Unknown(why) => Err(undecided(&why, budget)),
        }
    }

    /// What the last question's core says of the goal.
    fn conflict(&mut self, assumed: &[(TermId, usize)], labels: &[(TermId, usize)]) -> Conflict {
        let core: BTreeSet<TermId> = self.solver.core().iter().copied().collect();
        let own = self.goal.steps.len().saturating_sub(1);
        let is_needed = |(term, step): &&(TermId, usize)| core.contains(term) && *step != own;
        let steps: Used = assumed
            .iter()
            .filter(is_needed)
            .map(|&(_, at)| at)
            .collect();
        let mut used = steps.clone();
        let mut suffix: Vec<TermId> = Vec::new();
        for &step in &steps {
            suffix.push(self.goal.steps[step].formula(&mut self.store));
        }
        for &(label, step) in labels.iter().filter(is_needed) {
            suffix.push(label);
            used.insert(step);
        }
        // Without its link the last clause has nothing to do with the others.
        let link = self.goal.steps.last().map(|step| step.link);
        let is_linked = link.is_some_and(|link| core.contains(&link));
        Conflict {
            needs_prefix: is_linked || suffix.is_empty(),
            used,
            suffix,
        }
    }

    /// Narrows the goal to literals that hold in a model and imply the constraint of a clause.
    fn decide(&mut self, own: usize, model: &Model) {
        let constraint = self.goal.steps[own].formula(&mut self.store);
        let values = super::learn::values(&self.store, model, constraint);
        let literals = implicant(&mut self.store, constraint, &BTreeSet::new(), &values);
        self.goal.steps[own].decision = literals.map(|literals| self.store.and(&literals));
    }

    /// What is learned from a goal without a model, of the last clause in it.
    fn learn(
        &mut self,
        own: usize,
        subgoal: Option<&Subgoal>,
        conflict: Conflict,
        budget: &Budget,
    ) -> Result<Bound, Reason> {
        let (Some(subgoal), By::Clause(instance)) = (subgoal, self.goal.steps[own].by.clone())
        else {
            let truth = self.store.bool(true);
            return Ok(Bound::Refuted(truth, Used::new()));
        };
        if self.options.jumps && !conflict.needs_prefix {
            *self.scores.entry(instance.clause).or_default() -= 1;
            return Ok(Bound::Irrelevant(conflict.used));
        }
        let mut more = vec![self.goal.steps[own].link];
        for other in &self.goal.open {
            if other.step == own {
                more.push((self.unwinding).label(&mut self.store, other.vertex, &other.arguments));
            }
        }
        let prefix = Prefix {
            constraint: instance.constraint,
            more,
        };
        let found = self.learner.interpolant(
            &mut self.store,
            &prefix,
            &conflict.suffix,
            self.options.generalises,
            budget,
        );
        let found = found.map_err(|why| undecided(&why, budget))?;
        let relation = self.unwinding.vertices[subgoal.vertex].relation;
        let parameters = &self.unwinding.parameters[relation];
        let map = super::unwinding::substitution(&self.store, &subgoal.arguments, parameters);
        let bound = self.store.substitute(found, &map);
        Ok(Bound::Refuted(bound, conflict.used))
    }

    /// One formula of the bounds of all edges of a vertex: a bound that all edges keep to is
    /// enough.
    fn joined(
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
        while kept.len() > 1 && at < kept.len() {
            let mut fewer = kept.clone();
            let dropped = fewer.remove(at);
            let rest = self.store.or(&fewer);
            let relation = self.unwinding.vertices[vertex].relation;
            let concerned = edges.iter().zip(&bounds);
            let concerned: Vec<Edge> = concerned
                .filter(|(_, bound)| **bound == dropped)
                .map(|(edge, _)| edge.clone())
                .collect();
            let holds = concerned
                .iter()
                .all(|edge| self.is_kept(relation, edge, rest, budget));
            match holds {
                true => {
                    kept = fewer;
                }
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
        relation: horn::RelationId,
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

    /// Tries for a vertex what is known of earlier ones of its relation.
    pub(super) fn propagate(&mut self, vertex: VertexId, budget: &Budget) {
        let relation = self.unwinding.vertices[vertex].relation;
        let edges = self.unwinding.vertices[vertex].edges.clone();
        let mut candidates: Vec<TermId> = Vec::new();
        for &other in &self.unwinding.of[relation] {
            if other < vertex {
                candidates.extend(&self.unwinding.vertices[other].label);
            }
        }
        candidates.sort_unstable();
        candidates.dedup();
        for candidate in candidates {
            if self.unwinding.vertices[vertex].label.contains(&candidate) {
                continue;
            }
            let mut all = edges.iter();
            if all.all(|edge| self.is_kept(relation, edge, candidate, budget))
                && self.strengthen(vertex, candidate)
            {
                budget.counters().add("duality propagations", 1);
            }
        }
    }

    /// Whether a conflict needs none of the clauses that are in the goal no more.
    fn is_without(&self, core: &Used) -> bool {
        self.options.jumps && core.last().is_none_or(|&last| last < self.goal.steps.len())
    }

    /// Which subgoal is derived next.
    fn choice(&self) -> usize {
        if !self.options.scores {
            return self.goal.open.len() - 1;
        }
        let score = |subgoal: &Subgoal| {
            let edges = self.unwinding.vertices[subgoal.vertex].edges.iter();
            edges.map(|edge| self.score(edge.clause)).max()
        };
        let best = (self.goal.open.iter().enumerate()).max_by_key(|(_, subgoal)| score(subgoal));
        best.map_or(0, |(at, _)| at)
    }

    fn score(&self, clause: ClauseId) -> i64 {
        self.scores.get(&clause).copied().unwrap_or(0)
    }
}

/// The reason for a question that was not answered.
pub(super) fn undecided(why: &str, budget: &Budget) -> Reason {
    let kind = budget.check().err().map_or(ReasonKind::GaveUp, Into::into);
    Reason::new(kind, why.to_owned())
}
