//! The search: rules Init, Decide, Conjoin and Learn, on one path at a time, through calls.
//!
//! # Paper
//! [mcmillan2010lazy], figures 2 and 5. The queries are the states of one path, so the search is
//! depth first. A query whose steps are all blocked is blocked by Conjoin, and Learn blocks the
//! step that led to it. Conjoin takes all disjuncts of a step's label that can hold now, not only
//! the one that blocks the query: the label is weaker and blocks more. A goal has no steps: it is
//! checked from the state before it and is not a state of the path, and goals that a run was seen
//! to reach are settled. Inside a call a state is blocked if neither a goal is reachable from it
//! nor an exit that violates the postcondition: DecideC enters the callee and, at its exit, returns
//! to the caller; LearnC is Learn for a call, from what blocks the callee's entry and the return.
//!
//! # Invariants
//! - A label is justified, whatever the time to live: where it holds, every step leads to a state
//!   where a label holds. An open goal has none.
//! - What cannot be decided is skipped, never labelled: then the states before it have no labels
//!   either, and there is no proof.

use super::Statistics;
use super::blocked::{By, Now};
use super::calls::Aim;
use super::graph::{Graph, PointId, SegmentId, SegmentKind};
use super::labels::{Labels, Place, Spot};
use super::learn::NoLabel;
use super::runs::Runs;
use super::states::{Last, States};
use base::IdVec;
use certify::Reason;
use encode::EncodingPrecision;
use interpolate::{Interpolator, Layers};
use kit::Context;
use kit::opaque::on_a_path;
use logic::TermId;
use program::ir::LocationId;
use std::collections::{BTreeMap, BTreeSet};

/// How often a step from one state is retried after it was encoded more precisely, or after a run
/// to its goal ended elsewhere.
const TRIES: usize = 8;

/// How many additional labels of a location are kept for strengthening.
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
    pub(super) open: BTreeSet<PointId>,
    /// Why a goal that is not open was not reached.
    pub(super) left: BTreeMap<PointId, Reason>,
    /// Why some path is undecided.
    pub(super) skipped: Option<Reason>,
    /// Whether a path ended because its time to live was used up.
    pub(super) is_cut_short: bool,
    /// Labels that are stronger than those kept, and may be inductive where these are not: for each
    /// step the one disjunct that blocked it.
    pub(super) proposals: BTreeMap<(PointId, Aim), Vec<TermId>>,
    /// Labels of loop heads that prove what the labels here do not.
    pub(super) invariants: Option<BTreeMap<LocationId, TermId>>,
    pub(super) statistics: Statistics,
    /// Whether labels are learned.
    pub(super) learns: bool,
    queries: Vec<Query>,
    /// The distance in steps from a location to the nearest open goal.
    pub(super) to_goal: IdVec<PointId, Option<u32>>,
    /// The same to the exit of its procedure.
    pub(super) to_exit: IdVec<PointId, Option<u32>>,
}

/// What is known about the state at some place of the path, besides the state itself.
struct Query {
    /// The version of its location's label that did not block it.
    version: u64,
    /// What is known about its steps, in order.
    ways: Vec<Way>,
    /// How many of them were taken.
    taken: usize,
}

/// What is known about a step from a state.
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
    /// Blocked by labels.
    Blocked(By),
    /// Not decided, or explored without learning anything.
    Skipped,
}

/// What was undone by backtracking.
enum Left {
    Start,
    /// This of the steps of the state before.
    Way(usize),
    Return,
}

/// Why a search ends before everything is explored.
pub(super) enum Stop {
    /// No goal is open, or the caller has seen enough.
    Enough,
    /// A run reaches an error only because an undefined operation was removed.
    Removed,
    /// A limit.
    Limit(Reason),
}

