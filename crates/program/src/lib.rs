//! The program as engines see it: procedures as control-flow automata.
//!
//! [`ir`] has the data, [`lower`] makes it from C, `text` reads and prints it, `validate` says
//! what well-formed means, and `pass` holds the transformations.
//!
//! # Invariants
//! - Every pass returns the way back: edges keep their source spans, inlined ones also their
//!   call sites, and every source of non-determinism keeps its [`ir::SiteId`].

pub mod build;
pub mod c_expr;
pub mod dot;
pub mod expr;
pub mod fold;
pub mod ir;
pub mod library;
pub mod lower;
pub mod math;
pub mod pass;
pub mod random;
#[cfg(test)]
mod testing;
pub mod text;
mod typing;
pub mod undefined;
pub mod validate;
pub mod values;
