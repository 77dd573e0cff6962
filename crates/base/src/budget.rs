//! Limits of a run (time, memory, cancellation) and the events it reports on the way.
//!
//! # Invariants
//! - Once [`Budget::check`] has failed it keeps failing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Which limit was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exhausted {
    /// The time is up.
    Time,
    /// Somebody asked us to stop.
    Cancelled,
}

/// Something worth telling a person who waits.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// What the engine does now, in a few words.
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

/// The limits of one run. Clones share the cancel flag and the observer.
#[derive(Clone, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    cancelled: Arc<AtomicBool>,
    observer: Option<Arc<dyn Observer>>,
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
        self
    }

    /// This budget, with somebody listening.
    pub fn with_observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Whether the run may go on.
    pub fn check(&self) -> Result<(), Exhausted> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Exhausted::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Exhausted::Time),
            Some(_) | None => Ok(()),
        }
    }

    /// The time left, if time is limited.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline
            .map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Asks every holder of this budget to stop.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Tells whoever listens.
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
    fn ends_by_time_or_by_cancelling() {
        let budget = Budget::unlimited();
        assert_eq!(budget.check(), Ok(()));
        let short = budget.clone().with_timeout(Duration::ZERO);
        assert_eq!(short.check(), Err(Exhausted::Time));
        assert_eq!(
            short.with_timeout(Duration::from_secs(9)).check(),
            Err(Exhausted::Time)
        );
        budget.clone().cancel();
        assert_eq!(budget.check(), Err(Exhausted::Cancelled));
    }
}
