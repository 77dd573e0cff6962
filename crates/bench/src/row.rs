//! The row of a task and an engine: what came out, and what it took.

use super::child::{Ended, Limits, Usage};
use super::outcome;
use super::plan::Task;

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
    /// Why there is no verdict, in one line.
    pub reason: String,
}

/// A verdict that decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Answer {
    Safe,
    Unsafe,
}

/// What to make of a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// The expected verdict.
    Correct,
    /// The other one.
    Wrong,
    /// A verdict where none is expected.
    Unrated,
    /// No verdict, although no limit was met.
    Unknown,
    /// No verdict within the time.
    Timeout,
    /// No verdict within the memory.
    Memory,
    /// The input could not be used, or a bug of ours.
    Error,
}

impl Answer {
    /// Its name in the results.
    pub fn name(self) -> &'static str {
        match self {
            Answer::Safe => "safe",
            Answer::Unsafe => "unsafe",
        }
    }

    /// The one of a name.
    pub fn named(name: &str) -> Option<Self> {
        [Answer::Safe, Answer::Unsafe]
            .into_iter()
            .find(|answer| answer.name() == name)
    }
}

impl Status {
    const ALL: [Status; 7] = [
        Status::Correct,
        Status::Wrong,
        Status::Unrated,
        Status::Unknown,
        Status::Timeout,
        Status::Memory,
        Status::Error,
    ];

    /// Its name in the results.
    pub fn name(self) -> &'static str {
        match self {
            Status::Correct => "correct",
            Status::Wrong => "wrong",
            Status::Unrated => "unrated",
            Status::Unknown => "unknown",
            Status::Timeout => "timeout",
            Status::Memory => "memory",
            Status::Error => "error",
        }
    }

    /// The one of a name.
    pub fn named(name: &str) -> Option<Self> {
        Status::ALL.into_iter().find(|status| status.name() == name)
    }

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
            reason: one_line(reason),
        }
    }

    /// The row of a child that has ended.
    pub fn of(task: &Task, engine: &str, limits: &Limits, ended: &Ended) -> Self {
        let (verdict, status, reason) = outcome::of(limits, ended);
        let mut row = Row::without_run(task, engine, status, &reason);
        row.verdict = verdict;
        row.usage = ended.usage;
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

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for status in Status::ALL {
            assert_eq!(Status::named(status.name()), Some(status));
        }
        assert_eq!(Status::named(""), None);
    }
}
