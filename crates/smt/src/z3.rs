//! Our own thin and safe cover of Z3's C interface.
//!
//! # Invariants
//! - No other module calls the C interface.

pub(crate) mod version;
