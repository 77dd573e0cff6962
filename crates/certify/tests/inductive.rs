//! Proofs by labels: those that hold are believed, others are not.

mod common;

use base::Budget;
use certify::{Inductive, Outcome, Proof, ProofError, ReasonKind, Verdict, judge};
use common::{Kept, count_down, main_of, program, proof, two_counters};
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
        // Of products and the like not enough is known to say more.
        Err(ProofError::Undecided(_, why)) if why.contains("knows too little") => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_loop_with_a_bound() {
    let program = program(&testkit::texts::counting_to_ten(10));
    accepted(&program, &[(2, "(and (<= 0 i) (<= i 10))")], &[]);
    accepted(&program, &[(2, "(<= i 10)")], &[]);
    rejected(&program, &[(2, "(<= i 11)")], &[]);
    rejected(&program, &[(2, "(<= 0 i)")], &[]);
    rejected(&program, &[], &[]);
}

#[test]
fn a_ghost_counts_rounds() {
    let program = two_counters("i32", "0i32", "0i32", "x + x + x == y + y");
    let counter: Kept<'_> = ("k", "0", &[(6, "(+ k 1)")]);
    let label = "(and (= x (* 2 k)) (= y (* 3 k)) (>= k 0))";
    accepted(&program, &[(3, label)], &[counter]);
    // The counter says the relation between the two; without it the relation must be said.
    accepted(&program, &[(3, "(= (* 3 x) (* 2 y))")], &[]);
    rejected(&program, &[(3, label)], &[("k", "1", &[(6, "(+ k 1)")])]);
    rejected(&program, &[(3, label)], &[("k", "0", &[])]);
    rejected(&program, &[(3, label)], &[("k", "0", &[(6, "(+ k 2)")])]);
    rejected(&program, &[(3, label)], &[("k", "0", &[(4, "(+ k 1)")])]);
    rejected(&program, &[(3, "(= x (* 2 k))")], &[counter]);
    rejected(&program, &[], &[counter]);
}

#[test]
fn unsigned_arithmetic_wraps() {
    let even = two_counters("u32", "0u32", "0u32", "x % 2u32 == 0u32");
    accepted(&even, &[(3, "(= (mod x 2) 0)")], &[]);
    rejected(&even, &[(3, "true")], &[]);
    // The sum is right modulo 2^32 only.
    let modulus = "4294967296";
    let counter: Kept<'_> = ("k", "0", &[(6, "(+ k 1)")]);
    let wrapped = format!(
        "(and (= (mod (- x (* 2 k)) {modulus}) 0) (= (mod (- y (* 3 k)) {modulus}) 0) (>= k 0))"
    );
    accepted(&even, &[(3, &wrapped)], &[counter]);
    rejected(&even, &[(3, "(and (= x (* 2 k)) (>= k 0))")], &[counter]);
    let threefold = two_counters("u32", "0u32", "0u32", "x * 3u32 == y * 2u32");
    accepted(&threefold, &[(3, &wrapped)], &[counter]);
    let multiple_of_three = two_counters("u32", "0u32", "0u32", "y % 3u32 == 0u32");
    rejected(&multiple_of_three, &[(3, "(= (mod y 3) 0)")], &[]);
    // Where the variable stays small nothing wraps.
    rejected(&multiple_of_three, &[(3, &wrapped)], &[counter]);
}

#[test]
fn the_widest_signed_type_holds_all_integers() {
    let even = &[(3, "(= (mod x 2) 0)")];
    // An even number is not the greatest value of a type, which is odd; but of which type?
    let narrow = two_counters("i64", "0i64", "0i64", "x < 9223372036854775807i64");
    accepted(&narrow, even, &[]);
    let most = "x < 170141183460469231731687303715884105727i128";
    let wide = two_counters("i128", "0i128", "0i128", most);
    rejected(&wide, even, &[]);
    // A conversion to it wraps all the same.
    let converted = two_counters("u128", "0u128", "0u128", "0i128 <= i128(x)");
    rejected(&converted, &[(3, "true")], &[]);
}

