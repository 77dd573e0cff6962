//! Convergence by covering: a vertex for each way to derive a fact that no vertices cover yet.
//!
//! # Paper
//! Lazy abstraction with interpolants, [mcmillan2006lazy], on hyperedges as in [mcmillan2014lazy].
//! A vertex may be covered by several others together, and covers are found by one question for
//! each clause rather than vertex by vertex. A forced cover takes the labels of all vertices up to
//! the coverer as they are, and may strengthen those after it. Where facts are propagated along
//! linear clauses, we ask once for each depth what is inductive of them, and force covers less
//! often: labels then have more in them than covers need.
//!
//! # Invariants
//! - Every query is contradicted by the labels of any vertices of its relations.

use super::learn::Prefix;
use super::search::Search;
use super::unwinding::{Edge, VertexId};
use base::{Budget, Event, IdVec};
use certify::Reason;
use horn::{ClauseId, Definition, Derivation, Model, RelationId};
use logic::TermId;
use rustc_hash::FxHashMap;
use smt::Answer;

/// How much effort a forced cover may take, in percent of the search's, and at least.
const FORCED: u64 = 20;
const FORCED_LEAST: u64 = 200_000;
/// How many vertices before a new one are tried to cover it.
const COVERERS: usize = 4;
/// How deep an unwinding is before covers are forced where induction may do, and before there is a
/// search for what induction needs.
pub(super) const PATIENCE: usize = 8;

/// How an unwinding ends.
pub(super) enum Ending {
    /// The labels are a model of the clauses.
    Model(Model),
    /// There is a derivation of false.
    Derivation(Derivation),
}

/// Unwinds until every fact is covered, what labels say is inductive, or false is derived.
pub(super) fn by_covering(search: &mut Search, budget: &Budget) -> Result<Ending, Reason> {
    let mut covering = Covering {
        closed: FxHashMap::default(),
    };
    if let Some(derivation) = covering.queries(search, None, budget)? {
        return Ok(Ending::Derivation(derivation));
    }
    let mut deepest = 0;
    while let Some(edge) = covering.uncovered(search, budget)? {
        budget.check().map_err(|limit| {
            let vertices = search.unwinding.vertices.len();
            Reason::new(limit.into(), format!("after {vertices} vertices"))
        })?;
        let head = search.system.clauses[edge.clause].head.as_ref();
        let head = head.expect("a query should cover nothing");
        let vertex = search.unwinding.add(head.relation, vec![edge]);
        let depth = search.unwinding.vertices[vertex].depth;
        budget.counters().add("duality vertices", 1);
        budget.counters().raise("duality depth", depth as u64);
        budget.report(Event::Progress {
            what: "vertices",
            done: search.unwinding.vertices.len() as u64,
        });
        if inducts(search) {
            search.inherit(vertex);
            search.begin(vertex, budget);
        }
        if search.options.propagates {
            search.propagate(vertex, budget);
        }
        if let Some(derivation) = covering.queries(search, Some(vertex), budget)? {
            return Ok(Ending::Derivation(derivation));
        }
        if inducts(search) && depth > deepest {
            deepest = depth;
            if let Some(said) = search.induct(budget) {
                return Ok(Ending::Model(model_of(search, &said)));
            }
        }
        if forces(search, depth) {
            force_cover(search, vertex, budget)?;
        }
    }
    let labels = |relation: RelationId| search.unwinding.of[relation].clone();
    let vertices: Vec<Vec<VertexId>> = search.system.relations.ids().map(labels).collect();
    Ok(Ending::Model(model(search, &vertices)))
}

/// Whether labels begin with what clauses say, and are asked for what is inductive of them. Where
/// several relations stand in a body that costs more than it brings.
fn inducts(search: &Search) -> bool {
    search.options.propagates && search.is_linear
}

/// Whether covers are forced at a depth. Induction mostly ends the search, but not where what holds
/// is a disjunction: there covers are tried at depths that double.
fn forces(search: &Search, depth: usize) -> bool {
    !inducts(search) || depth >= PATIENCE && depth.is_power_of_two()
}

/// Tries to strengthen labels so that a vertex before a new one covers it.
fn force_cover(search: &mut Search, vertex: VertexId, budget: &Budget) -> Result<(), Reason> {
    let relation = search.unwinding.vertices[vertex].relation;
    let others = search.unwinding.of[relation].iter().rev().copied();
    let others: Vec<VertexId> = others
        .filter(|&other| other < vertex)
        .take(COVERERS)
        .collect();
    for coverer in others {
        let part = search.in_proportion(FORCED, FORCED_LEAST, budget);
        match search.force_cover(coverer, vertex, &part) {
            Ok(true) => {
                budget.counters().add("duality forced covers", 1);
                break;
            }
            Ok(false) => {}
            // A part of the effort that is used up ends one attempt only.
            Err(reason) => budget
                .check()
                .map_err(|limit| Reason::new(limit.into(), reason.message))?,
        }
    }
    Ok(())
}

/// The model in which a relation is what some formulas say.
fn model_of(search: &mut Search, formulas: &IdVec<RelationId, Vec<TermId>>) -> Model {
    let mut definitions = IdVec::new();
    for (relation, formulas) in formulas.iter_enumerated() {
        let body = search.store.and(formulas);
        definitions.push(Definition::new(
            search.unwinding.parameters[relation].clone(),
            search.store.simplify(body),
        ));
    }
    let store = search.store.clone();
    Model { store, definitions }
}

/// The model in which a relation is what one of some vertices is.
pub(super) fn model(search: &mut Search, vertices: &[Vec<VertexId>]) -> Model {
    let mut formulas = IdVec::new();
    for vertices in vertices {
        let labels: Vec<TermId> = (vertices.iter())
            .map(|&vertex| search.store.and(&search.unwinding.vertices[vertex].label))
            .collect();
        formulas.push(vec![search.store.or(&labels)]);
    }
    model_of(search, &formulas)
}

