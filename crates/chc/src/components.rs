//! Unrelated arguments, a few at a time.
//!
//! If the arguments of relations fall into components that no clause but a query relates (the
//! results of one expression for several inputs, say, or parallel processes), a proof often needs
//! only some of them. So the clauses are solved with the arguments of a few components, at first
//! none. A model of these is one of all clauses. A derivation holds for all if the same clauses fit
//! together there; if not, a component that refutes it is added.
//!
//! # Paper
//! The refinement loop is that of counterexample-guided abstraction ([clarke2000counterexample]),
//! with components in place of predicates.
//!
//! # Invariants
//! - A model of the clauses with fewer arguments is one of the clauses, whatever the rest is.

use crate::ClauseEngine;
use crate::groups::Groups;
use crate::realise::realise;
use crate::reduce::{self, reduce};
use base::{Budget, IdVec};
use certify::{ClauseOutcome, Reason};
use engine::About;
use horn::{Atom, Clause, Definition, Derivation, Model, Relation, RelationId, System};
use logic::{SymbolId, TermId, TermStore};
use std::collections::{BTreeMap, BTreeSet};

/// Of 100 parts of the effort left, what is spent on one choice of components.
const SHARE: u64 = 60;

/// An engine on clauses with fewer arguments.
pub struct Components {
    /// The name on the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Who solves the clauses with fewer arguments.
    pub engine: &'static dyn ClauseEngine,
}

impl ClauseEngine for Components {
    fn about(&self) -> About {
        About {
            name: self.name,
            summary: self.summary,
            papers: &["clarke2000counterexample"],
        }
    }

    fn solve(&self, system: &System, budget: &Budget) -> ClauseOutcome {
        let parts = Partition::new(system);
        if parts.count < 2 {
            let message = "all arguments have to do with each other";
            return ClauseOutcome::Unknown(Reason::unsupported(message));
        }
        let mut kept: BTreeSet<usize> = BTreeSet::new();
        while budget.check().is_ok() {
            let fewer = parts.keeping(system, &kept);
            let reduced = reduce(&fewer, budget);
            let outcome = self.engine.solve(&reduced.system, &budget.share(SHARE));
            let mut skeleton = match reduced.back(outcome, budget) {
                ClauseOutcome::Sat(model) => {
                    let model = parts.model(system, &kept, &model);
                    return ClauseOutcome::Sat(Box::new(model));
                }
                ClauseOutcome::Unsat(derivation) => derivation,
                ClauseOutcome::Unknown(reason) => return ClauseOutcome::Unknown(reason),
            };
            skeleton
                .steps
                .iter_mut()
                .for_each(|step| step.values.clear());
            if let Ok(derivation) = realise(system, &skeleton, budget) {
                return ClauseOutcome::Unsat(derivation);
            }
            match parts.refuting(system, &kept, &skeleton, budget) {
                Some(component) => kept.insert(component),
                None => break,
            };
        }
        let message = "no component shows why a derivation is none";
        ClauseOutcome::Unknown(Reason::unfinished(message, budget))
    }
}

/// Which component each argument belongs to.
struct Partition {
    places: IdVec<RelationId, Vec<usize>>,
    count: usize,
}

impl Partition {
    fn new(system: &System) -> Partition {
        let mut first = IdVec::new();
        let mut nodes = 0;
        for relation in system.relations.iter() {
            first.push(nodes);
            nodes += relation.sorts.len();
        }
        let mut joined = Groups::default();
        for clause in system.clauses.iter().filter(|clause| clause.head.is_some()) {
            let mut groups = Groups::new(&system.store, clause.constraint);
            // The symbols of an argument belong together, and so do arguments of a group.
            let atoms: Vec<&Atom> = clause.atoms().collect();
            for argument in atoms.iter().flat_map(|atom| &atom.arguments) {
                groups.join(system.store.symbols_of(&[*argument]));
            }
            let mut of_group: BTreeMap<SymbolId, usize> = BTreeMap::new();
            for atom in atoms {
                for (place, &argument) in atom.arguments.iter().enumerate() {
                    let node = first[atom.relation] + place;
                    if let Some(group) = groups.of(&system.store, argument) {
                        let other = *of_group.entry(group).or_insert(node);
                        joined.join([other, node]);
                    }
                }
            }
        }
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        let mut places = IdVec::new();
        for (relation, row) in system.relations.iter_enumerated() {
            let mut component = |place: usize| {
                let root = joined.root(first[relation] + place);
                let next = numbers.len();
                *numbers.entry(root).or_insert(next)
            };
            places.push((0..row.sorts.len()).map(&mut component).collect());
        }
        let count = numbers.len();
        Partition { places, count }
    }

