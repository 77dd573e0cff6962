//! A procedure as a graph of blocks between cut points, with its loops: what a search explores.
//!
//! # Invariants
//! - Cut points are the entry, the exit, loop heads, and locations without successors, or all
//!   locations ([`EncodingPrecision::each_edge`]); blocks that have no formula may fail, as far as
//!   is known here.
//! - In [`CutGraph::order`] a cut point comes before those that it leads to, except for back edges
//!   of loops.

use crate::blocks::{Block, BlockEffect, BlockGraph, BlockId, OverApproximation};
use crate::context::Context;
use crate::contract::Contracts;
use crate::encoder::Bounds;
use base::{Id, IdVec};
use logic::TermId;
use program::ir::{EdgeId, LocationId, ProcId, VarId};
use program::pass::VarSet;
use program::pass::liveness::Liveness;
use program::pass::loops::LoopNest;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The precision of the encoding: where arithmetic is encoded more precisely than at first. Lower
/// precision is much easier to solve where it suffices.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EncodingPrecision {
    /// The edges on which wrapping is encoded; any other wrap counts as an error.
    pub wraps: BTreeSet<EdgeId>,
    /// Wrapping is encoded everywhere.
    pub all_wraps: bool,
    /// The edges on which undefined behaviour is excluded, as a run ends there; elsewhere signed
    /// results are unbounded, and other undefined operations have any result.
    pub defined: BTreeSet<EdgeId>,
    /// The contracts of calls; those of other procedures have no formulas.
    pub contracts: Contracts,
    /// Every location is a cut point, so that a block is one edge, or those between two locations.
    pub each_edge: bool,
}

impl EncodingPrecision {
    /// With wrapping encoded everywhere.
    pub fn wrapping() -> EncodingPrecision {
        EncodingPrecision {
            all_wraps: true,
            ..EncodingPrecision::default()
        }
    }

    /// With wrapping encoded on some edges.
    pub fn wrapping_on(wraps: impl IntoIterator<Item = EdgeId>) -> EncodingPrecision {
        EncodingPrecision {
            wraps: wraps.into_iter().collect(),
            ..EncodingPrecision::default()
        }
    }

    /// With undefined behaviour excluded on an edge.
    pub fn defined_on(edge: EdgeId) -> EncodingPrecision {
        EncodingPrecision {
            defined: [edge].into(),
            ..EncodingPrecision::default()
        }
    }

    /// Adds the contents of another; returns whether anything is new.
    pub fn extend(&mut self, other: &EncodingPrecision) -> bool {
        let before = self.clone();
        self.wraps.extend(&other.wraps);
        self.all_wraps |= other.all_wraps;
        self.defined.extend(&other.defined);
        self.contracts.extend(other.contracts.clone());
        self.each_edge |= other.each_edge;
        *self != before
    }

    /// Whether wrapping is encoded on an edge.
    pub fn wraps(&self, edge: EdgeId) -> bool {
        self.all_wraps || self.wraps.contains(&edge)
    }
}

/// What became of the blocks of a refined graph.
#[derive(Clone, Debug)]
pub struct Renewed {
    /// For each old block: its new id, unless it was rebuilt.
    pub blocks: IdVec<BlockId, Option<BlockId>>,
    /// The cut points whose outgoing blocks were rebuilt.
    pub sources: BTreeSet<LocationId>,
}

/// A procedure as blocks between its cut points, with its loops.
#[derive(Clone, Debug)]
pub struct CutGraph {
    /// Which procedure.
    pub proc: ProcId,
    /// The precision of its encoding.
    pub precision: EncodingPrecision,
    /// Its blocks.
    pub graph: BlockGraph,
    /// Its loops.
    pub loops: LoopNest,
    /// The live variables at each location of the program.
    liveness: Rc<Liveness>,
    /// The cut points, each before those that it leads to, except along back edges.
    pub order: Vec<LocationId>,
    /// The error locations.
    pub errors: BTreeSet<LocationId>,
}

