//! Traces and their replay on the concrete machine.
//!
//! # Invariants
//! - A replayed trace reached exactly the error location it names, and nothing undefined happened
//!   before: the machine stops at the first undefined behaviour.

use base::Budget;
use exec::inputs::SiteInputs;
use exec::{End, Limits, Machine, Run};
use program::expr::{Constant, Type};
use program::ir::{LocationId, ProcId, Program, SiteId, Violation};

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

/// A trace that the machine has confirmed.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The run, with every input it really took.
    pub run: Run,
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
        }
    }
}

/// Runs the trace's inputs and confirms that they lead to its error location.
pub fn replay(program: &Program, trace: &Trace, budget: &Budget) -> Result<Replayed, ReplayError> {
    let (proc, location) = trace.error;
    let violation = program
        .procs
        .get(proc)
        .and_then(|procedure| procedure.locations.get(location))
        .and_then(|location| location.error.clone())
        .ok_or(ReplayError::NoSuchError(proc, location))?;
    check_inputs(program, &trace.inputs)?;
    let mut inputs = SiteInputs::new(program, &trace.inputs);
    let machine = Machine::new(program);
    let run = machine.run(&mut inputs, &REPLAY_LIMITS, budget);
    match run.end {
        End::Violated(at_proc, at) if (at_proc, at) == trace.error => Ok(Replayed {
            run,
            violation,
            error: trace.error,
        }),
        other => Err(ReplayError::EndedOtherwise(other)),
    }
}

/// A replay may be as long as the run that was found; the budget alone limits its time. Memory and
/// depth are ample for programs that end, and small enough for the machine we run on.
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

/// Checks that the program has the trace's sites, and that they take such values.
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
