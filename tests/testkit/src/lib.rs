//! What tests and campaigns share: random programs, random interpolation problems, and the states
//! of runs. Crates depend on it for their tests only.

pub mod problems;
pub mod random;
pub mod sample;
