//! The loop nest of a procedure.
//!
//! A loop is a strongly connected set of locations. Its head is where it is entered; without the
//! head its body falls into smaller components, the inner loops. A loop with several entries is
//! *irreducible*; the entry that comes first in reverse postorder is its head, and the nest below
//! is found in the same way, so that every cycle still passes through some head.
//!
//! # Paper
//! The recursive decomposition of [bourdoncle1993efficient], section 4; loops with several entries
//! as in [havlak1997nesting].
//!
//! # Invariants
//! - Every cycle of edges passes through the head of a loop.
//! - Two loops are disjoint or one is inside the other; `parent` is the smallest enclosing loop.

use super::scc;
use crate::ir::*;
use base::{Id, IdVec, define_id};

define_id! {
    /// A loop of a procedure.
    LoopId = "loop";
}

/// A loop.
#[derive(Clone, PartialEq, Debug)]
pub struct Loop {
    /// Where it is entered.
    pub head: LocationId,
    /// Its locations with those of the loops inside, in order.
    pub body: Vec<LocationId>,
    /// The edges from the body to the head.
    pub back_edges: Vec<EdgeId>,
    /// The loop around it.
    pub parent: Option<LoopId>,
    /// 1 for a loop that is in no other.
    pub depth: u32,
    /// Whether it is also entered elsewhere than at its head.
    pub irreducible: bool,
}

/// All loops of a procedure.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopNest {
    /// The loops, outer ones before those inside.
    pub loops: IdVec<LoopId, Loop>,
    /// The smallest loop around each location.
    pub innermost: IdVec<LocationId, Option<LoopId>>,
}

impl LoopNest {
    /// The loops among the locations reachable from the entry.
    pub fn new(procedure: &Procedure) -> Self {
        let len = procedure.locations.len();
        let mut nest = LoopNest {
            loops: IdVec::new(),
            innermost: IdVec::filled(None, len),
        };
        let incoming = procedure.incoming();
        let order = reverse_postorder(procedure);
        let position = positions(procedure, &order);
        let reachable = |edge: EdgeId| position[procedure.edges[edge].source] != usize::MAX;
        // The region a location belongs to: those with the same number are looked at together.
        let mut region: IdVec<LocationId, usize> = IdVec::filled(usize::MAX, len);
        let mut regions = 1;
        order.iter().for_each(|&location| region[location] = 0);
        let mut open: Vec<(usize, Vec<LocationId>, Option<LoopId>)> = vec![(0, order, None)];
        while let Some((number, members, parent)) = open.pop() {
            for component in components(procedure, &members, |at| region[at] == number) {
                let inside = regions;
                regions += 1;
                component.iter().for_each(|&at| region[at] = inside);
                let loops_itself = procedure
                    .successors(component[0])
                    .any(|at| at == component[0]);
                if component.len() == 1 && !loops_itself {
                    continue;
                }
                let is_entry = |at: &LocationId| {
                    let enters = |&edge: &EdgeId| {
                        reachable(edge) && region[procedure.edges[edge].source] != inside
                    };
                    *at == procedure.entry || incoming[*at].iter().any(enters)
                };
                let entries: Vec<LocationId> = component.iter().copied().filter(is_entry).collect();
                let head = entries.iter().copied().min_by_key(|&at| position[at]);
                let head = head.expect("a reachable component should have an entry");
                let from_body = |&edge: &EdgeId| region[procedure.edges[edge].source] == inside;
                let id = nest.loops.push(Loop {
                    head,
                    body: component.clone(),
                    back_edges: incoming[head].iter().copied().filter(from_body).collect(),
                    parent,
                    depth: 1 + parent.map_or(0, |parent| nest.loops[parent].depth),
                    irreducible: entries.len() > 1,
                });
                component
                    .iter()
                    .for_each(|&at| nest.innermost[at] = Some(id));
                region[head] = usize::MAX;
                open.push((inside, component, Some(id)));
            }
        }
        nest
    }

    /// Whether a location is the head of a loop.
    pub fn is_head(&self, location: LocationId) -> bool {
        self.head_of(location).is_some()
    }

    /// The loop whose head a location is.
    pub fn head_of(&self, location: LocationId) -> Option<LoopId> {
        self.innermost[location].filter(|&id| self.loops[id].head == location)
    }

    /// Whether a location is in a loop, perhaps in one inside it.
    pub fn contains(&self, id: LoopId, location: LocationId) -> bool {
        let mut around = self.innermost[location];
        while let Some(at) = around {
            if at == id {
                return true;
            }
            around = self.loops[at].parent;
        }
        false
    }
}

/// The reachable locations, each (except for back edges) before its successors.
pub fn reverse_postorder(procedure: &Procedure) -> Vec<LocationId> {
    let successor = |node: usize, place: usize| {
        let out = &procedure.locations[LocationId::from_index(node)].out;
        out.get(place)
            .map(|&edge| procedure.edges[edge].target.index())
    };
    let entry = procedure.entry.index();
    let order = reverse_postorder_of(procedure.locations.len(), entry, &successor);
    order.into_iter().map(LocationId::from_index).collect()
}

