//! Arguments that are constant, or that no clause inspects.

use super::{Argument, Reduced, Stage};
use crate::solved::fixed;
use base::IdVec;
use horn::{Atom, Clause, Relation, RelationId, System};
use logic::{Node, SymbolId, TermId, TermStore};
use rustc_hash::FxHashMap;

/// What is known about an argument: nothing yet, one value, or none.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Constancy {
    Unreached,
    Always(TermId),
    Varies,
}

type Constancies = IdVec<RelationId, Vec<Constancy>>;

impl Reduced<'_> {
    /// Drops constant arguments, whose values go into the clauses, and unread ones.
    pub(super) fn arguments(&mut self) {
        let constants = constants(&mut self.system);
        let read = read(&self.system);
        let mut arguments: IdVec<RelationId, Vec<Argument>> = IdVec::new();
        for (relation, row) in self.system.relations.iter_enumerated() {
            let each = row.sorts.iter().enumerate().map(|(at, &sort)| {
                match (constants[relation][at], read[relation][at]) {
                    (Constancy::Always(value), _) => Argument::Constant(value),
                    (_, false) => Argument::Dropped(sort),
                    (Constancy::Varies | Constancy::Unreached, true) => Argument::Kept,
                }
            });
            arguments.push(each.collect());
        }
        self.drop_arguments(arguments);
    }

    /// Drops arguments that are constant or that need not be looked at.
    pub(super) fn drop_arguments(&mut self, arguments: IdVec<RelationId, Vec<Argument>>) {
        let is_kept = |argument: &Argument| *argument == Argument::Kept;
        if arguments.iter().flatten().all(is_kept) {
            return;
        }
        let system = &mut self.system;
        for clause in system.clauses.iter_mut() {
            with_constants(&mut system.store, clause, &arguments);
            let atoms = clause.body.iter_mut().chain(&mut clause.head);
            for atom in atoms {
                keep(&mut atom.arguments, &arguments[atom.relation]);
            }
        }
        for (relation, row) in arguments.iter_enumerated() {
            keep(&mut system.relations[relation].sorts, row);
            keep(&mut self.places[relation], row);
        }
        self.stages.push(Stage::Arguments(arguments));
    }
}

/// Keeps the members whose arguments are kept.
fn keep<T>(members: &mut Vec<T>, arguments: &[Argument]) {
    let mut each = arguments.iter();
    members.retain(|_| each.next() == Some(&Argument::Kept));
}

/// Says in a clause that the constant arguments of its body have their values.
fn with_constants(
    store: &mut TermStore,
    clause: &mut Clause,
    arguments: &IdVec<RelationId, Vec<Argument>>,
) {
    let mut values: FxHashMap<SymbolId, TermId> = FxHashMap::default();
    let mut equalities = Vec::new();
    for atom in &clause.body {
        for (&term, argument) in atom.arguments.iter().zip(&arguments[atom.relation]) {
            let Argument::Constant(value) = argument else {
                continue;
            };
            match store.node(term) {
                Node::Symbol(symbol) if !values.contains_key(symbol) => {
                    values.insert(*symbol, *value);
                }
                _ => equalities.push(store.eq(term, *value)),
            }
        }
    }
    equalities.push(clause.constraint);
    let constraint = store.and(&equalities);
    clause.constraint = store.substitute(constraint, &values);
    for atom in clause.body.iter_mut().chain(&mut clause.head) {
        atom.arguments = store.substitute_all(&atom.arguments, &values);
    }
}

/// The values that arguments always have, as far as equalities in the clauses tell.
fn constants(system: &mut System) -> Constancies {
    let relations = system.relations.iter();
    let unreached = |relation: &Relation| vec![Constancy::Unreached; relation.sorts.len()];
    let mut known: Constancies = relations.map(unreached).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for clause in system.clauses.iter() {
            let Some(head) = &clause.head else {
                continue;
            };
            let store = &mut system.store;
            let Some(values) = values_in_body(store, clause, &known) else {
                continue;
            };
            let arguments = store.substitute_all(&head.arguments, &values);
            for (at, argument) in arguments.into_iter().enumerate() {
                let old = known[head.relation][at];
                let new = match (old, is_value(store, argument)) {
                    (Constancy::Unreached, true) => Constancy::Always(argument),
                    (Constancy::Always(value), true) if value == argument => old,
                    _ => Constancy::Varies,
                };
                changed |= old != new;
                known[head.relation][at] = new;
            }
        }
    }
    known
}

/// What the symbols of a clause surely are; none if its body cannot be true yet.
fn values_in_body(
    store: &mut TermStore,
    clause: &Clause,
    known: &Constancies,
) -> Option<FxHashMap<SymbolId, TermId>> {
    let mut values: FxHashMap<SymbolId, TermId> = FxHashMap::default();
    for atom in &clause.body {
        for (&term, &constancy) in atom.arguments.iter().zip(&known[atom.relation]) {
            match (store.node(term), constancy) {
                (_, Constancy::Unreached) => return None,
                (Node::Symbol(symbol), Constancy::Always(value)) => {
                    values.insert(*symbol, value);
                }
                _ => {}
            }
        }
    }
    loop {
        let constraint = store.substitute(clause.constraint, &values);
        if store.as_bool(constraint) == Some(false) {
            return None;
        }
        let found: Vec<(SymbolId, TermId)> = (store.conjuncts(constraint).into_iter())
            .filter_map(|conjunct| fixed(store, conjunct))
            .filter(|(symbol, _)| !values.contains_key(symbol))
            .collect();
        if found.is_empty() {
            return Some(values);
        }
        values.extend(found);
    }
}

fn is_value(store: &TermStore, term: TermId) -> bool {
    matches!(
        store.node(term),
        Node::Bool(_) | Node::Int(_) | Node::Real(_)
    )
}

/// Which arguments some clause looks at: an argument of a body is looked at unless it is a variable
/// that stands nowhere else but in arguments of the head that are not looked at.
fn read(system: &System) -> IdVec<RelationId, Vec<bool>> {
    let relations = system.relations.iter();
    let unread = |relation: &Relation| vec![false; relation.sorts.len()];
    let mut read: IdVec<RelationId, Vec<bool>> = relations.map(unread).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for clause in system.clauses.iter() {
            let uses = uses(system, clause, &read);
            for atom in &clause.body {
                for (at, &term) in atom.arguments.iter().enumerate() {
                    let is_single = match system.store.node(term) {
                        Node::Symbol(symbol) => uses.get(symbol) == Some(&1),
                        _ => false,
                    };
                    if !is_single && !read[atom.relation][at] {
                        read[atom.relation][at] = true;
                        changed = true;
                    }
                }
            }
        }
    }
    read
}

/// How often symbols occur in a clause, where it matters.
fn uses(
    system: &System,
    clause: &Clause,
    read: &IdVec<RelationId, Vec<bool>>,
) -> FxHashMap<SymbolId, usize> {
    let mut uses: FxHashMap<SymbolId, usize> = FxHashMap::default();
    let mut count = |term: TermId| {
        for symbol in system.store.symbols_of(&[term]) {
            *uses.entry(symbol).or_default() += 1;
        }
    };
    count(clause.constraint);
    for Atom { arguments, .. } in &clause.body {
        arguments.iter().for_each(|&term| count(term));
    }
    if let Some(head) = &clause.head {
        let arguments = head.arguments.iter().zip(&read[head.relation]);
        arguments
            .filter(|(_, read)| **read)
            .for_each(|(&term, _)| count(term));
    }
    uses
}
