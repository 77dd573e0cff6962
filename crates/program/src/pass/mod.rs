//! Analyses of programs, and the transformations that verdicts rest on.
//!
//! Analyses only inspect ([`loops`], [`callgraph`], [`liveness`], [`scc`]). Transformations return
//! a new program and the way back to the old one: [`pointer_calls`], [`inline`] after it,
//! [`mod@scalarise`], all of them as [`inlined`], then [`nodes`] and [`cells`], or [`products`], and
//! the dropped declarations of [`liveness`]. Three change the meaning of a program: [`unbounded`]
//! its integers, [`errors`] and [`goals`] what counts as an error. Untrusted transformations for
//! engines are in the crate `encode`.
//!
//! # Invariants
//! - A transformation preserves every defined run that reaches an error location, with the same
//!   inputs, and adds none (those three aside). Its header says what else it preserves. The tests
//!   of `exec` check each differentially against the machine.
//! - Transformations return well-formed programs; debug builds check it.

pub mod callgraph;
pub mod cells;
mod common_reads;
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

/// The program with calls inlined, also those through pointers, and small objects as variables:
/// what the labels of a proof are about, if it says so.
pub fn inlined(program: &Program, limit: InlineLimit) -> Program {
    scalarise(&inline_calls(program, limit).0)
}
