//! Whether a state is blocked: by a label for goals and, inside a call, by one for exits.

use super::calls::Aim;
use super::labels::{Place, Spot};
use super::search::Search;
use super::states::Blocked;
use logic::TermId;
use smt::Model;

/// The labels that block a state. That for the exit is `false` where there is nothing to block:
/// outside of calls, and where every exit will do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct By {
    pub(super) goal: TermId,
    pub(super) exit: TermId,
}

impl By {
    pub(super) fn of(self, aim: Aim) -> TermId {
        match aim {
            Aim::Goal => self.goal,
            Aim::Exit => self.exit,
        }
    }
}

/// Whether the current state is blocked.
pub(super) enum Now {
    Blocked(By),
    /// There is no such state.
    Empty,
    /// It is not, in this model.
    Open(Model),
    Unknown(String),
}

impl Search<'_> {
    /// Changes whenever what blocks a state at some place of the current path does.
    pub(super) fn version(&self, spot: Spot) -> u64 {
        let mut version = self.labels.version((spot, Aim::Goal));
        if !self.states.frames().is_empty() {
            version += self.labels.version((spot, Aim::Exit));
        }
        for frame in self.states.frames() {
            let behind = Spot::Point(self.graph.steps[frame.step].target);
            version += self.labels.version((behind, Aim::Goal));
            version += self.labels.version((behind, Aim::Exit));
        }
        version
    }

    /// Whether the current state is blocked by the labels of a location or step.
    pub(super) fn blocked_at(&mut self, spot: Spot) -> Now {
        let always = self.ctx.store.bool(true);
        let never = self.ctx.store.bool(false);
        let mut by = By {
            goal: never,
            exit: never,
        };
        let place = (spot, Aim::Goal);
        let cases = self.labels.cases(place);
        match self.states.blocked(&mut self.ctx, cases, always) {
            Blocked::By(case) => by.goal = self.blocking(place, case),
            Blocked::Empty => return Now::Empty,
            Blocked::No(model) => return Now::Open(model),
            Blocked::Unknown(why) => return Now::Unknown(why),
        }
        if let Some(unwanted) = self.unwanted() {
            let place = (spot, Aim::Exit);
            let cases = self.labels.cases(place);
            match self.states.blocked(&mut self.ctx, cases, unwanted) {
                Blocked::By(case) => by.exit = self.blocking(place, case),
                Blocked::Empty => {}
                Blocked::No(model) => return Now::Open(model),
                Blocked::Unknown(why) => return Now::Unknown(why),
            }
        }
        self.is_cut_short |= self.has_time(by.goal) || self.has_time(by.exit);
        Now::Blocked(by)
    }

    /// The case that blocks a state, or all of them.
    fn blocking(&mut self, place: Place, case: Option<usize>) -> TermId {
        match case {
            Some(case) => self.labels.cases(place)[case],
            None => self.labels.formula(&mut self.ctx, place),
        }
    }
}
