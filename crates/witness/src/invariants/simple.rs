//! Formulas as readable conjuncts: none that follows from the others or from the types, none longer
//! than necessary.
//!
//! # Invariants
//! - Where the symbols are in their ranges, the conjunction is equivalent to the formula.

use super::cases::{self, Asker, Known, but, cases_of, equalities};
use base::Budget;
use interpolate::eliminate::disjunction;
use logic::{SymbolId, TermId, TermStore};
use smt::Solver;
use std::collections::{BTreeMap, BTreeSet};

/// More conjuncts than this are not compared with each other.
const MOST: usize = 60;

/// The conjuncts of a formula, given what the solver was told and the ranges of its symbols.
pub fn conjuncts(
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
    let asker = Asker {
        solver,
        store,
        budget,
        known: &mut Known::new(),
    };
    let mut rewriter = Rewriter { asker, kept };
    rewriter.run();
    let kept = rewriter.kept;
    solver.pop();
    kept
}

struct Rewriter<'a> {
    asker: Asker<'a>,
    kept: Vec<TermId>,
}

impl Rewriter<'_> {
    fn run(&mut self) {
        let all = self.kept.clone();
        if !all.is_empty() && self.asker.is_impossible(&all) {
            self.kept = vec![self.asker.store.bool(false)];
            return;
        }
        self.round();
        if self.kept.len() <= MOST && self.tidy() {
            self.round();
        }
    }

    fn round(&mut self) {
        if self.kept.len() <= MOST {
            self.gather();
            self.shorten();
            self.kept = equalities(self.asker.store, std::mem::take(&mut self.kept));
        }
        self.drop_implied();
    }

    /// What every case of a disjunction implies is outside of it as well.
    fn gather(&mut self) {
        let all = self.asker.store.and(&self.kept);
        for atom in self.asker.plain(all) {
            if !self.kept.contains(&atom) {
                self.kept.push(atom);
            }
        }
    }

    /// Cases that cannot be, with the other conjuncts, go; and so do parts of cases that follow
    /// from the rest.
    fn shorten(&mut self) {
        for at in 0..self.kept.len() {
            let Some(members) = cases_of(self.asker.store, self.kept[at]) else {
                continue;
            };
            let others = but(&self.kept, at);
            let mut cases = Vec::new();
            for mut case in members {
                if self.asker.is_impossible(&[&others[..], &case].concat()) {
                    continue;
                }
                let mut index = 0;
                while index < case.len() {
                    let mut rest = [&others[..], &case].concat();
                    let last = others.len() + index;
                    rest[last] = self.asker.store.not(case[index]);
                    match self.asker.is_impossible(&rest) {
                        true => drop(case.remove(index)),
                        false => index += 1,
                    }
                }
                cases.push(case);
            }
            self.kept[at] = disjunction(self.asker.store, &cases);
        }
        let top = self.asker.store.bool(true);
        self.kept.retain(|&conjunct| conjunct != top);
    }

    /// Fewer and shorter cases; says whether there were any to tidy.
    fn tidy(&mut self) -> bool {
        let before = self.kept.clone();
        for at in 0..self.kept.len() {
            if let Some(cases) = cases_of(self.asker.store, self.kept[at])
                && cases.len() <= cases::MOST
            {
                let cases = self.asker.tidied(&but(&self.kept, at), cases);
                self.kept[at] = disjunction(self.asker.store, &cases);
            }
        }
        let all = self.asker.store.and(&self.kept);
        let is_new = self.kept != before;
        self.kept = equalities(self.asker.store, self.asker.store.conjuncts(all));
        is_new
    }

    /// Conjuncts that follow from the others go.
    fn drop_implied(&mut self) {
        if self.kept.len() <= MOST {
            self.kept = self.asker.needed(&[], std::mem::take(&mut self.kept));
        } else {
            self.kept
                .retain(|&conjunct| !self.asker.follows(&[], conjunct));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::{Sort, read};

    #[test]
    fn fewer_and_shorter_cases_say_the_same() {
        let rows = [
            (
                "(or (= x 0) (and (<= 1 x) (<= x 9)))",
                "(and (<= 0 x) (<= x 9))",
            ),
            // One case continues where the other ends.
            (
                "(or (and (= x 0) (= y 5)) (and (<= 1 x) (= y 5)) (and (<= 1 x) (= x y)))",
                "(and (<= 0 x) (or (= y 5) (and (<= 1 x) (= x y))))",
            ),
            // What the other case lets in need not be kept out.
            (
                "(or (<= x 3) (and (<= 4 x) (= (mod y 2) 0)))",
                "(or (<= x 3) (= (mod y 2) 0))",
            ),
            // The first two are all of the third.
            (
                "(or (and (<= x 3) (<= y 7)) (and (<= 0 x) (<= x y)) (and (= x 2) (= z 1) (<= y 5)))",
                "(or (and (<= x 3) (<= y 7)) (and (<= 0 x) (<= x y)))",
            ),
            // Nothing between them may be added.
            ("(or (= x 0) (= x 2))", "(or (= x 0) (= x 2))"),
        ];
        for (formula, expected) in rows {
            let mut store = TermStore::new();
            for name in ["x", "y", "z"] {
                store.new_symbol(name, Sort::Int);
            }
            let [formula, expected] =
                [formula, expected].map(|text| read::term(&mut store, text).expect("a formula"));
            let ranges = BTreeMap::new();
            let budget = Budget::unlimited();
            let kept = conjuncts(&mut Solver::new(), &mut store, formula, &ranges, &budget);
            let found = store.and(&kept);
            assert_eq!(store.readable(found), store.readable(expected));
        }
    }
}
