//! Control Booleans as locations: a relation becomes one for each assignment to its Booleans.
//!
//! Which assignments occur is found forwards from the facts, by models of the constraints alone;
//! they are few if the Booleans are a program counter, and otherwise nothing is split.

use super::{Reduced, Stage, kept};
use base::Budget;
use horn::{Atom, Clause, ClauseId, Relation, RelationId};
use logic::{Node, Sort, SymbolId, TermId, TermStore};
use rustc_hash::FxHashMap;
use smt::{Answer, Solver};
use std::collections::{BTreeMap, BTreeSet};

/// How many relations one may become.
const LOCATIONS: usize = 64;
/// How many times more clauses there may be.
const TIMES: usize = 4;
/// The effort of looking for values.
const EFFORT: u64 = 1_000_000;

/// The truth values of a relation, in the order of their places.
type Values = Vec<bool>;

/// What a relation became: its places of truth values, and the relation of each values of them.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SplitRelation {
    pub(super) relation: RelationId,
    pub(super) places: Vec<usize>,
    pub(super) parts: Vec<(Values, RelationId)>,
}

impl Reduced<'_> {
    /// Splits every relation whose truth values take few values, if the clauses stay few.
    pub(super) fn split(&mut self, budget: &Budget) {
        let budget = budget.clone().with_effort(EFFORT);
        let is_split = |relation: &Relation| relation.sorts.contains(&Sort::Bool);
        let relations: Vec<RelationId> = (self.system.relations.iter_enumerated())
            .filter_map(|(id, relation)| is_split(relation).then_some(id))
            .collect();
        if relations.is_empty() {
            return;
        }
        if let Some(instances) = Exploration::new(self, &relations).explore(&budget) {
            self.put(&relations, instances);
        }
    }

    /// Puts the instances in place of the clauses.
    fn put(&mut self, relations: &[RelationId], instances: Vec<Instance>) {
        let mut parts: BTreeMap<(RelationId, Values), RelationId> = BTreeMap::new();
        let mut rows = Vec::new();
        for instance in instances {
            let mut clause = instance.clause;
            let atoms = clause.body.iter_mut().chain(&mut clause.head);
            for (atom, values) in atoms.zip(instance.values) {
                if !values.is_empty() {
                    self.become_part(atom, values, &mut parts);
                }
            }
            rows.push((clause, self.origins[instance.of].clone()));
        }
        self.put_clauses(rows);
        let split = relations.iter().map(|&relation| {
            let own = parts.iter().filter(|((of, _), _)| *of == relation);
            SplitRelation {
                relation,
                places: truth_places(&self.system.relations[relation]),
                parts: own
                    .map(|((_, values), &part)| (values.clone(), part))
                    .collect(),
            }
        });
        let split = split.collect();
        self.stages.push(Stage::Split(split));
    }

    /// Lets an atom be one of the part of its relation that has these values.
    fn become_part(
        &mut self,
        atom: &mut Atom,
        values: Values,
        parts: &mut BTreeMap<(RelationId, Values), RelationId>,
    ) {
        let old = atom.relation;
        let truths = truth_places(&self.system.relations[old]);
        let keeps = |place: usize| !truths.contains(&place);
        let part = *parts
            .entry((old, values))
            .or_insert_with_key(|(_, values)| {
                let row = self.system.relations[old].clone();
                let text: String = values.iter().map(|&v| if v { '1' } else { '0' }).collect();
                self.places.push(kept(&self.places[old], keeps));
                self.system.relations.push(Relation {
                    name: format!("{}@{text}", row.name).into(),
                    sorts: kept(&row.sorts, keeps),
                })
            });
        atom.relation = part;
        atom.arguments = kept(&atom.arguments, keeps);
    }
}

/// The places of truth values among arguments.
fn truth_places(relation: &Relation) -> Vec<usize> {
    let numbered = relation.sorts.iter().enumerate();
    numbered
        .filter(|(_, sort)| **sort == Sort::Bool)
        .map(|(at, _)| at)
        .collect()
}

/// A clause for some truth values of its atoms.
struct Instance {
    of: ClauseId,
    clause: Clause,
    /// Of the body and the head; empty for atoms that are not split.
    values: Vec<Values>,
}

struct Exploration<'r, 's> {
    reduced: &'r mut Reduced<'s>,
    split: BTreeSet<RelationId>,
    reached: BTreeSet<(RelationId, Values)>,
    most: usize,
}

impl<'r, 's> Exploration<'r, 's> {
    fn new(reduced: &'r mut Reduced<'s>, relations: &[RelationId]) -> Self {
        let most = TIMES * reduced.system.clauses.len() + LOCATIONS;
        Exploration {
            reduced,
            split: relations.iter().copied().collect(),
            reached: BTreeSet::new(),
            most,
        }
    }

