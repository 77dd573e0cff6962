//! Calls by contract: a formula in place of a call.

use crate::frames::{Frame, Frames};
use crate::transition::{State, TransitionFormula};
use logic::{Node, TermId, TermStore};
use program::ir::{Call, ProcId, Program, VarId};
use std::collections::BTreeMap;

/// The contract of a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    /// The postcondition, over the symbols of the state at its exit: entry values, result, globals.
    pub ensures: TermId,
    /// The precondition: if it is called so that this holds, over its entry values and the globals
    /// that it does not write, it reaches no error.
    pub requires: TermId,
}

/// The contracts of the procedures that have one.
pub type Contracts = BTreeMap<ProcId, Contract>;

/// A call in a state: the callee's entry state and exit state.
#[derive(Clone, PartialEq, Debug)]
pub struct CallSite {
    /// The callee.
    pub callee: ProcId,
    /// The condition under which the call is made, including definedness of its arguments.
    pub guard: TermId,
    /// The entry values of the callee, by the locals that keep them: terms over the state before.
    pub entered: BTreeMap<VarId, TermId>,
    /// The callee's result and the globals that it writes, afterwards, by the callee's variables:
    /// fresh symbols.
    pub left: BTreeMap<VarId, TermId>,
    /// The caller's variable that gets the result.
    pub result: Option<VarId>,
}

impl CallSite {
    /// A call with arguments that are defined under a guard; globals are those of the state.
    pub fn new(
        program: &Program,
        store: &mut TermStore,
        state: &State,
        (callee, frame): (ProcId, &Frame),
        call: &Call,
        (args, guard): (&[TermId], TermId),
    ) -> Self {
        let params = &program.procs[callee].params;
        let mut entered = BTreeMap::new();
        for (&var, &copy) in &frame.entry_values {
            let place = params.iter().position(|&param| param == var);
            let value = match place {
                Some(place) => args[place],
                None => store.of_symbol(state.symbol(var)),
            };
            entered.insert(copy, value);
        }
        let mut left = BTreeMap::new();
        for var in frame.left() {
            let row = &program.vars[var];
            left.insert(var, store.fresh(&row.name, row.ty.sort()));
        }
        CallSite {
            callee,
            guard,
            entered,
            left,
            result: call.result,
        }
    }

    /// A formula over the callee's exit state, renamed to this call site.
    pub fn at_site(&self, store: &mut TermStore, state: &State, formula: TermId) -> TermId {
        let map = state.substitution(self.entered.iter().chain(&self.left));
        store.substitute(formula, &map)
    }

    /// The call and the return from it, with an exit state that a formula allows.
    pub fn step(
        &self,
        program: &Program,
        store: &mut TermStore,
        state: &State,
        frames: &Frames,
        ensures: TermId,
    ) -> TransitionFormula {
        let frame = &frames[&self.callee];
        let written = frame.written.iter();
        let mut map: BTreeMap<_, _> = written.map(|&var| (var, self.left[&var])).collect();
        let mut guard = vec![self.guard, self.at_site(store, state, ensures)];
        if let Some(var) = self.result {
            let row = &program.vars[var];
            let value = match frame.result {
                Some(result) => self.left[&result],
                None => store.fresh(&row.name, row.ty.sort()),
            };
            map.insert(var, value);
        }
        let written = map.keys().copied();
        let ranges = state.in_range(program, store, written);
        guard.push(store.substitute(ranges, &state.substitution(&map)));
        TransitionFormula {
            map,
            guard: store.and(&guard),
            exact: false,
        }
    }

    /// The same call with other symbols for its exit state.
    pub fn renamed(&self, store: &mut TermStore) -> Self {
        let mut copy = self.clone();
        for term in copy.left.values_mut() {
            if let Node::Symbol(symbol) = *store.node(*term) {
                *term = store.fresh_like(symbol);
            }
        }
        copy
    }
}
