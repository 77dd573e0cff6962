//! What the solver did.

use std::ops::AddAssign;
use std::time::Duration;

/// Counts of queries and answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// All checks.
    pub queries: u64,
    /// How many had a model.
    pub sat: u64,
    /// How many had none.
    pub unsat: u64,
    /// How many were not decided.
    pub unknown: u64,
    /// How many were answered without Z3.
    pub without_z3: u64,
    /// How often a solver of Z3's was made.
    pub sessions: u64,
    /// How often another configuration was tried because those before did not know.
    pub second_opinions: u64,
    /// The time all checks took.
    pub time: Duration,
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Self) {
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.without_z3 += other.without_z3;
        self.sessions += other.sessions;
        self.second_opinions += other.second_opinions;
        self.time += other.time;
    }
}
