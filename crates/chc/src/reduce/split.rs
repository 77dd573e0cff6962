//! Control arguments as locations: a relation becomes one for each choice of their values.
//!
//! Which values occur is found forwards from the facts, by models of the constraints alone; they
//! are few if the arguments are a program counter, and otherwise nothing is split.

use super::{Reduced, Stage, kept};
use crate::complete::Known;
use crate::realise::equals;
use crate::solved::fixed;
use base::Budget;
use horn::{Atom, Clause, ClauseId, Definition, Relation, RelationId};
use logic::{Sort, SymbolId, TermId, TermStore, TermValue};
use rustc_hash::FxHashMap;
use smt::{Answer, Solver};
use std::collections::{BTreeMap, BTreeSet};

/// How many relations one may become.
const LOCATIONS: usize = 64;
/// How many times more clauses there may be.
const TIMES: usize = 4;
/// The effort of looking for values.
const EFFORT: u64 = 1_000_000;

/// The values of a relation's control arguments, in the order of their places.
type Values = Vec<TermValue>;

/// The places of control arguments, of each relation that has some.
pub(super) type Places = BTreeMap<RelationId, Vec<usize>>;

/// What a relation became: its places of control arguments, and the relation of each values of them.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SplitRelation {
    pub(super) relation: RelationId,
    pub(super) places: Vec<usize>,
    pub(super) parts: Vec<(Values, RelationId)>,
}

impl SplitRelation {
    /// What the relation is: its control arguments have the values of a part, and what is known of
    /// that holds. Said as implications, for checkers go conjunct by conjunct.
    pub(super) fn joined(
        &self,
        store: &mut TermStore,
        known: &Known,
        sorts: &[Sort],
    ) -> Definition {
        let parameters: Vec<TermId> = sorts.iter().map(|&sort| store.fresh("x", sort)).collect();
        let mut facts = Vec::new();
        let mut cases = Vec::new();
        for (case, body) in self.cases(store, known, &parameters) {
            for fact in store.conjuncts(body) {
                facts.push(store.implies(case, fact));
            }
            cases.push(case);
        }
        facts.push(store.or(&cases));
        let parts = self
            .parts
            .iter()
            .filter_map(|(_, part)| known[*part].as_ref());
        let universals = parts.flat_map(|definition| &definition.universals);
        Definition {
            universals: universals.copied().collect(),
            parameters,
            body: store.and(&facts),
        }
    }

    /// For each part, that the control arguments have its values, and what is known of it.
    fn cases(
        &self,
        store: &mut TermStore,
        known: &Known,
        parameters: &[TermId],
    ) -> Vec<(TermId, TermId)> {
        let others = kept(parameters, |place| !self.places.contains(&place));
        let mut cases = Vec::new();
        for (values, part) in &self.parts {
            let Some(definition) = &known[*part] else {
                continue;
            };
            let own = definition.parameters.iter().copied();
            let map = own.zip(others.iter().copied()).collect();
            let body = store.replace_all(&[definition.body], &map)[0];
            let literals: Vec<TermId> = (self.places.iter().zip(values))
                .map(|(&place, value)| equals(store, parameters[place], value))
                .collect();
            cases.push((store.and(&literals), body));
        }
        cases
    }
}

