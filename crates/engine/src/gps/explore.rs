//! EXPLORE: tests from the end of a path, and what they add to the unwinding.

use super::directed::Directed;
use super::guide::{Guide, Summaries};
use super::search::{Ending, Search, SearchOutcome};
use absdom::Options;
use base::{Event, Span};
use certify::Trace;
use encode::Context;
use exec::{End, Run};
use kit::journal::Entry;
use kit::precision::{needed_by_block, needed_by_run};
use kit::test_runner::{Test, replay, test_limits};
use kit::unwinding::VertexId;
use program::expr::Constant;
use program::ir::SiteId;
use smt::Model;
use summary::{Level, LoopNestSummaries, ToError};

/// Steps of the first tests; more while tests reach the limit.
pub(super) const FIRST_STEPS: u64 = 1 << 14;
/// Unrecorded steps executed for each watched one.
const AHEAD: u64 = 64;
/// How many blocks of a test, beyond the path it starts from, enter the unwinding.
const KEPT: usize = 8;
/// The share of the effort for summaries with gas, in percent.
const FUELLING: u64 = 50;
/// The effort of the guide in a test, and while the summaries are still improving.
const ASKING: u64 = 2_000_000;
pub(super) const FIRST_ASKING: u64 = 60_000;
/// The effort of following the first run that is too long for the machine.
const LEAPING: u64 = 700_000;
/// How often the guide is queried in a test.
const QUESTIONS: usize = 4096;
/// How many other inputs are tried along a path to an error, where its formula over-approximates
/// the program.
const VARIATIONS: u64 = 16;
/// The strength of the summaries with gas: enough to relate progress to gas.
const WITH_GAS: Level = Level::Inequalities;

impl<'s> Search<'s> {
    /// Figure 4: runs a test from a reachable vertex, and adds the blocks it traversed.
    pub(super) fn explore(&mut self, vertex: VertexId, model: &Model) -> Option<Ending> {
        if let Some((_, block)) = self.tree.unwinding.vertex(vertex).parent
            && let Some(needed) = needed_by_block(&self.main.nest.cuts, block)
        {
            return Some(Ending::NeedsPrecision(needed));
        }
        if self.config.gas
            && self.summarise_with_gas()
            && let Some(ending) = self.test_from_root(vertex)
        {
            return Some(ending);
        }
        let test = match self.run_test(vertex, model, 0, ASKING) {
            Ok(test) => test,
            Err(ending) => return Some(ending),
        };
        let path = self.tree.unwinding.blocks(vertex);
        if test.blocks.get(..path.len()) != Some(&path[..]) {
            return self.on_divergence(vertex, &test.run, model);
        }
        if self.is_failing(vertex) {
            // The original program does not follow.
            return self.retry_or_leave(vertex, model);
        }
        let mut at = vertex;
        for &block in &test.blocks[path.len()..] {
            self.expand(at);
            match self.tree.unwinding.child(at, block) {
                Some(child) if !self.tree.unwinding.is_closed(child) => at = child,
                Some(_) | None => break,
            }
        }
        if at == vertex {
            self.expand(vertex);
        }
        None
    }

    /// Runs a test from the root, where new summaries may see further than those that directed
    /// the first one; then the search is at the vertex again.
    fn test_from_root(&mut self, vertex: VertexId) -> Option<Ending> {
        let root = self.tree.unwinding.root();
        if vertex == root {
            return None;
        }
        let ending = match self.reach(root) {
            Ok(Some(model)) => self.test(root, &model, ASKING),
            Ok(None) | Err(_) => None,
        };
        let main = &mut self.main;
        self.tree.go_to(&mut main.ctx, &main.nest.cuts, vertex);
        ending
    }

    /// Runs a test; returns the result of the search, if it ends it.
    pub(super) fn test(&mut self, vertex: VertexId, model: &Model, asking: u64) -> Option<Ending> {
        self.run_test(vertex, model, 0, asking).err()
    }

    /// Runs a test from a vertex, and further ahead if it is long. Inputs that the model does not
    /// determine are zero at first and something else in each variation.
    fn run_test(
        &mut self,
        vertex: VertexId,
        model: &Model,
        variation: u64,
        asking: u64,
    ) -> Result<Test, Ending> {
        let (ctx, cuts) = (&self.main.ctx, &self.main.nest.cuts);
        let path = self.tree.paths.inputs(ctx, cuts, model, variation);
        let kept = path.len() + KEPT;
        let budget = &self.budget.clone();
        let summaries = match &mut self.with_gas {
            Some(summaries) => summaries,
            None => &mut self.main,
        };
        let guide = self
            .config
            .summaries
            .then_some((&mut self.guide, summaries));
        let mut oracle = Directed {
            path,
            guide,
            questions: QUESTIONS,
            asking: &budget.clone().with_effort(asking),
            gas: None,
            choice: None,
        };
        let limits = test_limits(self.steps);
        let test = self.runner.run(&mut oracle, kept, &limits, budget);
        self.tests += 1;
        self.tree.note_test(vertex, &test.run);
        budget.report(Event::Progress {
            what: "tests",
            done: self.tests,
        });
        let (mut end, mut span) = (test.run.end.clone(), test.run.span);
        if matches!(end, End::OutOfBudget(_)) {
            let far = limits.steps.saturating_mul(AHEAD);
            let run = self
                .runner
                .run_on(&test.run.inputs, &test_limits(far), budget);
            (end, span) = (run.end, run.span);
            self.steps = self.steps.saturating_mul(2);
            if matches!(end, End::OutOfBudget(_))
                && self.config.leaps
                && let Some(trace) = self.leap(&test.run.inputs, asking)
            {
                return Err(SearchOutcome::Trace(trace).into());
            }
        }
        match &end {
            End::Violated(..) => {
                match replay(self.shared.given.machine, &test.run.inputs, budget) {
                    Ok(trace) => return Err(SearchOutcome::Trace(trace).into()),
                    Err(run) => self.meet_unconfirmed(&run)?,
                }
            }
            End::Unsupported(what) => self.note_obstacle(span, what.clone()),
            End::Undefined(undefined) => {
                let what = &undefined.message;
                self.note_obstacle(
                    span,
                    format!("undefined behaviour ends a test here: {what}"),
                );
            }
            End::Exited(_)
            | End::Aborted
            | End::Blocked
            | End::OutOfInputs
            | End::OutOfBudget(_) => {}
        }
        Ok(test)
    }

