//! What became of a store's terms since some epoch, for caches keyed by terms.
//!
//! Releasing terms lets new terms reuse their ids. A caller that keeps a table by
//! [`TermId`](crate::TermId) records an [`Epoch`] with it and asks later how much of the table is
//! still valid.

use std::sync::atomic::{AtomicU64, Ordering};

/// A point in the life of one store.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Epoch {
    store: u64,
    releases: u64,
}

/// How many releases are told apart.
const MEMORY: usize = 64;

/// The releases of a store.
#[derive(Debug)]
pub(crate) struct Lineage {
    now: Epoch,
    /// Releases with the number of terms they left, both rising: what a later one undercuts is out.
    floors: Vec<(u64, usize)>,
}

/// Zero is no store's, so that the default epoch is one of no store.
static STORES: AtomicU64 = AtomicU64::new(1);

impl Default for Lineage {
    fn default() -> Self {
        let store = STORES.fetch_add(1, Ordering::Relaxed);
        Lineage {
            now: Epoch { store, releases: 0 },
            floors: Vec::new(),
        }
    }
}

/// A copy goes its own way: it is another store.
impl Clone for Lineage {
    fn clone(&self) -> Self {
        Lineage::default()
    }
}

impl Lineage {
    /// The present.
    pub(crate) fn now(&self) -> Epoch {
        self.now
    }

    /// Notes that only `terms` terms were left.
    pub(crate) fn released(&mut self, terms: usize) {
        self.now.releases += 1;
        while self.floors.last().is_some_and(|(_, left)| *left >= terms) {
            self.floors.pop();
        }
        self.floors.push((self.now.releases, terms));
        if self.floors.len() > MEMORY {
            // The older one stands for both.
            let (later, _) = self.floors.remove(1);
            self.floors[0].0 = later;
        }
    }

    /// The least number of terms since a epoch; `None` if none were released.
    pub(crate) fn floor(&self, since: Epoch) -> Option<usize> {
        if since.store != self.now.store {
            return Some(0);
        }
        let later = self.floors.iter();
        later
            .filter(|(release, _)| *release > since.releases)
            .map(|(_, left)| *left)
            .next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_is_left_of_a_moment() {
        let mut lineage = Lineage::default();
        let first = lineage.now();
        assert_eq!(lineage.floor(first), None);
        lineage.released(10);
        let second = lineage.now();
        lineage.released(20);
        assert_eq!(lineage.floor(first), Some(10));
        assert_eq!(lineage.floor(second), Some(20));
        lineage.released(5);
        assert_eq!(lineage.floor(second), Some(5));
        assert_eq!(lineage.floor(lineage.now()), None);
        assert_eq!(lineage.clone().floor(first), Some(0));
        assert_eq!(lineage.floor(Epoch::default()), Some(0));
    }

    #[test]
    fn long_memories_are_too_careful_but_never_wrong() {
        let mut lineage = Lineage::default();
        let mut epochs = Vec::new();
        for terms in 0..500 {
            epochs.push(lineage.now());
            lineage.released(terms);
        }
        for (terms, epoch) in epochs.into_iter().enumerate() {
            let floor = lineage.floor(epoch).expect("there was a release");
            assert!(floor <= terms);
            assert!(terms <= 500 - MEMORY || floor == terms);
        }
    }
}
