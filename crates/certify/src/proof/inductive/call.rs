//! Calls: their obligations, and the state they leave behind.

use super::imported_proof::Slot;
use super::obligation_context::Values;
use super::states::State;
use super::walk::Walk;
use logic::TermId;
use program::ir::{Call, EdgeId, ProcId, Scope, VarId};
use std::collections::BTreeSet;

impl Walk<'_, '_> {
    /// The label of a callee's entry must hold; afterwards everything that it may have written
    /// may have any value that its contract allows.
    pub(super) fn call(&mut self, id: EdgeId, call: &Call, before: &State) -> State {
        let mut args = Vec::new();
        let mut state = self.evaluate(before, |evaluation| {
            args = call.args.iter().map(|arg| evaluation.value(arg)).collect();
        });
        let mut written: BTreeSet<VarId> = call.result.into_iter().collect();
        let callees = self.calls.of_callee(&call.callee);
        let mut entered = Vec::new();
        for &callee in &callees {
            written.extend(&self.calls.written[&callee]);
            if self.says_something(callee) {
                let values = self.callee_state(callee, &args, &state);
                self.enter(id, callee, &values, state.reach);
                entered.push((callee, values));
            }
        }
        for var in written {
            self.forget(var, &mut state);
        }
        let contracts: Vec<TermId> = (entered.into_iter())
            .filter_map(|(callee, values)| self.contract(callee, values, call.result, &state))
            .collect();
        if !contracts.is_empty() && contracts.len() == callees.len() {
            // Obligations of the call must not rest on the state that it leaves.
            let some = self.context.store.or(&contracts);
            state.reach = self.context.literal(state.reach, &[some]);
        }
        state
    }

    /// Whether the proof, or the program, constrains a procedure's entry or exit.
    fn says_something(&self, proc: ProcId) -> bool {
        let row = &self.context.program.procs[proc];
        let is_labelled = |at| self.labels.contains_key(&(proc, at));
        row.locations[row.entry].error.is_some() || is_labelled(row.entry) || is_labelled(row.exit)
    }

    /// The contract of a callee that was entered with some values and has returned to a state; none
    /// if it has no contract.
    fn contract(
        &mut self,
        callee: ProcId,
        mut values: Values,
        result: Option<VarId>,
        after: &State,
    ) -> Option<TermId> {
        let row = &self.context.program.procs[callee];
        let label = *self.labels.get(&(callee, row.exit))?;
        for &var in &self.calls.written[&callee] {
            values.insert(Slot::Var(var), after.values[&Slot::Var(var)]);
        }
        self.any_locals(callee, &mut values);
        for (place, ghost) in self.ghosts.iter().enumerate() {
            if ghost.proc == callee && !ghost.updates.is_empty() {
                let slot = Slot::Ghost(place);
                let sort = self.context.store.sort(values[&slot]);
                let value = self.context.store.fresh("$ghost", sort);
                values.insert(slot, value);
            }
        }
        if let Some(ty) = row.ret {
            let mut value = self.context.any("$result", ty);
            if let Some(var) = result
                && self.context.program.vars[var].ty == ty
            {
                value = after.values[&Slot::Var(var)];
            }
            values.insert(Slot::Result(callee), value);
        }
        Some(self.context.in_state(&values, label))
    }

    /// The obligations of a call.
    fn enter(&mut self, id: EdgeId, callee: ProcId, values: &Values, reach: TermId) {
        let entry = (callee, self.context.program.procs[callee].entry);
        let never = "the error location at the callee's entry is not reached";
        if let Some(claims) = self.claims_at(entry, values, never) {
            self.oblige(id, reach, claims);
        }
    }

    /// The values at a callee's entry: all of its locals are new.
    fn callee_state(&mut self, callee: ProcId, args: &[TermId], state: &State) -> Values {
        let row = &self.context.program.procs[callee];
        let mut values = state.values.clone();
        self.any_locals(callee, &mut values);
        // A call through a pointer may have mismatching arguments; that is not a defined run.
        for (&param, &arg) in row.params.iter().zip(args) {
            let slot = Slot::Var(param);
            if self.context.store.sort(values[&slot]) == self.context.store.sort(arg) {
                values.insert(slot, arg);
            }
        }
        for (place, ghost) in self.ghosts.iter().enumerate() {
            if ghost.proc == callee {
                let value = self.context.in_state(&values, ghost.initial);
                values.insert(Slot::Ghost(place), value);
            }
        }
        values
    }

    /// The locals of a procedure may have any values.
    fn any_locals(&mut self, proc: ProcId, values: &mut Values) {
        for (id, var) in self.context.program.vars.iter_enumerated() {
            if var.scope == Scope::Local(proc) {
                let value = self.context.any(&var.name, var.ty);
                values.insert(Slot::Var(id), value);
            }
        }
    }
}
