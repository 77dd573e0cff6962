//! Calls and returns: pushing and popping activations.

use super::explore::Unwinder;
use super::state::{Frame, State, Value};
use logic::{BitId, BitStore};
use program::expr::Expr;
use program::ir::{Call, EdgeId, ProcId, VarId};
use std::rc::Rc;

impl Unwinder<'_> {
    /// An activation of a procedure, at its entry.
    pub(super) fn activation(
        &mut self,
        proc: ProcId,
        call: Option<(EdgeId, Option<VarId>)>,
    ) -> Frame {
        let entry = self.program.procs[proc].entry;
        let loops = self.places_of(proc)[entry].loops.len();
        Frame {
            proc,
            at: entry,
            iterations: vec![0; loops],
            vars: Rc::new(vec![None; self.sizes[proc]]),
            objects: Rc::default(),
            allocated: Vec::new(),
            call: call.map(|(edge, _)| edge),
            result: call.and_then(|(_, result)| result),
        }
    }

    /// Enters a procedure.
    pub(super) fn call(&mut self, mut state: State, edge: EdgeId, call: &Call, callee: ProcId) {
        let args: Vec<Value> = (call.args.iter().chain(&call.varargs))
            .map(|arg| self.expr(&state, arg, BitStore::TRUE))
            .collect();
        self.assume_defined(&mut state);
        let procedure = &self.program.procs[callee];
        let mut frame = self.activation(callee, Some((edge, call.result)));
        let params = procedure.params.iter().chain(&procedure.varargs);
        let vars = Rc::make_mut(&mut frame.vars);
        for (&param, value) in params.zip(args) {
            vars[self.slots[param]] = Some(value);
        }
        state.frames.push(frame);
        self.wait(state);
    }

    /// Enters the procedures that an address may be of.
    pub(super) fn call_pointer(
        &mut self,
        state: &State,
        edge: EdgeId,
        call: &Call,
        pointer: &Expr,
    ) {
        let (object, offset) = self.address(state, pointer, BitStore::TRUE);
        let unknown = "a call of a function that is not known";
        self.no_wild_in(unknown, object, BitStore::TRUE);
        let at_start = self.is_offset(offset, 0);
        let defined = std::mem::replace(&mut self.defined, BitStore::TRUE);
        for number in self.leaves(object) {
            // What is no procedure, or one of another type, cannot be called: undefined.
            let callee = self.proc_of(number);
            let Some(callee) = callee.filter(|&callee| call.fits(self.program, callee)) else {
                continue;
            };
            let chosen = self.is_number(object, number);
            let chosen = self.store.and(chosen, at_start);
            let mut state = state.clone();
            self.assume(&mut state, defined);
            self.assume(&mut state, chosen);
            self.guard = state.guard;
            self.call(state, edge, call, callee);
        }
    }

    /// Returns to the caller.
    pub(super) fn leave(&mut self, mut state: State, value: Option<&Expr>) {
        if self.is_known(state.frame(), 0) {
            return;
        }
        let value = value.map(|value| self.expr(&state, value, BitStore::TRUE));
        self.assume_defined(&mut state);
        let objects: Vec<BitId> = state.frame().objects.values().copied().collect();
        let allocated = state.frame().allocated.clone();
        for number in objects {
            self.kill(&mut state, number);
        }
        for number in allocated {
            let number = self.number(number);
            self.kill(&mut state, number);
        }
        let frame = state.frames.pop().expect("a state should have a frame");
        let Some(edge) = frame.call else {
            return;
        };
        if let Some(var) = frame.result {
            let ty = self.program.vars[var].ty;
            let value = value.unwrap_or_else(|| self.any(ty));
            self.set(&mut state, var, value);
        }
        let caller = state.frame().proc;
        self.go(state, self.program.procs[caller].edges[edge].target);
    }
}
