//! Z3's Spacer as an engine: its model and its derivation are translated to our certificates.
//!
//! # Paper
//! [komuravelli2014smt], with [vediramanakrishnan2020global] in the setting `global`. The search is
//! Z3's. It may be called twice: first it may rewrite the clauses, which helps it; but then a
//! derivation would be about other clauses, and a model may have quantifiers.

use crate::ClauseEngine;
use crate::complete::complete;
use crate::realise::{equals, realise};
use crate::reduce::has_arrays;
use base::{Budget, Id, IdVec};
use certify::clauses::check_model;
use certify::{ClauseOutcome, Reason};
use engine::About;
use horn::{Atom, ClauseId, Definition, Derivation, RelationId, Step, StepId, System};
use logic::{Node, SymbolId, TermId, TermStore, TermValue};
use smt::spacer::{SpacerDefinition, SpacerFact, SpacerProblem, SpacerRule};
use smt::{Answer, Solver, SpacerAnswer, SpacerConfig, spacer};
use std::collections::BTreeMap;

/// How many orders of a fact's premises are tried.
const ORDERS: usize = 200;

/// Spacer in one of its settings.
pub struct Spacer {
    name: &'static str,
    summary: &'static str,
    config: SpacerConfig,
}

/// As Z3 has it by itself.
pub static SPACER: Spacer = Spacer {
    name: "spacer",
    summary: "Z3's Spacer, as it is by itself",
    config: SpacerConfig::Default,
};

/// With global guidance.
pub static SPACER_GLOBAL: Spacer = Spacer {
    name: "spacer-global",
    summary: "Z3's Spacer with global guidance",
    config: SpacerConfig::Global,
};

/// With quantified generalisation.
pub static SPACER_QUANTIFIED: Spacer = Spacer {
    name: "spacer-quantified",
    summary: "Z3's Spacer with quantified lemmas; for clauses with arrays only",
    config: SpacerConfig::Quantified,
};

impl ClauseEngine for Spacer {
    fn about(&self) -> About {
        About {
            name: self.name,
            summary: self.summary,
            papers: match self.config {
                SpacerConfig::Default | SpacerConfig::Quantified => &["komuravelli2014smt"],
                SpacerConfig::Global => &["komuravelli2014smt", "vediramanakrishnan2020global"],
            },
        }
    }

    fn solve(&self, system: &System, budget: &Budget) -> ClauseOutcome {
        if self.config == SpacerConfig::Quantified && !has_arrays(system) {
            return ClauseOutcome::Unknown(Reason::unsupported("there are no arrays to speak of"));
        }
        let problem = problem(system);
        let mut store = system.store.clone();
        let answer = spacer(&mut store, &problem, self.config, true, budget);
        if let SpacerAnswer::Model(definitions) = answer
            && let ClauseOutcome::Sat(model) = model(system, &store, definitions, budget)
            && check_model(system, &model, budget).is_ok()
        {
            return ClauseOutcome::Sat(model);
        }
        let mut store = system.store.clone();
        match spacer(&mut store, &problem, self.config, false, budget) {
            SpacerAnswer::Model(definitions) => model(system, &store, definitions, budget),
            SpacerAnswer::Derived(facts) => derivation(system, &facts, budget),
            SpacerAnswer::Unknown(why) => {
                ClauseOutcome::Unknown(Reason::unfinished(format!("Spacer gave up: {why}"), budget))
            }
        }
    }
}

/// The clauses as Spacer takes them.
fn problem(system: &System) -> SpacerProblem {
    let atom = |atom: &Atom| (atom.relation.index(), atom.arguments.clone());
    let rule = |clause: &horn::Clause| SpacerRule {
        body: clause.body.iter().map(atom).collect(),
        constraint: clause.constraint,
        head: clause.head.as_ref().map(atom),
    };
    SpacerProblem {
        relations: (system.relations.iter())
            .map(|relation| relation.sorts.clone())
            .collect(),
        rules: system.clauses.iter().map(rule).collect(),
    }
}

fn model(
    system: &System,
    store: &TermStore,
    definitions: Vec<SpacerDefinition>,
    budget: &Budget,
) -> ClauseOutcome {
    let mut known: IdVec<RelationId, Option<Definition>> =
        IdVec::filled(None, system.relations.len());
    for definition in definitions {
        known[RelationId::from_index(definition.relation)] = Some(Definition {
            parameters: definition.parameters,
            universals: definition.universals,
            body: definition.body,
        });
    }
    match complete(system, store.clone(), known, budget) {
        Ok(model) => ClauseOutcome::Sat(Box::new(model)),
        Err(why) => {
            let message = format!("Spacer's model could not be completed: {why}");
            ClauseOutcome::Unknown(Reason::gave_up(message))
        }
    }
}

