//! The search: expand, cover, refine, until the unwinding is safe and complete.

use super::Question;
use crate::Blocks;
use crate::contract_prover::Called;
use absdom::Invariants;
use base::{Event, Span};
use certify::{Outcome, Reason, ReasonKind, Trace};
use encode::{Context, EncodingPrecision, Renewed};
use exec::{End, Machine};
use kit::inexact::undecided;
use kit::labelled_tree::{LabelledTree, Order, PathCheck};
use kit::precision::{needed_by_block, needed_by_run};
use kit::prepared::Removed;
use kit::procedures::Procedures;
use kit::test_runner::{ModelInputs, TestRunner, replay, test_limits};
use kit::unwinding::{Fate, VertexId};
use program::ir::LocationId;
use smt::Model;
use std::collections::{BTreeMap, BTreeSet};
use summary::LoopNestSummaries;

/// The steps of a test.
const STEPS: u64 = 1 << 20;
/// How many inputs are tried along a path to an error.
const VARIATIONS: u64 = 16;

/// How a search ends, or where the encoding must be refined for it to continue.
enum Ending {
    Trace(Trace),
    /// At a run to an error that ends in undefined behaviour in the original program.
    Removed,
    OutOfBudget(Reason),
    NeedsPrecision(EncodingPrecision),
}

/// An unwinding of the program, encoded as precisely as its paths have needed so far.
pub(super) struct Search<'s> {
    question: &'s Question<'s>,
    machine: &'s Machine<'s>,
    ctx: Context<'s>,
    /// The graph of blocks, and what is known at its locations.
    nest: LoopNestSummaries,
    /// The procedures that are called, if any are.
    procedures: Option<Procedures>,
    tree: LabelledTree<'s>,
    runner: TestRunner<'s>,
}

impl<'s> Search<'s> {
    /// The root alone, with the simplest encoding; calls by their contracts.
    pub(super) fn new(
        question: &'s Question<'s>,
        machine: &'s Machine<'s>,
        invariants: Invariants,
        called: Option<Called<'s>>,
    ) -> Self {
        let program = &question.prepared.program;
        let (mut ctx, procedures) = match called {
            Some(called) => (called.ctx, Some(called.procedures)),
            None => (Context::new(program, question.budget), None),
        };
        ctx.budget = question.budget.clone();
        let precision = procedures.as_ref().map(|row| row.precision(&mut ctx));
        let precision = EncodingPrecision {
            each_edge: question.task.options.blocks == Blocks::Edge,
            ..precision.unwrap_or_default()
        };
        let nest = LoopNestSummaries::new(&mut ctx, program.entry, invariants, &precision);
        let mut search = Search {
            question,
            machine,
            procedures,
            tree: LabelledTree::new(&mut ctx, &nest.cuts, question.task.journal.as_deref()),
            runner: TestRunner::new(machine, &nest.cuts),
            ctx,
            nest,
        };
        search.tree.order = Order::Newest;
        let heads = search.nest.cuts.heads().collect();
        search.assume_invariants(&heads);
        search
    }

    /// Restricts steps from loop heads to states that the invariants admit.
    fn assume_invariants(&mut self, sources: &BTreeSet<LocationId>) {
        if !self.question.task.options.invariants {
            return;
        }
        let heads = self.nest.cuts.heads().filter(|at| sources.contains(at));
        for head in heads.collect::<BTreeSet<_>>() {
            let invariant = self.nest.invariant(&mut self.ctx, head);
            let graph = &mut self.nest.cuts.graph;
            for &block in &graph.outgoing[head] {
                if let Some(step) = graph.blocks[block].step.formula_mut() {
                    *step = self.ctx.assuming(step, invariant);
                }
            }
        }
    }

    /// The outcome; a proof is not checked yet.
    pub(super) fn decide(mut self) -> Result<Outcome, Removed> {
        self.ctx.budget.report(Event::Phase("searching".to_owned()));
        loop {
            match self.run() {
                Ok(()) => return Ok(self.complete()),
                Err(Ending::Trace(trace)) => return Ok(Outcome::Unsafe(trace)),
                Err(Ending::Removed) => return Err(Removed),
                Err(Ending::OutOfBudget(reason)) => return Ok(Outcome::Unknown(reason)),
                Err(Ending::NeedsPrecision(needed)) if self.refine_encoding(&needed) => {}
                Err(Ending::NeedsPrecision(_)) => {
                    let message = "a path leaves what the formulas describe again and again";
                    return Ok(Outcome::Unknown(Reason::internal(message)));
                }
            }
        }
    }

    /// Runs until no leaf is open.
    fn run(&mut self) -> Result<(), Ending> {
        while let Some(vertex) = self.tree.next_open() {
            if let Err(limit) = self.ctx.budget.check() {
                let reason = self.reason(limit.into(), "the budget ended", vertex);
                return Err(Ending::OutOfBudget(reason));
            }
            let (ctx, cuts) = (&mut self.ctx, &self.nest.cuts);
            if self.tree.close(ctx, cuts, vertex) {
                continue;
            }
            if self.tree.is_failing(cuts, vertex) {
                self.refine(vertex)?;
            } else {
                self.tree.expand(ctx, cuts, vertex);
            }
        }
        Ok(())
    }

