//! Summaries before the search: of increasing strength, from the root only.

use super::explore::FIRST_ASKING;
use super::search::{Ending, Search, SearchOutcome};
use crate::summary_prover::SummaryProver;
use base::Span;
use certify::ReasonKind;
use encode::EncodingPrecision;
use encode::blocks::BlockEffect;
use kit::journal::{Entry, Errors};
use smt::Model;
use summary::Level;

/// The share of its effort that a search may spend on summaries, in percent.
const SUMMARISING: u64 = 40;
/// The strength of summaries for loop-by-loop queries.
const LOCALLY: Level = Level::Equalities;

impl Search<'_> {
    /// Summaries with increasing effort, as long as they admit an error, and a test for each.
    pub(super) fn summarise(&mut self) -> Option<Ending> {
        let mut ending = self.summarise_locally();
        self.main.ctx.budget = self.budget.share(SUMMARISING);
        let mut why = None;
        while let Some((&level, rest)) = self.untried.split_first()
            && self.main.ctx.budget.check().is_ok()
            && ending.is_none()
        {
            self.report(&format!("summarising loops: {}", level.name()));
            self.set_level(level);
            (ending, why) = self.summarise_once(level);
            // With more effort it may be stronger.
            if self.main.ctx.budget.check().is_ok() {
                self.untried = rest;
            }
        }
        let unlabelled = why.map(|why| {
            let message = format!("summaries exclude every error, but give no invariants: {why}");
            self.no_labels(&message).into()
        });
        self.main.ctx.budget = self.budget.clone();
        ending.or(unlabelled)
    }

    /// Cheap summaries, loop by loop.
    fn summarise_locally(&mut self) -> Option<Ending> {
        let &level = self.untried.first()?;
        if level > LOCALLY {
            return None;
        }
        let labels = self.local_labels(LOCALLY)?;
        self.note_summaries(LOCALLY, Errors::Proof);
        Some(SearchOutcome::Labels(labels).into())
    }

    /// There are no labels, or not with so little effort.
    pub(super) fn no_labels(&self, message: &str) -> SearchOutcome {
        let root = self.tree.unwinding.root();
        let kind = ReasonKind::unfinished(&self.main.ctx.budget);
        SearchOutcome::NoLabels(self.reason(kind, message, root))
    }

    /// The result of summaries of one strength: how the search ends, or why they exclude every
    /// error but yield no labels.
    fn summarise_once(&mut self, level: Level) -> (Option<Ending>, Option<String>) {
        let root = self.tree.unwinding.root();
        match self.reach(root) {
            Ok(None) => match self.labels_from(root) {
                Ok(labels) => {
                    self.note_summaries(level, Errors::Proof);
                    (Some(SearchOutcome::Labels(labels).into()), None)
                }
                Err(why) => {
                    self.note_summaries(level, Errors::NoLabels);
                    (None, Some(why))
                }
            },
            Ok(Some(model)) => {
                self.note_summaries(level, Errors::Admit);
                let ending = self.test(root, &model, FIRST_ASKING);
                let ending = ending.or_else(|| match level {
                    Level::Equalities => self.describing_wraps(&model),
                    Level::Invariants | Level::Inequalities => None,
                    Level::Phases => self.wrapped(&model),
                });
                (ending, None)
            }
            Err(_) => {
                self.note_summaries(level, Errors::Unknown);
                (None, None)
            }
        }
    }

    /// Records what summaries say, if there is a journal.
    fn note_summaries(&self, level: Level, errors: Errors) {
        self.tree.note(|| Entry::Summaries(level.name(), errors));
    }

    /// A proof from cheap summaries that encode the wraps in a model of those that do not: intended
    /// wraps are often easy then, and hard without.
    fn describing_wraps(&self, model: &Model) -> Option<Ending> {
        let mut precision = self.main.nest.cuts.precision.clone();
        let mut wraps = self.main.to_error.wrapping(&self.main.ctx, model);
        if wraps.is_empty() {
            // This model does not need it, another one may.
            let blocks = self.main.nest.cuts.graph.blocks.iter();
            let escapes =
                blocks.filter(|block| matches!(block.step, BlockEffect::OutsideEncoding(_)));
            wraps = escapes.flat_map(|block| block.edges.clone()).collect();
        }
        if !precision.extend(&EncodingPrecision::wrapping_on(wraps)) {
            return None;
        }
        let proofs = SummaryProver {
            prepared: self.shared.prepared,
            invariants: &self.shared.invariants,
            style: self.shared.style,
            budget: &|| self.main.ctx.budget.clone(),
        };
        let proof = proofs.prove(&precision, &Level::CHEAP).ok()?;
        let proof = proof.checked(self.shared.original, &self.main.ctx.budget);
        let proof = proof.ok()?;
        let what = "cheap summaries that describe what wraps around exclude every error";
        self.tree
            .note(|| Entry::Remark(what.to_owned(), Span::NONE));
        Some(SearchOutcome::Proof(proof).into())
    }

    /// Where a model of the summaries wraps although wrapping is not encoded.
    fn wrapped(&self, model: &Model) -> Option<Ending> {
        let wraps = self.main.to_error.wrapping(&self.main.ctx, model);
        let is_new = !wraps.is_empty();
        is_new.then(|| Ending::NeedsPrecision(EncodingPrecision::wrapping_on(wraps)))
    }
}
