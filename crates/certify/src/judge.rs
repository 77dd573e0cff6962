//! From an outcome to a verdict: no certificate, no verdict.

use crate::{
    Checked, Outcome, Proof, ProofError, Reason, ReasonKind, ReplayError, Replayed, Trace, replay,
};
use base::Budget;
use exec::End;
use program::ir::Program;
use program::validate::{Shape, validate_shape};

/// The verdict. `safe` and `unsafe` need evidence that only this crate can construct; `unknown`
/// claims nothing, so anyone may say it.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No error location can be reached; this proof was checked.
    Safe(Checked<Proof>),
    /// An error location is reached; the trace was replayed.
    Unsafe(Checked<Replayed>),
    /// Undecided, and why.
    Unknown(Reason),
}

impl Verdict {
    /// Its one-word form.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Safe(_) => "safe",
            Verdict::Unsafe(_) => "unsafe",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

/// Checks the certificate of an outcome. One that fails is a bug of ours and gives no verdict.
pub fn judge(program: &Program, outcome: Outcome, budget: &Budget) -> Verdict {
    if let Err(reason) = well_formed(program) {
        return Verdict::Unknown(reason);
    }
    match outcome {
        Outcome::Safe(proof) => match proof.checked(program, budget) {
            Ok(proof) => Verdict::Safe(proof),
            Err(error) => Verdict::Unknown(refused(&error, budget)),
        },
        Outcome::Proved(proof) if proof.is_of(program) => Verdict::Safe(proof),
        Outcome::Proved(_) => {
            let message = "the engine answered `safe` with a proof about another program";
            Verdict::Unknown(Reason::internal(message))
        }
        Outcome::Unsafe(trace) => match replay(program, &trace, budget) {
            Ok(replayed) => Verdict::Unsafe(Checked::new(replayed, program)),
            Err(ReplayError::EndedOtherwise(End::OutOfBudget(limit))) => {
                let kind = budget.check().err().map_or(ReasonKind::Timeout, Into::into);
                Verdict::Unknown(Reason::new(
                    kind,
                    format!("a violation was found, but its replay could not finish: {limit}"),
                ))
            }
            Err(ReplayError::LemmaFails(error)) if matches!(*error, ProofError::Undecided(..)) => {
                let message = "a violation was found, but its check could not finish";
                Verdict::Unknown(Reason::unfinished(format!("{message}: {error}"), budget))
            }
            Err(error) => Verdict::Unknown(Reason::internal(format!(
                "the engine answered `unsafe`, but its trace does not hold: {error}"
            ))),
        },
        Outcome::Unknown(reason) => Verdict::Unknown(reason),
    }
}

/// `unsafe`, if the trace can be replayed.
pub fn judge_trace(
    program: &Program,
    trace: &Trace,
    budget: &Budget,
) -> Result<Verdict, ReplayError> {
    well_formed(program).map_err(|reason| ReplayError::Refused(reason.message))?;
    let replayed = replay(program, trace, budget)?;
    Ok(Verdict::Unsafe(Checked::new(replayed, program)))
}

/// Whether a program is well-formed: an ill-formed one is not decided.
pub fn well_formed(program: &Program) -> Result<(), Reason> {
    match validate_shape(program, Shape::Merged).first() {
        None => Ok(()),
        Some(problem) => {
            let message = format!("the program is not well-formed: {problem}");
            Err(Reason::internal(message).at(problem.span))
        }
    }
}

/// The reason for `unknown` if a proof was found that failed its check, or whose check could not be
/// completed.
pub fn refused(error: &ProofError, budget: &Budget) -> Reason {
    use ProofError::*;
    let unfinished = |why: String| {
        let message = format!("a proof was found, but its check could not finish: {why}");
        Reason::unfinished(message, budget)
    };
    let reason = match error {
        Undecided(step, why) => unfinished(format!("{step}: {why}")),
        Unfinished(why) => unfinished(why.clone()),
        NoSuchLocation(..)
        | EntryMissing
        | NotClosed(..)
        | ErrorReached(..)
        | UnsupportedReached(..)
        | Malformed(_)
        | NotAllRuns(_)
        | NotInductive(_) => {
            let message = "the engine answered `safe`, but its proof does not hold";
            Reason::internal(format!("{message}: {error}"))
        }
    };
    reason.at(error.span())
}