    /// Labels the path to an error, or shows that it is feasible.
    fn refine(&mut self, vertex: VertexId) -> Result<(), Ending> {
        let (ctx, cuts) = (&mut self.ctx, &self.nest.cuts);
        self.tree.go_to(ctx, cuts, vertex);
        let top = ctx.store.bool(true);
        match self.tree.check(ctx, top) {
            PathCheck::DeadEnd(labels) => {
                let path = self.tree.unwinding.path(vertex);
                self.tree.mark_leaf(vertex, Fate::DeadEnd);
                self.tree.refine(ctx, &path, &labels);
                self.tree.cover_path(ctx, cuts, &path);
            }
            PathCheck::Reached(model) => self.test(vertex, model)?,
            PathCheck::Unknown(why) => self.tree.give_up(cuts, vertex, &why),
        }
        Ok(())
    }

    /// Runs the path to an error with the inputs of a model, and of others if it leads elsewhere.
    fn test(&mut self, vertex: VertexId, mut model: Model) -> Result<(), Ending> {
        let cuts = &self.nest.cuts;
        let parent = self.tree.unwinding.vertex(vertex).parent;
        if let Some(needed) = parent.and_then(|(_, block)| needed_by_block(cuts, block)) {
            return Err(Ending::NeedsPrecision(needed));
        }
        let has_free = !self.tree.paths.free_inputs(&self.ctx, cuts).is_empty();
        let mut others = Vec::new();
        for variation in 0..VARIATIONS {
            self.run_test(vertex, &model, variation)?;
            let (ctx, cuts) = (&mut self.ctx, &self.nest.cuts);
            others.push(self.tree.paths.other_inputs(ctx, cuts, &model));
            let other = ctx.store.and(&others);
            match self.tree.paths.model(ctx, other) {
                Ok(Some(found)) => model = found,
                Ok(None) | Err(_) if has_free => drop(others.pop()),
                Ok(None) | Err(_) => break,
            }
        }
        let blocks = self.tree.unwinding.blocks(vertex);
        let reason = undecided(&self.question.prepared.program, &self.nest.cuts, &blocks);
        self.tree.leave_undecided(vertex, reason);
        Ok(())
    }

    /// Runs one test; returns the result of the search, if it ends it.
    fn run_test(&mut self, vertex: VertexId, model: &Model, variation: u64) -> Result<(), Ending> {
        let (ctx, cuts) = (&self.ctx, &self.nest.cuts);
        let prefix = self.tree.paths.inputs(ctx, cuts, model, variation);
        let (kept, limits) = (prefix.len(), test_limits(STEPS));
        let mut inputs = ModelInputs { prefix };
        let test = self.runner.run(&mut inputs, kept, &limits, &ctx.budget);
        let run = test.run;
        self.tree.note_test(vertex, &run);
        if let End::Violated(..) = run.end {
            let given = Machine::new(&self.question.task.program);
            match replay(&given, &run.inputs, &ctx.budget) {
                Ok(trace) => return Err(Ending::Trace(trace)),
                Err(run) => {
                    let is_undefined = matches!(run.end, End::Undefined(_));
                    if is_undefined && !self.question.prepared.has_undefined {
                        return Err(Ending::Removed);
                    }
                }
            }
        }
        match needed_by_run(cuts, &run) {
            Some(needed) => Err(Ending::NeedsPrecision(needed)),
            None => Ok(()),
        }
    }

    /// Refines the encoding, in place; returns whether any of it is new.
    fn refine_encoding(&mut self, needed: &EncodingPrecision) -> bool {
        let ctx = &mut self.ctx;
        let Some(renewed) = self.nest.refine(ctx, needed) else {
            return false;
        };
        let Renewed { sources, .. } = &renewed;
        self.assume_invariants(sources);
        let (ctx, cuts) = (&mut self.ctx, &self.nest.cuts);
        let why = "a path needs arithmetic that was described too simply";
        self.tree.renew(ctx, cuts, &renewed, why);
        self.runner = TestRunner::new(self.machine, cuts);
        true
    }

    /// No leaf is open: the labels are a proof, if no path was left undecided.
    fn complete(mut self) -> Outcome {
        if let Some((vertex, reason)) = self.tree.undecided() {
            let mut reason = reason.clone();
            let more = self.reason(ReasonKind::GaveUp, "", vertex);
            reason.notes.extend(more.notes);
            return Outcome::Unknown(reason);
        }
        let (ctx, nest) = (&mut self.ctx, &self.nest);
        let labels = self
            .tree
            .labels(ctx, &nest.cuts, |ctx, at| nest.invariant(ctx, at));
        let prepared = self.question.prepared;
        let procedures = match &mut self.procedures {
            Some(procedures) => procedures.labels(ctx, prepared),
            None => Ok(BTreeMap::new()),
        };
        let proof = match procedures {
            Ok(procedures) => prepared.proof_by_contracts(self.ctx, labels, &procedures),
            Err(why) => Err(Box::new(Reason::gave_up(why))),
        };
        proof.map_or_else(|reason| Outcome::Unknown(*reason), Outcome::Safe)
    }

    /// Why there is no answer: where the search was, and how far it had come.
    fn reason(&self, kind: ReasonKind, message: &str, vertex: VertexId) -> Reason {
        let tree = &self.tree.unwinding;
        let (cuts, program) = (&self.nest.cuts, self.ctx.program);
        let reason = Reason::new(kind, message);
        let reason = self.tree.reason_at(cuts, program, vertex, reason);
        let note = format!(
            "tried: vertices {} ({} kB), covers {}; paths left {}",
            tree.count(),
            tree.bytes().div_ceil(1024),
            tree.covers(),
            self.tree.frontier.len()
        );
        reason.note(Span::NONE, note)
    }
}
