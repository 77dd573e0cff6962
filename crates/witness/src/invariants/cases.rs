//! Disjunctions as few, short, readable cases.
//!
//! # Invariants
//! - A hull follows from each of its cases, given the other conjuncts.
//! - Simplified cases are equivalent to the original ones, given the other conjuncts.

use base::Budget;
use interpolate::eliminate::disjunction;
use logic::{Node, TermId, TermStore};
use smt::{Answer, Solver};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// More cases than this are not compared with each other.
pub(super) const MOST: usize = 20;
/// More atoms than this are not looked at one by one.
const MOST_ATOMS: usize = 60;

/// The conjuncts of a case.
pub(super) type Case = Vec<TermId>;

/// The cases of a disjunction.
pub(super) fn cases_of(store: &TermStore, formula: TermId) -> Option<Vec<Case>> {
    let Node::Or(members) = store.node(formula) else {
        return None;
    };
    let cases = members.iter().map(|&member| store.conjuncts(member));
    Some(cases.collect())
}

/// What cases are made of, except for disjunctions; of equalities also the inequalities.
pub(super) fn atoms<'c>(
    store: &mut TermStore,
    cases: impl IntoIterator<Item = &'c Case>,
) -> Vec<TermId> {
    let parts: BTreeSet<TermId> = cases.into_iter().flatten().copied().collect();
    let is_atom = |part: &TermId| !matches!(store.node(*part), Node::Or(_));
    let parts: Vec<TermId> = parts.into_iter().filter(is_atom).collect();
    halves(store, &parts)
}

/// How much there is to read.
pub(super) fn size(store: &TermStore, formula: TermId) -> usize {
    store.readable(formula).len()
}

/// All but the one at an index.
pub(super) fn but<T: Clone>(all: &[T], index: usize) -> Vec<T> {
    [&all[..index], &all[index + 1..]].concat()
}

/// Answers questions about formulas.
pub(super) struct Asker<'a> {
    pub(super) solver: &'a mut Solver,
    pub(super) store: &'a mut TermStore,
    pub(super) budget: &'a Budget,
    pub(super) known: &'a mut Known,
}

/// What follows from what, as far as it was asked.
pub(super) type Known = BTreeMap<(TermId, TermId), bool>;

