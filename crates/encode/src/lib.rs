//! The program as the searching engines see it: reduced, and as formulas.
//!
//! [`reduce`] drops what no error depends on; [`encoder`] makes terms of expressions,
//! [`transition`] relations between states, [`blocks`] one such relation per large block, and
//! [`cut_graph`] the graph of these blocks with its loops, at the precision asked for. Calls that
//! are not inlined are replaced by a [`contract`] over the entry values that [`frames`] keeps.
//!
//! # Invariants
//! - No verdict rests on this crate: `certify` has an encoding of its own and does not know this
//!   one.

pub mod blocks;
pub mod blocks_smt;
pub mod context;
pub mod contract;
pub mod cut_graph;
pub mod encoder;
pub mod frames;
pub mod on_variables;
pub mod reduce;
pub mod transition;

pub use context::Context;
pub use contract::{CallSite, Contract, Contracts};
pub use cut_graph::{CutGraph, EncodingPrecision, Renewed};
pub use frames::{Frame, Frames};
pub use transition::Substitution;
