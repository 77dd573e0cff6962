//! The graph of the search: locations of all procedures that are called, with basic blocks and
//! calls as the steps between them.
//!
//! # Invariants
//! - Every cycle goes through a loop head, and the step back to it decrements a time to live,
//!   unless the loop is bounded. So does a call of a procedure that may call the caller.
//! - Where something wraps that a step does not encode, an escape from the same location says so. A
//!   label of a location covers all its steps, so it stays valid when the step is encoded more
//!   precisely and the escape is closed.

use super::calls::{CallStep, Callable};
use crate::{Blocks, TimeToLive};
use base::{Id, IdVec, Span, define_id};
use encode::EncodingPrecision;
use encode::Substitution;
use encode::encoder::Encoder;
use encode::transition::TransitionFormula;
use kit::Context;
use kit::opaque::in_words;
use logic::{Node, SymbolId, TermId};
use program::expr::Type;
use program::ir::{Callee, EdgeId, LocationId, Op, Place, ProcId, Procedure, Program, SiteId};
use program::pass::callgraph::CallGraph;
use program::pass::loops::LoopNest;
use std::collections::{BTreeMap, BTreeSet};

define_id! {
    /// A location of a procedure.
    PointId = "p";
}

define_id! {
    /// A step of a graph.
    SegmentId = "s";
}

/// The graph of the procedures.
pub(super) struct Graph {
    pub(super) points: IdVec<PointId, (ProcId, LocationId)>,
    /// Where the program starts.
    pub(super) entry: PointId,
    pub(super) steps: IdVec<SegmentId, Segment>,
    /// The steps that leave each location.
    pub(super) out: IdVec<PointId, Vec<SegmentId>>,
    /// The error locations.
    pub(super) errors: BTreeSet<PointId>,
    pub(super) loops: BTreeMap<ProcId, LoopNest>,
    /// The procedures that are called.
    pub(super) callables: BTreeMap<ProcId, Callable>,
    /// How many times to live there are.
    pub(super) clocks: usize,
    /// The index of the first point of each procedure.
    first: BTreeMap<ProcId, usize>,
    precision: BTreeMap<ProcId, EncodingPrecision>,
    given: Program,
}

/// A segment of edges without a branch.
pub(super) struct Segment {
    pub(super) source: PointId,
    pub(super) target: PointId,
    pub(super) kind: SegmentKind,
    pub(super) edges: Vec<EdgeId>,
    /// Its inputs, in order.
    pub(super) inputs: Vec<SegmentInput>,
    /// Which time to live it decreases.
    pub(super) decrements: Option<usize>,
}

impl Segment {
    /// The times to live after the step, over those before it.
    pub(super) fn tick(&self, ctx: &mut Context, clocks: &[SymbolId], map: &mut Substitution) {
        if let Some(clock) = self.decrements {
            let (time, one) = (ctx.store.of_symbol(clocks[clock]), ctx.store.int(1i64));
            map.insert(clocks[clock], ctx.store.sub(time, one));
        }
    }
}

/// The effect of a step.
pub(super) enum SegmentKind {
    /// Described by a formula.
    Formula(TransitionFormula),
    /// A call of a procedure that is walked over too.
    Call(CallStep),
    /// An escape: a wrap on the edges of another step that is not encoded there; none once it is.
    Escape(Option<TermId>, SegmentId),
    /// A single edge that has no formula, and what it does, in words.
    Opaque(String, Span),
}

/// An input that a step takes.
pub(super) struct SegmentInput {
    pub(super) site: SiteId,
    pub(super) ty: Type,
    /// Its symbol in the formula, if it has one.
    pub(super) symbol: Option<SymbolId>,
    /// Whether nothing depends on it, so that the prepared program does not read it.
    pub(super) is_removed: bool,
}

/// How a graph is made.
pub(super) struct Layout<'a> {
    /// Whether steps are basic blocks, or single edges.
    pub(super) blocks: Blocks,
    pub(super) time: TimeToLive,
    /// Says which loops terminate soon.
    pub(super) is_bounded: &'a dyn Fn(ProcId, LocationId) -> bool,
}

/// What is known while a graph is made.
struct Making<'a> {
    layout: &'a Layout<'a>,
    calls: CallGraph,
    is_end: IdVec<LocationId, bool>,
    /// The time to live of each loop that is in no other, and of each set of procedures that call
    /// each other.
    clocks: BTreeMap<Clock, usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Clock {
    Loop(ProcId, LocationId),
    /// By the first of the procedures.
    Recursion(ProcId),
}

