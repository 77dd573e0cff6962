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
mod tests {
    use super::*;
    use crate::About;
    use certify::{Proof, ReasonKind, Trace};
    use program::ir::{LocationId, ProcId, Program};

    struct Fake(fn() -> Outcome);

    impl Engine for Fake {
        fn about(&self) -> About {
            About {
                name: "fake",
                summary: "answers as told",
                papers: &[],
            }
        }
        fn run(&self, _: &Task, _: &Budget) -> Outcome {
            (self.0)()
        }
    }

    fn answer(outcome: fn() -> Outcome) -> Verdict {
        answer_on(crate::graph::tests::program_with_error(), outcome)
    }

    fn answer_on(program: Program, outcome: fn() -> Outcome) -> Verdict {
        let task = Task::new(program);
        decide(
            &Fake(outcome),
            &task,
            &Budget::unlimited(),
            Budget::unlimited,
        )
    }

    #[test]
    fn believes_no_engine_without_a_certificate() {
        use base::Id;
        type Case = (fn() -> Outcome, &'static str);
        let cases: [Case; 3] = [
            (
                || Outcome::Safe(Proof::default()),
                "its proof does not hold",
            ),
            (
                || {
                    Outcome::Unsafe(Trace::new(
                        Vec::new(),
                        (ProcId::from_index(0), LocationId::from_index(0)),
                    ))
                },
                "its trace does not hold",
            ),
            (
                || panic!("table should not be empty"),
                "`fake` panicked: table",
            ),
        ];
        for (outcome, expected) in cases {
            match answer(outcome) {
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
        let mut program = crate::graph::tests::program_with_error();
        let entry = program.entry;
        program.procs[entry].exit = program.procs[entry].entry;
        match answer_on(program, || panic!("the engine should not run")) {
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
