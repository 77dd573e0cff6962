//! Diagnostics about the user's input: errors and warnings with source locations and hints.

use crate::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used, but perhaps not as meant.
    Warning,
}

/// One message about the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// One sentence, lower case, without a full stop.
    pub message: String,
    /// The place it mentions, if it has one.
    pub span: Span,
    /// Short text beside the underline.
    pub label: Option<String>,
    /// Further places or facts.
    pub notes: Vec<(String, Span)>,
    /// What the person could do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            span,
            label: None,
            notes: Vec::new(),
            help: None,
        }
    }

    /// A warning at a place.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(span, message)
        }
    }

    /// Adds the text beside the underline.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Adds a further place or fact.
    pub fn note(mut self, span: Span, note: impl Into<String>) -> Self {
        self.notes.push((note.into(), span));
        self
    }

    /// Adds what the person could do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// The messages of one run, in the order they were found.
///
/// At most [`Diagnostics::LIMIT`] errors are kept: a text that is not C should not fill the
/// screen.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// How many errors, and how many warnings, are kept.
    pub const LIMIT: usize = 50;

    /// No messages yet.
    pub fn new() -> Self {
        Diagnostics::default()
    }

    /// Adds a message.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let count = match diagnostic.severity {
            Severity::Error => {
                self.errors += 1;
                self.errors
            }
            Severity::Warning => self.list.len() - self.errors.min(Self::LIMIT) + 1,
        };
        if count <= Self::LIMIT {
            self.list.push(diagnostic);
        }
    }

    /// How many errors were found, kept or not.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Whether any error was found.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The messages kept.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_past_the_limit() {
        let mut diagnostics = Diagnostics::new();
        for _ in 0..Diagnostics::LIMIT + 3 {
            diagnostics.push(Diagnostic::error(Span::NONE, "no"));
            diagnostics.push(Diagnostic::warning(Span::NONE, "hm"));
        }
        assert_eq!(diagnostics.error_count(), Diagnostics::LIMIT + 3);
        assert_eq!(diagnostics.iter().count(), 2 * Diagnostics::LIMIT);
    }
}
