//! Array axioms, instantiated at the relevant indices.
//!
//! Arrays that are linked by a write, a choice or a comparison share their indices. At each of
//! these, a written array equals the old one or the index is the one written to, a choice is the
//! array chosen, and equal arrays have equal elements. Arrays that differ do so at an index of
//! their own. Every instance is asserted in a part that can mention it; instances that no part can
//! mention are left out, so a refutation may be missed.

use crate::PartSet;
use crate::encode::Encoder;
use crate::literal::{Atom, Literal};
use crate::table::Claim;
use logic::{Node, Rational, Sort, TermId};
use std::collections::{BTreeMap, BTreeSet};

impl Encoder<'_> {
    /// Says what is known about all arrays in some terms.
    pub(crate) fn arrays(&mut self, terms: &[TermId]) -> Result<(), TermId> {
        let below = self.store.below(terms);
        let is_array = |it: &&TermId| self.store.sort(**it) == Sort::Array;
        let arrays: Vec<TermId> = below.iter().filter(is_array).copied().collect();
        if arrays.is_empty() {
            return Ok(());
        }
        let is_comparison = |it: &&TermId| matches!(self.store.node(**it), Node::SameArray(..));
        let comparisons: Vec<TermId> = below.iter().filter(is_comparison).copied().collect();
        let mut links = Links::default();
        let mut indices: Vec<(TermId, TermId)> = Vec::new();
        for &term in &below {
            match self.store.node(term) {
                Node::Select(array, index) => indices.push((*array, *index)),
                Node::Store(array, index, _) => {
                    links.link(term, *array);
                    indices.push((*array, *index));
                }
                Node::SameArray(a, b) => links.link(*a, *b),
                Node::Ite(_, then, otherwise) if self.store.sort(term) == Sort::Array => {
                    links.link(term, *then);
                    links.link(term, *otherwise);
                }
                _ => {}
            }
        }
        for &comparison in &comparisons {
            indices.extend(self.difference(comparison)?);
        }
        let mut of: BTreeMap<TermId, BTreeSet<TermId>> = BTreeMap::new();
        for (array, index) in indices {
            of.entry(links.root(array)).or_default().insert(index);
        }
        for term in arrays.into_iter().chain(comparisons) {
            let array = match self.store.node(term) {
                Node::SameArray(a, _) => *a,
                _ => term,
            };
            for &index in of.get(&links.root(array)).into_iter().flatten() {
                self.array_at(term, index)?;
            }
        }
        self.define_open()
    }

    /// The index at which two arrays differ if they do, with one of them.
    fn difference(&mut self, comparison: TermId) -> Result<Option<(TermId, TermId)>, TermId> {
        let Node::SameArray(a, b) = *self.store.node(comparison) else {
            return Ok(None);
        };
        let Some(part) = self.scopes.of_term(self.store, comparison).first() else {
            return Ok(None);
        };
        let symbol = self.store.new_symbol("difference", Sort::Int);
        self.scopes.declare(symbol, part);
        let index = self.store.of_symbol(symbol);
        self.part = part;
        let same = self.truth(comparison);
        let equal = self.same_element(a, b, index)?;
        self.clause(vec![same, equal.negated()]);
        Ok(Some((a, index)))
    }

    /// What is known about an array, or of a comparison of arrays, at an index.
    fn array_at(&mut self, term: TermId, index: TermId) -> Result<(), TermId> {
        let mut scope: PartSet = self.scopes.of_term(self.store, term);
        scope.intersect(&self.scopes.of_term(self.store, index));
        let Some(part) = scope.first() else {
            return Ok(());
        };
        self.part = part;
        match *self.store.node(term) {
            Node::SameArray(a, b) => {
                let same = self.truth(term);
                let equal = self.same_element(a, b, index)?;
                self.clause(vec![same.negated(), equal]);
            }
            Node::Store(array, written, element) => {
                let here = self.equal(index, written)?;
                let selected = self.store.select(term, index);
                let new = self.equal(selected, element)?;
                self.clause(vec![here.negated(), new]);
                let old = self.same_element(term, array, index)?;
                self.clause(vec![here, old]);
            }
            Node::Ite(condition, then, otherwise) => {
                for (array, taken) in [(then, true), (otherwise, false)] {
                    let mut claims = self.disjuncts(condition, !taken)?;
                    claims.push(self.same_element(term, array, index)?);
                    self.clause(claims);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn truth(&mut self, formula: TermId) -> Claim {
        let atom = self.table.atom(Atom::Truth(formula), Some(self.part));
        Claim::Open(Literal::new(atom, true))
    }

    /// That two arrays have the same element at an index.
    fn same_element(&mut self, a: TermId, b: TermId, index: TermId) -> Result<Claim, TermId> {
        let elements = [self.store.select(a, index), self.store.select(b, index)];
        self.equal(elements[0], elements[1])
    }

    /// That two numbers are equal.
    pub(crate) fn equal(&mut self, a: TermId, b: TermId) -> Result<Claim, TermId> {
        let mut difference = self.linear(a)?;
        difference.add_multiple(&Rational::from(-1i64), &self.linear(b)?);
        Ok(self.table.is_zero(&difference, Some(self.part)))
    }
}

/// Which arrays are linked.
#[derive(Default)]
struct Links {
    towards: BTreeMap<TermId, TermId>,
}

impl Links {
    fn root(&self, mut array: TermId) -> TermId {
        while let Some(&next) = self.towards.get(&array) {
            array = next;
        }
        array
    }

    fn link(&mut self, a: TermId, b: TermId) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.towards.insert(a, b);
        }
    }
}
