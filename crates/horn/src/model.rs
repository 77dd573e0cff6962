//! Models: a formula for every relation, which together satisfy all clauses.

use crate::print::quoted;
use crate::system::{RelationId, System};
use base::IdVec;
use logic::{Node, TermId, TermStore};
use std::fmt::Write;

/// What every relation is. Why the clauses derive no false, if it makes them true.
#[derive(Clone, Debug)]
pub struct Model {
    /// The terms of the definitions: not the store of the clauses.
    pub store: TermStore,
    /// What each relation is.
    pub definitions: IdVec<RelationId, Definition>,
}

/// A relation: its parameters are in it if the body holds for all values of some further symbols.
#[derive(Clone, PartialEq, Debug)]
pub struct Definition {
    /// Its parameters: different symbols, as terms.
    pub parameters: Vec<TermId>,
    /// Symbols, as terms, that range over all values.
    pub universals: Vec<TermId>,
    /// The formula, over these symbols alone.
    pub body: TermId,
}

impl Definition {
    /// A formula over the parameters alone.
    pub fn new(parameters: Vec<TermId>, body: TermId) -> Self {
        Definition {
            parameters,
            universals: Vec::new(),
            body,
        }
    }
}

impl Model {
    /// The model in which every relation is everything.
    pub fn everything(system: &System) -> Model {
        let mut store = TermStore::new();
        let mut definitions = IdVec::new();
        for relation in system.relations.iter() {
            let parameters = relation.parameters(&mut store);
            definitions.push(Definition::new(parameters, store.bool(true)));
        }
        Model { store, definitions }
    }

    /// The model as `define-fun` commands.
    pub fn smtlib(&self, system: &System) -> String {
        let mut out = String::new();
        for (relation, definition) in self.definitions.iter_enumerated() {
            let variable = |&term: &TermId| {
                let name = self.store.smtlib(term);
                format!("({name} {})", self.store.sort(term))
            };
            let list = |terms: &[TermId]| -> String {
                terms.iter().map(variable).collect::<Vec<_>>().join(" ")
            };
            let mut body = self.store.readable(definition.body);
            if !definition.universals.is_empty() {
                body = format!("(forall ({}) {body})", list(&definition.universals));
            }
            let name = quoted(&system.relations[relation].name);
            let parameters = list(&definition.parameters);
            let _ = writeln!(out, "(define-fun {name} ({parameters}) Bool\n  {body})");
        }
        out
    }

    /// What is wrong with its form, if anything is: a definition that is missing, that does not fit
    /// its relation, or that has symbols or functions of its own.
    pub fn flaw(&self, system: &System) -> Option<String> {
        if self.definitions.len() != system.relations.len() {
            return Some("it does not define every relation once".into());
        }
        for (relation, definition) in self.definitions.iter_enumerated() {
            let name = &system.relations[relation].name;
            let sorts = definition.parameters.iter().map(|&p| self.store.sort(p));
            if !sorts.eq(system.relations[relation].sorts.iter().copied()) {
                return Some(format!("its parameters of {name} have other sorts"));
            }
            let mut own = Vec::new();
            for &term in definition.parameters.iter().chain(&definition.universals) {
                match self.store.node(term) {
                    Node::Symbol(symbol) if !own.contains(symbol) => own.push(*symbol),
                    _ => {
                        return Some(format!(
                            "its parameters of {name} are not different symbols"
                        ));
                    }
                }
            }
            if self.store.sort(definition.body) != logic::Sort::Bool {
                return Some(format!("what it says of {name} is no formula"));
            }
            let symbols = self.store.symbols_of(&[definition.body]);
            let is_open = symbols.iter().any(|symbol| !own.contains(symbol));
            if is_open || !self.store.functions_of(&[definition.body]).is_empty() {
                return Some(format!("what it says of {name} has symbols of its own"));
            }
        }
        None
    }
}
