//! Large blocks: a procedure as a graph over its cut points, with a transition formula from one to
//! the next.
//!
//! Cut points are the entry, the exit, loop heads, locations without outgoing edges (errors and
//! halts), all others on request, and both ends of every edge that has no formula (memory, calls,
//! returns, unmodelled constructs): such an edge is a block by itself. Between cut points there is
//! no cycle, so the formula of a block comes from one walk in topological order, merging where
//! paths join: no path is enumerated and no edge is encoded twice from one cut point.
//!
//! # Paper
//! [beyer2009software], with the merging of `transition` instead of an SSA formula per block.
//!
//! # Invariants
//! - Every path from a cut point to the next is covered by exactly one block (if wrapping is not
//!   encoded: or by an escape), and the block lists the edges of all its paths: the way back.
//! - A block whose guard is trivially false is left out.
//! - A block says nothing about variables that are dead at its target.

use super::contract::CallSite;
use super::cut_graph::EncodingPrecision;
use super::encoder::{Bounds, Encoder};
use super::frames::Frames;
use super::transition::{State, TransitionFormula, is_opaque};
use base::{IdVec, Span, define_id};
use logic::{Node, SymbolId, TermId, TermStore};
use program::ir::*;
use program::pass::liveness::Liveness;
use program::pass::loops::{LoopNest, positions, reverse_postorder};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

define_id! {
    /// A block of a block graph.
    BlockId = "b";
}

/// A segment from one cut point to the next.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// The cut point it starts from.
    pub source: LocationId,
    /// The cut point it leads to.
    pub target: LocationId,
    /// Its effect.
    pub step: BlockEffect,
    /// The edges of all its paths, in topological order.
    pub edges: Vec<EdgeId>,
    /// The source span of its edges.
    pub span: Span,
}

/// The effect of a block.
#[derive(Clone, PartialEq, Debug)]
pub enum BlockEffect {
    /// Described by a formula.
    Formula(TransitionFormula),
    /// A single edge that has none.
    Opaque(EdgeId),
    /// Leaves the encoding: when this holds, the last edge of a path from here wraps. The block
    /// leads nowhere; its target is its source, and it lists that edge only.
    OutsideEncoding(TransitionFormula),
    /// To an error in a called procedure, according to its contract. It leads nowhere, too.
    CalleeFails(TransitionFormula),
}

impl BlockEffect {
    /// Its formula, if it has one.
    pub fn formula(&self) -> Option<&TransitionFormula> {
        match self {
            BlockEffect::Formula(step)
            | BlockEffect::OutsideEncoding(step)
            | BlockEffect::CalleeFails(step) => Some(step),
            BlockEffect::Opaque(_) => None,
        }
    }

    /// Its formula, if paths continue after it.
    pub fn continuing(&self) -> Option<&TransitionFormula> {
        self.formula().filter(|_| !self.leads_nowhere())
    }

    /// The same as [`BlockEffect::formula`], to be changed.
    pub fn formula_mut(&mut self) -> Option<&mut TransitionFormula> {
        match self {
            BlockEffect::Formula(step)
            | BlockEffect::OutsideEncoding(step)
            | BlockEffect::CalleeFails(step) => Some(step),
            BlockEffect::Opaque(_) => None,
        }
    }

    /// Whether no path continues after it.
    pub fn leads_nowhere(&self) -> bool {
        matches!(
            self,
            BlockEffect::OutsideEncoding(_) | BlockEffect::CalleeFails(_)
        )
    }
}

/// Where formulas over-approximate their ops. Calls of procedures without a contract and unmodelled
/// constructs have no formula at all.
#[derive(Clone, Copy)]
pub struct OverApproximation<'a> {
    /// What is known about the variables at a location: formulas hold within these bounds only.
    pub known: &'a dyn Fn(LocationId, VarId) -> Bounds,
    /// How precisely edges are encoded, and the contracts of calls; a call of another procedure has
    /// no formula. Where wrapping is not encoded, separate blocks
    /// ([`BlockEffect::OutsideEncoding`]) lead to where something wraps. Where undefined behaviour
    /// is not excluded, signed results are unbounded and quotients by zero arbitrary, which is
    /// easier.
    pub precision: &'a EncodingPrecision,
    /// The values that the contracts are over.
    pub frames: &'a Frames,
    /// Existing blocks of the procedure, and the cut points from which they are to be rebuilt.
    pub kept: Option<(&'a BlockGraph, &'a BTreeSet<LocationId>)>,
}

