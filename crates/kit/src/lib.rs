//! What engines share, with no engine's policy in it.
//!
//! [`prepared`] makes a program ready and brings labels back to it; [`path_formula`] describes a
//! path, [`path_solver`] asks about one after another; [`unwinding`] is the tree of paths with
//! labels and covers; [`labels`] reads labels off summaries; [`journal`] takes down what was done.
//!
//! # Invariants
//! - Nothing here decides what to look at next: that is an engine's policy.
//! - No verdict rests on it: what engines answer is checked.

pub mod journal;
pub mod labels;
pub mod path_formula;
pub mod path_solver;
pub mod prepared;
pub mod unwinding;

pub use journal::Journal;
