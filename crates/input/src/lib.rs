//! What is to be decided: from files, task definitions and properties to a program.
//!
//! # Invariants
//! - Prints nothing: what a person should know is in [`Failure`], or comes back as diagnostics.

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
