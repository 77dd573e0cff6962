//! Eliminates symbols that a formula's own equalities determine.
//!
//! A symbol that occurs nowhere else is implicitly existentially quantified. If a conjunction has
//! all its occurrences, and a member that says what it is equal to, that is substituted in the
//! other members. In a disjunction, every member may have a value of its own, so each is handled
//! separately.
//!
//! # Invariants
//! - The result follows from the formula, and any model of it extends to one of the formula by some
//!   values for the solved symbols.
//! - What is nested too deep, or comes too late in a formula that shares its parts too often, keeps
//!   its symbols.

use crate::term::{Node, SymbolId, TermId, TermStore};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What is nested deeper keeps its symbols.
const DEPTH: usize = 200;

impl TermStore {
    /// The formula without those of some symbols that its equalities fix.
    pub fn solved(&mut self, formula: TermId, symbols: &BTreeSet<SymbolId>) -> TermId {
        if symbols.is_empty() {
            return formula;
        }
        let formula = self.nnf(formula);
        let occurring = occurring(self, formula, symbols);
        if occurring[&formula].is_empty() {
            return formula;
        }
        let budget = 10 * occurring.len() + 1_000;
        let own = occurring[&formula].iter().copied().collect();
        let mut solver = Solver {
            store: self,
            occurring,
            values: FxHashMap::default(),
            budget,
        };
        solver.formula(formula, &own, 0)
    }
}

/// Which of some symbols each term below a formula has, in order.
fn occurring(
    store: &TermStore,
    formula: TermId,
    symbols: &BTreeSet<SymbolId>,
) -> FxHashMap<TermId, Vec<SymbolId>> {
    let mut occurring: FxHashMap<TermId, Vec<SymbolId>> = FxHashMap::default();
    for term in store.below(&[formula]) {
        let mut own = match store.node(term) {
            Node::Symbol(symbol) if symbols.contains(symbol) => vec![*symbol],
            _ => Vec::new(),
        };
        for part in store.parts(term) {
            own.extend(&occurring[&part]);
        }
        own.sort_unstable();
        own.dedup();
        occurring.insert(term, own);
    }
    occurring
}

struct Solver<'s> {
    store: &'s mut TermStore,
    /// The symbols to solve in each term of the formula.
    occurring: FxHashMap<TermId, Vec<SymbolId>>,
    /// What solved symbols are equal to; no value has a solved symbol.
    values: FxHashMap<SymbolId, TermId>,
    /// How many formulas may still be looked at.
    budget: usize,
}

