//! Abstract domains, the forward analysis over the automata, and symbolic abstraction of formulas.
//!
//! # Invariants
//! - Sound for the IR's semantics: every defined run is covered, whatever the budget.

mod affine;
pub mod forward;
mod linear_program;
mod modular;
mod octagon;
mod polyhedron;
pub mod row;
pub mod symbolic;
mod value;
mod vector;

pub use forward::{Invariants, Options};
pub use polyhedron::Polyhedron;
pub use row::{Kind, Row};
