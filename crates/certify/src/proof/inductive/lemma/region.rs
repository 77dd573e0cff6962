//! The paths of one iteration: a loop's locations in topological order.

use base::IdVec;
use program::ir::{EdgeId, LocationId, Procedure};
use std::collections::BTreeSet;

/// One iteration of a loop, from its head to its head.
pub(super) struct Region<'p> {
    procedure: &'p Procedure,
    head: LocationId,
    /// The locations, each after those that lead to it.
    pub(super) order: Vec<LocationId>,
    out: IdVec<LocationId, Vec<EdgeId>>,
    /// The edges that close a loop inside.
    again: BTreeSet<EdgeId>,
}

/// Where an edge of an iteration leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// On in the iteration.
    On,
    /// To the head: the iteration is complete.
    Home,
    /// Back to where the iteration has been, which is not the head.
    Again,
    /// Out of the loop.
    Out,
}

impl<'p> Region<'p> {
    /// The iteration of a loop with these locations; what is not among them is out of it.
    pub(super) fn new(
        procedure: &'p Procedure,
        head: LocationId,
        inside: &dyn Fn(LocationId) -> bool,
    ) -> Self {
        // Not through `out` of the locations: a list that forgets an edge must not make a lemma.
        let out = procedure.outgoing();
        let mut region = Region {
            procedure,
            head,
            order: Vec::new(),
            out,
            again: BTreeSet::new(),
        };
        region.visit(inside);
        region
    }

    /// The edges that leave a location.
    pub(super) fn out(&self, location: LocationId) -> &[EdgeId] {
        &self.out[location]
    }

    /// Where an edge from the region leads.
    pub(super) fn way(&self, edge: EdgeId) -> Way {
        let target = self.procedure.edges[edge].target;
        if target == self.head {
            Way::Home
        } else if self.again.contains(&edge) {
            Way::Again
        } else if self.order.contains(&target) {
            Way::On
        } else {
            Way::Out
        }
    }

    /// Visits depth-first; an edge to a location of the current path closes a loop.
    fn visit(&mut self, inside: &dyn Fn(LocationId) -> bool) {
        let mut seen = BTreeSet::from([self.head]);
        let mut path = vec![(self.head, self.out[self.head].clone())];
        while let Some((at, edges)) = path.last_mut() {
            let Some(edge) = edges.pop() else {
                self.order.push(*at);
                path.pop();
                continue;
            };
            let target = self.procedure.edges[edge].target;
            if path.iter().any(|&(at, _)| at == target) {
                self.again.insert(edge);
            } else if inside(target) && seen.insert(target) {
                path.push((target, self.out[target].clone()));
            }
        }
        self.order.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Id, Span};
    use program::ir::Op;

    fn at(index: usize) -> LocationId {
        LocationId::from_index(index)
    }

    /// The order of an iteration from l2, and the ways of its edges.
    fn shown(edges: &[(usize, usize)], inside: &[usize]) -> (Vec<LocationId>, Vec<Way>) {
        let mut procedure = Procedure::new("f", None, Span::NONE);
        for &(from, to) in edges {
            while procedure.locations.len() <= from.max(to) {
                procedure.add_location(Span::NONE);
            }
            procedure.add_edge(at(from), at(to), Op::Skip, Span::NONE);
        }
        // A list of edges that leaves some out hides none of them.
        procedure.locations[at(2)].out.clear();
        let region = Region::new(&procedure, at(2), &|at| inside.contains(&at.index()));
        let ids = procedure.edges.ids();
        let of_iteration = ids.filter(|&id| region.order.contains(&procedure.edges[id].source));
        let ways = of_iteration.map(|id| region.way(id)).collect();
        (region.order, ways)
    }

    #[test]
    fn edges_lead_on_home_again_or_out() {
        use Way::{Again, Home, On, Out};
        let simple = shown(&[(0, 2), (2, 3), (3, 2), (2, 1)], &[2, 3]);
        assert_eq!(simple, (vec![at(2), at(3)], vec![On, Home, Out]));
        let itself = shown(&[(0, 2), (2, 2), (2, 1)], &[2]);
        assert_eq!(itself, (vec![at(2)], vec![Home, Out]));
        let nested = shown(
            &[(2, 3), (3, 4), (4, 3), (3, 5), (5, 2), (4, 1)],
            &[2, 3, 4, 5],
        );
        assert_eq!(nested.1, [On, On, Again, On, Home, Out]);
        assert_eq!(nested.0[..2], [at(2), at(3)]);
        // Both ways of a branch come before the place where they meet.
        let diamond = shown(&[(2, 3), (2, 4), (3, 5), (4, 5), (5, 2)], &[2, 3, 4, 5]);
        assert_eq!(diamond.0.last(), Some(&at(5)));
        assert_eq!(diamond.1, [On, On, On, On, Home]);
    }
}
