//! The intermediate representation: procedures as control-flow automata.
//!
//! [`ir`] has the data types, `text` reads and prints them, `validate` defines well-formedness, and
//! `pass` holds analyses and transformations. The crate `lower` translates C into this form.
//!
//! # Invariants
//! - Every pass returns the way back: edges keep their source spans, inlined ones also their call
//!   sites, and every source of non-determinism keeps its [`ir::SiteId`].

pub mod build;
pub mod c_expr;
pub mod dot;
pub mod expr;
pub mod fold;
pub mod ir;
pub mod library;
pub mod math;
pub mod operators;
pub mod pass;
pub mod testing;
pub mod text;
mod typing;
pub mod undefined;
pub mod validate;
pub mod values;
