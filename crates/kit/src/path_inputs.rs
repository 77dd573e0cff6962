//! The inputs along a path: those of a model, and others where its formula over-approximates the
//! program.
//!
//! Formulas omit what they do not describe, so a model may lead to undefined behaviour or off the
//! path, and an input that matters only there is in no formula at all.

use crate::path_solver::PathSolver;
use base::Rng;
use encode::{Context, CutGraph};
use logic::{Integer, SymbolId, TermId, TermValue};
use program::expr::Type;
use program::ir::{EdgeId, Op, Place};
use rustc_hash::FxHashMap;
use smt::Model;

/// The inputs taken by the edges of a block.
pub type BlockInputs = FxHashMap<EdgeId, TermValue>;

/// Values for inputs that are in no formula.
const VALUES: [i64; 8] = [1, -1, 0, 2, 100, 3, i64::MAX, i64::MIN];

impl PathSolver<'_> {
    /// The inputs in a model of the current path, block by block. Those that occur in no formula
    /// are omitted at first and vary in each variation.
    pub fn inputs(
        &self,
        ctx: &Context,
        cuts: &CutGraph,
        model: &Model,
        variation: u64,
    ) -> Vec<BlockInputs> {
        let inputs = self.blocks().iter().enumerate().map(|(index, &block)| {
            let inputs = cuts.block(block).edges.iter().filter_map(|&edge| {
                let symbol = self.input(ctx, cuts, index, edge)?;
                Some((edge, model.value(&ctx.store, symbol)))
            });
            inputs.collect()
        });
        let mut inputs: Vec<BlockInputs> = inputs.collect();
        if variation > 0 {
            let mut rng = Rng::new(variation);
            for (index, edge, ty) in self.free_inputs(ctx, cuts) {
                inputs[index].insert(edge, any(&mut rng, &VALUES, ty));
            }
        }
        inputs
    }

    /// Says that some input along the current path differs from a model's.
    pub fn other_inputs(&self, ctx: &mut Context, cuts: &CutGraph, model: &Model) -> TermId {
        let mut differences = Vec::new();
        for symbol in self.input_symbols(ctx, cuts) {
            let store = &mut ctx.store;
            let term = store.of_symbol(symbol);
            let value = match model.value(store, symbol) {
                TermValue::Int(value) => store.int(value),
                TermValue::Bool(value) => store.bool(value),
                TermValue::Real(_) | TermValue::Array(_) => continue,
            };
            differences.push(store.ne(term, value));
        }
        ctx.store.or(&differences)
    }

    fn input_symbols(&self, ctx: &Context, cuts: &CutGraph) -> Vec<SymbolId> {
        let blocks = self.blocks().iter().enumerate();
        let symbols = blocks.flat_map(|(index, &block)| {
            let edges = cuts.block(block).edges.iter();
            edges.filter_map(move |&edge| self.input(ctx, cuts, index, edge))
        });
        symbols.collect()
    }

    /// The inputs on the current path that occur in no formula: the index of their block, the edge
    /// and the type.
    pub fn free_inputs(&self, ctx: &Context, cuts: &CutGraph) -> Vec<(usize, EdgeId, Type)> {
        let procedure = &ctx.program.procs[cuts.proc];
        let mut free = Vec::new();
        for (index, &block) in self.blocks().iter().enumerate() {
            for &edge in &cuts.block(block).edges {
                let ty = match &procedure.edges[edge].op {
                    Op::Havoc(Place::Var(var), _) => ctx.program.vars[*var].ty,
                    Op::Havoc(Place::Mem(ty, _), _) => *ty,
                    _ => continue,
                };
                if self.input(ctx, cuts, index, edge).is_none() {
                    free.push((index, edge, ty));
                }
            }
        }
        free
    }
}

/// One of some values, converted to a type.
pub fn any(rng: &mut Rng, values: &[i64], ty: Type) -> TermValue {
    let value = values[rng.below(values.len())];
    match ty {
        Type::Bool => TermValue::Bool(value % 2 != 0),
        Type::Int(_) | Type::Float(_) | Type::Ptr => TermValue::Int(Integer::from(value)),
    }
}
