//! A run as a person reads it: the lines it takes, loops folded, calls inside of each other, and
//! which of the values matter, because the failure depends on them.
//!
//! The run is made once more and watched. What matters is a dynamic slice: everything from which
//! the failing condition can be reached along data and control dependences of this very run.
//!
//! # Invariants
//! - Time and memory are bounded: runs of more than [`RECORDED_STEPS`] are not recorded, and one
//!   with more than some millions of values is recorded but not sliced, and says so.

mod control;
mod depend;
mod fold;
mod lines;
mod names;
mod operands;
mod plan;
mod recorder;

pub use lines::{Line, TurnStart};
pub use names::Names;
pub use operands::Operands;

use crate::model::{Place, Step};
use base::{Budget, SourceMap, Span};
use cfront::ast::Ast;
use exec::inputs::ListInputs;
use exec::{End, Machine, Run};
use program::ir::{ProcId, Program};
use recorder::Recorder;

/// Runs of more steps are not recorded.
pub const RECORDED_STEPS: u64 = 20_000_000;

/// A recorded run.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The lines it takes, in order; turns and calls that say nothing new are left out.
    pub lines: Vec<Line>,
    /// Whether it is known what the failure depends on; else everything is taken to matter.
    pub is_sliced: bool,
    /// For a run that fails: the values in the failing condition, then, outwards, those in the
    /// calls that gave them.
    pub operands: Vec<Operands>,
}

/// Records a run that has been made before; none if it is too long.
pub fn record(
    program: &Program,
    ast: Option<&Ast>,
    sources: &SourceMap,
    run: &Run,
    budget: &Budget,
) -> Option<Trace> {
    if run.steps > RECORDED_STEPS {
        return None;
    }
    let limits = &certify::replay::REPLAY_LIMITS;
    let mut inputs = ListInputs::new(run.inputs.iter().map(|&(_, value)| value));
    let names = Names::new(program, ast);
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
        recorder.operands(&names)
    } else {
        Vec::new()
    };
    let (builder, graph, end) = recorder.finish(is_undefined);
    let needed = if fails { graph.needed(&end) } else { None };
    let entries = builder.finish();
    let line = |span: Span| sources.presumed(span).map(|at| (at.file, at.line));
    let failing = failing(program, run).filter(|&(_, span)| line(span).is_some());
    let is_same_line = |one: Span, other: Span| line(one) == line(other);
    let is_sliced = needed.is_some();
    let needed = needed.as_deref();
    let lines = lines::lines(program, &names, &entries, needed, failing, is_same_line);
    Some(Trace {
        lines,
        is_sliced,
        operands,
    })
}

/// Where a run violates something.
fn failing(program: &Program, run: &Run) -> Option<(ProcId, Span)> {
    let End::Violated(proc, location) = run.end else {
        return None;
    };
    let violation = program.procs[proc].locations[location].error.as_ref()?;
    Some((proc, violation.span))
}

impl Trace {
    /// The lines as steps of a report.
    pub fn steps(
        &self,
        program: &Program,
        place: &mut dyn FnMut(Span) -> Option<Place>,
    ) -> Vec<Step> {
        let step = |line: &Line| Step {
            place: place(line.span),
            function: program.procs[line.proc].name.to_string(),
            depth: line.depth,
            values: line.values.clone(),
            arguments: line.entered.clone(),
            matters: line.matters,
            turn: line.turn.map(|turn| turn.number),
            skipped: line.turn.map_or(0, |turn| turn.skipped),
            left_out: line.left_out,
        };
        self.lines.iter().map(step).collect()
    }
}
