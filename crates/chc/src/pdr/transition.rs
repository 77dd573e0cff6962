//! A clause as a step from a state of its body to one of its head.
//!
//! # Invariants
//! - The symbols of a clause's body are the parameters of its relation; all others are its own.

use crate::reduce::facts::halves;
use crate::reduce::inline::matched;
use base::Budget;
use horn::{Clause, ClauseId, RelationId};
use interpolate::eliminate::values;
use interpolate::project::project;
use logic::{SymbolId, TermId, TermStore};
use smt::{Answer, Model, Solver};
use std::collections::BTreeSet;

/// A clause, and a solver that knows it.
pub(super) struct Transition {
    pub(super) clause: ClauseId,
    /// The relation of its body, if it has one.
    pub(super) body: Option<RelationId>,
    constraint: TermId,
    head: Vec<TermId>,
    /// The symbols that are not parameters of the body.
    own: BTreeSet<SymbolId>,
    solver: Solver,
}

/// The answer about a step to a cube.
pub(super) enum PredecessorAnswer {
    Model(Model),
    /// There is none, because of these literals of the cube.
    Core(BTreeSet<usize>),
}

impl Transition {
    /// A clause whose body has these parameters.
    pub(super) fn new(
        store: &mut TermStore,
        id: ClauseId,
        clause: &Clause,
        parameters: &[TermId],
    ) -> Transition {
        let arguments = clause.body.first().map_or(&[][..], |atom| &atom.arguments);
        let (mut map, equal) = matched(store, arguments, parameters);
        let mut own = BTreeSet::new();
        for symbol in clause.variables(store) {
            map.entry(symbol).or_insert_with(|| {
                let row = store.symbol(symbol).clone();
                let fresh = store.new_symbol(&row.name, row.sort);
                own.insert(fresh);
                store.of_symbol(fresh)
            });
        }
        let mut parts = vec![store.substitute(clause.constraint, &map)];
        for (argument, parameter) in equal {
            let argument = store.substitute(argument, &map);
            parts.push(store.eq(argument, parameter));
        }
        let constraint = store.and(&parts);
        let head = clause.head.as_ref().map_or(&[][..], |head| &head.arguments);
        let mut solver = Solver::new();
        solver.assert(store, constraint);
        Transition {
            clause: id,
            body: clause.body.first().map(|atom| atom.relation),
            constraint,
            head: store.substitute_all(head, &map),
            own,
            solver,
        }
    }

    /// Adds to what is known about the states of the body.
    pub(super) fn assert(&mut self, store: &TermStore, formula: TermId) {
        self.solver.assert(store, formula);
    }

    /// Whether a state of the body in which all of a context holds leads to one of a cube, over
    /// some parameters of the head.
    pub(super) fn ask(
        &mut self,
        store: &mut TermStore,
        parameters: &[TermId],
        cube: &[TermId],
        context: &[TermId],
        budget: &Budget,
    ) -> Result<PredecessorAnswer, String> {
        let literals = self.at_head(store, parameters, cube);
        let assumed: Vec<TermId> = context.iter().chain(&literals).copied().collect();
        match self.solver.check(store, &assumed, budget) {
            Answer::Unsat => {
                let core: BTreeSet<TermId> = self.solver.core().iter().copied().collect();
                let numbered = literals.iter().enumerate();
                let needed = numbered.filter(|(_, literal)| core.contains(literal));
                Ok(PredecessorAnswer::Core(needed.map(|(at, _)| at).collect()))
            }
            Answer::Sat => {
                let model = self.solver.model().ok_or("a model cannot be read")?;
                Ok(PredecessorAnswer::Model(model.clone()))
            }
            Answer::Unknown(why) => Err(why),
        }
    }

    /// Literals over the parameters of the body that hold in a model, and from whose states the
    /// clause leads to a cube.
    pub(super) fn before(
        &self,
        store: &mut TermStore,
        parameters: &[TermId],
        cube: &[TermId],
        model: &Model,
    ) -> Result<Vec<TermId>, String> {
        let mut parts = self.at_head(store, parameters, cube);
        parts.push(self.constraint);
        let values = values(store, &parts, model);
        let cube = project(store, &parts, &self.own, &values);
        let cube = cube.map_err(|_| "a state before another cannot be described")?;
        let halves = cube.into_iter().flat_map(|literal| halves(store, literal));
        Ok(halves.collect())
    }

    /// Literals over parameters of the head, said about its arguments.
    fn at_head(
        &self,
        store: &mut TermStore,
        parameters: &[TermId],
        literals: &[TermId],
    ) -> Vec<TermId> {
        let map = store.substitution(parameters, &self.head);
        store.substitute_all(literals, &map)
    }
}
