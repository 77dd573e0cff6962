//! Sets of things that have something to do with each other, joined as that is found out.

use logic::{SymbolId, TermId, TermStore};
use std::collections::BTreeMap;

/// Sets that can be joined.
pub(crate) struct Groups<T> {
    above: BTreeMap<T, T>,
}

impl<T> Default for Groups<T> {
    fn default() -> Self {
        Groups {
            above: BTreeMap::new(),
        }
    }
}

impl Groups<SymbolId> {
    /// Symbols that stand together in members of a conjunction.
    pub(crate) fn new(store: &TermStore, conjunction: TermId) -> Self {
        let mut groups = Groups::default();
        for part in store.conjuncts(conjunction) {
            groups.join(store.symbols_of(&[part]));
        }
        groups
    }

    /// The group of a term whose symbols are in one.
    pub(crate) fn of(&mut self, store: &TermStore, term: TermId) -> Option<SymbolId> {
        let first = store.symbols_of(&[term]).first().copied()?;
        Some(self.root(first))
    }
}

impl<T: Ord + Copy> Groups<T> {
    /// Joins the sets of some members.
    pub(crate) fn join(&mut self, members: impl IntoIterator<Item = T>) {
        let mut roots: Vec<T> = members.into_iter().map(|one| self.root(one)).collect();
        roots.dedup();
        if let Some(first) = roots.first().copied() {
            for root in roots.into_iter().filter(|&root| root != first) {
                self.above.insert(root, first);
            }
        }
    }

    /// The member that stands for the set of one.
    pub(crate) fn root(&mut self, member: T) -> T {
        let mut at = member;
        while let Some(&next) = self.above.get(&at) {
            // Ways become shorter as they are walked.
            if let Some(&over) = self.above.get(&next) {
                self.above.insert(at, over);
            }
            at = next;
        }
        at
    }
}
