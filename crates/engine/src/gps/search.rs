//! The search of figure 5: takes paths from the frontier, one by one.

use super::guide::{Guide, Summaries};
use super::{Config, SearchContext};
use crate::contract_prover::Called;
use crate::summary_prover::with_loops;
use base::{Budget, Event, Span};
use certify::{Checked, Proof, Reason, ReasonKind, Trace};
use encode::blocks::BlockEffect;
use encode::{Context, EncodingPrecision};
use kit::inexact::undecided;
use kit::labelled_tree::{LabelledTree, PathCheck};
use kit::labels::Labels;
use kit::precision::needed_by_block;
use kit::procedures::Procedures;
use kit::test_runner::TestRunner;
use kit::unwinding::{Fate, VertexId};
use logic::TermId;
use smt::Model;
use std::collections::BTreeMap;
use summary::{Level, LoopNestSummaries, ToError};

/// How a search, or a slice of it, ended.
pub(super) enum SearchOutcome {
    /// With a proof that was checked.
    Proof(Checked<Proof>),
    /// With labels for the loop heads, to be made into a proof.
    Labels(Labels),
    /// With a run to an error, replayed.
    Trace(Trace),
    /// At a run to an error that ends in undefined behaviour in the original program.
    Removed,
    /// With dead ends only, but without labels for all heads.
    NoLabels(Reason),
    /// Without a result.
    Nothing(Reason),
}

/// A search.
pub(super) struct Search<'s> {
    pub(super) shared: &'s SearchContext<'s>,
    pub(super) config: Config,
    /// The budget of this slice of the search.
    pub(super) budget: Budget,
    pub(super) main: Summaries<'s>,
    /// The procedures that are called, if any are.
    procedures: Option<Procedures>,
    /// The strength of the summaries, and what was not tried yet from the root.
    pub(super) level: Level,
    pub(super) untried: &'static [Level],
    /// The guide, and the program with gas that it uses, if that is another one.
    pub(super) guide: Guide,
    pub(super) with_gas: Option<Summaries<'s>>,
    pub(super) runner: TestRunner<'s>,
    pub(super) tree: LabelledTree<'s>,
    /// Steps that the next test may make.
    pub(super) steps: u64,
    pub(super) tests: u64,
    pub(super) dead_ends: u64,
    /// What ended tests before an error, with its location.
    pub(super) met: BTreeMap<Span, String>,
}

impl<'s> Search<'s> {
    /// The root alone, with the simplest encoding; calls by their contracts.
    pub(super) fn new(
        shared: &'s SearchContext<'s>,
        config: Config,
        called: Option<Called<'s>>,
    ) -> Self {
        let program = &shared.prepared.program;
        let (mut ctx, procedures) = match called {
            Some(called) => (called.ctx, Some(called.procedures)),
            None => (Context::new(program, shared.budget), None),
        };
        let precision = procedures.as_ref().map(|row| row.precision(&mut ctx));
        let (invariants, precision) = (shared.invariants.clone(), precision.unwrap_or_default());
        let nest = LoopNestSummaries::new(&mut ctx, program.entry, invariants, &precision);
        let level = config.first_level();
        Search {
            shared,
            config,
            procedures,
            budget: shared.budget.clone(),
            level,
            untried: Level::ALL,
            guide: Guide::default(),
            with_gas: None,
            runner: TestRunner::new(shared.machine, &nest.cuts),
            tree: LabelledTree::new(&mut ctx, &nest.cuts, shared.journal),
            steps: super::explore::FIRST_STEPS,
            tests: 0,
            dead_ends: 0,
            met: BTreeMap::new(),
            main: Summaries {
                to_error: ToError::with_style(&nest, level, shared.style),
                ctx,
                nest,
            },
        }
    }

    /// Continues the search for a slice of the effort; if it needs more precision, it refines the
    /// encoding and continues.
    pub(super) fn go_on(&mut self, slice: u64) -> SearchOutcome {
        self.budget = self.shared.budget.clone().with_effort(slice);
        self.main.ctx.budget = self.budget.clone();
        self.main.nest.forget_cut_short();
        if let Some(mut with_gas) = self.with_gas.take() {
            if with_gas.nest.forget_cut_short() {
                self.guide = Guide::default();
            } else {
                with_gas.ctx.budget = self.budget.clone();
                self.with_gas = Some(with_gas);
            }
        }
        loop {
            match self.run() {
                Ending::SearchOutcome(found) => return *found,
                Ending::NeedsPrecision(needed) => {
                    if !self.refine_encoding(&needed) {
                        let message = "a path leaves what the formulas describe again and again";
                        return SearchOutcome::Nothing(Reason::internal(message));
                    }
                }
            }
        }
    }

