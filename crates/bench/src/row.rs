//! The row of a task and an engine: the result, and the resources used.

use super::child::{Ended, Limits, Usage};
use super::outcome;
use super::plan::Task;
use base::named_enum;
use report::markup::one_line;
use std::collections::BTreeMap;

/// One line of the results.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The folder of the task.
    pub set: String,
    /// The file of the task.
    pub task: String,
    /// Who decided.
    pub engine: String,
    /// What the task's definition says.
    pub expected: Option<Answer>,
    /// What the engine says.
    pub verdict: Option<Answer>,
    /// What to make of it.
    pub status: Status,
    /// What it took.
    pub usage: Usage,
    /// What the engine counted, by name.
    pub counters: BTreeMap<String, u64>,
    /// Why there is no verdict, in one line.
    pub reason: String,
}

named_enum! {
    /// A verdict that decides.
    #[allow(missing_docs, reason = "the names say it")]
    pub enum Answer {
        Safe = "safe",
        Unsafe = "unsafe",
    }

    /// What to make of a row.
    pub enum Status {
        /// The expected verdict.
        Correct = "correct",
        /// The other one.
        Wrong = "wrong",
        /// A verdict where none is expected.
        Unrated = "unrated",
        /// No verdict, although no limit was reached.
        Unknown = "unknown",
        /// No verdict within the time.
        Timeout = "timeout",
        /// No verdict within the memory.
        Memory = "memory",
        /// The input could not be used, or a bug of ours.
        Error = "error",
    }
}

impl Status {
    /// Whether the task counts as solved.
    pub fn is_solved(self) -> bool {
        matches!(self, Status::Correct | Status::Unrated)
    }
}

impl Row {
    /// The row of a task that no child has worked on.
    pub fn without_run(task: &Task, engine: &str, status: Status, reason: &str) -> Self {
        let expected = task.expected.map(|holds| match holds {
            true => Answer::Safe,
            false => Answer::Unsafe,
        });
        Row {
            set: task.set.clone(),
            task: task.file.to_string_lossy().into_owned(),
            engine: engine.to_owned(),
            expected,
            verdict: None,
            status,
            usage: Usage::default(),
            counters: BTreeMap::new(),
            reason: one_line(reason),
        }
    }

    /// The row of a child that has ended.
    pub fn of(task: &Task, engine: &str, limits: &Limits, ended: &Ended) -> Self {
        let (verdict, status, reason) = outcome::of(limits, ended);
        let mut row = Row::without_run(task, engine, status, &reason);
        row.verdict = verdict;
        row.usage = ended.usage;
        row.counters = outcome::counters(ended);
        if let Some(verdict) = verdict {
            row.status = match row.expected {
                Some(expected) if expected == verdict => Status::Correct,
                Some(_) => Status::Wrong,
                None => Status::Unrated,
            };
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for &status in Status::ALL {
            assert_eq!(Status::of_name(status.name()), Some(status));
        }
        assert_eq!(Status::of_name(""), None);
    }
}
