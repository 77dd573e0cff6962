//! Tests of the solver, in one program since each links Z3.

mod brute;
mod grid;
mod limits;
mod log;
mod theories;
