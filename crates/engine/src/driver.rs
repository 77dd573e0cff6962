//! The driver: runs an engine and lets `certify` judge its outcome.

use crate::minimise_inputs::minimise_inputs;
use crate::{Engine, Task};
use base::Budget;
use certify::{Outcome, Reason, Verdict, judge, well_formed};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs an engine and checks its certificate within a separate budget, which starts when the engine
/// has answered. An ill-formed program is not decided; a panic, wherever it comes from, gives
/// `unknown`.
pub fn decide(
    engine: &dyn Engine,
    task: &Task,
    budget: &Budget,
    checking: impl FnOnce() -> Budget,
) -> Verdict {
    if let Err(reason) = well_formed(&task.program) {
        return Verdict::Unknown(reason);
    }
    let attempt = guarded(engine.name(), || {
        let outcome = match engine.run(task, budget) {
            Outcome::Unsafe(trace) => {
                Outcome::Unsafe(minimise_inputs(&task.program, trace, budget))
            }
            outcome @ (Outcome::Safe(_) | Outcome::Proved(_) | Outcome::Unknown(_)) => outcome,
        };
        judge(&task.program, outcome, &checking())
    });
    attempt.unwrap_or_else(Verdict::Unknown)
}

/// Makes attempts that rest on less and less, as long as a proof that one of them finds fails its
/// check.
pub(crate) fn first_accepted<W, E>(
    task: &Task,
    budget: &Budget,
    ways: impl IntoIterator<Item = W>,
    mut attempt: impl FnMut(W) -> Result<Outcome, E>,
) -> Result<Outcome, E> {
    let mut refused = None;
    for way in ways {
        match attempt(way)? {
            Outcome::Safe(proof) => match proof.checked(&task.program, budget) {
                Ok(proof) => return Ok(Outcome::Proved(proof)),
                Err(error) => refused = Some(certify::refused(&error, budget)),
            },
            Outcome::Unknown(reason) => return Ok(Outcome::Unknown(refused.unwrap_or(reason))),
            outcome @ (Outcome::Proved(_) | Outcome::Unsafe(_)) => return Ok(outcome),
        }
    }
    let message = "there should have been a proof, if not a good one";
    Ok(Outcome::Unknown(refused.expect(message)))
}

/// Runs a closure on behalf of a named engine; a panic in it becomes a reason.
pub fn guarded<T>(engine: &str, work: impl FnOnce() -> T) -> Result<T, Reason> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "no message".to_owned());
        Reason::internal(format!("engine `{engine}` panicked: {text}"))
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::About;
    use crate::graph::tests::program_with_error;
    use certify::{Proof, ReasonKind, Trace};
    use program::ir::{LocationId, ProcId, Program};

    /// An engine with a name that answers as told.
    pub(crate) struct Says(pub(crate) &'static str, pub(crate) fn(&Budget) -> Outcome);

    impl Engine for Says {
        fn about(&self) -> About {
            About {
                name: self.0,
                summary: "answers as told",
                papers: &[],
            }
        }

        fn run(&self, _: &Task, budget: &Budget) -> Outcome {
            (self.1)(budget)
        }
    }

    fn answer(program: Program, outcome: fn(&Budget) -> Outcome) -> Verdict {
        let (fake, task) = (Says("fake", outcome), Task::new(program));
        decide(&fake, &task, &Budget::unlimited(), Budget::unlimited)
    }

    #[test]
    fn believes_no_engine_without_a_certificate() {
        use base::Id;
        type Case = (fn(&Budget) -> Outcome, &'static str);
        let cases: [Case; 3] = [
            (
                |_| Outcome::Safe(Proof::default()),
                "its proof does not hold",
            ),
            (
                |_| {
                    Outcome::Unsafe(Trace::new(
                        Vec::new(),
                        (ProcId::from_index(0), LocationId::from_index(0)),
                    ))
                },
                "its trace does not hold",
            ),
            (
                |_| panic!("table should not be empty"),
                "`fake` panicked: table",
            ),
        ];
        for (outcome, expected) in cases {
            match answer(program_with_error(), outcome) {
                Verdict::Unknown(reason) => {
                    assert_eq!(reason.kind, ReasonKind::Internal);
                    assert!(reason.message.contains(expected), "{}", reason.message);
                }
                Verdict::Safe(_) | Verdict::Unsafe(_) => panic!("believed {expected}"),
            }
        }
    }

    #[test]
    fn a_program_that_is_not_well_formed_is_not_decided() {
        let mut program = program_with_error();
        let entry = program.entry;
        program.procs[entry].exit = program.procs[entry].entry;
        match answer(program, |_| panic!("the engine should not run")) {
            Verdict::Unknown(reason) => {
                assert!(
                    reason.message.contains("not well-formed"),
                    "{}",
                    reason.message
                );
            }
            Verdict::Safe(_) | Verdict::Unsafe(_) => panic!("decided"),
        }
    }
}
