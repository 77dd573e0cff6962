//! Why a command could not do its work: wrong usage or invalid input.

use base::{Diagnostic, Diagnostics, SourceMap};
use std::io;
use std::path::Path;

/// What went wrong.
#[derive(Debug)]
pub enum Failure {
    /// Something about the command or its files: a sentence, facts, what could be done.
    Usage {
        /// What went wrong.
        message: String,
        /// Facts about it.
        note: Option<String>,
        /// What could be done.
        help: Option<String>,
    },
    /// Something about the C text.
    Source {
        /// The texts.
        sources: Box<SourceMap>,
        /// What is wrong with them.
        diagnostics: Diagnostics,
    },
}

impl Failure {
    /// A sentence.
    pub fn new(message: impl Into<String>) -> Self {
        Failure::Usage {
            message: message.into(),
            note: None,
            help: None,
        }
    }

    /// What cannot be done with a file or folder.
    pub fn io(what: &str, path: &Path, error: &io::Error) -> Self {
        Failure::new(format!("{what} `{}`: {error}", path.display()))
    }

    /// Something wrong with a source file.
    pub fn in_source(sources: SourceMap, diagnostic: Diagnostic) -> Self {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(diagnostic);
        Failure::Source {
            sources: Box::new(sources),
            diagnostics,
        }
    }

    /// Adds what could be done to a sentence.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        if let Failure::Usage { help, .. } = &mut self {
            *help = Some(text.into());
        }
        self
    }

    /// Adds facts to a sentence.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        if let Failure::Usage { note, .. } = &mut self {
            *note = Some(text.into());
        }
        self
    }
}
