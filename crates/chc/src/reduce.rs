//! Simplifies clauses before they are solved, with the way back.
//!
//! The stages: [`slice`] keeps the clauses that can take part in a derivation of false,
//! [`arguments`] drops arguments that are constant or that no clause inspects, [`inline`]
//! substitutes the clauses of a relation for its uses, [`facts`] finds what holds for all derivable
//! facts. A model translates back stage by stage; a derivation in one step, through the clauses
//! that each clause was made of. [`split`](fn@split) turns control Booleans into locations, for
//! engines that benefit from them.
//!
//! # Invariants
//! - Relations keep their ids, whatever becomes of their arguments and clauses.
//! - The clauses after a stage derive false if and only if those before it do.

pub mod arguments;
mod by_control;
mod cases;
mod classes;
mod constants;
mod cube;
pub mod facts;
pub mod inline;
pub mod slice;
mod split;

use crate::ClauseEngine;
use crate::complete::{complete, complete_by, taken_over};
use crate::realise::realise;
use base::{Budget, IdVec};
use certify::{ClauseOutcome, Reason};
use horn::{Clause, ClauseId, Definition, Derivation, Model, RelationId, Step, StepId, System};
use logic::{Node, Sort, TermId, TermStore, TermValue};
use std::collections::BTreeMap;

pub use by_control::model_by_control;

/// Clauses, and how they came from others.
pub struct Reduced<'s> {
    /// The clauses to solve.
    pub system: System,
    original: &'s System,
    stages: Vec<Stage>,
    origins: IdVec<ClauseId, Origin>,
    /// For each relation, the places that its arguments had.
    places: IdVec<RelationId, Vec<usize>>,
}

/// Which clauses a clause was made of: one, with others in place of relations of its body.
#[derive(Clone, PartialEq, Debug)]
pub struct Origin {
    /// The clause, as it was read.
    pub clause: ClauseId,
    /// What became of the relations of its body.
    pub body: Vec<Below>,
}

/// What became of a relation in a body.
#[derive(Clone, PartialEq, Debug)]
pub enum Below {
    /// It is the one at this place of the new body.
    Kept(usize),
    /// A clause of it took its place.
    Inlined(Origin),
}

impl Origin {
    /// Renumbers the relations that are kept.
    fn renumber(&mut self, place: &dyn Fn(usize) -> usize) {
        for below in &mut self.body {
            match below {
                Below::Kept(at) => *at = place(*at),
                Below::Inlined(origin) => origin.renumber(place),
            }
        }
    }

    /// Puts a clause in place of the relation at a place.
    fn put(&mut self, at: usize, inlined: &Origin) {
        for below in &mut self.body {
            match below {
                Below::Kept(place) if *place == at => *below = Below::Inlined(inlined.clone()),
                Below::Kept(_) => {}
                Below::Inlined(origin) => origin.put(at, inlined),
            }
        }
    }
}

/// What a stage did to relations.
enum Stage {
    /// These relations are nothing (false) or everything (true), and have no clauses any more.
    Decided(Vec<(RelationId, bool)>),
    /// The arguments of each relation became these.
    Arguments(IdVec<RelationId, Vec<Argument>>),
    /// These facts of all relations were put into the clauses.
    Facts(facts::Facts),
    /// Each of these relations became several, by its truth values.
    Split(Vec<split::SplitRelation>),
    /// The clauses of these relations are where they were used, in the clauses before.
    Inlined(Box<System>, Vec<RelationId>),
}

/// What became of an argument.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// It is still one.
    Kept,
    /// No clause looks at it.
    Dropped(Sort),
    /// It has always this value, a term of the clauses' store.
    Constant(TermId),
}

/// Reduces clauses.
pub fn reduce<'s>(system: &'s System, budget: &Budget) -> Reduced<'s> {
    let mut reduced = unchanged(system);
    reduced.slice();
    while budget.check().is_ok() {
        let before = (reduced.system.clauses.len(), reduced.width());
        reduced.arguments();
        // Facts about all indices of an array find no way back through an inlined relation.
        if !has_arrays(&reduced.system) {
            reduced.inline();
        }
        reduced.slice();
        if before == (reduced.system.clauses.len(), reduced.width()) {
            break;
        }
    }
    reduced.well_formed()
}

/// Whether a relation has an array among its arguments.
pub(crate) fn has_arrays(system: &System) -> bool {
    let mut sorts = system.relations.iter().flat_map(|relation| &relation.sorts);
    sorts.any(|&sort| sort == Sort::Array)
}

