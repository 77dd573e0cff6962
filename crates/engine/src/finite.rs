//! Finite programs: decided by enumerating all of their runs.
//!
//! A program without inputs has one run, one with few input bits has a few; and if inputs do not
//! influence control flow, there are just as few. `exec::all_runs` enumerates them; this engine
//! says how far to go, and what to try next. It is meant for some programs only: on the others it
//! gives up soon.
//!
//! # Invariants
//! - Effort is counted in steps; the same program is decided on any machine.

use crate::hard_in_integers::is_hard_in_integers;
use crate::{About, Engine, Task, graph};
use base::{Budget, Event, Span};
use certify::{Outcome, Proof, Reason, Runs, Trace};
use exec::all_runs::{AllRuns, Options, RunsOutcome, Stopped, all_runs};
use exec::inputs::SiteInputs;
use exec::{End, Machine};
use kit::test_runner::test_limits;
use program::expr::Type;
use program::ir::{Program, SiteKind};

/// The engine, by how far it goes.
pub struct Finite {
    /// Steps of all runs together, for each number of input bits.
    pub steps: u64,
    /// Steps of a program that has one run only.
    pub steps_alone: u64,
    /// The same if formulas in integers say little of it.
    pub steps_alone_if_hard: u64,
}

/// As far as makes sense.
pub static FINITE: Finite = Finite {
    steps: 10_000_000,
    steps_alone: 50_000_000,
    steps_alone_if_hard: 50_000_000,
};

/// A look before other engines.
pub static FINITE_FIRST: Finite = Finite {
    steps: 100_000,
    steps_alone: 400_000,
    steps_alone_if_hard: 4_000_000,
};

/// Inputs of at most so many bits are tried with every value, first with few.
const BITS: [u8; 4] = [0, 1, 9, 16];

impl Engine for Finite {
    fn about(&self) -> About {
        About {
            name: "finite",
            summary: "makes all runs of a program that has few of them",
            papers: &[],
        }
    }

    fn is_partial(&self) -> bool {
        true
    }

    fn run(&self, task: &Task, budget: &Budget) -> Outcome {
        if let Some(proof) = graph::proof(&task.program) {
            return Outcome::Safe(proof);
        }
        budget.report(Event::Phase("making all runs".to_owned()));
        let mut reason = None;
        for (before, bits) in [0].into_iter().chain(BITS).zip(BITS) {
            if reason.is_some() && !has_inputs(&task.program, before, bits) {
                continue;
            }
            let made = self.attempt(&task.program, bits, budget);
            match self.digest(&task.program, bits, made, budget) {
                Outcome::Unknown(new) => drop(reason.get_or_insert(new)),
                outcome => return outcome,
            }
        }
        Outcome::Unknown(reason.expect("there should be an attempt"))
    }
}

impl Finite {
    fn attempt(&self, program: &Program, bits: u8, budget: &Budget) -> AllRuns {
        let go = |steps| all_runs(program, &Options { bits, steps }, budget);
        let made = go(self.steps.min(self.steps_alone));
        let is_alone = made.branched == 0;
        match made.found {
            RunsOutcome::Stopped(Stopped::Steps) if is_alone && is_hard_in_integers(program) => {
                go(self.steps_alone_if_hard)
            }
            RunsOutcome::Stopped(Stopped::Steps) if is_alone => go(self.steps_alone),
            _ => made,
        }
    }

    fn digest(&self, program: &Program, bits: u8, made: AllRuns, budget: &Budget) -> Outcome {
        let reason = match made.found {
            RunsOutcome::NoViolation => {
                return Outcome::Safe(Proof::Runs(Runs {
                    bits,
                    runs: made.runs,
                    steps: made.steps,
                }));
            }
            RunsOutcome::Violation {
                error,
                inputs,
                guessed: _,
            } => {
                let trace = Trace::new(inputs, error);
                // A guess may be right: what is unknown may be zero. And without a guess, what is
                // zero may be undefined.
                if violates(program, &trace, made.steps, budget) {
                    return Outcome::Unsafe(trace);
                }
                let what = "whether an error is reached depends on inputs of many values";
                let span = program.procs[error.0].locations[error.1].error.as_ref();
                let span = span.map_or(Span::NONE, |violation| violation.span);
                Reason::gave_up(what).at(span)
            }
            RunsOutcome::Stopped(Stopped::Steps) => {
                let what = format!(
                    "the runs of the program take more than {} steps",
                    made.steps
                );
                Reason::gave_up(what)
            }
            RunsOutcome::Stopped(Stopped::Budget(limit)) => {
                Reason::new(limit.into(), format!("{} runs were made", made.runs))
            }
            RunsOutcome::Stopped(Stopped::Lost(what, span)) => {
                Reason::gave_up(format!("a run meets {what}")).at(span)
            }
        };
        Outcome::Unknown(reason)
    }
}

/// Whether the machine reaches the trace's error too.
fn violates(program: &Program, trace: &Trace, steps: u64, budget: &Budget) -> bool {
    let limits = test_limits(steps.saturating_mul(16).saturating_add(10_000));
    let mut inputs = SiteInputs::new(program, &trace.inputs);
    let run = Machine::new(program).run(&mut inputs, &limits, budget);
    run.end == End::Violated(trace.error.0, trace.error.1)
}

/// Whether the program has inputs of more than `from` and at most `to` bits.
fn has_inputs(program: &Program, from: u8, to: u8) -> bool {
    program.sites.iter().any(|site| {
        let bits = match site.ty {
            Type::Bool => 1,
            Type::Int(ty) => ty.bits,
            Type::Float(_) | Type::Ptr => u8::MAX,
        };
        !matches!(site.kind, SiteKind::Uninitialized | SiteKind::Contents)
            && from < bits
            && bits <= to
    })
}
