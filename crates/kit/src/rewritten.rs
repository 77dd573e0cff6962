//! A program rewritten by a trusted pass, for engines to work on, and the way back.

use crate::test_runner::replay;
use base::Budget;
use certify::{Outcome, Proof, Reason, Rewriting, Rewritten};
use exec::Machine;
use program::ir::{Program, SiteId};
use program::pass::inline::InlineLimit;

/// A rewritten program.
pub struct RewrittenProgram {
    /// The program.
    pub program: Program,
    /// What was inlined before the pass.
    pub inlined: InlineLimit,
    /// The pass.
    pub rewriting: Rewriting,
}

impl RewrittenProgram {
    /// Translates an outcome for the rewritten program back to the original.
    pub fn outcome(&self, original: &Program, outcome: Outcome, budget: &Budget) -> Outcome {
        match outcome {
            Outcome::Safe(proof) => Outcome::Safe(Proof::Rewritten(Box::new(Rewritten {
                inlined: self.inlined,
                rewriting: self.rewriting.clone(),
                proof,
            }))),
            Outcome::Proved(proof) => {
                match proof.of_rewritten(original, self.inlined, self.rewriting.clone()) {
                    Ok(proof) => Outcome::Proved(proof),
                    Err(error) => Outcome::Unknown(Reason::internal(error.to_string())),
                }
            }
            Outcome::Unsafe(trace) => {
                let is_old = |site: SiteId| original.sites.get(site).is_some();
                let mut inputs = trace.inputs;
                inputs.retain(|(site, _)| is_old(*site));
                match replay(&Machine::new(original), &inputs, budget) {
                    Ok(trace) => Outcome::Unsafe(trace),
                    Err(_) => {
                        let message = "a run of the rewritten program is none of the program";
                        Outcome::Unknown(Reason::gave_up(message))
                    }
                }
            }
            Outcome::Unknown(reason) => Outcome::Unknown(reason),
        }
    }
}
