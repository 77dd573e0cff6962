//! An engine on a program rewritten by a trusted pass ([`kit::cells`], [`kit::products`]), for
//! portfolios: with little effort, and not at all on programs that the pass does not apply to.

use crate::{About, Engine, OptionName, Task};
use base::Budget;
use certify::{Outcome, Reason};
use kit::rewritten::RewrittenProgram;
use program::ir::Program;

/// An engine on rewritten programs.
pub struct OfRewritten {
    /// The engine.
    pub engine: &'static dyn Engine,
    /// Rewrites the program, if it is of the right kind.
    pub rewrite: fn(&Program) -> Option<RewrittenProgram>,
    /// The effort that it may spend.
    pub effort: u64,
}

impl Engine for OfRewritten {
    fn about(&self) -> About {
        self.engine.about()
    }

    fn is_partial(&self) -> bool {
        true
    }

    fn understands(&self, option: OptionName) -> bool {
        self.engine.understands(option)
    }

    fn run(&self, task: &Task, budget: &Budget) -> Outcome {
        let Some(rewritten) = (self.rewrite)(&task.program) else {
            return Outcome::Unknown(Reason::gave_up("the program has nothing to rewrite"));
        };
        let budget = budget.clone().with_effort(self.effort);
        let outcome = (self.engine).run(&task.on(rewritten.program.clone()), &budget);
        rewritten.outcome(&task.program, outcome, &budget)
    }
}