impl Graph {
    /// The graph of the procedures of a context, which were made of those of `given` that have more
    /// inputs.
    pub(super) fn new(ctx: &mut Context, given: Program, layout: &Layout<'_>) -> Graph {
        let program = ctx.program;
        let mut procs = vec![program.entry];
        procs.extend(ctx.frames.keys().copied());
        let mut points = IdVec::new();
        let mut first = BTreeMap::new();
        let mut errors = BTreeSet::new();
        for &proc in &procs {
            first.insert(proc, points.len());
            for (at, row) in program.procs[proc].locations.iter_enumerated() {
                let point = points.push((proc, at));
                if row.error.is_some() {
                    errors.insert(point);
                }
            }
        }
        let nests = procs
            .iter()
            .map(|&proc| (proc, LoopNest::new(&program.procs[proc])));
        let mut graph = Graph {
            entry: PointId::from_index(program.procs[program.entry].entry.index()),
            steps: IdVec::new(),
            out: IdVec::filled(Vec::new(), points.len()),
            points,
            errors,
            loops: nests.collect(),
            callables: BTreeMap::new(),
            clocks: 1,
            first,
            precision: BTreeMap::new(),
            given,
        };
        let mut making = Making {
            layout,
            calls: CallGraph::new(program),
            is_end: IdVec::new(),
            clocks: BTreeMap::new(),
        };
        for &proc in &procs[1..] {
            let row = &program.procs[proc];
            let ends = (graph.point(proc, row.entry), graph.point(proc, row.exit));
            let callable = Callable::new(ctx, proc, ends);
            graph.callables.insert(proc, callable);
        }
        for proc in procs {
            let procedure = &program.procs[proc];
            making.is_end = ends(procedure, &graph.loops[&proc], layout.blocks);
            for source in procedure.locations.ids() {
                if !making.is_end[source] {
                    continue;
                }
                for &edge in &procedure.locations[source].out {
                    graph.add(ctx, proc, &mut making, edge);
                }
            }
        }
        graph.clocks = making.clocks.len().max(1);
        graph
    }

    /// A location of a procedure that is walked over.
    pub(super) fn point(&self, proc: ProcId, at: LocationId) -> PointId {
        PointId::from_index(self.first[&proc] + at.index())
    }

    /// The same, if it is one.
    pub(super) fn point_of(&self, proc: ProcId, at: LocationId) -> Option<PointId> {
        self.first.contains_key(&proc).then(|| self.point(proc, at))
    }

    /// Adds the step that begins with an edge.
    fn add(&mut self, ctx: &mut Context, proc: ProcId, making: &mut Making<'_>, first: EdgeId) {
        let procedure = &ctx.program.procs[proc];
        let from = procedure.edges[first].source;
        let mut edges = vec![first];
        let mut to = procedure.edges[first].target;
        while !making.is_end[to] {
            let edge = procedure.locations[to].out[0];
            edges.push(edge);
            to = procedure.edges[edge].target;
        }
        let (source, target) = (self.point(proc, from), self.point(proc, to));
        let step = |kind: SegmentKind, edges: Vec<EdgeId>| Segment {
            source,
            target,
            kind,
            edges,
            inputs: Vec::new(),
            decrements: None,
        };
        let op = &procedure.edges[first].op;
        if let Some(call) = self.call(ctx, op) {
            let decrements = making.of_call(proc, call.callee);
            let kind = SegmentKind::Call(call);
            let step = step(kind, edges);
            self.push(Segment { decrements, ..step });
            return;
        }
        if let Some(what) = in_words(ctx.program, op) {
            let kind = SegmentKind::Opaque(what, procedure.edges[first].span);
            self.push(step(kind, edges));
            return;
        }
        let (formula, escape, inputs) = self.described(ctx, proc, &edges);
        if ctx.store.as_bool(formula.guard) == Some(false) && escape.is_none() {
            return;
        }
        let nest = &self.loops[&proc];
        let head = nest.head_of(to).filter(|&id| nest.contains(id, from));
        let decrements = head.and_then(|_| making.of_loop(proc, nest, to));
        let described = self.push(Segment {
            inputs,
            decrements,
            ..step(SegmentKind::Formula(formula), edges.clone())
        });
        if escape.is_some() {
            self.push(step(SegmentKind::Escape(escape, described), edges));
        }
    }

