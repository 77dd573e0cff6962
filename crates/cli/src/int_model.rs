//! `--int-model math`: the engine works on a program with unbounded integers, and a violation that
//! it finds counts only if the program with C's integers comes to the same error location.

use base::Budget;
use certify::{Reason, ReasonKind, ReplayError, Trace, Verdict, replay};
use exec::End;
use program::ir::Program;

/// The verdict on the program that C describes and on the one with unbounded integers, given the
/// verdict on the latter. `Safe` speaks of the latter alone, and the report says so.
pub(crate) fn confirmed(program: &Program, verdict: Verdict, budget: &Budget) -> Verdict {
    let Verdict::Unsafe(found) = verdict else {
        return verdict;
    };
    let trace = Trace {
        inputs: found.run.inputs,
        error: found.error,
        lemmas: None,
    };
    match replay(program, &trace, budget) {
        Ok(replayed) => Verdict::Unsafe(Box::new(replayed)),
        Err(error) => {
            let kind = budget.check().err().map_or(ReasonKind::GaveUp, Into::into);
            let message = "a violation was found for unbounded integers, but with C's integers the \
                           same inputs lead elsewhere";
            Verdict::Unknown(Reason::new(kind, format!("{message}: {}", ending(&error))))
        }
    }
}

/// How the run of C's integers ends, in a few words.
fn ending(error: &ReplayError) -> String {
    match error {
        ReplayError::EndedOtherwise(end) => match end {
            End::Undefined(undefined) => undefined.message.clone(),
            End::Unsupported(what) | End::OutOfBudget(what) => what.clone(),
            End::Violated(..) => "another violation".to_owned(),
            End::Exited(_) | End::Aborted | End::Blocked | End::OutOfInputs => {
                "the program ends".to_owned()
            }
        },
        ReplayError::NoSuchSite(_)
        | ReplayError::WrongType(_)
        | ReplayError::NoSuchError(..)
        | ReplayError::EndedElsewhere(_)
        | ReplayError::LemmaFails(_)
        | ReplayError::Refused(_) => error.to_string(),
    }
}
