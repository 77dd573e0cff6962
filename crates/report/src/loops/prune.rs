//! Takes out of a formula what the rest of it, and what is known, already says.

use base::Budget;
use logic::{Node, TermId, TermStore};
use smt::{Answer, Solver};

/// The formula without conjuncts, cases and literals of cases that follow from the rest.
pub(super) fn pruned(
    store: &mut TermStore,
    formula: TermId,
    known: &[TermId],
    budget: &Budget,
) -> TermId {
    let mut solver = Solver::new();
    for &fact in known {
        solver.assert(store, fact);
    }
    let mut pruner = Pruner {
        store,
        solver,
        budget,
    };
    let parts = pruner.store.conjuncts(formula);
    let mut parts = pruner.conjuncts(parts);
    for index in 0..parts.len() {
        let part = parts.remove(index);
        let part = match pruner.store.node(part).clone() {
            Node::Or(cases) => pruner.cases(&parts, cases.to_vec()),
            _ => part,
        };
        parts.insert(index, part);
    }
    store.and(&parts)
}

struct Pruner<'p> {
    store: &'p mut TermStore,
    solver: Solver,
    budget: &'p Budget,
}

impl Pruner<'_> {
    /// Some formulas without those that follow from the others. Cases go first; they do not make
    /// others superfluous, since what holds in all cases is better said once.
    fn conjuncts(&mut self, mut parts: Vec<TermId>) -> Vec<TermId> {
        parts.sort_by_key(|&part| std::cmp::Reverse(self.weight(part)));
        let mut index = 0;
        while index < parts.len() {
            let part = parts.remove(index);
            let is_simple = !self.is_cases(part);
            let mut premises = parts.clone();
            premises.retain(|&premise| !is_simple || !self.is_cases(premise));
            if !self.follows(&premises, part) {
                parts.insert(index, part);
                index += 1;
            }
        }
        parts.reverse();
        parts
    }

    fn is_cases(&self, term: TermId) -> bool {
        matches!(self.store.node(term), Node::Or(_))
    }

    /// Cases, where other formulas hold.
    fn cases(&mut self, others: &[TermId], mut cases: Vec<TermId>) -> TermId {
        cases.sort_by_key(|&case| std::cmp::Reverse(self.weight(case)));
        let mut index = 0;
        while index < cases.len() {
            let case = cases.remove(index);
            let rest = self.store.or(&cases);
            let covered = self.store.implies(case, rest);
            if !self.follows(others, covered) {
                cases.insert(index, case);
                index += 1;
            }
        }
        self.solver.push();
        for &other in others {
            self.solver.assert(self.store, other);
        }
        for case in &mut cases {
            let literals = self.store.conjuncts(*case);
            let literals = self.conjuncts(literals);
            *case = self.store.and(&literals);
        }
        self.solver.pop();
        cases.reverse();
        self.store.or(&cases)
    }

    fn follows(&mut self, premises: &[TermId], conclusion: TermId) -> bool {
        let negation = self.store.not(conclusion);
        self.solver.push();
        for &formula in premises.iter().chain([&negation]) {
            self.solver.assert(self.store, formula);
        }
        let answer = self.solver.check(self.store, &[], self.budget);
        self.solver.pop();
        answer == Answer::Unsat
    }

    /// How little one likes to read it.
    fn weight(&self, term: TermId) -> (u8, usize) {
        let kind = match self.store.node(term) {
            Node::IsZero(_) => 0,
            Node::AtMostZero(_) | Node::Symbol(_) => 1,
            Node::Divides(..) => 2,
            Node::Or(_) | Node::And(_) => 4,
            _ => 3,
        };
        (kind, self.store.below(&[term]).len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::{Sort, read};

    #[test]
    fn only_what_the_rest_does_not_say_stays() {
        let mut store = TermStore::new();
        for name in ["i", "n"] {
            store.new_symbol(name, Sort::Int);
        }
        let known = "(<= 0 i)";
        let cases = [
            ("(and (= i 3) (<= i 5) (<= 0 i))", "(= i 3)"),
            ("(and (<= i n) (or (< i n) (< n 0) (= i n)))", "(<= i n)"),
            (
                "(or (and (<= n 3) (<= 0 i)) (and (<= 5 n) (<= 4 n)))",
                "(or (<= n 3) (<= 5 n))",
            ),
        ];
        let known = read::term(&mut store, known).expect("a term");
        for (text, expected) in cases {
            let term = read::term(&mut store, text).expect("a term");
            let expected = read::term(&mut store, expected).expect("a term");
            let short = pruned(&mut store, term, &[known], &Budget::unlimited());
            assert_eq!(short, expected, "{text}: {}", store.readable(short));
        }
    }
}
