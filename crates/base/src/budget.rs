//! Limits of a run (time, effort, memory, cancellation) and the events it reports.
//!
//! Effort is counted in units by the work itself: one of Z3's own resource units, some steps of the
//! machine, a pivot of the prover. A unit takes about a microsecond, but the count does not depend
//! on how busy the machine is. Work that charges nothing is small in comparison.
//!
//! # Invariants
//! - Once [`Budget::check`] has failed it keeps failing.
//! - Effort only grows, and clones share it.

use crate::Counters;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The approximate effort per millisecond.
const UNITS_PER_MILLISECOND: u64 = 500;

/// Which limit was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exhausted {
    /// The time is up.
    Time,
    /// The effort is used up.
    Effort,
    /// More memory is in use than was allowed.
    Memory,
    /// The user asked us to stop.
    Cancelled,
}

impl Exhausted {
    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Exhausted::Time => "the time is up",
            Exhausted::Effort => "the effort is used up",
            Exhausted::Memory => "the memory is used up",
            Exhausted::Cancelled => "cancelled",
        }
    }
}

/// Progress worth showing to a waiting user.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// What the engine is doing now, in a few words.
    Phase(String),
    /// A running count of something, such as runs made.
    Progress {
        /// What is counted.
        what: &'static str,
        /// How many so far.
        done: u64,
    },
}

/// Receives events; it observes and changes nothing.
pub trait Observer: Send + Sync {
    /// Called for each event, from the engine's thread.
    fn event(&self, event: Event);
}

/// The limits of one run. Clones share the effort spent, the counters, the stop reason and the observer.
#[derive(Clone, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    spent: Arc<AtomicU64>,
    /// The effort at which it ends.
    most: Option<u64>,
    /// The effort planned for the time limit: where it ends, and the total.
    planned: Option<(u64, u64)>,
    /// Set when something other than the time ended it.
    stopped: Arc<OnceLock<Exhausted>>,
    observer: Option<Arc<dyn Observer>>,
    counters: Counters,
}

impl Budget {
    /// No limits.
    pub fn unlimited() -> Self {
        Budget::default()
    }

    /// This budget, ending at the latest `limit` from now.
    pub fn with_timeout(mut self, limit: Duration) -> Self {
        if let Some(end) = Instant::now().checked_add(limit) {
            self.deadline = Some(self.deadline.map_or(end, |deadline| deadline.min(end)));
        }
        let milliseconds = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
        let units = milliseconds.saturating_mul(UNITS_PER_MILLISECOND);
        let end = self.effort().saturating_add(units);
        if self.planned.is_none_or(|(planned, _)| end < planned) {
            self.planned = Some((end, units));
        }
        self
    }

    /// A share of this budget, in terms of planned effort: the same on any machine. At least an
    /// eighth of the plan counts as left.
    pub fn share(&self, percent: u64) -> Self {
        let planned = self
            .planned
            .map(|(end, all)| end.saturating_sub(self.effort()).max(all / 8));
        let ahead = [planned, self.effort_left()].into_iter().flatten().min();
        match ahead {
            Some(units) => self
                .clone()
                .with_effort(units.saturating_mul(percent) / 100),
            None => self.clone(),
        }
    }

    /// This budget without a plan, so that what is done with it does not depend on the time limit,
    /// except for where it ends.
    pub fn unplanned(mut self) -> Self {
        self.planned = None;
        self
    }

    /// Some percent of the effort left, or a given amount where effort is not limited.
    pub fn part(&self, (percent, units): (u64, u64)) -> Self {
        let left = self.effort_left();
        let units = left.map_or(units, |left| left.saturating_mul(percent) / 100);
        self.clone().with_effort(units)
    }

    /// This budget, limited to a given amount of further effort.
    pub fn with_effort(mut self, limit: u64) -> Self {
        let end = self.effort().saturating_add(limit);
        self.most = Some(self.most.map_or(end, |most| most.min(end)));
        self
    }