impl CutGraph {
    /// The blocks and loops of a procedure, encoded at some precision.
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
        let liveness = ctx.liveness();
        let loops = LoopNest::new(&program.procs[proc]);
        let (store, state) = (&mut ctx.store, &ctx.state);
        let over = OverApproximation {
            known,
            precision,
            frames: &ctx.frames,
            kept: None,
        };
        let graph = BlockGraph::new(program, proc, store, state, &liveness, Some(over));
        let order = order(&graph, &loops, program.procs[proc].entry);
        let locations = program.procs[proc].locations.iter_enumerated();
        let errors = locations.filter(|(_, row)| row.error.is_some());
        let mut cuts = CutGraph {
            proc,
            precision: precision.clone(),
            graph,
            loops,
            liveness,
            order,
            errors: errors.map(|(at, _)| at).collect(),
        };
        cuts.simplify(ctx);
        cuts
    }

    /// Refines the encoding, in place: the blocks that contain a refined edge are rebuilt, the
    /// others are kept. Returns nothing if nothing is new.
    pub fn refine(
        &mut self,
        ctx: &mut Context,
        needed: &EncodingPrecision,
        known: &dyn Fn(LocationId, VarId) -> Bounds,
    ) -> Option<Renewed> {
        let before = self.precision.clone();
        if !self.precision.extend(needed) {
            return None;
        }
        let procedure = &ctx.program.procs[self.proc];
        let contracts = [&before, &self.precision].map(|row| &row.contracts);
        let is_new = |edge: EdgeId| {
            let callee = procedure.edges[edge].op.callee();
            let [old, new] = contracts.map(|row| callee.and_then(|callee| row.get(&callee)));
            old != new
                || self.precision.wraps(edge) != before.wraps(edge)
                || self.precision.defined.contains(&edge) != before.defined.contains(&edge)
        };
        debug_assert_eq!(self.precision.each_edge, before.each_edge);
        let sources = self.graph.sources_over(is_new);
        let (program, store, state) = (ctx.program, &mut ctx.store, &ctx.state);
        let (old, liveness) = (&self.graph, &self.liveness);
        let over = OverApproximation {
            known,
            precision: &self.precision,
            frames: &ctx.frames,
            kept: Some((old, &sources)),
        };
        let graph = BlockGraph::new(program, self.proc, store, state, liveness, Some(over));
        let mut blocks = IdVec::filled(None, old.blocks.len());
        for source in old.cut_points().filter(|at| !sources.contains(at)) {
            let kept = std::iter::zip(&old.outgoing[source], &graph.outgoing[source]);
            kept.for_each(|(&old, &new)| blocks[old] = Some(new));
        }
        // A block that was infeasible in the old encoding may be feasible now.
        self.order = order(&graph, &self.loops, program.procs[self.proc].entry);
        self.graph = graph;
        self.simplify(ctx);
        Some(Renewed { blocks, sources })
    }

    fn simplify(&mut self, ctx: &mut Context) {
        for block in self.graph.blocks.iter_mut() {
            if let Some(step) = block.step.formula_mut() {
                step.guard = ctx.store.simplify(step.guard);
            }
        }
    }

    /// Assumes what is known to hold at some cut points at the start of the blocks from there.
    pub fn assume(
        &mut self,
        ctx: &mut Context,
        sources: &BTreeSet<LocationId>,
        mut known: impl FnMut(&mut Context, LocationId) -> TermId,
    ) {
        for &source in sources {
            let known = known(ctx, source);
            for &id in &self.graph.outgoing[source] {
                if let Some(step) = self.graph.blocks[id].step.formula_mut() {
                    step.guard = ctx.store.and(&[step.guard, known]);
                }
            }
        }
    }

    /// Makes the exit an error location where a formula does not hold.
    pub fn oblige_at_exit(&mut self, ctx: &mut Context, formula: TermId) {
        let exit = ctx.program.procs[self.proc].exit;
        let broken = ctx.store.not(formula);
        for block in self.graph.blocks.iter_mut() {
            if let BlockEffect::Formula(step) = &mut block.step
                && block.target == exit
            {
                let broken = ctx.after(step, broken);
                step.guard = ctx.store.and(&[step.guard, broken]);
            }
        }
        self.errors.insert(exit);
    }

    /// The live variables at a location.
    pub fn live(&self, at: LocationId) -> &VarSet {
        self.liveness.live_at(self.proc, at)
    }

    /// The formula that the live variables at a location are in the ranges of their types.
    pub fn in_range(&self, ctx: &mut Context, at: LocationId) -> TermId {
        ctx.in_range(self.live(at).iter())
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
        blocks.any(|block| block.target == at && !block.step.leads_nowhere())
    }

    /// Whether a block leads from inside a loop back to its head.
    pub fn is_back(&self, block: &Block) -> bool {
        let head = self.loops.head_of(block.target);
        head.is_some_and(|id| self.loops.contains(id, block.source))
    }

    /// Whether paths join at a location, in an iteration or after a branch.
    pub fn is_join(&self, at: LocationId) -> bool {
        let blocks = self.graph.blocks.iter();
        let into = blocks.filter(|block| block.target == at && !block.step.leads_nowhere());
        self.loops.is_head(at) || into.count() > 1
    }

    /// The heads of the loops.
    pub fn heads(&self) -> impl Iterator<Item = LocationId> {
        self.loops.loops.iter().map(|row| row.head)
    }
}

