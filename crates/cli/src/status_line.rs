//! One line on standard error that is rewritten.

use std::io::Write;

/// The line; nothing is shown before the first text.
#[derive(Default)]
pub(crate) struct StatusLine {
    width: usize,
}

impl StatusLine {
    /// Shows a text instead of the one before; an empty one removes the line.
    pub(crate) fn show(&mut self, line: &str) {
        if line.is_empty() && self.width == 0 {
            return;
        }
        let blank = self.width.saturating_sub(line.chars().count());
        self.width = line.chars().count();
        let back = if line.is_empty() { "\r" } else { "" };
        let _ = write!(std::io::stderr().lock(), "\r{line}{:blank$}{back}", "");
    }
}
