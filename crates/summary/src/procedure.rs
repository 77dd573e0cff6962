//! What a procedure does from its entry: how it returns, how it fails, and what it calls.
//!
//! One walk over its blocks in order, with loops summarised. A call is left open: a literal says
//! that it is made, and its exit state has symbols of its own, so that a contract, a body or
//! nothing can be substituted ([`OpenCall`]).
//!
//! # Invariants
//! - Every run from the entry to one of these ends is covered, if the open calls are.

use crate::closure::Level;
use crate::nest::LoopNestSummaries;
use encode::blocks::BlockEffect;
use encode::transition::TransitionFormula;
use encode::{CallSite, Context};
use logic::{Sort, TermId};
use program::ir::LocationId;
use std::collections::BTreeMap;

/// The ways through a procedure.
pub struct ProcedureBody {
    /// What holds at the entry, whatever the call.
    pub entry: TermId,
    /// From the entry to the exit, if that is reached.
    pub returns: Option<TransitionFormula>,
    /// From the entry to an error of its own: over the state at the entry and quantified symbols.
    pub fails: TermId,
    /// The calls on these ways.
    pub calls: Vec<OpenCall>,
}

/// A call on a way through a procedure.
pub struct OpenCall {
    /// True on a way that makes the call and continues after it.
    pub taken: TermId,
    /// From the entry to the call.
    pub reach: TransitionFormula,
    /// The call, over the state there.
    pub site: CallSite,
}

impl OpenCall {
    /// A formula of the callee's exit or entry, over the state at the caller's entry and what the
    /// call leaves.
    pub fn at_site(&self, ctx: &mut Context, formula: TermId) -> TermId {
        let formula = self.site.at_site(&mut ctx.store, &ctx.state, formula);
        ctx.after(&self.reach, formula)
    }

    /// When the call is made.
    pub fn made(&self, ctx: &mut Context) -> TermId {
        let guard = ctx.after(&self.reach, self.site.guard);
        ctx.store.and(&[self.reach.guard, guard])
    }
}

impl ProcedureBody {
    /// The ways through a procedure, its loops summarised with some effort.
    pub fn new(ctx: &mut Context, nest: &mut LoopNestSummaries, level: Level) -> Self {
        let row = &ctx.program.procs[nest.cuts.proc];
        let (start, exit) = (row.entry, row.exit);
        let mut reached: BTreeMap<LocationId, TransitionFormula> = BTreeMap::new();
        reached.insert(start, TransitionFormula::identity(&mut ctx.store));
        let entry = nest.invariant(ctx, start);
        let mut body = ProcedureBody {
            entry,
            returns: None,
            fails: ctx.store.bool(false),
            calls: Vec::new(),
        };
        let mut fails = Vec::new();
        for at in nest.cuts.order.clone() {
            let Some(mut formula) = reached.remove(&at) else {
                continue;
            };
            if nest.cuts.errors.contains(&at) {
                fails.push(formula.guard);
                continue;
            }
            if at == exit {
                body.returns = Some(formula);
                continue;
            }
            if let Some(id) = nest.cuts.loops.head_of(at) {
                let star = nest.star(ctx, id, level);
                formula = ctx.sequence(&formula, &star.step);
            }
            for id in nest.cuts.graph.outgoing[at].clone() {
                let block = nest.cuts.block(id).clone();
                let step = match &block.step {
                    BlockEffect::Formula(_) if nest.cuts.is_back(&block) => continue,
                    BlockEffect::Formula(step) => step,
                    // Errors of callees are found by going there.
                    BlockEffect::CalleeFails(_) => continue,
                    BlockEffect::OutsideEncoding(step) => {
                        fails.push(ctx.sequence(&formula, step).guard);
                        continue;
                    }
                    BlockEffect::Opaque(_) => {
                        fails.push(formula.guard);
                        continue;
                    }
                };
                let arrived = match nest.cuts.graph.calls.get(&block.edges[0]) {
                    Some(site) => body.call(ctx, &formula, site),
                    None => ctx.sequence(&formula, step),
                };
                nest.arrive(ctx, &mut reached, block.target, arrived);
            }
        }
        body.fails = ctx.store.or(&fails);
        body
    }

    /// A way on after a call that is left open.
    fn call(
        &mut self,
        ctx: &mut Context,
        reach: &TransitionFormula,
        site: &CallSite,
    ) -> TransitionFormula {
        let site = site.renamed(&mut ctx.store);
        let taken = ctx.store.fresh("$taken", Sort::Bool);
        let (program, state) = (ctx.program, &ctx.state);
        let mut step = site.step(program, &mut ctx.store, state, &ctx.frames, taken);
        step.exact = true;
        let arrived = reach.then(&mut ctx.store, &ctx.state, &step);
        self.calls.push(OpenCall {
            taken,
            reach: reach.clone(),
            site,
        });
        arrived
    }
}
