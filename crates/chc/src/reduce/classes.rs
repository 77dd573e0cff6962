//! Which values of arguments occur, and which of two arguments occur together: invariants of state
//! machines.
//!
//! An integer argument is looked at through the constants that it may meet: it is one of these, or
//! another value. What is known of a relation is the classes that its arguments may have, one by
//! one or two at a time; models of the clauses add classes until they derive no new ones.
//!
//! # Paper
//! Abstract interpretation ([cousot1977abstract]) with finite sets, with models in place of a
//! transfer function.
//!
//! # Invariants
//! - What is given holds of all facts: with it for a body, every clause derives only that for its
//!   head.

use super::constants::constants;
use super::cube::Cube;
use crate::realise::{equals, values};
use base::{Budget, IdVec};
use horn::{Clause, ClauseId, Definition, Model, RelationId, System};
use logic::{Integer, Sort, SymbolId, TermId, TermStore, TermValue, implicant};
use rustc_hash::FxHashMap;
use smt::{Answer, Solver};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// How many arguments of a relation are looked at two at a time.
const ARGUMENTS: usize = 16;
/// With more truth values of a relation, none of them is control.
const TRUTHS: usize = 6;
/// An argument that meets more constants is not looked at.
const CONSTANTS: usize = 63;

/// How many arguments are looked at at a time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    One,
    Two,
}

/// An argument of few values.
pub(super) struct ControlArgument {
    pub(super) place: usize,
    /// How many they are.
    pub(super) values: usize,
}

/// What is known of all relations.
pub(super) struct Classes {
    known: IdVec<RelationId, RelationClasses>,
}

/// What is known of a relation.
struct RelationClasses {
    arguments: Vec<Looked>,
    /// For two of them, or for one and itself: for each class of the first those of the second, as
    /// bits.
    pairs: BTreeMap<(usize, usize), Vec<u64>>,
    is_reached: bool,
}

/// An argument that is looked at.
struct Looked {
    place: usize,
    /// What tells its classes apart: one is of each of these values, and the last of all others.
    values: Vec<TermValue>,
}

impl Looked {
    fn class(&self, value: &TermValue) -> usize {
        let own = self.values.binary_search(value);
        own.unwrap_or(self.values.len())
    }

    /// All classes.
    fn all(&self) -> u64 {
        u64::MAX >> (63 - self.values.len())
    }

    /// A value of each class.
    fn candidates(&self) -> Vec<TermValue> {
        let mut candidates = self.values.clone();
        match (self.values.first(), self.values.last()) {
            (Some(TermValue::Int(least)), Some(TermValue::Int(most))) => {
                candidates.push(TermValue::Int(least - &Integer::ONE));
                candidates.push(TermValue::Int(most + &Integer::ONE));
            }
            _ => candidates.push(TermValue::Bool(false)),
        }
        candidates
    }

    /// That a term is in one of some classes.
    fn said_of(&self, store: &mut TermStore, term: TermId, classes: u64) -> TermId {
        let has_others = classes >> self.values.len() & 1 == 1;
        let mut parts = Vec::new();
        for (class, value) in self.values.iter().enumerate() {
            if (classes >> class & 1 == 1) != has_others {
                parts.push(equals(store, term, value));
            }
        }
        let any = store.or(&parts);
        match has_others {
            true => store.not(any),
            false => any,
        }
    }
}

impl Classes {
    /// Finds the classes of all facts; none if the effort does not suffice.
    pub(super) fn of(system: &mut System, at: At, budget: &Budget) -> Option<Classes> {
        let classes = Classes {
            known: looked_at(system, at),
        };
        let mut analysis = Analysis {
            system,
            store: system.store.clone(),
            classes,
            at,
            solvers: FxHashMap::default(),
        };
        analysis.run(budget)?;
        let Analysis { store, classes, .. } = analysis;
        system.store = store;
        Some(classes)
    }

    /// The arguments of each relation that have few values, but more than one. Truth values are
    /// control only where there are few of them.
    pub(super) fn control(&self) -> BTreeMap<RelationId, Vec<ControlArgument>> {
        let mut control = BTreeMap::new();
        for (relation, known) in self.known.iter_enumerated() {
            let is_truth = |looked: &Looked| matches!(looked.values[..], [TermValue::Bool(_)]);
            let truths = known.arguments.iter().filter(|it| is_truth(it)).count();
            let mut own = Vec::new();
            for (at, looked) in known.arguments.iter().enumerate() {
                let rows = known.pairs.get(&(at, at)).map_or(&[][..], Vec::as_slice);
                let values = rows.iter().filter(|row| **row != 0).count();
                let is_few = match is_truth(looked) {
                    true => truths <= TRUTHS,
                    false => rows.last() == Some(&0),
                };
                if values > 1 && is_few {
                    let place = looked.place;
                    own.push(ControlArgument { place, values });
                }
            }
            if !own.is_empty() {
                control.insert(relation, own);
            }
        }
        control
    }

