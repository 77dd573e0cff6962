//! Totals of rows.

use super::row::{Answer, Row, Status};
use std::collections::BTreeMap;
use std::time::Duration;

/// Numbers over some rows.
#[derive(Clone, PartialEq, Debug, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Tally {
    pub tasks: usize,
    /// Those of the correct verdicts that say so.
    pub safe: usize,
    counts: BTreeMap<Status, usize>,
    /// Time of the processor, over all rows.
    pub cpu: Duration,
    /// The most bytes, over solved rows.
    pub memory: u64,
    /// Time on the clock, of each row.
    walls: Vec<Duration>,
}

impl Tally {
    /// Adds a row.
    pub fn add(&mut self, row: &Row) {
        self.tasks += 1;
        self.cpu += row.usage.cpu;
        self.walls.push(row.usage.wall);
        if row.status.is_solved() {
            self.memory = self.memory.max(row.usage.memory);
        }
        *self.counts.entry(row.status).or_default() += 1;
        let is_safe = row.status == Status::Correct && row.verdict == Some(Answer::Safe);
        self.safe += usize::from(is_safe);
    }

    /// How many rows have a status.
    pub fn count(&self, status: Status) -> usize {
        self.counts.get(&status).copied().unwrap_or(0)
    }

    /// The time on the clock that half of the rows do not exceed.
    pub fn median(&self) -> Duration {
        let mut walls = self.walls.clone();
        walls.sort();
        match walls.len() {
            0 => Duration::ZERO,
            count if count % 2 == 1 => walls[count / 2],
            count => (walls[count / 2 - 1] + walls[count / 2]) / 2,
        }
    }

    /// The rows that took longer than this on the clock.
    pub fn longer_than(&self, limit: Duration) -> usize {
        self.walls.iter().filter(|&&wall| wall > limit).count()
    }
}

impl<'r> FromIterator<&'r Row> for Tally {
    fn from_iter<I: IntoIterator<Item = &'r Row>>(rows: I) -> Self {
        let mut tally = Tally::default();
        rows.into_iter().for_each(|row| tally.add(row));
        tally
    }
}
