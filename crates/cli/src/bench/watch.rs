//! The progress display of a bench.

use crate::console::Console;
use crate::status_line::StatusLine;
use bench::row::Status::*;
use bench::row::{Answer, Row, Status};
use bench::tally::Tally;
use std::time::{Duration, Instant};

/// The time between two lines where standard error is not a terminal.
const PAUSE: Duration = Duration::from_secs(30);

/// A running count on standard error: a line that changes on a terminal, else a line now and then.
pub(crate) struct Watch<'c> {
    console: &'c Console,
    jobs: usize,
    /// The rows so far, those of an earlier run among them.
    pub(crate) tally: Tally,
    /// The file of the task that ended last.
    task: String,
    line: StatusLine,
    start: Instant,
    last: Instant,
}

impl<'c> Watch<'c> {
    /// Nothing done yet.
    pub(crate) fn new(console: &'c Console, jobs: usize) -> Self {
        Watch {
            console,
            jobs,
            tally: Tally::default(),
            task: String::new(),
            line: StatusLine::default(),
            start: Instant::now(),
            last: Instant::now(),
        }
    }

    /// Counts a row and shows how far we are. A wrong verdict is told at once.
    pub(crate) fn arrived(&mut self, row: &Row) {
        self.tally.add(row);
        self.task = row.task.rsplit('/').next().unwrap_or_default().to_owned();
        if row.status == Status::Wrong {
            self.line.show("");
            let said = row.verdict.map_or("", Answer::name);
            let text = format!("wrong: {} says {said} of {}\n", row.engine, row.task);
            self.console.remark(&text);
        }
        self.tick();
    }

    /// Shows how far we are.
    pub(crate) fn tick(&mut self) {
        if self.console.shows_progress() {
            let text = self.short();
            self.line.show(&text);
        } else if !self.console.quiet && self.last.elapsed() >= PAUSE {
            self.last = Instant::now();
            self.console.remark(&format!("{}\n", self.counts()));
        }
    }

    /// Removes the line and says what came out.
    pub(crate) fn finish(&mut self) {
        self.line.show("");
        if !self.console.quiet {
            self.console.remark(&format!("{}\n", self.counts()));
        }
    }

    /// What fits a line, with the task that ended last.
    fn short(&self) -> String {
        let (solved, wrong) = (self.solved(), self.tally.count(Wrong));
        let others = self.tally.tasks - solved - wrong;
        let so_far = self.so_far();
        format!("{so_far}, {wrong} wrong, {others} unknown  {}", self.task)
    }

    fn counts(&self) -> String {
        let [wrong, unknown, timeouts, memory, errors] =
            [Wrong, Unknown, Timeout, Memory, Error].map(|status| self.tally.count(status));
        let so_far = self.so_far();
        format!(
            "{so_far}, {wrong} wrong, {unknown} unknown, {timeouts} timeouts, \
             {memory} out of memory, {errors} errors"
        )
    }

    fn solved(&self) -> usize {
        self.tally.count(Correct) + self.tally.count(Unrated)
    }

    fn so_far(&self) -> String {
        let (seconds, tasks) = (self.start.elapsed().as_secs_f64(), self.tally.tasks);
        format!(
            "{seconds:6.1} s  {tasks}/{}: {} solved",
            self.jobs,
            self.solved()
        )
    }
}
