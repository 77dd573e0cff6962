//! The search: rules Init, Decide, Conjoin and Learn, on one path at a time.
//!
//! # Paper
//! [mcmillan2010lazy], figure 2. The queries are the states of one path, so the search goes depth
//! first. A query whose steps are all blocked is blocked by Conjoin, and Learn blocks the step that
//! led to it. Conjoin takes all cases of a step's label that can hold now, not only the one that
//! blocks the query: the label is weaker and blocks more. A goal has no steps: reaching it is a glance from the state before it, not a state
//! of the path, and the goals that a run was seen to reach are goals no more.
//!
//! # Invariants
//! - A label is justified, whatever the time to live: where it holds, every step leads to where a
//!   label holds. A goal that is open has none.
//! - What cannot be decided is skipped, never labelled: then the states before it have no labels
//!   either, and there is no proof.

use super::Statistics;
use super::graph::{Graph, StepId, StepKind};
use super::labels::{Labels, Place};
use super::learn::NoLabel;
use super::runs::{Reaction, Runs};
use super::states::{Blocked, States};
use base::{Event, IdVec};
use certify::{Reason, ReasonKind};
use encode::EncodingPrecision;
use interpolate::{Interpolator, Layers};
use kit::Context;
use logic::TermId;
use program::ir::LocationId;
use rustc_hash::FxHashMap;
use smt::Model;
use std::collections::{BTreeMap, BTreeSet};

/// How often a step from one state is tried again after it was described more closely, or after a
/// run to its goal ended elsewhere.
const TRIES: usize = 8;

/// How many labels of a location are kept for when labels are strengthened, besides those that hold.
const MOST_PROPOSALS: usize = 16;

/// A search in a graph.
pub(super) struct Search<'s> {
    pub(super) ctx: Context<'s>,
    pub(super) graph: Graph,
    pub(super) labels: Labels,
    pub(super) states: States,
    pub(super) interpolator: Interpolator,
    pub(super) runs: Runs<'s>,
    /// The error locations that are still to be reached.
    pub(super) open: BTreeSet<LocationId>,
    /// Why a goal that is not open was not reached.
    pub(super) left: BTreeMap<LocationId, Reason>,
    /// Why some path is not decided.
    pub(super) skipped: Option<Reason>,
    /// Whether a path ended because its time to live did.
    pub(super) is_cut_short: bool,
    /// Labels that are stronger than those that are kept, and may be inductive where these are not:
    /// of each step the one case that blocked it.
    pub(super) proposals: BTreeMap<LocationId, Vec<TermId>>,
    /// Labels of the heads of loops that prove what the labels here do not.
    pub(super) invariants: Option<BTreeMap<LocationId, TermId>>,
    pub(super) statistics: Statistics,
    /// Whether labels are learned.
    learns: bool,
    queries: Vec<Query>,
    /// How many steps it takes at least from a location to an open goal.
    distance: IdVec<LocationId, Option<u32>>,
}

/// What is known of the state at some place of the path, besides the state itself.
struct Query {
    /// The version of its location's label that did not block it.
    version: u64,
    /// What is known of its steps, in order.
    ways: Vec<Way>,
    /// How many of them were taken.
    taken: usize,
}

/// What is known of a step from a state.
#[derive(Clone, Copy)]
struct Way {
    fate: Fate,
    /// The version of its label that did not block it.
    version: Option<u64>,
    tries: usize,
}

#[derive(Clone, Copy)]
enum Fate {
    Open,
    /// Blocked by a label.
    Blocked(TermId),
    /// Not decided, or explored without learning anything.
    Skipped,
}

/// Why a search ends before all is explored.
pub(super) enum Stop {
    /// No goal is open any more, or the caller has seen enough.
    Enough,
    /// A run reaches an error only because something undefined was removed.
    Removed,
    /// A limit.
    Limit(Reason),
}

