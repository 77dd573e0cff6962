//! Clauses with variables of their own, for goals in which a clause is used more than once.
//!
//! # Invariants
//! - The arguments of a body are different symbols, which no other instance has: what is learned
//!   about a subgoal can be said with these alone.

use horn::{Clause, ClauseId, System};
use logic::{Node, Sort, SymbolId, TermId, TermStore};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A clause over symbols of its own.
#[derive(Debug)]
pub(super) struct Instance {
    /// The clause.
    pub(super) clause: ClauseId,
    /// A truth value of its own, to switch it on.
    pub(super) guard: TermId,
    /// What its variables are here.
    pub(super) variables: BTreeMap<SymbolId, TermId>,
    /// Its constraint, and what the symbols of its bodies are.
    pub(super) constraint: TermId,
    /// The arguments of the head.
    pub(super) head: Vec<TermId>,
    /// The arguments of each relation of the body: different symbols.
    pub(super) body: Vec<Vec<TermId>>,
}

/// Instances of clauses. They are given back in the opposite order, and then used again: solvers
/// know their terms already.
#[derive(Default)]
pub(super) struct Instances {
    made: FxHashMap<ClauseId, Vec<Rc<Instance>>>,
    used: FxHashMap<ClauseId, usize>,
}

impl Instances {
    /// An instance that is not in use.
    pub(super) fn take(
        &mut self,
        system: &System,
        store: &mut TermStore,
        clause: ClauseId,
    ) -> Rc<Instance> {
        let used = self.used.entry(clause).or_default();
        let made = self.made.entry(clause).or_default();
        if made.len() == *used {
            made.push(Rc::new(instance(system, store, clause)));
        }
        *used += 1;
        made[*used - 1].clone()
    }

    /// Gives the instance of a clause back that was taken last.
    pub(super) fn give_back(&mut self, clause: ClauseId) {
        if let Some(used) = self.used.get_mut(&clause) {
            *used -= 1;
        }
    }
}

/// A new instance of a clause.
pub(super) fn instance(system: &System, store: &mut TermStore, id: ClauseId) -> Instance {
    let clause: &Clause = &system.clauses[id];
    let mut variables = BTreeMap::new();
    let mut map: FxHashMap<SymbolId, TermId> = FxHashMap::default();
    for symbol in clause.variables(&system.store) {
        let fresh = store.fresh_like(symbol);
        variables.insert(symbol, fresh);
        map.insert(symbol, fresh);
    }
    let mut parts = vec![store.substitute(clause.constraint, &map)];
    let mut taken: BTreeSet<TermId> = BTreeSet::new();
    let mut body = Vec::new();
    for atom in &clause.body {
        let mut arguments = Vec::new();
        for term in store.substitute_all(&atom.arguments, &map) {
            let is_symbol = matches!(store.node(term), Node::Symbol(_));
            if is_symbol && taken.insert(term) {
                arguments.push(term);
                continue;
            }
            let argument = store.fresh("a", store.sort(term));
            parts.push(store.eq(argument, term));
            arguments.push(argument);
        }
        body.push(arguments);
    }
    let head = clause.head.as_ref().map_or(&[][..], |head| &head.arguments);
    Instance {
        clause: id,
        guard: store.fresh("on", Sort::Bool),
        variables,
        constraint: store.and(&parts),
        head: store.substitute_all(head, &map),
        body,
    }
}
