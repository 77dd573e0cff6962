//! Lazy abstraction with interpolants, as an example of an engine on the kit.
//!
//! Unwinds the program into a tree. A path to an error that is feasible is run and is a trace; one
//! that is not gives labels to its vertices. Vertices are covered where labels allow it. When no leaf
//! is open any more, the labels of the loop heads are a proof.
//!
//! # Paper
//! [mcmillan2006lazy]: `run` is UNWIND with CLOSE before EXPAND, `refine` is REFINE. We differ in
//! two points: vertices are cut points and steps large blocks, and the tree grows breadth first.
//!
//! # Invariants
//! - An error that formulas admit and the machine does not reach leaves its path undecided.

use base::Budget;
use certify::{Outcome, Reason, ReasonKind};
use engine::{Engine, Task, graph};
use exec::Machine;
use kit::labelled_tree::{LabelledTree, PathCheck};
use kit::precision::{needed_by_block, needed_by_run};
use kit::prepared::Prepared;
use kit::test_runner::{ModelInputs, TestRunner, replay, test_limits};
use kit::unwinding::{Fate, VertexId};
use kit::{Context, CutGraph, EncodingPrecision};
use smt::Model;

/// The steps of a test.
const STEPS: u64 = 1 << 20;

/// The engine.
pub(crate) struct Impact;

impl Engine for Impact {
    fn name(&self) -> &'static str {
        "impact"
    }

    fn summary(&self) -> &'static str {
        "unwinds the program, labels it by interpolants and covers what repeats"
    }

    fn papers(&self) -> &'static [&'static str] {
        &["mcmillan2006lazy"]
    }

    fn run(&self, task: &Task, budget: &Budget) -> Outcome {
        if let Some(proof) = graph::proof(&task.program) {
            return Outcome::Safe(proof);
        }
        let prepared = Prepared::with_undefined(&task.program);
        let machine = Machine::new(&prepared.program);
        let mut search = Search::new(task, &prepared, &machine, budget);
        loop {
            match search.run() {
                Ok(Some(outcome)) => return outcome,
                Ok(None) => return search.complete(),
                Err(needed) if search.refine_encoding(&needed) => {}
                Err(_) => {
                    let message = "a path leaves what the formulas describe again and again";
                    return Outcome::Unknown(Reason::internal(message));
                }
            }
        }
    }
}

/// An unwinding of the program, described as precisely as its paths have needed so far.
struct Search<'s> {
    task: &'s Task,
    prepared: &'s Prepared,
    machine: &'s Machine<'s>,
    ctx: Context<'s>,
    cuts: CutGraph,
    tree: LabelledTree<'s>,
    runner: TestRunner<'s>,
}

impl<'s> Search<'s> {
    fn new(
        task: &'s Task,
        prepared: &'s Prepared,
        machine: &'s Machine<'s>,
        budget: &Budget,
    ) -> Self {
        let program = &prepared.program;
        let mut ctx = Context::new(program, budget);
        let cuts = CutGraph::new(&mut ctx, program.entry, &EncodingPrecision::default());
        Search {
            task,
            prepared,
            machine,
            tree: LabelledTree::new(&mut ctx, &cuts, task.journal.as_deref()),
            runner: TestRunner::new(machine, &cuts),
            ctx,
            cuts,
        }
    }

    /// The outcome, none when no leaf is open any more, or what must be described more precisely.
    fn run(&mut self) -> Result<Option<Outcome>, EncodingPrecision> {
        while let Some(vertex) = self.tree.next_open() {
            if let Err(limit) = self.ctx.budget.check() {
                let reason = Reason::new(limit.into(), "the budget ended");
                return Ok(Some(Outcome::Unknown(reason)));
            }
            let (ctx, cuts) = (&mut self.ctx, &self.cuts);
            if self.tree.try_cover(ctx, cuts, vertex) {
                continue;
            }
            if !self.tree.is_failing(cuts, vertex) {
                self.tree.expand(ctx, cuts, vertex);
            } else if let Some(outcome) = self.refine(vertex)? {
                return Ok(Some(outcome));
            }
        }
        Ok(None)
    }

    /// Describes more of the program, in place; whether any of it is new.
    fn refine_encoding(&mut self, needed: &EncodingPrecision) -> bool {
        let (ctx, cuts) = (&mut self.ctx, &mut self.cuts);
        let Some(renewed) = cuts.refine(ctx, needed, &|_, _| (None, None)) else {
            return false;
        };
        let why = "a path needs arithmetic that was described too simply";
        self.tree.renew(ctx, cuts, &renewed, why);
        self.runner = TestRunner::new(self.machine, cuts);
        true
    }

    /// Labels the path to an error, or shows that it can be run.
    fn refine(&mut self, vertex: VertexId) -> Result<Option<Outcome>, EncodingPrecision> {
        let (ctx, cuts) = (&mut self.ctx, &self.cuts);
        self.tree.go_to(ctx, cuts, vertex);
        let top = ctx.store.bool(true);
        match self.tree.check(ctx, top) {
            PathCheck::DeadEnd(labels) => {
                let path = self.tree.unwinding.path(vertex);
                self.tree.mark_leaf(vertex, Fate::DeadEnd);
                self.tree.refine(ctx, &path, &labels);
                self.tree.cover_path(ctx, cuts, &path);
            }
            PathCheck::Reached(model) => return self.test(vertex, &model),
            PathCheck::Unknown(why) => self.give_up(vertex, &why),
        }
        Ok(None)
    }

    /// Runs the path to an error with the inputs of a model.
    fn test(
        &mut self,
        vertex: VertexId,
        model: &Model,
    ) -> Result<Option<Outcome>, EncodingPrecision> {
        let path = self.tree.unwinding.blocks(vertex);
        let last = path.last().copied();
        if let Some(needed) = last.and_then(|block| needed_by_block(&self.cuts, block)) {
            return Err(needed);
        }
        let prefix = self.tree.paths.inputs(&self.ctx, &self.cuts, model, 0);
        let (budget, limits) = (&self.ctx.budget, test_limits(STEPS));
        let mut inputs = ModelInputs { prefix };
        let test = self.runner.run(&mut inputs, path.len(), &limits, budget);
        if let Ok(trace) = replay(&Machine::new(&self.task.program), &test.run.inputs, budget) {
            return Ok(Some(Outcome::Unsafe(trace)));
        }
        match needed_by_run(&self.cuts, &test.run) {
            Some(needed) => Err(needed),
            None => {
                self.give_up(vertex, "its formula allows more than the program does");
                Ok(None)
            }
        }
    }

    /// Leaves the path to an error undecided.
    fn give_up(&mut self, vertex: VertexId, why: &str) {
        let message = format!("a path to an error cannot be decided: {why}");
        let reason = Reason::new(ReasonKind::GaveUp, message);
        self.tree
            .mark_leaf(vertex, Fate::Undecided(Box::new(reason)));
    }

    /// No leaf is open any more: the labels are a proof, if no path was left undecided.
    fn complete(mut self) -> Outcome {
        if let Some((_, reason)) = self.tree.undecided() {
            return Outcome::Unknown(reason.clone());
        }
        let cuts = &self.cuts;
        let labels = self
            .tree
            .labels(&mut self.ctx, cuts, |ctx, at| cuts.in_range(ctx, at));
        match self.prepared.proof(self.ctx, labels) {
            Ok(proof) => Outcome::Safe(proof),
            Err(reason) => Outcome::Unknown(*reason),
        }
    }
}