#[test]
fn a_ghost_keeps_the_value_at_the_entry() {
    let program = count_down();
    // The value at the loop's entry, and a counter.
    let entered: Kept<'_> = ("i0", "0", &[(2, "i")]);
    let counter: Kept<'_> = ("k", "0", &[(2, "0"), (6, "(+ k 1)")]);
    let label = "(and (= (+ i k) i0) (= s k) (>= k 0) (= i0 n))";
    accepted(&program, &[(4, label)], &[entered, counter]);
    rejected(&program, &[(4, label)], &[("i0", "0", &[]), counter]);
    rejected(
        &program,
        &[(4, label)],
        &[("i0", "0", &[(2, "s")]), counter],
    );
    // An update reads the variables after the edge and the ghosts before it.
    let twice: Kept<'_> = ("i0", "0", &[(1, "i"), (2, "(+ i0 s)")]);
    accepted(&program, &[(4, label)], &[twice, counter]);
    rejected(
        &program,
        &[(4, label)],
        &[("i0", "0", &[(0, "i")]), counter],
    );
    accepted(&program, &[(4, "(= (+ i s) n)")], &[]);
}

/// A value, an assignment, and a claim; no loop, no label.
fn straight(ty: &str, site: &str, assumed: &str, assigned: &str, claim: &str) -> Program {
    main_of(
        &format!("local v0 x: {ty}\n local v1 y: {ty}\n local v2 c: bool"),
        &format!(
            r#"
          l0:
            e0: havoc x {site} -> l2
          l2:
            e1: assume {assumed} -> l3
            e2: assume !({assumed}) -> l4
          l3:
            e3: y := {assigned} -> l5
          l5:
            e4: assume {claim} -> l4
            e5: assume !({claim}) -> l6
          l4:
            e6: return -> l1
          l6: error assertion "claim"
          l1:"#
        ),
    )
}

#[test]
fn only_defined_executions_count() {
    let signed = |assigned, claim| straight("i32", "n0", "x > 0i32", assigned, claim);
    let unsigned = |assigned, claim| straight("u32", "n1", "x > 0u32", assigned, claim);
    for (program, holds) in [
        (signed("x + 1i32", "y > x"), true),
        (unsigned("x + 1u32", "y > x"), false),
        (unsigned("x + 1u32", "(y > x) | (y == 0u32)"), true),
        (signed("x * 2i32", "y > x"), true),
        (unsigned("x * 2u32", "y > x"), false),
        (unsigned("x * 2u32", "y % 2u32 == 0u32"), true),
        (signed("x << 1i32", "y > x"), true),
        (unsigned("x << 1u32", "(y & 1u32) == 0u32"), true),
        (signed("10i32 / (x - 1i32)", "x != 1i32"), true),
        (signed("10i32 / x", "x != 1i32"), false),
        (signed("x * x", "y >= x"), true),
        (signed("x * (x + 1i32)", "y > 0i32"), true),
        (unsigned("x * x", "y >= x"), false),
        (signed("x % 8i32", "y == (x & 7i32)"), true),
        (signed("-x % 8i32", "(y <= 0i32) & (y > -8i32)"), true),
        (signed("-x >> 1i32", "y < 0i32"), true),
        (signed("x | 1i32", "y % 2i32 == 1i32"), true),
        (
            unsigned("x ^ 1u32", "(y - x == 1u32) | (x - y == 1u32)"),
            true,
        ),
        (unsigned("x & (x + 1u32)", "y <= x"), true),
        (unsigned("x / 3u32", "y * 3u32 <= x"), true),
        // What is not evaluated assumes nothing: y may be 0 for the greatest x.
        (signed("x < 100i32 ? x + 1i32 : 0i32", "y > 0i32"), false),
        (
            signed("x < 2147483647i32 ? x + 1i32 : 0i32", "x < 2147483647i32"),
            false,
        ),
        (
            signed("x < 100i32 ? x + 1i32 : 1i32", "(y > 0i32) & (y <= 100i32)"),
            true,
        ),
        (
            signed("0i32", "overflows(x + 1i32) == (x == 2147483647i32)"),
            true,
        ),
    ] {
        if holds {
            accepted(&program, &[], &[]);
        } else {
            rejected(&program, &[], &[]);
        }
    }
}

