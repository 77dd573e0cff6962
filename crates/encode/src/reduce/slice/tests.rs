//! What a slice keeps.

use super::*;
use program::testing::parse;
use program::text::Printer;
use program::validate::validate;
use testkit::random;

const PROGRAM: &str = r#"program ptr 8 entry main
global v0 log: i32 = 0i32
site n0: nondet i32 "input"
object o0 tab: 8 align 8
proc p0 main() -> i32 entry l0 exit l1 {
  local v1 x: i32
  local v2 noise: u32
  local v3 r: i32
  l0:
    e0: havoc x n0 -> l2
  l2:
    e1: noise := u32(x) * 3u32 -> l3
  l3:
    e2: i32[&tab] := x -> l4
  l4:
    e3: r := call f(x, noise) -> l5
  l5:
    e4: assume r == 3i32 -> l6
    e5: assume r != 3i32 -> l7
  l6: error assertion "no"
  l7:
    e6: log := 5i32 -> l8
  l8:
    e7: return log -> l1
  l1:
}
proc p1 f(v4 a: i32, v5 b: u32) -> i32 entry l0 exit l1 {
  l0:
    e0: return a + 1i32 -> l1
  l1:
}
"#;

fn reachable_ops(program: &Program) -> Vec<String> {
    let printer = Printer::new(program);
    let procedure = &program.procs[program.entry];
    let reachable = procedure.reachable();
    let edges = procedure.edges.iter().filter(|edge| reachable[edge.source]);
    edges.map(|edge| printer.op(&edge.op)).collect()
}

#[test]
fn keeps_what_decides() {
    let program = parse(PROGRAM);
    let found = reachable_ops(&slice(&program, Removal::default()));
    let expected = [
        "havoc x n0",
        "skip",
        // The store stays, for it could be undefined; what it stores does not matter.
        "i32[&tab] := 0i32",
        "r := call f(x, 0u32)",
        "assume r == 3i32",
        "assume r != 3i32",
        "abort",
    ];
    assert_eq!(found, expected);
    let removal = Removal {
        undefined: true,
        inputs: true,
    };
    assert_eq!(reachable_ops(&slice(&program, removal))[2], "skip");
}

#[test]
fn without_an_error_location_nothing_is_left() {
    let program =
        parse(&PROGRAM.replace(": error assertion \"no\"", ":\n    e8: abort -> l9\n  l9:"));
    assert_eq!(
        reachable_ops(&slice(&program, Removal::default())),
        ["abort"]
    );
    let asm = PROGRAM.replace(
        ": error assertion \"no\"",
        ":\n    e8: unsupported \"asm\" -> l9\n  l9:",
    );
    assert_eq!(
        reachable_ops(&slice(&parse(&asm), Removal::default())).len(),
        8
    );
}

#[test]
fn random_programs_stay_valid() {
    for seed in 0..200 {
        let program = random::program(seed, 25);
        for (undefined, inputs) in [(false, false), (true, false), (true, true)] {
            let result = slice(&program, Removal { undefined, inputs });
            assert_eq!(validate(&result).first(), None, "seed {seed}");
        }
    }
}
