//! The order in which the locations of a procedure are unwound: before a location come all those
//! from which it can be reached in the same iteration, so that paths join before they continue.
//!
//! Loops are nested components of the graph; a component is entered at its head. A location's
//! *place* is its path down the nest: the rank of each enclosing component among its siblings, and
//! its own rank in the innermost one. With an iteration count after each component it says when the
//! location comes up in the unwinding.
//!
//! # Paper
//! [bourdoncle1993efficient], the hierarchical order of section 3.
//!
//! # Invariants
//! - The order affects efficiency only: whatever it is, every path is followed.

use base::{Id, IdVec};
use program::ir::{LocationId, Procedure};
use program::pass::scc::components;

/// Where a location stands in the nest.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct NestPosition {
    /// The loops around it, outermost first: the rank among its neighbours, and the head.
    pub(super) loops: Vec<(u32, LocationId)>,
    /// Its rank in the innermost of them.
    pub(super) rank: u32,
}

/// The places of all locations of a procedure.
pub(super) fn places(procedure: &Procedure) -> IdVec<LocationId, NestPosition> {
    let mut nest = Nest {
        procedure,
        inside: vec![0; procedure.locations.len()],
        marks: 0,
        places: IdVec::filled(NestPosition::default(), procedure.locations.len()),
    };
    nest.arrange(0, 0, &mut Vec::new());
    nest.places
}

/// The mark of a location that has its place.
const DONE: u32 = u32::MAX;

struct Nest<'p> {
    procedure: &'p Procedure,
    /// The mark of each location; those of one mark are arranged together.
    inside: Vec<u32>,
    /// How many marks there are.
    marks: u32,
    places: IdVec<LocationId, NestPosition>,
}

impl Nest<'_> {
    /// Gives ranks from `first` on to the locations of the mark.
    fn arrange(&mut self, mark: u32, first: u32, around: &mut Vec<(u32, LocationId)>) {
        let mut found = components(
            self.procedure.locations.len(),
            |at| self.inside[at] == mark,
            |at| successors(self.procedure, at),
        );
        // Sources first.
        found.reverse();
        for (index, members) in found.into_iter().enumerate() {
            let rank = first + index as u32;
            let is_loop = members.len() > 1
                || successors(self.procedure, members[0]).any(|next| next == members[0]);
            if !is_loop {
                self.place(members[0], rank, around);
                continue;
            }
            let head = self.head(&members);
            around.push((rank, LocationId::from_index(head)));
            self.place(head, 0, around);
            self.marks += 1;
            let inner = self.marks;
            for &member in &members {
                self.inside[member] = if member == head { DONE } else { inner };
            }
            self.arrange(inner, 1, around);
            around.pop();
        }
    }

    fn place(&mut self, at: usize, rank: u32, around: &[(u32, LocationId)]) {
        self.places[LocationId::from_index(at)] = NestPosition {
            loops: around.to_vec(),
            rank,
        };
    }

    /// Where the component is entered: the first location with an edge from outside.
    fn head(&self, members: &[usize]) -> usize {
        let is_member = |at: usize| members.contains(&at);
        let is_entry = |at: usize| {
            at == self.procedure.entry.index()
                || (self.procedure.edges.iter())
                    .any(|edge| edge.target.index() == at && !is_member(edge.source.index()))
        };
        let entries = members.iter().copied().filter(|&at| is_entry(at));
        entries.min().unwrap_or(members[0])
    }
}

fn successors(procedure: &Procedure, at: usize) -> impl Iterator<Item = usize> {
    let out = &procedure.locations[LocationId::from_index(at)].out;
    out.iter().map(|&edge| procedure.edges[edge].target.index())
}
