//! The values that contracts are over: entry values and results, kept in variables.
//!
//! A procedure that is called gets a local for each parameter and each global that it may write,
//! set to its value at the entry, and one for the return value. The state at the exit then
//! describes the effect of a call: a formula over it can replace the call.
//!
//! # Invariants
//! - Runs are the same. Locations and edges of the old program keep their ids, except that a
//!   procedure has a new entry in front of the old one and a step before each return.
//! - Only what something still reads is kept: about the rest, a reduced program may say what does
//!   not hold in the original.

use program::expr::{Expr, Type};
use program::ir::*;
use program::pass::VarSet;
use program::pass::callgraph::CallGraph;
use program::pass::liveness::Liveness;
use program::validate::check_invariants;
use std::collections::{BTreeMap, BTreeSet};

/// The variables that a procedure's contract is over.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Frame {
    /// The parameters and the written globals, each with the local that has its value at the entry.
    pub entry_values: BTreeMap<VarId, VarId>,
    /// The globals that it, or one that it calls, may write.
    pub written: BTreeSet<VarId>,
    /// Other globals that are live at its entry.
    pub read: BTreeSet<VarId>,
    /// The local that has the value returned, if a caller reads it.
    pub result: Option<VarId>,
    /// Its old entry, unless a reduction had moved that.
    pub entry: Option<LocationId>,
    /// Whether its exit can be reached.
    pub returns: bool,
}

impl Frame {
    /// Its own locals that a contract mentions.
    pub fn locals(&self) -> impl Iterator<Item = VarId> {
        self.entry_values.values().copied().chain(self.result)
    }

    /// The variables of preconditions: entry values, and globals that it does not write.
    pub fn found(&self) -> impl Iterator<Item = VarId> {
        self.entry_values.values().chain(&self.read).copied()
    }

    /// The variables of the exit state: the result, and globals that it may write.
    pub fn left(&self) -> impl Iterator<Item = VarId> {
        self.written.iter().copied().chain(self.result)
    }
}

/// The frames of the procedures that are called, except for the program's entry.
pub type Frames = BTreeMap<ProcId, Frame>;

/// The locals of a procedure that its contract mentions, if it has a frame.
pub fn kept_locals(frames: &Frames, proc: ProcId) -> Vec<VarId> {
    let frame = frames.get(&proc).into_iter();
    frame.flat_map(Frame::locals).collect()
}

/// The program with entry values and results in variables, and these frames; the program as it is
/// if no procedure is called.
pub fn with_frames(program: &Program) -> (Program, Frames) {
    let graph = CallGraph::new(program);
    let reachable = graph.reachable(program);
    let called = |proc: &ProcId| reachable[*proc] && !graph.callers[*proc].is_empty();
    let procs: Vec<ProcId> = (program.procs.ids())
        .filter(|&proc| proc != program.entry)
        .filter(called)
        .collect();
    let liveness = Liveness::new(program);
    let read = read_globals(program);
    let written = written_globals(program, &graph, &read);
    let mut result = program.clone();
    let mut frames = Frames::new();
    for proc in procs {
        let row = &program.procs[proc];
        let live = liveness.live_at(proc, row.entry);
        let params = row.params.iter().filter(|&&param| live.contains(param));
        let kept: Vec<VarId> = params.chain(&written[&proc]).copied().collect();
        let is_read = |var: &VarId| {
            let row = &program.vars[*var];
            row.scope == Scope::Global && has_numbers(row.ty) && !written[&proc].contains(var)
        };
        let mut frame = Frame {
            written: written[&proc].clone(),
            read: live.iter().filter(is_read).collect(),
            entry: (!starts_with_halt(row)).then_some(row.entry),
            returns: row.reachable()[row.exit],
            ..Frame::default()
        };
        keep_entry_values(&mut result, proc, &kept, &mut frame);
        if is_result_read(program, &liveness, proc) {
            keep_result(&mut result, proc, &mut frame);
        }
        let row = &mut result.procs[proc];
        row.locations.shrink_to_fit();
        row.edges.shrink_to_fit();
        frames.insert(proc, frame);
    }
    check_invariants(&result, "keeping entry values");
    (result, frames)
}

