//! The graph that is walked over: locations, and basic blocks as the edges between them.
//!
//! # Invariants
//! - Every cycle goes through the head of a loop, and the step back to it decrements the time to
//!   live, unless the loop is bounded.
//! - Where something wraps that a step does not describe, an escape from the same location says so.
//!   A label of a location speaks of all its steps, so it stays right when the step is described
//!   more closely and the escape closed.

use base::{Id, IdVec, Span, define_id};
use encode::EncodingPrecision;
use encode::encoder::Encoder;
use encode::transition::TransitionFormula;
use kit::Context;
use logic::{Node, SymbolId, TermId};
use program::expr::Type;
use program::ir::{Callee, EdgeId, LocationId, Op, Place, ProcId, Procedure, Program, SiteId};
use program::pass::loops::LoopNest;
use std::collections::BTreeSet;

define_id! {
    /// A step of a graph.
    StepId = "s";
}

/// The procedure as it is walked over.
pub(super) struct Graph {
    pub(super) proc: ProcId,
    pub(super) steps: IdVec<StepId, Step>,
    /// The steps that leave each location.
    pub(super) out: IdVec<LocationId, Vec<StepId>>,
    /// The error locations.
    pub(super) errors: BTreeSet<LocationId>,
    pub(super) loops: LoopNest,
    precision: EncodingPrecision,
    given: Program,
}

/// A stretch of edges without a branch.
pub(super) struct Step {
    pub(super) source: LocationId,
    pub(super) target: LocationId,
    pub(super) kind: StepKind,
    pub(super) edges: Vec<EdgeId>,
    /// What it takes as inputs, in order.
    pub(super) inputs: Vec<StepInput>,
    /// Whether the time to live gets less.
    pub(super) decrements: bool,
}

/// What a step does.
pub(super) enum StepKind {
    /// Described by a formula.
    Formula(TransitionFormula),
    /// Something on the edges of another step wraps, which that step does not describe; none once
    /// it does.
    Escape(Option<TermId>, StepId),
    /// A single edge that has no formula, and what it does, in words.
    Opaque(String, Span),
}

/// An input that a step takes.
pub(super) struct StepInput {
    pub(super) site: SiteId,
    pub(super) ty: Type,
    /// What stands for it in the formula, if anything does.
    pub(super) symbol: Option<SymbolId>,
    /// Whether nothing depends on it, so that the prepared program does not ask for it.
    pub(super) is_removed: bool,
}

/// How finely a procedure is cut into steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cuts {
    /// Basic blocks.
    Blocks,
    /// Each edge is a step.
    Edges,
}

impl Graph {
    /// The graph of the entry procedure, which was made of a procedure of `given` that has more
    /// inputs; `is_bounded` says which loops end by themselves soon.
    pub(super) fn new(
        ctx: &mut Context,
        given: Program,
        cuts: Cuts,
        is_bounded: &dyn Fn(LocationId) -> bool,
    ) -> Graph {
        let program = ctx.program;
        let proc = program.entry;
        let procedure = &program.procs[proc];
        let loops = LoopNest::new(procedure);
        let is_end = ends(procedure, &loops, cuts);
        let errors = procedure.locations.iter_enumerated();
        let errors = errors.filter(|(_, row)| row.error.is_some());
        let mut graph = Graph {
            proc,
            steps: IdVec::new(),
            out: IdVec::filled(Vec::new(), procedure.locations.len()),
            errors: errors.map(|(at, _)| at).collect(),
            loops,
            precision: EncodingPrecision::default(),
            given,
        };
        for source in procedure.locations.ids().filter(|&at| is_end[at]) {
            for &edge in &procedure.locations[source].out {
                graph.add(ctx, procedure, &is_end, edge, is_bounded);
            }
        }
        graph
    }

    /// Adds the step that begins with an edge.
    fn add(
        &mut self,
        ctx: &mut Context,
        procedure: &Procedure,
        is_end: &IdVec<LocationId, bool>,
        first: EdgeId,
        is_bounded: &dyn Fn(LocationId) -> bool,
    ) {
        let source = procedure.edges[first].source;
        let mut edges = vec![first];
        let mut target = procedure.edges[first].target;
        while !is_end[target] {
            let edge = procedure.locations[target].out[0];
            edges.push(edge);
            target = procedure.edges[edge].target;
        }
        let head = self.loops.head_of(target);
        let is_back = head.is_some_and(|id| self.loops.contains(id, source));
        if let Some(what) = opaque(ctx, &procedure.edges[first].op) {
            let kind = StepKind::Opaque(what, procedure.edges[first].span);
            self.push(Step {
                source,
                target,
                kind,
                edges,
                inputs: Vec::new(),
                decrements: false,
            });
            return;
        }
        let (formula, escape, inputs) = self.described(ctx, &edges);
        if ctx.store.as_bool(formula.guard) == Some(false) && escape.is_none() {
            return;
        }
        let step = self.push(Step {
            source,
            target,
            kind: StepKind::Formula(formula),
            edges: edges.clone(),
            inputs,
            decrements: is_back && !is_bounded(target),
        });
        if escape.is_some() {
            self.push(Step {
                source,
                target,
                kind: StepKind::Escape(escape, step),
                edges,
                inputs: Vec::new(),
                decrements: false,
            });
        }
    }

    fn push(&mut self, step: Step) -> StepId {
        let source = step.source;
        let id = self.steps.push(step);
        self.out[source].push(id);
        id
    }

