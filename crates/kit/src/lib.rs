//! What engines share, with no engine's policy in it.
//!
//! [`prepared`] makes a program ready and brings labels back to it; [`path_formula`] describes a
//! path, [`path_solver`] asks about one after another; [`unwinding`] is the tree of paths with
//! labels and covers, and [`labelled_tree`] the same with a solver: expand, cover, force cover,
//! refine. [`path_inputs`] and [`test_runner`] make of a model inputs, a run and a trace.
//! [`precision`] says what must be described more precisely, [`inexact`] what is described roughly, [`opaque`]
//! what is not described at all. [`predicates`] are tracked at locations, and [`abstract_post`] says over them what a block does.
//! [`trace_formula`] and [`trace_runner`] are for paths through several procedures. [`cells`] and [`products`] choose what the
//! trusted passes of these names track, [`rewritten`] is the way back. [`labels`]
//! reads labels off summaries, [`holding`] says which of many facts hold; [`journal`] takes down
//! what was done. The cut graph that all this walks over, and the precision with which it is
//! described, stand in `encode`.
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
