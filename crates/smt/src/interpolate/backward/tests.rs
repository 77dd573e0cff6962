//! Interpolants of random problems, by the three checks.

use super::super::weaken::weaken;
use super::*;
use logic::Sort;
use logic::random::{Kind, Options, problem};
use std::time::Duration;

/// Whether a formula has no model.
fn is_unsat(store: &TermStore, formulas: &[TermId], budget: &Budget) -> bool {
    Solver::new().check(store, formulas, budget) == Answer::Unsat
}

/// That labels are over shared symbols, that every step implies its label, and that the root's
/// children contradict it.
fn check(
    store: &mut TermStore,
    parts: &[TermId],
    shape: &Shape,
    labels: &[TermId],
    budget: &Budget,
) {
    assert_eq!(labels.len() + 1, parts.len());
    for part in 0..parts.len() {
        let mut step: Vec<TermId> = shape.children(part).map(|child| labels[child]).collect();
        step.push(parts[part]);
        if let Some(&label) = labels.get(part) {
            let (inner, outer): (Vec<usize>, Vec<usize>) =
                (0..parts.len()).partition(|&other| shape.is_inside(part, other));
            let terms = |places: Vec<usize>| -> Vec<TermId> {
                places.into_iter().map(|place| parts[place]).collect()
            };
            let (inner, outer) = (terms(inner), terms(outer));
            for side in [&inner, &outer] {
                let symbols = store.symbols_of(&[label]);
                assert!(
                    symbols.is_subset(&store.symbols_of(side)),
                    "symbols at {part}"
                );
                let functions = store.functions_of(&[label]);
                assert!(
                    functions.is_subset(&store.functions_of(side)),
                    "functions at {part}"
                );
            }
            step.push(store.not(label));
        }
        assert!(is_unsat(store, &step, budget), "step {part} should hold");
    }
}

#[test]
fn labels_of_random_problems_pass_the_three_checks() {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(100));
    let options = Options {
        parts: 6,
        ..Options::default()
    };
    let (mut done, mut unknown) = (0, 0);
    for seed in 0..120 {
        let mut store = TermStore::new();
        let problem = problem(&mut store, seed, &options);
        let shape = Shape::tree(&problem.parents).expect("parts should be in order");
        if problem.kind == Kind::Free && !is_unsat(&store, &problem.parts, &budget) {
            continue;
        }
        let limit = budget.clone().with_timeout(Duration::from_secs(2));
        let found = reduced(&mut store, &problem.parts, &limit)
            .and_then(|core| interpolate(&mut store, &core, &shape, &limit));
        match found {
            Ok(labels) => {
                check(&mut store, &problem.parts, &shape, &labels, &budget);
                let weaker = weaken(&mut store, &problem.parts, &shape, &labels, &limit);
                check(&mut store, &problem.parts, &shape, &weaker, &budget);
                done += 1;
            }
            Err(_) => unknown += 1,
        }
    }
    assert!(done > 9 * unknown, "{unknown} unknown, {done} done");
}

/// Two writes one after the other; what the first wrote is still there.
#[test]
fn writes_to_arrays_are_told_from_step_to_step() {
    let mut store = TermStore::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| store.fresh(name, Sort::Array));
    let [i, j, v, w] = ["i", "j", "v", "w"].map(|name| store.fresh(name, Sort::Int));
    let (first, second) = (store.store(a, i, v), store.store(b, j, w));
    let apart = store.lt(i, j);
    let step = store.eq(c, second);
    let read = store.select(c, i);
    let kept = store.eq(read, v);
    let parts = [
        store.eq(b, first),
        store.and(&[step, apart]),
        store.not(kept),
    ];
    let (shape, budget) = (Shape::sequence(3), Budget::unlimited());
    let labels = interpolate(&mut store, &parts, &shape, &budget).expect("reads should do");
    check(&mut store, &parts, &shape, &labels, &budget);
    let read = store.select(b, i);
    assert_eq!(labels, [store.eq(read, v), kept]);
}
