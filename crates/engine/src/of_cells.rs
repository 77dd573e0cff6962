//! An engine on the program with distinguished cells ([`kit::cells`]), for portfolios: with little
//! effort, and not at all on programs without arrays.

use crate::{Engine, OptionName, Task};
use base::Budget;
use certify::{Outcome, Reason, ReasonKind};
use kit::cells::WithCells;

/// An engine on programs with distinguished cells.
pub struct OfCells {
    /// The engine.
    pub engine: &'static dyn Engine,
    /// The effort that it may spend.
    pub effort: u64,
}

impl Engine for OfCells {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn summary(&self) -> &'static str {
        self.engine.summary()
    }

    fn papers(&self) -> &'static [&'static str] {
        self.engine.papers()
    }

    fn is_partial(&self) -> bool {
        true
    }

    fn understands(&self, option: OptionName) -> bool {
        self.engine.understands(option)
    }

    fn run(&self, task: &Task, budget: &Budget) -> Outcome {
        let Some(with_cells) = WithCells::new(&task.program) else {
            let message = "no loop goes over an array";
            return Outcome::Unknown(Reason::new(ReasonKind::GaveUp, message));
        };
        let budget = budget.clone().with_effort(self.effort);
        let outcome = (self.engine).run(&task.on(with_cells.program.clone()), &budget);
        with_cells.outcome(&task.program, outcome, &budget)
    }
}
