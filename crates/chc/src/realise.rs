//! From the clauses of a derivation to the derivation: finds values for all their variables.

use base::{Budget, IdVec};
use horn::derivation::Fact;
use horn::{Derivation, Step, StepId, System};
use logic::{Assignment, Node, SymbolId, TermId, TermStore, TermValue};
use rustc_hash::FxHashMap;
use smt::{Answer, Model, Solver};
use std::collections::BTreeMap;

/// Finds values with which the steps of a skeleton follow from each other: a derivation of whose
/// values only some are there.
pub fn realise(
    system: &System,
    skeleton: &Derivation,
    budget: &Budget,
) -> Result<Derivation, String> {
    match forward(system, skeleton, budget) {
        Some(derivation) => Ok(derivation),
        None => at_once(system, skeleton, budget),
    }
}

/// Goes from step to step, each with the values that those before it have: quick where every choice
/// is known or does not matter later.
fn forward(system: &System, skeleton: &Derivation, budget: &Budget) -> Option<Derivation> {
    let mut store = system.store.clone();
    let mut derivation = Derivation::default();
    let mut facts: IdVec<StepId, Option<Fact>> = IdVec::new();
    for step in skeleton.steps.iter() {
        let clause = &system.clauses[step.clause];
        let mark = store.mark();
        let mut solver = Solver::new();
        solver.assert(&store, clause.constraint);
        for (&symbol, value) in &step.values {
            let term = store.of_symbol(symbol);
            let equal = equals(&mut store, term, value);
            solver.assert(&store, equal);
        }
        let mut given: Vec<(TermId, &TermValue)> = Vec::new();
        for (atom, &premise) in clause.body.iter().zip(&step.premises) {
            let fact = facts.get(premise)?.as_ref()?;
            given.extend(atom.arguments.iter().copied().zip(&fact.values));
        }
        for &(argument, value) in &given {
            let equal = equals(&mut store, argument, value);
            solver.assert(&store, equal);
        }
        if solver.check(&store, &[], budget) != Answer::Sat {
            return None;
        }
        let model = solver.model()?;
        let value = |symbol| (symbol, model.value(&store, symbol));
        let mut values: BTreeMap<SymbolId, TermValue> = clause
            .variables(&system.store)
            .into_iter()
            .map(value)
            .collect();
        // Arrays cannot be said in full by a formula: take them from the facts.
        for (argument, value) in given {
            if let (Node::Symbol(symbol), TermValue::Array(_)) =
                (system.store.node(argument), value)
            {
                values.insert(*symbol, value.clone());
            }
        }
        let step = Step {
            clause: step.clause,
            values,
            premises: step.premises.clone(),
        };
        facts.push(step.fact(system).ok()?);
        derivation.steps.push(step);
        drop(solver);
        store.release(mark);
    }
    certify::clauses::check_derivation(system, &derivation).ok()?;
    Some(derivation)
}

/// What a model says of the symbols of a formula.
pub(crate) fn values(store: &TermStore, model: &Model, formula: TermId) -> Assignment {
    let symbols = store.symbols_of(&[formula]).into_iter();
    Assignment {
        symbols: symbols
            .map(|symbol| (symbol, model.value(store, symbol)))
            .collect(),
        ..Assignment::default()
    }
}

/// That a term has a value, as far as a formula can say it.
pub(crate) fn equals(store: &mut TermStore, term: TermId, value: &TermValue) -> TermId {
    match value {
        TermValue::Bool(true) => term,
        TermValue::Bool(false) => store.not(term),
        TermValue::Int(value) => store.equals(term, value.clone()),
        TermValue::Real(value) => {
            let value = store.real(value.clone());
            store.eq(term, value)
        }
        TermValue::Array(array) => {
            let mut equal = Vec::new();
            for (index, element) in array.entries() {
                let (index, element) = (store.int(index.clone()), store.int(element.clone()));
                let found = store.select(term, index);
                equal.push(store.eq(found, element));
            }
            store.and(&equal)
        }
    }
}

/// Solves all steps as one formula.
fn at_once(system: &System, skeleton: &Derivation, budget: &Budget) -> Result<Derivation, String> {
    let mut store = system.store.clone();
    let mut solver = Solver::new();
    let mut renamings: Vec<FxHashMap<SymbolId, TermId>> = Vec::new();
    let mut heads: IdVec<StepId, Vec<TermId>> = IdVec::new();
    for step in skeleton.steps.iter() {
        let clause = &system.clauses[step.clause];
        let fresh = clause.renaming(&system.store, &mut store);
        let constraint = store.substitute(clause.constraint, &fresh);
        solver.assert(&store, constraint);
        for (symbol, value) in &step.values {
            if let Some(&term) = fresh.get(symbol) {
                let equal = equals(&mut store, term, value);
                solver.assert(&store, equal);
            }
        }
        for (atom, &premise) in clause.body.iter().zip(&step.premises) {
            let arguments = store.substitute_all(&atom.arguments, &fresh);
            let derived = heads.get(premise).cloned().unwrap_or_default();
            for (a, b) in arguments.into_iter().zip(derived) {
                let equal = store.eq(a, b);
                solver.assert(&store, equal);
            }
        }
        let head = clause.head.as_ref().map_or(&[][..], |head| &head.arguments);
        heads.push(store.substitute_all(head, &fresh));
        renamings.push(fresh);
    }
    match solver.check(&store, &[], budget) {
        Answer::Sat => {}
        Answer::Unsat => return Err("the clauses of a derivation do not fit together".into()),
        Answer::Unknown(why) => return Err(why),
    }
    let model = solver.model().ok_or("a model that cannot be read")?;
    let mut steps = IdVec::new();
    for (step, fresh) in skeleton.steps.iter().zip(&renamings) {
        let clause = &system.clauses[step.clause];
        let value = |symbol: SymbolId| (symbol, model.evaluate(&store, fresh[&symbol]));
        steps.push(Step {
            clause: step.clause,
            values: clause
                .variables(&system.store)
                .into_iter()
                .map(value)
                .collect(),
            premises: step.premises.clone(),
        });
    }
    Ok(Derivation { steps })
}
