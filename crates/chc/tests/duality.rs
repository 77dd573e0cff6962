//! Lazy annotation on small clauses, with each of its improvements, and on random ones.

use base::{Budget, SourceMap};
use certify::{ClauseOutcome, judge_clauses};
use chc::ClauseEngine;
use chc::control::Control;
use chc::duality::{
    DUALITY, DUALITY_FINAL, DUALITY_HEIGHTS, DUALITY_MARK_I, DUALITY_MARK_II, DUALITY_MARK_III,
    DUALITY_MARK_IV, DUALITY_MARK_V,
};
use chc::reduce::facts::facts;
use horn::System;

const MARKS: [&dyn ClauseEngine; 6] = [
    &DUALITY_MARK_I,
    &DUALITY_MARK_II,
    &DUALITY_MARK_III,
    &DUALITY_MARK_IV,
    &DUALITY_MARK_V,
    &DUALITY_FINAL,
];

fn system(text: &str) -> System {
    let mut sources = SourceMap::new();
    let file = sources
        .add("test.smt2", text.as_bytes().to_vec())
        .expect("the text should fit");
    horn::read(sources.file(file)).expect("the text should be clauses")
}

/// Solves clauses, and checks the certificate.
fn answer(engine: &dyn ClauseEngine, system: &System, effort: u64) -> (&'static str, Budget) {
    let budget = Budget::unlimited().with_effort(effort);
    let outcome = engine.solve(system, &budget);
    let verdict = judge_clauses(system, outcome, &Budget::unlimited());
    (verdict.answer(), budget)
}

fn count(budget: &Budget, name: &str) -> u64 {
    budget.counters().all().get(name).copied().unwrap_or(0)
}

const COUNTER: &str = "
(declare-fun inv (Int Int) Bool)
(assert (inv 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (< x 10)) (inv (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (< y x)) false)))";

/// The same counter, which comes to twenty.
const REACHED: &str = "
(declare-fun inv (Int Int) Bool)
(assert (inv 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (< x 10)) (inv (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (= y 8)) false)))";

const TREE: &str = "
(declare-fun height (Int) Bool)
(assert (height 1))
(assert (forall ((a Int) (b Int) (c Int))
  (=> (and (height a) (height b) (= c (ite (< a b) (+ b 1) (+ a 1)))) (height c))))
(assert (forall ((a Int)) (=> (and (height a) (< a 1)) false)))";

/// Calls before a choice: which one is taken does not matter.
const CALLS: &str = "
(declare-fun pick (Int Int) Bool)
(declare-fun main (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (or (= y (+ x 1)) (= y (+ x 2))) (pick x y))))
(assert (forall ((a Int) (b Int) (c Int) (d Int))
  (=> (and (pick 0 a) (pick a b) (pick 0 c) (pick c d)) (main b d))))
(assert (forall ((b Int) (d Int)) (=> (and (main b d) (< d 2)) false)))";

#[test]
fn every_mark_solves_small_clauses() {
    let all = [
        (COUNTER, "sat"),
        (REACHED, "unsat"),
        (TREE, "sat"),
        (CALLS, "sat"),
    ];
    for (text, expected) in all {
        let system = system(text);
        for engine in MARKS {
            let (found, _) = answer(engine, &system, 3_000_000);
            assert_eq!(found, expected, "{}: {text}", engine.name());
        }
        for engine in [&DUALITY, &DUALITY_HEIGHTS] {
            let (found, _) = answer(engine, &system, 3_000_000);
            assert_eq!(found, expected, "{}: {text}", engine.name());
        }
    }
}

/// A machine of four states whose flag never comes to five. What is learned on the way is about one
/// path at a time.
const MACHINE: &str = "
(declare-fun inv (Int Int Int) Bool)
(assert (forall ((h Int)) (inv 1 h 0)))
(assert (forall ((s Int) (h Int) (f Int) (t Int) (g Int))
  (=> (and (inv s h f)
           (or (and (= s 1) (= g (ite (= f 0) 2 f)) (= t (ite (= h 0) 2 4)))
               (and (= s 2) (= g f) (= t 3))
               (and (= s 3) (= h 0) (= g (ite (= f 3) 4 f)) (= t 4))
               (and (= s 4) (not (= h 0)) (= g (ite (= f 2) 3 (ite (= f 4) 5 f))) (= t 3))))
      (inv t h g))))
(assert (forall ((s Int) (h Int) (f Int)) (=> (and (inv s h f) (= s 4) (= f 5)) false)))";

#[test]
fn covers_are_forced() {
    let system = system(MACHINE);
    let mut forced = 0;
    for engine in MARKS {
        let (found, budget) = answer(engine, &system, 300_000);
        assert_eq!(found, "sat", "{}", engine.name());
        assert!(count(&budget, "duality depth") < 8, "{}", engine.name());
        forced += count(&budget, "duality forced covers");
    }
    assert!(forced > 0);
}

