//! What an engine is, and the engines that need nothing but the machine.

use base::Budget;
use certify::Outcome;
use program::ir::Program;

/// What is to be decided: whether the program can reach an error location.
pub struct Task {
    /// The program, as lowered.
    pub program: Program,
}

/// A way to decide tasks.
pub trait Engine: Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;
    /// The papers it follows, as keys of `docs/papers.bib`.
    fn papers(&self) -> &'static [&'static str];
    /// Decides, or says why not.
    fn run(&self, task: &Task, budget: &Budget) -> Outcome;
}
