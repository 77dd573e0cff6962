//! Summaries of loops and paths.
//!
//! # Invariants
//! - A summary over-approximates the runs it stands for; pieces that are exact say so.
