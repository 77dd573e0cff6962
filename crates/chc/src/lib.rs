//! Engines for Horn clauses, and what they share.
//!
//! [`reduce`] simplifies clauses and knows the way back; [`spacer`], [`bmc`] and [`duality`] solve
//! clauses as they are, [`pdr`] and [`runs`] linear ones; [`automaton`] translates linear clauses
//! to a program for the program engines, [`cells`] to clauses without arrays, [`components`] to
//! clauses with fewer arguments, and [`portfolio`] combines several engines.
//! [`realise`](mod@realise) turns the clauses of a derivation into the derivation,
//! [`complete`](mod@complete) finds the relations missing from a model. [`of_program`] translates a
//! program to clauses.
//!
//! # Invariants
//! - No verdict rests on this crate: [`decide_clauses`] believes an answer only with its
//!   certificate, checked against the clauses as they were read.
//! - Engines never import each other.

pub mod automaton;
pub mod bmc;
pub mod cells;
pub mod complete;
pub mod components;
pub mod control;
pub mod duality;
mod groups;
pub mod of_program;
pub mod pdr;
pub mod portfolio;
pub mod realise;
pub mod reduce;
pub mod runs;
mod solved;
pub mod spacer;

use base::Budget;
use certify::{ClauseOutcome, ClauseVerdict, judge_clauses};
use engine::About;
use engine::driver::guarded;
use horn::System;

/// A way to solve clauses.
pub trait ClauseEngine: Sync {
    /// What a list of engines says about it.
    fn about(&self) -> About;
    /// The name on the command line.
    fn name(&self) -> &'static str {
        self.about().name
    }
    /// Solves clauses, or says why not.
    fn solve(&self, system: &System, budget: &Budget) -> ClauseOutcome;
}

/// Runs an engine on reduced clauses and checks its answer against the clauses themselves, within a
/// budget of its own that starts when the engine has answered. A panic gives `unknown`.
pub fn decide_clauses(
    engine: &dyn ClauseEngine,
    system: &System,
    budget: &Budget,
    checking: impl FnOnce() -> Budget,
) -> ClauseVerdict {
    let attempt = guarded(engine.name(), || {
        let reduced = reduce::reduce(system, budget);
        let outcome = engine.solve(&reduced.system, budget);
        let checking = checking();
        let outcome = reduced.back_by(Some(engine), outcome, &checking);
        judge_clauses(system, outcome, &checking)
    });
    attempt.unwrap_or_else(ClauseVerdict::Unknown)
}
