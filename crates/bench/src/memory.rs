//! The memory in use by a process.

/// Bytes in a megabyte, as limits and reports count them.
pub const MEGABYTE: u64 = 1_000_000;

/// The bytes that a process (its number, or `self`) has in main memory. None if there is no such
/// process any more, or no `/proc`.
pub fn resident(process: &str) -> Option<u64> {
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
    fn memory_in_use_is_seen() {
        let bytes = resident("self").expect("this system should have /proc");
        assert!(bytes > MEGABYTE / 10);
        assert_eq!(resident("no-such-process"), None);
    }
}