fn derivation(system: &System, facts: &[SpacerFact], budget: &Budget) -> ClauseOutcome {
    let found =
        skeleton(system, facts, budget).and_then(|skeleton| realise(system, &skeleton, budget));
    match found {
        Ok(derivation) => ClauseOutcome::Unsat(derivation),
        Err(why) => {
            let message = format!("Spacer's derivation could not be followed: {why}");
            ClauseOutcome::Unknown(Reason::gave_up(message))
        }
    }
}

/// Finds the clauses by which Spacer's facts come from each other.
fn skeleton(system: &System, facts: &[SpacerFact], budget: &Budget) -> Result<Derivation, String> {
    let mut store = system.store.clone();
    let mut skeleton = Derivation::default();
    for fact in facts {
        let goal = fact.relation == system.relations.len();
        let candidates: Vec<ClauseId> = match goal {
            true => system.queries().collect(),
            false => system
                .clauses_of(RelationId::from_index(fact.relation))
                .collect(),
        };
        let fits = |&clause: &ClauseId| {
            let orders = orders(system, clause, facts, fact).into_iter();
            orders.map(move |premises| (clause, premises))
        };
        let fitting: Vec<_> = candidates.iter().flat_map(fits).collect();
        let chosen = match fitting.len() {
            1 => fitting.into_iter().next(),
            _ => fitting.into_iter().find(|(clause, premises)| {
                follows(system, &mut store, *clause, premises, facts, fact, budget)
            }),
        };
        let (clause, premises) = chosen.ok_or("no clause gives one of its facts")?;
        skeleton.steps.push(Step {
            clause,
            values: known_values(system, clause, &premises, facts, fact),
            premises: premises.into_iter().map(StepId::from_index).collect(),
        });
    }
    Ok(skeleton)
}

/// The orders in which the premises of a fact are the relations of a clause's body.
fn orders(
    system: &System,
    clause: ClauseId,
    facts: &[SpacerFact],
    fact: &SpacerFact,
) -> Vec<Vec<usize>> {
    let body = &system.clauses[clause].body;
    if body.len() < fact.premises.len() {
        return Vec::new();
    }
    // Where two relations of a body have to be the same fact, Spacer has it once.
    let is_shared = body.len() > fact.premises.len();
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for atom in body {
        let mut longer = Vec::new();
        for order in &orders {
            for (place, &premise) in fact.premises.iter().enumerate() {
                let is_left = is_shared || !order.contains(&place);
                if is_left && facts[premise].relation == atom.relation.index() {
                    longer.push([&order[..], &[place]].concat());
                }
            }
        }
        longer.truncate(ORDERS);
        orders = longer;
    }
    let premises = |order: Vec<usize>| order.into_iter().map(|at| fact.premises[at]).collect();
    orders.into_iter().map(premises).collect()
}

/// Whether a clause gives a fact of its premises.
fn follows(
    system: &System,
    store: &mut TermStore,
    clause: ClauseId,
    premises: &[usize],
    facts: &[SpacerFact],
    fact: &SpacerFact,
    budget: &Budget,
) -> bool {
    let clause = &system.clauses[clause];
    let mut solver = Solver::new();
    solver.assert(store, clause.constraint);
    let mut same = |arguments: &[TermId], values: &[TermValue]| {
        for (&argument, value) in arguments.iter().zip(values) {
            if !matches!(value, TermValue::Array(_)) {
                let equal = equals(store, argument, value);
                solver.assert(store, equal);
            }
        }
    };
    if let Some(head) = &clause.head {
        same(&head.arguments, &fact.values);
    }
    for (atom, &premise) in clause.body.iter().zip(premises) {
        same(&atom.arguments, &facts[premise].values);
    }
    solver.check(store, &[], budget) == Answer::Sat
}

/// The values of a clause's variables that are in the facts of a step.
fn known_values(
    system: &System,
    clause: ClauseId,
    premises: &[usize],
    facts: &[SpacerFact],
    fact: &SpacerFact,
) -> BTreeMap<SymbolId, TermValue> {
    let clause = &system.clauses[clause];
    let mut known = BTreeMap::new();
    let head = clause.head.iter().map(|head| (head, &fact.values));
    let body = clause.body.iter().zip(premises);
    let body = body.map(|(atom, &premise)| (atom, &facts[premise].values));
    for (atom, values) in head.chain(body) {
        for (&argument, value) in atom.arguments.iter().zip(values) {
            if let Node::Symbol(symbol) = system.store.node(argument)
                && !matches!(value, TermValue::Array(_))
            {
                known.insert(*symbol, value.clone());
            }
        }
    }
    known
}
