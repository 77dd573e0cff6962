//! Path-to-error summaries by path expressions on the reversed graph, for comparison.
//!
//! A loop is closed wherever the reversed graph enters it, which need not be its head: an invariant
//! at the head then holds at one end of an iteration only, and inner and outer loops may swap.
//! [`to_error`](crate::to_error) is more precise; this is what the published tool does.
//!
//! # Paper
//! [fang2025software], section 6.1: paths to one node ([`paths`](crate::paths)), in the algebra of
//! transition formulas.

use crate::closure::{Body, Level, close};
use crate::nest::LoopNestSummaries;
use crate::paths::{Algebra, Graph, Values};
use base::Id;
use encode::Context;
use encode::blocks::BlockEffect;
use encode::transition::TransitionFormula;
use logic::TermId;
use program::ir::LocationId;
use program::pass::VarSet;
use std::collections::BTreeMap;

/// The states at each of some locations from which an error can be reached, over the state's
/// symbols and quantified ones, which occur in one of the formulas only.
pub fn to_error(
    ctx: &mut Context,
    nest: &LoopNestSummaries,
    points: &[LocationId],
    level: Level,
) -> BTreeMap<LocationId, TermId> {
    let all: VarSet = ctx.program.vars.ids().collect();
    let error = nest.cuts.graph.is_cut.len();
    let mut edges = Vec::new();
    for block in nest.cuts.graph.blocks.iter() {
        let invariant = nest.invariant(ctx, block.source);
        let (step, to) = match &block.step {
            BlockEffect::Formula(step) if nest.cuts.errors.contains(&block.target) => {
                (step.clone(), error)
            }
            BlockEffect::Formula(step) => (step.clone(), block.target.index()),
            BlockEffect::OutsideEncoding(step) | BlockEffect::CalleeFails(step) => {
                (step.clone(), error)
            }
            BlockEffect::Opaque(_) => (TransitionFormula::identity(&mut ctx.store), error),
        };
        edges.push((block.source.index(), to, ctx.assuming(&step, invariant)));
    }
    let mut formulas = Formulas { ctx, all, level };
    let end = Values::from([(error, formulas.one())]);
    let mut graph = Graph::new(&mut formulas, error + 1);
    for (from, to, step) in edges {
        graph.add(from, to, step);
    }
    let known = graph.to_ends(end);
    let ctx = formulas.ctx;
    let summary = |&at: &LocationId| {
        let summary = match known.get(&at.index()) {
            Some(summary) => summary.renamed(&mut ctx.store, &ctx.state).guard,
            None => ctx.store.bool(false),
        };
        (at, summary)
    };
    points.iter().map(summary).collect()
}

/// Transition formulas as an algebra.
struct Formulas<'f, 'p> {
    ctx: &'f mut Context<'p>,
    all: VarSet,
    level: Level,
}

impl Algebra for Formulas<'_, '_> {
    type Value = TransitionFormula;

    fn one(&mut self) -> TransitionFormula {
        TransitionFormula::identity(&mut self.ctx.store)
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
