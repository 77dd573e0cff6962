//! The relations missing from a model.
//!
//! A relation whose clauses have only known relations in their bodies must contain what these
//! clauses derive: that, with the other variables eliminated, is a definition. If elimination
//! fails, an interpolant between what the clauses derive and what the clauses that use it allow
//! will do, if those mention known relations only. Mutually dependent relations are empty, or
//! everything if something may be derived: this suffices if an engine left them out because they do
//! not matter.
//!
//! If all that fails, an engine can solve the clauses with the known relations substituted
//! ([`complete_by`]).

use crate::ClauseEngine;
use base::{Budget, IdVec};
use certify::ClauseOutcome;
use horn::{Atom, Clause, Definition, Model, RelationId, System};
use interpolate::eliminate::eliminate;
use interpolate::{Interpolator, Layers};
use logic::{TermId, TermStore};
use prover::Shape;
use rustc_hash::FxHashMap;
use smt::{Answer, Solver};

/// Definitions by relation, as far as they are known.
pub type Known = IdVec<RelationId, Option<Definition>>;

/// The model with these definitions, over terms of the store, which has those of the clauses too,
/// and with definitions of all other relations.
pub fn complete(
    system: &System,
    store: TermStore,
    mut known: Known,
    budget: &Budget,
) -> Result<Model, String> {
    let mut completion = Completion { system, store };
    while known.iter().any(Option::is_none) {
        match next_relation(system, &known) {
            Some(next) => known[next] = Some(completion.define(next, &known, budget)?),
            None => completion.decide(&mut known, budget)?,
        }
    }
    Ok(Model {
        store: completion.store,
        definitions: known.into_iter().flatten().collect(),
    })
}

/// The same, by an engine that solves the clauses of the unknown relations, with the known ones as
/// parts of constraints.
pub fn complete_by(
    engine: &dyn ClauseEngine,
    system: &System,
    store: TermStore,
    known: Known,
    budget: &Budget,
) -> Result<Model, String> {
    let mut completion = Completion { system, store };
    let rest = completion.rest(&known).ok_or("a quantified definition")?;
    let ClauseOutcome::Sat(model) = engine.solve(&rest, budget) else {
        return Err("the relations that it lacks were not found".into());
    };
    let mut store = completion.store;
    let found = taken_over(&mut store, &model);
    let mut definitions = IdVec::new();
    for (known, found) in known.iter().zip(found.iter()) {
        if let Some(definition) = known.as_ref().or(found.as_ref()) {
            definitions.push(definition.clone());
        }
    }
    Ok(Model { store, definitions })
}

/// The definitions of a model, over new symbols of another store.
pub(crate) fn taken_over(store: &mut TermStore, model: &Model) -> Known {
    let mut known = IdVec::new();
    for definition in model.definitions.iter() {
        let mut memo: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut fresh = |symbol: &TermId| {
            let new = store.fresh("x", model.store.sort(*symbol));
            memo.insert(*symbol, new);
            new
        };
        let parameters = definition.parameters.iter().map(&mut fresh).collect();
        let universals = definition.universals.iter().map(&mut fresh).collect();
        let body = store.copy(&model.store, definition.body, &mut memo);
        known.push(Some(Definition {
            parameters,
            universals,
            body,
        }));
    }
    known
}

/// An unknown relation all of whose clauses mention known ones.
fn next_relation(system: &System, known: &Known) -> Option<RelationId> {
    let is_ready = |relation: &RelationId| {
        let mut clauses = system.clauses_of(*relation);
        clauses.all(|clause| {
            let mut body = system.clauses[clause].body.iter();
            body.all(|atom| known[atom.relation].is_some())
        })
    };
    known.ids().filter(|&id| known[id].is_none()).find(is_ready)
}

struct Completion<'s> {
    system: &'s System,
    store: TermStore,
}

