//! Our own interpolator on a problem, and the judge of everybody's interpolants.

use crate::problem::Problem;
use base::Budget;
use interpolate::{Flaw, Interpolation, Interpolator, Layers, verify};
use logic::{TermId, TermStore};
use rustc_hash::FxHashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Checking may take much longer than finding.
const CHECK_LIMIT: Duration = Duration::from_secs(60);

/// How a problem went.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Outcome {
    /// Interpolants that passed the checks; the atoms of each.
    Solved(Vec<usize>),
    /// None, and why.
    Unknown(String),
    /// Interpolants of which Z3 does not say whether they are right.
    Unchecked(String),
    /// Something that is not so.
    Wrong(String),
}

/// How a problem went, and how long it took.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Attempt {
    pub(crate) outcome: Outcome,
    pub(crate) time: Duration,
}

/// One interpolator for many problems.
pub(crate) struct Cairn {
    store: TermStore,
    interpolator: Interpolator,
    layers: Layers,
}

impl Outcome {
    /// In a word.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Outcome::Solved(_) => "solved",
            Outcome::Unknown(_) => "unknown",
            Outcome::Unchecked(_) => "unchecked",
            Outcome::Wrong(_) => "wrong",
        }
    }

    /// What to say of a problem that is not solved.
    pub(crate) fn complaint(&self) -> Option<&str> {
        match self {
            Outcome::Solved(_) => None,
            Outcome::Unknown(reason) | Outcome::Unchecked(reason) | Outcome::Wrong(reason) => {
                Some(reason)
            }
        }
    }

    /// The atoms of each interpolant.
    pub(crate) fn atoms(&self) -> &[usize] {
        match self {
            Outcome::Solved(atoms) => atoms,
            Outcome::Unknown(_) | Outcome::Unchecked(_) | Outcome::Wrong(_) => &[],
        }
    }
}

impl Cairn {
    /// A new one.
    pub(crate) fn new(layers: Layers) -> Cairn {
        Cairn {
            store: TermStore::new(),
            interpolator: Interpolator::new(layers),
            layers,
        }
    }

    /// Interpolates a problem and checks the answer; the checks are not on the clock.
    pub(crate) fn solve(&mut self, problem: &Problem, limit: Duration) -> Attempt {
        let mark = self.store.mark();
        let attempt = catch_unwind(AssertUnwindSafe(|| self.attempt(problem, limit)));
        let Ok(attempt) = attempt else {
            *self = Cairn::new(self.layers);
            return Attempt {
                outcome: Outcome::Wrong("it panicked".into()),
                time: Duration::ZERO,
            };
        };
        self.store.release(mark);
        attempt
    }

    fn attempt(&mut self, problem: &Problem, limit: Duration) -> Attempt {
        let store = &mut self.store;
        let mut memo = FxHashMap::default();
        let parts: Vec<TermId> = (problem.parts.iter())
            .map(|&part| store.copy(&problem.store, part, &mut memo))
            .collect();
        let budget = Budget::unlimited().with_timeout(limit);
        let start = Instant::now();
        let found = self
            .interpolator
            .interpolate(store, problem.shape.of(&parts), &budget);
        let time = start.elapsed();
        let outcome = match found {
            Interpolation::Interpolants(interpolants) => {
                judged(store, &parts, problem, &interpolants)
            }
            Interpolation::Consistent(_) => Outcome::Wrong("called consistent".into()),
            Interpolation::Unknown(reason) => Outcome::Unknown(reason),
        };
        Attempt { outcome, time }
    }
}

/// Checks interpolants and measures them.
pub(crate) fn judged(
    store: &mut TermStore,
    parts: &[TermId],
    problem: &Problem,
    interpolants: &[TermId],
) -> Outcome {
    let budget = Budget::unlimited().with_timeout(CHECK_LIMIT);
    match verify(store, problem.shape.of(parts), interpolants, &budget) {
        Ok(()) => Outcome::Solved(sizes(store, interpolants)),
        Err(flaw @ Flaw::Unknown { .. }) => Outcome::Unchecked(flaw.to_string()),
        Err(flaw) => Outcome::Wrong(flaw.to_string()),
    }
}

fn sizes(store: &TermStore, interpolants: &[TermId]) -> Vec<usize> {
    let atoms = |&formula: &TermId| store.atoms(formula).len();
    interpolants.iter().map(atoms).collect()
}