    /// Whether no query holds for any arguments that are known of.
    pub(super) fn contradict_queries(&self, system: &mut System, budget: &Budget) -> bool {
        let mut solver = Solver::new();
        let System { store, clauses, .. } = system;
        let mut queries = clauses.iter().filter(|clause| clause.head.is_none());
        queries.all(|query| {
            let mut parts = vec![query.constraint];
            for atom in &query.body {
                parts.extend(self.known[atom.relation].said_of(store, &atom.arguments));
            }
            let whole = store.and(&parts);
            solver.check(store, &[whole], budget) == Answer::Unsat
        })
    }

    /// What is known, as a model of the clauses that are no queries.
    pub(super) fn model(&self, system: &mut System) -> Model {
        let System {
            store, relations, ..
        } = system;
        let mut definitions = IdVec::new();
        for (relation, row) in relations.iter_enumerated() {
            let parameters = row.parameters(store);
            let known = self.known[relation].said_of(store, &parameters);
            definitions.push(Definition::new(parameters, store.and(&known)));
        }
        let store = store.clone();
        Model { store, definitions }
    }
}

/// The arguments that are looked at.
fn looked_at(system: &System, at: At) -> IdVec<RelationId, RelationClasses> {
    let constants = constants(system);
    let mut all = IdVec::new();
    for (relation, row) in system.relations.iter_enumerated() {
        let mut arguments: Vec<Looked> = Vec::new();
        for (place, sort) in row.sorts.iter().enumerate() {
            let values: Vec<TermValue> = match sort {
                Sort::Bool => vec![TermValue::Bool(true)],
                Sort::Int => (constants.get(&(relation, place)).into_iter().flatten())
                    .map(|constant| TermValue::Int(constant.clone()))
                    .collect(),
                Sort::Real | Sort::Array => Vec::new(),
            };
            if !values.is_empty() && values.len() <= CONSTANTS {
                arguments.push(Looked { place, values });
            }
        }
        if at == At::Two {
            arguments.sort_by_key(|argument| (Reverse(argument.values.len()), argument.place));
            arguments.truncate(ARGUMENTS);
        }
        all.push(RelationClasses {
            arguments,
            pairs: BTreeMap::new(),
            is_reached: false,
        });
    }
    all
}

impl RelationClasses {
    /// Which arguments are looked at together.
    fn together(&self, at: At) -> Vec<(usize, usize)> {
        let count = self.arguments.len();
        match at {
            At::Two if count > 1 => (0..count)
                .flat_map(|a| (a + 1..count).map(move |b| (a, b)))
                .collect(),
            At::One | At::Two => (0..count).map(|a| (a, a)).collect(),
        }
    }

    /// Adds what is shown.
    fn add(&mut self, shown: &Shown, at: At) {
        self.is_reached = true;
        for (a, b) in self.together(at) {
            let [one, other] = [a, b].map(|at| &self.arguments[at]);
            let rows = (self.pairs.entry((a, b))).or_insert_with(|| vec![0; one.values.len() + 1]);
            let [from, to] = [a, b].map(|at| shown.sources[at]);
            if from == to {
                for value in &shown.values[from] {
                    rows[one.class(value)] |= 1 << other.class(value);
                }
                continue;
            }
            let with = shown.values[to].iter().map(|value| 1 << other.class(value));
            let with: u64 = with.fold(0, |all, class| all | class);
            for value in &shown.values[from] {
                rows[one.class(value)] |= with;
            }
        }
    }

    /// What is known, said of arguments: where one is in some classes, what another is in.
    fn said_of(&self, store: &mut TermStore, terms: &[TermId]) -> Vec<TermId> {
        if !self.is_reached {
            return vec![store.bool(false)];
        }
        let mut said = Vec::new();
        for (&(a, b), rows) in &self.pairs {
            let [one, other] = [a, b].map(|at| &self.arguments[at]);
            let [term, then] = [one, other].map(|argument| terms[argument.place]);
            if a == b {
                let classes = rows.iter().fold(0, |all, row| all | row);
                said.push(one.said_of(store, term, classes));
                continue;
            }
            let mut with: BTreeMap<u64, u64> = BTreeMap::new();
            for (class, &row) in rows.iter().enumerate() {
                *with.entry(row).or_default() |= 1 << class;
            }
            with.remove(&other.all());
            for (row, classes) in with {
                let outside = one.said_of(store, term, one.all() & !classes);
                let inside = other.said_of(store, then, row);
                said.push(store.or(&[outside, inside]));
            }
        }
        said.retain(|&fact| store.as_bool(fact) != Some(true));
        said
    }
}