/// Whether a procedure has been reduced to one that just ends the run.
fn starts_with_halt(procedure: &Procedure) -> bool {
    let mut out = procedure.locations[procedure.entry].out.iter();
    out.any(|&edge| matches!(procedure.edges[edge].op, Op::Halt(_)))
}

/// Whether formulas have numbers for the values of a type.
fn has_numbers(ty: Type) -> bool {
    matches!(ty, Type::Bool | Type::Int(_))
}

/// The globals that an op reads.
fn read_globals(program: &Program) -> VarSet {
    let edges = program.procs.iter().flat_map(|row| row.edges.iter());
    edges.flat_map(|edge| edge.op.read()).collect()
}

/// The globals of use that each procedure, or one that it calls, may write.
fn written_globals(
    program: &Program,
    graph: &CallGraph,
    read: &VarSet,
) -> BTreeMap<ProcId, BTreeSet<VarId>> {
    let counts = |var: &VarId| {
        let row = &program.vars[*var];
        row.scope == Scope::Global && read.contains(*var)
    };
    let mut written: BTreeMap<ProcId, BTreeSet<VarId>> = BTreeMap::new();
    for (proc, row) in program.procs.iter_enumerated() {
        let vars = row.edges.iter().filter_map(|edge| edge.op.written());
        written.insert(proc, vars.filter(counts).collect());
    }
    loop {
        let before: usize = written.values().map(BTreeSet::len).sum();
        for proc in graph.order() {
            for callee in &graph.callees[proc] {
                let more = written[callee].clone();
                written.entry(proc).or_default().extend(more);
            }
        }
        if written.values().map(BTreeSet::len).sum::<usize>() == before {
            return written;
        }
    }
}

/// Whether what a procedure returns is read after some call.
fn is_result_read(program: &Program, liveness: &Liveness, proc: ProcId) -> bool {
    let is_read = |(caller, row): (ProcId, &Procedure)| {
        row.edges.iter().any(|edge| match &edge.op {
            Op::Call(call) if call.callee == Callee::Proc(proc) => {
                (call.result).is_some_and(|var| liveness.live_at(caller, edge.target).contains(var))
            }
            _ => false,
        })
    };
    program.procs.iter_enumerated().any(is_read)
}

fn keep_entry_values(program: &mut Program, proc: ProcId, vars: &[VarId], frame: &mut Frame) {
    let span = program.procs[proc].span;
    let mut next = program.procs[proc].entry;
    for &var in vars.iter().rev() {
        let row = &program.vars[var];
        if !has_numbers(row.ty) {
            continue;
        }
        let (name, ty) = (format!("$entry.{}", row.name), row.ty);
        let copy = program.add_local(proc, name, ty, span);
        frame.entry_values.insert(var, copy);
        let procedure = &mut program.procs[proc];
        let start = procedure.add_location(span);
        let op = Op::Assign(Place::Var(copy), Expr::Var(var));
        procedure.add_edge(start, next, op, span);
        next = start;
    }
    program.procs[proc].entry = next;
}

fn keep_result(program: &mut Program, proc: ProcId, frame: &mut Frame) {
    let Some(ty) = program.procs[proc].ret.filter(|&ty| has_numbers(ty)) else {
        return;
    };
    let span = program.procs[proc].span;
    let result = program.add_local(proc, "$result", ty, span);
    frame.result = Some(result);
    let procedure = &mut program.procs[proc];
    let ids: Vec<EdgeId> = procedure.edges.ids().collect();
    for id in ids {
        if let Op::Return(Some(value)) = procedure.edges[id].op.clone() {
            let (exit, span) = (procedure.edges[id].target, procedure.edges[id].span);
            let middle = procedure.add_location(span);
            procedure.edges[id].op = Op::Assign(Place::Var(result), value);
            procedure.redirect(id, middle);
            let op = Op::Return(Some(Expr::Var(result)));
            procedure.add_edge(middle, exit, op, span);
        }
    }
}
