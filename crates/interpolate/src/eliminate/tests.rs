//! Elimination against all points of a small box.

use super::*;
use base::Rng;
use logic::{Integer, Sort};
use std::time::Duration;

/// The symbols to be eliminated lie between minus this and this.
const LIMIT: i64 = 5;

fn number(rng: &mut Rng, store: &mut TermStore, symbols: &[TermId], divided: bool) -> TermId {
    let mut parts: Vec<(TermId, Integer)> = Vec::new();
    for &symbol in symbols {
        if rng.chance(60) {
            parts.push((symbol, Integer::from(rng.below(7) as i64 - 3)));
        }
    }
    let sum = store.linear(&Integer::from(rng.below(11) as i64 - 5), &parts);
    let divisor = Integer::from(2 + rng.below(4) as i64);
    match rng.below(8) {
        _ if !divided => sum,
        0 => store.div(sum, &divisor),
        1 => store.modulo(sum, &divisor),
        _ => sum,
    }
}

/// A random formula, with quotients, remainders and divisibilities or without.
pub(super) fn formula(
    rng: &mut Rng,
    store: &mut TermStore,
    symbols: &[TermId],
    depth: usize,
    divided: bool,
) -> TermId {
    if depth == 0 {
        let (a, b) = (
            number(rng, store, symbols, divided),
            number(rng, store, symbols, divided),
        );
        let divisor = Integer::from(2 + rng.below(3) as i64);
        return match rng.below(6) {
            0 => store.eq(a, b),
            1 if divided => store.divides(&divisor, a),
            _ => store.le(a, b),
        };
    }
    let a = formula(rng, store, symbols, depth - 1, divided);
    let b = formula(rng, store, symbols, depth - 1, divided);
    match rng.below(5) {
        0 | 1 => store.and(&[a, b]),
        2 | 3 => store.or(&[a, b]),
        _ => store.not(a),
    }
}

fn holds(store: &TermStore, term: TermId, symbols: &[SymbolId], point: &[i64]) -> bool {
    let values = point
        .iter()
        .map(|&value| TermValue::Int(Integer::from(value)));
    let assignment = Assignment {
        symbols: symbols.iter().copied().zip(values).collect(),
        ..Assignment::default()
    };
    store.evaluate_in(term, &assignment) == Some(TermValue::Bool(true))
}

#[test]
fn exactly_the_points_that_extend_are_left() {
    let mut rng = Rng::new(1);
    let mut solver = Solver::new();
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
    let mut store = TermStore::new();
    let symbols: Vec<SymbolId> = (0..4).map(|_| store.new_symbol("x", Sort::Int)).collect();
    let terms: Vec<TermId> = symbols.iter().map(|&s| store.of_symbol(s)).collect();
    let mut done = 0;
    for _ in 0..60 {
        let mut whole = vec![formula(&mut rng, &mut store, &terms, 2, true)];
        let (low, high) = (store.int(-LIMIT), store.int(LIMIT));
        for &term in &terms[..2] {
            whole.extend([store.le(low, term), store.le(term, high)]);
        }
        let whole = store.and(&whole);
        let gone = symbols[..2].iter().copied().collect();
        // Z3 needs long for some of these; what matters here is that no answer is wrong.
        let limit = budget.clone().with_timeout(Duration::from_millis(300));
        let Ok(left) = eliminate(&mut solver, &mut store, whole, &gone, &limit) else {
            continue;
        };
        done += 1;
        let text = format!("{}\n{}", store.smtlib(whole), store.smtlib(left));
        assert!(store.symbols_of(&[left]).is_disjoint(&gone), "{text}");
        for (u, v) in (-9..=9).flat_map(|u| (-9..=9).map(move |v| (u, v))) {
            let exists = (-LIMIT..=LIMIT)
                .any(|x| (-LIMIT..=LIMIT).any(|y| holds(&store, whole, &symbols, &[x, y, u, v])));
            let found = holds(&store, left, &symbols, &[0, 0, u, v]);
            assert_eq!(exists, found, "{u} {v}\n{text}");
        }
    }
    assert!(done > 45, "only {done} of 60 done");
    assert!(solver.asserted().is_empty() && solver.depth() == 0);
}

#[test]
fn what_a_part_says_alone_is_not_said_twice() {
    let mut store = TermStore::new();
    let [x, u] = ["x", "u"].map(|name| store.new_symbol(name, Sort::Int));
    let (of_x, of_u) = (store.of_symbol(x), store.of_symbol(u));
    // x is u or u + 1, below 9, and u is at most 3: the bound on x says nothing.
    let (one, three, nine) = (store.int(1i64), store.int(3i64), store.int(9i64));
    let next = store.add(of_u, one);
    let either = [store.eq(of_x, of_u), store.eq(of_x, next)];
    let small = store.le(of_u, three);
    let conjuncts = [store.or(&either), store.lt(of_x, nine), small];
    let whole = store.and(&conjuncts);
    let budget = Budget::unlimited();
    let left = eliminate(
        &mut Solver::new(),
        &mut store,
        whole,
        &BTreeSet::from([x]),
        &budget,
    );
    assert_eq!(left, Ok(small));
}