impl<'s> Search<'s> {
    pub(super) fn new(mut ctx: Context<'s>, graph: Graph, runs: Runs<'s>, learns: bool) -> Self {
        let states = States::new(&mut ctx);
        let mut search = Search {
            open: graph.errors.clone(),
            states,
            labels: Labels::default(),
            interpolator: Interpolator::new(Layers::ALL),
            runs,
            left: BTreeMap::new(),
            skipped: None,
            is_cut_short: false,
            proposals: BTreeMap::new(),
            invariants: None,
            statistics: Statistics::default(),
            learns,
            queries: Vec::new(),
            distance: IdVec::filled(None, graph.out.len()),
            graph,
            ctx,
        };
        search.label_time();
        search.look_for_goals();
        search
    }

    /// Labels the heads of loops that may be unbounded: no goal is reached without time to live.
    fn label_time(&mut self) {
        let steps = self.graph.steps.iter().filter(|step| step.decrements);
        let heads: BTreeSet<LocationId> = steps.map(|step| step.target).collect();
        let tau = self.ctx.store.of_symbol(self.states.tau);
        let zero = self.ctx.store.int(0i64);
        let ended = self.ctx.store.lt(tau, zero);
        for head in heads {
            self.labels.add(&mut self.ctx, Place::Location(head), ended);
        }
    }

    /// Explores all paths with so much time to live.
    pub(super) fn explore(&mut self, time: i64) -> Result<(), Stop> {
        self.unwind_to(0);
        self.states.start(&mut self.ctx, &self.graph, time);
        self.push_query();
        self.queries[0].version = u64::MAX;
        while let Some(at) = self.states.at() {
            self.check_budget()?;
            if let Some(by) = self.blocked_here(at) {
                self.backtrack(by);
            } else if let Some(index) = self.next_way(at) {
                self.decide(at, index)?;
            } else {
                self.conjoin(at);
            }
        }
        Ok(())
    }

    fn check_budget(&self) -> Result<(), Stop> {
        if self.open.is_empty() {
            return Err(Stop::Enough);
        }
        self.ctx.budget.check().map_err(|limit| {
            let message = "the budget ended with goals that are neither reached nor excluded";
            Stop::Limit(Reason::new(limit.into(), message))
        })
    }

    /// What blocks the present state, if its location has a new label that does.
    fn blocked_here(&mut self, at: LocationId) -> Option<TermId> {
        let place = Place::Location(at);
        let version = self.labels.version(place);
        if self
            .queries
            .last()
            .is_none_or(|query| query.version == version)
        {
            return None;
        }
        let by = match self.states.blocked(&mut self.ctx, self.labels.cases(place)) {
            Blocked::By(case) => Some(self.blocking(place, case)),
            Blocked::Empty | Blocked::No(_) | Blocked::Unknown(_) => None,
        };
        self.is_cut_short |= by.is_some_and(|by| self.has_time(by));
        if let Some(query) = self.queries.last_mut() {
            query.version = version;
        }
        by
    }

    /// The case that blocks a state, or all of them.
    fn blocking(&mut self, place: Place, case: Option<usize>) -> TermId {
        match case {
            Some(case) => self.labels.cases(place)[case],
            None => self.labels.formula(&mut self.ctx, place),
        }
    }

    /// A step that is not blocked in the present state: one to a goal, or on the shortest way.
    fn next_way(&mut self, at: LocationId) -> Option<usize> {
        let mut best: Option<(u32, usize)> = None;
        for index in 0..self.graph.out[at].len() {
            let step = self.graph.out[at][index];
            if !self.is_open(step, index) {
                continue;
            }
            let far = self.distance[self.graph.steps[step].target].unwrap_or(u32::MAX);
            let far = match self.graph.steps[step].kind {
                StepKind::Formula(_) => far,
                // What is not described must be known before the step beside it counts.
                StepKind::Escape(..) | StepKind::Opaque(..) => 0,
            };
            if best.is_none_or(|(least, _)| far < least) {
                best = Some((far, index));
            }
        }
        best.map(|(_, index)| index)
    }

