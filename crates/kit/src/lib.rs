//! The parts that engines share, without any engine's policy.
//!
//! [`prepared`] prepares a program and translates labels back to the original; [`path_formula`]
//! encodes a path, [`path_solver`] answers queries about one path after another; [`unwinding`] is
//! the tree of paths with labels and covers, and [`labelled_tree`] the same with a solver: expand,
//! cover, force cover, refine. [`path_inputs`] and [`test_runner`] turn a model into inputs, a run
//! and a trace. [`precision`] says what must be encoded more precisely, [`inexact`] what is only
//! approximated, [`opaque`] what has no formula at all. [`predicates`] are tracked at locations,
//! and [`abstract_post`] computes the effect of a block on them. [`trace_formula`] and
//! [`trace_runner`] are for paths through several procedures. [`cells`] and [`products`] choose
//! what the trusted passes of the same names track; [`rewritten`] translates outcomes back.
//! [`labels`] derives labels from summaries, [`holding`] finds which of many facts hold;
//! [`journal`] records the search. The cut graph underneath, and its encoding precision, are in
//! `encode`.
//!
//! # Invariants
//! - Nothing here decides what to look at next: that is an engine's policy.
//! - No verdict rests on it: what engines answer is checked.

pub mod abstract_post;
pub mod cells;
pub mod holding;
pub mod inexact;
pub mod journal;
pub mod labelled_tree;
pub mod labels;
pub mod opaque;
pub mod path_formula;
pub mod path_inputs;
pub mod path_solver;
pub mod precision;
pub mod predicates;
pub mod prepared;
pub mod procedures;
pub mod products;
pub mod rewritten;
pub mod test_runner;
pub mod trace_formula;
pub mod trace_runner;
pub mod unwinding;

pub use encode::{Context, CutGraph, EncodingPrecision};
pub use journal::Journal;
