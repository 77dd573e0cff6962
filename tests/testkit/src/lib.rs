//! What tests and campaigns share: random programs, random interpolation problems, the states
//! of runs, and programs as texts. Crates depend on it for their tests only.

pub mod problems;
pub mod random;
pub mod sample;
pub mod texts;
