//! A run for human readers: the lines it takes, loops folded, calls nested, and which of the values
//! matter, because the failure depends on them.
//!
//! The run is repeated and watched. What matters is a dynamic slice: everything from which the
//! failing condition can be reached along data and control dependences of this run.
//!
//! # Invariants
//! - Time and memory are bounded: runs of more than `RECORDED_STEPS` are not recorded, and one with
//!   more than some millions of values is recorded but not sliced, and says so.

mod control;
mod depend;
mod dominators;
mod fold;
mod lines;
mod names;
mod operands;
mod plan;
mod recorder;

use crate::answer::{Note, Step};
use crate::place::Place;
use crate::reporter::Reporter;
use base::Budget;
use exec::inputs::RunInputs;
use exec::{End, Machine, Run};
use input::Loaded;
use names::Names;
use program::ir::ProcId;
use recorder::Recorder;

/// Runs of more steps are not recorded.
const RECORDED_STEPS: u64 = 20_000_000;

/// A recorded run.
#[derive(Clone, Debug)]
pub struct RecordedRun {
    /// The lines it takes, in order; iterations and calls that say nothing new are left out.
    pub steps: Vec<Step>,
    /// Whether it is known what the failure depends on; else everything is taken to matter.
    pub is_sliced: bool,
    /// For a run that fails: the values in the failing condition, then, outwards, those in the
    /// calls that gave them.
    pub operands: Vec<Note>,
}

/// Records a run that has been made before; none if it is too long.
pub(crate) fn record(reporter: &Reporter<'_>, run: &Run, budget: &Budget) -> Option<RecordedRun> {
    let Loaded {
        program,
        sources,
        ast,
        ..
    } = reporter.loaded;
    if run.steps > RECORDED_STEPS {
        return None;
    }
    let limits = &certify::replay::REPLAY_LIMITS;
    let mut inputs = RunInputs::new(program, &run.inputs);
    let names = Names::new(program, ast.as_ref());
    let mut recorder = Recorder::new(program, sources);
    let again = Machine::new(program).run_traced(&mut inputs, limits, budget, &mut recorder);
    if again.end != run.end {
        return None;
    }
    let (fails, is_undefined) = match run.end {
        End::Violated(..) => (true, false),
        End::Undefined(_) => (true, true),
        End::Exited(_)
        | End::Aborted
        | End::Blocked
        | End::Unsupported(_)
        | End::OutOfInputs
        | End::OutOfBudget(_) => (false, false),
    };
    let operands = if fails {
        recorder.operands(reporter, &names)
    } else {
        Vec::new()
    };
    let (builder, graph, end) = recorder.finish(is_undefined);
    let needed = if fails { graph.needed(&end) } else { None };
    let entries = builder.finish();
    let is_sliced = needed.is_some();
    let failing = failing(reporter, run);
    let steps = lines::steps(reporter, &names, &entries, needed.as_deref(), failing);
    Some(RecordedRun {
        steps,
        is_sliced,
        operands,
    })
}

/// Where a run violates something.
fn failing(reporter: &Reporter<'_>, run: &Run) -> Option<(ProcId, Place)> {
    let End::Violated(proc, location) = run.end else {
        return None;
    };
    let location = &reporter.loaded.program.procs[proc].locations[location];
    let violation = location.error.as_ref()?;
    Some((proc, reporter.place(violation.span)?))
}
