//! The engine interface, the driver, and the small engines.
//!
//! # Invariants
//! - Engines are below the trust line: [`decide`] believes an outcome only with its certificate.
//! - Engines never import each other.

pub mod accelerate;
pub mod bmc;
pub mod claimed;
pub mod contract_prover;
pub mod control_states;
pub mod cra;
pub mod driver;
pub mod finite;
pub mod glance;
pub mod goals;
pub mod gps;
pub mod graph;
pub(crate) mod hard_in_integers;
pub mod impact;
pub mod induction;
pub mod la;
pub mod minimise_inputs;
pub mod of_rewritten;
pub mod options;
pub mod portfolio;
pub mod predabs;
pub mod random;
pub mod split_loops;
pub mod summary_prover;
pub mod test_suite;
#[cfg(test)]
mod testing;
pub mod vacuous;

pub use driver::decide;
pub use goals::{Goal, GoalVerdict, decide_goals};
pub use kit::Journal;
pub use options::{Blocks, OptionName, Options, Scope, TimeToLive};

use base::Budget;
use certify::Outcome;
use program::ir::Program;
use std::sync::Arc;

/// What is to be decided: whether the program can reach an error location.
pub struct Task {
    /// The program, as lowered.
    pub program: Program,
    /// The seed of random choices; the same seed gives the same run.
    pub seed: u64,
    /// The options of the engine.
    pub options: Options,
    /// Where engines record what they do, if there is a reader.
    pub journal: Option<Arc<Journal>>,
}

impl Task {
    /// The program, and defaults for everything else.
    pub fn new(program: Program) -> Self {
        Task {
            program,
            seed: 0,
            options: Options::default(),
            journal: None,
        }
    }

    /// The same for another program, without a journal.
    pub fn on(&self, program: Program) -> Self {
        Task {
            seed: self.seed,
            options: self.options,
            ..Task::new(program)
        }
    }
}

/// What a list of engines says about one.
pub struct About {
    /// The name on the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// The papers it follows, as keys of `docs/papers.bib`.
    pub papers: &'static [&'static str],
}

/// A way to decide tasks.
pub trait Engine: Sync {
    /// What a list of engines says about it.
    fn about(&self) -> About;
    /// The name on the command line.
    fn name(&self) -> &'static str {
        self.about().name
    }
    /// Whether it may find violations; otherwise it only proves.
    fn finds_violations(&self) -> bool {
        true
    }
    /// Whether it is meant for some programs only, and gives up soon on the others.
    fn is_partial(&self) -> bool {
        false
    }
    /// Whether it supports an option.
    fn understands(&self, _option: OptionName) -> bool {
        false
    }
    /// Decides, or says why not. A proof that failed its own check is such a reason
    /// ([`certify::refused`]), so that another engine may continue.
    fn run(&self, task: &Task, budget: &Budget) -> Outcome;
}
