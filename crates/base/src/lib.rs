//! Foundations for every other crate: typed ids, source positions, diagnostics, budgets and
//! reproducible random numbers.
//!
//! # Invariants
//! - Depends on no other crate of the workspace.
//! - Nothing here prints; rendering a [`Diagnostic`] is up to the command line.

pub mod bit_set;
pub mod budget;
pub mod counters;
pub mod diagnostic;
mod escape;
pub mod id;
mod named;
pub mod place;
pub mod rng;
pub mod source;

pub use bit_set::BitSet;
pub use budget::{Budget, Event, Exhausted, Observer};
pub use counters::Counters;
pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use escape::escaped;
pub use id::{Id, IdVec};
pub use rng::Rng;
pub use source::{FileId, Position, SourceFile, SourceMap, Span};
