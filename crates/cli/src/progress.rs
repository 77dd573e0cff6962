//! Progress on standard error, for a person at a terminal.

use base::{Event, Observer};
use std::io::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The time between two updates of the line.
const PAUSE: Duration = Duration::from_millis(100);

/// One line that is rewritten; gone when it is dropped.
pub(crate) struct Progress {
    start: Instant,
    state: Mutex<State>,
}

struct State {
    phase: String,
    count: String,
    last: Option<Instant>,
    width: usize,
}

impl Progress {
    /// A line that is not yet shown.
    pub(crate) fn new() -> Self {
        Progress {
            start: Instant::now(),
            state: Mutex::new(State {
                phase: String::new(),
                count: String::new(),
                last: None,
                width: 0,
            }),
        }
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        if let Ok(mut state) = self.state.lock() {
            show(&mut state, "");
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
            show(&mut state, &line);
        }
    }
}

fn show(state: &mut State, line: &str) {
    if line.is_empty() && state.width == 0 {
        return;
    }
    let blank = state.width.saturating_sub(line.chars().count());
    state.width = line.chars().count();
    let back = if line.is_empty() { "\r" } else { "" };
    let _ = write!(std::io::stderr().lock(), "\r{line}{:blank$}{back}", "");
}