    /// The search of figure 5, unless summaries of the whole program decide first.
    fn run(&mut self) -> Ending {
        if self.config.summaries
            && self.config.summaries_first
            && let Some(ending) = self.summarise()
        {
            return ending;
        }
        self.report("searching");
        while let Some(vertex) = self.tree.next_open() {
            if let Err(limit) = self.budget.check() {
                self.tree.frontier.push_front(vertex);
                let reason = self.reason(limit.into(), "the budget ended", vertex);
                return SearchOutcome::Nothing(reason).into();
            }
            if self.config.covers && self.try_cover(vertex) {
                continue;
            }
            let ending = match self.check(vertex) {
                PathCheck::DeadEnd(labels) => {
                    self.dead_ends += 1;
                    self.tree.mark_leaf(vertex, Fate::DeadEnd);
                    self.refine(vertex, &labels);
                    None
                }
                PathCheck::Reached(model) => self.explore(vertex, &model),
                PathCheck::Unknown(why) => self.go_on_without(vertex, Some(&why)),
            };
            if let Some(ending) = ending {
                return ending;
            }
        }
        self.complete()
    }

    /// Encodes at once what leaves the encoding on the first step of a run: no proof can do without it.
    pub(super) fn describe_start(&mut self) {
        let Summaries { ctx, nest, .. } = &mut self.main;
        let entry = ctx.program.procs[nest.cuts.proc].entry;
        let top = ctx.store.bool(true);
        let mut needed = EncodingPrecision::default();
        for &block in &nest.cuts.graph.outgoing[entry] {
            let Some(outside) = needed_by_block(&nest.cuts, block) else {
                continue;
            };
            self.tree.paths.go_to(ctx, &nest.cuts, &[block]);
            if let Ok(Some(_)) = self.tree.paths.model(ctx, top) {
                needed.extend(&outside);
            }
        }
        self.refine_encoding(&needed);
    }

    /// Refines the encoding, in place; returns whether any of it is new. Summaries start again with
    /// the cheapest.
    fn refine_encoding(&mut self, needed: &EncodingPrecision) -> bool {
        let Summaries { ctx, nest, .. } = &mut self.main;
        let Some(renewed) = nest.refine(ctx, needed) else {
            return false;
        };
        let why = "a path needs arithmetic that was described too simply";
        self.tree.renew(ctx, &nest.cuts, &renewed, why);
        self.runner = TestRunner::new(self.shared.machine, &nest.cuts);
        self.untried = Level::ALL;
        self.with_gas = None;
        self.set_level(self.config.first_level());
        true
    }

    /// Changes the strength of summaries from now on.
    pub(super) fn set_level(&mut self, level: Level) {
        self.level = level;
        if self.with_gas.is_none() {
            self.guide = Guide::default();
        }
        self.main.to_error = ToError::with_style(&self.main.nest, level, self.shared.style);
    }

    /// Continues without summaries: leaves that were dead ends because of them are reopened.
    pub(super) fn drop_summaries(&mut self) {
        self.config.summaries = false;
        let main = &self.main;
        self.tree.reopen(&main.ctx, &main.nest.cuts);
    }

    /// The proof made of labels, checked.
    pub(super) fn prove(mut self, labels: Labels) -> Result<Checked<Proof>, Reason> {
        let SearchContext {
            prepared,
            original,
            budget,
            ..
        } = self.shared;
        let procedures = match &mut self.procedures {
            Some(procedures) => procedures.labels(&mut self.main.ctx, prepared),
            None => Ok(BTreeMap::new()),
        };
        let procedures = procedures.map_err(Reason::gave_up)?;
        let proof = prepared.proof_by_contracts(self.main.ctx, labels, &procedures);
        let proof = proof.map_err(|reason| *reason)?;
        let checked = proof.checked(original, budget);
        checked.map_err(|error| certify::refused(&error, budget))
    }

    /// What must hold at a vertex for an error to be reached from there.
    fn rest(&mut self, vertex: VertexId) -> TermId {
        let row = self.tree.unwinding.vertex(vertex);
        let (at, depth) = (row.at, row.depth);
        if !self.config.summaries || self.is_failing(vertex) {
            return self.main.ctx.store.bool(true);
        }
        let Summaries {
            ctx,
            nest,
            to_error,
        } = &mut self.main;
        let (formula, symbols) = to_error.at(ctx, nest, at);
        let mut parts = vec![formula];
        for (var, symbol) in symbols {
            let value = ctx.store.of_symbol(self.tree.paths.symbol(depth, var));
            parts.push(ctx.store.eq(symbol, value));
        }
        ctx.store.and(&parts)
    }

    /// A model in which a vertex is reached and an error may be reached from there.
    pub(super) fn reach(&mut self, vertex: VertexId) -> Result<Option<Model>, String> {
        let rest = self.go_to(vertex);
        self.tree.paths.model(&self.main.ctx, rest)
    }

