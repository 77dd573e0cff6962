//! Decision heuristic: the atom most active in recent conflicts.
//!
//! A heap of atoms by activity. Assigned atoms may still be in it; they are skipped when they come
//! up, and reinserted when they are unassigned.
//!
//! # Paper
//! [een2003extensible], section 4.2: activities that grow instead of decaying.

use crate::literal::AtomId;
use base::{Id, IdVec};

/// Atoms by activity, the first of several that are equal first.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    heap: Vec<AtomId>,
    /// Where in the heap each atom is.
    places: IdVec<AtomId, Option<usize>>,
    activities: IdVec<AtomId, f64>,
    bump: f64,
}

/// How much more the next conflict counts.
const GROWTH: f64 = 1.05;

/// Where activities are brought down again.
const MOST: f64 = 1e100;

impl Default for Order {
    fn default() -> Self {
        Order {
            heap: Vec::new(),
            places: IdVec::default(),
            activities: IdVec::default(),
            bump: 1.0,
        }
    }
}

impl Order {
    /// A new atom.
    pub(crate) fn push(&mut self) {
        self.activities.push(0.0);
        let atom = self.places.push(None);
        self.insert(atom);
    }

    /// Puts an atom back.
    pub(crate) fn insert(&mut self, atom: AtomId) {
        if self.places[atom].is_some() {
            return;
        }
        self.places[atom] = Some(self.heap.len());
        self.heap.push(atom);
        self.rise(self.heap.len() - 1);
    }

    /// Takes the first atom out.
    pub(crate) fn pop(&mut self) -> Option<AtomId> {
        let last = self.heap.len().checked_sub(1)?;
        self.swap(0, last);
        let atom = self.heap.pop()?;
        self.places[atom] = None;
        self.sink(0);
        Some(atom)
    }

    /// Makes an atom more active.
    pub(crate) fn raise(&mut self, atom: AtomId) {
        self.activities[atom] += self.bump;
        if self.activities[atom] > MOST {
            self.bump /= MOST;
            self.activities.iter_mut().for_each(|it| *it /= MOST);
        }
        if let Some(place) = self.places[atom] {
            self.rise(place);
        }
    }

    /// Makes what is raised from now on count more.
    pub(crate) fn grow(&mut self) {
        self.bump *= GROWTH;
    }

    fn is_before(&self, a: usize, b: usize) -> bool {
        let key = |at: usize| (self.activities[self.heap[at]], self.heap[at].index());
        let ((first, one), (second, other)) = (key(a), key(b));
        first > second || (first == second && one < other)
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.heap.swap(a, b);
        self.places[self.heap[a]] = Some(a);
        self.places[self.heap[b]] = Some(b);
    }

    fn rise(&mut self, mut at: usize) {
        while at > 0 && self.is_before(at, (at - 1) / 2) {
            self.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    fn sink(&mut self, mut at: usize) {
        loop {
            let below = [2 * at + 1, 2 * at + 2].into_iter();
            let below = below.filter(|&child| child < self.heap.len());
            let first = below.reduce(|a, b| if self.is_before(b, a) { b } else { a });
            match first.filter(|&child| self.is_before(child, at)) {
                Some(child) => {
                    self.swap(at, child);
                    at = child;
                }
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_active_comes_first() {
        let mut order = Order::default();
        (0..50).for_each(|_| order.push());
        let atom = AtomId::from_index;
        for (at, times) in [(7, 3), (40, 5), (13, 3), (2, 1)] {
            (0..times).for_each(|_| order.raise(atom(at)));
        }
        order.grow();
        order.raise(atom(49));
        order.raise(atom(49));
        order.raise(atom(49));
        let first: Vec<usize> = (0..6).filter_map(|_| order.pop()).map(Id::index).collect();
        assert_eq!(first, [40, 49, 7, 13, 2, 0]);
        order.insert(atom(40));
        assert_eq!(order.pop(), Some(atom(40)));
        let rest = std::iter::from_fn(|| order.pop());
        assert_eq!(rest.count(), 44);
    }
}
