//! What is kept of many parts of a path: of the iterations of a loop, of the segments of a
//! recursion.

use std::hash::{Hash, Hasher};

/// Parts that are kept besides the last.
const PARTS: usize = 12;

/// The first part, the last one, and those that differ from the part before, each with that part.
#[derive(Default)]
pub(super) struct Kept<T> {
    kept: Vec<T>,
    last: Option<T>,
    /// The ways of all parts, without repetitions.
    pub(super) ways: u64,
}

impl<T> Kept<T> {
    /// Adds a part that went a way; `before` is the way of the part that it is compared with.
    pub(super) fn add(&mut self, part: T, way: u64, before: Option<u64>) {
        let is_other_way = before != Some(way);
        if is_other_way {
            self.ways = mix(self.ways, &way);
        }
        let last = self.last.take();
        if is_other_way && self.kept.len() < PARTS {
            self.kept.extend(last);
            self.kept.push(part);
        } else {
            self.last = Some(part);
        }
    }

    /// What is kept, in order.
    pub(super) fn finish(mut self) -> Vec<T> {
        self.kept.extend(self.last);
        self.kept
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.kept.iter().chain(&self.last)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.kept.iter_mut().chain(&mut self.last)
    }
}

/// A way, one mark further.
pub(super) fn mix(so_far: u64, mark: &impl Hash) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    (so_far, 1u8).hash(&mut hasher);
    mark.hash(&mut hasher);
    hasher.finish()
}