impl Asker<'_> {
    /// Whether formulas exclude each other; "unknown" is no.
    pub(super) fn is_impossible(&mut self, formulas: &[TermId]) -> bool {
        self.solver.check(self.store, formulas, self.budget) == Answer::Unsat
    }

    /// Whether a formula follows from others; "unknown" is no.
    pub(super) fn follows(&mut self, from: &[TermId], formula: TermId) -> bool {
        let negated = self.store.not(formula);
        let question = (self.store.and(from), formula);
        if let Some(&known) = self.known.get(&question) {
            return known;
        }
        let follows = self.is_impossible(&[from, &[negated]].concat());
        self.known.insert(question, follows);
        follows
    }

    /// What all cases have in common: those of their conjuncts, and halves of them, that follow
    /// from each.
    pub(super) fn hull(&mut self, others: &[TermId], cases: &[Case]) -> Case {
        let mut shared = atoms(self.store, cases);
        shared.retain(|&atom| {
            let mut each = cases.iter();
            each.all(|case| case.contains(&atom) || self.follows(&[others, case].concat(), atom))
        });
        let shared = equalities(self.store, shared);
        self.needed(others, shared)
    }

    /// What a formula says without cases: the atoms of its cases that follow from it.
    pub(super) fn plain(&mut self, formula: TermId) -> Vec<TermId> {
        let conjuncts = self.store.conjuncts(formula);
        let cases = conjuncts.iter();
        let cases = cases.filter_map(|&conjunct| cases_of(self.store, conjunct));
        let cases: Vec<Case> = cases.flatten().collect();
        let mut plain = atoms(self.store, &cases);
        if plain.len() > MOST_ATOMS {
            return Vec::new();
        }
        plain.retain(|&atom| self.follows(&conjuncts, atom));
        plain
    }

    /// Conjuncts without those that follow from the rest, long ones first.
    pub(super) fn needed(&mut self, others: &[TermId], mut conjuncts: Case) -> Case {
        let mut order = conjuncts.clone();
        order.sort_by_key(|&conjunct| Reverse(size(self.store, conjunct)));
        for conjunct in order {
            let rest = conjuncts.iter().copied();
            let rest: Case = rest.filter(|&other| other != conjunct).collect();
            if self.follows(&[others, &rest].concat(), conjunct) {
                conjuncts = rest;
            }
        }
        conjuncts
    }

    /// Fewer and shorter cases that say the same.
    pub(super) fn tidied(&mut self, others: &[TermId], cases: Vec<Case>) -> Vec<Case> {
        let cases = self.without_covered(others, cases);
        let cases = self.widened(others, cases);
        let cases = self.merged(others, cases);
        self.without_covered(others, cases)
    }

    /// Whether a formula leaves no state that is in none of the cases.
    fn is_covered(&mut self, others: &[TermId], what: &[TermId], cases: &[Case]) -> bool {
        let all = disjunction(self.store, cases);
        self.follows(&[others, what].concat(), all)
    }

    /// Without cases that the rest covers, long ones first.
    fn without_covered(&mut self, others: &[TermId], mut cases: Vec<Case>) -> Vec<Case> {
        let mut order = cases.clone();
        order.sort_by_key(|case| Reverse(self.size(case)));
        for case in order {
            let rest = cases.iter().filter(|&other| *other != case);
            let rest: Vec<Case> = rest.cloned().collect();
            if self.is_covered(others, &case, &rest) {
                cases = rest;
            }
        }
        cases
    }

    /// Without conjuncts of cases that keep out only what other cases let in, long ones first.
    fn widened(&mut self, others: &[TermId], mut cases: Vec<Case>) -> Vec<Case> {
        for index in 0..cases.len() {
            let mut order = cases[index].clone();
            order.sort_by_key(|&conjunct| Reverse(size(self.store, conjunct)));
            for conjunct in order {
                let rest = cases[index].iter().copied();
                let rest: Case = rest.filter(|&other| other != conjunct).collect();
                if self.is_covered(others, &rest, &cases) {
                    cases[index] = rest;
                }
            }
        }
        cases
    }

    /// With pairs of cases replaced by their hull where that is no more than all cases.
    fn merged(&mut self, others: &[TermId], mut cases: Vec<Case>) -> Vec<Case> {
        let mut open: Vec<(usize, usize)> = pairs(cases.len());
        while self.budget.check().is_ok()
            && let Some((first, second)) = open.pop()
        {
            let pair = [cases[first].clone(), cases[second].clone()];
            let hull = self.hull(others, &pair);
            if self.size(&hull) < self.size(&pair.concat())
                && self.is_covered(others, &hull, &cases)
            {
                cases = with_hull(&cases, (first, second), hull);
                open = pairs(cases.len());
            }
        }
        cases
    }

    /// How much there is to read in a case.
    pub(super) fn size(&self, case: &[TermId]) -> usize {
        case.iter().map(|&part| size(self.store, part)).sum()
    }
}

/// The pairs of so many things.
pub(super) fn pairs(count: usize) -> Vec<(usize, usize)> {
    let pairs = (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second)));
    pairs.collect()
}

/// Cases with one for two of them.
pub(super) fn with_hull(cases: &[Case], (first, second): (usize, usize), hull: Case) -> Vec<Case> {
    let mut cases = but(cases, second);
    cases[first] = hull;
    cases
}

/// Equalities, and for each also the two inequalities that it is.
fn halves(store: &mut TermStore, atoms: &[TermId]) -> Vec<TermId> {
    let mut all = Vec::new();
    for &atom in atoms {
        all.push(atom);
        if let Node::IsZero(sum) = *store.node(atom) {
            let zero = store.int(0i64);
            all.extend([store.le(sum, zero), store.le(zero, sum)]);
        }
    }
    all
}

/// Two opposite inequalities are one equality.
pub(super) fn equalities(store: &mut TermStore, conjuncts: Vec<TermId>) -> Vec<TermId> {
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
    found.extend(rest);
    let mut seen = BTreeSet::new();
    found.retain(|&conjunct| seen.insert(conjunct));
    found
}
