//! Loop bodies by hand.

mod random;

use super::*;
use crate::polyhedron::Effort;
use crate::row::to_formula;
use crate::{Polyhedron, Row};
use logic::Sort;
use smt::Answer;
use std::time::Duration;

fn integers(entries: &[i64]) -> Vec<Integer> {
    entries.iter().map(|&entry| Integer::from(entry)).collect()
}

fn symbols<const N: usize>(store: &mut TermStore, names: [&str; N]) -> [TermId; N] {
    names.map(|name| store.fresh(name, Sort::Int))
}

fn contains(hull: &Polyhedron, point: &[i64]) -> bool {
    let point = integers(point);
    hull.rows().iter().all(|row| row.holds_at(&point))
}

/// Whether a congruence holds at a point.
fn is_congruent(congruence: &Congruence, point: &[Integer]) -> bool {
    let difference = &crate::vector::dot(&congruence.coefficients, point) - &congruence.remainder;
    difference.mod_floor(&congruence.modulus).is_zero()
}

/// One question about a formula, by a solver of its own.
fn ask<T>(
    store: &mut TermStore,
    formula: TermId,
    budget: &Budget,
    question: impl FnOnce(&mut Abstraction<'_>) -> T,
) -> T {
    let mut solver = Solver::new();
    question(&mut Abstraction::new(store, &mut solver, formula, budget))
}

/// That the formula entails a fact, by a solver of its own.
fn assert_entailed(store: &mut TermStore, formula: TermId, fact: TermId) {
    let negated = store.not(fact);
    let mut solver = Solver::new();
    solver.assert(store, formula);
    solver.assert(store, negated);
    let answer = solver.check(store, &[], &Budget::unlimited());
    assert_eq!(
        answer,
        Answer::Unsat,
        "{} entails {}",
        store.smtlib(formula),
        store.smtlib(fact)
    );
}

/// `a + by`, for a constant.
fn plus(store: &mut TermStore, a: TermId, by: i64) -> TermId {
    store.linear(&Integer::from(by), &[(a, Integer::ONE)])
}

/// The body of a counting loop: i < n, i++, m++, g > 0, g--; the differences and the rest.
fn counting_loop(store: &mut TermStore) -> (TermId, [TermId; 3], [TermId; 7]) {
    let all = symbols(store, ["i", "m", "g", "n", "i'", "m'", "g'"]);
    let [i, m, g, n, i1, m1, g1] = all;
    let zero = store.int(0i64);
    let mut parts = vec![store.lt(i, n), store.lt(zero, g)];
    for (old, new, by) in [(i, i1, 1), (m, m1, 1), (g, g1, -1)] {
        let next = plus(store, old, by);
        parts.push(store.eq(new, next));
    }
    let differences = [store.sub(i1, i), store.sub(m1, m), store.sub(g1, g)];
    (store.and(&parts), differences, all)
}

#[test]
fn a_counting_loop_has_its_differences_and_guards() {
    let mut store = TermStore::new();
    let (body, differences, [i, _, _, n, i1, _, g1]) = counting_loop(&mut store);
    let (terms, symbols) = (store.len(), store.mark());
    let budget = Budget::unlimited();
    let mut solver = Solver::new();
    let mut abstraction = Abstraction::new(&mut store, &mut solver, body, &budget);
    let rows = abstraction.affine_hull(&differences);
    let shown: Vec<String> = rows.iter().map(Row::to_string).collect();
    assert_eq!(shown, ["x0 = 1", "x1 = 1", "x2 = -1"]);
    let hull = abstraction.convex_hull(&differences, Limits::default());
    assert_eq!(hull.rows(), rows);
    let post = abstraction.convex_hull(&[i1, n, g1], Limits::default());
    let shown: Vec<String> = post.rows().iter().map(Row::to_string).collect();
    assert_eq!(shown, ["-x0 + x1 >= 0", "x2 >= 0"]);
    let octagon = abstraction.octagon_bounds(&[i, n]);
    let shown: Vec<String> = octagon.iter().map(Row::to_string).collect();
    assert_eq!(shown, ["-x0 + x1 >= 1"]);
    assert!(abstraction.lattice(&differences).is_empty());
    drop(abstraction);
    assert_eq!((store.len(), store.mark()), (terms, symbols));
}

#[test]
fn branches_remainders_and_quotients() {
    // y = x mod 4, z = x div 4, and d is 2 or 6 with the parity of x.
    let mut store = TermStore::new();
    let [x, y, z, d] = symbols(&mut store, ["x", "y", "z", "d"]);
    let four = Integer::from(4i64);
    let (rest, quotient) = (store.modulo(x, &four), store.div(x, &four));
    let even = store.divides(&Integer::from(2i64), x);
    let (two, six) = (store.int(2i64), store.int(6i64));
    let step = store.ite(even, two, six);
    let parts = [store.eq(y, rest), store.eq(z, quotient), store.eq(d, step)];
    let formula = store.and(&parts);
    let budget = Budget::unlimited();
    let bounds = ask(&mut store, formula, &budget, |it| it.bounds(&[y, d, x]));
    let bounds = bounds.expect("it has models");
    let range = |low: i64, high: i64| Bounds {
        low: Some(Integer::from(low)),
        high: Some(Integer::from(high)),
    };
    assert_eq!(bounds, [range(0, 3), range(2, 6), Bounds::default()]);
    let rows = ask(&mut store, formula, &budget, |it| {
        it.affine_hull(&[x, y, z])
    });
    let shown: Vec<String> = rows.iter().map(Row::to_string).collect();
    assert_eq!(shown, ["x0 - x1 - 4*x2 = 0"]);
    let congruences = ask(&mut store, formula, &budget, |it| it.lattice(&[d, x]));
    for congruence in &congruences {
        let fact = congruence.to_term(&mut store, &[d, x]);
        assert_entailed(&mut store, formula, fact);
    }
    // d = 2 + 4(x mod 2): the lattice has index 8 in the plane.
    let index = congruences
        .iter()
        .fold(Integer::ONE, |index, it| &index * &it.modulus);
    assert_eq!(index, Integer::from(8i64), "{congruences:?}");
    let hull = ask(&mut store, formula, &budget, |it| {
        it.convex_hull(&[y, d], Limits::default())
    });
    assert!(contains(&hull, &[2, 2]) && contains(&hull, &[3, 6]));
    assert!(!contains(&hull, &[4, 2]) && !contains(&hull, &[3, 7]));
    // Terms may be composed as well.
    let remainders = ask(&mut store, formula, &budget, |it| it.lattice(&[rest, d]));
    assert!(
        remainders
            .iter()
            .all(|it| is_congruent(it, &integers(&[1, 6])))
    );
}

#[test]
fn no_model_and_no_time() {
    let mut store = TermStore::new();
    let [x, y] = symbols(&mut store, ["x", "y"]);
    let (less, more) = (store.lt(x, y), store.lt(y, x));
    let none = store.and(&[less, more]);
    let budget = Budget::unlimited();
    let terms = [x, y];
    assert!(ask(&mut store, none, &budget, |it| it.affine_hull(&terms))[0].is_contradiction());
    assert!(ask(&mut store, none, &budget, |it| it.octagon_bounds(&terms))[0].is_contradiction());
    assert_eq!(ask(&mut store, none, &budget, |it| it.bounds(&terms)), None);
    let hull = ask(&mut store, none, &budget, |it| {
        it.convex_hull(&terms, Limits::default())
    });
    assert!(hull.is_empty(&Effort::default()));
    let over = Budget::unlimited().with_timeout(Duration::ZERO);
    assert!(ask(&mut store, none, &over, |it| it.affine_hull(&terms)).is_empty());
    assert!(ask(&mut store, none, &over, |it| it.octagon_bounds(&terms)).is_empty());
    assert!(ask(&mut store, none, &over, |it| it.lattice(&terms)).is_empty());
    let hull = ask(&mut store, none, &over, |it| {
        it.convex_hull(&terms, Limits::default())
    });
    assert!(hull.rows().is_empty());
    let few = Limits {
        cubes: 0,
        ..Limits::default()
    };
    let hull = ask(&mut store, less, &budget, |it| it.convex_hull(&terms, few));
    assert!(contains(&hull, &[0, 1]) && contains(&hull, &[-9, 1]));
}

#[test]
fn one_solver_serves_many_and_terms_may_be_composed() {
    // u is a byte that counts up and wraps.
    let mut store = TermStore::new();
    let [u] = symbols(&mut store, ["u"]);
    let (zero, top) = (store.int(0i64), store.int(255i64));
    let parts = [store.le(zero, u), store.le(u, top)];
    let formula = store.and(&parts);
    let next = plus(&mut store, u, 1);
    let next = store.modulo(next, &Integer::from(256i64));
    let difference = store.sub(next, u);
    let (mut solver, budget) = (Solver::new(), Budget::unlimited());
    for _ in 0..3 {
        let mut abstraction = Abstraction::new(&mut store, &mut solver, formula, &budget);
        assert!(abstraction.affine_hull(&[u]).is_empty());
        let bounds = abstraction
            .bounds(&[difference, next])
            .expect("it has models");
        let shown: Vec<String> = bounds_to_rows(&bounds).iter().map(Row::to_string).collect();
        assert_eq!(shown, ["x0 >= -255", "-x0 >= -1", "x1 >= 0", "-x1 >= -255"]);
        let congruences = abstraction.lattice(&[difference]);
        assert_eq!(congruences.len(), 1);
        assert_eq!(congruences[0].to_string(), "x0 == 1 (mod 256)");
        let hull = abstraction.convex_hull(&[u, next], Limits::default());
        assert!(contains(&hull, &[255, 0]) && contains(&hull, &[0, 1]));
        assert!(!contains(&hull, &[0, 2]), "{hull:?}");
        drop(abstraction);
        assert_eq!(solver.depth(), 0);
    }
}

#[test]
fn elements_of_arrays_are_like_symbols() {
    let mut store = TermStore::new();
    let [i, j] = symbols(&mut store, ["i", "j"]);
    let array = store.fresh("a", Sort::Array);
    let (at_i, at_j) = (store.select(array, i), store.select(array, j));
    let (zero, low) = (store.int(0i64), plus(&mut store, at_i, 3));
    let parts = [store.le(zero, at_i), store.eq(i, j), store.le(low, i)];
    let formula = store.and(&parts);
    let terms = [at_i, at_j, i];
    let budget = Budget::unlimited();
    let rows = ask(&mut store, formula, &budget, |it| it.affine_hull(&terms));
    let hull = ask(&mut store, formula, &budget, |it| {
        it.convex_hull(&terms, Limits::default())
    });
    let octagon = ask(&mut store, formula, &budget, |it| it.octagon_bounds(&terms));
    assert!(!rows.is_empty() && !octagon.is_empty());
    let facts = [
        to_formula(&rows, &mut store, &terms),
        to_formula(hull.rows(), &mut store, &terms),
        to_formula(&octagon, &mut store, &terms),
    ];
    for fact in facts {
        assert_entailed(&mut store, formula, fact);
    }
}
