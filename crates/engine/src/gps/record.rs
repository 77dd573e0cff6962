//! What a search records in the journal, if there is one.

use super::search::Search;
use kit::journal::{Entry, Errors};
use summary::Level;

impl Search<'_> {
    pub(super) fn note_summaries(&self, level: Level, errors: Errors) {
        self.tree.note(|| Entry::Summaries(level.name(), errors));
    }
}
