//! State machines: which values of control arguments occur together, as a model. There is no search.

use crate::ClauseEngine;
use crate::reduce::model_by_control;
use base::Budget;
use certify::{ClauseOutcome, Reason};
use engine::About;
use horn::System;

/// Which values of arguments occur together.
pub struct Control;

impl ClauseEngine for Control {
    fn about(&self) -> About {
        About {
            name: "control",
            summary: "which values of program counters, modes and flags occur together; finds no derivations",
            papers: &["cousot1977abstract"],
        }
    }

    fn solve(&self, system: &System, budget: &Budget) -> ClauseOutcome {
        match model_by_control(system, budget) {
            Some(model) => ClauseOutcome::Sat(Box::new(model)),
            None => {
                let message =
                    "the values of arguments that occur together do not exclude the queries";
                ClauseOutcome::Unknown(Reason::unfinished(message, budget))
            }
        }
    }
}
