//! Values, terms and formulas, without any solver.
//!
//! # Invariants
//! - Knows no solver and no program; arithmetic is exact.

pub mod machine;

pub use machine::{IntType, IntValue};