    /// The instances of all clauses for the values that are reached; none if they are many, or if
    /// the solver does not know.
    fn explore(mut self, budget: &Budget) -> Option<Vec<Instance>> {
        loop {
            let mut instances = Vec::new();
            let before = self.reached.clone();
            for id in self.reduced.system.clauses.ids().collect::<Vec<_>>() {
                let clause = self.reduced.system.clauses[id].clone();
                for body in self.bodies(&clause, &before) {
                    self.instances(id, &clause, &body, &mut instances, budget)?;
                    if instances.len() > self.most {
                        return None;
                    }
                }
            }
            if before == self.reached {
                return Some(instances);
            }
            let mut counts: BTreeMap<RelationId, usize> = BTreeMap::new();
            for (relation, _) in &self.reached {
                *counts.entry(*relation).or_default() += 1;
            }
            if counts.values().any(|&count| count > LOCATIONS) {
                return None;
            }
        }
    }

    /// The values that the atoms of a body may have.
    fn bodies(
        &self,
        clause: &Clause,
        reached: &BTreeSet<(RelationId, Values)>,
    ) -> Vec<Vec<Values>> {
        let mut bodies = vec![Vec::new()];
        for atom in &clause.body {
            let choices: Vec<Values> = match self.split.contains(&atom.relation) {
                false => vec![Values::new()],
                true => (reached
                    .iter()
                    .filter(|(relation, _)| *relation == atom.relation))
                .map(|(_, values)| values.clone())
                .collect(),
            };
            let with = |body: &Vec<Values>| -> Vec<Vec<Values>> {
                let each = choices.iter().cloned();
                each.map(|choice| [&body[..], &[choice]].concat()).collect()
            };
            bodies = bodies.iter().flat_map(with).collect();
        }
        bodies
    }

    /// Adds a clause for values of its body and each values that its head may have then.
    fn instances(
        &mut self,
        of: ClauseId,
        clause: &Clause,
        body: &[Values],
        instances: &mut Vec<Instance>,
        budget: &Budget,
    ) -> Option<()> {
        let system = &mut self.reduced.system;
        let mut parts = vec![clause.constraint];
        for (atom, values) in clause.body.iter().zip(body) {
            let places = truth_places(&system.relations[atom.relation]);
            for (&place, &value) in places.iter().zip(values) {
                parts.push(as_value(&mut system.store, atom.arguments[place], value));
            }
        }
        let constraint = system.store.and(&parts);
        let mut constraint = fixed_truths(&mut system.store, constraint, clause);
        let truths: Vec<TermId> = match &clause.head {
            Some(head) if self.split.contains(&head.relation) => {
                let places = truth_places(&system.relations[head.relation]);
                places
                    .into_iter()
                    .map(|place| head.arguments[place])
                    .collect()
            }
            Some(_) | None => Vec::new(),
        };
        let mut solver = Solver::new();
        solver.assert(&system.store, constraint);
        loop {
            match solver.check(&system.store, &[], budget) {
                Answer::Unsat => return Some(()),
                Answer::Unknown(_) => return None,
                Answer::Sat => {}
            }
            let model = solver.model()?;
            let values: Values = truths
                .iter()
                .map(|&truth| model.satisfies(&system.store, truth))
                .collect();
            let same: Vec<TermId> = (truths.iter().zip(&values))
                .map(|(&truth, &value)| as_value(&mut system.store, truth, value))
                .collect();
            let same = system.store.and(&same);
            let both = system.store.and(&[constraint, same]);
            let mut instance = clause.clone();
            instance.constraint = fixed_truths(&mut system.store, both, clause);
            let mut all = body.to_vec();
            if let Some(head) = &clause.head {
                all.push(values.clone());
                if !values.is_empty() {
                    self.reached.insert((head.relation, values));
                }
            }
            instances.push(Instance {
                of,
                clause: instance,
                values: all,
            });
            if instances.len() > self.most {
                return None;
            }
            let other = system.store.not(same);
            constraint = system.store.and(&[constraint, other]);
            solver.assert(&system.store, other);
        }
    }
}

/// That a formula has a truth value.
pub(super) fn as_value(store: &mut TermStore, formula: TermId, value: bool) -> TermId {
    match value {
        true => formula,
        false => store.not(formula),
    }
}

/// A constraint in which truth values that it fixes by themselves stand everywhere. They stay said,
/// since the clause's atoms may mention them.
fn fixed_truths(store: &mut TermStore, constraint: TermId, clause: &Clause) -> TermId {
    let mut constraint = constraint;
    let arguments: Vec<TermId> = clause.atoms().flat_map(|a| a.arguments.clone()).collect();
    let mentioned: BTreeSet<SymbolId> = store.symbols_of(&arguments);
    let mut said: Vec<TermId> = Vec::new();
    loop {
        let mut values = FxHashMap::default();
        for conjunct in store.conjuncts(constraint) {
            let (term, value) = match store.node(conjunct) {
                Node::Not(inner) => (*inner, false),
                _ => (conjunct, true),
            };
            if let Node::Symbol(symbol) = store.node(term) {
                let symbol = *symbol;
                values.insert(symbol, store.bool(value));
                if mentioned.contains(&symbol) {
                    said.push(conjunct);
                }
            }
        }
        if values.is_empty() {
            said.push(constraint);
            return store.and(&said);
        }
        constraint = store.substitute(constraint, &values);
    }
}
