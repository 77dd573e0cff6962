//! Values, terms and formulas, without any solver.
//!
//! [`machine`] has C's integers, [`integer`] exact ones, [`term`] the hash-consed terms with
//! [`walk`] to go through them and [`smtlib`] to print them.
//!
//! # Invariants
//! - Knows no solver and no program; arithmetic is exact.

pub mod integer;
pub mod machine;
pub mod random;
