//! Convergence by heights: a vertex for each relation and height of its derivations.
//!
//! What is known of the facts up to a height is tried for the next one; once nothing is lost from
//! one height to the next, its labels are a model.
//!
//! # Paper
//! The unwinding of [mcmillan2014lazy], section 2, on hyperedges. Labels of one height hold for
//! all lower ones, and are carried upwards, as frames of property-directed reachability are.
//!
//! # Invariants
//! - The label of a height implies that of the next.

use super::cover::{Ending, model};
use super::search::Search;
use super::unwinding::{Edge, VertexId};
use base::{Budget, Event, IdVec};
use certify::Reason;
use horn::{ClauseId, Derivation, RelationId};

/// The vertices of a height.
type Height = IdVec<RelationId, VertexId>;

/// Unwinds to growing height until nothing is lost from one to the next, or false is derived.
pub(super) fn by_heights(search: &mut Search, budget: &Budget) -> Result<Ending, Reason> {
    let mut heights: Vec<Height> = Vec::new();
    loop {
        budget.check().map_err(|limit| {
            let height = heights.len();
            Reason::new(limit.into(), format!("at height {height}"))
        })?;
        let next = raise(search, heights.last());
        heights.push(next);
        budget
            .counters()
            .raise("duality height", heights.len() as u64);
        budget.report(Event::Progress {
            what: "height",
            done: heights.len() as u64,
        });
        carry(search, &heights, budget);
        if let Some(derivation) = queries(search, heights.last(), budget)? {
            return Ok(Ending::Derivation(derivation));
        }
        if let Some(fixed) = carry(search, &heights, budget) {
            let vertices: Vec<Vec<VertexId>> = fixed.iter().map(|&vertex| vec![vertex]).collect();
            return Ok(Ending::Model(model(search, &vertices)));
        }
    }
}

/// Adds the vertices of the next height.
fn raise(search: &mut Search, last: Option<&Height>) -> Height {
    let mut height = IdVec::new();
    for relation in search.system.relations.ids() {
        let mut edges = Vec::new();
        for clause in search.system.clauses_of(relation) {
            let body = search.system.clauses[clause].body.iter();
            let below: Option<Vec<VertexId>> = body
                .map(|atom| last.map(|last| last[atom.relation]))
                .collect();
            edges.extend(below.map(|below| Edge { clause, below }));
        }
        let is_empty = edges.is_empty();
        let vertex = search.unwinding.add(relation, edges);
        if is_empty {
            let nothing = search.store.bool(false);
            search.strengthen(vertex, nothing);
        }
        height.push(vertex);
    }
    height
}

/// Contradicts the queries at a height.
fn queries(
    search: &mut Search,
    height: Option<&Height>,
    budget: &Budget,
) -> Result<Option<Derivation>, Reason> {
    let Some(height) = height else {
        return Ok(None);
    };
    let queries: Vec<ClauseId> = search.system.queries().collect();
    for query in queries {
        let body = search.system.clauses[query].body.iter();
        let below: Vec<VertexId> = body.map(|atom| height[atom.relation]).collect();
        if let Some(derivation) = search.refute(query, &below, budget)? {
            return Ok(Some(derivation));
        }
    }
    Ok(None)
}

/// Carries what is known of each height to the next; the first height from which nothing is lost.
fn carry<'h>(search: &mut Search, heights: &'h [Height], budget: &Budget) -> Option<&'h Height> {
    for (at, pair) in heights.windows(2).enumerate() {
        let (low, high) = (&pair[0], &pair[1]);
        let mut is_lost = false;
        for relation in low.ids() {
            let edges = search.unwinding.vertices[high[relation]].edges.clone();
            for conjunct in search.unwinding.vertices[low[relation]].label.clone() {
                if search.unwinding.vertices[high[relation]]
                    .label
                    .contains(&conjunct)
                {
                    continue;
                }
                let mut all = edges.iter();
                match all.all(|edge| search.is_kept(edge, conjunct, budget)) {
                    true => {
                        search.strengthen(high[relation], conjunct);
                    }
                    false => is_lost = true,
                }
            }
        }
        if !is_lost {
            return Some(&heights[at]);
        }
    }
    None
}