/// Makes a relation for each values of the truth values of a relation, where they are few.
pub fn split<'s>(system: &'s System, budget: &Budget) -> Reduced<'s> {
    let mut reduced = unchanged(system);
    reduced.split(budget);
    reduced.slice();
    reduced.well_formed()
}

/// Makes a clause for each case of the choices in a clause that repeats its relation; none if no
/// clause has few cases.
pub fn cases<'s>(system: &'s System, budget: &Budget) -> Option<Reduced<'s>> {
    let mut reduced = unchanged(system);
    let has_cases = reduced.cases(budget);
    has_cases.then_some(reduced.well_formed())
}

/// Puts facts that hold of all that is derived into the bodies of clauses, and drops the arguments
/// that these facts say in terms of others.
pub fn with_facts<'s>(system: &'s System, budget: &Budget) -> Reduced<'s> {
    let mut reduced = unchanged(system);
    reduced.facts(budget);
    reduced.slice();
    reduced.well_formed()
}

/// Clauses as they are.
fn unchanged(system: &System) -> Reduced<'_> {
    let origin = |(clause, row): (ClauseId, &Clause)| Origin {
        clause,
        body: (0..row.body.len()).map(Below::Kept).collect(),
    };
    let relations = system.relations.iter();
    Reduced {
        system: system.clone(),
        original: system,
        stages: Vec::new(),
        origins: system.clauses.iter_enumerated().map(origin).collect(),
        places: relations
            .map(|relation| (0..relation.sorts.len()).collect())
            .collect(),
    }
}

