//! Proofs that are about the elements of small objects, which the checker makes variables itself.

mod common;

use base::Budget;
use certify::{Inductive, ProofError};
use common::{failing_runs, program, proof};
use program::ir::Program;
use program::pass::inline::InlineLimit;
use program::pass::inlined;

/// A proof of the program as the checker sees it.
fn scalarised(program: &Program, labels: &[(usize, &str)]) -> Inductive {
    let limit = InlineLimit::default();
    let mut proof = proof(&inlined(program, limit), labels, &[]);
    proof.inlined = Some(limit);
    proof
}

fn check(program: &Program, labels: &[(usize, &str)]) -> Result<(), ProofError> {
    scalarised(program, labels).check(program, &Budget::unlimited())
}

#[track_caller]
fn rejected(program: &Program, labels: &[(usize, &str)]) {
    let found = check(program, labels);
    assert!(
        matches!(found, Err(ProofError::NotInductive(_))),
        "{found:?}"
    );
}

/// `int a[3]; for (i = 0; i < bound; i++) a[i] = 7; assert(condition);`, with the store checked.
fn fill(bound: i32, condition: &str, negated: &str) -> Program {
    program(&format!(
        r#"program ptr 8 entry main
    proc p0 main() entry l0 exit l1 {{
      local v0 i: i32
      local v1 q: ptr
      object o0 a: 12 align 4
      l0:
        e0: enter a -> l2
      l2:
        e1: i := 0i32 -> l3
      l3:
        e2: assume i < {bound}i32 -> l4
        e3: assume i >= {bound}i32 -> l8
      l4:
        e4: q := &a ++ i64(i) * 4i64 -> l5
      l5:
        e5: assume writable(q, 4u64) -> l6
        e6: assume !(writable(q, 4u64)) -> l10
      l6:
        e7: i32[q] := 7i32 -> l7
      l7:
        e8: i := i + 1i32 -> l3
      l8:
        e9: assume {condition} -> l9
        e10: assume {negated} -> l11
      l9:
        e11: return -> l1
      l10: error dereference "outside"
      l11: error assertion "no"
      l1:
    }}"#
    ))
}

#[test]
fn elements_have_values_and_indices_bounds() {
    let filled = fill(3, "i32[&a ++ 4i64] == 7i32", "i32[&a ++ 4i64] != 7i32");
    let label = "(and (<= 0 i) (<= i 3) (or (<= i 1) (= $a_4 7)))";
    assert_eq!(check(&filled, &[(3, label)]), Ok(()));
    // The bound of the index is needed, and so is the element.
    rejected(&filled, &[(3, "(or (<= i 1) (= $a_4 7))")]);
    rejected(&filled, &[(3, "(and (<= 0 i) (<= i 3))")]);
    // The proof does not mention the program as it was.
    let mut plain = scalarised(&filled, &[(3, label)]);
    plain.inlined = None;
    let found = plain.check(&filled, &Budget::unlimited());
    assert!(matches!(found, Err(ProofError::Malformed(_))), "{found:?}");
}

#[test]
fn one_iteration_too_many_is_outside() {
    let filled = fill(4, "true", "false");
    for label in [
        "(<= 0 i)",
        "(and (<= 0 i) (<= i 3))",
        "(and (<= 0 i) (<= i 4))",
    ] {
        rejected(&filled, &[(3, label)]);
    }
}

#[test]
fn indeterminate_elements_may_be_anything() {
    let never = fill(0, "i32[&a ++ 4i64] == 0i32", "i32[&a ++ 4i64] != 0i32");
    rejected(&never, &[(3, "(= i 0)")]);
    rejected(&never, &[(3, "(and (= i 0) (= $a_4 0))")]);
}

/// Programs with everything that the IR has: what is proved without labels, no run contradicts.
#[test]
fn nothing_that_runs_do_contradicts_a_proof() {
    let (mut proved, mut violated) = (0, 0);
    for seed in 0..250 {
        let program = testkit::random::program(seed, 6);
        let is_proved = check(&program, &[]).is_ok();
        proved += usize::from(is_proved);
        let failing = failing_runs(&program, 20);
        violated += failing;
        assert!(!is_proved || failing == 0, "seed {seed}");
    }
    assert!(proved > 10 && violated > 100, "{proved} {violated}");
}
