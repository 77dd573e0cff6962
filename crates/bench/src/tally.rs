//! What some rows add up to.

use super::row::{Answer, Row, Status};
use std::time::Duration;

/// Numbers over some rows.
#[derive(Clone, PartialEq, Debug, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Tally {
    pub tasks: usize,
    /// Correct verdicts.
    pub safe: usize,
    pub unsafe_: usize,
    /// Verdicts where none is expected.
    pub unrated: usize,
    pub wrong: usize,
    pub unknown: usize,
    pub timeouts: usize,
    pub out_of_memory: usize,
    pub errors: usize,
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
        let count = match row.status {
            Status::Correct => match row.verdict {
                Some(Answer::Safe) => &mut self.safe,
                Some(Answer::Unsafe) | None => &mut self.unsafe_,
            },
            Status::Unrated => &mut self.unrated,
            Status::Wrong => &mut self.wrong,
            Status::Unknown => &mut self.unknown,
            Status::Timeout => &mut self.timeouts,
            Status::Memory => &mut self.out_of_memory,
            Status::Error => &mut self.errors,
        };
        *count += 1;
    }

    /// The expected verdicts.
    pub fn correct(&self) -> usize {
        self.safe + self.unsafe_
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
