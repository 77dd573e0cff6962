//! Random formulas whose models can be counted.

use super::super::*;
use super::{ask, assert_entailed, is_congruent};
use crate::Kind;
use crate::affine::Affine;
use crate::polyhedron::tests::{hull_of_points, includes};
use crate::row::to_formula;
use base::Rng;
use logic::Sort;
use std::time::Duration;

/// A random formula over symbols that are between -3 and 3.
struct Random {
    store: TermStore,
    symbols: Vec<TermId>,
    formula: TermId,
    terms: Vec<TermId>,
    /// All values of the terms.
    points: Vec<Vec<Integer>>,
    has_remainders: bool,
}

fn random_sum(store: &mut TermStore, rng: &mut Rng, symbols: &[TermId]) -> TermId {
    let parts = symbols
        .iter()
        .map(|&symbol| (symbol, Integer::from(rng.below(5) as i64 - 2)));
    let parts: Vec<_> = parts.collect();
    store.linear(&Integer::from(rng.below(7) as i64 - 3), &parts)
}

fn random_formula(
    store: &mut TermStore,
    rng: &mut Rng,
    symbols: &[TermId],
    depth: usize,
    remainders: bool,
) -> TermId {
    if depth == 0 || rng.one_in(5) {
        let (a, zero) = (random_sum(store, rng, symbols), store.int(0i64));
        let modulus = Integer::from(2 + rng.below(3) as i64);
        return match rng.below(if remainders { 7 } else { 4 }) {
            0 => store.eq(a, zero),
            1..=3 => store.le(a, zero),
            4 => store.divides(&modulus, a),
            5 => {
                let rest = store.modulo(a, &modulus);
                let b = random_sum(store, rng, symbols);
                store.eq(rest, b)
            }
            _ => {
                let condition = store.le(a, zero);
                let (b, c) = (random_sum(store, rng, symbols), symbols[0]);
                let choice = store.ite(condition, b, c);
                store.le(choice, symbols[1])
            }
        };
    }
    let parts: Vec<TermId> = (0..2 + rng.below(2))
        .map(|_| random_formula(store, rng, symbols, depth - 1, remainders))
        .collect();
    match rng.below(3) {
        0 => store.and(&parts),
        1 => store.or(&parts),
        _ => {
            let whole = store.or(&parts);
            store.not(whole)
        }
    }
}

impl Random {
    fn new(seed: u64) -> Random {
        let mut rng = Rng::new(seed);
        let mut store = TermStore::new();
        let count = 2 + rng.below(2);
        let symbols: Vec<TermId> = (0..count).map(|_| store.fresh("x", Sort::Int)).collect();
        let has_remainders = rng.one_in(2);
        let (low, high) = (store.int(-3i64), store.int(3i64));
        let mut parts = vec![random_formula(
            &mut store,
            &mut rng,
            &symbols,
            3,
            has_remainders,
        )];
        for &symbol in &symbols {
            parts.extend([store.le(low, symbol), store.le(symbol, high)]);
        }
        let formula = store.and(&parts);
        let terms: Vec<TermId> = (0..1 + rng.below(3))
            .map(|_| match rng.one_in(2) {
                true => rng.pick(&symbols),
                false => random_sum(&mut store, &mut rng, &symbols),
            })
            .collect();
        let mut random = Random {
            store,
            symbols,
            formula,
            terms,
            points: Vec::new(),
            has_remainders,
        };
        random.points = random.count();
        random
    }

    fn count(&self) -> Vec<Vec<Integer>> {
        let mut points = Vec::new();
        for code in 0..7i64.pow(self.symbols.len() as u32) {
            let value = |symbol: &TermId| {
                let place = self
                    .symbols
                    .iter()
                    .position(|it| it == symbol)
                    .expect("ours");
                TermValue::Int(Integer::from(code / 7i64.pow(place as u32) % 7 - 3))
            };
            let value_of = |symbol| {
                let is_it = |term: &&TermId| *self.store.node(**term) == Node::Symbol(symbol);
                self.symbols.iter().find(is_it).map(value)
            };
            let evaluate = |term| self.store.evaluate(term, &value_of);
            if evaluate(self.formula) == Some(TermValue::Bool(true)) {
                let number = |&term: &TermId| evaluate(term)?.as_int().cloned();
                points.push(
                    self.terms
                        .iter()
                        .map(|it| number(it).expect("known"))
                        .collect(),
                );
            }
        }
        points.sort();
        points.dedup();
        points
    }
}

