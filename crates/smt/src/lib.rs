//! The solver: Z3, in process.
//!
//! [`Solver`] is the entry point: it keeps the assertions, answers from cached models if it can,
//! and otherwise asks Z3 through `session`, which translates terms and tracks scopes. [`BitSolver`]
//! is the entry point for bit-vector queries, [`spacer`](mod@spacer) for Horn clauses.
//!
//! # Invariants
//! - The only crate that knows Z3, and a SAT solver beside it (`sat`).
//! - An error, a panic or an "unknown" on the way to an answer is [`Answer::Unknown`].

#![allow(unsafe_code, reason = "Z3 is a C library; only `z3` calls it")]

pub mod bits;
mod blast;
pub mod core;
pub mod log;
pub mod model;
mod model_cache;
#[cfg(test)]
mod operation_claims;
mod sat;
mod session;
pub mod solver;
pub mod spacer;
mod translate;
mod z3;

pub use bits::{BitModel, BitSolver};
pub use log::QueryLog;
pub use model::Model;
pub use solver::{Answer, Solver, start_afresh};
pub use spacer::{SpacerAnswer, SpacerConfig, spacer};
pub use z3::version::version;
