//! Runs along a trace through several procedures.
//!
//! Inputs come from a model of the trace, block by block. The machine reports the edges that it
//! executes; when one starts at a cut point, the next block of the trace starts, whatever procedure
//! it is in.

use crate::path_inputs::BlockInputs;
use crate::test_runner::{ZERO, constant};
use base::{Budget, IdVec};
use exec::{Inputs, Limits, Machine, Run, Watch};
use program::expr::{Constant, Type};
use program::ir::{EdgeId, LocationId, ProcId, SiteId};
use std::cell::Cell;
use std::collections::BTreeMap;

/// The cut points of each procedure that a trace may go through.
pub type CutPoints = BTreeMap<ProcId, IdVec<LocationId, bool>>;

/// Runs a program with the inputs of each block and call of a trace, and zeros after them.
pub fn run_trace(
    machine: &Machine<'_>,
    cut_points: &CutPoints,
    inputs: &[BlockInputs],
    limits: &Limits,
    budget: &Budget,
) -> Run {
    let record = &Record {
        machine,
        cut_points,
        inputs,
        begun: Cell::new(0),
        edge: Cell::new(None),
    };
    machine.run_watched(&mut { record }, limits, budget, &mut { record })
}

/// Where a run is.
struct Record<'r> {
    machine: &'r Machine<'r>,
    cut_points: &'r CutPoints,
    inputs: &'r [BlockInputs],
    /// How many blocks have begun.
    begun: Cell<usize>,
    edge: Cell<Option<EdgeId>>,
}

impl Watch for &Record<'_> {
    fn edge(&mut self, proc: ProcId, edge: EdgeId) {
        let Some(is_cut) = self.cut_points.get(&proc) else {
            return;
        };
        let source = self.machine.program().procs[proc].edges[edge].source;
        if is_cut[source] {
            self.begun.update(|count| count + 1);
        }
        self.edge.set(Some(edge));
    }
}

impl Inputs for &Record<'_> {
    fn next(&mut self, _: SiteId, ty: Type) -> Option<Constant> {
        let block = self.begun.get().checked_sub(1)?;
        let inputs = self.inputs.get(block);
        let value = inputs.and_then(|row| row.get(&self.edge.get()?).cloned());
        Some(constant(ty, &value.unwrap_or(ZERO)))
    }
}
