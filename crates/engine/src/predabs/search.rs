//! The search: processes the frontier, one abstract state after another.
//!
//! There is a tree for the program's entry, and one for each abstract state in which a procedure is
//! called ([`super::calls`]).

use super::calls::Caller;
use crate::{Blocks, Task};
use absdom::Invariants;
use base::{Budget, IdVec, define_id};
use certify::{Outcome, Reason};
use encode::blocks::{BlockEffect, BlockId};
use encode::{Contract, CutGraph};
use exec::Machine;
use kit::abstract_post::{AbstractPost, Cube};
use kit::labelled_tree::LabelledTree;
use kit::predicates::{Abstraction, Predicates, Tracked};
use kit::prepared::{Prepared, initial};
use kit::test_runner::TestRunner;
use kit::unwinding::{Fate, VertexId};
use kit::{Context, EncodingPrecision};
use program::ir::{LocationId, ProcId};
use std::collections::{BTreeMap, BTreeSet};
use summary::LoopNestSummaries;

define_id! {
    /// A tree of the search; the first is that of the program's entry.
    TreeId = "t";
}

/// Trees of abstract states, and what all of them share.
pub(super) struct Search<'s> {
    pub(super) task: &'s Task,
    pub(super) prepared: &'s Prepared,
    pub(super) machine: &'s Machine<'s>,
    pub(super) ctx: Context<'s>,
    pub(super) bodies: BTreeMap<ProcId, Body>,
    pub(super) trees: IdVec<TreeId, Tree<'s>>,
    pub(super) predicates: Predicates,
    pub(super) runner: TestRunner<'s>,
    /// Errors in trees that no call enters now, or in which they are not known to be reachable.
    pub(super) parked: Vec<(TreeId, VertexId)>,
}

/// A procedure.
pub(super) struct Body {
    /// Its blocks, with the invariants at their ends.
    pub(super) nest: LoopNestSummaries,
    pub(super) posts: AbstractPost,
}

/// The unwinding of a procedure from an abstract state at its entry.
pub(super) struct Tree<'s> {
    pub(super) proc: ProcId,
    pub(super) tree: LabelledTree<'s>,
    /// How many predicates there were when a vertex was labelled, and the kind of its post.
    pub(super) tracked: BTreeMap<VertexId, (usize, Abstraction)>,
    /// The calls that enter it.
    pub(super) callers: BTreeSet<Caller>,
    /// Where it returns.
    pub(super) exits: BTreeSet<VertexId>,
    /// For vertices after calls: from which exit of which tree.
    pub(super) returned: BTreeMap<VertexId, (TreeId, VertexId)>,
}

impl<'s> Search<'s> {
    pub(super) fn new(
        task: &'s Task,
        prepared: &'s Prepared,
        machine: &'s Machine<'s>,
        invariants: &dyn Fn(ProcId) -> Invariants,
        budget: &Budget,
    ) -> Self {
        let program = &prepared.program;
        let mut ctx = prepared.context(budget);
        // The effect of calls is given by the trees of their callees.
        let anything = Contract {
            ensures: ctx.store.bool(true),
            requires: ctx.store.bool(true),
        };
        let procs = prepared.frames.keys().copied();
        let precision = EncodingPrecision {
            contracts: procs.clone().map(|proc| (proc, anything.clone())).collect(),
            each_edge: task.options.blocks == Blocks::Edge,
            ..EncodingPrecision::default()
        };
        let mut bodies = BTreeMap::new();
        for proc in procs.chain([program.entry]) {
            let known = invariants(proc);
            let mut nest = LoopNestSummaries::new(&mut ctx, proc, known, &precision);
            let sources = nest.cuts.graph.cut_points().collect();
            assume_invariants(&mut ctx, &mut nest, &sources);
            let posts = AbstractPost::default();
            bodies.insert(proc, Body { nest, posts });
        }
        let cuts = &bodies[&program.entry].nest.cuts;
        let start = initial(&mut ctx, cuts);
        let start: Cube = ctx.store.conjuncts(start).into_iter().collect();
        let runner = TestRunner::new(machine, cuts);
        let journal = task.journal.as_deref();
        if let Some(journal) = journal {
            journal.begin("");
        }
        let tree = LabelledTree::new(&mut ctx, cuts, journal);
        let mut search = Search {
            task,
            prepared,
            machine,
            ctx,
            bodies,
            trees: IdVec::new(),
            predicates: Predicates::new(task.options.predicates),
            runner,
            parked: Vec::new(),
        };
        search.add_tree(program.entry, tree, &start, (0, Abstraction::default()));
        search
    }

