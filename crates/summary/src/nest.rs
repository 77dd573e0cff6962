//! A procedure as blocks between its loop heads, with one summary for each loop.
//!
//! One iteration of a loop is found by a walk over its blocks from the head back to the head; inner
//! loops are already summarised and are one step each. A loop that is entered elsewhere than at its
//! head (`encode::reduce::split` leaves few) gets the weakest summary: what it writes may become
//! anything that the invariants allow.
//!
//! # Invariants
//! - Invariants hold before and after every iteration.

use crate::closure::{Body, Level, close};
use absdom::Invariants;
use base::IdVec;
use encode::blocks::{BlockEffect, BlockId};
use encode::transition::TransitionFormula;
use encode::{Context, CutGraph, EncodingPrecision, Renewed};
use logic::{SymbolId, TermId};
use program::ir::{LocationId, ProcId, VarId};
use program::pass::loops::LoopId;
use std::collections::{BTreeMap, BTreeSet};

/// The summary of a loop: from its head to its head in any number of iterations.
#[derive(Clone, Debug)]
pub struct Star {
    /// The relation; symbols that are not variables are quantified.
    pub step: TransitionFormula,
    /// Whether it is exact, provided that the iteration is.
    pub exact: bool,
    /// The effort level at which it was computed.
    pub level: Level,
    /// The quantified symbol that is the number of iterations, if there is one.
    pub count: Option<SymbolId>,
    /// Whether the effort ran out while it was computed: it could be stronger.
    is_cut_short: bool,
}

/// A procedure, its loops and their summaries.
pub struct LoopNestSummaries {
    /// Its blocks and loops.
    pub cuts: CutGraph,
    /// The invariants at each location.
    pub invariants: Invariants,
    stars: IdVec<LoopId, Option<Star>>,
}

impl LoopNestSummaries {
    /// The blocks and loops of a procedure, encoded at some precision.
    pub fn new(
        ctx: &mut Context,
        proc: ProcId,
        invariants: Invariants,
        precision: &EncodingPrecision,
    ) -> Self {
        let known = |at: LocationId, var: VarId| invariants.bounds(at, var);
        let cuts = CutGraph::knowing(ctx, proc, precision, &known);
        let count = cuts.loops.loops.len();
        LoopNestSummaries {
            cuts,
            invariants,
            stars: IdVec::filled(None, count),
        }
    }

    /// Refines the encoding, in place; summaries of loops that are not affected are kept. Returns
    /// nothing if nothing is new.
    pub fn refine(&mut self, ctx: &mut Context, needed: &EncodingPrecision) -> Option<Renewed> {
        let known = |at: LocationId, var: VarId| self.invariants.bounds(at, var);
        let renewed = self.cuts.refine(ctx, needed, &known)?;
        for (id, star) in self.stars.iter_enumerated_mut() {
            let mut sources = renewed.sources.iter();
            if sources.any(|&source| self.cuts.loops.contains(id, source)) {
                *star = None;
            }
        }
        Some(renewed)
    }

    /// What holds at a location: the invariants, and the ranges of the types.
    pub fn invariant(&self, ctx: &mut Context, at: LocationId) -> TermId {
        let known = self.invariants.formula(at, &mut ctx.store, &ctx.state);
        let live = self.cuts.live(at).iter();
        let vars: BTreeSet<VarId> = live.chain(ctx.vars_of(&[known])).collect();
        let range = ctx.in_range(vars);
        ctx.store.and(&[known, range])
    }

    /// Discards the summaries for which the effort did not suffice, as there is more of it now;
    /// returns whether there were any.
    pub fn forget_cut_short(&mut self) -> bool {
        let stars = self.stars.iter_mut();
        let forgotten = stars.filter_map(|star| star.take_if(|star| star.is_cut_short));
        forgotten.count() > 0
    }

    /// The summary of a loop, at least of some strength.
    pub fn star(&mut self, ctx: &mut Context, id: LoopId, level: Level) -> Star {
        if let Some(star) = &self.stars[id]
            && (star.exact || star.level >= level)
        {
            return star.clone();
        }
        let body = self.body(ctx, id, level);
        let closure = close(ctx, &body, level);
        let exact = closure.exact && body.iteration.exact;
        let star = Star {
            step: TransitionFormula {
                exact,
                ..closure.step
            },
            exact,
            level,
            count: closure.count,
            is_cut_short: ctx.budget.check().is_err(),
        };
        self.stars[id] = Some(star.clone());
        star
    }

    /// The summary of a loop, if there is one yet.
    pub fn known_star(&self, id: LoopId) -> Option<&Star> {
        self.stars[id].as_ref()
    }

