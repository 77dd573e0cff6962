//! What engines leave out of a program before they look at it.
//!
//! [`prepare`] does several of these after inlining: [`mod@slice`] and [`dead`] drop what no error
//! depends on, [`split`] makes all loops reducible, [`phases`] cuts those that come to a distinguished cell. [`constants`] and [`unreachable`] are there for
//! `cairn dump` and for comparison.
//!
//! # Invariants
//! - A reduction keeps every defined run that reaches an error location, with the same inputs, and
//!   adds none; what else it keeps stands in its header. No verdict rests on that: proofs and
//!   traces are checked on the program before.
//! - Well-formed programs come out, up to [`program::validate::Shape::Merged`] where it says so;
//!   debug builds check it.

pub mod constants;
pub mod dead;
pub mod phases;
pub mod prepare;
pub mod reaching;
pub mod slice;
pub mod split;
pub mod unreachable;
