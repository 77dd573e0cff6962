//! Abstract domains, the forward analysis over the automata, and symbolic abstraction of formulas.
//!
//! # Invariants
//! - Sound over the IR's semantics: every defined run is covered, whatever the budget.

pub mod affine;
mod eliminate;
pub mod forward;
mod modular;
mod octagon;
pub mod optimum;
pub mod polyhedron;
pub mod row;
pub mod symbolic;
pub mod value;
mod vector;

pub use affine::Affine;
pub use forward::{Invariants, Options};
pub use polyhedron::{Effort, Polyhedron};
pub use row::{Kind, Row, to_formula};
