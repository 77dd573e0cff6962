//! The solver: Z3 in the process.
//!
//! [`Solver`] is the way in: it keeps what is asserted, answers from models it remembers where it
//! can, and else asks Z3 through `session`, which translates terms and follows the scopes.
//! [`BitSolver`] is the way in for questions in bit-vectors, [`spacer`](mod@spacer) for Horn
//! clauses.
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
mod sat;
mod session;
pub mod solver;
pub mod spacer;
mod translate;
mod z3;

pub use bits::{BitModel, BitSolver};
pub use log::QueryLog;
pub use model::Model;
pub use solver::{Answer, Solver};
pub use spacer::{SpacerAnswer, SpacerConfig, spacer};
pub use z3::version::version;
