//! What a search takes down in the journal, if there is one.

use super::search::Search;
use super::test_run::Test;
use encode::blocks::Step;
use kit::journal::{Child, Entry, Errors, Kind, Tested};
use kit::unwinding::{Fate, VertexId};
use logic::TermId;
use summary::Level;

impl Search<'_> {
    pub(super) fn note(&self, entry: impl FnOnce() -> Entry) {
        if let Some(journal) = self.arena.journal {
            journal.note(entry());
        }
    }

    pub(super) fn note_summaries(&self, level: Level, errors: Errors) {
        self.note(|| Entry::Summaries(level.name(), errors));
    }

    pub(super) fn note_test(&self, from: VertexId, test: &Test) {
        self.note(|| {
            Entry::Test(Box::new(Tested {
                from,
                inputs: test.run.inputs.clone(),
                end: test.run.end.clone(),
                span: test.run.span,
            }))
        });
    }

    pub(super) fn note_label(&mut self, vertex: VertexId, conjunct: TermId) {
        if let Some(journal) = self.arena.journal {
            journal.label(&mut self.main.ctx, vertex, conjunct);
        }
    }

    /// New vertices, and those of them that are closed at once.
    pub(super) fn note_children(&self, vertex: VertexId, children: &[VertexId]) {
        let children = || children.iter().map(|&id| self.child(id)).collect();
        self.note(|| Entry::Expand(vertex, children()));
    }

    /// What has become of a vertex that has no children.
    pub(super) fn note_fate(&self, vertex: VertexId) {
        match &self.unwinding.vertex(vertex).fate {
            Fate::DeadEnd => self.note(|| Entry::DeadEnd(vertex)),
            Fate::Stuck(reason) => self.note(|| Entry::Stuck(vertex, reason.message.clone())),
            Fate::Open | Fate::Expanded => {}
        }
    }

    fn child(&self, id: VertexId) -> Child {
        let row = self.unwinding.vertex(id);
        let nest = &self.main.nest;
        let location = &self.main.ctx.program.procs[nest.cuts.proc].locations[row.at];
        let block = row.parent.map(|(_, block)| &nest.cuts.graph.blocks[block]);
        let is_wrap = block.is_some_and(|block| matches!(block.step, Step::OutsideEncoding(_)));
        let (kind, span) = match &location.error {
            _ if is_wrap => (Kind::Wrap, location.span),
            Some(violation) => (Kind::Error, violation.span),
            None if nest.cuts.loops.is_head(row.at) => (Kind::Head, location.span),
            None if nest.cuts.graph.outgoing[row.at].is_empty() => (Kind::End, location.span),
            None => (Kind::Other, location.span),
        };
        Child { id, kind, span }
    }
}
