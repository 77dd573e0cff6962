//! Formulas as conjuncts that people can read: none that follows from the others or from the
//! types, none longer than it must be.

use base::Budget;
use logic::{Node, SymbolId, TermId, TermStore};
use smt::{Answer, Solver};
use std::collections::BTreeMap;

/// More conjuncts than this are not compared with each other.
const MOST: usize = 60;

/// The conjuncts of a formula, given the ranges of its symbols.
pub(super) fn conjuncts(
    solver: &mut Solver,
    store: &mut TermStore,
    formula: TermId,
    ranges: &BTreeMap<SymbolId, Vec<TermId>>,
    budget: &Budget,
) -> Vec<TermId> {
    let formula = store.simplify(formula);
    solver.push();
    for symbol in store.symbols_of(&[formula]) {
        for &bound in ranges.get(&symbol).into_iter().flatten() {
            solver.assert(store, bound);
        }
    }
    let mut kept = equalities(store, store.conjuncts(formula));
    let is_impossible = !kept.is_empty() && solver.check(store, &kept, budget) == Answer::Unsat;
    if is_impossible {
        kept = vec![store.bool(false)];
    } else {
        shorten(solver, store, &mut kept, budget);
        drop_implied(solver, store, &mut kept, budget);
    }
    solver.pop();
    kept
}

/// Members of disjunctions that cannot be, with the others, go.
fn shorten(solver: &mut Solver, store: &mut TermStore, kept: &mut [TermId], budget: &Budget) {
    if kept.len() > MOST {
        return;
    }
    for at in 0..kept.len() {
        let Node::Or(members) = store.node(kept[at]) else {
            continue;
        };
        let members = members.to_vec();
        let mut left = Vec::new();
        for member in members {
            let mut all = kept.to_vec();
            all[at] = member;
            if solver.check(store, &all, budget) != Answer::Unsat {
                left.push(member);
            }
        }
        kept[at] = store.or(&left);
    }
}

/// Conjuncts that follow from the others go, long ones first.
fn drop_implied(
    solver: &mut Solver,
    store: &mut TermStore,
    kept: &mut Vec<TermId>,
    budget: &Budget,
) {
    let mut order = kept.clone();
    order.sort_by_key(|&conjunct| std::cmp::Reverse(store.readable(conjunct).len()));
    let is_compared = kept.len() <= MOST;
    for conjunct in order {
        let mut others: Vec<TermId> = Vec::new();
        if is_compared {
            others.extend(kept.iter().copied().filter(|&other| other != conjunct));
        }
        others.push(store.not(conjunct));
        if solver.check(store, &others, budget) == Answer::Unsat {
            kept.retain(|&other| other != conjunct);
        }
    }
}

/// Two opposite inequalities are one equality.
fn equalities(store: &mut TermStore, conjuncts: Vec<TermId>) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut used = Vec::new();
    for &conjunct in &conjuncts {
        let Node::AtMostZero(sum) = *store.node(conjunct) else {
            continue;
        };
        let zero = store.int(0i64);
        let opposite = store.le(zero, sum);
        if conjunct < opposite && conjuncts.contains(&opposite) {
            used.extend([conjunct, opposite]);
            found.push(store.eq(sum, zero));
        }
    }
    let rest = conjuncts
        .into_iter()
        .filter(|conjunct| !used.contains(conjunct));
    let mut all: Vec<TermId> = found.into_iter().collect();
    all.extend(rest);
    all
}
