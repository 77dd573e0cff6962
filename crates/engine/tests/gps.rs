//! Summary-guided search on small programs.

mod common;

use base::Budget;
use certify::{ReasonKind, Verdict};
use engine::gps::{GPS, GPS_LITE, GPS_NOGAS, GPS_NOGAS_NOSUM, GPS_PAPER, Gps};
use engine::{Task, decide};
use exec::inputs::RandomInputs;
use exec::{End, Limits, Machine};
use program::ir::Program;
use std::time::Duration;

const VARIANTS: [&Gps; 5] = [&GPS, &GPS_PAPER, &GPS_LITE, &GPS_NOGAS, &GPS_NOGAS_NOSUM];

fn task(program: Program) -> Task {
    Task::new(program)
}

fn read(text: &str) -> Task {
    task(common::program(text))
}

fn verdict(engine: &Gps, task: &Task, seconds: f64) -> Verdict {
    interpolate::verify_all();
    let budget = Budget::unlimited().with_timeout(Duration::from_secs_f64(seconds));
    let checking = || Budget::unlimited().with_timeout(Duration::from_secs(10));
    decide(engine, task, &budget, checking)
}

#[test]
fn proves_and_refutes_the_same_loop() {
    let safe = read(&testkit::texts::twos("x == 7i32", "x != 7i32"));
    assert!(matches!(verdict(&GPS, &safe, 10.0), Verdict::Safe(_)));
    let wrong = read(&testkit::texts::twos("x == 8i32", "x != 8i32"));
    for engine in VARIANTS {
        let Verdict::Unsafe(found) = verdict(engine, &wrong, 10.0) else {
            panic!("four iterations lead to the error");
        };
        assert!(found.run.inputs.len() >= 5, "{:?}", found.run.inputs);
    }
}

#[test]
fn signed_overflow_is_no_counterexample() {
    // Only an overflow makes `x` negative.
    let task = read(&testkit::texts::twos("x < 0i32", "x >= 0i32"));
    for engine in VARIANTS {
        match verdict(engine, &task, 3.0) {
            Verdict::Safe(_) | Verdict::Unknown(_) => {}
            Verdict::Unsafe(found) => panic!("{:?}", found.run),
        }
    }
    assert!(matches!(verdict(&GPS, &task, 10.0), Verdict::Safe(_)));
}

#[test]
fn says_where_it_stood_when_the_time_is_up() {
    let task = read(&testkit::texts::twos("x == 1000000i32", "x != 1000000i32"));
    match verdict(&GPS_NOGAS_NOSUM, &task, 1.0) {
        Verdict::Unknown(reason) => {
            assert_eq!(reason.kind, ReasonKind::Timeout, "{reason:?}");
            assert!(reason.notes.iter().any(|(note, _)| note.contains("tests")));
        }
        other => panic!("{other:?}"),
    }
}

/// Whatever a variant says about a random program, runs on random inputs do not contradict it.
#[test]
fn runs_contradict_no_verdict() {
    let mut decided = [0; 2];
    for seed in 0..60 {
        let task = task(testkit::random::program(seed, 12));
        let machine = Machine::new(&task.program);
        let limits = Limits {
            steps: 20_000,
            memory: 1 << 20,
            depth: 100,
        };
        let fails = (0..40).any(|seed| {
            let mut inputs = RandomInputs::new(seed);
            let run = machine.run(&mut inputs, &limits, &Budget::unlimited());
            matches!(run.end, End::Violated(..))
        });
        for engine in VARIANTS {
            match verdict(engine, &task, 0.2) {
                Verdict::Safe(_) => {
                    assert!(!fails, "seed {seed}");
                    decided[0] += 1;
                }
                Verdict::Unsafe(_) => decided[1] += 1,
                Verdict::Unknown(reason) => {
                    assert_ne!(reason.kind, ReasonKind::Internal, "seed {seed}: {reason:?}");
                }
            }
        }
    }
    assert!(decided[0] + decided[1] > 20, "{decided:?}");
}
