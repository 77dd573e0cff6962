//! How much memory a process has in use, and a watch over our own.

use crate::failure::Failure;
use base::{Budget, Exhausted};
use std::time::Duration;

/// Bytes in a megabyte, as limits and reports count them.
pub(crate) const MEGABYTE: u64 = 1_000_000;

/// The time between two looks. A look takes some ten microseconds.
const PAUSE: Duration = Duration::from_millis(20);

/// Stops the budget once this process has more than so many megabytes in use.
pub(crate) fn watch(budget: &Budget, megabytes: u64) -> Result<(), Failure> {
    if resident("self").is_none() {
        return Err(Failure::new(
            "`--memory` has no effect here: this system does not say how much memory is in use",
        ));
    }
    let limit = megabytes.saturating_mul(MEGABYTE);
    let budget = budget.clone();
    std::thread::spawn(move || {
        while budget.stopped().is_none() {
            if resident("self").is_some_and(|bytes| bytes > limit) {
                budget.stop(Exhausted::Memory);
            }
            std::thread::sleep(PAUSE);
        }
    });
    Ok(())
}

/// The bytes that a process (its number, or `self`) has in main memory. None if there is no such
/// process any more, or no `/proc`.
pub(crate) fn resident(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_ends_when_memory_does() {
        let bytes = resident("self").expect("this system should have /proc");
        assert!(bytes > MEGABYTE / 10);
        assert_eq!(resident("no-such-process"), None);
        let budget = Budget::unlimited();
        watch(&budget, 1_000_000).expect("memory should be seen");
        let small = Budget::unlimited();
        watch(&small, 1).expect("memory should be seen");
        while small.check().is_ok() {
            std::thread::yield_now();
        }
        assert_eq!(small.check(), Err(Exhausted::Memory));
        assert_eq!(budget.check(), Ok(()));
    }
}
