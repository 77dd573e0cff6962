//! Values, terms and formulas, without any solver.
//!
//! [`machine`] has C's integers, [`integer`] and [`rational`] exact numbers, [`term`] the
//! hash-consed terms (their constructors also in [`linear`], [`real`] and [`array`]) with [`walk`]
//! to go through them, [`evaluate`] for their values, [`scope`] to drop and to copy them and
//! [`smtlib`] and [`infix`] to print them; [`read`] reads them back, and scripts. [`normal`]
//! has normal forms and [`simplify`] makes formulas smaller. [`solve`] puts what
//! symbols are equal to in their place. [`implicant`] makes cubes of formulas that
//! hold in a model. [`bits`] has terms over bit-vectors, apart from the others.
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
