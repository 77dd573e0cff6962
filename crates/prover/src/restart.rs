//! When to undo all decisions and restart with what was learned.
//!
//! # Paper
//! [luby1993optimal]: the sequence 1, 1, 2, 1, 1, 2, 4, 1, ... of run lengths, in units of
//! conflicts.

/// The length of the shortest run.
const UNIT: u64 = 64;

/// Counts the conflicts of runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Restarts {
    runs: u64,
    conflicts: u64,
}

impl Restarts {
    /// Counts a conflict; says whether the run ends with it.
    pub(crate) fn is_over(&mut self) -> bool {
        self.conflicts += 1;
        if self.conflicts < UNIT * luby(self.runs) {
            return false;
        }
        self.runs += 1;
        self.conflicts = 0;
        true
    }
}

/// The member of the sequence with a number, from zero on.
fn luby(mut number: u64) -> u64 {
    loop {
        // The sequence up to 2^k - 1 members ends with 2^(k - 1); what follows repeats it.
        let size = (number + 2).next_power_of_two() - 1;
        if number + 1 == size {
            return size.div_ceil(2);
        }
        number -= size / 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_have_the_lengths_of_the_sequence() {
        let first: Vec<u64> = (0..15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
