//! A small prover that refutes conjunctions of formulas and keeps the proof, from which
//! interpolants are read off.
//!
//! # Invariants
//! - Knows no other solver. It gives up, with a reason, on what it cannot refute.

mod arrays;
mod bounds;
pub mod congruence;
pub mod delta;
pub mod encode;
pub mod explain;
mod integers;
pub mod interpolant;
pub mod lattice;
pub mod learn;
pub mod linear;
pub mod literal;
mod order;
pub mod proof;
pub mod refute;
mod restart;
pub mod scope;
pub mod search;
pub mod shape;
pub mod simplex;
pub mod table;

pub use refute::{Answer, Limits, Refutation, refute};
pub use shape::{Problem, Shape};

/// A set of the parts of a problem.
pub type PartSet = base::BitSet<usize>;

#[cfg(test)]
mod tests;
