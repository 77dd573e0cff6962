//! Procedures that call each other in layers: what a decision takes as there are more of them.
//!
//! Each procedure calls the one below it three times, so inlining them all would be exponential. The
//! effort for each procedure should stay about the same from line to line. Every size is measured in
//! a process of its own.
//!
//! `cargo bench -p cairn-engine --bench layers`

#![allow(clippy::print_stdout, reason = "it reports to a person")]

use base::Budget;
use engine::{Engine, Task, cra::Cra};
use program::ir::Program;
use std::fmt::Write;
use std::process::Command;
use std::time::Instant;

/// In the environment of a process that measures one size.
const SIZE: &str = "CAIRN_LAYERS";

fn main() {
    if let Ok(size) = std::env::var(SIZE) {
        return measure(size.parse().expect("a size should be a number"));
    }
    println!("procedures   seconds   units a procedure   MB for the program   MB more at the peak");
    let this = std::env::current_exe().expect("a process should know its file");
    for layers in [10, 50, 100, 200] {
        let status = Command::new(&this).env(SIZE, layers.to_string()).status();
        let is_good = status.is_ok_and(|status| status.success());
        assert!(is_good, "{layers} layers should be safe");
    }
}

/// Decides a program of one size, in a process of its own: memory that is given back to the
/// allocator stays with the process.
fn measure(layers: usize) {
    let task = Task::new(layered(layers));
    let budget = Budget::unlimited();
    let before = megabytes("VmRSS:");
    let start = Instant::now();
    let outcome = Cra.run(&task, &budget);
    let seconds = start.elapsed().as_secs_f64();
    let verdict = certify::judge(&task.program, outcome, &budget);
    let is_safe = matches!(verdict, certify::Verdict::Safe(_));
    assert!(is_safe, "{layers} layers should be safe");
    let units = budget.effort() / layers as u64;
    let more = megabytes("VmHWM:") - before;
    println!("{layers:10} {seconds:9.2} {units:19} {before:20.1} {more:21.1}");
}

/// A clamp below, and above it procedures that take the lesser of two calls; `main` asserts the
/// bounds of the clamp.
fn layered(layers: usize) -> Program {
    let mut text = format!(
        r#"program ptr 8 entry main
        site n0: nondet i32 "__VERIFIER_nondet_int"
        proc p0 main() entry l0 exit l1 {{
          local v0 x: i32
          local v1 r: i32
          l0:
            e0: havoc x n0 -> l2
          l2:
            e1: r := call layer{layers}(x) -> l3
          l3:
            e2: assume (r >= 0i32) & (r <= 100i32) -> l4
            e3: assume !((r >= 0i32) & (r <= 100i32)) -> l5
          l4:
            e4: return -> l1
          l5: error assertion "r"
          l1:
        }}
        proc p1 layer1(v2 y: i32) -> i32 entry l0 exit l1 {{
          l0:
            e0: assume y > 100i32 -> l2
            e1: assume y <= 100i32 -> l3
          l2:
            e2: return 100i32 -> l1
          l3:
            e3: assume y < 0i32 -> l4
            e4: assume y >= 0i32 -> l5
          l4:
            e5: return 0i32 -> l1
          l5:
            e6: return y -> l1
          l1:
        }}
        "#
    );
    for layer in 2..=layers {
        let (below, [x, a, b]) = (layer - 1, [3, 2, 1].map(|place| 3 * layer - place));
        write!(
            text,
            r#"proc p{layer} layer{layer}(v{x} x{layer}: i32) -> i32 entry l0 exit l1 {{
              local v{a} a{layer}: i32
              local v{b} b{layer}: i32
              l0:
                e0: a{layer} := call layer{below}(x{layer}) -> l2
              l2:
                e1: assume x{layer} > 10i32 -> l3
                e2: assume x{layer} <= 10i32 -> l4
              l3:
                e3: b{layer} := call layer{below}(a{layer}) -> l5
              l4:
                e4: b{layer} := call layer{below}(a{layer} + 1i32) -> l5
              l5:
                e5: assume a{layer} < b{layer} -> l6
                e6: assume a{layer} >= b{layer} -> l7
              l6:
                e7: return a{layer} -> l1
              l7:
                e8: return b{layer} -> l1
              l1:
            }}
            "#
        )
        .expect("a string takes any text");
    }
    program::testing::parse(&text)
}

/// Megabytes of the process, by a name of the system's.
fn megabytes(name: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}
