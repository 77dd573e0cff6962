//! Progress on standard error, for terminals.

use crate::status_line::StatusLine;
use base::{Event, Observer};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The time between two updates of the line.
const PAUSE: Duration = Duration::from_millis(100);

/// One line that is rewritten; gone when it is dropped.
pub(crate) struct Progress {
    start: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    phase: String,
    count: String,
    last: Option<Instant>,
    line: StatusLine,
}

impl Progress {
    /// A line that is not yet shown.
    pub(crate) fn new() -> Self {
        Progress {
            start: Instant::now(),
            state: Mutex::default(),
        }
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        if let Ok(mut state) = self.state.lock() {
            state.line.show("");
        }
    }
}

impl Observer for Progress {
    fn event(&self, event: Event) {
        let Ok(mut state) = self.state.lock() else {
            return;
        };
        match event {
            Event::Phase(phase) => {
                state.phase = phase;
                state.count.clear();
            }
            Event::Progress { what, done } => state.count = format!(", {done} {what}"),
        }
        // The first tenth of a second needs no progress.
        let last = state.last.unwrap_or(self.start);
        if last.elapsed() >= PAUSE {
            state.last = Some(Instant::now());
            let seconds = self.start.elapsed().as_secs_f64();
            let line = format!("{seconds:6.1} s  {}{}", state.phase, state.count);
            state.line.show(&line);
        }
    }
}
