//! Path-to-error summaries by path expressions on the reversed graph, for comparison.
//!
//! A loop is closed wherever the reversed graph enters it, which need not be its head: an
//! invariant at the head then holds at one end of an iteration only, and inner and outer loops may
//! change places. [`to_error`](crate::to_error) does better; this is what the published tool does.
//!
//! # Paper
//! [fang2025software], section 6.1: the single-source algorithm of [tarjan1981fast] in dual mode,
//! evaluated in the algebra of transition formulas.

use crate::closure::{Body, Level, close};
use crate::expression::{Algebra, Expressions, StepId};
use crate::nest::LoopNestSummaries;
use crate::single_source::{Edge, single_target};
use base::{Id, IdVec};
use encode::Context;
use encode::blocks::Step;
use encode::transition::TransitionFormula;
use logic::TermId;
use program::ir::LocationId;
use program::pass::VarSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The states at each of some locations from which an error can be reached, over the state's
/// symbols and quantified ones, which occur in one of the formulas only.
pub fn to_error(
    ctx: &mut Context,
    nest: &LoopNestSummaries,
    points: &[LocationId],
    level: Level,
) -> BTreeMap<LocationId, TermId> {
    let target = nest.cuts.graph.is_cut.len();
    let mut steps: IdVec<StepId, TransitionFormula> = IdVec::new();
    let mut edges: Vec<Edge> = Vec::new();
    for block in nest.cuts.graph.blocks.iter() {
        let invariant = nest.invariant(ctx, block.source);
        let (step, to) = match &block.step {
            Step::Formula(step) if nest.cuts.errors.contains(&block.target) => {
                (step.clone(), target)
            }
            Step::Formula(step) => (step.clone(), block.target.index()),
            Step::OutsideEncoding(step) | Step::CalleeFails(step) => (step.clone(), target),
            Step::Opaque(_) => (TransitionFormula::identity(&mut ctx.store), target),
        };
        let step = steps.push(ctx.assuming(&step, invariant));
        edges.push((block.source.index(), to, step));
    }
    let mut table = Expressions::new();
    let expressions = single_target(&mut table, target + 1, &edges, target);
    let mut all = VarSet::default();
    for var in ctx.program.vars.ids() {
        all.insert(var);
    }
    let mut formulas = Formulas {
        ctx,
        steps: &steps,
        all,
        level,
    };
    let mut memo = FxHashMap::default();
    let mut summaries = BTreeMap::new();
    for &at in points {
        let summary = table.evaluate(expressions[at.index()], &mut formulas, &mut memo);
        let ctx = &mut *formulas.ctx;
        let summary = summary.renamed(&mut ctx.store, &ctx.state);
        summaries.insert(at, summary.guard);
    }
    summaries
}

/// Transition formulas as an algebra.
struct Formulas<'f, 'p> {
    ctx: &'f mut Context<'p>,
    steps: &'f IdVec<StepId, TransitionFormula>,
    all: VarSet,
    level: Level,
}

impl Algebra for Formulas<'_, '_> {
    type Value = TransitionFormula;

    fn zero(&mut self) -> TransitionFormula {
        TransitionFormula {
            guard: self.ctx.store.bool(false),
            ..TransitionFormula::identity(&mut self.ctx.store)
        }
    }

    fn one(&mut self) -> TransitionFormula {
        TransitionFormula::identity(&mut self.ctx.store)
    }

    fn step(&mut self, step: StepId) -> TransitionFormula {
        self.steps[step].clone()
    }

    fn choice(&mut self, a: &TransitionFormula, b: &TransitionFormula) -> TransitionFormula {
        let ctx = &mut *self.ctx;
        a.or(ctx.program, &mut ctx.store, &ctx.state, b, &self.all)
    }

    fn sequence(&mut self, a: &TransitionFormula, b: &TransitionFormula) -> TransitionFormula {
        self.ctx.sequence(a, b)
    }

    fn star(&mut self, a: &TransitionFormula) -> TransitionFormula {
        let body = Body {
            iteration: a.clone(),
            guard: a.guard,
            invariant: self.ctx.store.bool(true),
            hints: Vec::new(),
        };
        close(self.ctx, &body, self.level).step
    }
}
