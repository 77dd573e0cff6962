//! Labels for the heads of loops, from an unwinding that is complete.
//!
//! A head's label is that one of its vertices' labels holds, or what the summaries behind dead
//! ends say there: states from which they admit no error stay among such states.

use super::search::{Ending, Found, Search};
use certify::ReasonKind;
use kit::labels::{self, Labels};
use kit::unwinding::{Fate, VertexId};
use logic::TermId;
use program::ir::LocationId;
use std::collections::BTreeMap;
use summary::ToError;

impl Search<'_> {
    /// The frontier is empty: every path is a dead end, covered, or cannot be decided.
    pub(super) fn complete(mut self) -> Found {
        let active = self.active();
        for &vertex in &active {
            if let Fate::Stuck(reason) = &self.unwinding.vertex(vertex).fate {
                let mut reason = (**reason).clone();
                let more = self.reason(ReasonKind::GaveUp, "", vertex);
                reason.notes.extend(more.notes);
                return Found::Nothing(reason);
            }
        }
        let mut labels = Labels::new();
        for head in self.heads() {
            labels.insert(head, self.main.ctx.store.bool(false));
        }
        let starts = self.starts(&active);
        if !starts.is_empty() {
            match self.labels_of(&starts) {
                Ok(found) => labels.extend(found),
                Err(why) => {
                    let message = format!("every path is a dead end, but no invariants: {why}");
                    let root = self.unwinding.root();
                    return Found::NoLabels(self.reason(ReasonKind::GaveUp, &message, root));
                }
            }
        }
        for vertex in active {
            let at = self.unwinding.vertex(vertex).at;
            if !self.main.nest.cuts.loops.is_head(at) || self.is_failing(vertex) {
                continue;
            }
            let label = self.label(vertex);
            let ctx = &mut self.main.ctx;
            let invariant = self.main.nest.invariant(ctx, at);
            let label = ctx.store.and(&[label, invariant]);
            labels
                .entry(at)
                .and_modify(|all| *all = ctx.store.or(&[*all, label]));
        }
        self.finish(Ending::Labels(labels))
    }

    /// The vertices that count.
    fn active(&self) -> Vec<VertexId> {
        let ids = self.unwinding.vertices().map(|(id, _)| id);
        ids.filter(|&id| self.unwinding.is_active(id)).collect()
    }

    fn heads(&self) -> Vec<LocationId> {
        let loops = self.main.nest.cuts.loops.loops.iter();
        loops.map(|row| row.head).collect()
    }

    /// The states at dead ends from which something may still run.
    fn starts(&mut self, active: &[VertexId]) -> BTreeMap<LocationId, TermId> {
        let mut starts: BTreeMap<LocationId, TermId> = BTreeMap::new();
        for &vertex in active {
            let row = self.unwinding.vertex(vertex);
            let (at, is_ended) = (row.at, row.fate == Fate::DeadEnd);
            let goes_on = !self.main.nest.cuts.graph.outgoing[at].is_empty();
            let by_summary = self.config.summaries && is_ended && !self.is_failing(vertex);
            if !by_summary || !goes_on {
                continue;
            }
            let label = self.label(vertex);
            let ctx = &mut self.main.ctx;
            let invariant = self.main.nest.invariant(ctx, at);
            let label = ctx.store.and(&[label, invariant]);
            let entry = starts.entry(at).or_insert(label);
            *entry = ctx.store.or(&[*entry, label]);
        }
        starts
    }

    /// Labels for runs from the root, which is a dead end itself.
    pub(super) fn labels_from(&mut self, root: VertexId) -> Result<Labels, String> {
        let at = self.unwinding.vertex(root).at;
        let initial = kit::prepared::initial(&mut self.main.ctx, &self.main.nest.cuts);
        self.labels_of(&BTreeMap::from([(at, initial)]))
    }

    fn labels_of(&mut self, starts: &BTreeMap<LocationId, TermId>) -> Result<Labels, String> {
        let mut to_error = ToError::new(&self.main.nest, self.level);
        let main = &mut self.main;
        labels::labels(
            &mut main.ctx,
            &mut main.nest,
            &mut to_error,
            starts,
            self.level,
        )
    }
}
