//! The guide of a test: which inputs to take next so that an error may still be reached.
//!
//! At a cut point of a run the values of the variables are known. The blocks from there, each with
//! the path-to-error summary of its target, say which inputs keep an error reachable, if any do;
//! blocks to errors come first. With gas, the first choice takes as little as suffices, and later
//! ones have what is left.
//!
//! # Paper
//! [fang2025software], figure 4, lines 17 and 18; section 5.3 for gas.

use base::Budget;
use encode::Context;
use encode::blocks::{Block, BlockEffect};
use exec::value::Values;
use logic::{Integer, Sort, TermId, TermValue};
use program::expr::Constant;
use program::ir::{EdgeId, LocationId, VarId};
use smt::{Answer, Model, Solver};
use std::collections::BTreeMap;
use summary::{LoopNestSummaries, ToError};

/// The effort of one choice.
const EACH: u64 = 500_000;

/// A program's blocks and what is known about its loops and paths to errors.
pub(super) struct Summaries<'p> {
    pub(super) ctx: Context<'p>,
    pub(super) nest: LoopNestSummaries,
    pub(super) to_error: ToError,
}

/// Chooses inputs at cut points.
#[derive(Default)]
pub(super) struct Guide {
    /// The variable that is the gas, if there is one.
    pub(super) gas: Option<VarId>,
    /// For each cut point, names for: an error comes next, and an error may come later.
    ways: BTreeMap<LocationId, [TermId; 2]>,
    solver: Solver,
}

/// Inputs for the next block.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    at: LocationId,
    model: Model,
    /// The gas at the cut point.
    pub(super) gas: Option<Integer>,
}

impl Guide {
    /// A guide for a program with gas.
    pub(super) fn with_gas(gas: VarId) -> Guide {
        Guide {
            gas: Some(gas),
            ..Guide::default()
        }
    }

    /// Inputs for the next block at a cut point, if an error may be reached; or the reason why that
    /// is unknown. Without given gas, the least amount is taken.
    pub(super) fn choose(
        &mut self,
        summaries: &mut Summaries,
        at: LocationId,
        values: &Values,
        gas: Option<&Integer>,
        budget: &Budget,
    ) -> Result<Option<Choice>, String> {
        let budget = budget.clone().with_effort(EACH);
        let ways = self.ways(summaries, at);
        let known = summaries.state(at, values);
        for way in ways {
            let mut assumed = known.clone();
            assumed.push(way);
            let found = match (self.gas, gas) {
                (None, _) => self.model(summaries, &assumed, &budget)?,
                (Some(var), Some(gas)) => {
                    let ctx = &mut summaries.ctx;
                    let (term, gas) = (ctx.before(var), ctx.store.int(gas.clone()));
                    assumed.push(ctx.store.eq(term, gas));
                    self.model(summaries, &assumed, &budget)?
                }
                (Some(var), None) => self.least(summaries, &assumed, var, &budget)?,
            };
            if let Some(model) = found {
                let gas = self.gas.map(|var| summaries.gas(&model, var));
                return Ok(Some(Choice { at, model, gas }));
            }
        }
        Ok(None)
    }

    /// The continuations from a cut point, as names of formulas that are asserted once.
    fn ways(&mut self, summaries: &mut Summaries, at: LocationId) -> [TermId; 2] {
        let solver = &mut self.solver;
        *self.ways.entry(at).or_insert_with(|| {
            summaries.error_next_or_later(at).map(|way| {
                let store = &mut summaries.ctx.store;
                let name = store.fresh("$way", Sort::Bool);
                let named = store.implies(name, way);
                solver.assert(store, named);
                name
            })
        })
    }

    fn model(
        &mut self,
        summaries: &Summaries,
        assumed: &[TermId],
        budget: &Budget,
    ) -> Result<Option<Model>, String> {
        match self.solver.check(&summaries.ctx.store, assumed, budget) {
            Answer::Sat => Ok(self.solver.model().cloned()),
            Answer::Unsat => Ok(None),
            Answer::Unknown(why) => Err(why),
        }
    }

