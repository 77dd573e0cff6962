//! Constrained Horn clauses: data types, text format, and certificates of answers.
//!
//! [`system`] has relations and clauses, [`read`] parses them and [`print`] prints them. A
//! [`Model`] says that no clause derives false, a [`Derivation`] that some do; both are data here,
//! checked in `certify`.
//!
//! # Invariants
//! - Knows no solver and no engine.
//! - The constraint of a clause contains no relation, and the arguments of an atom have the sorts
//!   that its relation declares.

pub mod derivation;
pub mod model;
pub mod print;
pub mod read;
pub mod system;

pub use derivation::{Derivation, Step, StepId};
pub use model::{Definition, Model};
pub use read::read;
pub use system::{Atom, Clause, ClauseId, Relation, RelationId, System};
