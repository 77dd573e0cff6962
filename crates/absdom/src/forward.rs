//! Forward abstract interpretation of one procedure: what holds at each of its locations.
//!
//! Intervals, congruences, octagons and linear equalities modulo powers of two over the variables
//! live at each location, for defined runs: the result of signed arithmetic is in the range of its
//! type. Calls, memory, floating-point numbers and addresses are any value of their type; inline
//! calls first.
//!
//! # Paper
//! [cousot1977abstract], with the iteration strategy of [bourdoncle1993efficient]; widening uses
//! constants of the program as thresholds first.
//!
//! # Invariants
//! - Inductive: for each edge, what holds at its source and the effect of its op imply what holds
//!   at its target, in defined runs.
//! - When the budget ends, every location is considered reachable with any state.

mod arithmetic;
mod cases;
mod condition;
mod constrain;
mod element;
mod evaluate;
mod facts;
mod iterate;
mod linear;
mod order;
mod packs;
mod transfer;

use crate::value::INFINITE;
use base::{Budget, IdVec};
use element::{Domain, Element, Limits, limits};
use encode::transition::State;
use iterate::States;
use logic::{Integer, TermId, TermStore};
use program::ir::*;
use program::pass::liveness::Liveness;

/// Options of the analysis.
#[derive(Clone, Debug)]
pub struct Options {
    /// The most disjuncts a location keeps apart.
    pub cases: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { cases: 8 }
    }
}

/// What holds at the locations of a procedure.
#[derive(Clone, Debug)]
pub struct Invariants {
    limits: Limits,
    cases: IdVec<LocationId, Vec<Element>>,
    /// The join of all cases.
    joined: IdVec<LocationId, Option<Element>>,
    live: IdVec<LocationId, Vec<VarId>>,
}

impl Invariants {
    /// Analyses a procedure; yields no information if the budget ends.
    pub fn new(program: &Program, proc: ProcId, options: &Options, budget: &Budget) -> Invariants {
        let liveness = Liveness::new(program);
        let states = iterate::run(program, proc, &liveness, options, budget);
        Invariants::of(program, proc, &liveness, &states)
    }

    /// No information: every location is reachable with any state.
    pub fn nothing(program: &Program, proc: ProcId) -> Invariants {
        let liveness = Liveness::new(program);
        let states = iterate::tops(program, proc, &liveness);
        Invariants::of(program, proc, &liveness, &states)
    }

    fn of(program: &Program, proc: ProcId, liveness: &Liveness, states: &States) -> Invariants {
        let cases: IdVec<LocationId, Vec<Element>> = states
            .iter()
            .map(|cases| cases.values().cloned().collect())
            .collect();
        let domain = Domain::new(program);
        let join = |cases: &Vec<Element>| {
            let cases = cases.iter().cloned();
            cases.reduce(|all, case| all.join(&domain, &case))
        };
        let locations = program.procs[proc].locations.ids();
        Invariants {
            joined: cases.iter().map(join).collect(),
            cases,
            live: locations
                .map(|at| liveness.live_at(proc, at).iter().collect())
                .collect(),
            limits: limits(program),
        }
    }

    /// Whether a defined run may reach a location; `false` is certain.
    pub fn is_reachable(&self, at: LocationId) -> bool {
        self.joined[at].is_some()
    }

    /// The bounds of an integer variable at a location, those of its type if nothing better is
    /// known; none if it is unbounded, or if the location is unreachable.
    pub fn bounds(&self, at: LocationId, var: VarId) -> (Option<Integer>, Option<Integer>) {
        let Some(element) = &self.joined[at] else {
            return (None, None);
        };
        let value = element.value_in(&self.limits, var);
        let bound = |bound: i128| (bound.abs() < INFINITE).then(|| Integer::from(bound));
        (bound(value.low()), bound(value.high()))
    }

    /// The invariant at a location, over the state's symbols, a disjunction if there are cases:
    /// inductive together with [`State::in_range`] of unsigned variables. Also says that signed
    /// ones are in the ranges of their types.
    pub fn formula(&self, at: LocationId, store: &mut TermStore, state: &State) -> TermId {
        let mut cases = Vec::new();
        for element in &self.cases[at] {
            let facts = facts::facts(&self.limits, element, store, state);
            cases.push(store.and(&facts));
        }
        let mut parts = vec![store.or(&cases)];
        let live = self.live[at].iter().copied();
        parts.extend(facts::signed_ranges(&self.limits, store, state, live));
        store.and(&parts)
    }

    /// The facts that hold in all cases, as a list, without what the types of the variables imply.
    pub fn conjuncts(&self, at: LocationId, store: &mut TermStore, state: &State) -> Vec<TermId> {
        match &self.joined[at] {
            Some(element) => facts::facts(&self.limits, element, store, state),
            None => vec![store.bool(false)],
        }
    }
}