    /// What is kept of something that belongs to the arguments of a relation.
    fn kept<T: Clone>(&self, kept: &BTreeSet<usize>, relation: RelationId, row: &[T]) -> Vec<T> {
        reduce::kept(row, |place| kept.contains(&self.places[relation][place]))
    }

    /// The clauses with the arguments of some components.
    fn keeping(&self, system: &System, kept: &BTreeSet<usize>) -> System {
        let mut fewer = System {
            store: system.store.clone(),
            ..System::default()
        };
        for (relation, row) in system.relations.iter_enumerated() {
            fewer.relations.push(Relation {
                name: row.name.clone(),
                sorts: self.kept(kept, relation, &row.sorts),
            });
        }
        for clause in system.clauses.iter() {
            let atom = |atom: &Atom| Atom {
                relation: atom.relation,
                arguments: self.kept(kept, atom.relation, &atom.arguments),
            };
            let mut new = Clause {
                body: clause.body.iter().map(atom).collect(),
                head: clause.head.as_ref().map(atom),
                ..clause.clone()
            };
            new.constraint = about(&mut fewer.store, clause, &new);
            fewer.clauses.push(new);
        }
        fewer
    }

    /// The model of all clauses: nothing is said about the other arguments.
    fn model(&self, system: &System, kept: &BTreeSet<usize>, model: &Model) -> Model {
        let mut store = model.store.clone();
        let mut definitions = IdVec::new();
        for (relation, definition) in model.definitions.iter_enumerated() {
            let mut known = definition.parameters.iter();
            let sorts = system.relations[relation].sorts.iter();
            let all = sorts.zip(&self.places[relation]);
            let parameters = all
                .map(|(&sort, component)| match kept.contains(component) {
                    true => *known
                        .next()
                        .expect("a kept argument should have a parameter"),
                    false => store.fresh("x", sort),
                })
                .collect();
            definitions.push(Definition {
                parameters,
                ..definition.clone()
            });
        }
        Model { store, definitions }
    }

    /// A component with which the clauses of a derivation do not fit together any more; one that
    /// is not kept yet, if none alone does.
    fn refuting(
        &self,
        system: &System,
        kept: &BTreeSet<usize>,
        skeleton: &Derivation,
        budget: &Budget,
    ) -> Option<usize> {
        let others = || (0..self.count).filter(|component| !kept.contains(component));
        let refutes = |&component: &usize| {
            let mut more = kept.clone();
            more.insert(component);
            let fewer = self.keeping(system, &more);
            budget.check().is_ok() && realise(&fewer, skeleton, budget).is_err()
        };
        others().find(refutes).or_else(|| others().next())
    }
}

/// The members of a clause's constraint that have to do with what is left of its arguments.
fn about(store: &mut TermStore, clause: &Clause, fewer: &Clause) -> TermId {
    let arguments = |clause: &Clause| -> Vec<TermId> {
        let atoms = clause.atoms();
        atoms.flat_map(|atom| atom.arguments.clone()).collect()
    };
    let mut groups = Groups::new(store, clause.constraint);
    let (all, left) = (arguments(clause), arguments(fewer));
    let of = |groups: &mut Groups<SymbolId>,
              store: &TermStore,
              terms: &[TermId]|
     -> BTreeSet<SymbolId> {
        let symbols = store.symbols_of(terms).into_iter();
        symbols.map(|symbol| groups.root(symbol)).collect()
    };
    let (all, left) = (of(&mut groups, store, &all), of(&mut groups, store, &left));
    let mut parts = store.conjuncts(clause.constraint);
    parts.retain(|&part| match groups.of(store, part) {
        Some(group) => left.contains(&group) || !all.contains(&group),
        None => true,
    });
    store.and(&parts)
}
