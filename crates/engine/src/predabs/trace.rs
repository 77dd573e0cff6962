//! Abstract traces: the path to a vertex through all trees, from the program's start on.

use super::calls::Caller;
use super::search::{Body, Search, Tree, TreeId};
use base::IdVec;
use encode::blocks::BlockId;
use kit::Context;
use kit::path_inputs::BlockInputs;
use kit::trace_formula::{TraceFormula, TraceStep};
use kit::unwinding::VertexId;
use program::ir::ProcId;
use smt::Model;
use std::collections::BTreeMap;

/// What an abstract trace is made of.
#[derive(Clone, Copy)]
enum Item {
    /// A block of a tree, to a vertex.
    Block(TreeId, BlockId, VertexId),
    /// A call over a block of a tree, that returns.
    Call(TreeId, BlockId),
    /// The return to a vertex after the call.
    Return(TreeId, VertexId),
    /// A call that does not return, to the root of a tree.
    Enter(Caller, TreeId, VertexId),
}

/// The path to a vertex.
pub(super) struct AbstractTrace {
    items: Vec<Item>,
}

impl Search<'_> {
    /// The path to a vertex; none if no call enters its tree now.
    pub(super) fn trace(&self, id: TreeId, vertex: VertexId) -> Option<AbstractTrace> {
        let entered = self.entered();
        let mut chain = Vec::new();
        let (mut id, mut vertex) = (id, vertex);
        loop {
            chain.push((id, vertex));
            match entered.get(&id)? {
                Some((caller, from, _)) => (id, vertex) = (*caller, *from),
                None => break,
            }
        }
        let mut items = Vec::new();
        for (id, vertex) in chain.into_iter().rev() {
            if let Some(caller) = entered[&id] {
                let root = self.trees[id].tree.unwinding.root();
                items.push(Item::Enter(caller, id, root));
            }
            self.add_path(id, vertex, &mut items);
        }
        Some(AbstractTrace { items })
    }

    /// The path from the root of a tree, with all that happens in calls on the way.
    fn add_path(&self, id: TreeId, vertex: VertexId, items: &mut Vec<Item>) {
        let row = &self.trees[id];
        for vertex in row.tree.unwinding.path(vertex) {
            let Some((_, block)) = row.tree.unwinding.vertex(vertex).parent else {
                continue;
            };
            match row.returned.get(&vertex) {
                Some(&(callee, exit)) => {
                    items.push(Item::Call(id, block));
                    self.add_path(callee, exit, items);
                    items.push(Item::Return(id, vertex));
                }
                None => items.push(Item::Block(id, block, vertex)),
            }
        }
    }
}

impl AbstractTrace {
    /// Whether it goes through no call.
    pub(super) fn is_in_entry(&self) -> bool {
        let mut items = self.items.iter();
        items.all(|item| matches!(item, Item::Block(..)))
    }

    /// The vertices after the parts of its formula, except for the first.
    pub(super) fn vertices(&self) -> impl Iterator<Item = (TreeId, VertexId)> {
        let items = self.items.iter();
        items.filter_map(|item| match *item {
            Item::Block(id, _, vertex) | Item::Return(id, vertex) | Item::Enter(_, id, vertex) => {
                Some((id, vertex))
            }
            Item::Call(..) => None,
        })
    }

    /// The call by which the trace enters a tree to stay there.
    pub(super) fn caller(&self, entered: TreeId) -> Option<Caller> {
        let mut items = self.items.iter();
        items.find_map(|item| match *item {
            Item::Enter(caller, id, _) if id == entered => Some(caller),
            Item::Enter(..) | Item::Block(..) | Item::Call(..) | Item::Return(..) => None,
        })
    }

    /// The last block: that to the error.
    pub(super) fn last_block(&self) -> Option<(TreeId, BlockId)> {
        match self.items.last()? {
            Item::Block(id, block, _) => Some((*id, *block)),
            Item::Call(..) | Item::Return(..) | Item::Enter(..) => None,
        }
    }

    /// What its formula is made of.
    pub(super) fn steps<'t>(
        &self,
        bodies: &'t BTreeMap<ProcId, Body>,
        trees: &IdVec<TreeId, Tree<'_>>,
    ) -> Vec<TraceStep<'t>> {
        let graph = |id: TreeId| &bodies[&trees[id].proc].nest.cuts.graph;
        let step = |id: TreeId, block: BlockId| {
            let step = graph(id).blocks[block].step.formula();
            step.expect("a path should consist of formulas")
        };
        let site = |id: TreeId, block: BlockId| {
            let graph = graph(id);
            &graph.calls[&graph.blocks[block].edges[0]]
        };
        let items = self.items.iter();
        let steps = items.map(|item| match *item {
            Item::Block(id, block, _) => TraceStep::Block(step(id, block)),
            Item::Call(id, block) => TraceStep::Call(site(id, block)),
            Item::Enter((id, _, block), _, _) => TraceStep::Enter(site(id, block)),
            Item::Return(..) => TraceStep::Return,
        });
        steps.collect()
    }

    /// The inputs in a model of its formula, block by block and call by call.
    pub(super) fn inputs(
        &self,
        ctx: &Context,
        (bodies, trees): (&BTreeMap<ProcId, Body>, &IdVec<TreeId, Tree<'_>>),
        (formula, model): (&TraceFormula, &Model),
    ) -> Vec<BlockInputs> {
        let mut rows = Vec::new();
        let mut part = 0;
        for item in &self.items {
            match *item {
                Item::Block(id, block, _) => {
                    part += 1;
                    let graph = &bodies[&trees[id].proc].nest.cuts.graph;
                    let block = &graph.blocks[block];
                    let inputs = block.edges.iter().filter_map(|&edge| {
                        let input = *graph.inputs.get(&(block.source, edge))?;
                        let symbol = formula.input(ctx, part, input)?;
                        Some((edge, model.value(&ctx.store, symbol)))
                    });
                    rows.push(inputs.collect());
                }
                Item::Call(..) => rows.push(BlockInputs::default()),
                Item::Enter(..) => {
                    part += 1;
                    rows.push(BlockInputs::default());
                }
                Item::Return(..) => part += 1,
            }
        }
        rows
    }
}
