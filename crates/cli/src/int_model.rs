//! `--int-model math`: the engine works on a program with unbounded integers, and a violation that
//! it finds counts only if the program with C's integers reaches the same error location.

use base::Budget;
use certify::{Reason, ReplayError, Replayed, Trace, Verdict, judge_trace};
use engine::accelerate;
use exec::End;
use program::ir::Program;

/// The verdict on the program that C describes and on the one with unbounded integers, given the
/// verdict on the latter. `Safe` is about the latter alone, and the report says so.
pub(crate) fn confirmed(program: &Program, verdict: Verdict, budget: &Budget) -> Verdict {
    let Verdict::Unsafe(found) = verdict else {
        return verdict;
    };
    let why = match trace_of(program, &found, budget) {
        None => "its loops are too long to run, and could not be leapt over".to_owned(),
        Some(trace) => match judge_trace(program, &trace, budget) {
            Ok(verdict) => return verdict,
            Err(error) => ending(&error),
        },
    };
    let message = "a violation was found for unbounded integers, but it is not confirmed that C's \
                   integers lead there";
    Verdict::Unknown(Reason::unfinished(format!("{message}: {why}"), budget))
}

/// The same inputs for C's integers. Lemmas about loops are about one program only; so they are
/// looked for again where the violation needs some.
fn trace_of(program: &Program, found: &Replayed, budget: &Budget) -> Option<Trace> {
    if found.leaps.is_empty() {
        return Some(Trace::new(found.run.inputs.clone(), found.error));
    }
    accelerate::run(program, &found.run.inputs, budget).filter(|trace| trace.error == found.error)
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

#[cfg(test)]
mod tests {
    use super::*;
    use certify::{Outcome, judge};
    use program::pass::unbounded::unbounded;

    /// Counts to four billion.
    const LONG: &str = r#"program ptr 8 entry main
proc p0 main() entry l0 exit l1 {
  local v0 x: TYPE
  l0:
    e0: x := 0TYPE -> l2
  l1:
  l2:
    e1: assume x < 4000000000TYPE -> l3
    e2: assume x >= 4000000000TYPE -> l4
  l3:
    e3: x := x + 1TYPE -> l2
  l4: error assertion "it ends"
}
"#;

    #[test]
    fn a_violation_behind_a_long_loop() {
        for ty in ["u32", "u64", "i64"] {
            let text = LONG.replace("TYPE", ty);
            let of_c = program::testing::parse(&text);
            let (wide, budget) = (unbounded(&of_c), Budget::unlimited());
            let trace = accelerate::run(&wide, &[], &budget).expect("a trace with leaps");
            let verdict = judge(&wide, Outcome::Unsafe(trace), &budget);
            assert_eq!(verdict.name(), "unsafe");
            let verdict = confirmed(&of_c, verdict, &budget);
            assert_eq!(verdict.name(), "unsafe", "{ty}: {verdict:?}");
        }
    }
}