/// Asks what is covered.
struct Covering {
    /// How many vertices and how long labels were when a clause was found to be covered.
    closed: FxHashMap<ClauseId, (usize, usize)>,
}

impl Covering {
    /// Contradicts the queries from a new vertex, or from none.
    fn queries(
        &mut self,
        search: &mut Search,
        new: Option<VertexId>,
        budget: &Budget,
    ) -> Result<Option<Derivation>, Reason> {
        let queries: Vec<ClauseId> = search.system.queries().collect();
        for query in queries {
            let places: Vec<Option<usize>> = match new {
                None if search.system.clauses[query].body.is_empty() => vec![None],
                None => Vec::new(),
                Some(vertex) => {
                    let relation = search.unwinding.vertices[vertex].relation;
                    let body = search.system.clauses[query].body.iter().enumerate();
                    body.filter(|(_, atom)| atom.relation == relation)
                        .map(|(place, _)| Some(place))
                        .collect()
                }
            };
            for place in places {
                let fixed = place.zip(new);
                while let Some((below, _)) = self.instance(search, query, fixed, None, budget)? {
                    if let Some(derivation) = search.refute(query, &below, budget)? {
                        return Ok(Some(derivation));
                    }
                }
            }
        }
        Ok(None)
    }

    /// A clause and vertices from which it derives a fact that is not covered: those nearest to
    /// the facts.
    fn uncovered(&mut self, search: &mut Search, budget: &Budget) -> Result<Option<Edge>, Reason> {
        let mut best: Option<(usize, Edge)> = None;
        for clause in search.system.clauses.ids() {
            let Some(head) = &search.system.clauses[clause].head else {
                continue;
            };
            let state = state(search, clause, head.relation);
            if self.closed.get(&clause) == Some(&state) {
                continue;
            }
            let mut limit = best.as_ref().map(|(depth, _)| *depth);
            let mut is_closed = limit.is_none();
            while limit != Some(0) {
                let found = self.instance(search, clause, None, limit, budget)?;
                let Some((below, depth)) = found else {
                    break;
                };
                is_closed = false;
                limit = Some(depth);
                best = Some((depth, Edge { clause, below }));
            }
            if is_closed {
                self.closed.insert(clause, state);
            }
        }
        Ok(best.map(|(_, edge)| edge))
    }

    /// Vertices whose labels satisfy the body of a clause but not its head, and the height of what
    /// they derive: with one of them fixed, and lower than a limit.
    fn instance(
        &mut self,
        search: &mut Search,
        clause: ClauseId,
        fixed: Option<(usize, VertexId)>,
        limit: Option<usize>,
        budget: &Budget,
    ) -> Result<Option<(Vec<VertexId>, usize)>, Reason> {
        let instance = search.instance(clause);
        let row = &search.system.clauses[clause];
        let mut parts = Vec::new();
        let mut choices: Vec<Vec<(VertexId, TermId)>> = Vec::new();
        for (place, (atom, arguments)) in row.body.iter().zip(&instance.body).enumerate() {
            let vertices = match fixed {
                Some((at, vertex)) if at == place => vec![vertex],
                Some(_) | None => search.unwinding.of[atom.relation].clone(),
            };
            let mut labels = Vec::new();
            for vertex in vertices {
                let depth = search.unwinding.vertices[vertex].depth;
                if limit.is_none_or(|limit| depth + 1 < limit) {
                    let label = (search.unwinding).label(&mut search.store, vertex, arguments);
                    labels.push((vertex, label));
                }
            }
            let any: Vec<TermId> = labels.iter().map(|&(_, label)| label).collect();
            parts.push(search.store.or(&any));
            choices.push(labels);
        }
        if let Some(head) = &row.head {
            for vertex in search.unwinding.of[head.relation].clone() {
                let label = (search.unwinding).label(&mut search.store, vertex, &instance.head);
                parts.push(search.store.not(label));
            }
        }
        let prefix = Prefix {
            constraint: instance.constraint,
            more: parts,
        };
        let (answer, solver) = search.learner.ask(&search.store, &prefix, &[], budget);
        let model = match answer {
            Answer::Sat => solver.model().cloned(),
            Answer::Unsat | Answer::Unknown(_) => None,
        };
        let model = match (answer, model) {
            (Answer::Unsat, _) => return Ok(None),
            (Answer::Sat, Some(model)) => model,
            (Answer::Unknown(why), _) => return Err(Reason::unfinished(why, budget)),
            (Answer::Sat, None) => {
                return Err(Reason::unfinished("a model cannot be read", budget));
            }
        };
        let mut below = Vec::new();
        let mut depth = 0;
        for labels in choices {
            let chosen = (labels.iter()).find(|(_, it)| model.satisfies(&search.store, *it));
            let Some(&(vertex, _)) = chosen else {
                return Err(Reason::unfinished(
                    "a model does not say which vertex it is of",
                    budget,
                ));
            };
            depth = depth.max(search.unwinding.vertices[vertex].depth + 1);
            below.push(vertex);
        }
        Ok(Some((below, depth)))
    }
}

/// What a cover depends on: the vertices of the body, and what is said of the head.
fn state(search: &Search, clause: ClauseId, head: RelationId) -> (usize, usize) {
    let unwinding = &search.unwinding;
    let body = search.system.clauses[clause].body.iter();
    let vertices = body.map(|atom| unwinding.of[atom.relation].len()).sum();
    let labels = unwinding.of[head].iter();
    let labels = labels.map(|&vertex| unwinding.vertices[vertex].label.len());
    (vertices, labels.sum())
}
