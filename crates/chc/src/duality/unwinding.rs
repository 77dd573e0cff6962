//! The unwinding: instances of relations, how each may be derived, and what is known of it.
//!
//! # Invariants
//! - What an edge needs was there before its vertex: the unwinding has no cycles.
//! - For an edge of v by a clause: the labels of what it needs and the constraint imply the label
//!   of v. A label only becomes stronger.

use base::{IdVec, define_id};
use horn::{ClauseId, RelationId, System};
use logic::{TermId, TermStore};
use rustc_hash::FxHashMap;

define_id! {
    /// An instance of a relation.
    VertexId = "v";
}

/// An instance of a relation.
#[derive(Clone, Debug)]
pub(super) struct Vertex {
    /// The relation.
    pub(super) relation: RelationId,
    /// How its facts may be derived.
    pub(super) edges: Vec<Edge>,
    /// What holds of its facts, over the parameters of the relation.
    pub(super) label: Vec<TermId>,
    /// The longest way from it to clauses without a body.
    pub(super) depth: usize,
}

/// A clause, and the vertices that the relations of its body are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    /// The clause.
    pub(super) clause: ClauseId,
    /// A vertex for each relation of the body.
    pub(super) below: Vec<VertexId>,
}

/// Vertices with labels.
#[derive(Debug)]
pub(super) struct Unwinding {
    /// The vertices, each after those that it needs.
    pub(super) vertices: IdVec<VertexId, Vertex>,
    /// The vertices of each relation.
    pub(super) of: IdVec<RelationId, Vec<VertexId>>,
    /// The symbols that labels of a relation speak of.
    pub(super) parameters: IdVec<RelationId, Vec<TermId>>,
    /// What formulas over parameters are for arguments: the same are asked for again and again.
    said: FxHashMap<Vec<TermId>, FxHashMap<TermId, TermId>>,
}

impl Unwinding {
    /// Without vertices.
    pub(super) fn new(system: &System, store: &mut TermStore) -> Unwinding {
        let parameters = system.relations.iter();
        let parameters = parameters.map(|relation| relation.parameters(store));
        Unwinding {
            vertices: IdVec::new(),
            of: IdVec::filled(Vec::new(), system.relations.len()),
            parameters: parameters.collect(),
            said: FxHashMap::default(),
        }
    }

    /// Adds a vertex of which nothing is known.
    pub(super) fn add(&mut self, relation: RelationId, edges: Vec<Edge>) -> VertexId {
        let below = edges.iter().flat_map(|edge| &edge.below);
        let depth = below.map(|&it| self.vertices[it].depth + 1).max();
        let vertex = self.vertices.push(Vertex {
            relation,
            edges,
            label: Vec::new(),
            depth: depth.unwrap_or(0),
        });
        self.of[relation].push(vertex);
        vertex
    }

    /// Strengthens a label; whether that says anything new.
    pub(super) fn strengthen(
        &mut self,
        store: &TermStore,
        vertex: VertexId,
        formula: TermId,
    ) -> bool {
        let label = &mut self.vertices[vertex].label;
        let before = label.len();
        for conjunct in store.conjuncts(formula) {
            if store.as_bool(conjunct) != Some(true) && !label.contains(&conjunct) {
                label.push(conjunct);
            }
        }
        label.len() > before
    }

    /// A formula over a relation's parameters, said of arguments.
    pub(super) fn instantiate(
        &mut self,
        store: &mut TermStore,
        relation: RelationId,
        formula: TermId,
        arguments: &[TermId],
    ) -> TermId {
        if !self.said.contains_key(arguments) {
            self.said.insert(arguments.to_vec(), FxHashMap::default());
        }
        let known = self.said.get(arguments).and_then(|it| it.get(&formula));
        if let Some(&known) = known {
            return known;
        }
        let map = store.substitution(&self.parameters[relation], arguments);
        let term = store.substitute(formula, &map);
        if let Some(said) = self.said.get_mut(arguments) {
            said.insert(formula, term);
        }
        term
    }

    /// The label of a vertex, said of arguments.
    pub(super) fn label(
        &mut self,
        store: &mut TermStore,
        vertex: VertexId,
        arguments: &[TermId],
    ) -> TermId {
        let relation = self.vertices[vertex].relation;
        let label = self.vertices[vertex].label.clone();
        let said: Vec<TermId> = (label.into_iter())
            .map(|conjunct| self.instantiate(store, relation, conjunct, arguments))
            .collect();
        store.and(&said)
    }
}
