//! Labels for the loop heads, from a complete unwinding.
//!
//! A head's label is the disjunction of its vertices' labels and of what the summaries at dead ends
//! imply there: states from which they admit no error lead only to such states.

use super::guide::Summaries;
use super::search::{Ending, Search, SearchOutcome};
use certify::ReasonKind;
use encode::Context;
use kit::labels::{self, Labels};
use kit::unwinding::{Fate, VertexId};
use logic::TermId;
use program::ir::LocationId;
use std::collections::BTreeMap;
use summary::{Level, Style, ToError};

/// With this many loops the summary of a whole program is a large query.
const MANY: usize = 4;

impl Search<'_> {
    /// The frontier is empty: every path is a dead end, covered, or undecided.
    pub(super) fn complete(&mut self) -> Ending {
        if let Some((vertex, reason)) = self.tree.undecided() {
            let mut reason = reason.clone();
            let more = self.reason(ReasonKind::GaveUp, "", vertex);
            reason.notes.extend(more.notes);
            return SearchOutcome::Nothing(reason).into();
        }
        let starts = self.starts();
        let behind = match starts.is_empty() {
            true => Labels::new(),
            false => match self.labels_of(&starts) {
                Ok(labels) => labels,
                Err(why) => {
                    let message = format!("every path is a dead end, but no invariants: {why}");
                    return self.no_labels(&message).into();
                }
            },
        };
        let (ctx, nest) = (&mut self.main.ctx, &self.main.nest);
        let known = |ctx: &mut Context, at| nest.invariant(ctx, at);
        let mut labels = self.tree.labels(ctx, &nest.cuts, known);
        for (at, label) in behind {
            let all = labels.entry(at).or_insert(label);
            *all = ctx.store.or(&[label, *all]);
        }
        SearchOutcome::Labels(labels).into()
    }

    /// The states at dead ends from which runs may continue.
    fn starts(&mut self) -> BTreeMap<LocationId, TermId> {
        let mut starts: BTreeMap<LocationId, TermId> = BTreeMap::new();
        let active: Vec<VertexId> = self.tree.unwinding.active().collect();
        for vertex in active {
            let row = self.tree.unwinding.vertex(vertex);
            let (at, is_ended) = (row.at, row.fate == Fate::DeadEnd);
            let goes_on = !self.main.nest.cuts.graph.outgoing[at].is_empty();
            let by_summary = self.config.summaries && is_ended && !self.is_failing(vertex);
            if !by_summary || !goes_on {
                continue;
            }
            let ctx = &mut self.main.ctx;
            let label = self.tree.label(ctx, vertex);
            let invariant = self.main.nest.invariant(ctx, at);
            let label = ctx.store.and(&[label, invariant]);
            let entry = starts.entry(at).or_insert(label);
            *entry = ctx.store.or(&[*entry, label]);
        }
        starts
    }

    /// Labels for runs from the root, which is a dead end itself.
    pub(super) fn labels_from(&mut self, root: VertexId) -> Result<Labels, String> {
        let at = self.tree.unwinding.vertex(root).at;
        let initial = kit::prepared::initial(&mut self.main.ctx, &self.main.nest.cuts);
        self.labels_of(&BTreeMap::from([(at, initial)]))
    }

    /// Labels for runs from the root if each error depends on one loop, for programs with many
    /// loops in sequence.
    pub(super) fn local_labels(&mut self, level: Level) -> Option<Labels> {
        let is_wanted = self.shared.style == Style::Cairn;
        let Summaries { ctx, nest, .. } = &mut self.main;
        let loops = nest.cuts.loops.loops.iter();
        if !is_wanted || loops.filter(|row| row.parent.is_none()).count() < MANY {
            return None;
        }
        let at = ctx.program.procs[nest.cuts.proc].entry;
        let starts = BTreeMap::from([(at, kit::prepared::initial(ctx, &nest.cuts))]);
        labels::local_labels(ctx, nest, &starts, level)
    }

    fn labels_of(&mut self, starts: &BTreeMap<LocationId, TermId>) -> Result<Labels, String> {
        let mut to_error = ToError::new(&self.main.nest, self.level);
        let Summaries { ctx, nest, .. } = &mut self.main;
        labels::labels(ctx, nest, &mut to_error, starts, self.level)
    }
}
