//! Invariants of all derivable facts, by abstract interpretation over hyperedges.
//!
//! The abstract value of a relation is a polyhedron with congruences over its integers, and
//! Booleans that are constant. It grows by what its clauses derive from the values of their bodies,
//! one strongly connected component after another; after a few iterations only constraints that
//! stay true are kept (widening), followed by one descending iteration. At the end facts that are
//! not inductive are dropped, however they were found.
//!
//! # Invariants
//! - The facts of all relations together are inductive: with those of a body, every clause derives
//!   only what satisfies those of its head.

use super::{Argument, Reduced, Stage};
use absdom::Row;
use absdom::symbolic::{Abstraction, Congruence, Limits, bounds_to_rows};
use base::{Budget, Id, IdVec};
use horn::{ClauseId, RelationId, System};
use logic::{Node, Sort, TermId, TermStore};
use program::pass::scc::components;
use rustc_hash::FxHashMap;
use smt::{Answer, Solver};
use std::collections::BTreeSet;

/// How often a relation grows before only what stays true is kept.
const GROWING: usize = 4;
/// How many integers a relation may have for a polyhedron, and for octagons.
const POLYHEDRA: usize = 9;
const OCTAGONS: usize = 16;
/// With more arguments of a relation, no facts are looked for.
const WIDEST: usize = 80;
/// How often what the clauses derive is looked at once more.
const NARROWING: usize = 2;

/// Facts of each relation, over its parameters.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The parameters of each relation.
    pub parameters: IdVec<RelationId, Vec<TermId>>,
    /// What holds of them.
    pub facts: IdVec<RelationId, Vec<TermId>>,
}

impl Facts {
    /// The facts of a relation, said about arguments.
    pub fn of(
        &self,
        store: &mut TermStore,
        relation: RelationId,
        arguments: &[TermId],
    ) -> Vec<TermId> {
        let map = store.substitution(&self.parameters[relation], arguments);
        store.substitute_all(&self.facts[relation], &map)
    }
}

impl Reduced<'_> {
    /// Says the facts of all relations in the bodies of clauses, and drops arguments that the facts
    /// say in terms of others.
    pub(super) fn facts(&mut self, budget: &Budget) {
        let facts = facts(&mut self.system, budget);
        if facts.facts.iter().all(Vec::is_empty) {
            return;
        }
        let Reduced { system, .. } = self;
        for clause in system.clauses.iter_mut() {
            let mut parts = vec![clause.constraint];
            for atom in &clause.body {
                parts.extend(facts.of(&mut system.store, atom.relation, &atom.arguments));
            }
            clause.constraint = system.store.and(&parts);
        }
        let determined = determined(&system.store, &facts);
        let mut arguments: IdVec<RelationId, Vec<Argument>> = IdVec::new();
        for (relation, row) in system.relations.iter_enumerated() {
            let each = row.sorts.iter().enumerate();
            let each = each.map(|(at, &sort)| match determined[relation].contains(&at) {
                true => Argument::Dropped(sort),
                false => Argument::Kept,
            });
            arguments.push(each.collect());
        }
        self.stages.push(Stage::Facts(facts));
        self.drop_arguments(arguments);
    }
}

/// The places of arguments that facts say in terms of others that are kept.
fn determined(store: &TermStore, facts: &Facts) -> IdVec<RelationId, BTreeSet<usize>> {
    let mut all = IdVec::new();
    for (relation, row) in facts.facts.iter_enumerated() {
        let parameters = &facts.parameters[relation];
        let place = |term: TermId| parameters.iter().position(|&it| it == term);
        let mut dropped: BTreeSet<usize> = BTreeSet::new();
        let mut needed: BTreeSet<usize> = BTreeSet::new();
        for &fact in row {
            let Node::IsZero(sum) = store.node(fact) else {
                continue;
            };
            let (_, parts) = store.to_linear(*sum);
            let places: Option<Vec<usize>> = parts.iter().map(|(term, _)| place(*term)).collect();
            let Some(places) = places else {
                continue;
            };
            if places.iter().any(|at| dropped.contains(at)) {
                continue;
            }
            let is_unit =
                |at: &usize| parts[*at].1.abs().is_one() && !needed.contains(&places[*at]);
            if let Some(at) = (0..places.len()).rev().find(is_unit) {
                dropped.insert(places[at]);
                needed.extend(places.iter().filter(|&&other| other != places[at]));
            }
        }
        all.push(dropped);
    }
    all
}