    /// Whether a step from the present state is not known to be blocked.
    fn is_open(&mut self, step: StepId, index: usize) -> bool {
        let place = Place::Step(step);
        let version = self.labels.version(place);
        let Some(query) = self.queries.last() else {
            return false;
        };
        let way = query.ways[index];
        match way.fate {
            Fate::Open => {}
            Fate::Blocked(_) | Fate::Skipped => return false,
        }
        if self.labels.cases(place).is_empty() {
            return true;
        }
        if way.version != Some(version) {
            let fate = match self.states.blocked(&mut self.ctx, self.labels.cases(place)) {
                Blocked::By(case) => Fate::Blocked(self.blocking(place, case)),
                Blocked::Empty | Blocked::No(_) | Blocked::Unknown(_) => Fate::Open,
            };
            if let Fate::Blocked(by) = fate {
                self.is_cut_short |= self.has_time(by);
            }
            let way = self.way(index);
            way.fate = fate;
            way.version = Some(version);
        }
        matches!(self.way(index).fate, Fate::Open)
    }

    fn way(&mut self, index: usize) -> &mut Way {
        let query = self.queries.last_mut().expect("a query should be there");
        &mut query.ways[index]
    }

    /// Decide: a step from the present state; where it leads to what is blocked, Learn.
    fn decide(&mut self, at: LocationId, index: usize) -> Result<(), Stop> {
        let id = self.graph.out[at][index];
        self.way(index).tries += 1;
        if self.way(index).tries > TRIES {
            self.skip(
                index,
                "a path leaves what the formulas describe again and again",
            );
            return Ok(());
        }
        let step = &self.graph.steps[id];
        match &step.kind {
            StepKind::Opaque(what, span) => {
                let message = format!("a path goes through {what}, for which there is no formula");
                let reason = Reason::new(ReasonKind::Unsupported, message).at(*span);
                self.skipped.get_or_insert(reason);
                self.way(index).fate = Fate::Skipped;
                return Ok(());
            }
            &StepKind::Escape(guard, of) => {
                self.escape(index, guard, of);
                return Ok(());
            }
            StepKind::Formula(_) => {}
        }
        let (target, place) = (step.target, Place::Location(step.target));
        self.states.enter(&mut self.ctx, id, &self.graph.steps[id]);
        match self.states.blocked(&mut self.ctx, self.labels.cases(place)) {
            Blocked::By(case) => {
                let by = self.blocking(place, case);
                self.is_cut_short |= self.has_time(by);
                self.states.leave(&mut self.ctx);
                self.learn(index, Some(by));
            }
            Blocked::Empty => {
                self.states.leave(&mut self.ctx);
                self.learn(index, None);
            }
            Blocked::Unknown(why) => {
                self.states.leave(&mut self.ctx);
                self.check_budget()?;
                self.skip(index, &why);
            }
            Blocked::No(model) if self.open.contains(&target) => {
                self.reach(target, &model)?;
            }
            Blocked::No(_) => self.go_on(),
        }
        Ok(())
    }

    /// The path was made longer.
    fn go_on(&mut self) {
        if let Some(query) = self.queries.last_mut() {
            self.statistics.backtracks += u64::from(query.taken > 0);
            query.taken += 1;
        }
        self.statistics.decisions += 1;
        self.push_query();
    }

    fn push_query(&mut self) {
        let Some(at) = self.states.at() else {
            return;
        };
        let way = Way {
            fate: Fate::Open,
            version: None,
            tries: 0,
        };
        self.queries.push(Query {
            version: self.labels.version(Place::Location(at)),
            ways: vec![way; self.graph.out[at].len()],
            taken: 0,
        });
    }

    /// Looks whether something wraps from the present state that is not described; if so, it is
    /// described from now on.
    fn escape(&mut self, index: usize, guard: Option<TermId>, of: StepId) {
        let never = self.ctx.store.bool(false);
        let guard = self.states.value(&mut self.ctx, guard.unwrap_or(never));
        match self.states.model(&mut self.ctx, guard) {
            Ok(None) => self.learn(index, None),
            Ok(Some(_)) => {
                let edges = self.graph.steps[of].edges.iter().copied();
                let needed = EncodingPrecision {
                    wraps: edges.collect(),
                    ..EncodingPrecision::default()
                };
                self.refine(of, &needed);
            }
            Err(why) => self.skip(index, &why),
        }
    }

