//! The search for a derivation in an acyclic unwinding, and what it learns where there is none.
//!
//! # Paper
//! [mcmillan2014lazy], figure 1: [`Search::search`] and [`Search::resolve`] are its `Search` and
//! `Rstep`. Decisions are implicants of the new clause's constraint, where the paper fixes the
//! truth values of all its atoms; labels are not decided.

use super::conflict::Conflict;
use super::derived::Derived;
use super::goal::{By, Goal, GoalStep, Subgoal, Used};
use super::induct::Induction;
use super::instance::Instances;
use super::labels::Loss;
use super::learn::{Learner, Prefix};
use super::options::Options;
use super::unwinding::{Edge, Unwinding, VertexId};
use crate::realise::{equals, values};
use base::Budget;
use certify::Reason;
use horn::{ClauseId, Derivation, System};
use logic::{Node, TermId, TermStore, implicant};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Model, Solver};
use std::collections::BTreeSet;

/// How many clauses a goal may have.
const STEPS: usize = 2_000;

/// What goals are resolved for.
#[derive(Clone, Copy)]
enum Aim {
    /// To contradict a query.
    Query,
    /// To cover a vertex by another one. Vertices up to that are taken for what their labels say.
    Cover(VertexId),
    /// To exclude states that break what may be inductive.
    Induction,
}

/// A search, with the unwinding that it labels.
pub(super) struct Search<'s> {
    pub(super) system: &'s System,
    pub(super) store: TermStore,
    pub(super) unwinding: Unwinding,
    pub(super) options: Options,
    pub(super) learner: Learner,
    pub(super) instances: Instances,
    /// Has the constraints of all instances, each behind its guard.
    pub(super) solver: Solver,
    guarded: FxHashSet<TermId>,
    pub(super) goal: Goal,
    scores: FxHashMap<ClauseId, i64>,
    facts: Derived,
    /// Candidates that did not hold of a vertex, and what shows that.
    pub(super) lost: FxHashMap<(VertexId, TermId), Loss>,
    pub(super) is_linear: bool,
    /// How many goals were resolved for queries and covers.
    pub(super) resolved: usize,
    /// The effort when the search began.
    begun: u64,
    pub(super) induction: Induction,
    aim: Aim,
    derivation: Option<Derivation>,
}

