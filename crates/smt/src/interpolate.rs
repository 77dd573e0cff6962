//! Interpolation.

pub mod backward;
pub mod weaken;
