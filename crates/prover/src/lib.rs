//! A small prover that refutes conjunctions of formulas and says how: the proofs have interpolants.
//!
//! # Invariants
//! - Knows no other solver. What it cannot refute it gives up, with a reason.

pub mod shape;

pub use shape::Shape;
