//! Why a campaign or a task definition is refused.

/// A sentence, facts, what could be done.
#[derive(Debug)]
pub struct Failure {
    /// What went wrong.
    pub message: String,
    /// Facts about it.
    pub note: Option<String>,
    /// What could be done.
    pub help: Option<String>,
}

impl Failure {
    /// A sentence.
    pub fn new(message: impl Into<String>) -> Self {
        Failure {
            message: message.into(),
            note: None,
            help: None,
        }
    }

    /// Adds what could be done.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Adds facts.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.note = Some(text.into());
        self
    }
}
