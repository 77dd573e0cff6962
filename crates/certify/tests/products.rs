//! Proofs about programs with tracked products: those that hold are believed, others are not.

mod common;

use base::{Budget, Id};
use certify::{Outcome, Proof, ProofError, Rewriting, Rewritten, Runs, Verdict, judge};
use common::{program, proof};
use program::ir::{Program, VarId};
use program::pass::inline::InlineLimit;
use program::pass::products::{Monomial, Products, Ring};

/// Adds a number `x` up, `y` times, and compares with a product.
fn repeated_addition(step: i64) -> Program {
    program(&format!(
        r#"program ptr 8 entry main
site n0: nondet i32 "nondet"
global v0 y: i32 = 0i32
global v1 sum: i64 = 0i64
proc p0 main() entry l0 exit l6 {{
  local v2 x: i32
  l0:
    e0: havoc x n0 -> l1
  l1:
    e1: assume y < 1000i32 -> l2
    e2: assume y >= 1000i32 -> l4
  l2:
    e3: sum := sum + i64(x) -> l3
  l3:
    e4: y := y + {step}i32 -> l1
  l4:
    e5: assume sum == i64(x) * i64(y) -> l5
    e6: assume sum != i64(x) * i64(y) -> l7
  l5:
    e7: return -> l6
  l6:
  l7: error assertion "product"
}}
"#
    ))
}

fn rewriting(ring: Ring) -> Rewriting {
    Rewriting::Products(Products {
        monomials: vec![Monomial {
            ring,
            factors: vec![VarId::from_index(0), VarId::from_index(2)],
        }],
        lemmas: Vec::new(),
    })
}

fn by_products(program: &Program, rewriting: Rewriting, label: &str) -> Proof {
    let inlined = InlineLimit::default();
    let rewritten = rewriting.apply(program, inlined);
    let rewritten = rewritten.expect("the monomial should do");
    let labels = proof(&rewritten, &[(1, label)], &[]);
    Proof::Rewritten(Box::new(Rewritten {
        inlined,
        rewriting,
        proof: Proof::Inductive(Box::new(labels)),
    }))
}

fn check(program: &Program, proof: &Proof) -> Result<(), ProofError> {
    proof.check(program, &Budget::unlimited())
}

const LABEL: &str = "(= sum |$y*x|)";

#[test]
fn a_polynomial_invariant_is_a_label_over_products() {
    let program = repeated_addition(1);
    let proof = by_products(&program, rewriting(Ring::Integers), LABEL);
    assert_eq!(check(&program, &proof), Ok(()));
    let verdict = judge(&program, Outcome::Safe(proof), &Budget::unlimited());
    assert!(matches!(verdict, Verdict::Safe(_)));
}

#[test]
fn what_is_not_inductive_is_not_believed() {
    let cases = [
        (2, Ring::Integers, LABEL),
        (1, Ring::Integers, "true"),
        (1, Ring::Integers, "(= sum (+ |$y*x| 1))"),
    ];
    for (step, ring, label) in cases {
        let program = repeated_addition(step);
        let proof = by_products(&program, rewriting(ring), label);
        let error = check(&program, &proof);
        assert!(
            matches!(
                error,
                Err(ProofError::NotInductive(_) | ProofError::Undecided(..))
            ),
            "{step} {label}: {error:?}"
        );
    }
}

#[test]
fn only_labels_speak_of_products() {
    let program = repeated_addition(1);
    let mut proof = by_products(&program, rewriting(Ring::Integers), LABEL);
    if let Proof::Rewritten(rewritten) = &mut proof {
        rewritten.proof = Proof::Runs(Runs::default());
    }
    let error = check(&program, &proof);
    assert!(matches!(error, Err(ProofError::Malformed(_))), "{error:?}");
}
