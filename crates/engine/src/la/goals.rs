//! Goals: which are reached, how far away others are, and where none is reachable.

use super::calls::Aim;
use super::graph::{PointId, SegmentKind};
use super::labels::Spot;
use super::runs::Reaction;
use super::search::{Search, Stop};
use base::{Event, IdVec};
use certify::Reason;
use smt::Model;
use std::collections::BTreeSet;

impl Search<'_> {
    /// A goal can be reached from the current state, as far as formulas say: the machine must
    /// agree.
    pub(super) fn reach(&mut self, goal: PointId, model: &Model) -> Result<(), Stop> {
        let reaction = self.test(goal, model);
        // The goal itself is not a state of the path.
        self.states.leave();
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
                let behind = self.states.first_behind(step);
                self.unwind_to(behind.unwrap_or(self.states.len()));
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
    fn leave_goal(&mut self, goal: PointId, why: &str) {
        let message = format!("a path to it cannot be run: {why}");
        self.left.insert(goal, Reason::gave_up(message));
        self.close(&[goal].into());
    }

    /// Takes goals away: where nothing but these can be reached, no goal is.
    pub(super) fn close(&mut self, goals: &BTreeSet<PointId>) {
        self.open.retain(|goal| !goals.contains(goal));
        self.look_for_goals();
        if !self.learns {
            let top = self.ctx.store.bool(true);
            for &goal in goals {
                let place = (Spot::Point(goal), Aim::Goal);
                self.labels.add(&mut self.ctx, place, top);
            }
        }
    }

    /// Finds out how far the open goals are, and labels the locations from which none is reached.
    pub(super) fn look_for_goals(&mut self) {
        let open: Vec<PointId> = self.open.iter().copied().collect();
        self.to_goal = self.distances(open, true);
        if self.learns {
            let leads = self.graph.leading_to(self.open.iter().copied(), true);
            self.label_others(Aim::Goal, &leads);
        }
    }

    /// Labels the heads of loops that may be unbounded, and the entries of what calls itself: no goal
    /// is reached, and no exit, without time to live.
    pub(super) fn label_time(&mut self) {
        let zero = self.ctx.store.int(0i64);
        for id in self.graph.steps.ids() {
            let step = &self.graph.steps[id];
            let Some(clock) = step.decrements else {
                continue;
            };
            let at = match &step.kind {
                SegmentKind::Call(call) => self.graph.callables[&call.callee].entry,
                _ => step.target,
            };
            let tau = self.ctx.store.of_symbol(self.states.clocks[clock]);
            let ended = self.ctx.store.lt(tau, zero);
            for aim in [Aim::Goal, Aim::Exit] {
                let place = (Spot::Point(at), aim);
                self.labels.add(&mut self.ctx, place, ended);
            }
        }
    }

    /// Labels the exits of procedures, and where no way leads to one.
    pub(super) fn label_exits(&mut self) {
        let mut exits = Vec::new();
        let callables = self.graph.callables.values();
        for callable in callables.filter(|callable| callable.returns) {
            let differs = callable.differs(&mut self.ctx);
            let place = (Spot::Point(callable.exit), Aim::Exit);
            self.labels.add(&mut self.ctx, place, differs);
            exits.push(callable.exit);
        }
        self.to_exit = self.distances(exits.clone(), false);
        if !self.graph.callables.is_empty() {
            let leads = self.graph.leading_to(exits, false);
            self.label_others(Aim::Exit, &leads);
        }
    }

    /// Labels the locations that do not lead anywhere.
    pub(super) fn label_others(&mut self, aim: Aim, leads: &IdVec<PointId, bool>) {
        let top = self.ctx.store.bool(true);
        for (at, _) in leads.iter_enumerated().filter(|(_, leads)| !**leads) {
            let place = (Spot::Point(at), aim);
            self.labels.add(&mut self.ctx, place, top);
        }
    }

    /// How many steps it takes at least to some locations, within a procedure or, if so asked,
    /// into calls.
    fn distances(
        &self,
        mut frontier: Vec<PointId>,
        into_calls: bool,
    ) -> IdVec<PointId, Option<u32>> {
        let mut distance = IdVec::filled(None, self.graph.out.len());
        let into = self.graph.predecessors(into_calls);
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
        distance
    }
}