/// What became of a goal.
enum GoalOutcome {
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
    pub(super) fn new(system: &'s System, options: Options, budget: &Budget) -> Search<'s> {
        let mut store = system.store.clone();
        let unwinding = Unwinding::new(system, &mut store);
        Search {
            system,
            store,
            unwinding,
            options,
            learner: Learner::new(options.propagates && system.is_linear()),
            instances: Instances::default(),
            solver: Solver::new(),
            guarded: FxHashSet::default(),
            goal: Goal::default(),
            scores: FxHashMap::default(),
            facts: Derived::default(),
            lost: FxHashMap::default(),
            is_linear: system.is_linear(),
            resolved: 0,
            begun: budget.effort(),
            induction: Induction::new(system.relations.len()),
            aim: Aim::Query,
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
        self.clear();
        found?;
        Ok(self.derivation.take())
    }

    /// Strengthens labels between two vertices of a relation so that the first covers the second;
    /// false if what is known of the first does not imply that.
    pub(super) fn force_cover(
        &mut self,
        coverer: VertexId,
        vertex: VertexId,
        budget: &Budget,
    ) -> Result<bool, Reason> {
        let formula = self.store.and(&self.unwinding.vertices[coverer].label);
        let others = self.store.not(formula);
        self.exclude_for(Aim::Cover(coverer), vertex, others, budget)
    }

    /// Strengthens labels so that a vertex has no states that satisfy a formula over its relation's
    /// parameters; false if it has such states.
    pub(super) fn exclude(
        &mut self,
        vertex: VertexId,
        states: TermId,
        budget: &Budget,
    ) -> Result<bool, Reason> {
        self.exclude_for(Aim::Induction, vertex, states, budget)
    }

    fn exclude_for(
        &mut self,
        aim: Aim,
        vertex: VertexId,
        states: TermId,
        budget: &Budget,
    ) -> Result<bool, Reason> {
        let relation = self.unwinding.vertices[vertex].relation;
        self.derivation = None;
        self.aim = aim;
        self.goal.open.push(Subgoal {
            vertex,
            arguments: self.unwinding.parameters[relation].clone(),
            step: 0,
            place: 0,
        });
        self.goal.steps.push(GoalStep {
            by: By::Claim,
            above: None,
            link: states,
            decision: None,
            context: None,
        });
        let found = self.solve(0, None, budget);
        self.clear();
        self.aim = Aim::Query;
        Ok(!matches!(found?, Bound::Derived))
    }

    /// The effort of this search.
    pub(super) fn effort(&self, budget: &Budget) -> u64 {
        budget.effort() - self.begun
    }

    /// A budget for a part of the search: some percent of the effort that the search has taken, at
    /// least a given one. It does not depend on the user's time limit.
    pub(super) fn in_proportion(&self, percent: u64, least: u64, budget: &Budget) -> Budget {
        let part = self.effort(budget).saturating_mul(percent) / 100;
        budget.clone().with_effort(part.max(least))
    }

    /// Takes everything off the goal: an error leaves it where it was.
    fn clear(&mut self) {
        while let Some(step) = self.goal.steps.pop() {
            self.give_back(&step.by);
        }
        self.goal = Goal::default();
    }

    /// Derives one of the subgoals, or strengthens its label so that the goal has no model.
    fn search(&mut self, budget: &Budget) -> Result<GoalOutcome, Reason> {
        if self.goal.open.is_empty() {
            return Err(Reason::unfinished(
                "a derivation that cannot be written down",
                budget,
            ));
        }
        let at = self.choice();
        if let Aim::Cover(floor) = self.aim
            && self.goal.open[at].vertex <= floor
        {
            return Ok(GoalOutcome::Derived);
        }
        let subgoal = self.goal.open.remove(at);
        let mut edges = self.unwinding.vertices[subgoal.vertex].edges.clone();
        if self.options.scores {
            edges.sort_by_key(|edge| -self.score(edge.clause));
        }
        match self.reuse(&subgoal, budget)? {
            Some(GoalOutcome::Derived) => return Ok(GoalOutcome::Derived),
            Some(GoalOutcome::Refuted(core)) if self.is_without(&core) => {
                self.goal.open.insert(at, subgoal);
                return Ok(GoalOutcome::Refuted(core));
            }
            Some(GoalOutcome::Refuted(_)) | None => {}
        }
        let mut bounds = Vec::new();
        let mut used = Used::from([subgoal.step]);
        for edge in &edges {
            match self.resolve(Some(&subgoal), edge, budget)? {
                Bound::Derived => return Ok(GoalOutcome::Derived),
                Bound::Irrelevant(core) => {
                    self.goal.open.insert(at, subgoal);
                    return Ok(GoalOutcome::Refuted(core));
                }
                Bound::Refuted(bound, core) => {
                    bounds.push(bound);
                    used.extend(core);
                }
            }
        }
        let vertex = subgoal.vertex;
        self.goal.open.insert(at, subgoal);
        let bound = self.joined(&edges, bounds, budget);
        self.strengthen(vertex, bound);
        if self.options.propagates {
            self.propagate(vertex, budget);
        }
        Ok(GoalOutcome::Refuted(used))
    }

    /// Goes on with a clause in the place of a subgoal, or with a query.
    fn resolve(
        &mut self,
        subgoal: Option<&Subgoal>,
        edge: &Edge,
        budget: &Budget,
    ) -> Result<Bound, Reason> {
        let own = self.enter(subgoal, edge, budget)?;
        self.count_resolution(budget);
        if subgoal.is_none() {
            budget.counters().add("duality query resolutions", 1);
        }
        self.solve(own, subgoal, budget)
    }

    fn count_resolution(&mut self, budget: &Budget) {
        let counted = match self.aim {
            Aim::Query => "duality resolutions",
            Aim::Cover(_) => "duality resolutions for covers",
            Aim::Induction => return self.count_inductive_goal(budget),
        };
        budget.counters().add(counted, 1);
        self.resolved += 1;
    }

    /// Counts a resolution for induction.
    pub(super) fn count_inductive_goal(&mut self, budget: &Budget) {
        (budget.counters()).add("duality resolutions for induction", 1);
        self.induction.goals += 1;
    }

    /// Derives what the last clause of the goal needs, or finds a bound on what it derives.
    fn solve(
        &mut self,
        own: usize,
        subgoal: Option<&Subgoal>,
        budget: &Budget,
    ) -> Result<Bound, Reason> {
        loop {
            let model = match self.model(None, budget)? {
                Ok(model) => model,
                Err(conflict) => {
                    let bound = self.learn(own, subgoal, conflict, budget)?;
                    self.leave(own);
                    return Ok(bound);
                }
            };
            if self.is_resolved(own, &model, budget)? {
                return Ok(Bound::Derived);
            }
            if self.options.decisions {
                self.decide(own, &model);
            }
            let found = self.search(budget)?;
            self.goal.steps[own].decision = None;
            match found {
                GoalOutcome::Derived => return Ok(Bound::Derived),
                GoalOutcome::Refuted(used) => {
                    if self.options.jumps && subgoal.is_some() && !used.contains(&own) {
                        budget.counters().add("duality jumps", 1);
                        self.lower_score(own);
                        self.leave(own);
                        return Ok(Bound::Irrelevant(used));
                    }
                }
            }
        }
    }

    /// Whether nothing is left to derive; notes what is derived by now.
    fn is_resolved(&mut self, own: usize, model: &Model, budget: &Budget) -> Result<bool, Reason> {
        let is_leaf = match &self.goal.steps[own].by {
            By::Clause(instance) => instance.body.is_empty(),
            By::Fact(_) => true,
            By::Claim => false,
        };
        if is_leaf || self.goal.open.is_empty() {
            let mut model = model.clone();
            if self.goal.base().is_some() {
                // The values of all clauses are needed now.
                self.goal.forget_contexts();
                let whole = self.model(None, budget)?;
                model = whole.map_err(|_| Reason::unfinished("a goal loses its model", budget))?;
            }
            let facts = &mut self.facts;
            self.derivation = (self.goal).derive(self.system, &self.store, &model, facts);
        }
        Ok(self.derivation.is_some())
    }

    /// Derives a subgoal by a fact that is known, and the rest of the goal after it. None if no
    /// fact will do.
    fn reuse(&mut self, subgoal: &Subgoal, budget: &Budget) -> Result<Option<GoalOutcome>, Reason> {
        if !self.options.reuses || self.is_linear {
            return Ok(None);
        }
        let relation = self.unwinding.vertices[subgoal.vertex].relation;
        let facts = self.facts.of(self.system, relation);
        if facts.is_empty() {
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
            context: None,
        });
        let found = match self.is_resolved(own, &model, budget)? {
            true => GoalOutcome::Derived,
            false => self.search(budget)?,
        };
        if matches!(found, GoalOutcome::Refuted(_)) {
            self.leave(own);
        }
        Ok(Some(found))
    }

    /// Adds a clause to the goal and gives its place.
    fn enter(
        &mut self,
        subgoal: Option<&Subgoal>,
        edge: &Edge,
        budget: &Budget,
    ) -> Result<usize, Reason> {
        let own = self.goal.steps.len();
        if own >= STEPS {
            return Err(Reason::gave_up(format!(
                "a derivation needs more than {STEPS} steps"
            )));
        }
        let context = subgoal.and_then(|subgoal| self.context(subgoal, budget));
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
            context,
        });
        Ok(own)
    }

    /// What the goal says of a subgoal, where that can be said in literals without other symbols:
    /// questions do not grow with the goal then. Linear clauses only: what several subgoals
    /// share is not for one of them.
    fn context(&mut self, subgoal: &Subgoal, budget: &Budget) -> Option<TermId> {
        let last = self.goal.steps.last().filter(|_| self.is_linear)?;
        let is_first = self.goal.steps.len() == 1;
        if !last.is_narrow() || !(is_first || last.context.is_some()) {
            return None;
        }
        let mut parts = vec![last.formula(&mut self.store)];
        parts.extend(last.context);
        let whole = self.store.and(&parts);
        let context = self
            .learner
            .projected(&mut self.store, whole, &subgoal.arguments, budget)?;
        let is_cube = !matches!(self.store.node(context), Node::Or(_));
        is_cube.then_some(context)
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

    /// Narrows the goal to literals that hold in a model and imply the constraint of a clause.
    fn decide(&mut self, own: usize, model: &Model) {
        let constraint = self.goal.steps[own].formula(&mut self.store);
        let values = values(&self.store, model, constraint);
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
            self.lower_score(own);
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
        let found = found.map_err(|why| Reason::unfinished(why, budget))?;
        let relation = self.unwinding.vertices[subgoal.vertex].relation;
        let parameters = &self.unwinding.parameters[relation];
        let map = self.store.substitution(&subgoal.arguments, parameters);
        let mut bounds = vec![self.store.substitute(found, &map)];
        for formula in std::mem::take(&mut self.learner.listed) {
            let formula = self.store.substitute(formula, &map);
            self.induction.listed.insert(formula);
            bounds.push(formula);
        }
        let bound = self.store.and(&bounds);
        Ok(Bound::Refuted(bound, conflict.used))
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

    /// Notes that a clause of the goal was of no use.
    fn lower_score(&mut self, step: usize) {
        if let By::Clause(instance) = &self.goal.steps[step].by {
            *self.scores.entry(instance.clause).or_default() -= 1;
        }
    }

    fn score(&self, clause: ClauseId) -> i64 {
        self.scores.get(&clause).copied().unwrap_or(0)
    }
}