impl<'s> Search<'s> {
    pub(super) fn new(mut ctx: Context<'s>, graph: Graph, runs: Runs<'s>, learns: bool) -> Self {
        let states = States::new(&mut ctx, graph.clocks);
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
            to_goal: IdVec::filled(None, graph.out.len()),
            to_exit: IdVec::filled(None, graph.out.len()),
            graph,
            ctx,
        };
        search.label_time();
        search.label_exits();
        search.look_for_goals();
        search
    }

    /// Explores all paths with a given time to live.
    pub(super) fn explore(&mut self, time: i64) -> Result<(), Stop> {
        self.unwind_to(0);
        self.states.start(&mut self.ctx, &self.graph, time);
        self.push_query();
        self.queries[0].version = u64::MAX;
        while let Some(at) = self.states.at() {
            self.check_budget()?;
            if let Some(by) = self.blocked_here(at) {
                self.backtrack(by);
            } else if self.is_at_exit(at) {
                self.go_back_to_caller();
            } else if let Some(index) = self.next_way(at) {
                self.decide(at, index)?;
            } else {
                self.conjoin(at);
            }
        }
        Ok(())
    }

    /// Whether the path is at the exit of a procedure that was called.
    fn is_at_exit(&self, at: PointId) -> bool {
        let frame = self.states.frames().last();
        frame.is_some_and(|frame| self.graph.callables[&frame.callee].exit == at)
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

    /// What blocks the current state, if there is a new label that does.
    fn blocked_here(&mut self, at: PointId) -> Option<By> {
        let version = self.version(Spot::Point(at));
        if self
            .queries
            .last()
            .is_none_or(|query| query.version == version)
        {
            return None;
        }
        let by = match self.blocked_at(Spot::Point(at)) {
            Now::Blocked(by) => Some(by),
            Now::Empty | Now::Open(_) | Now::Unknown(_) => None,
        };
        if let Some(query) = self.queries.last_mut() {
            query.version = version;
        }
        by
    }

    /// A step that is not blocked in the current state: one to a goal, or on a shortest path.
    fn next_way(&mut self, at: PointId) -> Option<usize> {
        let mut best: Option<(u32, usize)> = None;
        for index in 0..self.graph.out[at].len() {
            let step = self.graph.out[at][index];
            if !self.is_open(step, index) {
                continue;
            }
            let far = match &self.graph.steps[step].kind {
                SegmentKind::Formula(_) => self.far(self.graph.steps[step].target),
                SegmentKind::Call(call) => {
                    let entry = self.graph.callables[&call.callee].entry;
                    self.far(entry).min(self.far(self.graph.steps[step].target))
                }
                // The escape must be decided before the step next to it counts.
                SegmentKind::Escape(..) | SegmentKind::Opaque(..) => 0,
            };
            if best.is_none_or(|(least, _)| far < least) {
                best = Some((far, index));
            }
        }
        best.map(|(_, index)| index)
    }

    /// The distance to the target.
    fn far(&self, at: PointId) -> u32 {
        let goal = self.to_goal[at].unwrap_or(u32::MAX);
        match self.states.frames().is_empty() {
            true => goal,
            false => goal.min(self.to_exit[at].unwrap_or(u32::MAX)),
        }
    }

    /// Whether a step from the current state is not known to be blocked.
    fn is_open(&mut self, step: SegmentId, index: usize) -> bool {
        let spot = Spot::Segment(step);
        let version = self.version(spot);
        let Some(query) = self.queries.last() else {
            return false;
        };
        let way = query.ways[index];
        match way.fate {
            Fate::Open => {}
            Fate::Blocked(_) | Fate::Skipped => return false,
        }
        if self.labels.cases((spot, Aim::Goal)).is_empty() {
            return true;
        }
        if way.version != Some(version) {
            let fate = match self.blocked_at(spot) {
                Now::Blocked(by) => Fate::Blocked(by),
                Now::Empty | Now::Open(_) | Now::Unknown(_) => Fate::Open,
            };
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

    /// Decide: a step from the current state; if it leads to a blocked state, Learn.
    fn decide(&mut self, at: PointId, index: usize) -> Result<(), Stop> {
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
            SegmentKind::Opaque(what, span) => {
                self.skipped.get_or_insert(on_a_path(what, *span));
                self.way(index).fate = Fate::Skipped;
                return Ok(());
            }
            &SegmentKind::Escape(guard, of) => {
                self.escape(index, guard, of);
                return Ok(());
            }
            SegmentKind::Formula(_) => self.states.enter(&mut self.ctx, id, step),
            SegmentKind::Call(call) => {
                let (ctx, graph) = (&mut self.ctx, &self.graph);
                self.states.call(ctx, graph, id, (step, call));
            }
        }
        let target = self.states.at().expect("a step should lead to a state");
        match self.blocked_at(Spot::Point(target)) {
            Now::Blocked(by) => {
                self.states.leave();
                self.learn(index, Some(by));
            }
            Now::Empty => {
                self.states.leave();
                self.learn(index, None);
            }
            Now::Unknown(why) => {
                self.states.leave();
                self.check_budget()?;
                self.skip(index, &why);
            }
            Now::Open(model) if self.open.contains(&target) => {
                self.reach(target, &model)?;
            }
            Now::Open(_) => self.go_on(),
        }
        Ok(())
    }

    /// The exit of a callee is not blocked: its caller continues. What was not decided there is
    /// left.
    fn go_back_to_caller(&mut self) {
        let way = self.way(0);
        way.tries += 1;
        if way.tries > TRIES || matches!(way.fate, Fate::Skipped) {
            return self.backtrack_without_label();
        }
        self.states.ret(&mut self.ctx, &self.graph);
        self.go_on();
    }

    /// The path was extended.
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
        let ways = match self.is_at_exit(at) {
            true => 1,
            false => self.graph.out[at].len(),
        };
        self.queries.push(Query {
            version: self.version(Spot::Point(at)),
            ways: vec![way; ways],
            taken: 0,
        });
    }

    /// Checks whether a wrap that is not encoded is possible from the current state; if so, it is
    /// encoded from now on.
    fn escape(&mut self, index: usize, guard: Option<TermId>, of: SegmentId) {
        let never = self.ctx.store.bool(false);
        let guard = self.states.value(&mut self.ctx, guard.unwrap_or(never));
        match self.states.model(&mut self.ctx, guard) {
            Ok(None) => self.learn(index, None),
            Ok(Some(_)) => {
                let edges = self.graph.steps[of].edges.iter().copied();
                let needed = EncodingPrecision::wrapping_on(edges);
                self.refine(of, &needed);
            }
            Err(why) => self.skip(index, &why),
        }
    }

    /// Refines the encoding of a step. Labels of locations stay, since they exclude the escape.
    pub(super) fn refine(&mut self, step: SegmentId, needed: &EncodingPrecision) -> bool {
        let is_new = self.graph.refine(&mut self.ctx, step, needed);
        let source = self.graph.steps[step].source;
        for id in self.graph.out[source].clone() {
            for aim in [Aim::Goal, Aim::Exit] {
                self.labels.forget((Spot::Segment(id), aim));
            }
        }
        // What blocked these steps from states of the path mentioned the old formulas.
        for (query, at) in self.queries.iter_mut().zip(self.states.points()) {
            if at == source {
                for way in &mut query.ways {
                    way.fate = Fate::Open;
                    way.version = None;
                }
            }
        }
        is_new
    }

    /// Learn: labels a step from the current state that leads only to blocked states.
    fn learn(&mut self, index: usize, by: Option<By>) {
        let Some(at) = self.states.at() else {
            return;
        };
        let step = self.graph.out[at][index];
        if !self.learns {
            self.way(index).fate = Fate::Skipped;
            return;
        }
        let labels = match self.labels_of(step, by) {
            Ok(labels) => labels,
            // It is decided again; how often is bounded.
            Err(NoLabel::NotBlocked) => return,
            Err(NoLabel::Unknown(why)) => return self.skip(index, &why),
        };
        for aim in [Aim::Goal, Aim::Exit] {
            let place = (Spot::Segment(step), aim);
            self.labels.add(&mut self.ctx, place, labels.of(aim));
        }
        self.statistics.learned += 1;
        self.way(index).fate = Fate::Blocked(labels);
    }

    /// The labels of a step from the current state, for goals and, where that matters, for the exit.
    fn labels_of(&mut self, step: SegmentId, by: Option<By>) -> Result<By, NoLabel> {
        let goal = self.label_of(step, Aim::Goal, by)?;
        let exit = match self.unwanted() {
            Some(unwanted) if !matches!(self.states.model(&mut self.ctx, unwanted), Ok(None)) => {
                self.label_of(step, Aim::Exit, by)?
            }
            Some(_) | None => self.ctx.store.bool(false),
        };
        Ok(By { goal, exit })
    }

    /// Leaves a step from the current state undecided.
    fn skip(&mut self, index: usize, why: &str) {
        let message = format!("a path cannot be decided: {why}");
        self.skipped
            .get_or_insert(Reason::unfinished(message, &self.ctx.budget));
        self.way(index).fate = Fate::Skipped;
    }

    /// Conjoin: all steps from the current state are blocked, and so is the state.
    fn conjoin(&mut self, at: PointId) {
        let query = self.queries.last().expect("a query should be there");
        let mut blocked = Vec::new();
        for way in &query.ways {
            match way.fate {
                Fate::Blocked(by) => blocked.push(by),
                Fate::Open | Fate::Skipped => return self.backtrack_without_label(),
            }
        }
        let goal = self.conjunction(at, Aim::Goal, &blocked);
        let exit = match self.states.frames().is_empty() {
            true => self.ctx.store.bool(false),
            false => self.conjunction(at, Aim::Exit, &blocked),
        };
        self.backtrack(By { goal, exit });
    }

    /// Labels a location with what blocks all its steps.
    fn conjunction(&mut self, at: PointId, aim: Aim, blocked: &[By]) -> TermId {
        let (mut single, mut parts) = (Vec::new(), Vec::new());
        for (index, by) in blocked.iter().enumerate() {
            single.push(by.of(aim));
            let place = (Spot::Segment(self.graph.out[at][index]), aim);
            parts.push(self.cases_now(place, by.of(aim)));
        }
        let [single, label] = [single, parts].map(|parts| {
            let label = self.ctx.store.and(&parts);
            self.ctx.store.simplify(label)
        });
        if single != label && self.has_time(single) {
            self.propose((at, aim), single);
        }
        let place = (Spot::Point(at), aim);
        self.labels.add(&mut self.ctx, place, label);
        label
    }

    /// The disjunction of those disjuncts of a step's label that can hold with the current time to
    /// live, among them the one that blocks it now. With disjuncts for other times the label would
    /// be weaker once the time to live is removed.
    fn cases_now(&mut self, place: Place, blocking: TermId) -> TermId {
        let now = self.states.times();
        let mut cases = vec![blocking];
        for case in self.labels.cases(place).to_vec() {
            let there = self.ctx.store.substitute(case, &now);
            if self.ctx.store.as_bool(there) != Some(false) {
                cases.push(case);
            }
        }
        self.ctx.store.or(&cases)
    }

    /// Keeps a label for strengthening.
    fn propose(&mut self, at: (PointId, Aim), label: TermId) {
        let proposals = self.proposals.entry(at).or_default();
        if !proposals.contains(&label) {
            proposals.push(label);
            let excess = proposals.len().saturating_sub(MOST_PROPOSALS);
            proposals.drain(..excess);
        }
    }

    /// Leaves the current state, which is blocked, and labels the step that led to it. The exit of
    /// a callee that led to it is blocked by its own label now.
    fn backtrack(&mut self, by: By) {
        match self.leave() {
            Left::Way(index) => self.learn(index, Some(by)),
            Left::Start | Left::Return => {}
        }
    }

    fn backtrack_without_label(&mut self) {
        match self.leave() {
            Left::Way(index) => self.way(index).fate = Fate::Skipped,
            Left::Return => self.way(0).fate = Fate::Skipped,
            Left::Start => {}
        }
    }

    /// Undoes the last step.
    fn leave(&mut self) -> Left {
        self.queries.pop();
        let step = match self.states.leave() {
            Last::Start => return Left::Start,
            Last::Return => return Left::Return,
            Last::Segment(step) => step,
        };
        let source = self.graph.steps[step].source;
        let mut ways = self.graph.out[source].iter();
        let index = ways.position(|&id| id == step);
        Left::Way(index.expect("a step should leave its source"))
    }

    /// Backtracks until the path has a given number of states.
    pub(super) fn unwind_to(&mut self, len: usize) {
        while self.states.len() > len {
            self.leave();
        }
    }
}