    /// Describes a step more closely. Labels of locations stay, since they exclude the escape.
    pub(super) fn refine(&mut self, step: StepId, needed: &EncodingPrecision) -> bool {
        let is_new = self.graph.refine(&mut self.ctx, step, needed);
        let source = self.graph.steps[step].source;
        for id in self.graph.out[source].clone() {
            self.labels.forget(Place::Step(id));
        }
        // What blocked these steps from states of the path spoke of the old formulas.
        for (query, at) in self.queries.iter_mut().zip(self.states.locations()) {
            if at == source {
                for way in &mut query.ways {
                    way.fate = Fate::Open;
                    way.version = None;
                }
            }
        }
        is_new
    }

    /// Learn: labels a step from the present state, which leads to nothing but what is blocked.
    fn learn(&mut self, index: usize, by: Option<TermId>) {
        let Some(at) = self.states.at() else {
            return;
        };
        let step = self.graph.out[at][index];
        if !self.learns {
            self.way(index).fate = Fate::Skipped;
            return;
        }
        match self.label_of(step, by) {
            Ok(label) => {
                self.labels.add(&mut self.ctx, Place::Step(step), label);
                self.statistics.learned += 1;
                self.way(index).fate = Fate::Blocked(label);
            }
            // It is decided again; how often is bounded.
            Err(NoLabel::NotBlocked) => {}
            Err(NoLabel::Unknown(why)) => self.skip(index, &why),
        }
    }

    /// Leaves a step from the present state undecided.
    fn skip(&mut self, index: usize, why: &str) {
        let message = format!("a path cannot be decided: {why}");
        let kind = (self.ctx.budget.check().err()).map_or(ReasonKind::GaveUp, Into::into);
        self.skipped.get_or_insert(Reason::new(kind, message));
        self.way(index).fate = Fate::Skipped;
    }

    /// Conjoin: all steps from the present state are blocked, and so is the state.
    fn conjoin(&mut self, at: LocationId) {
        let query = self.queries.last().expect("a query should be there");
        let (mut single, mut parts) = (Vec::new(), Vec::new());
        for (index, way) in query.ways.clone().into_iter().enumerate() {
            let Fate::Blocked(label) = way.fate else {
                return self.backtrack_without_label();
            };
            single.push(label);
            parts.push(self.cases_now(self.graph.out[at][index], label));
        }
        let [single, label] = [single, parts].map(|parts| {
            let label = self.ctx.store.and(&parts);
            self.ctx.store.simplify(label)
        });
        if single != label && self.has_time(single) {
            self.propose(at, single);
        }
        self.labels.add(&mut self.ctx, Place::Location(at), label);
        self.backtrack(label);
    }

    /// That one of the cases of a step's label holds which can hold with as much time to live as there
    /// is, among them the one that blocks it now. With cases for other times the label would say less
    /// once the time to live is taken out.
    fn cases_now(&mut self, step: StepId, blocking: TermId) -> TermId {
        let time = self.ctx.store.int(self.states.time);
        let now = FxHashMap::from_iter([(self.states.tau, time)]);
        let mut cases = vec![blocking];
        for case in self.labels.cases(Place::Step(step)).to_vec() {
            let there = self.ctx.store.substitute(case, &now);
            if self.ctx.store.as_bool(there) != Some(false) {
                cases.push(case);
            }
        }
        self.ctx.store.or(&cases)
    }

    /// Keeps a label for when labels are strengthened.
    fn propose(&mut self, at: LocationId, label: TermId) {
        let proposals = self.proposals.entry(at).or_default();
        if !proposals.contains(&label) {
            proposals.push(label);
            let excess = proposals.len().saturating_sub(MOST_PROPOSALS);
            proposals.drain(..excess);
        }
    }

