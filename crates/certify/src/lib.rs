//! Outcomes and their certificates, and the checks that turn them into verdicts.
//!
//! # Invariants
//! - [`Outcome::Safe`] carries a proof, [`Outcome::Unsafe`] a trace; neither counts before its
//!   check has passed. [`Outcome::Proved`] carries the result of such a check, which identifies the
//!   program that it was made for.
//! - Only [`judge()`] and [`judge_trace`] can construct a [`Verdict`] of `safe` or `unsafe`.
//! - Knows no engine and no engine's encoding: those crates come after this one. It shares with
//!   them the front end and lowering, the IR with inlining, scalarisation and loops, terms and
//!   their simplification, the solver with its model cache, and the machine. [`Runs`] is checked by
//!   repeating the work; [`Unwound`] is produced by its own check, which the engine runs.

mod checked;
pub mod clauses;
pub mod judge;
pub mod proof;
pub mod reason;
pub mod replay;

pub use checked::Checked;
pub use clauses::{ClauseError, ClauseOutcome, ClauseVerdict, judge_clauses, refused_answer};
pub use judge::{Verdict, judge, judge_trace, refused, well_formed};
pub use proof::inductive::lemma::{LoopLemma, LoopLemmas};
pub use proof::unwound::{Bounds, Fact, Induction, Obstacle, UnwindOutcome};
pub use proof::{
    FailedObligation, Ghost, Inductive, Proof, ProofError, Reached, Rewriting, Rewritten, Runs,
    Unwound,
};
pub use reason::{Reason, ReasonKind};
pub use replay::accelerated::Leap;
pub use replay::{ReplayError, Replayed, Trace, replay};

/// What an engine answers.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// No error location can be reached.
    Safe(Proof),
    /// The same, by a proof that was checked on the way and need not be checked again.
    Proved(Checked<Proof>),
    /// This run reaches one.
    Unsafe(Trace),
    /// Neither; and why.
    Unknown(Reason),
}
