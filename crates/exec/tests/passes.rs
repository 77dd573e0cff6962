//! The passes keep the meaning of programs: the machine runs the original and the transformed
//! program on the same inputs and compares how the runs end.

mod common;

use base::{Diagnostics, SourceMap};
use common::{c_programs, on_large_stack, run};
use exec::{End, Run};
use program::ir::{LocationId, ProcId, Program, SiteKind};
use program::pass::constants::propagate_constants;
use program::pass::inline::{InlineLimit, Origins, inline_calls};
use program::pass::liveness::{Removal, drop_dead_declarations, remove_dead};
use program::pass::slice::slice;
use program::pass::unreachable::remove_unreachable;
use program::random;
use program::text::{Spans, print, read};
use program::validate::{Shape, validate, validate_shape};

/// How a run ended, as far as a pass may not change it.
#[derive(Clone, PartialEq, Debug)]
enum Seen {
    Violated(String, base::Span),
    Undefined(exec::UndefinedKind),
    Other(End),
    /// A limit was met; a transformed program may meet it elsewhere.
    TooLong,
}

fn seen(program: &Program, run: &Run) -> Seen {
    match &run.end {
        End::Violated(proc, location) => {
            let violation = program.procs[*proc].locations[*location].error.as_ref();
            let violation = violation.expect("a violation should be at an error location");
            Seen::Violated(violation.message.clone(), violation.span)
        }
        End::Undefined(undefined) => Seen::Undefined(undefined.kind),
        End::OutOfBudget(_) => Seen::TooLong,
        End::Exited(_) | End::Aborted | End::Blocked | End::Unsupported(_) | End::OutOfInputs => {
            Seen::Other(run.end.clone())
        }
    }
}

/// Counts what was compared, so that a test cannot pass by comparing nothing.
#[derive(Default, Debug)]
struct Tally {
    same: usize,
    violated: usize,
    undefined: usize,
    too_long: usize,
}

impl Tally {
    /// Both runs end alike and take the same inputs.
    fn compare(&mut self, original: &Program, result: &Program, seed: u64) {
        let (before, after) = (run(original, seed), run(result, seed));
        let (left, right) = (seen(original, &before), seen(result, &after));
        if left == Seen::TooLong || right == Seen::TooLong {
            self.too_long += 1;
            return;
        }
        let context = || format!("seed {seed}\n{}", print(original, Spans::Omit));
        assert_eq!(left, right, "{}", context());
        let asked = |program: &Program, run: &Run| {
            let mut inputs = run.inputs.clone();
            inputs.retain(|(site, _)| program.sites[*site].kind != SiteKind::Uninitialized);
            inputs
        };
        assert_eq!(
            asked(original, &before),
            asked(result, &after),
            "{}",
            context()
        );
        assert_eq!(before.output, after.output);
        self.same += 1;
        match left {
            Seen::Violated(..) => self.violated += 1,
            Seen::Undefined(_) => self.undefined += 1,
            Seen::Other(_) | Seen::TooLong => {}
        }
    }

    fn check(&self) {
        assert!(self.same > 500, "{self:?}");
        assert!(self.violated > 100 && self.undefined > 30, "{self:?}");
        assert!(self.too_long < self.same / 4, "{self:?}");
    }
}

/// Random programs, each with the seeds of some inputs.
fn every_program(mut see: impl FnMut(&Program, std::ops::Range<u64>)) {
    for seed in 0..300 {
        let program = random::program(seed, 8 + seed as usize % 40);
        see(&program, seed * 1000..seed * 1000 + 4);
    }
}

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
fn inlining_keeps_runs_and_knows_the_way_back() {
    let mut tally = Tally::default();
    every_program(|program, seeds| {
        let (result, origins) = inline_calls(program, InlineLimit { edges: 20_000 });
        for seed in seeds {
            tally.compare(program, &result, seed);
            let (before, after) = (run(program, seed), run(&result, seed));
            if let (End::Violated(proc, location), End::Violated(..)) = (&before.end, &after.end) {
                assert_eq!(origin(&origins, &after.end), Some((*proc, *location)));
            }
        }
    });
    tally.check();
}

fn origin(origins: &Origins, end: &End) -> Option<(ProcId, LocationId)> {
    match end {
        End::Violated(proc, location) => origins.locations[*proc][*location],
        End::Exited(_)
        | End::Aborted
        | End::Blocked
        | End::Undefined(_)
        | End::Unsupported(_)
        | End::OutOfInputs
        | End::OutOfBudget(_) => None,
    }
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
fn dropping_dead_declarations_keeps_runs() {
    let (mut tally, mut dropped) = (Tally::default(), 0);
    every_program(|program, seeds| {
        let mut result = program.clone();
        drop_dead_declarations(&mut result);
        dropped += usize::from(result != *program);
        seeds.for_each(|seed| tally.compare(program, &result, seed));
    });
    tally.check();
    assert!(dropped > 20, "{dropped}");
}

#[test]
fn passes_in_sequence_keep_runs() {
    let mut tally = Tally::default();
    every_program(|program, seeds| {
        let (result, _) = inline_calls(program, InlineLimit { edges: 20_000 });
        let (result, _) = propagate_constants(&result);
        let (result, _) = remove_unreachable(&result);
        let result = remove_dead(&result, Removal::default());
        seeds.for_each(|seed| tally.compare(program, &result, seed));
    });
    tally.check();
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
                    // Only where evaluations were dropped may such a run get to an error.
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
            let (inlined, _) = inline_calls(&program, InlineLimit { edges: 50_000 });
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

#[test]
fn c_programs_survive_the_text_form() {
    on_large_stack(|| {
        for (name, program) in c_programs() {
            let mut sources = SourceMap::new();
            let text = print(&program, Spans::Raw);
            let file = sources.add("p", text.into_bytes()).unwrap();
            let mut diagnostics = Diagnostics::new();
            let back = read(&sources, file, &mut diagnostics);
            assert!(back.as_ref() == Some(&program), "{name}: {diagnostics:?}");
            program::dot::program(&program, None);
        }
    });
}