    /// One iteration of a loop, with the invariants on both ends.
    pub fn body(&mut self, ctx: &mut Context, id: LoopId, level: Level) -> Body {
        let head = self.cuts.loops.loops[id].head;
        let invariant = self.invariant(ctx, head);
        let mut iteration = match self.iteration(ctx, id, level) {
            Some(iteration) => iteration,
            None => self.anything(ctx, id),
        };
        let guard = ctx.store.simplify(iteration.guard);
        let after = ctx.after(&iteration, invariant);
        iteration.guard = ctx.store.and(&[iteration.guard, invariant, after]);
        iteration.guard = ctx.store.simplify(iteration.guard);
        // What is dead or only passed on does not concern the loop.
        let live = self.cuts.live(head).clone();
        iteration.map.retain(|&var, term| {
            let symbol = ctx.state.symbol(var);
            live.contains(var) && *term != ctx.store.of_symbol(symbol)
        });
        Body {
            hints: self.hints(ctx, id),
            guard,
            invariant,
            iteration,
        }
    }

    /// Whether a loop, or one inside it, is entered elsewhere than at its head.
    pub fn is_irregular(&self, id: LoopId) -> bool {
        let rows = self.cuts.loops.loops.iter();
        rows.filter(|row| row.irreducible)
            .any(|row| self.cuts.loops.contains(id, row.head))
    }

    /// The walk over the blocks of a loop. `None` for one whose paths such a walk does not see.
    fn iteration(
        &mut self,
        ctx: &mut Context,
        id: LoopId,
        level: Level,
    ) -> Option<TransitionFormula> {
        if self.is_irregular(id) {
            return None;
        }
        let head = self.cuts.loops.loops[id].head;
        let mut reached: BTreeMap<LocationId, TransitionFormula> = BTreeMap::new();
        reached.insert(head, TransitionFormula::identity(&mut ctx.store));
        let inside = |at: &LocationId| self.cuts.loops.contains(id, *at);
        let members: Vec<LocationId> = self.cuts.order.iter().copied().filter(inside).collect();
        for at in members {
            let Some(mut formula) = reached.remove(&at) else {
                continue;
            };
            if let Some(inner) = self.cuts.loops.head_of(at)
                && inner != id
            {
                let star = self.star(ctx, inner, level);
                formula = ctx.sequence(&formula, &star.step);
            }
            let blocks: Vec<BlockId> = self.cuts.graph.outgoing[at].clone();
            for block in blocks {
                let block = &self.cuts.graph.blocks[block];
                let BlockEffect::Formula(step) = &block.step else {
                    continue;
                };
                let target = block.target;
                if !self.cuts.loops.contains(id, target)
                    || (self.cuts.is_back(block) && target != head)
                {
                    continue;
                }
                let arrived = ctx.sequence(&formula, step);
                self.arrive(ctx, &mut reached, target, arrived);
            }
        }
        let impossible = || TransitionFormula::guarded(ctx.store.bool(false));
        // The head itself is the first member: what reaches it now is an iteration.
        Some(reached.remove(&head).unwrap_or_else(impossible))
    }

    /// Adds a path to a location to those already known.
    pub(crate) fn arrive(
        &self,
        ctx: &mut Context,
        reached: &mut BTreeMap<LocationId, TransitionFormula>,
        at: LocationId,
        way: TransitionFormula,
    ) {
        let live = self.cuts.live(at);
        let all = match reached.remove(&at) {
            None => way,
            Some(old) => old.or(ctx.program, &mut ctx.store, &ctx.state, &way, live),
        };
        reached.insert(at, all);
    }

    /// An iteration that may do anything to the variables that the loop writes.
    fn anything(&self, ctx: &mut Context, id: LoopId) -> TransitionFormula {
        let mut iteration = TransitionFormula::identity(&mut ctx.store);
        iteration.exact = false;
        for block in self.cuts.graph.blocks.iter() {
            if !self.cuts.loops.contains(id, block.source) {
                continue;
            }
            let BlockEffect::Formula(step) = &block.step else {
                continue;
            };
            for &var in step.map.keys() {
                let row = &ctx.program.vars[var];
                let value = ctx.store.fresh(&row.name, row.ty.sort());
                iteration.map.insert(var, value);
            }
        }
        iteration
    }

    /// Conditions on the state at the head that decide which path is taken: hints for the summary.
    fn hints(&self, ctx: &mut Context, id: LoopId) -> Vec<TermId> {
        let head = self.cuts.loops.loops[id].head;
        let mut hints = Vec::new();
        for block in self.cuts.blocks_from(head) {
            if let Some(step) = block.step.formula() {
                hints.extend(ctx.store.atoms(step.guard));
            }
        }
        hints.retain(|&atom| ctx.is_of_state(atom));
        hints.sort_unstable();
        hints.dedup();
        hints
    }
}
