//! What is folded, what is kept, and that programs stay valid.

use super::*;
use program::testing::{main_text, parse};
use program::text::Printer;
use program::validate::validate;
use testkit::random;

fn ops(text: &str) -> Vec<String> {
    let program = parse(text);
    let (result, _) = propagate_constants(&program);
    assert_eq!(validate(&result).first(), None);
    let printer = Printer::new(&result);
    let edges = result.procs[result.entry].edges.iter();
    edges.map(|edge| printer.op(&edge.op)).collect()
}

#[test]
fn follows_only_branches_that_can_be_taken() {
    let text = r#"program ptr 8 entry main
global v0 never: i32 = 7i32
global v1 changed: i32 = 1i32
site n0: nondet i32 "input"
proc p0 main() entry l0 exit l1 {
  local v2 x: i32
  local v3 y: i32
  l0:
    e0: x := never + changed -> l2
  l2:
    e1: assume x > 9i32 -> l3
    e2: assume x <= 9i32 -> l4
  l3:
    e3: x := 0i32 -> l4
  l4:
    e4: call f() -> l5
  l5:
    e5: y := x * changed + never -> l6
  l6:
    e6: havoc y n0 -> l7
  l7:
    e7: assume y == 3i32 -> l8
    e8: assume y != 3i32 -> l9
  l8:
    e9: x := y / (x - 8i32) -> l9
  l9:
    e10: return -> l1
  l1:
}
proc p1 f() entry l0 exit l1 {
  l0:
    e0: changed := 2i32 -> l2
  l2:
    e1: return -> l1
  l1:
}
"#;
    let expected = [
        "x := 8i32",
        "skip",
        "x := 0i32",
        "call f()",
        "y := 8i32 * changed + 7i32",
        "havoc y n0",
        "assume y == 3i32",
        "assume y != 3i32",
        // Undefined, so it stays to be met.
        "x := 3i32 / 0i32",
        "return",
    ];
    assert_eq!(ops(text), expected);
}

#[test]
fn a_loop_forgets_what_it_changes() {
    let text = r#"
  l0:
    e0: i := 0u8 -> l2
  l2:
    e1: step := 1u8 -> l3
  l3:
    e2: assume i < 10u8 -> l4
    e3: assume i >= 10u8 -> l5
  l4:
    e4: i := i + step -> l3
  l5:
    e5: return -> l1"#;
    assert_eq!(
        ops(&main_text("i: u8, step: u8", text))[2..5],
        ["assume i < 10u8", "assume i >= 10u8", "i := i + 1u8"]
    );
}

#[test]
fn random_programs_stay_valid() {
    for seed in 0..200 {
        let program = random::program(seed, 30);
        let (result, _) = propagate_constants(&program);
        let problems = validate(&result);
        assert_eq!(problems.first(), None, "seed {seed}");
        // What it leaves has nothing more to fold but through memory of the first pass.
        let (again, _) = propagate_constants(&result);
        let count = |p: &Program| p.procs.iter().map(|f| f.edges.len()).sum::<usize>();
        assert!(count(&again) <= count(&result));
    }
}
