//! Calls of procedures that are not inlined: a tree for each abstract state in which one is
//! entered.
//!
//! The effect of a call is what the tree for its entry state says at its exits, over entry values,
//! the result and globals; the callee's other variables are projected out. So calls in the same
//! abstract state share one tree, and recursion reaches a fixpoint when no call enters in a new
//! state and no exit has a new one.
//!
//! # Paper
//! [henzinger2004abstractions], section 5.2. We differ in that a procedure is analysed not only
//! from all states at its entry, but from the abstract states in which it is called: predicates
//! over parameters and globals, where an error inside needs them.

use super::search::{Search, Tree, TreeId};
use encode::Renewed;
use encode::blocks::BlockId;
use encode::contract::CallSite;
use kit::abstract_post::Cube;
use kit::labelled_tree::LabelledTree;
use kit::unwinding::{Fate, VertexId};
use program::ir::ProcId;
use std::collections::{BTreeMap, BTreeSet};

/// A call: from a vertex of a tree over a block.
pub(super) type Caller = (TreeId, VertexId, BlockId);

impl Search<'_> {
    /// The call that a block is.
    pub(super) fn call_site(&self, id: TreeId, block: BlockId) -> Option<CallSite> {
        let graph = &self.cuts(id).graph;
        let block = &graph.blocks[block];
        block.step.continuing()?;
        graph.calls.get(&block.edges[0]).cloned()
    }

    /// Enters the callee of a call in each abstract state there, and returns from the exits that
    /// were already reached.
    pub(super) fn call(&mut self, caller: Caller, site: &CallSite) {
        let (id, vertex, block) = caller;
        // It may have been entered in other states when fewer predicates were tracked.
        for row in self.trees.iter_mut() {
            row.callers.remove(&caller);
        }
        let row = &mut self.trees[id];
        row.tree.unwinding.expand(vertex, &[]);
        let label = row.tree.unwinding.vertex(vertex).label.clone();
        let callee = &self.bodies[&site.callee].nest.cuts;
        let entry = self.ctx.program.procs[site.callee].entry;
        let tracked = self.predicates.at(&self.ctx, callee, entry).clone();
        let body = self.bodies.get_mut(&self.trees[id].proc);
        let body = body.expect("a tree should have a body");
        let (ctx, cuts) = (&mut self.ctx, &body.nest.cuts);
        let call = (block, site);
        let entries = body.posts.enter(ctx, cuts, call, &label, &tracked);
        let tracked = (tracked.predicates.len(), tracked.abstraction);
        for entry in entries {
            let callee = match self.tree_of(site.callee, &entry) {
                Some(callee) => {
                    let row = &mut self.trees[callee];
                    row.tracked.insert(row.tree.unwinding.root(), tracked);
                    callee
                }
                None => {
                    let cuts = &self.bodies[&site.callee].nest.cuts;
                    let tree = LabelledTree::new(&mut self.ctx, cuts, None);
                    self.add_tree(site.callee, tree, &entry, tracked)
                }
            };
            self.trees[callee].callers.insert(caller);
            for exit in self.trees[callee].exits.clone() {
                self.return_to(caller, (callee, exit));
            }
        }
    }

    /// Continues after the calls of a tree that has reached an exit.
    pub(super) fn leave(&mut self, id: TreeId, exit: VertexId) {
        if id == self.main() {
            return;
        }
        self.trees[id].exits.insert(exit);
        for caller in self.trees[id].callers.clone() {
            self.return_to(caller, (id, exit));
        }
    }

    /// The states after a call that returns from an exit.
    fn return_to(&mut self, caller: Caller, (callee, exit): (TreeId, VertexId)) {
        let (id, vertex, block) = caller;
        let Some(site) = self.call_site(id, block) else {
            return;
        };
        let mut from = self.trees[id].tree.unwinding.vertex(vertex).label.clone();
        for &literal in &self.trees[callee].tree.unwinding.vertex(exit).label {
            let ctx = &mut self.ctx;
            from.insert(site.at_site(&mut ctx.store, &ctx.state, literal));
        }
        let (states, tracked) = self.post(id, block, &from);
        for child in self.add_states(caller, &states, &tracked) {
            self.trees[id].returned.insert(child, (callee, exit));
        }
    }

    /// Removes the subtrees after some blocks, and what depends on returns from there, and
    /// re-expands.
    pub(super) fn expand_anew(&mut self, rows: impl IntoIterator<Item = Caller>) {
        let mut stale: Vec<Caller> = rows.into_iter().collect();
        let mut again = BTreeSet::new();
        while let Some((id, vertex, block)) = stale.pop() {
            if !self.is_there(id, vertex) {
                continue;
            }
            again.insert((id, vertex, block));
            let removed = self.trees[id].tree.prune(vertex, block);
            stale.extend(self.forget(id, &removed));
        }
        for (id, vertex, block) in again {
            if self.is_there(id, vertex) {
                self.expand_block(id, vertex, block);
            }
        }
    }

    /// Adapts to a refined graph, in all trees of its procedure.
    pub(super) fn renew(&mut self, proc: ProcId, renewed: &Renewed, why: &str) {
        let ids: Vec<TreeId> = self.trees.ids().collect();
        let mut stale = Vec::new();
        for id in ids {
            let row = &mut self.trees[id];
            if row.proc != proc {
                continue;
            }
            let unwinding = &row.tree.unwinding;
            let old: Vec<VertexId> = unwinding.vertices().map(|(vertex, _)| vertex).collect();
            let cuts = &self.bodies[&proc].nest.cuts;
            row.tree.renew(&mut self.ctx, cuts, renewed, why);
            let removed = |vertex: &VertexId| !self.is_there(id, *vertex);
            let removed: Vec<VertexId> = old.into_iter().filter(removed).collect();
            stale.extend(self.forget(id, &removed));
        }
        // The blocks of calls have other numbers now, unless they are gone with their vertices.
        let ids: Vec<TreeId> = self.trees.ids().collect();
        for id in ids {
            let callers = std::mem::take(&mut self.trees[id].callers).into_iter();
            let callers = callers.filter_map(|caller| self.renewed(proc, renewed, caller));
            self.trees[id].callers = callers.collect();
        }
        let stale: Vec<Caller> = (stale.into_iter())
            .filter_map(|caller| self.renewed(proc, renewed, caller))
            .collect();
        self.expand_anew(stale);
    }

    /// A call in a refined graph, if its block is the same.
    fn renewed(&self, proc: ProcId, renewed: &Renewed, caller: Caller) -> Option<Caller> {
        let (id, vertex, block) = caller;
        let block = match self.trees[id].proc == proc {
            true => renewed.blocks[block]?,
            false => block,
        };
        let is_expanded = self.trees[id].tree.unwinding.vertex(vertex).fate == Fate::Expanded;
        is_expanded.then_some((id, vertex, block))
    }

    /// Forgets what is known about vertices that were removed from a tree: the calls from there,
    /// and its exits. Returns the calls that have returned from such an exit.
    fn forget(&mut self, id: TreeId, removed: &[VertexId]) -> Vec<Caller> {
        let removed: BTreeSet<VertexId> = removed.iter().copied().collect();
        let is_gone = |(from, vertex, _): &Caller| *from == id && removed.contains(vertex);
        for row in self.trees.iter_mut() {
            row.callers.retain(|caller| !is_gone(caller));
        }
        let row = &mut self.trees[id];
        row.returned.retain(|vertex, _| !removed.contains(vertex));
        let before = row.exits.len();
        row.exits.retain(|exit| !removed.contains(exit));
        match row.exits.len() < before {
            true => row.callers.iter().copied().collect(),
            false => Vec::new(),
        }
    }

    pub(super) fn is_there(&self, id: TreeId, vertex: VertexId) -> bool {
        self.trees[id].tree.unwinding.vertex(vertex).fate != Fate::Removed
    }

    /// The tree of a procedure that is entered in an abstract state.
    fn tree_of(&self, proc: ProcId, entry: &Cube) -> Option<TreeId> {
        let is_entered = |(_, row): &(TreeId, &Tree<'_>)| {
            let unwinding = &row.tree.unwinding;
            row.proc == proc && unwinding.vertex(unwinding.root()).label == *entry
        };
        let mut trees = self.trees.iter_enumerated();
        trees.find(is_entered).map(|(id, _)| id)
    }

    /// The tree of the program's entry.
    pub(super) fn main(&self) -> TreeId {
        let mut ids = self.trees.ids();
        ids.next().expect("there should be a tree for the entry")
    }

    /// The trees that are entered from the program's entry, each with a call that does so; the
    /// others belong to calls of states that were given up.
    pub(super) fn entered(&self) -> BTreeMap<TreeId, Option<Caller>> {
        let mut found = BTreeMap::from([(self.main(), None)]);
        loop {
            let before = found.len();
            for (id, row) in self.trees.iter_enumerated() {
                if found.contains_key(&id) {
                    continue;
                }
                let mut callers = row.callers.iter();
                let is_called = |(from, vertex, _): &&Caller| {
                    found.contains_key(from) && self.trees[*from].tree.unwinding.is_active(*vertex)
                };
                if let Some(&caller) = callers.find(is_called) {
                    found.insert(id, Some(caller));
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }
}
