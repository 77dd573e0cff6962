//! One line on standard error that is rewritten in place.

use std::io::Write;

/// The line; nothing is shown before the first text.
#[derive(Default)]
pub(crate) struct StatusLine {
    width: usize,
}

/// The width of a terminal that does not tell.
const COLUMNS: usize = 80;

impl StatusLine {
    /// Shows a text instead of the one before, cut where the terminal ends: a line that continues
    /// below could not be rewritten. An empty text removes the line.
    pub(crate) fn show(&mut self, text: &str) {
        if text.is_empty() && self.width == 0 {
            return;
        }
        let mut err = std::io::stderr().lock();
        let columns = match rustix::termios::tcgetwinsize(&err) {
            Ok(size) if size.ws_col > 0 => usize::from(size.ws_col),
            Ok(_) | Err(_) => COLUMNS,
        };
        let line: String = text.chars().take(columns - 1).collect();
        let width = line.chars().count();
        let blank = self.width.saturating_sub(width);
        self.width = width;
        let back = if line.is_empty() { "\r" } else { "" };
        let _ = write!(err, "\r{line}{:blank$}{back}", "");
    }
}
