//! The program as the searching engines see it: reduced, and as formulas.
//!
//! [`reduce`] leaves out what no error depends on; [`encoder`] makes terms of expressions,
//! [`transition`] relations between states, [`blocks`] one such relation of a stretch of edges.
//!
//! # Invariants
//! - No verdict rests on this crate: `certify` has an encoding of its own and does not know this one.

pub mod blocks;
pub mod blocks_smt;
pub mod encoder;
pub mod reduce;
pub mod transition;