    /// A model with minimal gas: exponential search upwards, then bisection.
    fn least(
        &mut self,
        summaries: &mut Summaries,
        assumed: &[TermId],
        var: VarId,
        budget: &Budget,
    ) -> Result<Option<Model>, String> {
        let Some(mut best) = self.model(summaries, assumed, budget)? else {
            return Ok(None);
        };
        let mut most = summaries.gas(&best, var);
        let mut low = Integer::ZERO;
        let mut guess = Integer::ZERO;
        while low < most {
            let gas = summaries.ctx.before(var);
            let bound = summaries.ctx.store.int(guess.clone());
            let mut bounded = assumed.to_vec();
            bounded.push(summaries.ctx.store.le(gas, bound));
            match self.model(summaries, &bounded, budget)? {
                Some(model) => {
                    most = summaries.gas(&model, var);
                    best = model;
                }
                None => low = &guess + &Integer::ONE,
            }
            // From below in increasing steps, but never past the middle.
            let middle = (&low + &most).div_floor(&Integer::from(2i64));
            guess = middle.min(&low + &low);
        }
        Ok(Some(best))
    }
}

impl Summaries<'_> {
    /// The input that a choice has for an edge.
    pub(super) fn input(&self, choice: &Choice, edge: EdgeId) -> Option<TermValue> {
        let symbol = *self.nest.cuts.graph.inputs.get(&(choice.at, edge))?;
        Some(choice.model.value(&self.ctx.store, symbol))
    }

    /// The formulas for an error right after a cut point, and for one later.
    fn error_next_or_later(&mut self, at: LocationId) -> [TermId; 2] {
        let mut ways = [Vec::new(), Vec::new()];
        let blocks: Vec<Block> = self.nest.cuts.blocks_from(at).cloned().collect();
        for block in blocks {
            let later = !self.nest.cuts.errors.contains(&block.target);
            let way = self.block_then_summary(&block, later);
            ways[usize::from(later)].push(way);
        }
        ways.map(|ways| self.ctx.store.or(&ways))
    }

    /// How much gas there is in a model.
    fn gas(&self, model: &Model, var: VarId) -> Integer {
        let gas = model.value(&self.ctx.store, self.ctx.state.symbol(var));
        gas.as_int().cloned().unwrap_or(Integer::ZERO)
    }

    /// A block, followed by the summary of its target.
    fn block_then_summary(&mut self, block: &Block, later: bool) -> TermId {
        let step = match &block.step {
            BlockEffect::Formula(step) => step,
            // Nothing is known about the continuation.
            BlockEffect::Opaque(_) => return self.ctx.store.bool(true),
            BlockEffect::OutsideEncoding(step) | BlockEffect::CalleeFails(step) => {
                return step.guard;
            }
        };
        let mut parts = vec![step.guard];
        if later {
            let Summaries {
                ctx,
                nest,
                to_error,
            } = self;
            let (formula, symbols) = to_error.at(ctx, nest, block.target);
            parts.push(formula);
            for (var, symbol) in symbols {
                let value = step.value(&mut ctx.store, &ctx.state, var);
                parts.push(ctx.store.eq(symbol, value));
            }
        }
        self.ctx.store.and(&parts)
    }

    /// The formula that the live variables have their values.
    fn state(&mut self, at: LocationId, values: &Values) -> Vec<TermId> {
        let live: Vec<VarId> = self.nest.cuts.live(at).iter().collect();
        let mut known = Vec::new();
        for var in live {
            // The gas is not one of the program's variables.
            let Some(Some(value)) = values.get(var) else {
                continue;
            };
            let term = self.ctx.before(var);
            let store = &mut self.ctx.store;
            match *value {
                Constant::Int(value) => known.push(store.equals(term, value)),
                Constant::Bool(true) => known.push(term),
                Constant::Bool(false) => known.push(store.not(term)),
                Constant::Null => known.push(store.equals(term, 0i64)),
                Constant::Float(..) => {}
            }
        }
        known
    }
}
