//! Our own thin, safe wrapper of Z3's C interface.
//!
//! Z3's objects are reference-counted by [`context::Counted`]; an error is a string, never a crash.
//! Symbols are numbers to Z3, because it keeps the text of a name forever.
//!
//! # Invariants
//! - No other module calls the C interface.
//! - A null pointer or an error code from Z3 becomes an `Err` before anything else is done with it.

pub(crate) mod bits;
pub(crate) mod build;
pub(crate) mod context;
pub(crate) mod effort;
pub(crate) mod engine;
pub(crate) mod fixedpoint;
pub(crate) mod floats;
pub(crate) mod read;
pub(crate) mod term;
pub(crate) mod version;
