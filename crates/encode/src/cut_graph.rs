//! A procedure as a graph of blocks between cut points, with its loops: what a search walks over.
//!
//! # Invariants
//! - Cut points are the entry, the exit, loop heads, and what has no successors; blocks that have no
//!   formula may fail, as far as is known here.
//! - In [`CutGraph::order`] a cut point stands before those that it leads to, but for iterations of
//!   loops.

use crate::blocks::{Block, BlockGraph, BlockId, OverApproximation, Step};
use crate::context::Context;
use crate::encoder::Bounds;
use base::{Id, IdVec};
use logic::TermId;
use program::ir::{EdgeId, LocationId, ProcId, VarId};
use program::pass::VarSet;
use program::pass::liveness::Liveness;
use program::pass::loops::LoopNest;
use std::collections::BTreeSet;

/// Where arithmetic is described more closely than at first. Less is much easier, where it is
/// enough.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EncodingPrecision {
    /// The edges on which wrapping is described; where something else wraps counts as an error.
    pub wraps: BTreeSet<EdgeId>,
    /// Wrapping is described everywhere.
    pub all_wraps: bool,
    /// The edges on which undefined behaviour is excluded, as a run ends there; elsewhere signed
    /// results are unbounded, and what is undefined in other ways has any result.
    pub defined: BTreeSet<EdgeId>,
}

impl EncodingPrecision {
    /// With wrapping described everywhere.
    pub fn wrapping() -> EncodingPrecision {
        EncodingPrecision {
            all_wraps: true,
            ..EncodingPrecision::default()
        }
    }

    /// Adds what another has; whether that is anything new.
    pub fn extend(&mut self, other: &EncodingPrecision) -> bool {
        let before = self.clone();
        self.wraps.extend(&other.wraps);
        self.all_wraps |= other.all_wraps;
        self.defined.extend(&other.defined);
        *self != before
    }
}

/// A procedure as blocks between its cut points, with its loops.
#[derive(Clone, Debug)]
pub struct CutGraph {
    /// Which procedure.
    pub proc: ProcId,
    /// Its blocks.
    pub graph: BlockGraph,
    /// Its loops.
    pub loops: LoopNest,
    /// The variables that matter at each location.
    pub liveness: Liveness,
    /// The cut points, each before those that it leads to but for iterations of loops.
    pub order: Vec<LocationId>,
    /// The error locations.
    pub errors: BTreeSet<LocationId>,
}

impl CutGraph {
    /// The blocks and loops of a procedure, described as far as a precision says.
    pub fn new(ctx: &mut Context, proc: ProcId, precision: &EncodingPrecision) -> Self {
        CutGraph::knowing(ctx, proc, precision, &|_, _| (None, None))
    }

    /// The same, for states in which the variables are within known bounds at each location.
    pub fn knowing(
        ctx: &mut Context,
        proc: ProcId,
        precision: &EncodingPrecision,
        known: &dyn Fn(LocationId, VarId) -> Bounds,
    ) -> Self {
        let program = ctx.program;
        let liveness = Liveness::new(program);
        let loops = LoopNest::new(&program.procs[proc]);
        let over = Some(OverApproximation {
            known,
            wraps: &|edge| precision.all_wraps || precision.wraps.contains(&edge),
            defined: &|edge| precision.defined.contains(&edge),
        });
        let (store, state) = (&mut ctx.store, &ctx.state);
        let mut graph = BlockGraph::new(program, proc, store, state, &liveness, over);
        for block in graph.blocks.iter_mut() {
            if let Step::Formula(step) | Step::OutsideEncoding(step) = &mut block.step {
                step.guard = ctx.store.simplify(step.guard);
            }
        }
        let order = order(&graph, &loops, program.procs[proc].entry);
        let locations = program.procs[proc].locations.iter_enumerated();
        let errors = locations.filter(|(_, row)| row.error.is_some());
        CutGraph {
            proc,
            graph,
            loops,
            liveness,
            order,
            errors: errors.map(|(at, _)| at).collect(),
        }
    }

    /// The variables that matter at a location.
    pub fn live(&self, at: LocationId) -> &VarSet {
        self.liveness.live_at(self.proc, at)
    }

    /// That the variables which matter at a location are in the ranges of their types.
    pub fn in_range(&self, ctx: &mut Context, at: LocationId) -> TermId {
        let live = self.live(at).iter();
        ctx.state.in_range(ctx.program, &mut ctx.store, live)
    }

    /// A block.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.graph.blocks[id]
    }

    /// The blocks that start at a location.
    pub fn blocks_from(&self, at: LocationId) -> impl Iterator<Item = &Block> {
        self.graph.outgoing[at].iter().map(|&id| self.block(id))
    }

    /// Whether a block leads to a location.
    pub fn has_predecessor(&self, at: LocationId) -> bool {
        let mut blocks = self.graph.blocks.iter();
        blocks.any(|block| block.target == at && !matches!(block.step, Step::OutsideEncoding(_)))
    }

    /// Whether a block leads from inside of a loop back to its head.
    pub fn is_back(&self, block: &Block) -> bool {
        let head = self.loops.head_of(block.target);
        head.is_some_and(|id| self.loops.contains(id, block.source))
    }

    /// The heads of the loops.
    pub fn heads(&self) -> impl Iterator<Item = LocationId> {
        self.loops.loops.iter().map(|row| row.head)
    }
}

/// The cut points in topological order, iterations of loops left out.
fn order(graph: &BlockGraph, loops: &LoopNest, entry: LocationId) -> Vec<LocationId> {
    let mut seen = IdVec::filled(false, graph.is_cut.len());
    let mut order = Vec::new();
    let mut visits: Vec<(LocationId, usize)> = vec![(entry, 0)];
    seen[entry] = true;
    while let Some((at, next)) = visits.last_mut() {
        let at = *at;
        let Some(&block) = graph.outgoing[at].get(*next) else {
            order.push(at);
            visits.pop();
            continue;
        };
        *next += 1;
        let target = graph.blocks[block].target;
        let head = loops.head_of(target);
        let is_back = head.is_some_and(|id| loops.contains(id, at));
        // The head of a loop that is entered elsewhere is only seen from inside.
        let skips = is_back && seen[target];
        if !skips && !std::mem::replace(&mut seen[target], true) {
            visits.push((target, 0));
        }
    }
    order.reverse();
    debug_assert!(
        order
            .first()
            .is_none_or(|&first| first.index() == entry.index())
    );
    order
}
