//! The search of figure 5: from the frontier, path by path.

use super::guide::{Guide, Summaries};
use super::test_run::Tester;
use super::{Arena, Config};
use base::{Budget, Event, Span};
use certify::{Proof, Reason, ReasonKind, Trace};
use encode::blocks::Step;
use encode::{Context, EncodingPrecision};
use interpolate::{Interpolation, Interpolator, Layers};
use kit::path_solver::PathSolver;
use kit::unwinding::{Fate, Unwinding, VertexId};
use logic::TermId;
use program::ir::{Callee, LocationId, Op};
use prover::Shape;
use smt::Model;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;
use summary::{Level, LoopNestSummaries, ToError};

/// How long one question about a path may take.
const EACH: Duration = Duration::from_secs(5);

/// How a search ended.
pub(super) enum Found {
    /// With labels for the loop heads, not checked yet.
    Proof(Proof),
    /// With a run to an error, replayed.
    Trace(Trace),
    /// At a path where the program must be described more precisely.
    TooSimple(EncodingPrecision),
    /// At a run to an error that ends in undefined behaviour in the program as it was given.
    Removed,
    /// With dead ends only, but without labels for all heads.
    NoLabels(Reason),
    /// With nothing.
    Nothing(Reason),
}

/// What a question about a path has for an answer.
enum Check {
    /// No error is reached from its end: what holds after each of its blocks, from the root on.
    DeadEnd(Vec<TermId>),
    /// Its end is reached in this model.
    Reached(Model),
    /// Nobody knows.
    Unknown(String),
}

/// A search.
pub(super) struct Search<'s> {
    pub(super) arena: &'s Arena<'s>,
    pub(super) config: Config,
    pub(super) precision: &'s EncodingPrecision,
    /// The time for this search.
    pub(super) budget: Budget,
    pub(super) main: Summaries<'s>,
    pub(super) level: Level,
    /// The guide, and the program with gas that it looks at, if that is another one.
    pub(super) guide: Guide,
    pub(super) with_gas: Option<Summaries<'s>>,
    pub(super) tester: Tester<'s>,
    pub(super) paths: PathSolver<'s>,
    pub(super) interpolator: Interpolator,
    pub(super) unwinding: Unwinding,
    pub(super) frontier: VecDeque<VertexId>,
    /// Steps that the next test may make.
    pub(super) steps: u64,
    pub(super) tests: u64,
    pub(super) dead_ends: u64,
    /// What tests met that ended them before an error, with its place.
    pub(super) met: BTreeMap<Span, String>,
}