    /// A call of a procedure that is walked over.
    fn call(&self, ctx: &mut Context, op: &Op) -> Option<CallStep> {
        let Op::Call(call) = op else {
            return None;
        };
        let Callee::Proc(callee) = call.callee else {
            return None;
        };
        let is_plain = call.varargs.is_none() && ctx.program.procs[callee].varargs.is_none();
        let row = self.callables.get(&callee).filter(|_| is_plain)?;
        Some(CallStep::new(ctx, callee, call, row))
    }

    fn push(&mut self, step: Segment) -> SegmentId {
        let source = step.source;
        let id = self.steps.push(step);
        self.out[source].push(id);
        id
    }

    /// Refines the encoding of a step; returns whether any of it is new.
    pub(super) fn refine(
        &mut self,
        ctx: &mut Context,
        step: SegmentId,
        needed: &EncodingPrecision,
    ) -> bool {
        let (proc, _) = self.points[self.steps[step].source];
        if !self.precision.entry(proc).or_default().extend(needed) {
            return false;
        }
        let edges = &self.steps[step].edges;
        let (formula, escape, inputs) = self.described(ctx, proc, edges);
        self.steps[step].kind = SegmentKind::Formula(formula);
        self.steps[step].inputs = inputs;
        for row in self.steps.iter_mut() {
            if let SegmentKind::Escape(guard, of) = &mut row.kind
                && *of == step
            {
                *guard = escape;
            }
        }
        true
    }

    /// The step with a formula that contains an edge, if there is one.
    pub(super) fn step_over(&self, proc: ProcId, edge: EdgeId) -> Option<SegmentId> {
        let mut steps = self.steps.iter_enumerated();
        let is_it = |(_, row): &(SegmentId, &Segment)| {
            let is_described = matches!(row.kind, SegmentKind::Formula(_));
            is_described && self.points[row.source].0 == proc && row.edges.contains(&edge)
        };
        steps.find(is_it).map(|(id, _)| id)
    }

    /// The points from which some path leads to one of a set, within their procedure or, if so
    /// asked, in one that is called.
    pub(super) fn leading_to(
        &self,
        goals: impl IntoIterator<Item = PointId>,
        into_calls: bool,
    ) -> IdVec<PointId, bool> {
        let mut leads: IdVec<PointId, bool> = IdVec::filled(false, self.out.len());
        let into = self.predecessors(into_calls);
        let mut frontier: Vec<PointId> = goals.into_iter().collect();
        for row in self.steps.iter() {
            match &row.kind {
                SegmentKind::Formula(_) | SegmentKind::Escape(None, _) | SegmentKind::Call(_) => {}
                SegmentKind::Escape(Some(_), _) | SegmentKind::Opaque(..) => {
                    frontier.push(row.source)
                }
            }
        }
        while let Some(at) = frontier.pop() {
            if !std::mem::replace(&mut leads[at], true) {
                frontier.extend(&into[at]);
            }
        }
        leads
    }

    /// From where steps lead to each point; if so asked, calls to the entry of what is called, too.
    pub(super) fn predecessors(&self, into_calls: bool) -> IdVec<PointId, Vec<PointId>> {
        let mut into: IdVec<PointId, Vec<PointId>> = IdVec::filled(Vec::new(), self.out.len());
        for row in self.steps.iter() {
            into[row.target].push(row.source);
            if let SegmentKind::Call(call) = &row.kind
                && into_calls
            {
                into[self.callables[&call.callee].entry].push(row.source);
            }
        }
        into
    }

