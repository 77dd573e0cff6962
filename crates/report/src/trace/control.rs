//! Control dependence: where the branches from a location join again (postdominators).
//!
//! What happens before that depends on the branch. A path that does not reach the end of the
//! procedure (a failing assertion, `abort`) does not count if another one does: otherwise
//! everything after an assertion would depend on it.

use super::dominators::immediate_dominators;
use base::{Id, IdVec};
use program::ir::{LocationId, Procedure};

/// For each location its immediate post-dominator; none where the ways only meet at the end.
pub(super) fn joins(procedure: &Procedure) -> IdVec<LocationId, Option<LocationId>> {
    let incoming = procedure.incoming();
    let len = procedure.locations.len();
    let mut is_returning = IdVec::filled(false, len);
    is_returning[procedure.exit] = true;
    let mut open = vec![procedure.exit];
    while let Some(location) = open.pop() {
        for &edge in &incoming[location] {
            let source = procedure.edges[edge].source;
            if !std::mem::replace(&mut is_returning[source], true) {
                open.push(source);
            }
        }
    }
    let ends = procedure.locations.iter_enumerated();
    let ends = ends.filter(|(_, location)| location.out.is_empty());
    let ends = ends.map(|(id, _)| (len, id.index()));
    let counts =
        |source: LocationId, target: LocationId| is_returning[target] || !is_returning[source];
    let edges = procedure.edges.iter();
    let edges = edges.filter(|edge| counts(edge.source, edge.target));
    let backwards = edges.map(|edge| (edge.target.index(), edge.source.index()));
    let joins = immediate_dominators(len + 1, backwards.chain(ends), len);
    let location = |node: usize| (node < len).then(|| LocationId::from_index(node));
    let joins = joins.into_iter().take(len);
    joins.map(|join| join.and_then(location)).collect()
}
