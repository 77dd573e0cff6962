//! Interpolants of random problems, by the three checks.

use super::super::weaken::weaken;
use super::*;
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
