//! Summaries of loops and paths.
//!
//! A loop's summary relates the state at its head to the states there after any number of
//! iterations. It comes from one iteration of the loop ([`nest`]) by the operators of [`closure`],
//! which are bought in levels. From these [`to_error`] makes, for every cut point, a formula that
//! holds of every state from which an error location can be reached; [`procedure`] says what a
//! procedure does from its entry, with the calls that it makes left open.
//!
//! # Paper
//! [fang2025software], section 6, on the forward loop nest instead of the reversed graph: one
//! closure for each loop of the source, at its head.
//!
//! # Invariants
//! - A summary over-approximates the runs it stands for; pieces that are exact say so.
//! - A closure `S` of an iteration `F` is closed under iterations before it: `F ; S` implies `S`.
//!   Labels made of summaries are inductive because of this.

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
