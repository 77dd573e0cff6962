//! The solver: Z3 in the process, projection, and interpolation on top of it and of the prover.
//!
//! # Invariants
//! - The only crate that knows Z3.
