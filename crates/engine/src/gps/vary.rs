//! The inputs along a path: those of a model, and others where its formula allows more than the
//! program does.
//!
//! Formulas leave out what they do not describe, so a model may lead to undefined behaviour or off
//! the path, and an input that only matters there is in no formula at all.

use super::explore::ASKING;
use super::search::{Ending, Search};
use base::Rng;
use kit::path_solver::limited;
use kit::unwinding::VertexId;
use logic::{Integer, SymbolId, TermId, TermValue};
use program::expr::Type;
use program::ir::{EdgeId, Op, Place};
use rustc_hash::FxHashMap;
use smt::Model;

/// How many other inputs are tried along a path.
const VARIATIONS: u64 = 16;
/// Values for inputs that are in no formula.
const VALUES: [i64; 8] = [1, -1, 0, 2, 100, 3, i64::MAX, i64::MIN];
/// Why a path is not decided though there is a model of it.
pub(super) const MORE: &str = "its formula allows more than the program does";

impl Search<'_> {
    /// Tests with other inputs along a path to an error; without success nothing is known of it.
    pub(super) fn try_others(&mut self, vertex: VertexId, model: &Model) -> Option<Ending> {
        let found = self.vary(vertex, model);
        found.or_else(|| self.go_on_without(vertex, MORE))
    }

    /// Tests with other inputs along the path to a vertex: one of them may be right.
    fn vary(&mut self, vertex: VertexId, model: &Model) -> Option<Ending> {
        let has_free = !self.free_inputs(vertex).is_empty();
        let mut model = model.clone();
        let mut others = Vec::new();
        for variation in 1..=VARIATIONS {
            others.push(self.differs(vertex, &model));
            let other = self.main.ctx.store.and(&others);
            let budget = limited(&self.budget);
            match self.tree.paths.model(&self.main.ctx, other, &budget) {
                Ok(Some(found)) => model = found,
                Ok(None) | Err(_) if has_free => drop(others.pop()),
                Ok(None) | Err(_) => return None,
            }
            let test = self.run_test(vertex, &model, variation, ASKING);
            if let Err(ending) = test {
                return Some(ending);
            }
        }
        None
    }

    /// That some input along the path to a vertex is not that of a model.
    fn differs(&mut self, vertex: VertexId, model: &Model) -> TermId {
        let mut differences = Vec::new();
        for symbol in self.input_symbols(vertex) {
            let store = &mut self.main.ctx.store;
            let term = store.of_symbol(symbol);
            let value = match model.value(store, symbol) {
                TermValue::Int(value) => store.int(value),
                TermValue::Bool(value) => store.bool(value),
                TermValue::Real(_) | TermValue::Array(_) => continue,
            };
            let same = store.eq(term, value);
            differences.push(store.not(same));
        }
        self.main.ctx.store.or(&differences)
    }

    /// The inputs in a model of the path to a vertex, block by block.
    pub(super) fn inputs_along(
        &self,
        vertex: VertexId,
        model: &Model,
        variation: u64,
    ) -> Vec<FxHashMap<EdgeId, TermValue>> {
        let (ctx, nest) = (&self.main.ctx, &self.main.nest);
        let blocks = self.tree.unwinding.blocks(vertex);
        let inputs = blocks.iter().enumerate().map(|(index, &block)| {
            let edges = nest.cuts.graph.blocks[block].edges.iter();
            let inputs = edges.filter_map(|&edge| {
                let symbol = self.tree.paths.input(ctx, &nest.cuts, index, edge)?;
                Some((edge, model.value(&ctx.store, symbol)))
            });
            inputs.collect()
        });
        let mut inputs: Vec<FxHashMap<EdgeId, TermValue>> = inputs.collect();
        if variation > 0 {
            let mut rng = Rng::new(variation);
            for (index, edge, ty) in self.free_inputs(vertex) {
                inputs[index].insert(edge, any(&mut rng, ty));
            }
        }
        inputs
    }

    /// The symbols of the inputs on the path to a vertex.
    fn input_symbols(&self, vertex: VertexId) -> Vec<SymbolId> {
        let (ctx, nest) = (&self.main.ctx, &self.main.nest);
        let blocks = self.tree.unwinding.blocks(vertex);
        let symbols = blocks.iter().enumerate().flat_map(|(index, &block)| {
            let edges = nest.cuts.graph.blocks[block].edges.iter();
            edges.filter_map(move |&edge| self.tree.paths.input(ctx, &nest.cuts, index, edge))
        });
        symbols.collect()
    }

    /// The inputs on the path to a vertex that no formula speaks of, with their types.
    fn free_inputs(&self, vertex: VertexId) -> Vec<(usize, EdgeId, Type)> {
        let (ctx, nest) = (&self.main.ctx, &self.main.nest);
        let procedure = &ctx.program.procs[nest.cuts.proc];
        let mut free = Vec::new();
        for (index, &block) in self.tree.unwinding.blocks(vertex).iter().enumerate() {
            for &edge in &nest.cuts.graph.blocks[block].edges {
                let ty = match &procedure.edges[edge].op {
                    Op::Havoc(Place::Var(var), _) => ctx.program.vars[*var].ty,
                    Op::Havoc(Place::Mem(ty, _), _) => *ty,
                    _ => continue,
                };
                if self
                    .tree
                    .paths
                    .input(ctx, &nest.cuts, index, edge)
                    .is_none()
                {
                    free.push((index, edge, ty));
                }
            }
        }
        free
    }
}

fn any(rng: &mut Rng, ty: Type) -> TermValue {
    let value = VALUES[rng.below(VALUES.len())];
    match ty {
        Type::Bool => TermValue::Bool(value % 2 != 0),
        Type::Int(_) | Type::Float(_) | Type::Ptr => TermValue::Int(Integer::from(value)),
    }
}