    /// Describes more of a step; whether any of it is new.
    pub(super) fn refine(
        &mut self,
        ctx: &mut Context,
        step: StepId,
        needed: &EncodingPrecision,
    ) -> bool {
        if !self.precision.extend(needed) {
            return false;
        }
        let edges = &self.steps[step].edges;
        let (formula, escape, inputs) = self.described(ctx, edges);
        self.steps[step].kind = StepKind::Formula(formula);
        self.steps[step].inputs = inputs;
        for row in self.steps.iter_mut() {
            if let StepKind::Escape(guard, of) = &mut row.kind
                && *of == step
            {
                *guard = escape;
            }
        }
        true
    }

    /// The step that goes over an edge, if one does that is described by a formula.
    pub(super) fn step_over(&self, edge: EdgeId) -> Option<StepId> {
        let mut steps = self.steps.iter_enumerated();
        let is_it = |(_, row): &(StepId, &Step)| {
            matches!(row.kind, StepKind::Formula(_)) && row.edges.contains(&edge)
        };
        steps.find(is_it).map(|(id, _)| id)
    }

    /// The locations from which some path leads to one of a set.
    pub(super) fn leading_to(&self, goals: &BTreeSet<LocationId>) -> IdVec<LocationId, bool> {
        let mut leads: IdVec<LocationId, bool> = IdVec::filled(false, self.out.len());
        let mut into: IdVec<LocationId, Vec<LocationId>> =
            IdVec::filled(Vec::new(), self.out.len());
        let mut frontier: Vec<LocationId> = goals.iter().copied().collect();
        for row in self.steps.iter() {
            into[row.target].push(row.source);
            match &row.kind {
                StepKind::Formula(_) | StepKind::Escape(None, _) => {}
                StepKind::Escape(Some(_), _) | StepKind::Opaque(..) => frontier.push(row.source),
            }
        }
        while let Some(at) = frontier.pop() {
            if !std::mem::replace(&mut leads[at], true) {
                frontier.extend(&into[at]);
            }
        }
        leads
    }

    /// The formula of a stretch of edges, where something on it wraps that is not described, and what
    /// it takes as inputs.
    fn described(
        &self,
        ctx: &mut Context,
        edges: &[EdgeId],
    ) -> (TransitionFormula, Option<TermId>, Vec<StepInput>) {
        let (program, proc, precision) = (ctx.program, self.proc, &self.precision);
        let (store, state) = (&mut ctx.store, &ctx.state);
        let mut whole = TransitionFormula::identity(store);
        let mut escapes = Vec::new();
        let mut inputs = Vec::new();
        for &id in edges {
            let op = &program.procs[proc].edges[id].op;
            let is_defined = precision.defined.contains(&id);
            let mut encoder = Encoder::new(program, store, state);
            if !precision.all_wraps && !precision.wraps.contains(&id) {
                encoder = encoder.without_wrapping();
            }
            if is_defined {
                encoder = encoder.defined();
            }
            let described = TransitionFormula::over_op(program, encoder, op);
            let (mut step, ranges) = described.expect("an op without a formula should stand alone");
            if let Op::Havoc(place, site) = op {
                let (ty, symbol) = match place {
                    Place::Var(var) => match store.node(step.map[var]) {
                        Node::Symbol(symbol) => (program.vars[*var].ty, Some(*symbol)),
                        _ => (program.vars[*var].ty, None),
                    },
                    Place::Mem(ty, _) => (*ty, None),
                };
                inputs.push(StepInput {
                    site: *site,
                    ty,
                    symbol,
                    is_removed: false,
                });
            } else if let Some(Op::Havoc(place, site)) = self.given_op(id) {
                let ty = match place {
                    Place::Var(var) => self.given.vars[*var].ty,
                    Place::Mem(ty, _) => *ty,
                };
                inputs.push(StepInput {
                    site: *site,
                    ty,
                    symbol: None,
                    is_removed: true,
                });
            }
            if store.as_bool(ranges) != Some(true) {
                // What is computed from what does not wrap says nothing where it does.
                let wraps = store.not(ranges);
                let guard = match op {
                    Op::Assume(_) => wraps,
                    _ if is_defined => wraps,
                    _ => store.and(&[wraps, step.guard]),
                };
                let escape = TransitionFormula {
                    guard,
                    ..TransitionFormula::identity(store)
                };
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

    /// What an edge does in the program that was given.
    fn given_op(&self, edge: EdgeId) -> Option<&Op> {
        let edges = &self.given.procs[self.given.entry].edges;
        (edge.index() < edges.len()).then(|| &edges[edge].op)
    }
}

/// Where steps begin and end.
fn ends(procedure: &Procedure, loops: &LoopNest, cuts: Cuts) -> IdVec<LocationId, bool> {
    let reachable = procedure.reachable();
    let mut incoming = IdVec::filled(0, procedure.locations.len());
    for edge in procedure.edges.iter().filter(|row| reachable[row.source]) {
        incoming[edge.target] += 1;
    }
    let rows = procedure.locations.iter_enumerated();
    let mut is_end: IdVec<LocationId, bool> = rows
        .map(|(at, row)| {
            let is_on_the_way = row.out.len() == 1 && incoming[at] == 1 && cuts == Cuts::Blocks;
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

/// What an op does that has no formula.
fn opaque(ctx: &Context, op: &Op) -> Option<String> {
    match op {
        Op::Call(call) => match call.callee {
            Callee::Proc(proc) => Some(format!("a call of `{}`", ctx.program.procs[proc].name)),
            Callee::Pointer(_) => Some("a call through a pointer".to_owned()),
            Callee::Library(_) => None,
        },
        Op::Unsupported(what) => Some(what.to_string()),
        _ => None,
    }
}
