//! Which values are live: where paths join, the others may be anything.
//!
//! # Invariants
//! - Soundness does not depend on it: a value that is forgotten too early may be any value.

use super::graph::{Cuts, goes_on};
use super::imported_proof::Slot;
use super::walk::Walk;
use logic::TermId;
use program::ir::{Call, Edge, EdgeId, LocationId, Op, Scope};
use std::collections::{BTreeMap, BTreeSet};

type Slots = BTreeSet<Slot>;

impl Walk<'_, '_> {
    /// For the locations of a region, in their order: what may be read from there on.
    pub(super) fn live(
        &self,
        cuts: &Cuts<'_>,
        order: &[LocationId],
    ) -> BTreeMap<LocationId, Slots> {
        let procedure = &self.context.program.procs[self.proc];
        let mut live: BTreeMap<LocationId, Slots> = BTreeMap::new();
        let mut of_labels: BTreeMap<LocationId, Slots> = BTreeMap::new();
        for &at in order.iter().rev() {
            let mut here = Slots::new();
            for &id in cuts.out(at) {
                let edge = &procedure.edges[id];
                if !goes_on(&edge.op) {
                    continue;
                }
                let after = if cuts.is_cut(edge.target) {
                    of_labels.entry(edge.target).or_insert_with(|| {
                        let label = self.labels.get(&(self.proc, edge.target));
                        label.map_or_else(Slots::new, |&label| self.slots_of(label))
                    })
                } else {
                    &live[&edge.target]
                };
                here.extend(self.before(id, edge, after));
            }
            live.insert(at, here);
        }
        live
    }

    fn slots_of(&self, term: TermId) -> Slots {
        self.context.slots_of(term).collect()
    }

    /// What matters before an edge, from what does after it.
    fn before(&self, id: EdgeId, edge: &Edge, after: &Slots) -> Slots {
        let mut slots = after.clone();
        let mut read = Slots::new();
        for (place, ghost) in self.ghosts.iter().enumerate() {
            if let Some(&update) = ghost.updates.get(&id)
                && ghost.proc == self.proc
                && slots.remove(&Slot::Ghost(place))
            {
                // Variables are read after the edge, ghosts before it.
                for slot in self.slots_of(update) {
                    match slot {
                        Slot::Var(_) | Slot::Result(_) => slots.insert(slot),
                        Slot::Ghost(_) => read.insert(slot),
                    };
                }
            }
        }
        if let Some(var) = edge.op.written() {
            slots.remove(&Slot::Var(var));
        }
        if let Op::Call(call) = &edge.op {
            read.extend(self.read_by_callees(call));
        }
        read.extend(edge.op.read().into_iter().map(Slot::Var));
        slots.extend(read);
        slots
    }

    /// The globals that the labels of callees' entries and exits, and ghosts there, mention.
    fn read_by_callees(&self, call: &Call) -> Slots {
        let program = self.context.program;
        let mut read = Slots::new();
        for callee in self.calls.of_callee(&call.callee) {
            let row = &program.procs[callee];
            let ends = [row.entry, row.exit].map(|at| self.labels.get(&(callee, at)));
            for &label in ends.into_iter().flatten() {
                read.extend(self.slots_of(label));
            }
            for ghost in self.ghosts.iter().filter(|ghost| ghost.proc == callee) {
                read.extend(self.slots_of(ghost.initial));
            }
        }
        read.retain(|slot| match slot {
            Slot::Var(var) => program.vars[*var].scope == Scope::Global,
            Slot::Ghost(_) | Slot::Result(_) => false,
        });
        read
    }
}
