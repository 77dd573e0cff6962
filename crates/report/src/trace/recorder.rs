//! Watches a run: its path, and its dependences.
//!
//! # Paper
//! Control dependence is tracked as in [xin2007efficient]: a branch is open until the run reaches
//! the point where its paths join again, and events depend on the branch opened last.

use super::depend::{Bytes, CauseId, Graph};
use super::fold::{Builder, Visit};
use super::plan::{EdgeKind, Plan};
use base::{Id, IdVec, SourceMap, Span};
use exec::{Target, Value, Watch};
use program::ir::{EdgeId, LocationId, ProcId, Program, Scope, VarId};
use program::pass::loops::LoopId;
use std::collections::BTreeMap;
use std::ops::Range;

/// Values whose origin is remembered.
const REMEMBERED: usize = 1 << 14;

/// An activation.
struct Frame {
    proc: ProcId,
    /// The call.
    call: CauseId,
    site: Option<(ProcId, EdgeId)>,
    /// The branches that are open, with the locations where they end.
    branches: Vec<(CauseId, Option<LocationId>)>,
    loops: Vec<LoopId>,
    /// What the locals were before, if the procedure was active.
    saved: Vec<(VarId, CauseId, Option<Value>)>,
    /// Whether the edge last executed leaves the head of a loop.
    is_at_head: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pending {
    Nothing,
    /// A call is about to be entered.
    Call,
    /// It is entered; arguments may follow.
    Arguments,
    /// A procedure is about to return.
    Return,
}

/// Where a value came from.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    pub(super) cause: CauseId,
    pub(super) target: Target,
    pub(super) value: Value,
    /// The edge, and of a call which argument.
    pub(super) edge: (ProcId, EdgeId, Option<usize>),
    /// What was loaded for it.
    pub(super) loads: Loads,
}

/// The first few causes of what was loaded.
pub(super) type Loads = [CauseId; 4];

fn first(loads: &[CauseId]) -> Loads {
    std::array::from_fn(|index| loads.get(index).copied().unwrap_or_else(Graph::start))
}

/// Watches a run and keeps its path.
pub(super) struct Recorder<'p> {
    program: &'p Program,
    plans: Vec<Plan>,
    pub(super) graph: Graph,
    bytes: Bytes,
    /// By variable: who put its value there, and the value.
    last: IdVec<VarId, CauseId>,
    values: IdVec<VarId, Option<Value>>,
    active: IdVec<ProcId, u32>,
    frames: Vec<Frame>,
    /// How many activations at the bottom are none of the source's.
    hidden: usize,
    pending: Pending,
    /// The edge last named, and what it needs: of variables, of memory, and for each argument.
    at: Option<(ProcId, EdgeId)>,
    needs: Vec<CauseId>,
    loads: Vec<CauseId>,
    args: Vec<Vec<CauseId>>,
    /// What all arguments of the last call need of memory.
    arg_loads: Vec<CauseId>,
    /// Who changed memory just now.
    changed: Option<CauseId>,
    /// The values put somewhere lately.
    origins: Vec<Option<Origin>>,
    visit: Option<Visit>,
    builder: Builder,
}

impl<'p> Recorder<'p> {
    /// Nothing seen yet.
    pub(super) fn new(program: &'p Program, sources: &SourceMap) -> Self {
        let mut numbers = BTreeMap::new();
        let mut plans: Vec<Plan> = program
            .procs
            .iter()
            .map(|procedure| Plan::new(procedure, sources, &mut numbers))
            .collect();
        for (id, var) in program.vars.iter_enumerated() {
            if let Scope::Local(proc) = var.scope {
                plans[proc.index()].locals.push(id);
            }
        }
        let mut recorder = Recorder {
            program,
            plans,
            graph: Graph::new(),
            bytes: Bytes::default(),
            last: IdVec::filled(Graph::start(), program.vars.len()),
            values: IdVec::filled(None, program.vars.len()),
            active: IdVec::filled(0, program.procs.len()),
            frames: Vec::new(),
            hidden: usize::from(program.procs[program.entry].name.starts_with('$')),
            pending: Pending::Nothing,
            at: None,
            needs: Vec::new(),
            loads: Vec::new(),
            args: Vec::new(),
            arg_loads: Vec::new(),
            changed: None,
            origins: vec![None; REMEMBERED],
            visit: None,
            builder: Builder::new(),
        };
        recorder.enter(program.entry);
        recorder
    }

