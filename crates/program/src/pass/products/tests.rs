//! Tests of the pass; `exec` holds it against the machine.

use super::*;
use crate::testing::parse;
use crate::text::{Spans, print};
use base::Id;

/// A procedure with an op in a loop, and a test of an expression.
fn program(op: &str, tested: &str) -> Program {
    parse(&format!(
        r#"program ptr 8 entry main
global v0 g: i32 = 3i32
site n0: nondet i32 "nondet"
proc p0 main() entry l0 exit l1 {{
  local v1 x: i32
  local v2 y: i64
  local v3 u: u32
  local v4 w: u32
  l0:
    e0: {op} -> l2
  l2:
    e1: assume {tested} -> l3
    e2: assume ~({tested}) -> l0
  l3:
    e3: return -> l1
  l1:
}}
"#
    ))
}

fn monomial(ring: Ring, factors: &[usize]) -> Monomial {
    Monomial {
        ring,
        factors: factors.iter().map(|&var| VarId::from_index(var)).collect(),
    }
}

/// The ops of the program with the monomials, in the order in which a run makes them.
fn ops(op: &str, tested: &str, monomials: &[Monomial]) -> Vec<String> {
    ops_with(op, tested, monomials, Vec::new())
}

fn ops_with(op: &str, tested: &str, monomials: &[Monomial], lemmas: Vec<Lemma>) -> Vec<String> {
    let products = Products {
        monomials: monomials.to_vec(),
        lemmas,
    };
    let program = with_products(&program(op, tested), &products);
    let text = print(&program.expect("the monomials should do"), Spans::Omit);
    (text.lines())
        .filter_map(|line| line.trim().strip_prefix('e')?.split_once(": "))
        .filter_map(|(_, op)| op.rsplit_once(" -> "))
        .map(|(op, _)| op.to_owned())
        .filter(|op| !op.starts_with("return") && op != "skip")
        .collect()
}

#[track_caller]
fn has(ops: &[String], wanted: &str) {
    assert!(ops.iter().any(|op| op == wanted), "{wanted} in {ops:#?}");
}

const XY: &[usize] = &[1, 2];

#[test]
fn an_assignment_sets_the_products_of_its_variable() {
    let products = [monomial(Ring::Integers, XY)];
    let ops = ops("x := x + 1i32", "x == 0i32", &products);
    has(&ops, "$new := $x_y.v5 + i128(y)");
    has(&ops, "$x_y.v5 := $new");
}

#[test]
fn what_is_no_polynomial_is_computed_anew() {
    let products = [monomial(Ring::Integers, XY)];
    for op in ["havoc x n0", "x := x / 2i32", "x := x * x", "x := i32(u)"] {
        let ops = ops(op, "x == 0i32", &products);
        // At the start, and behind the op.
        let computed = ops
            .iter()
            .filter(|op| *op == "$x_y.v5 := i128(x) * i128(y)");
        assert_eq!(computed.count(), 2, "{op}: {ops:#?}");
    }
}

#[test]
fn a_test_takes_what_is_known_and_fits() {
    let products = [monomial(Ring::Integers, XY)];
    let ops = ops("skip", "i64(x) * y + 1i64 == 0i64", &products);
    has(&ops, "$polynomial := 1i128 + $x_y.v5");
    has(&ops, "assume i64($polynomial) == 0i64");
    let bounds = "assume ($polynomial >= -9223372036854775808i128) & \
                  ($polynomial <= 9223372036854775807i128)";
    has(&ops, bounds);
}

#[test]
fn unsigned_products_wrap() {
    let products = [monomial(Ring::Modulo(32), &[3, 4])];
    let added = ops("u := u + 7u32", "u * w == 0u32", &products);
    has(&added, "$new := $u_w.v5 + w * 7u32");
    has(&added, "$polynomial := $u_w.v5");
    has(&added, "assume $polynomial == 0u32");
    assert!(!added.iter().any(|op| op.contains(">=")), "{added:#?}");
    // The integers do not know where the sum wraps.
    let exact = ops(
        "u := u + 7u32",
        "u * w == 0u32",
        &[monomial(Ring::Integers, &[3, 4])],
    );
    has(&exact, "$u_w.v5 := i128(u) * i128(w)");
    has(&exact, "assume u * w == 0u32");
}

#[test]
fn what_a_choice_may_leave_out_is_not_assumed_to_fit() {
    let products = [monomial(Ring::Integers, XY)];
    let ops = ops("skip", "(x == 0i32 ? i64(x) * y : 1i64) == 0i64", &products);
    assert!(!ops.iter().any(|op| op.contains("$polynomial")), "{ops:#?}");
}

#[test]
fn monomials_are_of_variables_that_only_the_entry_writes() {
    let program = program("skip", "x == 0i32");
    let of_all = |ring| monomial(ring, &[0, 1]).check(&program);
    assert_eq!(of_all(Ring::Integers), Ok(()));
    for wrong in [&[1][..], &[2, 1], &[1, 9]] {
        let monomial = monomial(Ring::Integers, wrong);
        let products = Products {
            monomials: vec![monomial],
            lemmas: Vec::new(),
        };
        assert!(with_products(&program, &products).is_err(), "{wrong:?}");
    }
}

/// That a variable is as large as another, multiplied with a third.
fn lemma(left: usize, right: usize, times: usize) -> Lemma {
    let var = |number| Polynomial::var(VarId::from_index(number));
    let zero = var(left).plus(&var(right), -1);
    Lemma {
        at: LocationId::from_index(2),
        zero: zero.expect("it should be small"),
        times: vec![VarId::from_index(times)],
    }
}

#[test]
fn a_lemma_says_that_products_with_zero_are_zero() {
    let products = [&[1, 2], &[2, 3]].map(|factors| monomial(Ring::Integers, factors));
    let ops = ops_with("skip", "x == 0i32", &products, vec![lemma(1, 3, 2)]);
    let zero = "i128(x) + i128(u) * -1i128";
    let product = "$x_y.v5 + $y_u.v6 * -1i128";
    has(
        &ops,
        &format!("assume ({zero} != 0i128) | ({product} == 0i128)"),
    );
}

#[test]
fn a_lemma_is_of_tracked_products() {
    let program = program("skip", "x == 0i32");
    for wrong in [lemma(1, 2, 2), lemma(1, 9, 2), lemma(1, 3, 9)] {
        let products = Products {
            monomials: vec![monomial(Ring::Integers, XY)],
            lemmas: vec![wrong.clone()],
        };
        assert!(with_products(&program, &products).is_err(), "{wrong:?}");
    }
}
