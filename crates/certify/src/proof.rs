//! Proofs of safety.
//!
//! A proof is a set of locations that no run leaves ([`Reached`]), or formulas that hold at
//! locations whenever a run reaches them ([`Inductive`]), or bounds within which all paths can be
//! followed ([`Unwound`]), or the claim that all runs can be enumerated ([`Runs`]), or one of these
//! for a program rewritten by a trusted pass ([`Rewritten`]).

pub mod inductive;
pub mod reached;
pub mod rewritten;
pub mod runs;
pub mod unwound;

pub use inductive::{Ghost, Inductive};
pub use reached::Reached;
pub use rewritten::{Rewriting, Rewritten};
pub use runs::Runs;
pub use unwound::Unwound;

use crate::Checked;
use base::{Budget, Span};
use program::ir::{EdgeId, LocationId, ProcId, Program};

/// Why no error location can be reached.
#[derive(Clone, Debug)]
pub enum Proof {
    /// The graph alone shows it.
    Reached(Reached),
    /// Labels show it.
    Inductive(Box<Inductive>),
    /// All paths were followed.
    Unwound(Box<Unwound>),
    /// All runs were enumerated.
    Runs(Runs),
    /// It holds for the program as a trusted pass has rewritten it.
    Rewritten(Box<Rewritten>),
}

impl Default for Proof {
    fn default() -> Self {
        Proof::Reached(Reached::default())
    }
}

impl Proof {
    /// Checks the proof against the program.
    pub fn check(&self, program: &Program, budget: &Budget) -> Result<(), ProofError> {
        match self {
            Proof::Reached(reached) => reached.check(program),
            Proof::Inductive(inductive) => inductive.check(program, budget),
            Proof::Unwound(unwound) => unwound.check(program, budget),
            Proof::Runs(runs) => runs.check(program, budget),
            Proof::Rewritten(rewritten) => rewritten.check(program, budget),
        }
    }

    /// Checks the proof against the program, and returns it as checked.
    pub fn checked(self, program: &Program, budget: &Budget) -> Result<Checked<Proof>, ProofError> {
        self.check(program, budget)?;
        Ok(Checked::new(self, program))
    }
}

/// Why a proof fails its check.
#[derive(Clone, PartialEq, Debug)]
pub enum ProofError {
    /// It names a location that the program does not have.
    NoSuchLocation(ProcId, LocationId),
    /// The program's entry is not in the set.
    EntryMissing,
    /// This edge, or a call on it, leads to a location that is not in the set.
    NotClosed(ProcId, EdgeId, LocationId),
    /// An error location is in the set.
    ErrorReached(ProcId, LocationId),
    /// An unsupported op starts in the set, so the behaviour of runs from there is unknown.
    UnsupportedReached(ProcId, EdgeId),
    /// It is malformed: an unknown symbol, a term of the wrong sort.
    Malformed(String),
    /// A label does not follow from those before it.
    NotInductive(Box<FailedObligation>),
    /// Whether a label follows from those before it is unknown, and why.
    Undecided(Box<FailedObligation>, String),
    /// The runs of the program are not those of the proof, and why.
    NotAllRuns(String),
    /// Whether it holds is unknown, and why.
    Unfinished(String),
}

/// One obligation of a proof by labels: from one label, along the unlabelled paths, to the next.
#[derive(Clone, PartialEq, Debug)]
pub struct FailedObligation {
    /// The procedure.
    pub proc: ProcId,
    /// Where the paths start.
    pub from: LocationId,
    /// Where they end; for a call, the call's source.
    pub to: LocationId,
    /// What is to hold there, in words or as a formula.
    pub claim: String,
    /// A counterexample: values of variables at the start of the paths. Empty if none is known.
    pub example: String,
    /// The source span of a last edge of the paths.
    pub span: Span,
}

impl ProofError {
    /// The source span concerned, if known.
    pub fn span(&self) -> Span {
        use ProofError::*;
        match self {
            NotInductive(step) | Undecided(step, _) => step.span,
            NoSuchLocation(..)
            | EntryMissing
            | NotClosed(..)
            | ErrorReached(..)
            | UnsupportedReached(..)
            | Malformed(_)
            | NotAllRuns(_)
            | Unfinished(_) => Span::NONE,
        }
    }
}

impl std::fmt::Display for ProofError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ProofError::NoSuchLocation(proc, location) => {
                write!(f, "the proof names {proc}.{location}, which does not exist")
            }
            ProofError::EntryMissing => write!(f, "the proof leaves out the program's entry"),
            ProofError::NotClosed(proc, edge, to) => write!(
                f,
                "edge {proc}.{edge} leads to {to}, which the proof leaves out"
            ),
            ProofError::ErrorReached(proc, location) => {
                write!(f, "error location {proc}.{location} is in the proof")
            }
            ProofError::UnsupportedReached(proc, edge) => {
                write!(
                    f,
                    "unsupported edge {proc}.{edge} starts inside of the proof"
                )
            }
            ProofError::Malformed(what)
            | ProofError::NotAllRuns(what)
            | ProofError::Unfinished(what) => write!(f, "{what}"),
            ProofError::NotInductive(step) if step.example.is_empty() => {
                write!(f, "{step} does not follow")
            }
            ProofError::NotInductive(step) => {
                write!(f, "{step} does not follow where {}", step.example)
            }
            ProofError::Undecided(step, why) => write!(f, "{step} is not decided: {why}"),
        }
    }
}

impl std::fmt::Display for FailedObligation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let FailedObligation { proc, from, to, .. } = self;
        write!(f, "from {proc}.{from} to {to}, `{}`", self.claim)
    }
}