    /// The path; and what the end of the run needs, with `is_undefined` if the last edge failed.
    pub(super) fn finish(mut self, is_undefined: bool) -> (Builder, Graph, Vec<CauseId>) {
        let mut end = vec![self.hangs_on()];
        if is_undefined {
            end.extend(self.needs.iter().chain(&self.loads));
            end.extend(self.args.iter().flatten());
        }
        self.flush();
        (self.builder, self.graph, end)
    }

    /// The program that is watched.
    pub(super) fn program(&self) -> &'p Program {
        self.program
    }

    /// How many activations there are.
    pub(super) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The condition that led to where the run is, or what failed here.
    pub(super) fn condition(&self) -> Option<(ProcId, EdgeId, Option<usize>)> {
        self.at.map(|(proc, edge)| (proc, edge, None))
    }

    /// The call that made an activation, by the number of activations up to it.
    pub(super) fn call_site(&self, depth: usize) -> Option<(ProcId, EdgeId)> {
        self.frames.get(depth.checked_sub(1)?)?.site
    }

    /// The variables that an edge, or an argument of a call, reads.
    pub(super) fn reads(&self, (proc, edge, arg): (ProcId, EdgeId, Option<usize>)) -> Vec<VarId> {
        let plan = &self.plans[proc.index()].edges[edge];
        match arg {
            Some(index) => plan.args.get(index).cloned().unwrap_or_default(),
            None if plan.args.is_empty() => plan.reads.clone(),
            None => plan.args.iter().flatten().copied().collect(),
        }
    }

    /// Who put its value into a variable, and the value, as seen by an activation.
    pub(super) fn known(&self, var: VarId, depth: usize) -> (CauseId, Option<Value>) {
        let later = self.frames.get(depth..).unwrap_or_default();
        let saved = later.iter().flat_map(|frame| &frame.saved);
        let saved = { saved }.find(|(saved, ..)| *saved == var);
        saved.map_or((self.last[var], self.values[var]), |&(_, cause, value)| {
            (cause, value)
        })
    }

    /// How a variable got its value, if that was lately.
    pub(super) fn origin_of(&self, var: VarId, depth: usize) -> Option<Origin> {
        let (cause, _) = self.known(var, depth);
        let origin = self.origin(cause)?;
        (origin.target == Target::Var(var)).then_some(origin)
    }

    /// The value that a cause put somewhere, if that was lately.
    pub(super) fn origin(&self, cause: CauseId) -> Option<Origin> {
        let origin = self.origins[cause.index() % REMEMBERED]?;
        (origin.cause == cause && cause != Graph::start()).then_some(origin)
    }

    /// What the last condition loaded.
    pub(super) fn last_loads(&self) -> Loads {
        first(&self.loads)
    }

    /// What everything that happens now depends on.
    fn hangs_on(&self) -> CauseId {
        let Some(frame) = self.frames.last() else {
            return Graph::start();
        };
        let branch = frame.branches.last();
        branch.map_or(frame.call, |&(cause, _)| cause)
    }

    fn flush(&mut self) {
        if let Some(mut visit) = self.visit.take() {
            visit.causes.end = self.graph.len();
            self.builder.visit(visit);
        }
    }

    fn enter(&mut self, proc: ProcId) {
        self.flush();
        let call = self.graph.add(self.hangs_on(), &[&self.needs]);
        let mut saved = Vec::new();
        if self.active[proc] > 0 {
            let locals = self.plans[proc.index()].locals.iter();
            saved.extend(locals.map(|&var| (var, self.last[var], self.values[var])));
        }
        self.active[proc] += 1;
        self.frames.push(Frame {
            proc,
            call,
            site: self.at,
            branches: Vec::new(),
            loops: Vec::new(),
            saved,
            is_at_head: false,
        });
        self.builder.enter_call(proc);
        self.pending = Pending::Nothing;
    }

    fn leave(&mut self) {
        self.pending = Pending::Nothing;
        self.flush();
        let Some(frame) = self.frames.pop() else {
            return;
        };
        frame
            .loops
            .iter()
            .for_each(|_| self.builder.leave_loop(false));
        self.active[frame.proc] -= 1;
        for (var, cause, value) in frame.saved {
            self.last[var] = cause;
            self.values[var] = value;
        }
        self.builder.leave_call();
        self.at = frame.site;
    }

    /// What is pending happens before the next edge.
    fn settle(&mut self, next: ProcId) {
        match self.pending {
            Pending::Call => self.enter(next),
            Pending::Return => self.leave(),
            Pending::Arguments => self.pending = Pending::Nothing,
            Pending::Nothing => {}
        }
    }

    /// Loops and iterations, as an edge from a location says.
    fn follow_loops(&mut self, proc: ProcId, from: LocationId, line: u32) {
        let nest = &self.plans[proc.index()].nest;
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        while let Some(&inner) = frame.loops.last()
            && !nest.contains(inner, from)
        {
            frame.loops.pop();
            if let Some(mut visit) = self.visit.take() {
                visit.causes.end = self.graph.len();
                self.builder.visit(visit);
            }
            self.builder.leave_loop(frame.is_at_head);
        }
        let head = nest.head_of(from);
        frame.is_at_head = head.is_some();
        let Some(head) = head else { return };
        let procedure = &self.program.procs[proc];
        let own = procedure.locations[from].span;
        let first = procedure.locations[from].out.first();
        let span = match (own, first) {
            (Span::NONE, Some(&edge)) => procedure.edges[edge].span,
            (own, _) => own,
        };
        let is_entered = frame.loops.last() == Some(&head);
        if !is_entered {
            frame.loops.push(head);
        }
        // A line that ends one iteration and starts the next belongs to the next: `i++` of a `for`.
        let moves = |visit: &Visit| visit.line == line && visit.proc == proc && !visit.is_head;
        if !self.visit.as_ref().is_some_and(moves) {
            self.flush();
        }
        if is_entered {
            self.builder.iteration();
        } else {
            self.builder.enter_loop(span);
        }
        if let Some(visit) = &mut self.visit {
            visit.is_head = true;
        }
    }

    /// The line of an edge is executed.
    fn see_line(&mut self, proc: ProcId, edge: EdgeId) {
        let line = self.plans[proc.index()].edges[edge].line;
        if line == 0 {
            return;
        }
        if let Some(visit) = &self.visit
            && visit.line == line
            && visit.proc == proc
        {
            return;
        }
        self.flush();
        let row = &self.program.procs[proc].edges[edge];
        let is_head = self.plans[proc.index()].nest.is_head(row.source);
        self.visit = Some(Visit {
            proc,
            span: row.span,
            depth: self.frames.len().saturating_sub(1 + self.hidden),
            values: Vec::new(),
            causes: self.graph.len()..0,
            line,
            is_head,
        });
    }

    fn put(&mut self, origin: Origin) {
        let Origin {
            cause,
            target,
            value,
            ..
        } = origin;
        if let Target::Var(var) = target {
            self.last[var] = cause;
            self.values[var] = Some(value);
        }
        self.origins[cause.index() % REMEMBERED] = Some(origin);
    }

    fn note_value(&mut self, target: Target, value: Value, cause: CauseId) {
        if let Some(visit) = &mut self.visit {
            let known = visit.values.iter_mut();
            match { known }.find(|(known, ..)| *known == target) {
                Some(entry) => *entry = (target, value, cause),
                None => visit.values.push((target, value, cause)),
            }
        }
    }

    fn argument(&mut self, var: VarId, value: Value) {
        if self.pending == Pending::Call {
            let Scope::Local(proc) = self.program.vars[var].scope else {
                return;
            };
            self.enter(proc);
            self.pending = Pending::Arguments;
            // What is loaded from now on is for the first condition of the procedure.
            self.arg_loads = std::mem::take(&mut self.loads);
        }
        let Some(frame) = self.frames.last() else {
            return;
        };
        let procedure = &self.program.procs[frame.proc];
        let mut params = procedure.params.iter().chain(&procedure.varargs);
        let index = params.position(|&param| param == var);
        let needs = index.and_then(|index| self.args.get(index));
        let needs = needs.map_or(&[][..], |needs| &needs[..]);
        let cause = self.graph.add(frame.call, &[needs, &self.arg_loads]);
        if let Some((proc, edge)) = frame.site {
            self.put(Origin {
                cause,
                target: Target::Var(var),
                value,
                edge: (proc, edge, index),
                loads: first(&self.arg_loads),
            });
        }
        self.builder.argument(var, value, cause);
    }
}

