//! An engine with little effort, for portfolios: on programs of a kind that it mostly decides soon.

use crate::{About, Engine, Task};
use base::Budget;
use certify::{Outcome, Reason};
use program::ir::Program;

/// An engine with limited effort, on some programs. It understands no option, so that a portfolio is
/// not said to have those of an engine that it hardly uses.
pub struct Glance {
    /// The engine.
    pub engine: &'static dyn Engine,
    /// Whether a program is of the right kind.
    pub suits: fn(&Program) -> bool,
    /// The effort that it may spend.
    pub effort: u64,
}

impl Engine for Glance {
    fn about(&self) -> About {
        self.engine.about()
    }

    fn is_partial(&self) -> bool {
        true
    }

    fn finds_violations(&self) -> bool {
        self.engine.finds_violations()
    }

    fn run(&self, task: &Task, budget: &Budget) -> Outcome {
        if !(self.suits)(&task.program) {
            return Outcome::Unknown(Reason::gave_up("the program is of another kind"));
        }
        (self.engine).run(task, &budget.clone().with_effort(self.effort))
    }
}
