//! Clean-up after lowering: empty steps are contracted, unreachable code is removed.
//!
//! # Invariants
//! - Two source loops have two heads, and a head represents its whole loop: its span starts at the
//!   keyword.

use base::IdVec;
use program::ir::{Location, LocationId, Op, Procedure};

/// Contracts `Skip` edges and drops what the entry does not reach.
pub(super) fn tidy(procedure: &mut Procedure, heads: &[LocationId]) {
    let mut is_head = IdVec::filled(false, procedure.locations.len());
    for &head in heads {
        is_head[head] = true;
    }
    let forward = forwards(procedure, &mut is_head);
    for &head in heads {
        let span = procedure.locations[head].span;
        let target = &mut procedure.locations[forward[head]];
        if target.error.is_none() {
            target.span = span;
        }
    }
    for edge in procedure.edges.ids() {
        let target = forward[procedure.edges[edge].target];
        procedure.redirect(edge, target);
    }
    for row in &mut procedure.loops {
        row.head = forward[row.head];
    }
    let entry = forward[procedure.entry];
    if procedure.locations[entry].error.is_none() {
        procedure.entry = entry;
    }
    drop_unreachable(procedure);
}

/// Drops what cannot be reached, by moving the rest: an automaton is mostly its expressions.
fn drop_unreachable(procedure: &mut Procedure) {
    let mut keep = procedure.reachable();
    keep[procedure.exit] = true;
    let mut moved: IdVec<LocationId, Option<LocationId>> = IdVec::new();
    let mut locations: IdVec<LocationId, Location> = IdVec::new();
    let old = std::mem::take(&mut procedure.locations);
    for (mut row, keep) in old.into_iter().zip(keep) {
        row.out.clear();
        moved.push(keep.then(|| locations.push(row)));
    }
    let mut edges = IdVec::new();
    for mut edge in std::mem::take(&mut procedure.edges) {
        if let (Some(source), Some(target)) = (moved[edge.source], moved[edge.target]) {
            (edge.source, edge.target) = (source, target);
            // A location's edges keep their order: they were made in it.
            locations[source].out.push(edges.push(edge));
        }
    }
    procedure.move_loops(&moved);
    let kept = |id: LocationId| moved[id].expect("entry and exit should be kept");
    (procedure.entry, procedure.exit) = (kept(procedure.entry), kept(procedure.exit));
    (procedure.locations, procedure.edges) = (locations, edges);
}

/// Where each location leads without doing anything. What a head leads to becomes a head, and no
/// head leads to another.
fn forwards(
    procedure: &Procedure,
    is_head: &mut IdVec<LocationId, bool>,
) -> IdVec<LocationId, LocationId> {
    let mut forward: IdVec<LocationId, Option<LocationId>> =
        IdVec::filled(None, procedure.locations.len());
    let mut chain = Vec::new();
    for start in procedure.locations.ids() {
        let mut at = start;
        let mut end = loop {
            if let Some(known) = forward[at] {
                break known;
            }
            // A loop of empty steps ends at itself; its own edge stays.
            forward[at] = Some(at);
            match skip_target(procedure, at) {
                Some(next) => {
                    chain.push(at);
                    at = next;
                }
                None => break at,
            }
        };
        for location in chain.drain(..).rev() {
            if is_head[location] && is_head[end] {
                end = location;
            }
            forward[location] = Some(end);
            is_head[end] |= is_head[location];
        }
    }
    let resolve = |at: LocationId| forward[at].expect("every location should be resolved");
    procedure.locations.ids().map(resolve).collect()
}

fn skip_target(procedure: &Procedure, at: LocationId) -> Option<LocationId> {
    match procedure.locations[at].out.as_slice() {
        &[edge] if procedure.edges[edge].op == Op::Skip => Some(procedure.edges[edge].target),
        _ => None,
    }
}
