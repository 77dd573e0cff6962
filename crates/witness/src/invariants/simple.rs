//! Formulas as conjuncts that people can read: none that follows from the others or from the
//! types, none longer than it must be.
//!
//! # Invariants
//! - Where the symbols are in their ranges, the conjuncts together say what the formula says.

use base::Budget;
use logic::{Node, SymbolId, TermId, TermStore};
use smt::{Answer, Solver};
use std::collections::{BTreeMap, BTreeSet};

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
    let bounds: BTreeSet<TermId> = ranges.values().flatten().copied().collect();
    kept.retain(|conjunct| !bounds.contains(conjunct));
    let mut rewriter = Rewriter {
        solver,
        store,
        budget,
        kept,
    };
    rewriter.run();
    let kept = rewriter.kept;
    solver.pop();
    kept
}

struct Rewriter<'a> {
    solver: &'a mut Solver,
    store: &'a mut TermStore,
    budget: &'a Budget,
    kept: Vec<TermId>,
}

impl Rewriter<'_> {
    fn run(&mut self) {
        let all = self.kept.clone();
        if !all.is_empty() && self.is_impossible(&all) {
            self.kept = vec![self.store.bool(false)];
            return;
        }
        if self.kept.len() <= MOST {
            self.gather();
            self.shorten();
            self.kept = equalities(self.store, std::mem::take(&mut self.kept));
        }
        self.drop_implied();
    }

    /// Whether formulas exclude each other; "unknown" is no.
    fn is_impossible(&mut self, formulas: &[TermId]) -> bool {
        self.solver.check(self.store, formulas, self.budget) == Answer::Unsat
    }

    /// What every case of a disjunction implies stands outside of it as well.
    fn gather(&mut self) {
        let mut atoms = BTreeSet::new();
        for &conjunct in &self.kept {
            if let Node::Or(members) = self.store.node(conjunct) {
                for &member in members {
                    atoms.extend(self.store.conjuncts(member));
                }
            }
        }
        let is_atom = |atom: &TermId| !matches!(self.store.node(*atom), Node::Or(_));
        let atoms: Vec<TermId> = atoms.into_iter().filter(is_atom).collect();
        if atoms.len() > MOST {
            return;
        }
        let base = self.kept.clone();
        for atom in halves(self.store, &atoms) {
            let mut all = base.clone();
            all.push(self.store.not(atom));
            if !base.contains(&atom) && self.is_impossible(&all) {
                self.kept.push(atom);
            }
        }
    }

    /// Cases that cannot be, with the other conjuncts, go; and so do parts of cases that follow
    /// from the rest.
    fn shorten(&mut self) {
        for at in 0..self.kept.len() {
            let Node::Or(members) = self.store.node(self.kept[at]) else {
                continue;
            };
            let members = members.to_vec();
            let mut others = self.kept.clone();
            others.remove(at);
            let mut cases = Vec::new();
            for member in members {
                let mut case = self.store.conjuncts(member);
                if self.is_impossible(&[&others[..], &case].concat()) {
                    continue;
                }
                let mut index = 0;
                while index < case.len() {
                    let mut rest = [&others[..], &case].concat();
                    let last = others.len() + index;
                    rest[last] = self.store.not(case[index]);
                    match self.is_impossible(&rest) {
                        true => drop(case.remove(index)),
                        false => index += 1,
                    }
                }
                cases.push(self.store.and(&case));
            }
            self.kept[at] = self.store.or(&cases);
        }
        let top = self.store.bool(true);
        self.kept.retain(|&conjunct| conjunct != top);
    }

    /// Conjuncts that follow from the others go, long ones first.
    fn drop_implied(&mut self) {
        let mut order = self.kept.clone();
        order.sort_by_key(|&conjunct| std::cmp::Reverse(self.store.readable(conjunct).len()));
        let is_compared = self.kept.len() <= MOST;
        for conjunct in order {
            let mut others: Vec<TermId> = Vec::new();
            if is_compared {
                let kept = self.kept.iter().copied();
                others.extend(kept.filter(|&other| other != conjunct));
            }
            others.push(self.store.not(conjunct));
            if self.is_impossible(&others) {
                self.kept.retain(|&other| other != conjunct);
            }
        }
    }
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
    found.extend(rest);
    let mut seen = BTreeSet::new();
    found.retain(|&conjunct| seen.insert(conjunct));
    found
}