    /// The formula of a segment of edges, the condition of a wrap on it that is not encoded, and
    /// its inputs.
    fn described(
        &self,
        ctx: &mut Context,
        proc: ProcId,
        edges: &[EdgeId],
    ) -> (TransitionFormula, Option<TermId>, Vec<SegmentInput>) {
        let program = ctx.program;
        let none = EncodingPrecision::default();
        let precision = self.precision.get(&proc).unwrap_or(&none);
        let (store, state) = (&mut ctx.store, &ctx.state);
        let mut whole = TransitionFormula::identity(store);
        let mut escapes = Vec::new();
        let mut inputs = Vec::new();
        for &id in edges {
            let op = &program.procs[proc].edges[id].op;
            let is_defined = precision.defined.contains(&id);
            let encoder = Encoder::new(program, store, state);
            let encoder = encoder.precise(precision.wraps(id), is_defined);
            let described = TransitionFormula::over_op(program, encoder, op);
            let (mut step, ranges) = described.expect("an op without a formula should stand alone");
            let is_removed = !matches!(op, Op::Havoc(..));
            let (asked, vars) = match is_removed {
                true => (self.given_op(proc, id), &self.given.vars),
                false => (Some(op), &program.vars),
            };
            if let Some(Op::Havoc(place, site)) = asked {
                let (ty, var) = match place {
                    Place::Var(var) => (vars[*var].ty, Some(var).filter(|_| !is_removed)),
                    Place::Mem(ty, _) => (*ty, None),
                };
                let symbol = var.and_then(|var| match store.node(step.map[var]) {
                    Node::Symbol(symbol) => Some(*symbol),
                    _ => None,
                });
                inputs.push(SegmentInput {
                    site: *site,
                    ty,
                    symbol,
                    is_removed,
                });
            }
            if let Some(escape) = step.escape(store, op, is_defined, ranges) {
                escapes.push(whole.then(store, state, &escape).guard);
                step.guard = store.and(&[step.guard, ranges]);
            }
            whole = whole.then(store, state, &step);
        }
        whole.guard = store.simplify(whole.guard);
        let escape = store.or(&escapes);
        let escape = store.simplify(escape);
        let is_possible = store.as_bool(escape) != Some(false);
        (whole, is_possible.then_some(escape), inputs)
    }

    /// The op of an edge in the original program.
    fn given_op(&self, proc: ProcId, edge: EdgeId) -> Option<&Op> {
        let edge = self.given.procs[proc].edges.get(edge);
        edge.map(|edge| &edge.op)
    }
}

impl Making<'_> {
    fn clock(&mut self, clock: Clock) -> usize {
        match self.layout.time {
            TimeToLive::One => 0,
            TimeToLive::Each => {
                let next = self.clocks.len();
                *self.clocks.entry(clock).or_insert(next)
            }
        }
    }

    /// Which time to live is less after a call.
    fn of_call(&mut self, caller: ProcId, callee: ProcId) -> Option<usize> {
        let mut components = self.calls.components.iter();
        let component = components.find(|row| row.contains(&callee))?;
        let is_back = self.calls.recursive[callee] && component.contains(&caller);
        let first = component.first().copied().filter(|_| is_back)?;
        Some(self.clock(Clock::Recursion(first)))
    }

    /// Which time to live is less after a step back to the head of a loop.
    fn of_loop(&mut self, proc: ProcId, nest: &LoopNest, head: LocationId) -> Option<usize> {
        let around = std::iter::successors(nest.head_of(head), |&id| nest.loops[id].parent);
        let outer = around.last()?;
        let is_bounded = (self.layout.is_bounded)(proc, head);
        let outer = nest.loops[outer].head;
        (!is_bounded).then(|| self.clock(Clock::Loop(proc, outer)))
    }
}

/// Where steps begin and end.
fn ends(procedure: &Procedure, loops: &LoopNest, blocks: Blocks) -> IdVec<LocationId, bool> {
    let reachable = procedure.reachable();
    let mut incoming = IdVec::filled(0, procedure.locations.len());
    for edge in procedure.edges.iter().filter(|row| reachable[row.source]) {
        incoming[edge.target] += 1;
    }
    let rows = procedure.locations.iter_enumerated();
    let mut is_end: IdVec<LocationId, bool> = rows
        .map(|(at, row)| {
            let is_on_the_way = row.out.len() == 1 && incoming[at] == 1 && blocks == Blocks::Large;
            reachable[at] && (at == procedure.entry || loops.is_head(at) || !is_on_the_way)
        })
        .collect();
    for edge in procedure.edges.iter() {
        let stands_alone = match &edge.op {
            Op::Call(call) => !matches!(call.callee, Callee::Library(_)),
            op => matches!(op, Op::Unsupported(_)),
        };
        if reachable[edge.source] && stands_alone {
            is_end[edge.source] = true;
            is_end[edge.target] = true;
        }
    }
    is_end
}