impl Reduced<'_> {
    /// Splits every relation whose truth values take few values, if the clauses stay few.
    pub(super) fn split(&mut self, budget: &Budget) {
        let truths = |sorts: &[Sort]| -> Vec<usize> {
            let numbered = sorts.iter().enumerate();
            let truths = numbered.filter(|(_, sort)| **sort == Sort::Bool);
            truths.map(|(place, _)| place).collect()
        };
        let relations = self.system.relations.iter_enumerated();
        let places = relations.map(|(id, relation)| (id, truths(&relation.sorts)));
        let places: Places = places.filter(|(_, places)| !places.is_empty()).collect();
        let budget = budget.clone().with_effort(EFFORT);
        self.split_at(&places, &budget);
    }

    /// Splits relations by the values of some of their arguments, if the clauses stay few; if not, a
    /// relation of which there were too many is given where there is one.
    pub(super) fn split_at(&mut self, places: &Places, budget: &Budget) -> Option<RelationId> {
        if places.is_empty() {
            return None;
        }
        match Exploration::new(self, places).explore(budget) {
            Ok(instances) => {
                self.put(places, instances);
                None
            }
            Err(GaveUp(relation)) => relation,
        }
    }

    /// Puts the instances in place of the clauses.
    fn put(&mut self, places: &Places, instances: Vec<Instance>) {
        let mut parts: BTreeMap<(RelationId, Values), RelationId> = BTreeMap::new();
        let mut rows = Vec::new();
        for instance in instances {
            let mut clause = instance.clause;
            let atoms = clause.body.iter_mut().chain(&mut clause.head);
            for (atom, values) in atoms.zip(instance.values) {
                if let Some(own) = places.get(&atom.relation) {
                    self.become_part(atom, own, values, &mut parts);
                }
            }
            rows.push((clause, self.origins[instance.of].clone()));
        }
        self.put_clauses(rows);
        let split = places.iter().map(|(&relation, places)| {
            let own = parts.iter().filter(|((of, _), _)| *of == relation);
            SplitRelation {
                relation,
                places: places.clone(),
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
        places: &[usize],
        values: Values,
        parts: &mut BTreeMap<(RelationId, Values), RelationId>,
    ) {
        let old = atom.relation;
        let keeps = |place: usize| !places.contains(&place);
        let part = *parts
            .entry((old, values))
            .or_insert_with_key(|(_, values)| {
                let row = self.system.relations[old].clone();
                let text = name_of_part(values);
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

/// What a part is called for its values.
fn name_of_part(values: &[TermValue]) -> String {
    let text = values.iter().map(|value| match value {
        TermValue::Bool(value) => u8::from(*value).to_string(),
        TermValue::Int(value) => format!("_{value}"),
        TermValue::Real(_) | TermValue::Array(_) => String::new(),
    });
    text.collect()
}

/// A clause for some values of the control arguments of its atoms.
struct Instance {
    of: ClauseId,
    clause: Clause,
    /// Of the body and the head; empty for atoms that are not split.
    values: Vec<Values>,
}

/// Parts are too many (of a relation), or the solver does not know.
struct GaveUp(Option<RelationId>);

struct Exploration<'r, 's> {
    reduced: &'r mut Reduced<'s>,
    places: &'r Places,
    reached: BTreeSet<(RelationId, Values)>,
    /// Each has the constraint of a clause.
    solvers: FxHashMap<ClauseId, Solver>,
    most: usize,
}

impl<'r, 's> Exploration<'r, 's> {
    fn new(reduced: &'r mut Reduced<'s>, places: &'r Places) -> Self {
        let most = TIMES * reduced.system.clauses.len() + LOCATIONS;
        Exploration {
            reduced,
            places,
            reached: BTreeSet::new(),
            solvers: FxHashMap::default(),
            most,
        }
    }

    /// The instances of all clauses for the values that are reached.
    fn explore(mut self, budget: &Budget) -> Result<Vec<Instance>, GaveUp> {
        let mut done: BTreeMap<(ClauseId, Vec<Values>), Vec<Instance>> = BTreeMap::new();
        let mut count = 0;
        loop {
            let before = done.len();
            for id in self.reduced.system.clauses.ids().collect::<Vec<_>>() {
                let clause = self.reduced.system.clauses[id].clone();
                let bodies = self.bodies(&clause);
                if bodies.len() > self.most {
                    return Err(self.too_many());
                }
                for body in bodies {
                    let key = (id, body);
                    if done.contains_key(&key) {
                        continue;
                    }
                    let instances = self.instances(id, &clause, &key.1, budget)?;
                    count += instances.len();
                    done.insert(key, instances);
                    if count > self.most {
                        return Err(self.too_many());
                    }
                }
            }
            if before == done.len() {
                return Ok(done.into_values().flatten().collect());
            }
            if let Some((relation, size)) = self.widest()
                && size > LOCATIONS
            {
                return Err(GaveUp(Some(relation)));
            }
        }
    }

    fn too_many(&self) -> GaveUp {
        GaveUp(self.widest().map(|(relation, _)| relation))
    }

    /// The relation that has most parts by now, and how many.
    fn widest(&self) -> Option<(RelationId, usize)> {
        let mut counts: BTreeMap<RelationId, usize> = BTreeMap::new();
        for (relation, _) in &self.reached {
            *counts.entry(*relation).or_default() += 1;
        }
        counts.into_iter().max_by_key(|&(_, size)| size)
    }

    /// The values that the atoms of a body may have.
    fn bodies(&self, clause: &Clause) -> Vec<Vec<Values>> {
        let mut bodies = vec![Vec::new()];
        for atom in &clause.body {
            let choices: Vec<Values> = match self.places.contains_key(&atom.relation) {
                false => vec![Values::new()],
                true => (self.reached.iter())
                    .filter(|(relation, _)| *relation == atom.relation)
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

    /// A clause for values of its body and each values that its head may have then.
    fn instances(
        &mut self,
        of: ClauseId,
        clause: &Clause,
        body: &[Values],
        budget: &Budget,
    ) -> Result<Vec<Instance>, GaveUp> {
        let system = &mut self.reduced.system;
        let mut parts = Vec::new();
        for (atom, values) in clause.body.iter().zip(body) {
            let places = self.places.get(&atom.relation).into_iter().flatten();
            for (&place, value) in places.zip(values) {
                parts.push(equals(&mut system.store, atom.arguments[place], value));
            }
        }
        let given = system.store.and(&parts);
        let mut controls: Vec<TermId> = Vec::new();
        if let Some(head) = &clause.head {
            let places = self.places.get(&head.relation).into_iter().flatten();
            controls.extend(places.map(|&place| head.arguments[place]));
        }
        // Telling the solver the constraint takes longer than most questions.
        let solver = self.solvers.entry(of).or_insert_with(|| {
            let mut solver = Solver::new();
            solver.assert(&system.store, clause.constraint);
            solver
        });
        let mut asked = vec![given];
        let mut instances = Vec::new();
        loop {
            match solver.check(&system.store, &asked, budget) {
                Answer::Unsat => return Ok(instances),
                Answer::Unknown(_) => return Err(GaveUp(None)),
                Answer::Sat => {}
            }
            let model = solver.model().ok_or(GaveUp(None))?.clone();
            let mut values = Values::new();
            let mut same = Vec::new();
            for &control in &controls {
                let value = model.evaluate(&system.store, control);
                same.push(equals(&mut system.store, control, &value));
                values.push(value);
            }
            let same = system.store.and(&same);
            let whole = system.store.and(&[clause.constraint, given, same]);
            let mut instance = clause.clone();
            instance.constraint = with_values_put_in(&mut system.store, whole, clause);
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
                return Err(GaveUp(clause.head.as_ref().map(|head| head.relation)));
            }
            asked.push(system.store.not(same));
        }
    }
}

/// A constraint in which values that it fixes by themselves stand everywhere. They stay said, since
/// the clause's atoms may mention them.
fn with_values_put_in(store: &mut TermStore, constraint: TermId, clause: &Clause) -> TermId {
    let mut constraint = constraint;
    let arguments: Vec<TermId> = clause.atoms().flat_map(|a| a.arguments.clone()).collect();
    let mentioned: BTreeSet<SymbolId> = store.symbols_of(&arguments);
    let mut said: Vec<TermId> = Vec::new();
    loop {
        let mut values = FxHashMap::default();
        for conjunct in store.conjuncts(constraint) {
            let Some((symbol, value)) = fixed(store, conjunct) else {
                continue;
            };
            values.insert(symbol, value);
            if mentioned.contains(&symbol) {
                said.push(conjunct);
            }
        }
        if values.is_empty() {
            said.push(constraint);
            return store.and(&said);
        }
        constraint = store.substitute(constraint, &values);
    }
}