    /// Leaves the present state, which is blocked, and labels the step that led to it.
    fn backtrack(&mut self, by: TermId) {
        if let Some(index) = self.leave() {
            self.learn(index, Some(by));
        }
    }

    fn backtrack_without_label(&mut self) {
        if let Some(index) = self.leave() {
            self.way(index).fate = Fate::Skipped;
        }
    }

    /// Takes the last step back; which of the steps of the state before it was.
    fn leave(&mut self) -> Option<usize> {
        self.queries.pop();
        let step = self.states.leave(&mut self.ctx)?;
        let source = self.graph.steps[step].source;
        self.graph.out[source].iter().position(|&id| id == step)
    }

    /// Takes steps back until the path has so many states.
    pub(super) fn unwind_to(&mut self, len: usize) {
        while self.states.len() > len {
            self.leave();
        }
    }

    /// A goal can be reached from the present state, as far as formulas say: the machine must agree.
    fn reach(&mut self, goal: LocationId, model: &Model) -> Result<(), Stop> {
        let reaction = self.test(goal, model);
        // The goal itself is no state of the path.
        self.states.leave(&mut self.ctx);
        match reaction {
            Reaction::Reached(goals) => {
                self.statistics.tests += 1;
                self.close(&goals);
                let count = self.graph.errors.len() - self.open.len();
                self.ctx.budget.report(Event::Progress {
                    what: "goals reached",
                    done: count as u64,
                });
                Ok(())
            }
            Reaction::Stop => Err(Stop::Enough),
            Reaction::Removed => Err(Stop::Removed),
            Reaction::Refine(step, needed) if self.refine(step, &needed) => {
                let depth = self.states.steps().position(|id| id == step);
                self.unwind_to(depth.map_or(self.states.len(), |depth| depth + 1));
                Ok(())
            }
            Reaction::Refine(..) => {
                self.leave_goal(goal, "it leaves what the formulas describe");
                Ok(())
            }
            Reaction::Diverged(why) => {
                self.leave_goal(goal, &why);
                Ok(())
            }
        }
    }

    /// Gives up on a goal that a run does not reach although it should.
    fn leave_goal(&mut self, goal: LocationId, why: &str) {
        let message = format!("a path to it cannot be run: {why}");
        self.left
            .insert(goal, Reason::new(ReasonKind::GaveUp, message));
        self.close(&[goal].into());
    }

    /// Takes goals away: where nothing but these can be reached, no goal is.
    pub(super) fn close(&mut self, goals: &BTreeSet<LocationId>) {
        self.open.retain(|goal| !goals.contains(goal));
        self.look_for_goals();
        if !self.learns {
            let top = self.ctx.store.bool(true);
            for &goal in goals {
                self.labels.add(&mut self.ctx, Place::Location(goal), top);
            }
        }
    }

    /// Finds out how far the open goals are, and labels the locations from which none is reached.
    fn look_for_goals(&mut self) {
        let graph = &self.graph;
        let mut distance = IdVec::filled(None, graph.out.len());
        let mut into: IdVec<LocationId, Vec<LocationId>> =
            IdVec::filled(Vec::new(), graph.out.len());
        for step in graph.steps.iter() {
            into[step.target].push(step.source);
        }
        let mut frontier: Vec<LocationId> = self.open.iter().copied().collect();
        let mut far = 0;
        while !frontier.is_empty() {
            let mut next = Vec::new();
            for &at in &frontier {
                if distance[at].is_none() {
                    distance[at] = Some(far);
                    next.extend(&into[at]);
                }
            }
            frontier = next;
            far += 1;
        }
        self.distance = distance;
        if self.learns {
            let leads = self.graph.leading_to(&self.open);
            let top = self.ctx.store.bool(true);
            for (at, _) in leads.iter_enumerated().filter(|(_, leads)| !**leads) {
                self.labels.add(&mut self.ctx, Place::Location(at), top);
            }
        }
    }
}