    /// `Check` of the paper: the path to a vertex and then the summary.
    fn check(&mut self, vertex: VertexId) -> PathCheck {
        let rest = self.go_to(vertex);
        self.tree.check(&mut self.main.ctx, rest)
    }

    /// Moves to the end of the path to a vertex; returns what must hold there.
    fn go_to(&mut self, vertex: VertexId) -> TermId {
        let main = &mut self.main;
        self.tree.go_to(&mut main.ctx, &main.nest.cuts, vertex);
        self.rest(vertex)
    }

    pub(super) fn try_cover(&mut self, vertex: VertexId) -> bool {
        let main = &mut self.main;
        self.tree.try_cover(&mut main.ctx, &main.nest.cuts, vertex)
    }

    /// Labels the path to a vertex.
    fn refine(&mut self, vertex: VertexId, labels: &[TermId]) {
        let path = self.tree.unwinding.path(vertex);
        let main = &mut self.main;
        self.tree.refine(&mut main.ctx, &path, labels);
        if self.config.covers {
            self.tree.cover_path(&mut main.ctx, &main.nest.cuts, &path);
        }
    }

    pub(super) fn is_failing(&self, vertex: VertexId) -> bool {
        self.tree.is_failing(&self.main.nest.cuts, vertex)
    }

    pub(super) fn expand(&mut self, vertex: VertexId) {
        self.tree
            .expand(&self.main.ctx, &self.main.nest.cuts, vertex);
    }

    /// Continues where the solver cannot decide the path: below the vertex, if there is more. `why`
    /// is what the solver says, unless it has a model that no run follows.
    pub(super) fn go_on_without(&mut self, vertex: VertexId, why: Option<&str>) -> Option<Ending> {
        if self.budget.check().is_err() {
            // The slice is spent: the next one may decide it.
            self.tree.frontier.push_front(vertex);
        } else if self.is_failing(vertex) {
            let reason = self.undecided(vertex, why);
            self.tree.leave_undecided(vertex, reason);
        } else {
            self.expand(vertex);
        }
        None
    }

    /// Why it is unknown whether there is a path to an error; in a called procedure, the cause may
    /// be a construct without a formula there.
    fn undecided(&self, vertex: VertexId, why: Option<&str>) -> Reason {
        let parent = self.tree.unwinding.vertex(vertex).parent;
        let block = parent.map(|(_, block)| self.main.nest.cuts.block(block));
        let is_below = block.is_some_and(|row| matches!(row.step, BlockEffect::CalleeFails(_)));
        let procedures = self.procedures.as_ref().filter(|_| is_below);
        let opaque = procedures.and_then(|row| row.opaque());
        if let Some(opaque) = opaque {
            return opaque.clone();
        }
        let Some(why) = why else {
            let blocks = self.tree.unwinding.blocks(vertex);
            return undecided(self.main.ctx.program, &self.main.nest.cuts, &blocks);
        };
        let message = format!("a path to an error cannot be decided: {why}");
        let span = block.map_or(Span::NONE, |row| row.span);
        Reason::gave_up(message).at(span)
    }

    /// Why there is no answer: where the search was, and how far it had come.
    pub(super) fn reason(&self, kind: ReasonKind, message: &str, vertex: VertexId) -> Reason {
        let (ctx, cuts) = (&self.main.ctx, &self.main.nest.cuts);
        let kind = match self.shared.budget.check() {
            Ok(()) => kind,
            Err(limit) => limit.into(),
        };
        let reason = Reason::new(kind, message);
        let mut reason = self.tree.reason_at(cuts, ctx.program, vertex, reason);
        let note = format!(
            "tried: tests {}, vertices {} ({} kB), dead ends {}, covers {}; paths left {}",
            self.tests,
            self.tree.unwinding.count(),
            self.tree.unwinding.bytes().div_ceil(1024),
            self.dead_ends,
            self.tree.unwinding.covers(),
            self.tree.frontier.len()
        );
        reason = reason.note(Span::NONE, note);
        if self.config.summaries {
            reason = with_loops(ctx, &self.main.nest, reason);
        }
        for (&span, what) in &self.met {
            reason = reason.note(span, what.clone());
        }
        reason
    }

    pub(super) fn report(&self, phase: &str) {
        self.budget.report(Event::Phase(phase.to_owned()));
    }
}

/// How a search ends, or where the encoding must be refined for it to continue.
pub(super) enum Ending {
    SearchOutcome(Box<SearchOutcome>),
    NeedsPrecision(EncodingPrecision),
}

impl From<SearchOutcome> for Ending {
    fn from(found: SearchOutcome) -> Ending {
        Ending::SearchOutcome(Box::new(found))
    }
}
