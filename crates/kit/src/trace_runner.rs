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
use std::cell::RefCell;
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
    let record = RefCell::new(Record {
        machine,
        cut_points,
        inputs,
        begun: 0,
        edge: None,
    });
    let mut source = Source(&record);
    let mut watch = Watcher(&record);
    machine.run_watched(&mut source, limits, budget, &mut watch)
}

/// Where a run is.
struct Record<'r> {
    machine: &'r Machine<'r>,
    cut_points: &'r CutPoints,
    inputs: &'r [BlockInputs],
    /// How many blocks have begun.
    begun: usize,
    edge: Option<EdgeId>,
}

struct Watcher<'w, 'r>(&'w RefCell<Record<'r>>);

impl Watch for Watcher<'_, '_> {
    fn edge(&mut self, proc: ProcId, edge: EdgeId) {
        let mut record = self.0.borrow_mut();
        let Some(is_cut) = record.cut_points.get(&proc) else {
            return;
        };
        let source = record.machine.program().procs[proc].edges[edge].source;
        if is_cut[source] {
            record.begun += 1;
        }
        record.edge = Some(edge);
    }
}

struct Source<'w, 'r>(&'w RefCell<Record<'r>>);

impl Inputs for Source<'_, '_> {
    fn next(&mut self, _: SiteId, ty: Type) -> Option<Constant> {
        let record = self.0.borrow();
        let block = record.begun.checked_sub(1)?;
        let inputs = record.inputs.get(block);
        let value = inputs.and_then(|row| row.get(&record.edge?).cloned());
        Some(constant(ty, &value.unwrap_or(ZERO)))
    }
}
