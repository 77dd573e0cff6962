//! Bounded model checking in bit-vectors.
//!
//! Has the checker of proofs by unwinding ([`certify::Unwound`]) follow all paths of the program,
//! as lowered, in its own encoding: exact machine integers, memory as bytes. This engine only
//! decides how far to go: first a glance that stops early if loops do not terminate, then more. A
//! model of an error location is a trace, run on the machine before it is believed. If all paths
//! end without an error, the proof is the bounds, and the checker does it all again.
//!
//! # Paper
//! [clarke2004tool]: unwinding, with unwinding assertions.
//!
//! # Invariants
//! - Has no encoding of its own: `certify` and the solver's bit-vectors are trusted, as for any
//!   proof (`docs/decisions/0019`).

use crate::hard_in_integers::{NOT_HARD, is_hard_in_integers};
use crate::{About, Engine, Task};
use base::Budget;
use certify::{Bounds, Obstacle, Outcome, Reason, Trace, UnwindOutcome, Unwound, replay};

/// The engine, at some levels of effort.
pub struct Bmc {
    levels: &'static [Bounds],
    /// Whether it skips programs for which labels work as well, and say more.
    is_picky: bool,
}

/// For programs that terminate soon: no loop whose length depends on inputs.
const GLANCE: Bounds = Bounds {
    iterations: 4_096,
    depth: 64,
    steps: 20_000,
    terms: 60_000,
    questions: 16,
    question_effort: 200_000,
    effort: 30_000_000,
    search: false,
};

/// For longer programs, and for violations in the first iterations of loops that never end.
const LOOK: Bounds = Bounds {
    iterations: 20_000,
    depth: 256,
    steps: 100_000,
    terms: 400_000,
    questions: 40,
    question_effort: 2_000_000,
    effort: 400_000_000,
    search: true,
};

/// One level after the other.
pub static BMC: Bmc = Bmc {
    levels: &[GLANCE, LOOK],
    is_picky: false,
};

/// The first level alone, to try before anything else, on programs that are hard to express in
/// integers.
pub static BMC_GLANCE: Bmc = Bmc {
    levels: &[GLANCE],
    is_picky: true,
};

/// The second level alone, if the first was tried before.
pub static BMC_LOOK: Bmc = Bmc {
    levels: &[LOOK],
    is_picky: false,
};

impl Engine for Bmc {
    fn about(&self) -> About {
        About {
            name: "bmc",
            summary: "unwinds the whole program into one question in bit-vectors",
            papers: &["clarke2004tool"],
        }
    }

    fn is_partial(&self) -> bool {
        true
    }

    fn run(&self, task: &Task, budget: &Budget) -> Outcome {
        if let Some(proof) = crate::graph::proof(&task.program) {
            return Outcome::Safe(proof);
        }
        if self.is_picky && !is_hard_in_integers(&task.program) {
            return Outcome::Unknown(Reason::gave_up(NOT_HARD));
        }
        let mut reason = Reason::gave_up("nothing was unwound");
        for bounds in self.levels {
            match Unwound::whole(bounds.clone()).unwind(&task.program, budget) {
                UnwindOutcome::Complete(proof) => return Outcome::Proved(proof),
                UnwindOutcome::Violated(trace) => return confirmed(task, trace, budget),
                UnwindOutcome::Open(Obstacle { what, span, .. }) => {
                    let message = format!("the program cannot be unwound: {what}");
                    reason = Reason::unfinished(message, budget).at(span);
                }
            }
            if budget.check().is_err() {
                break;
            }
        }
        Outcome::Unknown(reason)
    }
}

/// The trace, if the machine reproduces the run. The machine may detect undefined behaviour that
/// the encoding treats as an ordinary step.
fn confirmed(task: &Task, trace: Trace, budget: &Budget) -> Outcome {
    match replay(&task.program, &trace, budget) {
        Ok(_) => Outcome::Unsafe(trace),
        Err(error) => {
            let message = format!("a path to an error cannot be run: {error}");
            Outcome::Unknown(Reason::unfinished(message, budget))
        }
    }
}
