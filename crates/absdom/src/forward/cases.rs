//! Case distinctions (trace partitioning): elements of one location kept apart by how runs got
//! there.
//!
//! A *token* says which edge was last taken at a location, and which of the cases that its op
//! distinguishes; a *key* is the tokens of a case. Branches before a loop keep its entries apart,
//! and branches in its body keep its phases apart: at the head a case is the path of the last
//! iteration. When a loop is left, the token also says whether it was iterated at all.
//!
//! # Paper
//! [rival2007trace], with tokens chosen by the shape of the automaton and bounded in number.
//!
//! # Invariants
//! - A token that was once dropped at a location, because there were too many cases, is dropped
//!   there for good: the number of cases only decreases.

use super::element::{Domain, Element};
use base::IdVec;
use program::ir::*;
use program::pass::loops::LoopNest;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// What was last decided at each of some locations.
pub(super) type Key = BTreeMap<LocationId, Token>;

/// A decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Token {
    edge: EdgeId,
    /// Which of the cases of the op.
    case: usize,
    /// For an edge out of a loop: whether the loop went on here before.
    is_later: bool,
}

/// The elements of a location.
pub(super) type Cases = BTreeMap<Key, Element>;

/// How edges change keys.
pub(super) struct Tokens<'a> {
    procedure: &'a Procedure,
    nest: &'a LoopNest,
    /// Edges that are remembered.
    is_remembered: IdVec<EdgeId, bool>,
    /// Branches out of a loop.
    is_exit: IdVec<LocationId, bool>,
    /// The tokens dropped at each location.
    dropped: IdVec<LocationId, BTreeSet<LocationId>>,
    /// How many cases a location has at most.
    pub(super) most: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(procedure: &'a Procedure, nest: &'a LoopNest, most: usize) -> Self {
        let ends = ends(procedure);
        let len = procedure.locations.len();
        let mut tokens = Tokens {
            procedure,
            nest,
            is_remembered: IdVec::filled(false, procedure.edges.len()),
            is_exit: IdVec::filled(false, len),
            dropped: IdVec::filled(BTreeSet::new(), len),
            most,
        };
        for (at, location) in procedure.locations.iter_enumerated() {
            let target = |&edge: &EdgeId| procedure.edges[edge].target;
            let goes_on = |edge: &EdgeId| !ends[target(edge)];
            if location.out.len() < 2 || !location.out.iter().all(goes_on) {
                continue;
            }
            let around = nest.innermost[at];
            let stays = |edge: &EdgeId| around.is_none_or(|id| nest.contains(id, target(edge)));
            for edge in &location.out {
                tokens.is_remembered[*edge] = true;
            }
            tokens.is_exit[at] = !location.out.iter().all(stays);
        }
        tokens
    }

    /// The key after an edge, in one of several cases of its op.
    pub(super) fn after(&self, key: &Key, edge: EdgeId, case: usize, cases: usize) -> Key {
        let row = &self.procedure.edges[edge];
        let (source, target) = (row.source, row.target);
        let mut key = key.clone();
        if self.is_remembered[edge] || cases > 1 {
            let around = self.nest.innermost[source];
            let leaves = around.is_some_and(|id| !self.nest.contains(id, target));
            let token = Token {
                edge,
                case,
                is_later: leaves && key.contains_key(&source),
            };
            key.insert(source, token);
        }
        // What was decided in a loop that is left, except for whether it was iterated, and in one
        // that is entered.
        let mut around = self.nest.innermost[source];
        while let Some(id) = around.filter(|&id| !self.nest.contains(id, target)) {
            key.retain(|&at, _| !self.nest.contains(id, at) || self.is_exit[at]);
            around = self.nest.loops[id].parent;
        }
        let mut around = self.nest.innermost[target];
        while let Some(id) = around.filter(|&id| !self.nest.contains(id, source)) {
            key.retain(|&at, _| !self.nest.contains(id, at));
            around = self.nest.loops[id].parent;
        }
        key.retain(|at, _| !self.dropped[target].contains(at));
        key
    }

    /// Fewer cases at a location, if there are too many.
    pub(super) fn limit(&mut self, domain: &Domain, at: LocationId, mut cases: Cases) -> Cases {
        while cases.len() > self.most {
            let keys = cases.keys().flat_map(|key| key.keys().copied());
            // First what was decided furthest in, choices before rounds: what was decided before a
            // loop holds in all of it.
            let depth =
                |at: LocationId| self.nest.innermost[at].map_or(0, |id| self.nest.loops[id].depth);
            let Some(token) =
                keys.min_by_key(|&token| (self.is_exit[token], Reverse(depth(token)), token))
            else {
                break;
            };
            self.dropped[at].insert(token);
            cases = self.rekeyed(domain, at, cases);
        }
        cases
    }

    /// The cases without the tokens that are dropped at a location.
    pub(super) fn rekeyed(&self, domain: &Domain, at: LocationId, cases: Cases) -> Cases {
        let mut result = Cases::new();
        for (mut key, element) in cases {
            key.retain(|token, _| !self.dropped[at].contains(token));
            add(domain, &mut result, key, element);
        }
        result
    }
}

/// Adds a case, or joins it to the one with its key.
pub(super) fn add(domain: &Domain, cases: &mut Cases, key: Key, element: Element) {
    match cases.get_mut(&key) {
        Some(old) => *old = old.join(domain, &element),
        None => {
            cases.insert(key, element);
        }
    }
}

/// Whether every state of some cases is in the same case of others.
pub(super) fn is_subset(domain: &Domain, cases: &Cases, of: &Cases) -> bool {
    let is_in = |(key, element): (&Key, &Element)| {
        of.get(key)
            .is_some_and(|other| element.is_subset(domain, other))
    };
    cases.iter().all(is_in)
}

/// Whether nothing is decided any more from a location on: one edge after the other leads to where
/// none is left.
fn ends(procedure: &Procedure) -> IdVec<LocationId, bool> {
    let ends_from = |start: LocationId| {
        let mut at = start;
        for _ in 0..procedure.locations.len() {
            match procedure.locations[at].out[..] {
                [] => return true,
                [edge] => at = procedure.edges[edge].target,
                _ => return false,
            }
        }
        false
    };
    procedure.locations.ids().map(ends_from).collect()
}