impl OverApproximation<'_> {
    fn is_defined(&self, edge: EdgeId) -> bool {
        self.precision.defined.contains(&edge)
    }

    /// An encoder that encodes an edge at the precision asked for.
    fn precise<'e>(&self, encoder: Encoder<'e>, edge: EdgeId) -> Encoder<'e> {
        encoder.precise(self.precision.wraps(edge), self.is_defined(edge))
    }
}

/// A procedure as blocks.
#[derive(Clone, Debug)]
pub struct BlockGraph {
    /// Which procedure.
    pub proc: ProcId,
    /// The blocks.
    pub blocks: IdVec<BlockId, Block>,
    /// Whether a location is a cut point.
    pub is_cut: IdVec<LocationId, bool>,
    /// The blocks that start at each cut point.
    pub outgoing: IdVec<LocationId, Vec<BlockId>>,
    /// The symbol, in the blocks from a cut point, of the input that an edge assigns to a variable.
    pub inputs: FxHashMap<(LocationId, EdgeId), SymbolId>,
    /// The calls that are replaced by a contract.
    pub calls: FxHashMap<EdgeId, CallSite>,
}

impl BlockGraph {
    /// The blocks of a procedure, their formulas in a store over the symbols of `state`. An op
    /// without a formula is a block by itself, or is over-approximated.
    pub fn new(
        program: &Program,
        proc: ProcId,
        store: &mut TermStore,
        state: &State,
        liveness: &Liveness,
        over: Option<OverApproximation<'_>>,
    ) -> Self {
        let procedure = &program.procs[proc];
        let mut graph = BlockGraph {
            proc,
            blocks: IdVec::new(),
            is_cut: cut_points(procedure, over),
            outgoing: IdVec::filled(Vec::new(), procedure.locations.len()),
            inputs: FxHashMap::default(),
            calls: FxHashMap::default(),
        };
        let order = reverse_postorder(procedure);
        let position = positions(procedure, &order);
        let mut walk = Walk {
            program,
            procedure,
            store,
            state,
            liveness,
            over,
            position: &position,
            graph: &mut graph,
        };
        for source in order {
            if !walk.graph.is_cut[source] {
                continue;
            }
            if let Some((old, anew)) = over.and_then(|over| over.kept)
                && !anew.contains(&source)
            {
                walk.graph.keep(old, source);
                continue;
            }
            for block in walk.from(source) {
                let id = walk.graph.blocks.push(block);
                walk.graph.outgoing[source].push(id);
            }
        }
        graph
    }

    /// The cut points whose outgoing blocks contain one of some edges.
    pub fn sources_over(&self, edges: impl Fn(EdgeId) -> bool) -> BTreeSet<LocationId> {
        let goes_over = |block: &&Block| block.edges.iter().any(|&edge| edges(edge));
        let blocks = self.blocks.iter().filter(goes_over);
        blocks.map(|block| block.source).collect()
    }

    /// Reuses the blocks from a cut point.
    fn keep(&mut self, old: &BlockGraph, source: LocationId) {
        for &id in &old.outgoing[source] {
            let id = self.blocks.push(old.blocks[id].clone());
            self.outgoing[source].push(id);
        }
        let inputs = old.inputs.iter().filter(|((from, _), _)| *from == source);
        self.inputs.extend(inputs);
        for &id in &self.outgoing[source] {
            let edge = self.blocks[id].edges[0];
            if let Some(call) = old.calls.get(&edge) {
                self.calls.insert(edge, call.clone());
            }
        }
    }

    /// The cut points, in the order of their ids.
    pub fn cut_points(&self) -> impl Iterator<Item = LocationId> {
        self.is_cut.ids().filter(|&at| self.is_cut[at])
    }
}

