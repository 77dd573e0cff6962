//! The random engine on small programs.

mod common;

use base::Budget;
use certify::{Outcome, Reason, ReasonKind, Verdict};
use engine::random::RANDOM;
use engine::{Engine, Task, decide};
use std::time::Duration;

/// A task whose `main` has one input `n` and this body between `l2` and the exit `l1`.
fn task(ty: &str, body: &str) -> Task {
    let text = format!(
        r#"program ptr 8 entry main
        site n0: nondet {ty} "__VERIFIER_nondet"
        proc p0 main() -> i32 entry l0 exit l1 {{
          local v0 n: {ty}
          local v1 i: {ty}
          l0:
            e0: havoc n n0 -> l2
          {body}
          l1:
        }}"#
    );
    read(&text)
}

fn read(text: &str) -> Task {
    Task::new(common::program(text))
}

fn budget() -> Budget {
    Budget::unlimited().with_timeout(Duration::from_millis(700))
}

fn violated_by(task: &Task) -> String {
    match decide(&RANDOM, task, &budget(), Budget::unlimited) {
        Verdict::Unsafe(replayed) => format!("{:?}", replayed.run.inputs),
        other => panic!("{other:?}"),
    }
}

fn reason(task: &Task) -> Reason {
    match decide(&RANDOM, task, &budget(), Budget::unlimited) {
        Verdict::Unknown(reason) => reason,
        other => panic!("{other:?}"),
    }
}

fn branch(condition: &str, opposite: &str) -> String {
    format!(
        r#"l2:
            e1: assume {condition} -> l3
            e2: assume {opposite} -> l4
          l3: error assertion "assertion failed"
          l4:
            e3: return 0i32 -> l1"#
    )
}

#[test]
fn finds_numbers_that_the_program_speaks_of() {
    let exact = task("i32", &branch("n == 123456i32", "n != 123456i32"));
    assert!(violated_by(&exact).contains("123456"));
    let far = task("u64", &branch("n > 9999999999u64", "n <= 9999999999u64"));
    violated_by(&far);
    let edge = task("i8", &branch("n < -127i8", "n >= -127i8"));
    assert!(violated_by(&edge).contains("-128"));
}

#[test]
fn the_same_task_gives_the_same_trace() {
    let task = task("i32", &branch("n * n == 40000i32", "n * n != 40000i32"));
    let outcome = |task: &Task| match RANDOM.run(task, &Budget::unlimited()) {
        Outcome::Unsafe(trace) => trace,
        other => panic!("{other:?}"),
    };
    let [first, second] = [outcome(&task), outcome(&task)];
    assert_eq!((first.inputs, first.error), (second.inputs, second.error));
}

#[test]
fn makes_inputs_plainer() {
    let task = task("i32", &branch("n > 17i32", "n <= 17i32"));
    assert!(violated_by(&task).contains("18"));
}

#[test]
fn goes_on_through_long_loops() {
    let task = task(
        "u32",
        r#"l2:
            e1: i := 0u32 -> l4
          l4:
            e2: assume i < 300000u32 -> l5
            e3: assume i >= 300000u32 -> l3
          l5:
            e4: i := i + 1u32 -> l4
          l3: error assertion "assertion failed""#,
    );
    violated_by(&task);
}

#[test]
fn undefined_behaviour_is_a_note_and_no_violation() {
    let task = task("i32", &branch("n + 1i32 < n", "n + 1i32 >= n"));
    let reason = reason(&task);
    assert_eq!(reason.kind, ReasonKind::Timeout);
    let undefined = reason
        .notes
        .iter()
        .any(|(note, _)| note.contains("undefined behaviour") && note.contains("2147483647"));
    assert!(undefined, "{reason:?}");
    let coverage = &reason.notes[0].0;
    assert!(coverage.contains("1 of 2 branches (50%)"), "{coverage}");
    assert!(
        reason
            .notes
            .iter()
            .any(|(note, _)| note.contains("no run took"))
    );
}

#[test]
fn what_is_not_modelled_is_the_reason() {
    let task = task(
        "i32",
        "l2:\n e1: unsupported \"inline assembly\" -> l3\n l3: error assertion \"no\"",
    );
    let reason = reason(&task);
    assert_eq!(reason.kind, ReasonKind::Unsupported);
    assert_eq!(reason.message, "inline assembly");
}

#[test]
fn a_program_without_inputs_is_run_once() {
    let text = r#"program ptr 8 entry main
        proc p0 main() -> i32 entry l0 exit l1 {
          local v0 n: i32
          l0:
            e0: n := 1i32 -> l2
          l2:
            e1: assume n == 2i32 -> l3
            e2: assume n != 2i32 -> l4
          l3: error assertion "assertion failed"
          l4:
            e3: return 0i32 -> l1
          l1:
        }"#;
    let reason = reason(&read(text));
    assert_eq!(reason.kind, ReasonKind::GaveUp);
    assert!(reason.message.contains("takes no input"));
    let verdict = decide(
        &RANDOM,
        &read(&text.replace(
            "error assertion \"assertion failed\"",
            "\ne4: abort -> l5\nl5:",
        )),
        &budget(),
        Budget::unlimited,
    );
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
}

#[test]
fn stops_when_asked() {
    let task = task("i32", &branch("n - n != 0i32", "n - n == 0i32"));
    let budget = Budget::unlimited();
    budget.cancel();
    match RANDOM.run(&task, &budget) {
        Outcome::Unknown(reason) => assert_eq!(reason.kind, ReasonKind::Cancelled),
        other => panic!("{other:?}"),
    }
}
