//! What engines remove from a program before they analyse it.
//!
//! [`prepare`] combines several of these after inlining: [`mod@slice`] and [`dead`] drop what no
//! error depends on, [`split`] makes all loops reducible, [`phases`] splits those that reach a
//! distinguished cell. [`constants`] and [`unreachable`] are there for `cairn dump` and for
//! comparison.
//!
//! # Invariants
//! - A reduction preserves every defined run that reaches an error location, with the same inputs,
//!   and adds none; its header says what else it preserves. No verdict rests on that: proofs and
//!   traces are checked on the program before the reduction.
//! - The result is well-formed, up to [`program::validate::Shape::Merged`] where the reduction says
//!   so; debug builds check it.

pub mod constants;
pub mod dead;
pub mod phases;
pub mod prepare;
pub mod reaching;
pub mod slice;
pub mod split;
pub mod unreachable;
