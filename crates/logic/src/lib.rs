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
pub mod rational;
pub mod smtlib;
pub mod term;
pub mod walk;

pub use integer::Integer;
pub use machine::{IntType, IntValue};
pub use rational::Rational;
pub use term::{Node, Sort, Symbol, SymbolId, TermId, TermStore};
pub use walk::TermValue;

#[cfg(test)]
mod tests;
