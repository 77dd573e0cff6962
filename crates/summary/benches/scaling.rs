//! How the time of all path-to-error summaries grows with the number of loops, and the state
//! machine that reads a long word.

#![allow(clippy::print_stdout, reason = "a benchmark reports to a person")]

#[path = "../tests/common/mod.rs"]
mod common;

use absdom::{Invariants, Options};
use base::Budget;
use common::prepared;
use encode::{Context, EncodingPrecision};
use program::ir::Program;
use std::fmt::Write;
use std::time::{Duration, Instant};
use summary::{Level, LoopNestSummaries, ToError};

fn main() {
    println!(
        "{:>6} {:>12} {:>14}",
        "loops", "all (ms)", "per n·log n (µs)"
    );
    for count in [10, 25, 50, 100, 200] {
        let program = prepared(&sequence(count));
        let time = (0..3).map(|_| summarise(&program, Level::Phases)).min();
        let time = time.expect("there is more than one round");
        let size = count as f64 * (count as f64).log2();
        println!(
            "{count:>6} {:>12.1} {:>14.1}",
            time.as_secs_f64() * 1e3,
            time.as_secs_f64() * 1e6 / size
        );
    }
    let program = prepared(&machine("abracadabraabracadabra"));
    let time = summarise(&program, Level::Phases);
    println!(
        "state machine of 23 states: {:.2} s    (bar: 5)",
        time.as_secs_f64()
    );
}

/// The time to summarise every cut point.
fn summarise(program: &Program, level: Level) -> Duration {
    let budget = Budget::unlimited();
    let start = Instant::now();
    let proc = program.entry;
    let invariants = Invariants::new(program, proc, &Options::default(), &budget);
    let mut ctx = Context::new(program, &budget);
    let mut nest =
        LoopNestSummaries::new(&mut ctx, proc, invariants, &EncodingPrecision::default());
    let mut to_error = ToError::new(&nest, level);
    for at in nest.cuts.order.clone() {
        to_error.prepare(&mut ctx, &mut nest, at);
    }
    start.elapsed()
}

/// Equal loops, one after the other.
fn sequence(count: usize) -> String {
    let mut text =
        String::from("int nondet(void);\nint main(void) {\n  int n = nondet(), x = 0;\n");
    for _ in 0..count {
        text += "  for (int i = 0; i < n; i++) x++;\n";
    }
    text += "  if (x < 0) __assert_fail(\"\", \"\", 0, \"\");\n}\n";
    text
}

/// A machine whose state continues with each right letter of a word; every round all letters that
/// occur in it may be read.
fn machine(word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters.dedup();
    let mut text = String::from("int nondet(void);\nint main(void) {\n  int state = 0;\n");
    text += "  while (nondet()) {\n";
    for letter in &letters {
        writeln!(text, "    int {letter} = nondet();").expect("a string takes all");
    }
    for (state, letter) in word.chars().enumerate() {
        let otherwise = if state == 0 { "" } else { "else " };
        let next = state + 1;
        writeln!(
            text,
            "    {otherwise}if (state == {state} && {letter}) state = {next};"
        )
        .expect("a string takes all");
    }
    let last = word.chars().count();
    writeln!(
        text,
        "  }}\n  if (state == {last}) __assert_fail(\"\", \"\", 0, \"\");\n}}"
    )
    .expect("a string takes all");
    text
}
