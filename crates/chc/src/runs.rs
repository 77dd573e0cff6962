//! Runs: concrete facts derived one after another, until a query holds.
//!
//! If clauses leave little choice, a derivation may have thousands of steps, too many for any
//! unwinding, but each step takes only an evaluation. A clause is applied to a fact by a [`Plan`]:
//! conjuncts of its constraint are checked, or determine a variable. What a clause without a body
//! leaves open is chosen by the solver, once; other clauses must leave nothing open.
//!
//! # Invariants
//! - Facts come in order of their number of steps, and each only once.

use crate::ClauseEngine;
use crate::solved::solved_for;
use base::{Budget, Id, IdVec};
use certify::{ClauseOutcome, Reason};
use engine::About;
use horn::{Clause, ClauseId, Derivation, RelationId, Step, StepId, System};
use logic::{Assignment, Node, SymbolId, TermId, TermStore, TermValue};
use rustc_hash::FxHashSet;
use smt::Solver;
use std::collections::BTreeSet;

/// How many facts are derived.
const FACTS: usize = 100_000;
/// What the evaluation of a conjunct costs, in units. Elements of arrays cost one each time they are
/// copied: when a fact is taken, when a conjunct is evaluated and when a fact is kept.
const UNITS: u64 = 2;

/// Runs of linear clauses.
pub struct Runs;

impl ClauseEngine for Runs {
    fn about(&self) -> About {
        About {
            name: "runs",
            summary: "linear clauses: derives facts with values until a query holds; finds no models",
            papers: &[],
        }
    }

    fn solve(&self, system: &System, budget: &Budget) -> ClauseOutcome {
        if !system.is_linear() {
            let message = "a clause has two relations in its body";
            return ClauseOutcome::Unknown(Reason::unsupported(message));
        }
        let mut search = Search {
            store: system.store.clone(),
            facts: IdVec::new(),
            seen: FxHashSet::default(),
        };
        match search.run(system, budget) {
            Ok(last) => ClauseOutcome::Unsat(search.derivation(system, last)),
            Err(reason) => ClauseOutcome::Unknown(reason),
        }
    }
}

/// A step, what it derives, and the step whose fact it uses.
struct Fact {
    clause: ClauseId,
    values: Assignment,
    before: Option<StepId>,
    relation: Option<RelationId>,
    arguments: Vec<TermValue>,
}

struct Search {
    store: TermStore,
    facts: IdVec<StepId, Fact>,
    seen: FxHashSet<(RelationId, Vec<TermValue>)>,
}

impl Search {
    /// The step that derives false, or why none was found.
    fn run(&mut self, system: &System, budget: &Budget) -> Result<StepId, Reason> {
        let mut plans: IdVec<ClauseId, Plan> = IdVec::new();
        for clause in system.clauses.iter() {
            let plan = Plan::new(&mut self.store, clause);
            if !clause.body.is_empty() && !plan.open.is_empty() {
                return Err(Reason::unsupported("a clause leaves a choice"));
            }
            plans.push(plan);
        }
        let of_body = |relation: Option<RelationId>| -> Vec<ClauseId> {
            let clauses = system.clauses.iter_enumerated();
            let body = |clause: &Clause| clause.body.first().map(|atom| atom.relation);
            clauses
                .filter(|(_, clause)| body(clause) == relation)
                .map(|(id, _)| id)
                .collect()
        };
        let mut before: Option<StepId> = None;
        loop {
            let relation = before.and_then(|step| self.facts[step].relation);
            for clause in of_body(relation) {
                if let Some(last) = self.derive(system, &plans[clause], clause, before, budget) {
                    return Ok(last);
                }
            }
            let count = self.facts.len();
            budget
                .check()
                .map_err(|limit| Reason::new(limit.into(), format!("after {count} facts")))?;
            let next = before.map_or(0, |step| step.index() + 1);
            if next >= count || count > FACTS {
                return Err(Reason::gave_up(format!("no query holds of {count} facts")));
            }
            before = Some(StepId::from_index(next));
        }
    }

    /// Applies a clause to a fact; returns the step if it derives false.
    fn derive(
        &mut self,
        system: &System,
        plan: &Plan,
        id: ClauseId,
        before: Option<StepId>,
        budget: &Budget,
    ) -> Option<StepId> {
        let arguments = before.map_or(&[][..], |step| &self.facts[step].arguments);
        let values = plan.values(&mut self.store, arguments, budget)?;
        let head = system.clauses[id].head.as_ref();
        let relation = head.map(|head| head.relation);
        let terms = head.map_or(&[][..], |head| &head.arguments);
        let arguments: Option<Vec<TermValue>> = (terms.iter())
            .map(|&term| self.store.evaluate_in(term, &values))
            .collect();
        let arguments = arguments?;
        budget.spend(elements(&arguments));
        if let Some(relation) = relation
            && !self.seen.insert((relation, arguments.clone()))
        {
            return None;
        }
        let step = self.facts.push(Fact {
            clause: id,
            values,
            before,
            relation,
            arguments,
        });
        relation.is_none().then_some(step)
    }