/// Finds facts of all relations.
pub fn facts(system: &mut System, budget: &Budget) -> Facts {
    let mut store = system.store.clone();
    let parameters = system.relations.iter();
    let parameters = parameters.map(|relation| relation.parameters(&mut store));
    let parameters = parameters.collect();
    let count = system.relations.len();
    let mut analysis = Analysis {
        system,
        store,
        solver: Solver::new(),
        facts: Facts {
            parameters,
            facts: IdVec::filled(Vec::new(), count),
        },
        is_reached: IdVec::filled(false, count),
        budget,
    };
    analysis.run();
    let Analysis { store, facts, .. } = analysis;
    system.store = store;
    facts
}

struct Analysis<'a> {
    system: &'a System,
    store: TermStore,
    solver: Solver,
    facts: Facts,
    is_reached: IdVec<RelationId, bool>,
    budget: &'a Budget,
}

impl Analysis<'_> {
    fn run(&mut self) {
        let system = self.system;
        let widths = system.relations.iter().map(|relation| relation.sorts.len());
        if widths.max().unwrap_or(0) > WIDEST {
            return;
        }
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); system.relations.len()];
        for clause in system.clauses.iter() {
            if let Some(head) = &clause.head {
                let body = clause.body.iter().map(|atom| atom.relation.index());
                below[head.relation.index()].extend(body);
            }
        }
        let successors = |relation: usize| below[relation].iter().copied();
        for component in components(below.len(), |_| true, successors) {
            let component: Vec<RelationId> = (component.into_iter())
                .map(RelationId::from_index)
                .collect();
            self.grow(&component);
            for _ in 0..NARROWING {
                for &relation in &component {
                    self.narrow(relation);
                }
            }
        }
        self.keep_inductive();
    }

    /// Lets the relations of a component grow until nothing new is derived.
    fn grow(&mut self, component: &[RelationId]) {
        let mut rounds: FxHashMap<RelationId, usize> = FxHashMap::default();
        let mut is_changed = true;
        while is_changed && self.budget.check().is_ok() {
            is_changed = false;
            for &relation in component {
                let derived = self.derived(relation);
                let outside = self.outside(relation);
                let question = self.store.and(&[derived, outside]);
                if self.is_unsat(question) {
                    continue;
                }
                is_changed = true;
                let round = rounds.entry(relation).or_default();
                *round += 1;
                match *round > GROWING && self.is_reached[relation] {
                    true => self.keep_true(relation, derived),
                    false => self.join(relation, derived),
                }
            }
        }
    }

    /// What the clauses of a relation derive, over its parameters and others.
    fn derived(&mut self, relation: RelationId) -> TermId {
        let clauses: Vec<ClauseId> = self.system.clauses_of(relation).collect();
        let cases: Vec<TermId> = (clauses.into_iter())
            .filter_map(|clause| self.derived_by(clause, relation))
            .collect();
        self.store.or(&cases)
    }

    fn derived_by(&mut self, clause: ClauseId, relation: RelationId) -> Option<TermId> {
        let row = &self.system.clauses[clause];
        let mut parts = vec![row.constraint];
        for atom in &row.body {
            if !self.is_reached[atom.relation] {
                return None;
            }
            parts.extend(
                self.facts
                    .of(&mut self.store, atom.relation, &atom.arguments),
            );
        }
        let head = row.head.as_ref()?;
        let parameters = &self.facts.parameters[relation];
        for (&parameter, &argument) in parameters.iter().zip(&head.arguments) {
            parts.push(self.store.eq(parameter, argument));
        }
        Some(self.store.and(&parts))
    }

    /// What is not known of a relation to be in it.
    fn outside(&mut self, relation: RelationId) -> TermId {
        if !self.is_reached[relation] {
            return self.store.bool(true);
        }
        self.store.not_all(&self.facts.facts[relation])
    }

    fn is_unsat(&mut self, formula: TermId) -> bool {
        self.solver.push();
        self.solver.assert(&self.store, formula);
        let answer = self.solver.check(&self.store, &[], self.budget);
        self.solver.pop();
        answer == Answer::Unsat
    }

    /// Joins what is derived to what is known.
    fn join(&mut self, relation: RelationId, derived: TermId) {
        let mut cases = vec![derived];
        if self.is_reached[relation] {
            cases.push(self.store.and(&self.facts.facts[relation]));
        }
        let formula = self.store.or(&cases);
        self.facts.facts[relation] = self.abstracted(relation, formula);
        self.is_reached[relation] = true;
    }

    /// Keeps what is still true of what is derived.
    fn keep_true(&mut self, relation: RelationId, derived: TermId) {
        let old = std::mem::take(&mut self.facts.facts[relation]);
        let halves = |fact| halves(&mut self.store, fact);
        let parts: Vec<TermId> = old.into_iter().flat_map(halves).collect();
        self.facts.facts[relation] = self.entailed(derived, parts);
    }

    /// Those of some facts that a formula entails, as far as the solver knows: models of the
    /// formula say about many at once that they are none.
    fn entailed(&mut self, formula: TermId, mut open: Vec<TermId>) -> Vec<TermId> {
        let mut kept = Vec::new();
        self.solver.push();
        self.solver.assert(&self.store, formula);
        while let Some(fact) = open.pop() {
            let negated = self.store.not(fact);
            match self.solver.check(&self.store, &[negated], self.budget) {
                Answer::Unsat => kept.push(fact),
                Answer::Unknown(_) => {}
                Answer::Sat => {
                    let store = &self.store;
                    if let Some(model) = self.solver.model() {
                        open.retain(|&other| model.satisfies(store, other));
                    }
                }
            }
        }
        self.solver.pop();
        // In the order in which they came.
        kept.reverse();
        kept
    }

    /// Adds what the clauses derive from what is known by now.
    fn narrow(&mut self, relation: RelationId) {
        if self.budget.check().is_err() || !self.is_reached[relation] {
            return;
        }
        let derived = self.derived(relation);
        let found = self.abstracted(relation, derived);
        let mut all = std::mem::take(&mut self.facts.facts[relation]);
        // What is new comes first: equalities are among it.
        let old = all.drain(..).filter(|fact| !found.contains(fact));
        let mut facts = found.clone();
        facts.extend(old);
        self.facts.facts[relation] = facts;
    }

    /// What a formula says about the parameters of a relation.
    fn abstracted(&mut self, relation: RelationId, formula: TermId) -> Vec<TermId> {
        let parameters = self.facts.parameters[relation].clone();
        let of_sort = |store: &TermStore, sort: Sort| -> Vec<TermId> {
            let parameters = parameters.iter().copied();
            parameters.filter(|&it| store.sort(it) == sort).collect()
        };
        let numbers = of_sort(&self.store, Sort::Int);
        let truths = of_sort(&self.store, Sort::Bool);
        let mut facts = Vec::new();
        if !numbers.is_empty() {
            let (rows, congruences) = self.numeric(&numbers, formula);
            let rows = rows.iter().filter(|row| !row.is_trivial());
            facts.extend(rows.map(|row| row.to_term(&mut self.store, &numbers)));
            let congruences = congruences.iter();
            facts.extend(congruences.map(|it| it.to_term(&mut self.store, &numbers)));
        }
        let mut literals = truths.clone();
        literals.extend(truths.into_iter().map(|truth| self.store.not(truth)));
        facts.extend(self.entailed(formula, literals));
        facts.retain(|&fact| self.store.as_bool(fact) != Some(true));
        facts
    }

    fn numeric(&mut self, numbers: &[TermId], formula: TermId) -> (Vec<Row>, Vec<Congruence>) {
        let (store, solver) = (&mut self.store, &mut self.solver);
        let budget = self.budget.share(20);
        let mut abstraction = Abstraction::new(store, solver, formula, &budget);
        let rows = match numbers.len() {
            0..=POLYHEDRA => {
                let hull = abstraction.convex_hull(numbers, Limits::default());
                hull.rows().to_vec()
            }
            size => {
                let mut rows = abstraction.affine_hull(numbers);
                match size <= OCTAGONS {
                    true => rows.extend(abstraction.octagon_bounds(numbers)),
                    false => {
                        let bounds = abstraction.bounds(numbers);
                        rows.extend(bounds.iter().flat_map(|it| bounds_to_rows(it)));
                    }
                }
                rows
            }
        };
        let congruences = match numbers.len() <= OCTAGONS {
            true => abstraction.lattice(numbers),
            false => Vec::new(),
        };
        (rows, congruences)
    }

    /// Drops facts until the rest is inductive.
    fn keep_inductive(&mut self) {
        for relation in self.system.relations.ids() {
            if !std::mem::replace(&mut self.is_reached[relation], true) {
                self.facts.facts[relation] = vec![self.store.bool(false)];
            }
        }
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for relation in self.system.relations.ids() {
                if self.facts.facts[relation].is_empty() {
                    continue;
                }
                let derived = self.derived(relation);
                let before = self.facts.facts[relation].clone();
                let negated = self.store.not_all(&before);
                let question = self.store.and(&[derived, negated]);
                if self.is_unsat(question) {
                    continue;
                }
                self.keep_true(relation, derived);
                is_changed = true;
            }
        }
    }
}

/// The two inequalities of an equality of numbers; other formulas as they are.
pub(crate) fn halves(store: &mut TermStore, fact: TermId) -> Vec<TermId> {
    let Node::IsZero(sum) = store.node(fact) else {
        return vec![fact];
    };
    let sum = *sum;
    let zero = store.int(0i64);
    vec![store.le(sum, zero), store.le(zero, sum)]
}
