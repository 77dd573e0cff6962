//! Outcomes and their certificates, and the checks that make a verdict of them.
//!
//! # Invariants
//! - [`Outcome::Safe`] carries a proof, [`Outcome::Unsafe`] a trace; neither counts before its
//!   check has passed.
//! - Uses no engine.

use program::expr::Constant;
use program::ir::{LocationId, ProcId, SiteId};

/// What an engine answers.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// No error location can be reached.
    Safe(Proof),
    /// This run reaches one.
    Unsafe(Trace),
    /// Neither; and why.
    Unknown(Reason),
}

/// Why no error location can be reached: for each procedure the locations that a run can get to.
/// It holds if the entry is among them, edges and calls do not lead out, and no error location or
/// unsupported op is reached.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// The locations, in order.
    pub reached: Vec<(ProcId, LocationId)>,
}

/// A run to an error location, by its inputs: the program does the rest.
///
/// A value belongs to the next time that its site is executed. A site that has none left, because
/// the engine worked on a slice without it, takes zero.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    /// The inputs, in order.
    pub inputs: Vec<(SiteId, Constant)>,
    /// The error location it reaches.
    pub error: (ProcId, LocationId),
}

/// Why there is no verdict.
#[derive(Clone, PartialEq, Debug)]
pub enum Reason {
    /// The time is up; what was reached until then.
    Timeout(String),
    /// The engine has nothing more to try.
    GaveUp(String),
    /// The program needs something that is not modelled: what, and where.
    Unsupported(String, base::Span),
    /// A bug of ours: a panic, or a certificate that failed its check.
    Internal(String),
}
