//! Answers about Horn clauses, and the checks that turn them into verdicts.
//!
//! A model is checked clause by clause with a solver, a derivation step by step by evaluation.
//!
//! # Invariants
//! - Only [`judge_clauses`] can construct [`ClauseVerdict::Sat`] and [`ClauseVerdict::Unsat`].
//! - Knows nothing about how clauses are solved: it checks the clauses as they were read.

mod derivation;
mod model;

pub use derivation::check_derivation;
pub use model::check_model;

use crate::{Checked, Reason};
use base::Budget;
use horn::{ClauseId, Derivation, Model, System};

/// What an engine answers about clauses.
#[derive(Clone, Debug)]
pub enum ClauseOutcome {
    /// The clauses have this model.
    Sat(Box<Model>),
    /// They derive false like this.
    Unsat(Derivation),
    /// Neither; and why.
    Unknown(Reason),
}

/// The verdict on clauses.
#[derive(Clone, Debug)]
pub enum ClauseVerdict {
    /// The clauses have a model; this one was checked.
    Sat(Checked<Model>),
    /// They derive false; this derivation was checked.
    Unsat(Checked<Derivation>),
    /// Neither; and why.
    Unknown(Reason),
}

impl ClauseVerdict {
    /// Its word in the language of clause solvers.
    pub fn answer(&self) -> &'static str {
        match self {
            ClauseVerdict::Sat(_) => "sat",
            ClauseVerdict::Unsat(_) => "unsat",
            ClauseVerdict::Unknown(_) => "unknown",
        }
    }

    /// Its word in the language of programs: clauses that have a model describe a safe one.
    pub fn name(&self) -> &'static str {
        match self {
            ClauseVerdict::Sat(_) => "safe",
            ClauseVerdict::Unsat(_) => "unsafe",
            ClauseVerdict::Unknown(_) => "unknown",
        }
    }
}

/// Why a certificate of clauses does not hold, or is not known to.
#[derive(Clone, PartialEq, Debug)]
pub enum ClauseError {
    /// It is malformed.
    Malformed(String),
    /// The model does not satisfy this clause.
    ClauseFails(ClauseId),
    /// Whether the model satisfies this clause is unknown, and why.
    Undecided(ClauseId, String),
    /// A step of the derivation does not follow, and why.
    StepFails(String),
}

impl std::fmt::Display for ClauseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ClauseError::Malformed(what) | ClauseError::StepFails(what) => write!(f, "{what}"),
            ClauseError::ClauseFails(clause) => write!(f, "clause {clause} is not true in it"),
            ClauseError::Undecided(clause, why) => {
                write!(f, "clause {clause} is not decided: {why}")
            }
        }
    }
}

/// Checks the certificate of an outcome. One that fails gives no verdict.
pub fn judge_clauses(system: &System, outcome: ClauseOutcome, budget: &Budget) -> ClauseVerdict {
    if let Some(flaw) = system.flaw() {
        let message = format!("the clauses are not well-formed: {flaw}");
        return ClauseVerdict::Unknown(Reason::internal(message));
    }
    match outcome {
        ClauseOutcome::Sat(model) => match check_model(system, &model, budget) {
            Ok(()) => ClauseVerdict::Sat(Checked::of_clauses(*model, system)),
            Err(error) => ClauseVerdict::Unknown(refused_answer("sat", &error, budget)),
        },
        ClauseOutcome::Unsat(derivation) => match check_derivation(system, &derivation) {
            Ok(()) => ClauseVerdict::Unsat(Checked::of_clauses(derivation, system)),
            Err(error) => ClauseVerdict::Unknown(refused_answer("unsat", &error, budget)),
        },
        ClauseOutcome::Unknown(reason) => ClauseVerdict::Unknown(reason),
    }
}

/// The reason for `unknown` if the certificate of an answer failed its check.
pub fn refused_answer(answer: &str, error: &ClauseError, budget: &Budget) -> Reason {
    match error {
        ClauseError::Undecided(..) => {
            let message = format!("a model was found, but its check could not finish: {error}");
            Reason::unfinished(message, budget)
        }
        ClauseError::Malformed(_) | ClauseError::ClauseFails(_) | ClauseError::StepFails(_) => {
            Reason::internal(format!(
                "the engine answered `{answer}`, but its certificate does not hold: {error}"
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use base::SourceMap;
    use horn::System;

    /// The clauses of a text.
    pub(super) fn system(text: &str) -> System {
        let mut sources = SourceMap::new();
        let file = sources.add("test.smt2", text.as_bytes().to_vec());
        let file = file.expect("the text should fit");
        horn::read(sources.file(file)).expect("the text should be clauses")
    }
}
