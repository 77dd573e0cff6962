//! What the engines for linear clauses are for: each decides what the others are slow at.

use base::{Budget, SourceMap};
use certify::ClauseVerdict;
use chc::automaton::CRA;
use chc::pdr::Pdr;
use chc::runs::Runs;
use chc::{ClauseEngine, decide_clauses};
use horn::System;

fn system(text: &str) -> System {
    let mut sources = SourceMap::new();
    let file = sources.add("test.smt2", text.as_bytes().to_vec());
    let file = file.expect("the text should fit");
    horn::read(sources.file(file)).expect("the text should be clauses")
}

fn answer(engine: &dyn ClauseEngine, text: &str, budget: &Budget) -> &'static str {
    let verdict = decide_clauses(engine, &system(text), budget, Budget::unlimited);
    if let ClauseVerdict::Unknown(reason) = &verdict {
        panic!("{}: {}", engine.name(), reason.message);
    }
    verdict.answer()
}

fn budget() -> Budget {
    Budget::unlimited().with_effort(5_000_000)
}

/// Two of many flags may be set together, but never the first and the last: a lemma of two literals.
#[test]
fn pdr_finds_small_lemmas_of_wide_relations() {
    let flags: Vec<String> = (0..40).map(|at| format!("b{at}")).collect();
    let declared = |mark: &str| -> String {
        let flags = flags.iter().map(|flag| format!("({flag}{mark} Bool)"));
        flags.collect()
    };
    let all =
        |mark: &str| -> String { flags.iter().map(|flag| format!(" {flag}{mark}")).collect() };
    let off: String = flags.iter().map(|flag| format!("(not {flag})")).collect();
    // Each flag takes the value of the one before it; the first is set if the last will not be.
    let moves = (1..40).map(|at| format!("(= b{at}n b{})", at - 1));
    let moves: String = moves.collect();
    let (sorts, before, after) = (" Bool".repeat(40), declared(""), declared("n"));
    let (state, next) = (all(""), all("n"));
    let text = format!(
        "(declare-fun p ({sorts}) Bool)
         (assert (forall ({before}) (=> (and {off}) (p {state}))))
         (assert (forall ({before}{after})
           (=> (and (p {state}) (or (not b0n) (not b38)) (or (not b0n) (not b0)) {moves}) (p {next}))))
         (assert (forall ({before}) (=> (and (p {state}) b0 b1) false)))"
    );
    assert_eq!(answer(&Pdr, &text, &budget()), "sat");
}

/// A derivation whose steps are bound to each other by a number.
#[test]
fn pdr_finds_derivations() {
    let text = "(declare-fun p (Int Bool) Bool)
        (assert (forall ((x Int) (b Bool)) (=> (and (= x 0) (not b)) (p x b))))
        (assert (forall ((x Int) (b Bool) (c Bool))
          (=> (and (p x b) (= c (or b (= x 5)))) (p (+ x 1) c))))
        (assert (forall ((x Int) (b Bool)) (=> (and (p x b) b (> x 8)) false)))";
    assert_eq!(answer(&Pdr, text, &budget()), "unsat");
}

/// Lemmas that differ in numbers only never end, unless what they have in common is found.
#[test]
fn pdr_finds_what_lemmas_have_in_common() {
    let text = "(declare-fun p (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (p x y))))
        (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (p x y) (p (- x 1) (- y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (<= x 0) (> y 0)) false)))";
    let budget = budget();
    assert_eq!(answer(&Pdr, text, &budget), "sat");
    let counters = budget.counters().all();
    assert!(
        counters.iter().any(|(name, _)| *name == "pdr clusters"),
        "{counters:?}"
    );
}

/// Hundreds of steps, each of which takes an evaluation only.
#[test]
fn runs_go_far() {
    let text = "(declare-fun p (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (> y 3)) (p x y))))
        (assert (forall ((x Int) (y Int) (z Int))
          (=> (and (p x y) (= z (ite (= (mod x 7) 3) (+ y 2) y))) (p (+ x 1) z))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 400) (> y 100)) false)))";
    assert_eq!(answer(&Runs, text, &budget()), "unsat");
}

/// Three phases of one clause.
#[test]
fn cases_of_a_loop_have_summaries() {
    let text = "(declare-fun p (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (p x y))))
        (assert (forall ((x Int) (y Int) (z Int) (w Int))
          (=> (and (p x y)
                   (= z (ite (and (>= x 1000) (< x 3000)) (+ y 1) y))
                   (= w (+ x 1)))
              (p w z))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= x 4000) (not (= y 2000))) false)))";
    assert_eq!(answer(&CRA, text, &budget()), "sat");
}
