//! Facts that were derived on the way, each with its derivation.
//!
//! Where all that a clause of a goal needs is resolved, the values of a model of the goal are an
//! instance of it, whatever becomes of the rest. Goals that need the same fact again take it from
//! here: a derivation of many equal parts is found part by part.
//!
//! # Invariants
//! - Every step follows from steps before it.

use horn::derivation::Fact;
use horn::{Derivation, RelationId, Step, StepId, System};
use logic::TermValue;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many facts of a relation are offered to goals: the first ones.
const MOST: usize = 60;

/// Derived facts.
#[derive(Default)]
pub(super) struct Derived {
    derivation: Derivation,
    by_fact: FxHashMap<Fact, StepId>,
    by_relation: FxHashMap<RelationId, Vec<StepId>>,
}

impl Derived {
    /// Adds a step, and gives the one that stands for its fact.
    pub(super) fn add(&mut self, system: &System, step: Step) -> Option<StepId> {
        let fact = step.fact(system).ok()??;
        if let Some(&known) = self.by_fact.get(&fact) {
            return Some(known);
        }
        let relation = fact.relation;
        let id = self.derivation.steps.push(step);
        self.by_fact.insert(fact, id);
        let of_relation = self.by_relation.entry(relation).or_default();
        if of_relation.len() < MOST {
            of_relation.push(id);
        }
        Some(id)
    }

    /// The facts of a relation, without those with arrays.
    pub(super) fn of(
        &self,
        system: &System,
        relation: RelationId,
    ) -> Vec<(StepId, Vec<TermValue>)> {
        let steps = self.by_relation.get(&relation).into_iter().flatten();
        let facts = steps.filter_map(|&id| {
            let fact = self.derivation.steps[id].fact(system).ok()??;
            let is_array = |value: &TermValue| matches!(value, TermValue::Array(_));
            let has_arrays = fact.values.iter().any(is_array);
            (!has_arrays).then_some((id, fact.values))
        });
        facts.collect()
    }

    /// The derivation that ends with a step of false: only what it needs.
    pub(super) fn ending(&self, last: Step) -> Derivation {
        let mut needed: FxHashSet<StepId> = last.premises.iter().copied().collect();
        let ids: Vec<StepId> = self.derivation.steps.ids().collect();
        for &id in ids.iter().rev() {
            if needed.contains(&id) {
                needed.extend(&self.derivation.steps[id].premises);
            }
        }
        let mut derivation = Derivation::default();
        let mut places: FxHashMap<StepId, StepId> = FxHashMap::default();
        let renumbered = |step: &Step, places: &FxHashMap<StepId, StepId>| Step {
            premises: step.premises.iter().map(|id| places[id]).collect(),
            ..step.clone()
        };
        for id in ids {
            if needed.contains(&id) {
                let step = renumbered(&self.derivation.steps[id], &places);
                places.insert(id, derivation.steps.push(step));
            }
        }
        derivation.steps.push(renumbered(&last, &places));
        derivation
    }
}