struct Analysis<'s> {
    system: &'s System,
    store: TermStore,
    classes: Classes,
    at: At,
    solvers: FxHashMap<ClauseId, Solver>,
}

/// What the arguments of a fact may be, as far as a model shows.
struct Shown {
    /// For each argument that is looked at, the number of what has its value.
    sources: Vec<usize>,
    /// The values that each of these may have, whatever the others have.
    values: Vec<Vec<TermValue>>,
}

impl Analysis<'_> {
    fn run(&mut self, budget: &Budget) -> Option<()> {
        let system = self.system;
        let mut open: BTreeSet<ClauseId> = system.clauses.ids().collect();
        while let Some(clause) = open.pop_first() {
            let row = &system.clauses[clause];
            let Some(head) = &row.head else {
                continue;
            };
            let is_reached = |relation: RelationId| self.classes.known[relation].is_reached;
            if row.body.iter().all(|atom| is_reached(atom.relation))
                && self.derive(clause, row, budget)?
            {
                let uses = |clause: &ClauseId| {
                    let mut body = system.clauses[*clause].body.iter();
                    body.any(|atom| atom.relation == head.relation)
                };
                open.extend(system.clauses.ids().filter(uses));
            }
        }
        Some(())
    }

    /// Adds what a clause derives; whether there was anything new.
    fn derive(&mut self, clause: ClauseId, row: &Clause, budget: &Budget) -> Option<bool> {
        let mut solver = self.solvers.remove(&clause).unwrap_or_else(|| {
            let mut solver = Solver::new();
            solver.assert(&self.store, row.constraint);
            solver
        });
        let mut parts = Vec::new();
        for atom in &row.body {
            let known = &self.classes.known[atom.relation];
            parts.extend(known.said_of(&mut self.store, &atom.arguments));
        }
        let body = self.store.and(&parts);
        let whole = self.store.and(&[row.constraint, body]);
        let head = row.head.as_ref()?;
        // Looking at what a model shows goes through the whole formula.
        let size = self.store.below(&[whole]).len() as u64;
        let mut is_changed = false;
        loop {
            let known = &self.classes.known[head.relation];
            let said = known.said_of(&mut self.store, &head.arguments);
            let new = self.store.not_all(&said);
            match solver.check(&self.store, &[body, new], budget) {
                Answer::Unsat => break,
                Answer::Unknown(_) => return None,
                Answer::Sat => {}
            }
            budget.spend(size);
            let model = solver.model()?;
            let shown = self.shown(whole, head.relation, &head.arguments, model);
            self.classes.known[head.relation].add(&shown, self.at);
            is_changed = true;
        }
        self.solvers.insert(clause, solver);
        Some(is_changed)
    }

    /// What a model shows to be derived: its fact, with other values for arguments that literals
    /// that imply the clause's constraint do not tie to others.
    fn shown(
        &mut self,
        whole: TermId,
        relation: RelationId,
        arguments: &[TermId],
        model: &smt::Model,
    ) -> Shown {
        let store = &mut self.store;
        let by = values(store, model, whole);
        let literals = implicant(store, whole, &BTreeSet::new(), &by);
        let mut cube = literals.map(|literals| Cube::of(store, literals));
        let mut shown = Shown {
            sources: Vec::new(),
            values: Vec::new(),
        };
        let mut of_group: BTreeMap<SymbolId, usize> = BTreeMap::new();
        for looked in &self.classes.known[relation].arguments {
            let term = arguments[looked.place];
            let group = cube.as_mut().and_then(|cube| cube.group(store, term));
            let next = shown.values.len();
            let source = match group {
                Some(group) => *of_group.entry(group).or_insert(next),
                None => next,
            };
            if source == next {
                shown.values.push(vec![model.evaluate(store, term)]);
            }
            shown.sources.push(source);
            if let (Some(group), Some(cube)) = (group, &cube) {
                let mut others = looked.candidates();
                others.retain(|value| cube.allows(store, group, value));
                shown.values[source].extend(others);
            }
        }
        shown
    }
}