    /// The derivation that ends with a step.
    fn derivation(&self, system: &System, last: StepId) -> Derivation {
        let mut chain = vec![last];
        while let Some(before) = self.facts[chain[chain.len() - 1]].before {
            chain.push(before);
        }
        let mut derivation = Derivation::default();
        let mut premises: Vec<StepId> = Vec::new();
        for &step in chain.iter().rev() {
            let fact = &self.facts[step];
            let variables = system.clauses[fact.clause].variables(&system.store);
            let step = derivation.steps.push(Step {
                clause: fact.clause,
                values: (variables.into_iter())
                    .map(|symbol| (symbol, fact.values.symbols[&symbol].clone()))
                    .collect(),
                premises: std::mem::take(&mut premises),
            });
            premises.push(step);
        }
        derivation
    }
}

/// How many elements the arrays among some values have.
fn elements(values: &[TermValue]) -> u64 {
    let arrays = values.iter().filter_map(TermValue::as_array);
    arrays.map(|array| array.entries().len() as u64).sum()
}

/// How to find values for the variables of a clause.
struct Plan {
    /// The symbols that the arguments of the body are.
    body: Vec<SymbolId>,
    /// What is done with them, in this order.
    actions: Vec<Action>,
    /// The variables that have no value then, and what is left of the constraint.
    open: BTreeSet<SymbolId>,
    rest: Vec<TermId>,
}

enum Action {
    Check(TermId),
    Assign(SymbolId, TermId),
}

impl Plan {
    fn new(store: &mut TermStore, clause: &Clause) -> Plan {
        let mut rest = store.conjuncts(clause.constraint);
        let mut body: Vec<SymbolId> = Vec::new();
        for argument in clause.body.iter().flat_map(|atom| &atom.arguments) {
            if let Node::Symbol(symbol) = store.node(*argument)
                && !body.contains(symbol)
            {
                body.push(*symbol);
                continue;
            }
            let stand_in = store.new_symbol("argument", store.sort(*argument));
            body.push(stand_in);
            let stand_in = store.of_symbol(stand_in);
            let equal = store.eq(*argument, stand_in);
            rest.extend(store.conjuncts(equal));
        }
        let mut known: BTreeSet<SymbolId> = body.iter().copied().collect();
        let mut actions = Vec::new();
        while let Some((at, action)) = next(store, &rest, &known) {
            rest.remove(at);
            if let Action::Assign(symbol, _) = action {
                known.insert(symbol);
            }
            actions.push(action);
        }
        let mut open = clause.variables(store);
        open.retain(|symbol| !known.contains(symbol));
        Plan {
            body,
            actions,
            open,
            rest,
        }
    }

    /// Values of all variables with which the clause derives something from a fact.
    fn values(
        &self,
        store: &mut TermStore,
        arguments: &[TermValue],
        budget: &Budget,
    ) -> Option<Assignment> {
        let mut values = Assignment::default();
        let bound = self.body.iter().copied().zip(arguments.iter().cloned());
        values.symbols.extend(bound);
        let copied = elements(arguments);
        budget.spend(copied);
        for action in &self.actions {
            budget.spend(UNITS + copied);
            match *action {
                Action::Check(term) => {
                    if store.evaluate_in(term, &values) != Some(TermValue::Bool(true)) {
                        return None;
                    }
                }
                Action::Assign(symbol, term) => {
                    let value = store.evaluate_in(term, &values)?;
                    values.symbols.insert(symbol, value);
                }
            }
        }
        if !self.open.is_empty() {
            let mut rest = self.rest.clone();
            for action in &self.actions {
                if let Action::Assign(symbol, term) = *action {
                    let symbol = store.of_symbol(symbol);
                    rest.push(store.eq(symbol, term));
                }
            }
            let model = Solver::new().model_of(store, &rest, budget).ok()??;
            for &symbol in &self.open {
                values.symbols.insert(symbol, model.value(store, symbol));
            }
        }
        Some(values)
    }
}

/// The place of a conjunct that is known, or that gives one more symbol its value.
fn next(
    store: &mut TermStore,
    rest: &[TermId],
    known: &BTreeSet<SymbolId>,
) -> Option<(usize, Action)> {
    let unknown = |store: &TermStore, term: TermId| -> Vec<SymbolId> {
        let symbols = store.symbols_of(&[term]).into_iter();
        symbols.filter(|symbol| !known.contains(symbol)).collect()
    };
    if let Some(at) = rest.iter().position(|&it| unknown(store, it).is_empty()) {
        return Some((at, Action::Check(rest[at])));
    }
    (0..rest.len()).find_map(|at| match unknown(store, rest[at])[..] {
        [symbol] => {
            let value = solved_for(store, rest[at], symbol)?;
            Some((at, Action::Assign(symbol, value)))
        }
        _ => None,
    })
}