/// The cut points of a procedure; unreachable ones do not count.
fn cut_points(
    procedure: &Procedure,
    over: Option<OverApproximation<'_>>,
) -> IdVec<LocationId, bool> {
    let nest = LoopNest::new(procedure);
    let each_edge = over.is_some_and(|over| over.precision.each_edge);
    let reachable = procedure.reachable();
    let mut is_cut: IdVec<LocationId, bool> = (procedure.locations.iter_enumerated())
        .map(|(at, row)| {
            let ends = at == procedure.entry || at == procedure.exit || row.out.is_empty();
            reachable[at] && (each_edge || ends || nest.is_head(at))
        })
        .collect();
    for edge in procedure.edges.iter() {
        if reachable[edge.source] && has_none(over, &edge.op) {
            is_cut[edge.source] = true;
            is_cut[edge.target] = true;
        }
    }
    is_cut
}

/// Whether an op has no formula.
fn has_none(over: Option<OverApproximation<'_>>, op: &Op) -> bool {
    match (over, op) {
        (None, op) => is_opaque(op),
        (Some(_), Op::Call(call)) => !matches!(call.callee, Callee::Library(_)),
        (Some(_), op) => matches!(op, Op::Unsupported(_)),
    }
}

/// The walk from one cut point to the next ones.
struct Walk<'w> {
    program: &'w Program,
    procedure: &'w Procedure,
    store: &'w mut TermStore,
    state: &'w State,
    liveness: &'w Liveness,
    over: Option<OverApproximation<'w>>,
    position: &'w IdVec<LocationId, usize>,
    /// The graph that is made: its cut points are known.
    graph: &'w mut BlockGraph,
}

/// How a location is reached: by which formula and over which edges.
struct Reached {
    formula: TransitionFormula,
    edges: Vec<EdgeId>,
}

