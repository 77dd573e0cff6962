//! Why a command could not do its work: wrong usage or wrong input.

use base::{Diagnostics, SourceMap};

/// What went wrong.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something about the command or its files, in a sentence, and what could be done.
    Usage {
        message: String,
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
            help: None,
        }
    }

    /// Adds what could be done to a sentence.
    pub(crate) fn help(self, text: impl Into<String>) -> Self {
        match self {
            Failure::Usage { message, .. } => Failure::Usage {
                message,
                help: Some(text.into()),
            },
            source @ Failure::Source { .. } => source,
        }
    }
}