impl Watch for Recorder<'_> {
    fn edge(&mut self, proc: ProcId, edge: EdgeId) {
        self.settle(proc);
        let row = &self.program.procs[proc].edges[edge];
        let plan = &self.plans[proc.index()].edges[edge];
        let (line, kind) = (plan.line, plan.kind);
        if kind != EdgeKind::Branch {
            self.loads.clear();
        }
        self.changed = None;
        self.at = Some((proc, edge));
        self.needs.clear();
        self.needs
            .extend(plan.reads.iter().map(|&var| self.last[var]));
        if let Some(frame) = self.frames.last_mut() {
            while let Some(&(_, Some(join))) = frame.branches.last()
                && join == row.source
            {
                frame.branches.pop();
            }
        }
        self.follow_loops(proc, row.source, line);
        self.see_line(proc, edge);
        match kind {
            EdgeKind::Branch => {
                let cause = (self.graph).add(self.hangs_on(), &[&self.needs, &self.loads]);
                self.builder.way(&edge.index());
                let join = self.plans[proc.index()].joins[row.source];
                if let Some(frame) = self.frames.last_mut() {
                    // Branches that end together are one: the earlier is needed by the later.
                    frame.branches.pop_if(|(_, other)| *other == join);
                    frame.branches.push((cause, join));
                }
            }
            EdgeKind::Call => {
                let plan = &self.plans[proc.index()].edges[edge];
                let last = |vars: &Vec<VarId>| vars.iter().map(|&var| self.last[var]).collect();
                self.args = plan.args.iter().map(last).collect();
                self.pending = Pending::Call;
            }
            EdgeKind::Return => self.pending = Pending::Return,
            EdgeKind::Other => {}
        }
    }

    fn wrote(&mut self, target: Target, value: Value) {
        match (self.pending, target) {
            (Pending::Call | Pending::Arguments, Target::Var(var)) => {
                self.argument(var, value);
                return;
            }
            (Pending::Return, _) => {
                let returned = (self.graph).add(self.hangs_on(), &[&self.needs, &self.loads]);
                self.leave();
                self.needs = vec![returned];
                self.loads.clear();
                if let Some((proc, edge)) = self.at {
                    self.see_line(proc, edge);
                }
            }
            (Pending::Nothing | Pending::Call | Pending::Arguments, _) => {}
        }
        let changed = match target {
            Target::Object(..) => self.changed.take(),
            Target::Var(_) => None,
        };
        let cause = changed
            .unwrap_or_else(|| (self.graph).add(self.hangs_on(), &[&self.needs, &self.loads]));
        let loads = first(&self.loads);
        self.loads.clear();
        if let Some((proc, edge)) = self.at {
            self.put(Origin {
                cause,
                target,
                value,
                edge: (proc, edge, None),
                loads,
            });
        }
        self.note_value(target, value, cause);
    }

    fn read(&mut self, bytes: Range<u64>) {
        self.bytes.read(&bytes, &mut self.loads);
    }

    fn changed(&mut self, bytes: Range<u64>) {
        let cause = (self.graph).add(self.hangs_on(), &[&self.needs, &self.loads]);
        if !self.bytes.change(&bytes, cause) {
            self.graph.give_up();
        }
        self.changed = Some(cause);
    }
}
