//! What is to be decided: from files, task definitions and properties to a program.
//!
//! # Invariants
//! - Prints nothing: messages for the user are in [`Failure`], or are returned as diagnostics.

mod claims;
mod failure;
mod load;
mod pattern;
pub mod property;
pub mod task;

pub use claims::{Claims, with_claims};
pub use failure::Failure;
pub use load::{Loaded, Request, load, model_name, model_named};
pub use lower::FailingAllocations;
pub use pattern::expand;
