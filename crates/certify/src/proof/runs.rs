//! Proofs by enumerating all runs, and their checker.
//!
//! Such a proof says that the program has so few runs that all of them can be enumerated, and that
//! none violates anything. The checker enumerates them again, with [`exec::all_runs`], which
//! follows a run only as long as every branch condition is known; otherwise both ways are followed,
//! or the proof is refused. The machine that replays traces then executes the first of the runs
//! too: the two machines share nothing but the semantics of operators, and must agree.
//!
//! # Invariants
//! - The proof is not evidence: the numbers in it only say how far to go.

use crate::ProofError;
use base::Budget;
use exec::all_runs::{AllRuns, Options, RunsOutcome, Stopped, all_runs};
use exec::inputs::SiteInputs;
use exec::{End, Limits, Machine};
use program::ir::Program;

/// Why no error location can be reached: all runs were enumerated.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Runs {
    /// Inputs of at most this many bits were tried with every value; none of the others mattered.
    pub bits: u8,
    /// How many runs there are.
    pub runs: u64,
    /// Their total number of steps.
    pub steps: u64,
}

impl Runs {
    /// Enumerates the runs again.
    pub fn check(&self, program: &Program, budget: &Budget) -> Result<(), ProofError> {
        let options = Options {
            bits: self.bits,
            steps: self.steps.saturating_add(1),
        };
        let made = all_runs(program, &options, budget);
        match &made.found {
            RunsOutcome::NoViolation if made.runs != self.runs => refuse(format!(
                "the proof has {} runs, the program {}",
                self.runs, made.runs
            )),
            RunsOutcome::NoViolation => self.check_samples(program, &made, budget),
            RunsOutcome::Violation { error, .. } => Err(ProofError::ErrorReached(error.0, error.1)),
            RunsOutcome::Stopped(Stopped::Steps) => refuse(format!(
                "the runs take more than the {} steps of the proof",
                self.steps
            )),
            RunsOutcome::Stopped(Stopped::Lost(what, _)) => {
                refuse(format!("the runs depend on more than is known: {what}"))
            }
            RunsOutcome::Stopped(Stopped::Budget(_)) => Err(ProofError::Unfinished(
                "not all runs could be made again".to_owned(),
            )),
        }
    }

    /// Has the machine execute the first runs.
    fn check_samples(
        &self,
        program: &Program,
        made: &AllRuns,
        budget: &Budget,
    ) -> Result<(), ProofError> {
        let machine = Machine::new(program);
        let limits = Limits {
            // Its steps are smaller; and a run may be endless.
            steps: self.steps.saturating_mul(16).saturating_add(10_000),
            memory: 1 << 28,
            depth: 100_000,
        };
        for sample in &made.samples {
            let mut inputs = SiteInputs::new(program, sample);
            match machine.run(&mut inputs, &limits, budget).end {
                End::Exited(_) | End::Aborted | End::Blocked | End::Undefined(_) => {}
                End::OutOfBudget(_) => {}
                End::Violated(proc, at) => return Err(ProofError::ErrorReached(proc, at)),
                other @ (End::Unsupported(_) | End::OutOfInputs) => {
                    return refuse(format!("the machine ends a run otherwise: {other:?}"));
                }
            }
        }
        Ok(())
    }
}

fn refuse(what: String) -> Result<(), ProofError> {
    Err(ProofError::NotAllRuns(what))
}
