//! The solver: Z3 in the process, projection, and interpolation on top of it and of the prover.
//!
//! # Invariants
//! - The only crate that knows Z3.

#![allow(unsafe_code, reason = "Z3 is a C library; only `z3` calls it")]

mod z3;

pub use z3::version::version;
