//! The search of figure 5: from the frontier, path by path.

use super::guide::{Guide, Summaries};
use super::{Config, SearchContext};
use base::{Budget, Event, Span};
use certify::{Proof, Reason, ReasonKind, Trace};
use encode::{Context, EncodingPrecision};
use kit::labelled_tree::{LabelledTree, PathCheck};
use kit::path_solver::limited;
use kit::test_runner::TestRunner;
use kit::unwinding::{Fate, VertexId};
use logic::TermId;
use program::ir::LocationId;
use smt::Model;
use std::collections::BTreeMap;
use summary::{Level, LoopNestSummaries, ToError};

/// How a search ended.
pub(super) enum Found {
    /// With labels for the loop heads, not checked yet.
    Proof(Proof),
    /// With a run to an error, replayed.
    Trace(Trace),
    /// At a run to an error that ends in undefined behaviour in the program as it was given.
    Removed,
    /// With dead ends only, but without labels for all heads.
    NoLabels(Reason),
    /// With nothing.
    Nothing(Reason),
}

/// A search.
pub(super) struct Search<'s> {
    pub(super) shared: &'s SearchContext<'s>,
    pub(super) config: Config,
    pub(super) precision: &'s EncodingPrecision,
    /// For this search.
    pub(super) budget: Budget,
    pub(super) main: Summaries<'s>,
    pub(super) level: Level,
    /// The guide, and the program with gas that it looks at, if that is another one.
    pub(super) guide: Guide,
    pub(super) with_gas: Option<Summaries<'s>>,
    pub(super) runner: TestRunner<'s>,
    pub(super) tree: LabelledTree<'s>,
    /// Steps that the next test may make.
    pub(super) steps: u64,
    pub(super) tests: u64,
    pub(super) dead_ends: u64,
    /// What tests met that ended them before an error, with its place.
    pub(super) met: BTreeMap<Span, String>,
}

impl<'s> Search<'s> {
    pub(super) fn new(
        shared: &'s SearchContext<'s>,
        config: Config,
        precision: &'s EncodingPrecision,
        budget: Budget,
        (mut ctx, nest): (Context<'s>, LoopNestSummaries),
    ) -> Self {
        let level = match config.summaries_first {
            true => Level::ALL[0],
            false => Level::ALL[Level::ALL.len() - 1],
        };
        Search {
            shared,
            config,
            precision,
            budget,
            level,
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

    /// The search of figure 5, if summaries of the whole do not decide first; or what must be
    /// described more precisely.
    pub(super) fn run(mut self) -> Result<Found, EncodingPrecision> {
        if self.config.summaries
            && self.config.summaries_first
            && let Some(found) = self.summarise()
        {
            return self.finish(found);
        }
        self.report("searching");
        while let Some(vertex) = self.tree.next_open() {
            if let Err(limit) = self.budget.check() {
                return Ok(Found::Nothing(self.reason(
                    limit.into(),
                    "the budget ended",
                    vertex,
                )));
            }
            if self.config.covers && self.try_cover(vertex) {
                continue;
            }
            let found = match self.check(vertex) {
                PathCheck::DeadEnd(labels) => {
                    self.dead_ends += 1;
                    self.tree.mark_leaf(vertex, Fate::DeadEnd);
                    self.refine(vertex, &labels);
                    None
                }
                PathCheck::Reached(model) => self.explore(vertex, &model),
                PathCheck::Unknown(why) => self.go_on_without(vertex, &why),
            };
            if let Some(found) = found {
                return self.finish(found);
            }
        }
        let ending = self.complete();
        self.finish(ending)
    }

    fn finish(self, ending: Ending) -> Result<Found, EncodingPrecision> {
        match ending {
            Ending::Found(found) => Ok(*found),
            Ending::NeedsPrecision(needed) => Err(needed),
            Ending::Labels(labels) => match self.shared.prepared.proof(self.main.ctx, labels) {
                Ok(proof) => Ok(Found::Proof(proof)),
                Err(reason) => Ok(Found::Nothing(*reason)),
            },
        }
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
        let budget = limited(&self.main.ctx.budget);
        self.tree.paths.model(&self.main.ctx, rest, &budget)
    }

    /// `Check` of the paper: the path to a vertex and then the summary.
    fn check(&mut self, vertex: VertexId) -> PathCheck {
        let rest = self.go_to(vertex);
        self.tree.check(&mut self.main.ctx, rest)
    }

    /// Goes to the end of the path to a vertex; what must hold there is the result.
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

    /// Goes on where it is not known whether there is a way: below the vertex, if there is more.
    pub(super) fn go_on_without(&mut self, vertex: VertexId, why: &str) -> Option<Ending> {
        if self.is_failing(vertex) {
            let parent = self.tree.unwinding.vertex(vertex).parent;
            let span = parent.map_or(Span::NONE, |(_, block)| {
                self.main.nest.cuts.graph.blocks[block].span
            });
            let message = format!("a path to an error cannot be decided: {why}");
            let reason = Reason::new(ReasonKind::GaveUp, message).at(span);
            self.tree
                .mark_leaf(vertex, Fate::Undecided(Box::new(reason)));
        } else {
            self.expand(vertex);
        }
        None
    }

    pub(super) fn report(&self, phase: &str) {
        self.budget.report(Event::Phase(phase.to_owned()));
    }
}

/// How a search ends: perhaps with labels, of which a proof is to be made, or at a path where the
/// program must be described more precisely.
pub(super) enum Ending {
    Found(Box<Found>),
    NeedsPrecision(EncodingPrecision),
    Labels(BTreeMap<LocationId, TermId>),
}

impl From<Found> for Ending {
    fn from(found: Found) -> Ending {
        Ending::Found(Box::new(found))
    }
}
