//! Reductions keep the meaning of programs: the machine runs the original and the reduced program
//! on the same inputs and compares how the runs end.

#[path = "../../exec/tests/common/mod.rs"]
mod common;

use common::keeps::{Seen, Tally, every_program, seen};
use common::{c_programs, on_large_stack, run};
use encode::frames::with_frames;
use encode::reduce::constants::propagate_constants;
use encode::reduce::dead::{Removal, remove_dead};
use encode::reduce::slice::slice;
use encode::reduce::unreachable::remove_unreachable;
use exec::End;
use program::pass::inline::{InlineLimit, inline_calls};
use program::text::{Spans, print};
use program::validate::{Shape, validate, validate_shape};

#[test]
fn constant_propagation_keeps_runs() {
    let mut tally = Tally::default();
    every_program(|program, seeds| {
        let (result, _) = propagate_constants(program);
        seeds.for_each(|seed| tally.compare(program, &result, seed));
    });
    tally.check();
}

#[test]
fn removing_the_unreachable_keeps_runs() {
    let mut tally = Tally::default();
    every_program(|program, seeds| {
        let (result, _) = remove_unreachable(program);
        seeds.for_each(|seed| tally.compare(program, &result, seed));
    });
    tally.check();
}

#[test]
fn removing_dead_assignments_keeps_runs() {
    let mut tally = Tally::default();
    every_program(|program, seeds| {
        let result = remove_dead(program, Removal::default());
        seeds.for_each(|seed| tally.compare(program, &result, seed));
    });
    tally.check();
}

#[test]
fn passes_in_sequence_keep_runs() {
    let mut tally = Tally::default();
    every_program(|program, seeds| {
        let (result, _) = inline_calls(
            program,
            InlineLimit {
                edges: 20_000,
                ..InlineLimit::default()
            },
        );
        let (result, _) = propagate_constants(&result);
        let (result, _) = remove_unreachable(&result);
        let result = remove_dead(&result, Removal::default());
        seeds.for_each(|seed| tally.compare(program, &result, seed));
    });
    tally.check();
}

/// Entry values and results in variables change no run.
#[test]
fn keeping_entry_values_keeps_runs() {
    on_large_stack(|| {
        let mut tally = Tally::default();
        let mut frames = 0;
        every_program(|program, seeds| {
            let (result, found) = with_frames(program);
            frames += found.len();
            seeds.for_each(|seed| tally.compare(program, &result, seed));
        });
        for (name, program) in c_programs() {
            let (result, found) = with_frames(&program);
            assert_eq!(validate(&result).first(), None, "{name}");
            frames += found.len();
            (0..3).for_each(|seed| tally.compare(&program, &result, seed));
        }
        tally.check();
        assert!(frames > 100, "{frames}");
    });
}

#[test]
fn slicing_keeps_violations() {
    let mut tally = Tally::default();
    every_program(|program, seeds| {
        for (undefined, inputs) in [(false, false), (true, false), (true, true)] {
            let result = slice(program, Removal { undefined, inputs });
            for seed in seeds.clone() {
                let (before, after) = (run(program, seed), run(&result, seed));
                let (left, right) = (seen(program, &before), seen(&result, &after));
                if left == Seen::TooLong || right == Seen::TooLong {
                    tally.too_long += 1;
                    continue;
                }
                tally.same += 1;
                let violated = |seen: &Seen| matches!(seen, Seen::Violated(..));
                let is_undefined = matches!(left, Seen::Undefined(_));
                tally.violated += usize::from(violated(&left));
                tally.undefined += usize::from(is_undefined);
                let context = || format!("seed {seed}\n{}", print(program, Spans::Omit));
                if is_undefined {
                    // Only where evaluations were dropped may such a run reach an error.
                    assert!(undefined || !violated(&right), "{}", context());
                } else if violated(&left) || violated(&right) {
                    assert_eq!(left, right, "{}", context());
                }
                // What is not modelled is still met.
                if matches!(left, Seen::Other(End::Unsupported(_))) {
                    assert_eq!(left, right, "{}", context());
                }
            }
        }
    });
    tally.check();
}

/// Every pass, alone and in sequence, on programs lowered from C.
#[test]
fn passes_keep_the_runs_of_c_programs() {
    on_large_stack(|| {
        let mut tally = Tally::default();
        for (name, program) in c_programs() {
            assert_eq!(validate(&program).first(), None, "{name}");
            let (inlined, _) = inline_calls(
                &program,
                InlineLimit {
                    edges: 50_000,
                    ..InlineLimit::default()
                },
            );
            let (constants, _) = propagate_constants(&inlined);
            let (reachable, _) = remove_unreachable(&constants);
            let thinned = remove_dead(&reachable, Removal::default());
            assert_eq!(
                validate_shape(&thinned, Shape::Branching).first(),
                None,
                "{name}"
            );
            let alone = remove_dead(&program, Removal::default());
            for seed in 0..3 {
                for result in [&inlined, &constants, &reachable, &thinned, &alone] {
                    tally.compare(&program, result, seed);
                }
                let sliced = slice(&thinned, Removal::default());
                let (before, after) = (run(&thinned, seed), run(&sliced, seed));
                let (left, right) = (seen(&thinned, &before), seen(&sliced, &after));
                let violated = |seen: &Seen| matches!(seen, Seen::Violated(..));
                if left != Seen::TooLong && (violated(&left) || violated(&right)) {
                    assert_eq!(left, right, "{name}");
                }
            }
        }
        assert!(tally.same > 500 && tally.violated > 30, "{tally:?}");
    });
}
