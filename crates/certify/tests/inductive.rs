//! Proofs by labels: those that hold are believed, others are not.

mod common;

use base::Budget;
use certify::{Inductive, ProofError};
use common::{Kept, program, proof};
use program::ir::Program;

fn check(program: &Program, proof: &Inductive) -> Result<(), ProofError> {
    proof.check(program, &Budget::unlimited())
}

#[track_caller]
fn accepted(program: &Program, labels: &[(usize, &str)], ghosts: &[Kept<'_>]) {
    assert_eq!(check(program, &proof(program, labels, ghosts)), Ok(()));
}

#[track_caller]
fn rejected(program: &Program, labels: &[(usize, &str)], ghosts: &[Kept<'_>]) {
    match check(program, &proof(program, labels, ghosts)) {
        Err(ProofError::NotInductive(_)) => {}
        other => panic!("{other:?}"),
    }
}

/// `for (i = 0; i < 10; i++); assert(i == 10);`
const COUNT: &str = r#"program ptr 8 entry main
    proc p0 main() entry l0 exit l1 {
      local v0 i: i32
      l0:
        e0: i := 0i32 -> l2
      l2:
        e1: assume i < 10i32 -> l3
        e2: assume i >= 10i32 -> l4
      l3:
        e3: i := i + 1i32 -> l2
      l4:
        e4: assume i == 10i32 -> l5
        e5: assume i != 10i32 -> l6
      l5:
        e6: return -> l1
      l6: error assertion "i == 10"
      l1:
    }"#;

#[test]
fn a_loop_with_a_bound() {
    let program = program(COUNT);
    accepted(&program, &[(2, "(and (<= 0 i) (<= i 10))")], &[]);
    accepted(&program, &[(2, "(<= i 10)")], &[]);
    rejected(&program, &[(2, "(<= i 11)")], &[]);
    rejected(&program, &[(2, "(<= 0 i)")], &[]);
    rejected(&program, &[], &[]);
}
