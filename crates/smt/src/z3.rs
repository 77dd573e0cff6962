//! Our own thin and safe cover of Z3's C interface.
//!
//! Z3's objects are counted by [`context::Counted`]; an error is a text, never a crash. Symbols are
//! numbers to Z3, because it keeps the text of a name for ever.
//!
//! # Invariants
//! - No other module calls the C interface.
//! - A null pointer or an error code from Z3 is an `Err` before anything else is done with it.

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