impl Completion<'_> {
    fn define(
        &mut self,
        relation: RelationId,
        known: &Known,
        budget: &Budget,
    ) -> Result<Definition, String> {
        let parameters = self.system.relations[relation].parameters(&mut self.store);
        let derived = self.derived(relation, &parameters, known)?;
        let body = match self.eliminated(derived, &parameters, budget) {
            Ok(body) => body,
            Err(why) => {
                let refuted = self.refuted(relation, &parameters, known).ok_or(why)?;
                let (shape, parts) = (Shape::sequence(2), [derived, refuted]);
                let mut interpolator = Interpolator::new(Layers::ALL);
                let found = interpolator.interpolate(&mut self.store, shape.of(&parts), budget);
                found.found()?[0]
            }
        };
        Ok(Definition::new(parameters, body))
    }

    /// Lets each unknown relation be nothing, or everything if a clause may derive something.
    fn decide(&mut self, known: &mut Known, budget: &Budget) -> Result<(), String> {
        let unknown: Vec<RelationId> = known.ids().filter(|&id| known[id].is_none()).collect();
        for &relation in &unknown {
            let sorts = self.system.relations[relation].sorts.iter();
            known[relation] = Some(Definition::new(
                sorts.map(|&sort| self.store.fresh("x", sort)).collect(),
                self.store.bool(false),
            ));
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &relation in &unknown {
                let everything = self.store.bool(true);
                let Some(Definition {
                    parameters, body, ..
                }) = known[relation].clone()
                else {
                    continue;
                };
                if body == everything {
                    continue;
                }
                let derived = self.derived(relation, &parameters, known)?;
                let mut solver = Solver::new();
                solver.assert(&self.store, derived);
                if solver.check(&self.store, &[], budget) == Answer::Unsat {
                    continue;
                }
                if let Some(definition) = &mut known[relation] {
                    definition.body = everything;
                    changed = true;
                }
            }
        }
        Ok(())
    }

    /// The clauses that mention unknown relations, with the known ones in their constraints; none
    /// if a definition has quantifiers.
    fn rest(&mut self, known: &Known) -> Option<System> {
        let mut clauses = IdVec::new();
        for clause in self.system.clauses.iter() {
            if clause.atoms().all(|atom| known[atom.relation].is_some()) {
                continue;
            }
            let mut parts = vec![clause.constraint];
            let mut body = Vec::new();
            for atom in &clause.body {
                match known[atom.relation] {
                    Some(_) => parts.push(self.instance(atom, known)?),
                    None => body.push(atom.clone()),
                }
            }
            let mut head = clause.head.clone();
            if let Some(atom) = head.take_if(|atom| known[atom.relation].is_some()) {
                let holds = self.instance(&atom, known)?;
                parts.push(self.store.not(holds));
            }
            clauses.push(Clause {
                body,
                constraint: self.store.and(&parts),
                head,
                span: clause.span,
            });
        }
        Some(System {
            store: self.store.clone(),
            clauses,
            ..self.system.clone()
        })
    }

    /// What the clauses of a relation derive, with new symbols for their variables.
    fn derived(
        &mut self,
        relation: RelationId,
        parameters: &[TermId],
        known: &Known,
    ) -> Result<TermId, String> {
        let mut cases = Vec::new();
        for id in self.system.clauses_of(relation) {
            let clause = self.renamed(&self.system.clauses[id]);
            let mut parts = vec![clause.constraint];
            for atom in &clause.body {
                parts.push(
                    self.instance(atom, known)
                        .ok_or("a quantified definition")?,
                );
            }
            let arguments = clause.head.map(|head| head.arguments).unwrap_or_default();
            for (&parameter, argument) in parameters.iter().zip(arguments) {
                parts.push(self.store.eq(parameter, argument));
            }
            cases.push(self.store.and(&parts));
        }
        Ok(self.store.or(&cases))
    }

    /// Where clauses that use a relation would fail; none if they mention unknown relations, or
    /// use it twice.
    fn refuted(
        &mut self,
        relation: RelationId,
        parameters: &[TermId],
        known: &Known,
    ) -> Option<TermId> {
        let mut cases = Vec::new();
        for clause in self.system.clauses.iter() {
            if clause.body.iter().all(|atom| atom.relation != relation) {
                continue;
            }
            let clause = self.renamed(clause);
            let mut parts = vec![clause.constraint];
            let mut uses = 0;
            for atom in &clause.body {
                if atom.relation == relation {
                    uses += 1;
                    for (&parameter, &argument) in parameters.iter().zip(&atom.arguments) {
                        parts.push(self.store.eq(parameter, argument));
                    }
                    continue;
                }
                parts.push(self.instance(atom, known)?);
            }
            if let Some(head) = &clause.head {
                let head = self.instance(head, known)?;
                parts.push(self.store.not(head));
            }
            if uses != 1 {
                return None;
            }
            cases.push(self.store.and(&parts));
        }
        Some(self.store.or(&cases))
    }

    /// A clause with new symbols, in our store.
    fn renamed(&mut self, clause: &Clause) -> Clause {
        let store = &mut self.store;
        let map = clause.renaming(&self.system.store, store);
        let mut atom = |atom: &Atom| Atom {
            relation: atom.relation,
            arguments: store.substitute_all(&atom.arguments, &map),
        };
        Clause {
            body: clause.body.iter().map(&mut atom).collect(),
            head: clause.head.as_ref().map(&mut atom),
            constraint: store.substitute(clause.constraint, &map),
            span: clause.span,
        }
    }

    /// What is known about an atom; none if nothing is, or only for all values of something.
    fn instance(&mut self, atom: &Atom, known: &Known) -> Option<TermId> {
        let definition = known[atom.relation].as_ref()?;
        if !definition.universals.is_empty() {
            return None;
        }
        let parameters = definition.parameters.iter().zip(&atom.arguments);
        let map: FxHashMap<TermId, TermId> = parameters.map(|(&from, &to)| (from, to)).collect();
        Some(self.store.replace_all(&[definition.body], &map)[0])
    }

    fn eliminated(
        &mut self,
        formula: TermId,
        parameters: &[TermId],
        budget: &Budget,
    ) -> Result<TermId, String> {
        let kept = self.store.symbols_of(parameters);
        let mut symbols = self.store.symbols_of(&[formula]);
        symbols.retain(|symbol| !kept.contains(symbol));
        let (mut solver, budget) = (Solver::new(), budget.share(25));
        eliminate(&mut solver, &mut self.store, formula, &symbols, &budget)
    }
}
