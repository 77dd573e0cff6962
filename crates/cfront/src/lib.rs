//! C text to a typed syntax tree.
//!
//! [`preprocess`] runs the system's preprocessor where needed, [`lex`] cuts text into tokens, and
//! the parser builds the typed tree of [`ast`] in one pass: names are resolved, every implicit
//! conversion is written out, constants are folded and initialisers are flattened.
//!
//! # Invariants
//! - A construct is in the tree or is a diagnostic; nothing is dropped.
//! - No input makes it panic, hang or use unbounded stack.

pub mod ast;
mod convert;
mod directive;
mod float;
pub mod fold;
pub mod layout;
pub mod lex;
pub mod literal;
pub mod preprocess;
pub mod print;
mod size;
mod spell;
pub mod token;
pub mod types;