impl Solver<'_> {
    /// A formula with the values in place; symbols of its own may be solved.
    fn formula(&mut self, formula: TermId, own: &BTreeSet<SymbolId>, depth: usize) -> TermId {
        if self.budget == 0 || depth > DEPTH {
            return self.store.substitute(formula, &self.values);
        }
        self.budget -= 1;
        if self.occurring[&formula].is_empty() {
            return formula;
        }
        match self.store.node(formula).clone() {
            Node::And(members) => self.conjunction(&members, own, depth),
            Node::Or(members) => {
                let members = members.iter();
                let members = members.map(|&member| self.formula(member, own, depth + 1));
                let members: Vec<TermId> = members.collect();
                self.store.or(&members)
            }
            _ => {
                let literal = self.store.substitute(formula, &self.values);
                match self.equality(literal, own) {
                    Some(_) => self.store.bool(true),
                    None => literal,
                }
            }
        }
    }

    fn conjunction(
        &mut self,
        members: &[TermId],
        own: &BTreeSet<SymbolId>,
        depth: usize,
    ) -> TermId {
        let before = self.values.clone();
        let mut done = Vec::new();
        let mut open = Vec::new();
        for &member in members {
            if !self.store.is_literal(member) {
                open.push(member);
                continue;
            }
            let literal = self.store.substitute(member, &self.values);
            match self.equality(literal, own) {
                Some((symbol, value)) => self.set(symbol, value),
                None => done.push(literal),
            }
        }
        // What was kept may have symbols that were solved later.
        done = self.store.substitute_all(&done, &self.values);
        let owners = self.owners(&open, &done, own);
        for (at, &member) in open.iter().enumerate() {
            let new = self.formula(member, &owners[at], depth + 1);
            done.push(new);
        }
        self.values = before;
        self.store.and(&done)
    }

    /// The symbols that only one of some formulas has, given literals that are beside them.
    fn owners(
        &mut self,
        open: &[TermId],
        literals: &[TermId],
        own: &BTreeSet<SymbolId>,
    ) -> Vec<BTreeSet<SymbolId>> {
        let beside = self.store.symbols_of(literals);
        let mut first: FxHashMap<SymbolId, usize> = FxHashMap::default();
        let mut shared: BTreeSet<SymbolId> = BTreeSet::new();
        for (at, member) in open.iter().enumerate() {
            let mut symbols: BTreeSet<SymbolId> = BTreeSet::new();
            for symbol in &self.occurring[member] {
                match self.values.get(symbol) {
                    Some(value) => symbols.extend(self.store.symbols_of(&[*value])),
                    None => {
                        symbols.insert(*symbol);
                    }
                }
            }
            for symbol in symbols.into_iter().filter(|it| own.contains(it)) {
                if *first.entry(symbol).or_insert(at) != at || beside.contains(&symbol) {
                    shared.insert(symbol);
                }
            }
        }
        let mut owners = vec![BTreeSet::new(); open.len()];
        for &symbol in own.iter().filter(|it| !shared.contains(it)) {
            if let Some(&at) = first.get(&symbol) {
                owners[at].insert(symbol);
            }
        }
        owners
    }

    /// Makes a symbol have a value, in the values of others as well.
    fn set(&mut self, symbol: SymbolId, value: TermId) {
        let map = FxHashMap::from_iter([(symbol, value)]);
        let (symbols, values): (Vec<SymbolId>, Vec<TermId>) =
            self.values.iter().map(|(s, v)| (*s, *v)).unzip();
        let values = self.store.substitute_all(&values, &map);
        self.values = symbols.into_iter().zip(values).collect();
        self.values.insert(symbol, value);
    }

    /// What a literal says that one of some symbols is equal to.
    fn equality(
        &mut self,
        literal: TermId,
        own: &BTreeSet<SymbolId>,
    ) -> Option<(SymbolId, TermId)> {
        let symbol = |store: &TermStore, term: TermId| match store.node(term) {
            Node::Symbol(symbol) if own.contains(symbol) => Some(*symbol),
            _ => None,
        };
        match *self.store.node(literal) {
            Node::Symbol(_) => Some((symbol(self.store, literal)?, self.store.bool(true))),
            Node::Not(inner) => Some((symbol(self.store, inner)?, self.store.bool(false))),
            Node::IsZero(sum) => {
                let (constant, parts) = self.store.to_linear(sum);
                parts.iter().enumerate().find_map(|(at, (part, factor))| {
                    let symbol = symbol(self.store, *part)?;
                    if !factor.abs().is_one() {
                        return None;
                    }
                    let mut others = parts.clone();
                    others.remove(at);
                    let terms: Vec<TermId> = others.iter().map(|(term, _)| *term).collect();
                    if self.store.symbols_of(&terms).contains(&symbol) {
                        return None;
                    }
                    // One and minus one are their own inverses.
                    let by = -factor;
                    others.iter_mut().for_each(|(_, it)| *it = &by * it);
                    Some((symbol, self.store.linear(&(&by * &constant), &others)))
                })
            }
            Node::SameArray(a, b) => [(a, b), (b, a)].into_iter().find_map(|(array, other)| {
                let symbol = symbol(self.store, array)?;
                let is_free = !self.store.symbols_of(&[other]).contains(&symbol);
                is_free.then_some((symbol, other))
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Sort;
    use crate::term::{TermId, TermStore};

    fn solved(store: &mut TermStore, formula: TermId, own: &[TermId]) -> TermId {
        let own = store.symbols_of(own);
        store.solved(formula, &own)
    }

    #[test]
    fn what_is_handed_on_disappears() {
        let mut store = TermStore::new();
        let names = ["x", "y", "t", "u"];
        let [x, y, t, u] = names.map(|name| store.fresh(name, Sort::Int));
        let (one, two) = (store.int(1i64), store.int(2i64));
        // (t = 1 and x <= t or t = 2 and x > t) and u = t and y = u
        let first = [store.eq(t, one), store.le(x, t)];
        let second = [store.eq(t, two), store.lt(t, x)];
        let either = [store.and(&first), store.and(&second)];
        let formula = [store.or(&either), store.eq(u, t), store.eq(y, u)];
        let formula = store.and(&formula);
        let first = [store.eq(y, one), store.le(x, y)];
        let second = [store.eq(y, two), store.lt(y, x)];
        let either = [store.and(&first), store.and(&second)];
        let expected = store.or(&either);
        assert_eq!(solved(&mut store, formula, &[t, u]), expected);
        // Without a part that says what x is, it stays.
        let shown = solved(&mut store, formula, &[t, u, x]);
        assert_eq!(shown, expected);
    }

    #[test]
    fn every_case_may_have_a_value_of_its_own() {
        let mut store = TermStore::new();
        let [x, t] = ["x", "t"].map(|name| store.fresh(name, Sort::Int));
        let (one, two) = (store.int(1i64), store.int(2i64));
        let first = [store.eq(t, one), store.eq(x, t)];
        let second = [store.eq(t, two), store.eq(x, t)];
        let either = [store.and(&first), store.and(&second)];
        let formula = store.or(&either);
        let expected = [store.eq(x, one), store.eq(x, two)];
        let expected = store.or(&expected);
        assert_eq!(solved(&mut store, formula, &[t]), expected);
        // But not where another conjunct mentions it.
        let bound = store.le(t, one);
        let formula = store.and(&[formula, bound]);
        assert_eq!(solved(&mut store, formula, &[t]), formula);
    }

    #[test]
    fn values_inside_their_own_equality_stay() {
        let mut store = TermStore::new();
        let t = store.fresh("t", Sort::Int);
        let rest = store.modulo(t, &crate::Integer::from(5i64));
        let formula = store.eq(t, rest);
        assert_eq!(solved(&mut store, formula, &[t]), formula);
    }
}
