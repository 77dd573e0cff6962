//! Certificates in exchange formats: SV-COMP witnesses, and C files that make a compiled program
//! fail.
//!
//! # Invariants
//! - Nothing here decides: a witness that is read becomes a proof or a trace that `certify` checks.

pub mod confirm;
pub mod constraint;
mod edit;
pub mod evidence;
pub mod follow;
pub mod format;
pub mod invariants;
pub mod names;
pub mod position;
pub mod product;
pub mod test_driver;
pub mod violation;
