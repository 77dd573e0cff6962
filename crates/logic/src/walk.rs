//! Traversal of terms: free symbols, functions, substitution.
//!
//! Nothing is recursive: a term's parts have smaller ids, so the subterms are collected and then
//! processed in the order of their ids.

use crate::term::{FunctionId, Node, SymbolId, TermId, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

impl TermStore {
    /// The map from symbols, given as terms, to terms.
    pub fn substitution(
        &self,
        symbols: &[TermId],
        terms: &[TermId],
    ) -> FxHashMap<SymbolId, TermId> {
        let pairs = symbols.iter().zip(terms);
        let pairs = pairs.filter_map(|(&symbol, &term)| match self.node(symbol) {
            Node::Symbol(symbol) => Some((*symbol, term)),
            _ => None,
        });
        pairs.collect()
    }

    /// A new symbol of the name and sort of another.
    pub fn fresh_like(&mut self, symbol: SymbolId) -> TermId {
        let row = self.symbol(symbol).clone();
        self.fresh(&row.name, row.sort)
    }

    /// The terms that some terms are made of, and these, each after its parts.
    pub fn below(&self, roots: &[TermId]) -> Vec<TermId> {
        self.below_except(roots, |_| false)
    }

    /// The same without the terms that are known, and what only these are made of.
    pub(crate) fn below_except(
        &self,
        roots: &[TermId],
        is_known: impl Fn(TermId) -> bool,
    ) -> Vec<TermId> {
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut open = roots.to_vec();
        let mut all = Vec::new();
        while let Some(term) = open.pop() {
            if !is_known(term) && seen.insert(term) {
                all.push(term);
                open.extend(self.parts(term));
            }
        }
        all.sort_unstable();
        all
    }

    /// The free symbols of some terms.
    pub fn symbols_of(&self, roots: &[TermId]) -> BTreeSet<SymbolId> {
        let below = self.below(roots).into_iter();
        below
            .filter_map(|term| match self.node(term) {
                Node::Symbol(symbol) => Some(*symbol),
                _ => None,
            })
            .collect()
    }

    /// The functions of some terms.
    pub fn functions_of(&self, roots: &[TermId]) -> BTreeSet<FunctionId> {
        let below = self.below(roots).into_iter();
        below
            .filter_map(|term| match self.node(term) {
                Node::Apply(function, _) => Some(*function),
                _ => None,
            })
            .collect()
    }

    /// The term with other terms, of the same sorts, in place of symbols, all at once.
    pub fn substitute(&mut self, term: TermId, map: &FxHashMap<SymbolId, TermId>) -> TermId {
        self.substitute_all(&[term], map)[0]
    }

    /// Some terms with other terms in place of symbols, sharing the work.
    pub fn substitute_all(
        &mut self,
        terms: &[TermId],
        map: &FxHashMap<SymbolId, TermId>,
    ) -> Vec<TermId> {
        if map.is_empty() {
            return terms.to_vec();
        }
        self.rewrite_all(terms, |store, term| match store.node(term) {
            Node::Symbol(symbol) => map.get(symbol).copied(),
            _ => None,
        })
    }

    /// Some terms with other terms, of the same sorts, in place of terms in them; what is below a
    /// replaced term is not looked at.
    pub fn replace_all(
        &mut self,
        terms: &[TermId],
        map: &FxHashMap<TermId, TermId>,
    ) -> Vec<TermId> {
        self.rewrite_all(terms, |_, term| map.get(&term).copied())
    }

    /// Some terms with others in place of those that `new` has something for.
    fn rewrite_all(
        &mut self,
        terms: &[TermId],
        new: impl Fn(&TermStore, TermId) -> Option<TermId>,
    ) -> Vec<TermId> {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for term in self.below(terms) {
            let new = match new(self, term) {
                Some(new) => new,
                None => self.with_parts(term, &done),
            };
            done.insert(term, new);
        }
        terms.iter().map(|term| done[term]).collect()
    }

    /// The term with its parts exchanged; `done` has all of them.
    pub fn with_parts(&mut self, term: TermId, done: &FxHashMap<TermId, TermId>) -> TermId {
        if self.parts(term).iter().all(|part| done[part] == *part) {
            return term;
        }
        let node = self.node(term).clone();
        self.remade(&node, &|part| done[&part])
    }

    /// The term of a step whose parts are exchanged. Symbols and functions stay.
    pub(crate) fn remade(&mut self, node: &Node, new: &dyn Fn(TermId) -> TermId) -> TermId {
        fn multiples<C: Clone>(
            parts: &[(TermId, C)],
            new: &dyn Fn(TermId) -> TermId,
        ) -> Vec<(TermId, C)> {
            let parts = parts.iter();
            parts.map(|(p, times)| (new(*p), times.clone())).collect()
        }
        let all = |parts: &[TermId]| -> Vec<TermId> { parts.iter().map(|&p| new(p)).collect() };
        match node {
            Node::Bool(_) | Node::Int(_) | Node::Real(_) | Node::Symbol(_) => {
                self.intern(node.clone())
            }
            Node::Sum(constant, parts) => self.linear(constant, &multiples(parts, new)),
            Node::RealSum(constant, parts) => self.real_linear(constant, &multiples(parts, new)),
            Node::Div(a, divisor) => self.div(new(*a), divisor),
            Node::Mod(a, divisor) => self.modulo(new(*a), divisor),
            Node::Ite(condition, then, otherwise) => {
                self.ite(new(*condition), new(*then), new(*otherwise))
            }
            Node::ToReal(a) => self.to_real(new(*a)),
            Node::Apply(function, arguments) => self.apply(*function, &all(arguments)),
            Node::Select(array, index) => self.select(new(*array), new(*index)),
            Node::Store(array, index, element) => {
                self.store(new(*array), new(*index), new(*element))
            }
            Node::ConstantArray(element) => self.constant_array(new(*element)),
            Node::AtMostZero(sum) => self.at_most(new(*sum), 0i64),
            Node::IsZero(sum) => self.equals(new(*sum), 0i64),
            Node::Divides(divisor, sum) => self.divides(divisor, new(*sum)),
            Node::Below(sum) => {
                let zero = self.real(0i64);
                self.lt(new(*sum), zero)
            }
            Node::RealIsZero(sum) => {
                let zero = self.real(0i64);
                self.eq(new(*sum), zero)
            }
            Node::SameArray(a, b) => self.eq(new(*a), new(*b)),
            Node::Not(a) => self.not(new(*a)),
            Node::And(parts) => self.and(&all(parts)),
            Node::Or(parts) => self.or(&all(parts)),
        }
    }
}
