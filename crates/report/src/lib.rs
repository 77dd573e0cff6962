//! The answer as data, and its printers: an [`Answer`] is built once, by a [`Reporter`], and
//! printed as JSON, HTML, SARIF or JUnit; the command line prints it as text.
//!
//! # Invariants
//! - Everything a printer shows is in its [`Answer`]; printers look at no program.

pub mod answer;
mod coverage;
pub mod forward_invariants;
pub mod html;
pub mod json;
pub mod junit;
pub mod loops;
pub mod markup;
mod page;
pub mod place;
mod reporter;
mod rules;
pub mod sarif;
pub mod search_log;
pub mod suite;
pub mod trace;

pub use answer::Answer;
pub use reporter::Reporter;
pub use suite::SuiteReport;
