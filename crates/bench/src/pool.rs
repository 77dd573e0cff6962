//! The workers: each takes the next job, runs it in a child process and hands over its row.

use super::child::{self, Limits};
use super::plan::Task;
use super::row::{Row, Status};
use base::Budget;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

/// The time between two calls of `news` while no row arrives.
const SECOND: Duration = Duration::from_secs(1);

/// A task and who is to decide it.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Job<'a> {
    pub task: &'a Task,
    pub engine: &'static str,
}

/// How children are started.
#[allow(missing_docs, reason = "the names say it")]
pub struct Pool<'a> {
    /// This program.
    pub program: PathBuf,
    /// Flags for `cairn check`.
    pub flags: &'a [String],
    pub limits: Limits,
    /// How many at a time.
    pub workers: usize,
    /// Stops the workers and their children.
    pub budget: &'a Budget,
}

impl Pool<'_> {
    /// Runs the jobs; `news` gets the rows with the jobs' numbers, in the order they end, and nothing
    /// whenever a second goes by. Once the budget is stopped, unfinished jobs have no row.
    pub fn run(&self, jobs: &[Job<'_>], mut news: impl FnMut(Option<(usize, Row)>)) {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (sender, rows) = mpsc::channel();
            for _ in 0..self.workers {
                let sender = sender.clone();
                scope.spawn(|| self.work(jobs, &next, sender));
            }
            drop(sender);
            loop {
                match rows.recv_timeout(SECOND) {
                    Ok(arrived) => news(Some(arrived)),
                    Err(RecvTimeoutError::Timeout) => news(None),
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        });
    }

    fn work(&self, jobs: &[Job<'_>], next: &AtomicUsize, rows: Sender<(usize, Row)>) {
        while self.budget.check().is_ok() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let row = jobs.get(number).and_then(|job| self.row(job));
            if row.is_none_or(|row| rows.send((number, row)).is_err()) {
                return;
            }
        }
    }

    /// The row of a job, unless the budget was stopped meanwhile.
    fn row(&self, job: &Job<'_>) -> Option<Row> {
        let Job { task, engine } = *job;
        let row = match child::run(self.command(job), &self.limits, self.budget) {
            Ok(ended) => Row::of(task, engine, &self.limits, &ended),
            Err(error) => {
                let reason = format!("the child process failed: {error}");
                Row::without_run(task, engine, Status::Error, &reason)
            }
        };
        self.budget.check().is_ok().then_some(row)
    }

    fn command(&self, job: &Job<'_>) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments(job, &self.limits, self.flags));
        command
    }
}

/// The words after `cairn` that decide a job.
pub fn arguments(job: &Job<'_>, limits: &Limits, flags: &[String]) -> Vec<String> {
    let mut words = vec![
        "check".to_owned(),
        "--json".to_owned(),
        "--quiet".to_owned(),
    ];
    let mut add = |flag: &str, value: String| words.extend([flag.to_owned(), value]);
    add("--engine", job.engine.to_owned());
    add("--property", job.task.property.clone());
    add("--timeout", format!("{}s", limits.time.as_secs_f64()));
    add("--memory", limits.memory.to_string());
    words.extend(flags.iter().cloned());
    words.push("--".to_owned());
    words.push(job.task.file.to_string_lossy().into_owned());
    words
}
