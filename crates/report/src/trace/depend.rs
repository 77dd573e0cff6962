//! The dependences of a run.
//!
//! A *cause* is something that happened: a value was written, a branch was taken, a procedure was
//! called. It depends on the causes of what was read, and on the branch or call without which it
//! would not have happened.
//!
//! # Paper
//! The dynamic dependence graph of [agrawal1990dynamic]: what the failure depends on is what can be
//! reached from it.
//!
//! # Invariants
//! - A cause depends only on earlier ones.

use base::{Id, define_id};
use rustc_hash::FxHashMap;
use std::ops::Range;

define_id! {
    /// Something that happened in a run.
    CauseId = "c";
}

/// Causes that are kept at most; a run with more is not sliced.
const CAUSES: usize = 4 << 20;
/// The same for what causes need, all together.
const NEEDS: usize = 20 << 20;
/// Bytes that may change at once.
const CHANGED: u64 = 1 << 20;

/// All causes of a run.
pub(super) struct Graph {
    /// Where the needs of each cause start.
    starts: Vec<u32>,
    /// The first of a cause's needs is the branch or call it hangs on.
    needs: Vec<CauseId>,
    is_full: bool,
}

impl Graph {
    /// Only what was there before the run: the cause [`Graph::start`].
    pub(super) fn new() -> Self {
        Graph {
            starts: vec![0],
            needs: Vec::new(),
            is_full: false,
        }
    }

    /// What was there before the run.
    pub(super) fn start() -> CauseId {
        CauseId::from_index(0)
    }

    /// How many causes there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// From now on something is missing.
    pub(super) fn give_up(&mut self) {
        self.is_full = true;
        self.needs = Vec::new();
    }

    /// Adds a cause.
    pub(super) fn add(&mut self, hangs_on: CauseId, needs: &[&[CauseId]]) -> CauseId {
        if !self.is_full && (self.starts.len() >= CAUSES || self.needs.len() >= NEEDS) {
            self.give_up();
        }
        if self.is_full {
            return Graph::start();
        }
        let id = CauseId::from_index(self.starts.len());
        let first = self.needs.len();
        self.starts.push(first as u32);
        self.needs.push(hangs_on);
        for &need in needs.iter().copied().flatten() {
            if need != Graph::start() && !self.needs[first..].contains(&need) {
                self.needs.push(need);
            }
        }
        id
    }

    fn needs(&self, id: CauseId) -> &[CauseId] {
        if id == Graph::start() {
            return &[];
        }
        let from = self.starts[id.index()] as usize;
        let to = self.starts.get(id.index() + 1);
        &self.needs[from..to.map_or(self.needs.len(), |&to| to as usize)]
    }

    /// Everything that some causes depend on, by index; nothing is known if something is missing.
    pub(super) fn needed(&self, by: &[CauseId]) -> Option<Vec<bool>> {
        if self.is_full {
            return None;
        }
        let mut needed = vec![false; self.len()];
        let mut open = by.to_vec();
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut needed[id.index()], true) {
                open.extend(self.needs(id).iter().filter(|need| !needed[need.index()]));
            }
        }
        Some(needed)
    }
}

/// Who changed each byte last.
#[derive(Default)]
pub(super) struct Bytes {
    /// By the address of eight bytes, divided by eight.
    words: FxHashMap<u64, [CauseId; 8]>,
}

impl Bytes {
    /// Adds the causes of some bytes.
    pub(super) fn read(&self, bytes: &Range<u64>, causes: &mut Vec<CauseId>) {
        let end = bytes.end.min(bytes.start.saturating_add(CHANGED));
        let mut at = bytes.start;
        while at < end {
            let Some(word) = self.words.get(&(at / 8)) else {
                at = (at / 8 + 1).saturating_mul(8);
                continue;
            };
            let cause = word[(at % 8) as usize];
            if cause != Graph::start() && causes.last() != Some(&cause) {
                causes.push(cause);
            }
            at += 1;
        }
    }

    /// Some bytes were changed; says whether that could be noted.
    pub(super) fn change(&mut self, bytes: &Range<u64>, cause: CauseId) -> bool {
        if bytes.end.saturating_sub(bytes.start) > CHANGED {
            return false;
        }
        for at in bytes.clone() {
            let word = self.words.entry(at / 8).or_insert([Graph::start(); 8]);
            word[(at % 8) as usize] = cause;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_is_reached_backwards() {
        let mut graph = Graph::new();
        let a = graph.add(Graph::start(), &[]);
        let b = graph.add(Graph::start(), &[]);
        let branch = graph.add(Graph::start(), &[&[b]]);
        let c = graph.add(branch, &[&[a, a], &[Graph::start()]]);
        let unused = graph.add(c, &[&[a]]);
        let needed = graph.needed(&[c]).expect("a small graph is kept");
        let of = |id: CauseId| needed[id.index()];
        assert!(of(a) && of(b) && of(branch) && of(c) && !of(unused));
        graph.give_up();
        assert_eq!(graph.needed(&[c]), None);
    }

    #[test]
    fn bytes_know_who_changed_them() {
        let (mut bytes, mut graph) = (Bytes::default(), Graph::new());
        let a = graph.add(Graph::start(), &[]);
        let b = graph.add(Graph::start(), &[]);
        assert!(bytes.change(&(6..10), a) && bytes.change(&(8..9), b));
        let mut causes = Vec::new();
        bytes.read(&(0..100), &mut causes);
        assert_eq!(causes, [a, b, a]);
        assert!(!bytes.change(&(0..u64::MAX), a));
        bytes.read(&(u64::MAX - 3..u64::MAX), &mut causes);
        assert_eq!(causes.len(), 3);
    }
}