    /// This budget, with an observer.
    pub fn with_observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Whether the run may continue.
    pub fn check(&self) -> Result<(), Exhausted> {
        if let Some(&why) = self.stopped.get() {
            return Err(why);
        }
        if self.effort_left() == Some(0) {
            return Err(Exhausted::Effort);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Exhausted::Time),
            Some(_) | None => Ok(()),
        }
    }

    /// Charges for work that was done.
    pub fn spend(&self, units: u64) {
        self.spent.fetch_add(units, Ordering::Relaxed);
    }

    /// The effort spent so far.
    pub fn effort(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// The effort left, if it is limited.
    pub fn effort_left(&self) -> Option<u64> {
        self.most.map(|most| most.saturating_sub(self.effort()))
    }

    /// The counters.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Asks every holder of this budget to stop. The first reason given stays.
    pub fn stop(&self, why: Exhausted) {
        let _ = self.stopped.set(why);
    }

    /// Why it was stopped, if it was; the time aside.
    pub fn stopped(&self) -> Option<Exhausted> {
        self.stopped.get().copied()
    }

    /// Asks every holder of this budget to stop, at the user's request.
    pub fn cancel(&self) {
        self.stop(Exhausted::Cancelled);
    }

    /// This budget for what comes after the work it was made for: it ends later by the given time,
    /// and at once when this one is stopped.
    pub fn extended(&self, by: Duration) -> Self {
        Budget {
            deadline: self.deadline.map(|deadline| deadline + by),
            ..self.clone()
        }
    }

    /// This budget with separate, unlimited effort: for work besides the task, such as checks that
    /// only tests make.
    pub fn uncharged(&self) -> Self {
        Budget {
            spent: Arc::default(),
            most: None,
            planned: None,
            ..self.clone()
        }
    }

    /// Tells the observer, if there is one.
    pub fn report(&self, event: Event) {
        if let Some(observer) = &self.observer {
            observer.event(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_by_effort_that_clones_share() {
        let budget = Budget::unlimited();
        budget.spend(7);
        let limited = budget.clone().with_effort(10).with_effort(30);
        budget.clone().with_timeout(Duration::from_secs(9)).spend(9);
        assert_eq!((limited.effort(), limited.effort_left()), (16, Some(1)));
        limited.uncharged().spend(90);
        assert_eq!(limited.check(), Ok(()));
        limited.spend(2);
        assert_eq!(limited.check(), Err(Exhausted::Effort));
        assert_eq!((budget.check(), budget.effort_left()), (Ok(()), None));
    }

    #[test]
    fn shares_are_of_effort() {
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(2));
        budget.spend(200_000);
        assert_eq!(budget.effort_left(), None);
        assert_eq!(budget.share(25).effort_left(), Some(200_000));
        let limited = budget.clone().with_effort(1_000);
        assert_eq!(limited.share(50).effort_left(), Some(500));
        budget.spend(5_000_000);
        assert_eq!(budget.share(80).effort_left(), Some(100_000));
        assert_eq!(Budget::unlimited().share(50).effort_left(), None);
        let unplanned = budget.unplanned();
        assert_eq!(unplanned.share(25).effort_left(), None);
        assert_eq!(unplanned.part((50, 700)).effort_left(), Some(700));
        let limited = unplanned.with_effort(2_000);
        assert_eq!(limited.part((50, 700)).effort_left(), Some(1_000));
    }

    #[test]
    fn ends_by_time_or_by_cancelling() {
        let budget = Budget::unlimited();
        assert_eq!(budget.check(), Ok(()));
        let short = budget.clone().with_timeout(Duration::ZERO);
        assert_eq!(short.check(), Err(Exhausted::Time));
        assert_eq!(
            short.clone().with_timeout(Duration::from_secs(9)).check(),
            Err(Exhausted::Time)
        );
        let again = short.extended(Duration::from_secs(9));
        assert_eq!(again.check(), Ok(()));
        budget.clone().stop(Exhausted::Memory);
        budget.cancel();
        for stopped in [&budget, &again] {
            assert_eq!(stopped.check(), Err(Exhausted::Memory));
        }
    }
}
