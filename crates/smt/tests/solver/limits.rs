//! Hard queries end when they should, and leave the solver usable.

use base::Budget;
use logic::{Sort, TermId, TermStore};
use smt::{Answer, Solver};
use std::time::{Duration, Instant};

/// That so many pigeons have a hole each, and there is one hole less: hard to refute.
fn pigeons(store: &mut TermStore, count: usize) -> TermId {
    let mut place = Vec::new();
    for _ in 0..count {
        let row = (1..count).map(|_| store.fresh("at", Sort::Bool));
        place.push(row.collect::<Vec<TermId>>());
    }
    let mut parts: Vec<TermId> = place.iter().map(|row| store.or(row)).collect();
    for (first, second) in (0..count).flat_map(|first| (0..first).map(move |other| (first, other)))
    {
        for (&one, &other) in place[first].iter().zip(&place[second]) {
            let both = store.and(&[one, other]);
            parts.push(store.not(both));
        }
    }
    store.and(&parts)
}

fn is_usable(solver: &mut Solver, store: &mut TermStore) {
    solver.pop();
    let p = store.fresh("p", Sort::Bool);
    let not_p = store.not(p);
    let budget = Budget::unlimited();
    assert_eq!(solver.check(store, &[p], &budget), Answer::Sat);
    solver.assert(store, p);
    assert_eq!(solver.check(store, &[], &budget), Answer::Sat);
    assert_eq!(solver.check(store, &[not_p], &budget), Answer::Unsat);
    assert_eq!(solver.core(), [not_p]);
}

#[test]
fn a_timeout_ends_a_query() {
    let mut store = TermStore::new();
    let formula = pigeons(&mut store, 14);
    let mut solver = Solver::new();
    solver.push();
    solver.assert(&store, formula);
    for _ in 0..2 {
        let start = Instant::now();
        let budget = Budget::unlimited().with_timeout(Duration::from_millis(300));
        let answer = solver.check(&store, &[], &budget);
        assert_eq!(answer, Answer::Unknown("the time is up".into()));
        assert!(start.elapsed() < Duration::from_millis(1300));
    }
    is_usable(&mut solver, &mut store);
}

/// Effort ends a query as time does, after the same work each time.
#[test]
fn effort_ends_a_query() {
    let most = 100_000;
    let spent: Vec<u64> = (0..2)
        .map(|_| {
            let mut store = TermStore::new();
            let formula = pigeons(&mut store, 14);
            let mut solver = Solver::new();
            solver.push();
            solver.assert(&store, formula);
            let budget = Budget::unlimited().with_effort(most);
            let answer = solver.check(&store, &[], &budget);
            assert_eq!(answer, Answer::Unknown("the effort is used up".into()));
            is_usable(&mut solver, &mut store);
            budget.effort()
        })
        .collect();
    assert_eq!(spent[0], spent[1]);
    // Each configuration with which the question is asked may go a little beyond its share.
    assert!((most..most + 5000).contains(&spent[0]), "{spent:?}");
}

#[test]
fn another_thread_can_cancel_a_query() {
    let mut store = TermStore::new();
    let formula = pigeons(&mut store, 14);
    let mut solver = Solver::new();
    solver.push();
    solver.assert(&store, formula);
    let budget = Budget::unlimited();
    let other = budget.clone();
    let start = Instant::now();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        other.cancel();
    });
    let answer = solver.check(&store, &[], &budget);
    assert_eq!(answer, Answer::Unknown("cancelled".into()));
    assert!(start.elapsed() < Duration::from_millis(1200));
    thread.join().expect("the thread should end");
    is_usable(&mut solver, &mut store);
}

#[test]
fn a_spent_budget_asks_nothing() {
    let mut store = TermStore::new();
    let p = store.fresh("p", Sort::Bool);
    let mut solver = Solver::new();
    solver.assert(&store, p);
    let budget = Budget::unlimited();
    budget.cancel();
    let answer = solver.check(&store, &[], &budget);
    assert_eq!(answer, Answer::Unknown("cancelled".into()));
}

#[test]
fn a_query_that_needs_time_gets_it() {
    let mut store = TermStore::new();
    let formula = pigeons(&mut store, 8);
    let mut solver = Solver::new();
    solver.assert(&store, formula);
    assert_eq!(
        solver.check(&store, &[], &Budget::unlimited()),
        Answer::Unsat
    );
}
