//! Relations and the clauses about them.

use base::{IdVec, Span, define_id};
use logic::{Sort, SymbolId, TermId, TermStore};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

define_id! {
    /// A relation of a system.
    RelationId = "r";
    /// A clause of a system.
    ClauseId = "c";
}

/// Clauses and the relations that they mention. They have a model if there are relations that make
/// all clauses true.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The terms of the clauses.
    pub store: TermStore,
    /// The relations.
    pub relations: IdVec<RelationId, Relation>,
    /// The clauses.
    pub clauses: IdVec<ClauseId, Clause>,
}

/// A relation: what a model has to find.
#[derive(Clone, PartialEq, Debug)]
pub struct Relation {
    /// Its name; not unique once clauses are transformed.
    pub name: Arc<str>,
    /// The sorts of its arguments.
    pub sorts: Vec<Sort>,
}

/// For all values of its variables: the body implies the head.
///
/// Its variables are the symbols in it. Clauses may share symbols, which says nothing: those who
/// put clauses together rename them first.
#[derive(Clone, PartialEq, Debug)]
pub struct Clause {
    /// The relations of the body.
    pub body: Vec<Atom>,
    /// The rest of the body.
    pub constraint: TermId,
    /// The head; none stands for false.
    pub head: Option<Atom>,
    /// Its location.
    pub span: Span,
}

/// A relation of some arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// The relation.
    pub relation: RelationId,
    /// Its arguments.
    pub arguments: Vec<TermId>,
}

impl Clause {
    /// The atoms of the body and the head.
    pub fn atoms(&self) -> impl Iterator<Item = &Atom> {
        self.body.iter().chain(&self.head)
    }

    /// All terms in it.
    pub fn terms(&self) -> Vec<TermId> {
        let arguments = self.atoms().flat_map(|atom| &atom.arguments);
        arguments.copied().chain([self.constraint]).collect()
    }

    /// The symbols in it.
    pub fn variables(&self, store: &TermStore) -> BTreeSet<SymbolId> {
        store.symbols_of(&self.terms())
    }

    /// New symbols for those in it, in a store with all symbols of its own.
    pub fn renaming(&self, own: &TermStore, store: &mut TermStore) -> FxHashMap<SymbolId, TermId> {
        let variables = self.variables(own).into_iter();
        variables
            .map(|symbol| (symbol, store.fresh_like(symbol)))
            .collect()
    }

    /// Whether the body has at most one relation.
    pub fn is_linear(&self) -> bool {
        self.body.len() <= 1
    }
}

impl Relation {
    /// New symbols for its arguments.
    pub fn parameters(&self, store: &mut TermStore) -> Vec<TermId> {
        let fresh = |(at, &sort)| store.fresh(&format!("x{at}"), sort);
        self.sorts.iter().enumerate().map(fresh).collect()
    }
}

impl System {
    /// The clauses whose head is a relation.
    pub fn clauses_of(&self, relation: RelationId) -> impl Iterator<Item = ClauseId> + '_ {
        let has_head =
            move |clause: &Clause| clause.head.as_ref().is_some_and(|h| h.relation == relation);
        (self.clauses.iter_enumerated())
            .filter_map(move |(id, clause)| has_head(clause).then_some(id))
    }

    /// The clauses whose head is false.
    pub fn queries(&self) -> impl Iterator<Item = ClauseId> + '_ {
        (self.clauses.iter_enumerated())
            .filter_map(|(id, clause)| clause.head.is_none().then_some(id))
    }

    /// Whether no body has two relations.
    pub fn is_linear(&self) -> bool {
        self.clauses.iter().all(Clause::is_linear)
    }

    /// What is wrong with the system, if anything is: an atom that does not fit its relation, a
    /// constraint that is not a formula.
    pub fn flaw(&self) -> Option<String> {
        for (id, clause) in self.clauses.iter_enumerated() {
            for atom in clause.atoms() {
                let Some(relation) = self.relations.get(atom.relation) else {
                    return Some(format!("{id} names {}, which is not there", atom.relation));
                };
                let sorts = atom.arguments.iter().map(|&a| self.store.sort(a));
                if !sorts.eq(relation.sorts.iter().copied()) {
                    return Some(format!("{id} has wrong arguments of {}", relation.name));
                }
            }
            if self.store.sort(clause.constraint) != Sort::Bool {
                return Some(format!("the constraint of {id} is no formula"));
            }
            if !self.store.functions_of(&clause.terms()).is_empty() {
                return Some(format!("{id} has a function in its terms"));
            }
        }
        None
    }
}
