//! The heap in all runs and in unwindings, held against the machine: random C programs that allocate,
//! reallocate and free, where each allocation may fail.
//!
//! All that such a program takes are truth values, so the machine makes all of its runs, one after the
//! other, and what it finds is the truth.

use base::{Budget, Diagnostics, Rng, SourceMap};
use certify::{Bounds, UnwindOutcome, Unwound};
use cfront::types::DataModel;
use exec::all_runs::{Options, RunsOutcome, all_runs};
use exec::inputs::ListInputs;
use exec::{End, Limits, Machine};
use lower::FailingAllocations;
use program::expr::Constant;
use program::ir::{Program, Property};
use std::collections::BTreeSet;

const HEAD: &str = "\
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
void exit(int);
void abort(void);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);
char *g, **h;
static char *grown(char *x) { char *y = realloc(x, 3); return y ? y : x; }
static void end(char *x) { if (x && x[0] == 2) exit(1); }
";

const BOUNDS: Bounds = Bounds {
    iterations: 5,
    depth: 4,
    steps: 5_000,
    terms: 200_000,
    questions: 4,
    question_effort: 20_000,
    effort: 5_000_000,
    search: true,
};

const LIMITS: Limits = Limits {
    steps: 10_000,
    memory: 1 << 20,
    depth: 10,
};

/// A random program.
fn text(rng: &mut Rng) -> String {
    let mut text = format!("{HEAD}int main(void) {{\n  char *a = 0, *b = 0;\n");
    let count = 3 + rng.below(6);
    for _ in 0..count {
        let line = statement(rng);
        let line = match rng.below(12) {
            0..=2 => format!("if (__VERIFIER_nondet_bool()) {{ {line} }}"),
            3..=5 => format!("if ({}) {{ {line} }}", pointer(rng)),
            6 => format!("for (int i = 0; i < 2; i++) {{ {line} }}"),
            _ => line,
        };
        text += &format!("  {line}\n");
    }
    // Some of it is freed in the end, often all.
    for name in ["a", "b", "g", "h"] {
        if rng.below(8) != 0 {
            text += &format!("  free({name});\n");
        }
    }
    // At `exit` the locals are still there.
    text + rng.pick(&["  return 0;\n}\n", "  exit(0);\n}\n"])
}

fn pointer(rng: &mut Rng) -> &'static str {
    rng.pick(&["a", "b", "g"])
}

/// No byte of an object is looked at that was not set.
fn statement(rng: &mut Rng) -> String {
    let (x, y) = (pointer(rng), pointer(rng));
    let (size, value) = (1 + rng.below(4), rng.below(4));
    match rng.below(20) {
        0..=2 => format!("if (!{x}) {{ {x} = malloc({size}); if ({x}) {x}[0] = {value}; }}"),
        3 => format!("{x} = calloc(1, {size});"),
        4 | 5 => format!("{x} = realloc({x}, {size}); if ({x}) {x}[0] = {value};"),
        6 => format!("{x} = realloc({y}, {size}); if ({x}) {x}[0] = {value};"),
        7 => format!("{x} = grown({x}); if ({x}) {x}[0] = {value};"),
        8 => format!("free({x}); {x} = 0;"),
        9 => format!("{x} = {y}; {y} = 0;"),
        10 => format!("if ({x}) {x}[{}] = {value};", size - 1),
        11 => format!("end({x});"),
        12 | 13 => {
            let first = rng.pick(&["0", "(char *)h"]);
            format!("if (!h) {{ h = malloc(sizeof *h); if (h) *h = {first}; }}")
        }
        14 => "h = 0;".to_owned(),
        15 => format!("if (h && {x}) {{ *h = {x}; {x} = 0; }}"),
        16 => format!("if (h && *h) {{ {x} = *h; *h = 0; }}"),
        17 => format!("end(calloc(1, {size}));"),
        18 => format!("__VERIFIER_assume({x} || {y});"),
        _ => format!("if ({x} && {x}[0] == {value}) abort();"),
    }
}

fn lowered(text: &str, options: &lower::Options) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("heap.c", text.into());
    let file = file.expect("a short text fits");
    let mut diagnostics = Diagnostics::new();
    let front = cfront::Options {
        model: DataModel::Lp64,
    };
    let ast = cfront::parse(&mut sources, &[file], &front, &mut diagnostics);
    let program = lower::lower(&ast, options, &mut diagnostics);
    program.unwrap_or_else(|| panic!("{text}{:?}", diagnostics.iter().collect::<Vec<_>>()))
}

/// Whether a run violates something: the machine makes all of them.
fn is_violated(program: &Program) -> bool {
    let machine = Machine::new(program);
    let mut open = vec![Vec::new()];
    while let Some(inputs) = open.pop() {
        let values = inputs.iter().map(|&value| Constant::Bool(value));
        let mut values = ListInputs::new(values);
        match machine.run(&mut values, &LIMITS, &Budget::unlimited()).end {
            End::Violated(..) => return true,
            End::OutOfInputs => {
                for value in [false, true] {
                    let mut more: Vec<bool> = inputs.clone();
                    more.push(value);
                    open.push(more);
                }
            }
            End::Exited(_) | End::Aborted | End::Blocked | End::Undefined(_) => {}
            end @ (End::Unsupported(_) | End::OutOfBudget(_)) => panic!("{end:?}"),
        }
    }
    false
}

#[test]
fn all_runs_and_unwindings_know_the_heap() {
    let (mut safe, mut violated, mut open, mut stopped) = (0, 0, 0, 0);
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let text = text(&mut rng);
        let properties: &[Property] = match rng.below(3) {
            0 => &[Property::Cleanup],
            1 => &[Property::Leak],
            _ => &[Property::Free, Property::Dereference],
        };
        let failing = match rng.below(4) {
            0 => FailingAllocations::None,
            1 => FailingAllocations::Realloc,
            _ => FailingAllocations::All,
        };
        let options = lower::Options {
            properties: properties.iter().copied().collect::<BTreeSet<_>>(),
            failing,
            ..lower::Options::default()
        };
        let program = lowered(&text, &options);
        let truth = is_violated(&program);
        // The machine takes more for an address than is one, so that it may miss a leak.
        let misses = properties == [Property::Leak] && !truth;
        let budget = Budget::unlimited();
        let unwinding = Unwound::whole(BOUNDS).unwind(&program, &budget);
        let said = match unwinding {
            UnwindOutcome::Complete(_) => Some(false),
            UnwindOutcome::Violated(_) => Some(true),
            UnwindOutcome::Open(_) => None,
        };
        let shown = format!("seed {seed}, {properties:?}, {failing:?}\n{text}");
        match said {
            Some(said) => assert!(said == truth || said && misses, "{said}: {shown}"),
            None => open += 1,
        }
        let options = Options {
            bits: 1,
            steps: 20_000,
        };
        match all_runs(&program, &options, &budget).found {
            // They count the same addresses.
            RunsOutcome::NoViolation => assert!(!truth && said != Some(true), "{shown}"),
            RunsOutcome::Violation { guessed, .. } => assert!(truth || guessed, "{shown}"),
            RunsOutcome::Stopped(_) => stopped += 1,
        }
        match truth {
            true => violated += 1,
            false => safe += 1,
        }
    }
    let counts = format!("{safe} safe, {violated} violated, {open} open, {stopped} stopped");
    assert!(safe > 40 && violated > 40, "{counts}");
    assert!(open < 10 && stopped < 10, "{counts}");
}