impl<'s> Search<'s> {
    pub(super) fn new(
        arena: &'s Arena<'s>,
        config: Config,
        precision: &'s EncodingPrecision,
        budget: Budget,
        (mut ctx, nest): (Context<'s>, LoopNestSummaries),
    ) -> Self {
        let program = &arena.prepared.program;
        let level = Level::ALL[0];
        Search {
            arena,
            config,
            precision,
            budget,
            level,
            guide: Guide::default(),
            with_gas: None,
            tester: Tester::new(arena.machine, &nest),
            paths: PathSolver::new(&mut ctx, &nest.cuts),
            interpolator: Interpolator::new(Layers::ALL),
            unwinding: Unwinding::new(program.procs[nest.cuts.proc].entry),
            frontier: VecDeque::new(),
            steps: super::explore::FIRST_STEPS,
            tests: 0,
            dead_ends: 0,
            met: BTreeMap::new(),
            main: Summaries {
                to_error: ToError::new(&nest, level),
                ctx,
                nest,
            },
        }
    }

    /// The search: first from the root with better and better summaries, then from the frontier.
    pub(super) fn run(mut self) -> Found {
        if self.config.summaries
            && let Some(found) = self.summarise()
        {
            return self.finish(found);
        }
        self.report("searching");
        self.frontier.push_back(self.unwinding.root());
        while let Some(vertex) = self.frontier.pop_front() {
            if let Err(limit) = self.budget.check() {
                return Found::Nothing(self.reason(limit.into(), "the budget ended", vertex));
            }
            if !self.unwinding.is_active(vertex) || self.is_settled(vertex) {
                continue;
            }
            if self.config.covers && self.try_cover(vertex) {
                continue;
            }
            let found = match self.check(vertex) {
                Check::DeadEnd(labels) => {
                    self.dead_ends += 1;
                    self.close(vertex, Fate::DeadEnd);
                    self.refine(&self.unwinding.path(vertex), &labels);
                    None
                }
                Check::Reached(model) => self.explore(vertex, &model),
                Check::Unknown(why) => self.go_on_without(vertex, &why),
            };
            if let Some(found) = found {
                return self.finish(found);
            }
        }
        self.complete()
    }

    pub(super) fn finish(self, found: Ending) -> Found {
        match found {
            Ending::Found(found) => *found,
            Ending::Labels(labels) => match self.arena.prepared.proof(self.main.ctx, labels) {
                Ok(proof) => Found::Proof(proof),
                Err(reason) => Found::Nothing(*reason),
            },
        }
    }

    fn is_settled(&self, vertex: VertexId) -> bool {
        self.unwinding.vertex(vertex).fate != Fate::Open
    }

    /// What must hold at a vertex for an error to be reached from there.
    fn rest(&mut self, vertex: VertexId) -> TermId {
        let row = self.unwinding.vertex(vertex);
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
            let value = ctx.store.of_symbol(self.paths.symbol(depth, var));
            parts.push(ctx.store.eq(symbol, value));
        }
        ctx.store.and(&parts)
    }

    /// Whether a vertex is at an error, or where something wraps that is not described.
    pub(super) fn is_failing(&self, vertex: VertexId) -> bool {
        let row = self.unwinding.vertex(vertex);
        let escapes = row.parent.is_some_and(|(_, block)| {
            let step = &self.main.nest.cuts.graph.blocks[block].step;
            matches!(step, Step::OutsideEncoding(_))
        });
        escapes || self.main.nest.cuts.errors.contains(&row.at)
    }

    /// A model in which a vertex is reached and an error may be reached from there.
    pub(super) fn reach(&mut self, vertex: VertexId) -> Result<Option<Model>, String> {
        let path = self.unwinding.blocks(vertex);
        self.paths
            .go_to(&mut self.main.ctx, &self.main.nest.cuts, &path);
        let rest = self.rest(vertex);
        let budget = limited(&self.main.ctx.budget);
        self.paths.model(&self.main.ctx, rest, &budget)
    }

    /// `Check` of the paper: the path to a vertex and then the summary.
    fn check(&mut self, vertex: VertexId) -> Check {
        match self.reach(vertex) {
            Ok(Some(model)) => Check::Reached(model),
            Err(why) => Check::Unknown(why),
            Ok(None) => {
                let mut parts = self.paths.parts().to_vec();
                parts.push(self.rest(vertex));
                match self.interpolate(&parts, 0) {
                    Ok(labels) => Check::DeadEnd(labels),
                    Err(why) => Check::Unknown(why),
                }
            }
        }
    }

    /// Interpolants of inconsistent parts, over the state; the first is for the vertex at a depth
    /// of the current path.
    pub(super) fn interpolate(
        &mut self,
        parts: &[TermId],
        depth: usize,
    ) -> Result<Vec<TermId>, String> {
        let ctx = &mut self.main.ctx;
        let budget = limited(&ctx.budget);
        let shape = Shape::sequence(parts.len());
        let found = self
            .interpolator
            .interpolate(&mut ctx.store, parts, &shape, &budget);
        let found = match found {
            Interpolation::Interpolants(found) => found,
            Interpolation::Consistent(_) => return Err("solvers do not agree".to_owned()),
            Interpolation::Unknown(why) => return Err(why),
        };
        let mut labels = Vec::new();
        for (index, interpolant) in found.into_iter().enumerate() {
            let label = self.paths.to_state(ctx, depth + index, interpolant);
            labels.push(label.ok_or("an interpolant is not about the state")?);
        }
        Ok(labels)
    }