#[test]
fn nested_loops() {
    // for (i = 0; i < n; i++) for (j = 0; j < i; j++) s++; assert(s >= 0 && i <= n);
    let program = main_of(
        "local v0 n: i32\n local v1 i: i32\n local v2 j: i32\n local v3 s: i32",
        r#"
          l0:
            e0: havoc n n0 -> l2
          l2:
            e1: assume n > 0i32 -> l3
            e2: assume n <= 0i32 -> l12
          l3:
            e3: i := 0i32 -> l4
          l4:
            e4: s := 0i32 -> l5
          l5:
            e5: assume i < n -> l6
            e6: assume i >= n -> l10
          l6:
            e7: j := 0i32 -> l7
          l7:
            e8: assume j < i -> l8
            e9: assume j >= i -> l9
          l8:
            e10: s := s + 1i32 -> l13
          l13:
            e11: j := j + 1i32 -> l7
          l9:
            e12: i := i + 1i32 -> l5
          l10:
            e13: assume (s >= 0i32) & (i == n) -> l12
            e14: assume !((s >= 0i32) & (i == n)) -> l11
          l11: error assertion "s >= 0"
          l12:
            e15: return -> l1
          l1:"#,
    );
    let outer = "(and (>= s 0) (>= i 0) (<= i n))";
    let inner = "(and (>= s 0) (>= i 0) (< i n) (>= j 0) (<= j i))";
    accepted(&program, &[(5, outer), (7, inner)], &[]);
    // Rounds of the inner loop, set back by the outer one.
    let k: Kept<'_> = ("k", "0", &[(7, "0"), (11, "(+ k 1)")]);
    let counted = "(and (>= s k) (= j k) (>= k 0) (>= i 0) (< i n))";
    accepted(&program, &[(5, outer), (7, counted)], &[k]);
    let not_set_back: Kept<'_> = ("k", "0", &[(11, "(+ k 1)")]);
    rejected(&program, &[(5, outer), (7, counted)], &[not_set_back]);
    // A loop without a label forgets everything.
    rejected(&program, &[(5, outer)], &[]);
    // The label of the inner loop cuts the outer one as well.
    accepted(&program, &[(7, inner)], &[]);
    rejected(
        &program,
        &[(7, "(and (>= s 0) (>= i 0) (>= j 0) (<= j i))")],
        &[],
    );
}

#[test]
fn labels_at_other_places_cut_too() {
    let program = program(&testkit::texts::counting_to_ten(10));
    // In the body instead of the header; and everywhere.
    accepted(&program, &[(3, "(< i 10)")], &[]);
    let all = [
        (0, "true"),
        (2, "(<= i 10)"),
        (3, "(<= i 9)"),
        (4, "(= i 10)"),
        (5, "(= i 10)"),
        (6, "false"),
        (1, "(= i 10)"),
    ];
    accepted(&program, &all, &[]);
    rejected(&program, &[(3, "(<= i 10)")], &[]);
    // The error location needs more than a label.
    rejected(&program, &[(2, "(<= i 11)"), (6, "true")], &[]);
}

#[test]
fn what_is_not_modelled_must_not_be_reached() {
    let text = |condition: &str| {
        main_of(
            "local v0 i: i32",
            &format!(
                r#"
          l0:
            e0: havoc i n0 -> l2
          l2:
            e1: assume {condition} -> l3
            e2: assume !({condition}) -> l4
          l3:
            e3: unsupported "asm" -> l4
          l4:
            e4: return -> l1
          l1:"#
            ),
        )
    };
    rejected(&text("i > 0i32"), &[], &[]);
    accepted(&text("i * 2i32 == 7i32"), &[], &[]);
}

#[test]
fn verdicts() {
    let program = program(&testkit::texts::counting_to_ten(10));
    let verdict = |label: &str, budget: &Budget| {
        let proof = proof(&program, &[(2, label)], &[]);
        let outcome = Outcome::Safe(Proof::Inductive(Box::new(proof)));
        judge(&program, outcome, budget)
    };
    let budget = Budget::unlimited();
    assert!(matches!(verdict("(<= i 10)", &budget), Verdict::Safe(_)));
    // A proof that does not hold names the place and what fails there.
    match verdict("(and (<= 0 i) (<= i 9))", &budget) {
        Verdict::Unknown(reason) => {
            assert_eq!(reason.kind, ReasonKind::Internal);
            assert!(reason.message.contains("p0.l2 to l2"), "{}", reason.message);
            assert!(reason.message.contains("(<= i 9)"), "{}", reason.message);
            assert!(reason.message.contains("i = 9"), "{}", reason.message);
        }
        Verdict::Safe(_) | Verdict::Unsafe(_) => panic!("believed a forged proof"),
    }
    // One that could not be checked is no mistake, but no verdict either.
    let ended = budget.with_timeout(std::time::Duration::ZERO);
    match verdict("(<= i 10)", &ended) {
        Verdict::Unknown(reason) => assert_eq!(reason.kind, ReasonKind::Timeout),
        Verdict::Safe(_) | Verdict::Unsafe(_) => panic!("believed without time to check"),
    }
}
