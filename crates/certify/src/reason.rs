//! Why there is no verdict.

use base::{Budget, Exhausted, Span, named_enum};

/// Why there is no verdict, and what was learned.
#[derive(Clone, PartialEq, Debug)]
pub struct Reason {
    /// The kind, for programs.
    pub kind: ReasonKind,
    /// One sentence, for people: lower case, without a full stop.
    pub message: String,
    /// The source location it is about, if any.
    pub span: Span,
    /// Further facts, each with its source location: what was reached, what was not.
    pub notes: Vec<(String, Span)>,
    /// What the user could try, one sentence each.
    pub help: Vec<String>,
}

named_enum! {
    /// Kinds of reasons, named as in machine-readable output.
    pub enum ReasonKind {
        /// The time is up.
        Timeout = "timeout",
        /// The effort is used up.
        Effort = "effort",
        /// More memory is in use than was allowed.
        Memory = "memory",
        /// The caller asked us to stop.
        Cancelled = "cancelled",
        /// The engine has nothing more to try.
        GaveUp = "gave-up",
        /// The program needs something that is not modelled.
        Unsupported = "unsupported",
        /// A bug of ours: a panic, or a certificate that failed its check.
        Internal = "internal",
    }
}

impl From<Exhausted> for ReasonKind {
    fn from(limit: Exhausted) -> Self {
        match limit {
            Exhausted::Time => ReasonKind::Timeout,
            Exhausted::Effort => ReasonKind::Effort,
            Exhausted::Memory => ReasonKind::Memory,
            Exhausted::Cancelled => ReasonKind::Cancelled,
        }
    }
}

impl ReasonKind {
    /// The limit that was reached, if it is one.
    pub fn limit(self) -> Option<Exhausted> {
        match self {
            ReasonKind::Timeout => Some(Exhausted::Time),
            ReasonKind::Effort => Some(Exhausted::Effort),
            ReasonKind::Memory => Some(Exhausted::Memory),
            ReasonKind::Cancelled => Some(Exhausted::Cancelled),
            ReasonKind::GaveUp | ReasonKind::Unsupported | ReasonKind::Internal => None,
        }
    }

    /// The limit of a budget that is reached; where none is, there is nothing more to try.
    pub fn unfinished(budget: &Budget) -> Self {
        budget.check().err().map_or(ReasonKind::GaveUp, Into::into)
    }
}

impl Reason {
    /// A reason without a source location.
    pub fn new(kind: ReasonKind, message: impl Into<String>) -> Self {
        Reason {
            kind,
            message: message.into(),
            span: Span::NONE,
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    /// There is nothing more to try.
    pub fn gave_up(message: impl Into<String>) -> Self {
        Reason::new(ReasonKind::GaveUp, message)
    }

    /// A limit of the budget, if one is reached; otherwise there is nothing more to try.
    pub fn unfinished(message: impl Into<String>, budget: &Budget) -> Self {
        Reason::new(ReasonKind::unfinished(budget), message)
    }

    /// Something that is not modelled.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Reason::new(ReasonKind::Unsupported, message)
    }

    /// A bug of ours.
    pub fn internal(message: impl Into<String>) -> Self {
        Reason::new(ReasonKind::Internal, message)
    }

    /// This reason, at a source location.
    pub fn at(mut self, span: Span) -> Self {
        self.span = span;
        self
    }

    /// Adds a fact.
    pub fn note(mut self, span: Span, note: impl Into<String>) -> Self {
        self.notes.push((note.into(), span));
        self
    }
}