/// The places of locations in such an order; the greatest for those that are not in it.
pub fn positions(procedure: &Procedure, order: &[LocationId]) -> IdVec<LocationId, usize> {
    let mut positions = IdVec::filled(usize::MAX, procedure.locations.len());
    for (index, &at) in order.iter().enumerate() {
        positions[at] = index;
    }
    positions
}

/// The same for any graph over `0..len`, given the successors of a node by their places.
pub fn reverse_postorder_of(
    len: usize,
    source: usize,
    successor: &dyn Fn(usize, usize) -> Option<usize>,
) -> Vec<usize> {
    let mut seen = vec![false; len];
    seen[source] = true;
    let mut order = Vec::new();
    let mut open = vec![(source, 0)];
    while let Some((node, next)) = open.last_mut() {
        match successor(*node, *next) {
            Some(to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    open.push((to, 0));
                }
            }
            None => {
                order.push(*node);
                open.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The components among some locations, each in the order of its ids, top-down.
fn components(
    procedure: &Procedure,
    members: &[LocationId],
    inside: impl Fn(LocationId) -> bool,
) -> Vec<Vec<LocationId>> {
    // Numbered densely, so that a small region costs little.
    let mut members: Vec<LocationId> = members.iter().copied().filter(|&at| inside(at)).collect();
    members.sort_unstable();
    let number = |at: LocationId| members.binary_search(&at).ok();
    let found = scc::components(
        members.len(),
        |_| true,
        |node| procedure.successors(members[node]).filter_map(number),
    );
    let named = found.into_iter().rev().map(|mut nodes| {
        nodes.sort_unstable();
        nodes.into_iter().map(|node| members[node]).collect()
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Rng;
    use base::Span;

    fn describe(found: &Loop) -> String {
        let kind = match found.irreducible {
            true => ", irreducible",
            false => "",
        };
        let (head, count, depth) = (found.head, found.body.len(), found.depth);
        format!("head {head}, {count} locations, depth {depth}{kind}")
    }

    /// A procedure with these edges; location 0 is the entry, 1 the exit.
    fn graph(edges: &[(usize, usize)]) -> Procedure {
        let mut procedure = Procedure::new("f", None, Span::NONE);
        for &(from, to) in edges {
            while procedure.locations.len() <= from.max(to) {
                procedure.add_location(Span::NONE);
            }
            let at = LocationId::from_index;
            procedure.add_edge(at(from), at(to), Op::Skip, Span::NONE);
        }
        procedure
    }

    fn shown(edges: &[(usize, usize)]) -> Vec<String> {
        let nest = LoopNest::new(&graph(edges));
        nest.loops.iter().map(describe).collect()
    }

    #[test]
    fn nests_of_known_graphs() {
        assert_eq!(shown(&[(0, 2), (2, 1)]), [""; 0]);
        assert_eq!(
            shown(&[(0, 2), (2, 2), (2, 1)]),
            ["head l2, 1 locations, depth 1"]
        );
        let nested = [(0, 2), (2, 3), (3, 4), (4, 3), (4, 2), (2, 1)];
        assert_eq!(
            shown(&nested),
            [
                "head l2, 3 locations, depth 1",
                "head l3, 2 locations, depth 2"
            ]
        );
        let two_entries = [(0, 2), (0, 3), (2, 3), (3, 2), (3, 1)];
        assert_eq!(
            shown(&two_entries),
            ["head l2, 2 locations, depth 1, irreducible"]
        );
        let one_head_twice = [(0, 2), (2, 3), (3, 2), (2, 4), (4, 2), (4, 1)];
        assert_eq!(shown(&one_head_twice), ["head l2, 3 locations, depth 1"]);
        let loop_at_entry = [(0, 2), (2, 0), (2, 1)];
        assert_eq!(shown(&loop_at_entry), ["head l0, 2 locations, depth 1"]);
    }

    #[test]
    fn random_graphs_keep_the_invariants() {
        let mut rng = Rng::new(3);
        for _ in 0..500 {
            let size = 2 + rng.below(12);
            let edge = |rng: &mut Rng| (rng.below(size), rng.below(size));
            let edges: Vec<_> = (0..size * 2).map(|_| edge(&mut rng)).collect();
            let procedure = graph(&edges);
            let nest = LoopNest::new(&procedure);
            let reachable = procedure.reachable();
            // Without the heads no cycle is left.
            let keeps = |node: usize| {
                let at = LocationId::from_index(node);
                reachable[at] && !nest.is_head(at)
            };
            let len = procedure.locations.len();
            let next = |node| {
                let targets = procedure.successors(LocationId::from_index(node));
                targets.map(|at| at.index()).collect::<Vec<_>>().into_iter()
            };
            for component in scc::components(len, keeps, next) {
                assert!(component.len() == 1 && !next(component[0]).any(|at| at == component[0]));
            }
            for (id, row) in nest.loops.iter_enumerated() {
                assert!(row.body.iter().all(|&at| nest.contains(id, at)));
                assert!(!row.back_edges.is_empty());
                if let Some(parent) = row.parent {
                    assert!(parent < id && nest.loops[parent].depth + 1 == row.depth);
                    assert!(row.body.iter().all(|&at| nest.contains(parent, at)));
                    assert!(!row.body.contains(&nest.loops[parent].head));
                }
            }
            let heads = procedure.locations.ids().filter(|&at| nest.is_head(at));
            assert_eq!(heads.count(), nest.loops.len());
        }
    }
}
