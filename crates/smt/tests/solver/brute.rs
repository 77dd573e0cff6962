//! The solver against trying all values.

use crate::grid::{Grid, holds};
use base::{Budget, Rng};
use logic::{TermId, TermStore};
use smt::{Answer, Solver};

fn unlimited() -> Budget {
    Budget::unlimited()
}

/// Whether some point of the grid satisfies all formulas.
fn possible(store: &TermStore, grid: &Grid, formulas: &[TermId]) -> bool {
    let points = grid.points();
    let mut points = points.iter();
    points.any(|point| (formulas.iter()).all(|&formula| holds(store, formula, point)))
}

/// Compares one check, and its model or core, with trying all values.
fn compare(store: &TermStore, grid: &Grid, solver: &mut Solver, assumptions: &[TermId]) -> bool {
    let mut all = solver.asserted().to_vec();
    all.extend_from_slice(assumptions);
    match solver.check(store, assumptions, &unlimited()) {
        Answer::Sat => {
            assert!(
                possible(store, grid, &all),
                "sat, but no point satisfies it"
            );
            let model = solver.model().expect("there should be a model");
            assert!(all.iter().all(|&formula| model.satisfies(store, formula)));
            true
        }
        Answer::Unsat => {
            assert!(
                !possible(store, grid, &all),
                "unsat, but a point satisfies it"
            );
            assert!(solver.model().is_none());
            let core = solver.core().to_vec();
            assert!(core.iter().all(|term| assumptions.contains(term)));
            let mut inner = solver.asserted().to_vec();
            inner.extend_from_slice(&core);
            assert!(!possible(store, grid, &inner), "the core is consistent");
            false
        }
        Answer::Unknown(why) => panic!("unknown: {why}"),
    }
}

/// A random walk through scopes, assertions, checks and released terms.
fn walk(seed: u64, make: fn() -> Solver) -> (usize, usize) {
    let mut rng = Rng::new(seed);
    let mut store = TermStore::new();
    let grid = Grid::new(&mut store);
    let bounds = grid.bounds(&mut store);
    let mut solver = make();
    solver.assert(&store, bounds);
    let mut marks = Vec::new();
    let (mut sat, mut unsat) = (0, 0);
    for _ in 0..60 {
        match rng.below(5) {
            0 => {
                marks.push(store.mark());
                solver.push();
            }
            1 => {
                if let Some(mark) = marks.pop() {
                    solver.pop();
                    store.release(mark);
                }
            }
            2 => {
                let formula = grid.formula(&mut store, &mut rng, 1);
                solver.assert(&store, formula);
            }
            _ => {
                let mark = store.mark();
                let count = rng.below(5);
                let assumptions: Vec<TermId> = (0..count)
                    .map(|_| grid.formula(&mut store, &mut rng, 1))
                    .collect();
                match compare(&store, &grid, &mut solver, &assumptions) {
                    true => sat += 1,
                    false => unsat += 1,
                }
                // What was only assumed may go at once.
                store.release(mark);
            }
        }
    }
    (sat, unsat)
}

#[test]
fn checks_models_and_cores_agree_with_trying_all_values() {
    for make in [Solver::new as fn() -> Solver, || {
        Solver::new().without_cache()
    }] {
        let counts = (0..12).map(|seed| walk(seed, make));
        let (sat, unsat) = counts.fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
        assert!(sat > 50 && unsat > 50, "{sat} sat, {unsat} unsat");
    }
}

#[test]
fn minimised_cores_are_minimal() {
    let mut rng = Rng::new(11);
    let mut store = TermStore::new();
    let grid = Grid::new(&mut store);
    let bounds = grid.bounds(&mut store);
    let mut solver = Solver::new();
    solver.assert(&store, bounds);
    let mut found = 0;
    while found < 40 {
        let mut assumptions: Vec<TermId> = (0..8)
            .map(|_| grid.formula(&mut store, &mut rng, 1))
            .collect();
        assumptions.sort_unstable();
        assumptions.dedup();
        if solver.check(&store, &assumptions, &unlimited()) != Answer::Unsat {
            continue;
        }
        found += 1;
        let core = solver.core().to_vec();
        let core = solver.minimise(&store, &core, &unlimited());
        let with = |terms: &[TermId]| [&[bounds], terms].concat();
        assert!(!possible(&store, &grid, &with(&core)));
        for left_out in 0..core.len() {
            let mut rest = core.clone();
            rest.remove(left_out);
            assert!(
                possible(&store, &grid, &with(&rest)),
                "{core:?} is too large"
            );
        }
    }
}