/// The cut points in topological order, without back edges.
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
        // The head of an irreducible loop is only seen from inside.
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

#[cfg(test)]
mod tests {
    use super::*;
    use base::Budget;

    /// Two loops, each of which adds to a number that may wrap.
    const TEXT: &str = r#"
          l0:
            e0: x := 0u8 -> l2
          l2:
            e1: x := x + 3u8 -> l3
          l3:
            e2: assume x != 0u8 -> l2
            e3: assume x == 0u8 -> l4
          l4:
            e4: y := y + 5u8 -> l5
          l5:
            e5: assume y != 0u8 -> l4
            e6: assume y == 0u8 -> l6
          l6: error assertion "reached""#;

    fn outside(cuts: &CutGraph, at: LocationId) -> usize {
        let blocks = cuts.blocks_from(at);
        let outside = blocks.filter(|block| matches!(block.step, BlockEffect::OutsideEncoding(_)));
        outside.count()
    }

    #[test]
    fn what_is_described_as_before_is_kept() {
        let program = program::testing::parse_main("x: u8, y: u8", TEXT);
        let mut ctx = Context::new(&program, &Budget::unlimited());
        let mut cuts = CutGraph::new(&mut ctx, program.entry, &EncodingPrecision::default());
        let before = cuts.graph.clone();
        let heads: Vec<LocationId> = cuts.heads().collect();
        assert_eq!([outside(&cuts, heads[0]), outside(&cuts, heads[1])], [1, 1]);

        let needed = EncodingPrecision::wrapping_on([EdgeId::from_index(1)]);
        let known = |_: LocationId, _: VarId| (None, None);
        let renewed = cuts.refine(&mut ctx, &needed, &known);
        let renewed = renewed.expect("wrapping was not described");
        assert_eq!([outside(&cuts, heads[0]), outside(&cuts, heads[1])], [0, 1]);
        assert!(renewed.sources.contains(&heads[0]) && !renewed.sources.contains(&heads[1]));
        for (old, new) in renewed.blocks.iter_enumerated() {
            let is_renewed = renewed.sources.contains(&before.blocks[old].source);
            assert_eq!(new.is_none(), is_renewed);
            if let Some(new) = new {
                assert_eq!(before.blocks[old], *cuts.block(*new));
            }
        }
        assert!(cuts.refine(&mut ctx, &needed, &known).is_none());
    }

    #[test]
    fn each_edge_may_be_a_block() {
        let program = program::testing::parse_main("x: u8, y: u8", TEXT);
        let mut ctx = Context::new(&program, &Budget::unlimited());
        let precision = EncodingPrecision {
            each_edge: true,
            ..EncodingPrecision::wrapping()
        };
        let cuts = CutGraph::new(&mut ctx, program.entry, &precision);
        let edges = program.procs[program.entry].edges.iter();
        let edges: BTreeSet<_> = edges.map(|edge| (edge.source, edge.target)).collect();
        let blocks = cuts.graph.blocks.iter();
        let blocks: BTreeSet<_> = blocks.map(|block| (block.source, block.target)).collect();
        assert_eq!(blocks, edges);
        let joins = program.procs[program.entry].locations.ids();
        let joins: BTreeSet<_> = joins.filter(|&at| cuts.is_join(at)).collect();
        assert_eq!(joins, cuts.heads().collect());
    }

    #[test]
    fn a_cut_point_may_be_reached_by_wrapping_only() {
        let text = "
            l0:
              e0: x := u8(-1i32) -> l2
            l2:
              e1: assume x != 0u8 -> l2
              e2: assume x == 0u8 -> l1";
        let program = program::testing::parse_main("x: u8", text);
        let mut ctx = Context::new(&program, &Budget::unlimited());
        let mut cuts = CutGraph::new(&mut ctx, program.entry, &EncodingPrecision::default());
        let head = cuts.heads().next().expect("a loop");
        assert!(!cuts.order.contains(&head));
        let wrapping = EncodingPrecision::wrapping();
        let renewed = cuts.refine(&mut ctx, &wrapping, &|_, _| (None, None));
        assert!(renewed.is_some() && cuts.order.contains(&head));
    }
}
