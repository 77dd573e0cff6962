//! Named counters of what an engine did: refinements, covers, predicates and the like.
//!
//! Names are lower-case words joined by `_`, as in JSON.
//!
//! # Invariants
//! - They observe: no engine decides by them.
//! - Clones share them. Several engines that decide one task add to the same counters.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A count for each name that was counted.
#[derive(Clone, Default, Debug)]
pub struct Counters(Arc<Mutex<BTreeMap<&'static str, u64>>>);

impl Counters {
    /// Adds to a count; a name that is counted the first time is there from then on, even at zero.
    pub fn add(&self, name: &'static str, more: u64) {
        *self.counts().entry(name).or_insert(0) += more;
    }

    /// Makes a count at least so much, for the most of something.
    pub fn raise(&self, name: &'static str, most: u64) {
        let mut counts = self.counts();
        let count = counts.entry(name).or_insert(0);
        *count = most.max(*count);
    }

    /// The counts, by name.
    pub fn all(&self) -> BTreeMap<&'static str, u64> {
        self.counts().clone()
    }

    fn counts(&self) -> MutexGuard<'_, BTreeMap<&'static str, u64>> {
        // A count that a panic cut short is still a count.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_count_together() {
        let counters = Counters::default();
        let same = counters.clone();
        counters.add("covers", 2);
        same.add("covers", 3);
        same.add("refinements", 0);
        counters.raise("depth", 7);
        same.raise("depth", 4);
        let expected = [("covers", 5), ("depth", 7), ("refinements", 0)];
        assert_eq!(counters.all(), expected.into());
    }
}
