//! Why a command could not do its work: wrong usage or wrong input.

use base::{Diagnostics, SourceMap};

/// What went wrong.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something about the command or its files: a sentence, facts, what could be done.
    Usage {
        message: String,
        note: Option<String>,
        help: Option<String>,
    },
    /// Something about the C text.
    Source {
        sources: Box<SourceMap>,
        diagnostics: Diagnostics,
    },
}

impl Failure {
    /// A sentence.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Failure::Usage {
            message: message.into(),
            note: None,
            help: None,
        }
    }

    /// Adds what could be done to a sentence.
    pub(crate) fn help(mut self, text: impl Into<String>) -> Self {
        if let Failure::Usage { help, .. } = &mut self {
            *help = Some(text.into());
        }
        self
    }

    /// Adds facts to a sentence.
    pub(crate) fn note(mut self, text: impl Into<String>) -> Self {
        if let Failure::Usage { note, .. } = &mut self {
            *note = Some(text.into());
        }
        self
    }
}

impl From<bench::Failure> for Failure {
    fn from(failure: bench::Failure) -> Self {
        let bench::Failure {
            message,
            note,
            help,
        } = failure;
        Failure::Usage {
            message,
            note,
            help,
        }
    }
}