    /// A tree whose root has a label.
    pub(super) fn add_tree(
        &mut self,
        proc: ProcId,
        mut tree: LabelledTree<'s>,
        label: &Cube,
        tracked: (usize, Abstraction),
    ) -> TreeId {
        let root = tree.unwinding.root();
        tree.set_label(&mut self.ctx, root, label);
        self.trees.push(Tree {
            proc,
            tree,
            tracked: BTreeMap::from([(root, tracked)]),
            callers: BTreeSet::new(),
            exits: BTreeSet::new(),
            returned: BTreeMap::new(),
        })
    }

    /// The outcome, none when no leaf is open, or what must be encoded more precisely.
    pub(super) fn run(&mut self) -> Result<Option<Outcome>, Needed> {
        while let Some((id, vertex)) = self.next_open() {
            if let Err(limit) = self.ctx.budget.check() {
                let reason = Reason::new(limit.into(), "the budget ended");
                return Ok(Some(Outcome::Unknown(reason)));
            }
            let cuts = &self.bodies[&self.trees[id].proc].nest.cuts;
            let tree = &mut self.trees[id].tree;
            if tree.is_failing(cuts, vertex) {
                if let Some(outcome) = self.refine(id, vertex)? {
                    return Ok(Some(outcome));
                }
            } else if tree.cover_by_weaker(cuts, vertex) {
                // The successors are found there.
            } else if tree.is_over(cuts, vertex) {
                tree.mark_leaf(vertex, Fate::DeadEnd);
                self.leave(id, vertex);
            } else {
                self.expand(id, vertex);
            }
        }
        Ok(None)
    }

    /// The next open leaf: of the youngest tree, so that calls return before their callers
    /// continue.
    fn next_open(&mut self) -> Option<(TreeId, VertexId)> {
        let main = self.main();
        loop {
            let ids: Vec<TreeId> = self.trees.ids().collect();
            for id in ids.into_iter().rev() {
                let row = &mut self.trees[id];
                if (id == main || !row.callers.is_empty())
                    && let Some(vertex) = row.tree.next_open()
                {
                    return Some((id, vertex));
                }
            }
            if !self.unpark() {
                return None;
            }
        }
    }

    /// Reconsiders errors in trees that are entered after all; returns whether there are any.
    fn unpark(&mut self) -> bool {
        let entered = self.entered();
        let parked = std::mem::take(&mut self.parked).into_iter();
        let (again, parked): (Vec<_>, Vec<_>) = parked
            .filter(|&(id, vertex)| self.is_there(id, vertex))
            .partition(|(id, _)| entered.contains_key(id));
        self.parked = parked;
        for &(id, vertex) in &again {
            self.trees[id].tree.frontier.push_back(vertex);
        }
        !again.is_empty()
    }

    /// The blocks of the procedure of a tree.
    pub(super) fn cuts(&self, id: TreeId) -> &CutGraph {
        &self.bodies[&self.trees[id].proc].nest.cuts
    }

    /// Gives a vertex its children: the abstract states after each of its blocks.
    fn expand(&mut self, id: TreeId, vertex: VertexId) {
        let at = self.trees[id].tree.unwinding.vertex(vertex).at;
        for block in self.cuts(id).graph.outgoing[at].clone() {
            self.expand_block(id, vertex, block);
        }
    }