impl Walk<'_> {
    fn from(&mut self, source: LocationId) -> Vec<Block> {
        // By position, so that a location comes after all from which it is reached.
        let mut open: std::collections::BTreeMap<(usize, LocationId), Reached> = Default::default();
        let mut ends: std::collections::BTreeMap<LocationId, Reached> = Default::default();
        let mut blocks = Vec::new();
        let start = Reached {
            formula: TransitionFormula::identity(self.store),
            edges: Vec::new(),
        };
        let mut next = Some((source, start));
        while let Some((location, reached)) = next {
            for &id in &self.procedure.locations[location].out {
                let edge = &self.procedure.edges[id];
                let Some((mut step, ranges)) = self.formula(id, edge) else {
                    let called = self.call(id);
                    let opaque = || vec![self.of_edge(id, edge.target, BlockEffect::Opaque(id))];
                    blocks.extend(called.unwrap_or_else(opaque));
                    continue;
                };
                if let Op::Havoc(Place::Var(var), _) = edge.op
                    && let Node::Symbol(input) = *self.store.node(step.map[&var])
                {
                    self.graph.inputs.insert((source, id), input);
                }
                let is_defined = self.over.is_some_and(|over| over.is_defined(id));
                if let Some(escape) = step.escape(self.store, &edge.op, is_defined, ranges) {
                    let escape = reached.formula.then(self.store, self.state, &escape);
                    blocks.extend(self.escape(source, escape.guard, id));
                    step.guard = self.store.and(&[step.guard, ranges]);
                }
                let formula = reached.formula.then(self.store, self.state, &step);
                if self.store.as_bool(formula.guard) == Some(false) {
                    continue;
                }
                let mut edges = reached.edges.clone();
                edges.push(id);
                let arrived = Reached { formula, edges };
                let target = edge.target;
                let old = if self.graph.is_cut[target] {
                    ends.remove(&target)
                } else {
                    open.remove(&(self.position[target], target))
                };
                let arrived = self.merge(target, old, arrived);
                if self.graph.is_cut[target] {
                    ends.insert(target, arrived);
                } else {
                    open.insert((self.position[target], target), arrived);
                }
            }
            next = open
                .pop_first()
                .map(|((_, location), reached)| (location, reached));
        }
        blocks.extend(
            ends.into_iter()
                .map(|(target, reached)| self.block(source, target, reached)),
        );
        blocks
    }

    /// The formula of an edge, and the condition under which it is valid.
    fn formula(&mut self, id: EdgeId, edge: &Edge) -> Option<(TransitionFormula, TermId)> {
        let (program, state) = (self.program, self.state);
        let Some(over) = self.over else {
            let step = TransitionFormula::of_op(program, self.store, state, &edge.op)?;
            return Some((step, self.store.bool(true)));
        };
        let known = |var: VarId| (over.known)(edge.source, var);
        let encoder = Encoder::new(program, self.store, state).knowing(&known);
        let encoder = over.precise(encoder, id);
        TransitionFormula::over_op(program, encoder, &edge.op)
    }

    /// The blocks of a call that has a contract: it returns, or fails.
    fn call(&mut self, id: EdgeId) -> Option<Vec<Block>> {
        let (program, state) = (self.program, self.state);
        let edge = &self.procedure.edges[id];
        let (over, Op::Call(call)) = (self.over?, &edge.op) else {
            return None;
        };
        let Callee::Proc(callee) = call.callee else {
            return None;
        };
        let contract = over.precision.contracts.get(&callee)?;
        let known = |var: VarId| (over.known)(edge.source, var);
        let encoder = Encoder::new(program, self.store, state).knowing(&known);
        let mut encoder = over.precise(encoder, id);
        let args: Vec<TermId> = call.args.iter().map(|arg| encoder.expr(arg)).collect();
        let ranges = encoder.ranges();
        let (constraints, _) = encoder.finish();
        let guard = self.store.and(&[constraints, ranges]);
        let frame = (callee, over.frames.get(&callee)?);
        let site = CallSite::new(program, self.store, state, frame, call, (&args, guard));
        let step = site.step(program, self.store, state, over.frames, contract.ensures);
        let wraps = self.store.not(ranges);
        let mut blocks: Vec<Block> = self.escape(edge.source, wraps, id).into_iter().collect();
        let broken = self.store.not(contract.requires);
        let broken = site.at_site(self.store, state, broken);
        let fails = TransitionFormula::guarded(self.store.and(&[guard, broken]));
        if self.store.as_bool(fails.guard) != Some(false) {
            blocks.push(self.of_edge(id, edge.source, BlockEffect::CalleeFails(fails)));
        }
        // Even if it does not return, its precondition must hold.
        blocks.push(self.of_edge(id, edge.target, BlockEffect::Formula(step)));
        self.graph.calls.insert(id, site);
        Some(blocks)
    }

    fn merge(&mut self, at: LocationId, old: Option<Reached>, new: Reached) -> Reached {
        let Some(mut old) = old else {
            return new;
        };
        let (program, state) = (self.program, self.state);
        let live = self.liveness.live_at(self.graph.proc, at);
        old.formula = (old.formula).or(program, self.store, state, &new.formula, live);
        let seen: rustc_hash::FxHashSet<EdgeId> = old.edges.iter().copied().collect();
        old.edges
            .extend(new.edges.into_iter().filter(|edge| !seen.contains(edge)));
        old
    }

    fn block(&mut self, source: LocationId, target: LocationId, reached: Reached) -> Block {
        let Reached { mut formula, edges } = reached;
        let live = self.liveness.live_at(self.graph.proc, target);
        formula.forget_dead(self.program, self.store, live);
        let spans = edges.iter().map(|&edge| self.procedure.edges[edge].span);
        Block {
            source,
            target,
            step: BlockEffect::Formula(formula),
            span: spans.fold(Span::NONE, Span::to),
            edges,
        }
    }

    /// The block to a wrap on an edge.
    fn escape(&mut self, source: LocationId, guard: TermId, id: EdgeId) -> Option<Block> {
        if self.store.as_bool(guard) == Some(false) {
            return None;
        }
        let step = BlockEffect::OutsideEncoding(TransitionFormula::guarded(guard));
        Some(Block {
            source,
            ..self.of_edge(id, source, step)
        })
    }

    /// A block of a single edge.
    fn of_edge(&self, id: EdgeId, target: LocationId, step: BlockEffect) -> Block {
        let edge = &self.procedure.edges[id];
        Block {
            source: edge.source,
            target,
            step,
            edges: vec![id],
            span: edge.span,
        }
    }
}

#[cfg(test)]
mod tests;
