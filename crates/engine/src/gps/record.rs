//! What a search takes down in the journal, if there is one.

use super::search::Search;
use kit::journal::{Entry, Errors, Tested};
use kit::test_runner::Test;
use kit::unwinding::VertexId;
use summary::Level;

impl Search<'_> {
    pub(super) fn note_summaries(&self, level: Level, errors: Errors) {
        self.tree.note(|| Entry::Summaries(level.name(), errors));
    }

    pub(super) fn note_test(&self, from: VertexId, test: &Test) {
        self.tree.note(|| {
            Entry::Test(Box::new(Tested {
                from,
                inputs: test.run.inputs.clone(),
                end: test.run.end.clone(),
                span: test.run.span,
            }))
        });
    }
}
