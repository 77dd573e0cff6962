//! Exit codes, and the message for internal errors.

/// All properties hold; a run ended by itself.
pub(crate) const SAFE: u8 = 0;
/// A property is violated.
pub(crate) const UNSAFE: u8 = 1;
/// Wrong usage or wrong input.
pub(crate) const ERROR: u8 = 2;
/// No verdict; also where we are at fault.
pub(crate) const UNKNOWN: u8 = 3;

/// Added to internal errors.
pub(crate) const PLEASE_REPORT: &str =
    "this is a bug in cairn; please report it with the input that causes it";
