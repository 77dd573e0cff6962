//! The order in which the forward analysis visits locations.
//!
//! # Paper
//! A weak topological order and its recursive iteration strategy, [bourdoncle1993efficient].
//!
//! # Invariants
//! - Sources come before targets, except for edges to the head of an enclosing loop.

use base::{Id, IdVec};
use program::ir::*;
use program::pass::loops::{LoopId, LoopNest, reverse_postorder};

/// A part of the order.
#[derive(Debug)]
pub(super) enum Part {
    Location(LocationId),
    /// A loop: the rest of its body without its head.
    Loop(LoopId, Vec<Part>),
}

/// The reachable locations in order.
pub(super) fn order(procedure: &Procedure, nest: &LoopNest) -> Vec<Part> {
    let by_position = reverse_postorder(procedure);
    // Members of each loop itself; at the end those of none.
    let outermost = nest.loops.len();
    let mut members: Vec<Vec<LocationId>> = vec![Vec::new(); outermost + 1];
    for at in by_position {
        let around = match nest.head_of(at) {
            Some(own) => nest.loops[own].parent,
            None => nest.innermost[at],
        };
        members[around.map_or(outermost, |id| id.index())].push(at);
    }
    parts(nest, &members, outermost)
}

fn parts(nest: &LoopNest, members: &[Vec<LocationId>], of: usize) -> Vec<Part> {
    let part = |&at: &LocationId| match nest.head_of(at) {
        Some(own) => Part::Loop(own, parts(nest, members, own.index())),
        None => Part::Location(at),
    };
    members[of].iter().map(part).collect()
}

/// The edges into each location, those from inside the loop whose head it is apart.
pub(super) struct Incoming {
    pub(super) forward: IdVec<LocationId, Vec<EdgeId>>,
    pub(super) back: IdVec<LocationId, Vec<EdgeId>>,
}

impl Incoming {
    pub(super) fn new(procedure: &Procedure, nest: &LoopNest) -> Self {
        let len = procedure.locations.len();
        let mut result = Incoming {
            forward: IdVec::filled(Vec::new(), len),
            back: IdVec::filled(Vec::new(), len),
        };
        for (id, edge) in procedure.edges.iter_enumerated() {
            let is_back = nest
                .head_of(edge.target)
                .is_some_and(|own| nest.contains(own, edge.source));
            let rows = if is_back {
                &mut result.back
            } else {
                &mut result.forward
            };
            rows[edge.target].push(id);
        }
        result
    }
}