impl Reduced<'_> {
    fn well_formed(self) -> Self {
        debug_assert_eq!(
            self.system.flaw(),
            None,
            "what is reduced should be well-formed"
        );
        self
    }

    /// How many arguments there are in all.
    fn width(&self) -> usize {
        self.system
            .relations
            .iter()
            .map(|relation| relation.sorts.len())
            .sum()
    }

    /// The sorts of a relation's arguments, before it was split.
    fn sorts(&self, relation: RelationId) -> &[Sort] {
        &self.system.relations[relation].sorts
    }

    /// Keeps some of the clauses.
    fn retain(&mut self, keep: impl Fn(ClauseId) -> bool) {
        let rows = self.system.clauses.iter_enumerated();
        let kept = rows.filter(|(id, _)| keep(*id));
        let kept = kept.map(|(id, clause)| (clause.clone(), self.origins[id].clone()));
        self.put_clauses(kept.collect());
    }

    /// Puts clauses, each with its origin, in place of all.
    fn put_clauses(&mut self, rows: Vec<(Clause, Origin)>) {
        let (clauses, origins): (Vec<Clause>, Vec<Origin>) = rows.into_iter().unzip();
        self.system.clauses = clauses.into_iter().collect();
        self.origins = origins.into_iter().collect();
    }

    /// The answer about the clauses as they were.
    pub fn back(&self, outcome: ClauseOutcome, budget: &Budget) -> ClauseOutcome {
        self.back_by(None, outcome, budget)
    }

    /// The same, with an engine for relations that were inlined and that are not found otherwise.
    pub fn back_by(
        &self,
        engine: Option<&dyn ClauseEngine>,
        outcome: ClauseOutcome,
        budget: &Budget,
    ) -> ClauseOutcome {
        let back = match outcome {
            ClauseOutcome::Sat(model) => self
                .model(*model, engine, budget)
                .map(|model| ClauseOutcome::Sat(Box::new(model))),
            ClauseOutcome::Unsat(derivation) => self
                .derivation(&derivation, budget)
                .map(ClauseOutcome::Unsat),
            ClauseOutcome::Unknown(reason) => Ok(ClauseOutcome::Unknown(reason)),
        };
        back.unwrap_or_else(|why| {
            let message = format!("the reduced clauses were solved, but not the clauses: {why}");
            ClauseOutcome::Unknown(Reason::unfinished(message, budget))
        })
    }

    /// The model of the clauses as they were.
    fn model(
        &self,
        model: Model,
        engine: Option<&dyn ClauseEngine>,
        budget: &Budget,
    ) -> Result<Model, String> {
        // One store for all: that of the reduced clauses, in which those before are too.
        let mut store = self.system.store.clone();
        let mut known = taken_over(&mut store, &model);
        for stage in self.stages.iter().rev() {
            match stage {
                Stage::Decided(relations) => {
                    for &(relation, value) in relations {
                        if let Some(definition) = &mut known[relation] {
                            definition.body = store.bool(value);
                            definition.universals.clear();
                        }
                    }
                }
                Stage::Arguments(arguments) => {
                    for (relation, arguments) in arguments.iter_enumerated() {
                        if let Some(definition) = &mut known[relation] {
                            widen(&mut store, definition, arguments);
                        }
                    }
                }
                Stage::Facts(facts) => {
                    for relation in facts.facts.ids() {
                        if let Some(definition) = &mut known[relation] {
                            let mut all = vec![definition.body];
                            all.extend(facts.of(&mut store, relation, &definition.parameters));
                            definition.body = store.and(&all);
                        }
                    }
                }
                Stage::Split(relations) => {
                    for split in relations {
                        let sorts = self.sorts(split.relation);
                        known[split.relation] = Some(split.joined(&mut store, &known, sorts));
                    }
                    let kept = known.iter().take(self.original.relations.len()).cloned();
                    known = kept.fold(IdVec::new(), |mut kept, definition| {
                        kept.push(definition);
                        kept
                    });
                }
                Stage::Inlined(before, relations) => {
                    for &relation in relations {
                        known[relation] = None;
                    }
                    let found = complete(before, store.clone(), known.clone(), budget);
                    let completed = match (found, engine) {
                        (Ok(model), _) => model,
                        (Err(_), Some(engine)) => {
                            complete_by(engine, before, store, known, budget)?
                        }
                        (Err(why), None) => return Err(why),
                    };
                    store = completed.store;
                    known = completed.definitions.into_iter().map(Some).collect();
                }
            }
        }
        let definitions = known.into_iter().flatten().collect();
        Ok(Model { store, definitions })
    }

    /// The derivation by the clauses as they were.
    fn derivation(&self, derivation: &Derivation, budget: &Budget) -> Result<Derivation, String> {
        let mut skeleton = Derivation::default();
        let mut derived: IdVec<StepId, StepId> = IdVec::new();
        for step in derivation.steps.iter() {
            let premises = step.premises.iter().map(|&premise| derived[premise]);
            let premises: Vec<StepId> = premises.collect();
            let at = expand(&self.origins[step.clause], &premises, &mut skeleton);
            if let Some(fact) = step.fact(&self.system)? {
                self.hint(&mut skeleton.steps[at], fact.relation, &fact.values);
            }
            derived.push(at);
        }
        realise(self.original, &skeleton, budget)
    }

    /// Notes what is known about the head of a step.
    fn hint(&self, step: &mut Step, relation: RelationId, values: &[TermValue]) {
        let Some(head) = &self.original.clauses[step.clause].head else {
            return;
        };
        for (&place, value) in self.places[relation].iter().zip(values) {
            if let Node::Symbol(symbol) = self.original.store.node(head.arguments[place])
                && !matches!(value, TermValue::Array(_))
            {
                step.values.insert(*symbol, value.clone());
            }
        }
    }
}

/// Adds the steps of an origin, and returns the last.
fn expand(origin: &Origin, premises: &[StepId], skeleton: &mut Derivation) -> StepId {
    let below = (origin.body.iter())
        .map(|below| match below {
            Below::Kept(at) => premises[*at],
            Below::Inlined(origin) => expand(origin, premises, skeleton),
        })
        .collect();
    skeleton.steps.push(Step {
        clause: origin.clause,
        premises: below,
        values: BTreeMap::new(),
    })
}

/// The members at some places.
pub(crate) fn kept<T: Clone>(members: &[T], keeps: impl Fn(usize) -> bool) -> Vec<T> {
    let numbered = members.iter().enumerate();
    numbered
        .filter(|(at, _)| keeps(*at))
        .map(|(_, member)| member.clone())
        .collect()
}

/// A definition with the arguments that its relation had.
fn widen(store: &mut TermStore, definition: &mut Definition, arguments: &[Argument]) {
    let mut kept = std::mem::take(&mut definition.parameters).into_iter();
    let mut facts = vec![definition.body];
    for argument in arguments {
        let parameter = match argument {
            Argument::Kept => kept
                .next()
                .expect("a kept argument should have a parameter"),
            Argument::Dropped(sort) => store.fresh("x", *sort),
            Argument::Constant(value) => {
                let parameter = store.fresh("x", store.sort(*value));
                facts.push(store.eq(parameter, *value));
                parameter
            }
        };
        definition.parameters.push(parameter);
    }
    definition.body = store.and(&facts);
}