#[test]
fn states_that_lead_to_false_are_excluded_by_induction() {
    let (found, budget) = answer(&DUALITY_FINAL, &system(MACHINE), 300_000);
    assert_eq!(found, "sat");
    let depth = count(&budget, "duality depth");
    assert!(count(&budget, "duality resolutions for induction") > 0);
    assert!(depth <= 3, "depth {depth}");
    // Where the third state does not ask for a hit, the flag does come to five.
    let fails = MACHINE.replace("(= h 0) (= g", "(= g");
    let (found, _) = answer(&DUALITY_FINAL, &system(&fails), 300_000);
    assert_eq!(found, "unsat");
}

#[test]
fn resolutions_with_queries_are_counted_by_themselves() {
    let (_, budget) = answer(&DUALITY_FINAL, &system(MACHINE), 300_000);
    let queries = count(&budget, "duality query resolutions");
    assert!(queries > 0);
    assert!(queries < count(&budget, "duality resolutions"));
}

#[test]
fn back_jumping_leaves_out_what_a_conflict_does_not_need() {
    let system = system(CALLS);
    let resolutions = |engine| {
        let (found, budget) = answer(engine, &system, 3_000_000);
        assert_eq!(found, "sat");
        count(&budget, "duality resolutions")
    };
    let (without, with) = (resolutions(&DUALITY_MARK_IV), resolutions(&DUALITY_MARK_V));
    assert!(with <= without, "{with} with jumps, {without} without");
}

#[test]
fn equal_parts_of_a_derivation_are_found_once() {
    let system = system(
        "
(declare-fun fib (Int Int) Bool)
(assert (fib 0 0))
(assert (fib 1 1))
(assert (forall ((n Int) (a Int) (b Int))
  (=> (and (>= n 2) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
(assert (forall ((r Int)) (=> (and (fib 14 r) (= r 377)) false)))",
    );
    let budget = Budget::unlimited().with_effort(10_000_000);
    let ClauseOutcome::Unsat(derivation) = DUALITY_HEIGHTS.solve(&system, &budget) else {
        panic!("the fourteenth Fibonacci number should be derived");
    };
    assert!(certify::clauses::check_derivation(&system, &derivation).is_ok());
    assert_eq!(derivation.steps.len(), 16, "fifteen numbers and false");
    assert!(count(&budget, "duality reuses") > 0);
    assert!(count(&budget, "duality propagations") > 0);
}

#[test]
fn facts_are_found_over_hyperedges() {
    let mut system = system(
        "
(declare-fun sum (Int Int) Bool)
(assert (sum 2 4))
(assert (forall ((a Int) (b Int) (c Int) (d Int))
  (=> (and (sum a b) (sum c d)) (sum (+ a c) (+ b d)))))
(assert (forall ((a Int) (b Int)) (=> (and (sum a b) (= b 7)) false)))",
    );
    let found = facts(&mut system, &Budget::unlimited().with_effort(3_000_000));
    let relation = system.relations.ids().next().expect("a relation");
    let texts: Vec<String> = (found.facts[relation].iter())
        .map(|&fact| system.store.smtlib(fact))
        .collect();
    let all = texts.join(" ");
    // The second number is twice the first, and the first is even and at least two.
    assert!(texts.iter().any(|text| text.starts_with("(=")), "{all}");
    assert!(texts.iter().any(|text| text.contains("mod")), "{all}");
    assert_eq!(answer(&DUALITY, &system, 3_000_000).0, "sat");
}

/// A protocol: which state follows is in a second argument, and where it may go depends on a mode.
const PROTOCOL: &str = "
(declare-fun inv (Int Int Int Int) Bool)
(assert (forall ((n Int) (d Int)) (inv 10 n 0 d)))
(assert (forall ((s Int) (n Int) (m Int) (d Int) (t Int) (o Int) (k Int) (e Int))
  (=> (and (inv s n m d)
           (or (and (= s 10) (= t 99) (= o (ite (> d 0) 20 30)) (= k 1))
               (and (= s 99) (= t n) (= o n) (= k m))
               (and (= s 20) (= m 1) (= t 99) (= o 40) (= k 2))
               (and (= s 30) (= t 99) (= o 50) (= k (ite (= m 2) 2 3)))
               (and (= s 40) (= t 30) (= o n) (= k m))))
      (inv t o k e))))
(assert (forall ((s Int) (n Int) (m Int) (d Int))
  (=> (and (inv s n m d) (= s 40) (not (= m 2))) false)))";

#[test]
fn values_that_occur_together_prove_state_machines() {
    let safe = system(PROTOCOL);
    let (found, budget) = answer(&Control, &safe, 1_000_000);
    assert_eq!(found, "sat");
    assert!(budget.effort() < 300_000, "effort {}", budget.effort());
    let budget = Budget::unlimited();
    let outcome = DUALITY.solve(&safe, &budget);
    assert!(matches!(outcome, ClauseOutcome::Sat(_)));
    assert_eq!(budget.counters().all().get("duality resolutions"), Some(&0));
    // Where the mode is forgotten on the way, there is a derivation.
    let fails = PROTOCOL.replace("(= t 30) (= o n) (= k m)", "(= t 40) (= o n) (= k 1)");
    let failing = system(&fails);
    assert_eq!(answer(&Control, &failing, 1_000_000).0, "unknown");
    let outcome = DUALITY.solve(&failing, &Budget::unlimited());
    let verdict = judge_clauses(&failing, outcome, &Budget::unlimited());
    assert_eq!(verdict.answer(), "unsat");
}
