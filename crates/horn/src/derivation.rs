//! Derivations: instances of clauses that lead to false.

use crate::system::{ClauseId, RelationId, System};
use base::{IdVec, define_id};
use logic::{SymbolId, TermValue};
use std::collections::BTreeMap;
use std::fmt::Write;

define_id! {
    /// A step of a derivation.
    StepId = "d";
}

/// Steps, each an instance of a clause from facts of earlier steps. The last one derives false.
/// Facts are shared, so a tree with many equal branches stays small.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Derivation {
    /// The steps.
    pub steps: IdVec<StepId, Step>,
}

/// An instance of a clause.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The clause.
    pub clause: ClauseId,
    /// The values of the clause's variables.
    pub values: BTreeMap<SymbolId, TermValue>,
    /// For each relation of the body, in order, an earlier step that derives it.
    pub premises: Vec<StepId>,
}

/// A relation of values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fact {
    /// The relation.
    pub relation: RelationId,
    /// The values.
    pub values: Vec<TermValue>,
}

impl Step {
    /// What the step derives: none for false. An error if a value is missing.
    pub fn fact(&self, system: &System) -> Result<Option<Fact>, String> {
        match &system.clauses[self.clause].head {
            None => Ok(None),
            Some(atom) => {
                let values = self.evaluated(system, &atom.arguments)?;
                let relation = atom.relation;
                Ok(Some(Fact { relation, values }))
            }
        }
    }

    /// The values of some terms of the clause.
    pub fn evaluated(
        &self,
        system: &System,
        terms: &[logic::TermId],
    ) -> Result<Vec<TermValue>, String> {
        let value = |symbol| self.values.get(&symbol).cloned();
        let missing = || format!("a value that {} needs is missing", self.clause);
        (terms.iter())
            .map(|&term| system.store.evaluate(term, &value).ok_or_else(missing))
            .collect()
    }
}

impl Derivation {
    /// The steps as text, one a line: the fact, the clause and the steps that it comes from.
    pub fn text(&self, system: &System) -> String {
        let mut out = String::new();
        for (id, step) in self.steps.iter_enumerated() {
            let fact = match step.fact(system) {
                Ok(Some(fact)) => {
                    let values: Vec<String> = fact.values.iter().map(TermValue::smtlib).collect();
                    let name = crate::print::quoted(&system.relations[fact.relation].name);
                    match values.is_empty() {
                        true => name,
                        false => format!("({name} {})", values.join(" ")),
                    }
                }
                Ok(None) | Err(_) => "false".into(),
            };
            let premises: Vec<String> = step.premises.iter().map(StepId::to_string).collect();
            let from = match premises.is_empty() {
                true => String::new(),
                false => format!(" from {}", premises.join(", ")),
            };
            let _ = writeln!(out, "{id}: {fact} by {}{from}", step.clause);
        }
        out
    }
}