#[test]
fn random_formulas_get_the_best_equalities_bounds_and_congruences() {
    let budget = Budget::unlimited();
    for seed in 0..80 {
        let Random {
            mut store,
            formula,
            terms,
            points,
            ..
        } = Random::new(seed);
        let size = terms.len();
        let mut solver = Solver::new();
        let mut abstraction = Abstraction::new(&mut store, &mut solver, formula, &budget);
        let rows = abstraction.affine_hull(&terms);
        assert_eq!(rows, Affine::of_points(size, &points).rows(), "{seed}");
        let bounds = abstraction.bounds(&terms);
        let best = |place: usize| {
            let values = || points.iter().map(|point| point[place].clone());
            Bounds {
                low: values().min(),
                high: values().max(),
            }
        };
        let expected = (!points.is_empty()).then(|| (0..size).map(best).collect::<Vec<_>>());
        assert_eq!(bounds, expected, "{seed}");
        let octagon = abstraction.octagon_bounds(&terms);
        for row in &octagon {
            assert!(points.iter().all(|point| row.holds_at(point)), "{seed}");
            let tight = |point: &Vec<Integer>| row.integer_value(point).is_zero();
            assert!(
                points.is_empty() || points.iter().any(tight),
                "{seed}: {row}"
            );
        }
        let congruences = abstraction.lattice(&terms);
        let moduli = |all: &[Congruence]| {
            all.iter()
                .fold(Integer::ONE, |index, it| &index * &it.modulus)
        };
        if let Some(first) = points.first() {
            let best = lattice::congruences(first, &points);
            assert_eq!(
                moduli(&congruences),
                moduli(&best),
                "{seed}: {congruences:?} {best:?}"
            );
        }
        drop(abstraction);
        let mut facts = vec![
            to_formula(&rows, &mut store, &terms),
            to_formula(&octagon, &mut store, &terms),
        ];
        facts.extend(congruences.iter().map(|it| it.to_term(&mut store, &terms)));
        for fact in facts {
            assert_entailed(&mut store, formula, fact);
        }
    }
}

#[test]
fn random_formulas_are_within_their_hulls() {
    let budget = Budget::unlimited();
    let (mut best, mut plain) = (0, 0);
    for seed in 0..80 {
        let random = Random::new(seed);
        let Random {
            mut store,
            formula,
            terms,
            points,
            ..
        } = random;
        let hull = ask(&mut store, formula, &budget, |it| {
            it.convex_hull(&terms, Limits::default())
        });
        let fact = to_formula(hull.rows(), &mut store, &terms);
        assert_entailed(&mut store, formula, fact);
        let holds = |point: &Vec<Integer>| hull.rows().iter().all(|row| row.holds_at(point));
        assert!(points.iter().all(holds), "{seed}");
        let least = hull_of_points(terms.len(), &points);
        assert!(includes(&hull, &least), "{seed}");
        if !random.has_remainders {
            plain += 1;
            best += usize::from(includes(&least, &hull));
        }
        for cubes in [0, 1, 3] {
            let few = Limits {
                cubes,
                ..Limits::default()
            };
            let rough = ask(&mut store, formula, &budget, |it| {
                it.convex_hull(&terms, few)
            });
            assert!(includes(&rough, &least), "{seed}");
            let few = Limits {
                generators: 2,
                ..few
            };
            let rough = ask(&mut store, formula, &budget, |it| {
                it.convex_hull(&terms, few)
            });
            assert!(includes(&rough, &least), "{seed}");
        }
        let wide = Limits {
            dimensions: 0,
            ..Limits::default()
        };
        let rough = ask(&mut store, formula, &budget, |it| {
            it.convex_hull(&terms, wide)
        });
        assert!(includes(&rough, &least), "{seed}");
        for row in rough.rows().iter().filter(|row| row.kind == Kind::AtLeast) {
            assert!(points.iter().all(|point| row.holds_at(point)));
        }
    }
    assert!(
        best * 10 >= plain * 8,
        "{best} of {plain} hulls are the least ones"
    );
}

#[test]
fn short_budgets_give_entailed_facts() {
    for seed in 0..60 {
        let Random {
            mut store,
            formula,
            terms,
            points,
            ..
        } = Random::new(seed);
        let budget = Budget::unlimited().with_timeout(Duration::from_micros(300 * (seed % 20)));
        let mut solver = Solver::new();
        let mut abstraction = Abstraction::new(&mut store, &mut solver, formula, &budget);
        let mut rows = abstraction.affine_hull(&terms);
        rows.extend(abstraction.octagon_bounds(&terms));
        rows.extend_from_slice(abstraction.convex_hull(&terms, Limits::default()).rows());
        let congruences = abstraction.lattice(&terms);
        for point in &points {
            assert!(rows.iter().all(|row| row.holds_at(point)), "{seed}");
            assert!(
                congruences.iter().all(|it| is_congruent(it, point)),
                "{seed}"
            );
        }
    }
}