    /// The abstract states after a block.
    pub(super) fn expand_block(&mut self, id: TreeId, vertex: VertexId, block: BlockId) {
        if let Some(site) = self.call_site(id, block) {
            return self.call((id, vertex, block), &site);
        }
        let label = self.trees[id].tree.unwinding.vertex(vertex).label.clone();
        let (mut states, tracked) = match self.cuts(id).block(block).step {
            BlockEffect::Opaque(_) => (vec![Cube::new()], Tracked::default()),
            _ => self.post(id, block, &label),
        };
        if states.is_empty() {
            states.push(Cube::from([self.ctx.store.bool(false)]));
        }
        self.add_states((id, vertex, block), &states, &tracked);
    }

    /// The states after a block where some formulas hold before it, and what is tracked there.
    pub(super) fn post(&mut self, id: TreeId, block: BlockId, from: &Cube) -> (Vec<Cube>, Tracked) {
        let body = self.bodies.get_mut(&self.trees[id].proc);
        let Body { nest, posts } = body.expect("a tree should have a body");
        let (ctx, cuts) = (&mut self.ctx, &nest.cuts);
        let row = cuts.block(block);
        let tracked = match row.step.continuing() {
            Some(_) => self.predicates.at(ctx, cuts, row.target).clone(),
            None => Tracked::default(),
        };
        let states = posts.post(ctx, cuts, block, from, &tracked);
        (states, tracked)
    }

    /// Adds vertices for states after a block.
    pub(super) fn add_states(
        &mut self,
        (id, vertex, block): Caller,
        states: &[Cube],
        tracked: &Tracked,
    ) -> Vec<VertexId> {
        let row = &mut self.trees[id];
        let (ctx, cuts) = (&mut self.ctx, &self.bodies[&row.proc].nest.cuts);
        let children = row.tree.add_states(ctx, cuts, (vertex, block), states);
        let tracked = (tracked.predicates.len(), tracked.abstraction);
        let labelled = children.iter().map(|&child| (child, tracked));
        row.tracked.extend(labelled);
        children
    }

    /// Counts what was done: the figures of table 1 of [henzinger2004abstractions], and what its posts
    /// have cost. The average of predicates is their sum by the number of locations.
    pub(super) fn count(&self) {
        let counters = self.ctx.budget.counters();
        let all = self.predicates.all().len() as u64;
        counters.add("predicates", all);
        for (_, size) in self.predicates.sizes() {
            counters.add("predicate_locations", 1);
            counters.add("predicates_at_locations", size as u64);
            counters.raise("most_predicates_at_a_location", size as u64);
        }
        for body in self.bodies.values() {
            let asked = body.posts.asked;
            counters.add("posts", asked.posts);
            counters.add("posts_cached", asked.posts_known);
            counters.add("entailments", asked.literals);
            counters.add("entailments_cached", asked.literals_known);
        }
    }

    /// Refines the encoding of a procedure, in place; returns whether any of it is new.
    pub(super) fn refine_encoding(&mut self, (proc, needed): &Needed) -> bool {
        let body = self.bodies.get_mut(proc);
        let body = body.expect("a procedure should have a body");
        let Some(renewed) = body.nest.refine(&mut self.ctx, needed) else {
            return false;
        };
        assume_invariants(&mut self.ctx, &mut body.nest, &renewed.sources);
        body.posts.renew(&renewed);
        let why = "a path needs arithmetic that was described too simply";
        self.renew(*proc, &renewed, why);
        let cuts = &self.bodies[&self.prepared.program.entry].nest.cuts;
        self.runner = TestRunner::new(self.machine, cuts);
        true
    }
}

/// What must be encoded more precisely, and in which procedure.
pub(super) type Needed = (ProcId, EncodingPrecision);

/// Conjoins the invariants at the start of blocks.
fn assume_invariants(
    ctx: &mut Context,
    nest: &mut LoopNestSummaries,
    sources: &BTreeSet<LocationId>,
) {
    let invariants = &nest.invariants;
    nest.cuts.assume(ctx, sources, |ctx, at| {
        invariants.formula(at, &mut ctx.store, &ctx.state)
    });
}
