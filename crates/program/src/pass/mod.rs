//! Analyses of programs, and the transformations that verdicts rest on.
//!
//! Analyses look ([`loops`], [`callgraph`], [`liveness`], [`scc`]). Transformations return a new
//! program and the way back to the old one: [`pointer_calls`], [`inline`] after it, [`mod@scalarise`],
//! all of them as [`inlined`], [`nodes`] and [`cells`] after that, or [`products`], and the dropped declarations of [`liveness`]. Three change what a program means: [`unbounded`] its
//! integers, [`errors`] and [`goals`] what counts as an error. What engines do to programs besides, without being
//! trusted, is in the crate `encode`.
//!
//! # Invariants
//! - A transformation keeps every defined run that reaches an error location, with the same
//!   inputs, and adds none (those three aside). What else it keeps stands in its header. The tests
//!   of `exec` hold each against the machine.
//! - Transformations give well-formed programs; debug builds check it.

pub mod callgraph;
pub mod cells;
pub mod errors;
pub mod goals;
pub mod inline;
pub mod liveness;
pub mod loops;
pub mod nodes;
pub mod pointer_calls;
pub mod products;
pub mod rename;
pub mod scalarise;
pub mod scc;
mod steps;
pub mod unbounded;

use crate::ir::{Program, VarId};
use inline::{InlineLimit, inline_calls};
use scalarise::scalarise;

/// A set of variables of one program.
pub type VarSet = base::BitSet<VarId>;

/// The program with calls inlined, also those through pointers, and small objects as variables: what the labels of a proof speak
/// of, if it says so.
pub fn inlined(program: &Program, limit: InlineLimit) -> Program {
    scalarise(&inline_calls(program, limit).0)
}
