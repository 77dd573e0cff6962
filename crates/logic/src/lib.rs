//! Values, terms and formulas, without any solver.
//!
//! [`machine`] has C's integers, [`integer`] and [`rational`] exact numbers, [`term`] the
//! hash-consed terms (further constructors in [`linear`], [`real`] and [`array`]) with [`walk`] for
//! traversal, [`evaluate`] for evaluation, [`scope`] for dropping and copying terms, and [`smtlib`]
//! and [`infix`] for printing; [`read`] parses terms and scripts. [`normal`] has normal forms and
//! [`simplify`] simplifies formulas. [`solve`] substitutes symbols by terms they are equal to.
//! [`implicant`] extracts cubes that hold in a model from formulas. [`bits`] has terms over
//! bit-vectors, separate from the others.
//!
//! # Invariants
//! - Knows no solver and no program; arithmetic is exact.

pub mod array;
pub mod bits;
pub mod evaluate;
pub mod implicant;
pub mod infix;
pub mod integer;
pub mod interval;
pub mod linear;
pub mod machine;
pub mod normal;
pub mod rational;
pub mod read;
pub mod real;
pub mod scope;
pub mod simplify;
pub mod smtlib;
pub mod solve;
pub mod sparse;
pub mod store_epoch;
pub mod term;
pub mod walk;

pub use bits::float::{FloatBinary, FloatType, FloatUnary};
pub use bits::{BitComparison, BitId, BitNode, BitOp, BitStore};
pub use evaluate::{ArrayValue, Assignment, FunctionValue, Interpretation, TermValue};
pub use implicant::implicant;
pub use infix::infix;
pub use integer::Integer;
pub use machine::{IntType, IntValue};
pub use rational::Rational;
pub use scope::Mark;
pub use store_epoch::Epoch;
pub use term::{Function, FunctionId, Named, Node, Sort, Symbol, SymbolId, TermId, TermStore};

#[cfg(test)]
mod tests;
