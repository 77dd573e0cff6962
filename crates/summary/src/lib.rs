//! Summaries of loops and paths.
//!
//! # Invariants
//! - A summary over-approximates the runs it stands for; pieces that are exact say so.

pub mod dominators;
pub mod expression;
pub mod single_source;
