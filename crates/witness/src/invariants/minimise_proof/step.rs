//! Steps from a disjunction to simpler formulas, which may be stronger or weaker.

use super::super::cases::{Asker, Case, but, pairs, size, with_hull};
use logic::{SymbolId, TermId};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// From cases, given the other conjuncts, to simpler ones; the best come first.
type Steps = fn(&mut Asker<'_>, &[TermId], &[Case]) -> Vec<Vec<Case>>;

/// The kinds of steps; what changes more, or is found sooner, comes first.
pub(super) const KINDS: [Steps; 4] = [
    without_case,
    without_symbol,
    with_two_merged,
    without_conjunct,
];

/// All but one case.
fn without_case(asker: &mut Asker<'_>, _: &[TermId], cases: &[Case]) -> Vec<Vec<Case>> {
    let mut order: Vec<usize> = (0..cases.len()).collect();
    order.sort_by_key(|&index| Reverse(asker.size(&cases[index])));
    order.into_iter().map(|index| but(cases, index)).collect()
}

/// The cases without what they say about one symbol.
fn without_symbol(asker: &mut Asker<'_>, _: &[TermId], cases: &[Case]) -> Vec<Vec<Case>> {
    let store = &asker.store;
    let symbols: BTreeSet<SymbolId> = store.symbols_of(&cases.concat()).into_iter().collect();
    let mut silent: Vec<Vec<Case>> = Vec::new();
    for symbol in symbols {
        let is_silent = |part: &&TermId| !store.symbols_of(&[**part]).contains(&symbol);
        let rest = |case: &Case| case.iter().filter(is_silent).copied().collect();
        silent.push(cases.iter().map(rest).collect());
    }
    // A case without conjuncts is any state; that the disjunction goes was tried before.
    silent.retain(|cases| cases.iter().all(|case| !case.is_empty()));
    silent.sort_by_key(|cases| asker.size(&cases.concat()));
    silent
}

/// The cases with what two of them have in common for the two.
fn with_two_merged(asker: &mut Asker<'_>, others: &[TermId], cases: &[Case]) -> Vec<Vec<Case>> {
    let mut merged = Vec::new();
    for (first, second) in pairs(cases.len()) {
        let pair = [cases[first].clone(), cases[second].clone()];
        let hull = asker.hull(others, &pair);
        merged.push(with_hull(cases, (first, second), hull));
    }
    merged.sort_by_key(|cases| asker.size(&cases.concat()));
    merged
}

/// The cases without one conjunct of one of them.
fn without_conjunct(asker: &mut Asker<'_>, _: &[TermId], cases: &[Case]) -> Vec<Vec<Case>> {
    let long = cases.iter().enumerate().filter(|(_, case)| case.len() > 1);
    let places = long.flat_map(|(index, case)| (0..case.len()).map(move |part| (index, part)));
    let mut places: Vec<(usize, usize)> = places.collect();
    places.sort_by_key(|&(index, part)| Reverse(size(asker.store, cases[index][part])));
    let shorter = places.into_iter().map(|(index, part)| {
        let mut shorter = cases.to_vec();
        shorter[index].remove(part);
        shorter
    });
    shorter.collect()
}