    /// Follows a run that is too long for the machine, by leaping over loop iterations. The first
    /// such run gets more effort early on than others: it is often the only one there is.
    fn leap(&self, inputs: &[(SiteId, Constant)], asking: u64) -> Option<Trace> {
        let mut leapt = self.shared.leapt.borrow_mut();
        if leapt.iter().any(|old| old == inputs) {
            return None;
        }
        let effort = match leapt.is_empty() {
            true => asking.max(LEAPING),
            false => asking,
        };
        if effort >= LEAPING {
            leapt.push(inputs.to_vec());
        }
        let budget = self.budget.clone().with_effort(effort);
        let trace = (self.shared.given.leap)(inputs, &budget);
        if trace.is_some() {
            let what = "with leaps over iterations of loops, the same test reaches an error";
            self.tree
                .note(|| Entry::Remark(what.to_owned(), Span::NONE));
        }
        trace
    }

    /// A run reaches an error, but not in the original program. If a removed undefined operation
    /// ends it there, this search is in vain: it is about a program that fails.
    fn meet_unconfirmed(&mut self, run: &Run) -> Result<(), Ending> {
        let why = match &run.end {
            End::Undefined(_) if !self.shared.prepared.has_undefined => {
                return Err(SearchOutcome::Removed.into());
            }
            End::Undefined(undefined) => {
                let what = &undefined.message;
                format!("a run that would fail meets undefined behaviour first: {what}")
            }
            other => format!("a run that seems to fail ends otherwise: {other:?}"),
        };
        self.note_obstacle(run.span, why);
        Ok(())
    }

    /// Tests with other inputs along a path to an error; without success it stays undecided.
    fn retry_or_leave(&mut self, vertex: VertexId, model: &Model) -> Option<Ending> {
        let found = self.retry_other_models(vertex, model);
        found.or_else(|| self.go_on_without(vertex, None))
    }

    /// Tests with other inputs along the path to a vertex: one of them may reach the error.
    fn retry_other_models(&mut self, vertex: VertexId, model: &Model) -> Option<Ending> {
        let (ctx, cuts) = (&mut self.main.ctx, &self.main.nest.cuts);
        let has_free = !self.tree.paths.free_inputs(ctx, cuts).is_empty();
        let mut model = model.clone();
        let mut others = Vec::new();
        for variation in 1..=VARIATIONS {
            let (ctx, cuts) = (&mut self.main.ctx, &self.main.nest.cuts);
            others.push(self.tree.paths.other_inputs(ctx, cuts, &model));
            let other = ctx.store.and(&others);
            match self.tree.paths.model(ctx, other) {
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

    fn note_obstacle(&mut self, span: Span, what: String) {
        self.met.entry(span).or_insert(what);
    }

    /// A test did not follow its path: the formulas over-approximate the program.
    fn on_divergence(&mut self, vertex: VertexId, run: &Run, model: &Model) -> Option<Ending> {
        if let Some(needed) = needed_by_run(&self.main.nest.cuts, run) {
            return Some(Ending::NeedsPrecision(needed));
        }
        let note = "a run leaves the path that its formula describes";
        self.note_obstacle(run.span, note.to_owned());
        if self.is_failing(vertex) {
            return self.retry_or_leave(vertex, model);
        }
        self.go_on_without(vertex, None)
    }

    /// Summarises the program with gas, unless that was done; returns whether it was done now. If
    /// all loops are summarised exactly, gas has nothing to add.
    pub(super) fn summarise_with_gas(&mut self) -> bool {
        let loops = self.main.nest.cuts.loops.loops.ids();
        let known = |id| self.main.nest.known_star(id).is_some_and(|star| star.exact);
        let is_exact = { loops }.all(known);
        if self.with_gas.is_some() || is_exact || !self.config.summaries {
            return false;
        }
        self.budget
            .report(Event::Phase("summarising loops with gas".to_owned()));
        let (program, gas) = self.shared.with_gas();
        let budget = self.budget.share(FUELLING);
        let invariants = self
            .config
            .invariants(program, &Options::default(), &budget);
        let mut ctx = Context::new(program, &budget);
        let precision = &self.main.nest.cuts.precision;
        let mut nest = LoopNestSummaries::new(&mut ctx, program.entry, invariants, precision);
        let mut to_error = ToError::with_style(&nest, WITH_GAS, self.shared.style);
        let entry = program.procs[program.entry].entry;
        to_error.prepare(&mut ctx, &mut nest, entry);
        ctx.budget = self.budget.clone();
        self.guide = Guide::with_gas(*gas);
        self.with_gas = Some(Summaries {
            ctx,
            nest,
            to_error,
        });
        true
    }
}
