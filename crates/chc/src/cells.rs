//! Cell abstraction of arrays: clauses without arrays whose models are universally quantified over
//! indices.
//!
//! A relation `P(a, x)` becomes `P'(k, a[k], x)`, where `k` is any index, shared by all arrays of
//! the relation or one for each. Another engine solves the clauses that [`abstraction`] makes; a
//! model translates back as `P(a, x)`: for all `k`, `P'(k, a[k], x)`. A derivation translates back
//! if its clauses also fit together with the original arrays.
//!
//! # Paper
//! [monniaux2016cell]: the cell abstraction of section 3. We differ in that the arrays of a
//! relation may share their index, and that the cells which a clause reads may be left unknown, so
//! that linear clauses stay linear.
//!
//! # Invariants
//! - Every model of the clauses with cells is one of the clauses with arrays; the checker verifies
//!   it again.

pub mod abstraction;

use crate::ClauseEngine;
use crate::realise::realise;
use crate::reduce::reduce;
use abstraction::{Abstraction, Instances, abstracted};
use base::{Budget, IdVec};
use certify::{ClauseOutcome, Reason};
use engine::About;
use horn::{Definition, Derivation, Model, System};
use logic::{Node, Sort, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// An engine on clauses with cells in place of arrays.
pub struct Cells {
    /// The name on the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// At which cells the relations of a body are used.
    pub instances: Instances,
    /// Who solves the clauses with cells.
    pub engine: &'static dyn ClauseEngine,
}

impl ClauseEngine for Cells {
    fn about(&self) -> About {
        About {
            name: self.name,
            summary: self.summary,
            papers: &["monniaux2016cell"],
        }
    }

    fn solve(&self, system: &System, budget: &Budget) -> ClauseOutcome {
        if !speaks_of_arrays(system) {
            return ClauseOutcome::Unknown(Reason::unsupported("the clauses have no arrays"));
        }
        let cells = abstracted(system, self.instances);
        let reduced = reduce(&cells.system, budget);
        let outcome = self.engine.solve(&reduced.system, budget);
        match reduced.back(outcome, budget) {
            ClauseOutcome::Sat(model) => {
                let model = of_all(system, &model, self.instances);
                ClauseOutcome::Sat(Box::new(model))
            }
            ClauseOutcome::Unsat(derivation) => with_arrays(system, &cells, &derivation, budget),
            ClauseOutcome::Unknown(reason) => ClauseOutcome::Unknown(reason),
        }
    }
}

/// Whether a clause has an array in it.
fn speaks_of_arrays(system: &System) -> bool {
    let mut clauses = system.clauses.iter();
    clauses.any(|clause| {
        let mut terms = system.store.below(&clause.terms()).into_iter();
        terms.any(|term| system.store.sort(term) == Sort::Array)
    })
}

/// The model of the clauses with arrays: what a model of those with cells says, for all indices.
fn of_all(system: &System, model: &Model, instances: Instances) -> Model {
    let mut store = model.store.clone();
    let mut definitions = IdVec::new();
    for (relation, cells) in model.definitions.iter_enumerated() {
        let sorts = &system.relations[relation].sorts;
        if !sorts.contains(&Sort::Array) {
            definitions.push(cells.clone());
            continue;
        }
        let mut known = cells.parameters.iter().copied();
        let mut next = || {
            known
                .next()
                .expect("there should be a parameter for each cell")
        };
        let mut universals = cells.universals.clone();
        let shared = instances.are_shared().then(&mut next);
        universals.extend(shared);
        let mut parameters = Vec::new();
        let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
        for &sort in sorts {
            if sort != Sort::Array {
                parameters.push(next());
                continue;
            }
            let index = shared.unwrap_or_else(&mut next);
            if shared.is_none() {
                universals.push(index);
            }
            let array = store.fresh("a", Sort::Array);
            let element = store.select(array, index);
            map.insert(next(), element);
            parameters.push(array);
        }
        let body = store.replace_all(&[cells.body], &map)[0];
        definitions.push(Definition {
            parameters,
            universals,
            body,
        });
    }
    Model { store, definitions }
}

/// The derivation by the clauses with arrays, if the same clauses derive false there.
fn with_arrays(
    system: &System,
    cells: &Abstraction,
    derivation: &Derivation,
    budget: &Budget,
) -> ClauseOutcome {
    let mut skeleton = derivation.clone();
    for step in skeleton.steps.iter_mut() {
        let firsts = cells.firsts[step.clause].iter();
        step.premises = firsts.map(|&place| step.premises[place]).collect();
        step.values.clear();
    }
    match realise(system, &skeleton, budget) {
        Ok(derivation) => ClauseOutcome::Unsat(derivation),
        Err(why) => {
            let message = format!("single cells do not show why false is not derived: {why}");
            ClauseOutcome::Unknown(Reason::unfinished(message, budget))
        }
    }
}
