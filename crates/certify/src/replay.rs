//! Traces and their replay on the concrete machine.
//!
//! A trace with loop lemmas is not run by the machine: `accelerated` proves the lemmas and follows
//! the trace with a small interpreter (`interpret`) that leaps over proved iterations.
//!
//! # Invariants
//! - A replayed trace reached exactly the error location it names, and nothing undefined happened
//!   before: the machine stops at the first undefined behaviour.

pub mod accelerated;
pub mod interpret;

use crate::ProofError;
use crate::proof::inductive::lemma::LoopLemmas;
use accelerated::Leap;
use base::Budget;
use exec::inputs::SiteInputs;
use exec::{End, Limits, Machine, Run};
use program::expr::{Constant, Type};
use program::ir::{LocationId, ProcId, Program, SiteId, Violation};

/// A run to an error location, by its inputs: these determine the run.
///
/// A value belongs to the next execution of its site. A site that has none left, because the engine
/// worked on a slice without it, takes zero.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The inputs, in order.
    pub inputs: Vec<(SiteId, Constant)>,
    /// The error location it reaches.
    pub error: (ProcId, LocationId),
    /// Set for a run with more loop iterations than a machine could execute: what to prove instead.
    /// The iterations leapt over consume none of the inputs.
    pub lemmas: Option<Box<LoopLemmas>>,
}

impl Trace {
    /// A run that the machine can execute, by its inputs and the error location it reaches.
    pub fn new(inputs: Vec<(SiteId, Constant)>, error: (ProcId, LocationId)) -> Self {
        Trace {
            inputs,
            error,
            lemmas: None,
        }
    }
}

/// A trace that has been confirmed: constructed only by [`replay`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Replayed {
    /// The run, with every input it actually consumed; without the iterations leapt over.
    pub run: Run,
    /// The iterations that were proved, not executed, in order. Empty if the machine executed the
    /// run.
    pub leaps: Vec<Leap>,
    /// What it violates.
    pub violation: Violation,
    /// The error location.
    pub error: (ProcId, LocationId),
}

/// Why a trace was refused.
#[derive(Clone, PartialEq, Debug)]
pub enum ReplayError {
    /// It names a site that the program does not have.
    NoSuchSite(SiteId),
    /// A value is not of its site's type.
    WrongType(SiteId),
    /// What it names is not an error location of the program.
    NoSuchError(ProcId, LocationId),
    /// The run ends another way.
    EndedOtherwise(End),
    /// The run ends at another error location, or at none.
    EndedElsewhere(Option<(ProcId, LocationId)>),
    /// A loop lemma fails its check.
    LemmaFails(Box<ProofError>),
    /// The run cannot be followed with lemmas, and why.
    Refused(String),
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReplayError::NoSuchSite(site) => {
                write!(f, "the trace has a value for {site}, which does not exist")
            }
            ReplayError::WrongType(site) => {
                write!(f, "the trace has a value of the wrong type for {site}")
            }
            ReplayError::NoSuchError(proc, location) => {
                write!(f, "{proc}.{location} is not an error location")
            }
            ReplayError::EndedOtherwise(end) => {
                write!(f, "the replay of the trace ended otherwise: {end:?}")
            }
            ReplayError::EndedElsewhere(Some((proc, location))) => {
                write!(f, "the replay of the trace ended at {proc}.{location}")
            }
            ReplayError::EndedElsewhere(None) => {
                write!(f, "the replay of the trace violated nothing")
            }
            ReplayError::LemmaFails(error) => write!(f, "a loop lemma: {error}"),
            ReplayError::Refused(what) => {
                write!(f, "the replay of the trace cannot go on: {what}")
            }
        }
    }
}

/// Runs the trace's inputs and confirms that they lead to its error location.
pub fn replay(program: &Program, trace: &Trace, budget: &Budget) -> Result<Replayed, ReplayError> {
    let (proc, location) = trace.error;
    let violation = (program.location(proc, location))
        .and_then(|row| row.error.clone())
        .ok_or(ReplayError::NoSuchError(proc, location))?;
    check_inputs(program, &trace.inputs)?;
    if let Some(lemmas) = &trace.lemmas {
        let (run, leaps) = accelerated::replay(program, trace, lemmas, budget)?;
        return Ok(Replayed {
            run,
            leaps,
            violation,
            error: trace.error,
        });
    }
    let mut inputs = SiteInputs::new(program, &trace.inputs);
    let machine = Machine::new(program);
    let run = machine.run(&mut inputs, &REPLAY_LIMITS, budget);
    match run.end {
        End::Violated(at_proc, at) if (at_proc, at) == trace.error => Ok(Replayed {
            run,
            leaps: Vec::new(),
            violation,
            error: trace.error,
        }),
        other => Err(ReplayError::EndedOtherwise(other)),
    }
}

/// A replay may be as long as the run that was found; only the budget limits its time. Memory and
/// depth are ample for terminating programs, and small enough for the host machine.
pub const REPLAY_LIMITS: Limits = Limits {
    steps: u64::MAX,
    memory: 1 << 30,
    depth: 1_000_000,
};

/// Whether a constant is a value of a type.
pub fn has_type(value: Constant, ty: Type) -> bool {
    match (value, ty) {
        (Constant::Bool(_), Type::Bool) | (Constant::Null, Type::Ptr) => true,
        (Constant::Int(value), Type::Int(ty)) => value.ty() == ty,
        (Constant::Float(format, _), Type::Float(ty)) => format == ty,
        (Constant::Bool(_) | Constant::Null | Constant::Int(_) | Constant::Float(..), _) => false,
    }
}

/// Checks that the program has the trace's sites, and that the values have their types.
fn check_inputs(program: &Program, inputs: &[(SiteId, Constant)]) -> Result<(), ReplayError> {
    for &(site, value) in inputs {
        let known = program
            .sites
            .get(site)
            .ok_or(ReplayError::NoSuchSite(site))?;
        if !has_type(value, known.ty) {
            return Err(ReplayError::WrongType(site));
        }
    }
    Ok(())
}
