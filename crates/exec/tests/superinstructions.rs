//! Failures within superinstructions: the place of each is that of its own instruction.

mod ir;

use base::Id;
use exec::End;
use ir::{end, read, run};
use program::ir::EdgeId;

/// A loop whose iteration is few words: a store, an increment and a comparison.
const FILLING: &str = "\
program ptr 8 entry main
object o0 a: 40 align 4
proc p0 main() -> i32 entry l0 exit l1 {
  local v0 i: i32
  l0:
    e0: i := START -> l2
  l2:
    e1: assume i < 2147483647i32 -> l3
    e2: assume i >= 2147483647i32 -> l5
  l3:
    e3: i32[&a ++ i64(i % 16i32) * 4i64] := i -> l4
  l4:
    e4: i := i + STEP -> l2
  l5:
    e5: return i -> l1
  l1:
}
";

#[test]
fn a_failure_within_a_superinstruction_names_its_own_place() {
    let cases = [
        (
            "0i32",
            "1i32",
            3,
            "write of 4 bytes at offset 40 of `a`, which has 40 bytes",
        ),
        (
            "2147483632i32",
            "16i32",
            4,
            "2147483632 + 16 does not fit in i32",
        ),
    ];
    for (start, step, edge, message) in cases {
        let program = read(&FILLING.replace("START", start).replace("STEP", step));
        let run = run(&program, &[]);
        let End::Undefined(undefined) = &run.end else {
            panic!("{:?}", run.end);
        };
        assert_eq!(undefined.message, message);
        assert_eq!(run.at, Some((program.entry, EdgeId::from_index(edge))));
    }
    let start = FILLING.replace("START", "2147483639i32");
    let ends = start.replace("STEP", "8i32");
    let End::Exited(status) = end(&read(&ends)) else {
        panic!("the sum should fit");
    };
    assert_eq!(status, 2147483647);
}

#[test]
fn an_argument_that_fails_beside_a_new_object_names_the_call() {
    let program = read(
        "\
program ptr 8 entry main
proc p0 main() -> i32 entry l0 exit l1 {
  local v0 n: i32
  object o0 cell: 4 align 4
  l0:
    e0: n := 2147483647i32 -> l2
  l2:
    e1: enter cell -> l3
  l3:
    e2: n := call f(&cell, n + 1i32) -> l4
  l4:
    e3: return n -> l1
  l1:
}
proc p1 f(v1 p: ptr, v2 k: i32) -> i32 entry l0 exit l1 {
  l0:
    e0: return k -> l1
  l1:
}
",
    );
    let run = run(&program, &[]);
    let End::Undefined(undefined) = &run.end else {
        panic!("{:?}", run.end);
    };
    assert_eq!(undefined.message, "2147483647 + 1 does not fit in i32");
    assert_eq!(run.at, Some((program.entry, EdgeId::from_index(2))));
}
