//! Calls: what is to be shown of them, and what they leave behind.

use super::imported_proof::Slot;
use super::obligation_context::Values;
use super::states::State;
use super::walk::{Claim, Obligation, Text, Walk};
use logic::TermId;
use program::ir::{Call, EdgeId, ProcId, Scope, VarId};
use std::collections::BTreeSet;

impl Walk<'_, '_> {
    /// The label of a callee's entry must hold; afterwards everything that it may have written
    /// may have any value.
    pub(super) fn call(&mut self, id: EdgeId, call: &Call, before: &State) -> State {
        let mut args = Vec::new();
        let mut state = self.evaluate(before, |evaluation| {
            args = call.args.iter().map(|arg| evaluation.value(arg)).collect();
        });
        let mut written: BTreeSet<VarId> = call.result.into_iter().collect();
        for callee in self.calls.of_callee(&call.callee) {
            self.enter(id, callee, &args, &state);
            written.extend(&self.calls.written[&callee]);
        }
        for var in written {
            self.forget(var, &mut state);
        }
        state
    }

    /// What is to be shown for a call.
    fn enter(&mut self, id: EdgeId, callee: ProcId, args: &[TermId], state: &State) {
        let row = &self.context.program.procs[callee];
        let claims = if row.locations[row.entry].error.is_some() {
            self.never("the error location at the callee's entry is not reached")
        } else if let Some(&label) = self.labels.get(&(callee, row.entry)) {
            let values = self.callee_state(callee, args, state);
            let parts = self.context.store.conjuncts(label).into_iter();
            let claim = |part| Claim {
                formula: self.context.in_state(&values, part),
                text: Text::Formula(part),
            };
            parts.map(claim).collect()
        } else {
            return;
        };
        self.obligations.push(Obligation {
            at: self.context.program.procs[self.proc].edges[id].source,
            edge: Some(id),
            reach: state.reach,
            claims,
        });
    }

    /// The values at a callee's entry: all of its locals are new.
    fn callee_state(&mut self, callee: ProcId, args: &[TermId], state: &State) -> Values {
        let row = &self.context.program.procs[callee];
        let mut values = state.values.clone();
        for (id, var) in self.context.program.vars.iter_enumerated() {
            if var.scope == Scope::Local(callee) {
                let value = self.context.any(&var.name, var.ty);
                values.insert(Slot::Var(id), value);
            }
        }
        // A call through a pointer may have other arguments; that is no run.
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
}
