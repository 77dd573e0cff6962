//! From a proof or a trace of the program to a model or a derivation of its clauses.

use super::translate::{Automaton, SiteMeaning};
use crate::complete::{Known, complete};
use crate::realise::realise;
use base::{Budget, IdVec};
use certify::{Inductive, Proof, Trace, replay};
use horn::{Definition, Derivation, Model, RelationId, Step, StepId, System};
use interpolate::eliminate::eliminate;
use logic::{SymbolId, TermId, TermStore};
use program::expr::Constant;
use rustc_hash::FxHashMap;
use smt::Solver;
use std::collections::{BTreeMap, BTreeSet};

/// The model that the labels of a proof are.
pub fn model(
    system: &System,
    automaton: &Automaton,
    proof: &Proof,
    budget: &Budget,
) -> Result<Model, String> {
    let mut known: Known = IdVec::filled(None, system.relations.len());
    let mut store = system.store.clone();
    match proof {
        Proof::Inductive(proof) => {
            labels(system, automaton, proof, &mut store, &mut known, budget)?
        }
        Proof::Reached(reached) => {
            for relation in system.relations.ids() {
                let place = (automaton.program.entry, automaton.locations[relation]);
                let is_reached = reached.locations.contains(&place);
                let parameters = parameters(system, &mut store, relation);
                known[relation] = Some(Definition::new(parameters, store.bool(is_reached)));
            }
        }
        Proof::Unwound(_) | Proof::Runs(_) | Proof::Rewritten(_) => {}
    }
    complete(system, store, known, budget)
}

fn parameters(system: &System, store: &mut TermStore, relation: RelationId) -> Vec<TermId> {
    let sorts = system.relations[relation].sorts.iter();
    sorts.map(|&sort| store.fresh("x", sort)).collect()
}

/// Definitions of the relations whose locations have labels.
fn labels(
    system: &System,
    automaton: &Automaton,
    proof: &Inductive,
    store: &mut TermStore,
    known: &mut Known,
    budget: &Budget,
) -> Result<(), String> {
    for relation in system.relations.ids() {
        let place = (automaton.program.entry, automaton.locations[relation]);
        let Some(&label) = proof.labels.get(&place) else {
            continue;
        };
        let parameters = parameters(system, store, relation);
        // What stands for the arguments and the ghosts in the label, and in our store.
        let mut proof_store = proof.store.clone();
        let mut memo: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut own: BTreeSet<SymbolId> = BTreeSet::new();
        for symbol in proof_store.symbols_of(&[label]) {
            let argument = (automaton.arguments[relation].iter())
                .position(|&var| proof.vars.get(var) == Some(&symbol));
            let term = proof_store.of_symbol(symbol);
            let sort = proof_store.sort(term);
            let stand_in = match argument {
                Some(at) => parameters[at],
                None => {
                    let fresh = store.new_symbol("other", sort);
                    own.insert(fresh);
                    store.of_symbol(fresh)
                }
            };
            memo.insert(term, stand_in);
        }
        let body = store.copy(&proof_store, label, &mut memo);
        let mut solver = Solver::new();
        let body = eliminate(&mut solver, store, body, &own, budget)?;
        known[relation] = Some(Definition::new(parameters, body));
    }
    Ok(())
}

/// The derivation that a trace makes.
pub fn derivation(
    system: &System,
    automaton: &Automaton,
    trace: &Trace,
    budget: &Budget,
) -> Result<Derivation, String> {
    let replayed = replay(&automaton.program, trace, budget).map_err(|error| error.to_string())?;
    if !replayed.leaps.is_empty() {
        return Err("the derivation is too long to be written down".into());
    }
    let mut inputs = replayed.run.inputs.iter().peekable();
    let mut skeleton = Derivation::default();
    let mut before: Option<StepId> = None;
    let mut at: Option<RelationId> = None;
    loop {
        let leaving = automaton.leaving.get(&at).ok_or("a run that stops")?;
        let mut chosen = 0;
        if leaving.len() > 1 {
            let (site, value) = inputs.next().ok_or("a run without a choice")?;
            if automaton.sites[*site] != SiteMeaning::Choice {
                return Err("a run that chooses late".into());
            }
            let number = match value {
                Constant::Int(value) => value.to_i128(),
                Constant::Bool(_) | Constant::Null | Constant::Float(..) => None,
            };
            let number = number.and_then(|number| usize::try_from(number).ok());
            chosen = number.unwrap_or(usize::MAX).min(leaving.len() - 1);
        }
        let clause = leaving[chosen];
        let mut values = BTreeMap::new();
        while let Some((site, value)) = inputs.peek() {
            let SiteMeaning::Variable(of, symbol) = automaton.sites[*site] else {
                break;
            };
            if of != clause || values.contains_key(&symbol) {
                break;
            }
            values.extend(value.term_value().map(|value| (symbol, value)));
            inputs.next();
        }
        before = Some(skeleton.steps.push(Step {
            clause,
            premises: before.into_iter().collect(),
            values,
        }));
        match &system.clauses[clause].head {
            Some(head) => at = Some(head.relation),
            None => return realise(system, &skeleton, budget),
        }
    }
}
