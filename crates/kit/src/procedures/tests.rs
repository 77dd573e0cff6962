//! Contracts of a procedure that counts down, and of McCarthy's.

use super::*;
use crate::prepared::Prepared;
use base::Budget;
use certify::Proof;
use program::ir::{Program, VarId};

/// `down(n)` counts to zero and back, except for `odd_one`, where it counts twice; `main` wants the
/// count of any number up to ten to be `wanted` more.
fn counting(odd_one: i64, wanted: i64) -> Program {
    let [wrong, opposite] = ["!=", "=="].map(|op| format!("r {op} n + {wanted}i32"));
    program::testing::parse(&testkit::texts::counting_down(odd_one, &wrong, &opposite))
}

/// The proof, if there is one.
fn proof(prepared: &Prepared, mut ctx: Context, mut procedures: Procedures) -> Proof {
    let labels = procedures.entry_labels(&mut ctx).expect("labels of main");
    let others = procedures.labels(&mut ctx, prepared);
    let others = others.expect("labels of procedures");
    let proof = prepared.proof_by_contracts(ctx, labels, &others);
    proof.expect("a proof")
}

#[test]
fn hulls_of_shallow_calls_make_contracts() {
    let budget = Budget::unlimited();
    let program = counting(-1, 0);
    let prepared = Prepared::new(&program);
    let mut ctx = prepared.context(&budget);
    let mut procedures = Procedures::new(&mut ctx, &prepared);
    assert!(!procedures.is_safe());
    procedures.summarise(&mut ctx, HullEffort::Little);
    assert!(procedures.is_safe());
    let proof = proof(&prepared, ctx, procedures);
    assert_eq!(proof.check(&program, &budget), Ok(()));
}

#[test]
fn interpolants_of_unwound_calls_make_contracts() {
    let budget = Budget::unlimited();
    let program = counting(-1, 0);
    let prepared = Prepared::new(&program);
    let mut ctx = prepared.context(&budget);
    let mut procedures = Procedures::new(&mut ctx, &prepared);
    for depth in 0..4 {
        assert_eq!(procedures.learn(&mut ctx, depth), Unfolded::Refuted);
        if procedures.is_safe() {
            break;
        }
    }
    assert!(procedures.is_safe());
    let proof = proof(&prepared, ctx, procedures);
    assert_eq!(proof.check(&program, &budget), Ok(()));
}

#[test]
fn candidates_that_do_not_hold_are_dropped() {
    let budget = Budget::unlimited();
    let program = counting(-1, 0);
    let prepared = Prepared::new(&program);
    let mut ctx = prepared.context(&budget);
    let mut procedures = Procedures::new(&mut ctx, &prepared);
    let (&proc, frame) = prepared.frames.first_key_value().expect("a frame");
    let (&copy, result) = (
        frame.entry_values.values().next().expect("an argument"),
        frame.result.expect("a result"),
    );
    let (n, r) = (ctx.before(copy), ctx.before(result));
    let (zero, four) = (ctx.store.int(0i64), ctx.store.int(4i64));
    let holds = ctx.store.le(zero, r);
    // It holds of calls from `main` alone, and of shallow ones.
    let (context, shallow) = (ctx.store.le(four, n), ctx.store.le(r, four));
    let mut candidates = procedures.facts.clone();
    let facts = candidates.entry(proc).or_default();
    facts.requires.insert(context);
    facts.ensures.extend([holds, shallow]);
    procedures.establish(&mut ctx, candidates);
    let facts = &procedures.facts[&proc];
    assert_eq!(facts.ensures, [holds].into());
    assert_eq!(facts.requires, [].into());
    assert!(!procedures.is_safe());
}

#[test]
fn what_fails_is_reached_when_it_is_deep_enough() {
    let budget = Budget::unlimited();
    for (odd_one, wanted, deep) in [(2, 0, 2), (-1, 1, 0)] {
        let program = counting(odd_one, wanted);
        let prepared = Prepared::new(&program);
        let mut ctx = prepared.context(&budget);
        let mut procedures = Procedures::new(&mut ctx, &prepared);
        procedures.summarise(&mut ctx, HullEffort::Great);
        assert!(!procedures.is_safe());
        let found = (0..=3).find(|&depth| {
            let mut nothing = procedures.facts.clone();
            procedures.unfold(&mut ctx, depth, &mut nothing) == Unfolded::Reached
        });
        // Depth counts the calls below the first.
        assert_eq!(found, Some(deep + 1), "{odd_one} {wanted}");
    }
}

/// McCarthy's function of any number, which is 91 up to 101.
fn ninety_one() -> Program {
    program::testing::parse(
        r#"program ptr 8 entry main
        site n0: nondet i32 "__VERIFIER_nondet_int"
        proc p0 main() entry l0 exit l1 {
          local v0 n: i32
          local v1 r: i32
          l0:
            e0: havoc n n0 -> l2
          l2:
            e1: r := call mc(n) -> l3
          l3:
            e2: assume (r == 91i32) | ((n > 101i32) & (r == n - 10i32)) -> l5
            e3: assume !((r == 91i32) | ((n > 101i32) & (r == n - 10i32))) -> l4
          l4: error assertion "r"
          l5:
            e4: return -> l1
          l1:
        }
        proc p1 mc(v2 m: i32) -> i32 entry l0 exit l1 {
          local v3 s: i32
          local v4 t: i32
          l0:
            e0: assume m > 100i32 -> l2
            e1: assume m <= 100i32 -> l3
          l2:
            e2: return m - 10i32 -> l1
          l3:
            e3: s := call mc(m + 11i32) -> l4
          l4:
            e4: t := call mc(s) -> l5
          l5:
            e5: return t -> l1
          l1:
        }"#,
    )
}

/// What comes first in the store comes first in every conjunction, so another order of terms is
/// another order of models and cases.
#[test]
fn hulls_do_not_depend_on_the_order_of_terms() {
    let program = ninety_one();
    let budget = Budget::unlimited();
    let prepared = Prepared::new(&program);
    let (_, frame) = prepared.frames.first_key_value().expect("a frame");
    let mut lost = Vec::new();
    for order in 0..8i64 {
        let mut ctx = prepared.context(&budget);
        let mut vars: Vec<VarId> = frame.found().chain(frame.left()).collect();
        vars.extend(program.vars.ids());
        let shift = order as usize % vars.len();
        vars.rotate_left(shift);
        if order % 2 == 1 {
            vars.reverse();
        }
        for (place, &one) in vars.iter().enumerate() {
            for &other in &vars[place..] {
                let (a, b) = (ctx.before(one), ctx.before(other));
                let (sum, difference) = (ctx.store.add(a, b), ctx.store.sub(b, a));
                for bound in [91i64, 100, 101, -10, 90, 111] {
                    let bound = ctx.store.int((bound * 7 + order * 13) % 121);
                    ctx.store.le(bound, sum);
                    ctx.store.le(difference, bound);
                    ctx.store.le(a, bound);
                    ctx.store.le(bound, b);
                }
            }
        }
        let mut procedures = Procedures::new(&mut ctx, &prepared);
        procedures.summarise(&mut ctx, HullEffort::Little);
        if !procedures.is_safe() {
            lost.push(order);
        }
    }
    assert!(lost.is_empty(), "{lost:?}");
}
