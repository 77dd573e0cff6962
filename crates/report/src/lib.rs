//! What happened, as data for reports, and the reports: HTML, SARIF.
//!
//! # Invariants
//! - Reads files of its own for nothing: all that a report shows stands in its [`Report`].

pub mod findings;
pub mod html;
pub mod junit;
pub mod markup;
pub mod model;
pub mod sarif;
pub mod trace;

pub use model::Report;
