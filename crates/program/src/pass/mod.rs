//! Analyses and transformations of programs.
//!
//! Analyses look ([`loops`], [`callgraph`], [`liveness`], [`reaching`], [`blocks`]);
//! transformations return a new program and the way back to the old one ([`inline`],
//! [`scalarise`], [`constants`], [`unreachable`], [`slice`], the removal of dead assignments in [`liveness`], and
//! [`prepare`], several of them; [`split`] makes all loops reducible). [`unbounded`] alone changes
//! what a program means.
//!
//! # Invariants
//! - A transformation keeps every defined run that reaches an error location, with the same
//!   inputs, and adds none ([`unbounded`] aside). What else it keeps stands in its header.
//! - Transformations give well-formed programs, up to [`crate::validate::Shape::Merged`] where
//!   they say so; debug builds check it.

pub mod blocks;
pub mod blocks_smt;
pub mod callgraph;
pub mod constants;
pub mod encode;
mod encode_int;
pub mod inline;
pub mod liveness;
pub mod loops;
pub mod prepare;
pub mod reaching;
mod rename;
pub mod scalarise;
pub mod scc;
pub mod slice;
pub mod split;
pub mod transition;
pub mod unbounded;
pub mod unreachable;
mod varset;

pub use varset::VarSet;
