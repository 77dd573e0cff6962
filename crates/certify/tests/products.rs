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
proc p0 main() entry l0 exit l1 {{
  local v0 x: i32
  local v1 y: i32
  local v2 sum: i64
  l0:
    e0: havoc x n0 -> l2
  l2:
    e1: y := 0i32 -> l3
  l3:
    e2: sum := 0i64 -> l4
  l4:
    e3: assume y < 1000i32 -> l5
    e4: assume y >= 1000i32 -> l7
  l5:
    e5: sum := sum + i64(x) -> l6
  l6:
    e6: y := y + {step}i32 -> l4
  l7:
    e7: assume sum == i64(x) * i64(y) -> l8
    e8: assume sum != i64(x) * i64(y) -> l9
  l8:
    e9: return -> l1
  l9: error assertion "product"
  l1:
}}
"#
    ))
}

fn rewriting(ring: Ring) -> Rewriting {
    Rewriting::Products(Products {
        monomials: vec![Monomial {
            ring,
            factors: vec![VarId::from_index(0), VarId::from_index(1)],
        }],
        lemmas: Vec::new(),
    })
}

fn by_products(program: &Program, rewriting: Rewriting, label: &str) -> Proof {
    let inlined = InlineLimit::default();
    let rewritten = rewriting.apply(program, inlined);
    let rewritten = rewritten.expect("the monomial should do");
    let labels = proof(&rewritten, &[(4, label)], &[]);
    Proof::Rewritten(Box::new(Rewritten {
        inlined,
        rewriting,
        proof: Proof::Inductive(Box::new(labels)),
    }))
}

fn check(program: &Program, proof: &Proof) -> Result<(), ProofError> {
    proof.check(program, &Budget::unlimited())
}

const LABEL: &str = "(= sum |$x*y|)";

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
        (1, Ring::Integers, "(= sum (+ |$x*y| 1))"),
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
    let proof = Proof::Rewritten(Box::new(Rewritten {
        inlined: InlineLimit::default(),
        rewriting: rewriting(Ring::Integers),
        proof: Proof::Runs(Runs::default()),
    }));
    let error = check(&program, &proof);
    assert!(matches!(error, Err(ProofError::Malformed(_))), "{error:?}");
}
