//! Procedures that call each other in layers: what a decision takes as there are more of them.
//!
//! Each procedure calls the one below it three times, so inlining them all would be exponential. The
//! effort for each procedure should stay about the same from line to line, and so should the memory.
//!
//! `cargo bench -p cairn-engine --bench layers`

#![allow(clippy::print_stdout, reason = "it reports to a person")]

use base::Budget;
use engine::{Engine, Task, cra::Cra};
use program::ir::Program;
use std::fmt::Write;
use std::time::Instant;

fn main() {
    println!("procedures   seconds   units a procedure   resident");
    for layers in [10, 50, 100, 200] {
        let task = Task::new(layered(layers));
        let budget = Budget::unlimited();
        let start = Instant::now();
        let outcome = Cra.run(&task, &budget);
        let seconds = start.elapsed().as_secs_f64();
        let verdict = certify::judge(&task.program, outcome, &budget);
        let is_safe = matches!(verdict, certify::Verdict::Safe(_));
        assert!(is_safe, "{layers} layers should be safe");
        let units = budget.effort() / layers as u64;
        println!("{layers:10} {seconds:9.2} {units:19} {:7} MB", resident());
    }
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

/// Megabytes of the process.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