    /// Goes on where nobody knows whether there is a way: below the vertex, if there is more.
    pub(super) fn go_on_without(&mut self, vertex: VertexId, why: &str) -> Option<Ending> {
        if self.is_failing(vertex) {
            let parent = self.unwinding.vertex(vertex).parent;
            let span = parent.map_or(Span::NONE, |(_, block)| {
                self.main.nest.cuts.graph.blocks[block].span
            });
            let message = format!("a path to an error cannot be decided: {why}");
            let reason = Reason::new(ReasonKind::GaveUp, message).at(span);
            self.close(vertex, Fate::Stuck(Box::new(reason)));
        } else {
            self.expand(vertex);
        }
        None
    }

    /// Gives a vertex its children; those that matter go to the frontier, failing ones first.
    pub(super) fn expand(&mut self, vertex: VertexId) {
        let at = self.unwinding.vertex(vertex).at;
        let nest = &self.main.nest;
        let targets: Vec<_> = nest.cuts.graph.outgoing[at]
            .iter()
            .map(|&block| (block, nest.cuts.graph.blocks[block].target))
            .collect();
        let children = self.unwinding.expand(vertex, &targets);
        self.note_children(vertex, &children);
        let (failing, others): (Vec<VertexId>, Vec<VertexId>) =
            children.into_iter().partition(|&id| self.is_failing(id));
        for child in failing.into_iter().chain(others) {
            if let Some(reason) = self.opaque(child) {
                self.close(child, Fate::Stuck(Box::new(reason)));
            } else if self.is_over(child) {
                self.close(child, Fate::DeadEnd);
            } else {
                self.frontier.push_back(child);
            }
        }
    }

    fn close(&mut self, vertex: VertexId, fate: Fate) {
        self.unwinding.close(vertex, fate);
        self.note_fate(vertex);
    }

    /// Why nothing is known behind the block to a vertex, if that is so.
    fn opaque(&self, vertex: VertexId) -> Option<Reason> {
        let (_, block) = self.unwinding.vertex(vertex).parent?;
        let block = &self.main.nest.cuts.graph.blocks[block];
        let Step::Opaque(edge) = block.step else {
            return None;
        };
        let program = self.main.ctx.program;
        let what = match &program.procs[self.main.nest.cuts.proc].edges[edge].op {
            Op::Call(call) => match call.callee {
                Callee::Proc(proc) => format!("a call of `{}`", program.procs[proc].name),
                Callee::Pointer(_) => "a call through a pointer".to_owned(),
                Callee::Library(_) => "a call of a library function".to_owned(),
            },
            Op::Unsupported(what) => what.to_string(),
            _ => "a statement".to_owned(),
        };
        let message = format!("a path goes through {what}, for which there is no formula");
        Some(Reason::new(ReasonKind::Unsupported, message).at(block.span))
    }

    /// Whether a run that comes to a vertex just ends.
    fn is_over(&self, vertex: VertexId) -> bool {
        let at = self.unwinding.vertex(vertex).at;
        !self.is_failing(vertex) && self.main.nest.cuts.graph.outgoing[at].is_empty()
    }

    pub(super) fn report(&self, phase: &str) {
        self.budget.report(Event::Phase(phase.to_owned()));
    }
}

/// How a search ends: perhaps with labels, of which a proof is to be made.
pub(super) enum Ending {
    Found(Box<Found>),
    Labels(BTreeMap<LocationId, TermId>),
}

impl From<Found> for Ending {
    fn from(found: Found) -> Ending {
        Ending::Found(Box::new(found))
    }
}

pub(super) fn limited(budget: &Budget) -> Budget {
    budget.clone().with_timeout(EACH)
}
