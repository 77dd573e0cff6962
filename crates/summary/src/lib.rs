//! Summaries of loops and paths.
//!
//! A loop's summary relates the state at its head to the states there after any number of
//! iterations. It is computed from one iteration of the loop ([`nest`]) by the operators of
//! [`closure`], which come in levels of increasing cost. From these, [`to_error`] builds a formula
//! for every cut point that holds in every state from which an error location can be reached;
//! [`procedure`] says what a procedure does from its entry, with its calls left open.
//!
//! # Paper
//! [fang2025software], section 6, on the forward loop nest instead of the reversed graph: one
//! closure for each source loop, at its head.
//!
//! # Invariants
//! - A summary over-approximates the runs it stands for; exact parts are marked as such.
//! - A closure `S` of an iteration `F` is closed under prepending iterations: `F ; S` implies `S`.
//!   This is why labels made of summaries are inductive.

pub mod closure;
pub mod nest;
pub mod paths;
pub mod procedure;
pub mod reversed;
pub mod to_error;

/// Which path-to-error summaries are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// On the forward loop nest, bought in levels.
    #[default]
    Cairn,
    /// On the reversed graph, with all operators at once.
    Paper,
}

pub use closure::Level;
pub use nest::{LoopNestSummaries, Star};
pub use procedure::{OpenCall, ProcedureBody};
pub use to_error::ToError;
