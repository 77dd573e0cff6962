//! Parses SMT-LIB 2 scripts and terms into a store.
//!
//! Supported: Booleans, linear arithmetic of integers and reals, arrays of integers, functions,
//! `let`, `define-fun`, named assertions, `push` and `pop`, and SMTInterpol's `get-interpolants`;
//! and scripts of Horn clauses ([`clauses`]). Where SMT-LIB wants a real, an integer is accepted.
//! Anything else is rejected with its position. Names are kept as they are, so what
//! [`smtlib`](crate::smtlib) prints reads back as the same term.
//!
//! # Invariants
//! - Nothing is recursive, however deep the text is nested.
//! - A name that a script declares is that name's symbol in the store, if it has the same sort.

mod clauses;
mod command;
mod forest;
mod operator;
mod partition;
mod term;

use crate::term::{TermId, TermStore};
use base::{Diagnostic, SourceFile, Span};
use std::sync::Arc;
use term::Reader;

pub use clauses::{ClauseScript, DeclaredRelation, clauses};

/// What could not be read, and why.
pub type Refusal = Box<Diagnostic>;
/// What was read, or why it could not be.
pub type Read<T> = Result<T, Refusal>;

/// A command with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Command {
    /// Its location.
    pub span: Span,
    /// What it says.
    pub action: Action,
}

/// What a command asks for. Declarations and definitions ask for nothing: they are in the store.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// The formula holds.
    Assert {
        /// The formula.
        formula: TermId,
        /// What `:named` calls it.
        name: Option<Arc<str>>,
    },
    /// Whether the formulas so far are consistent.
    CheckSat,
    /// Values that show it.
    GetModel,
    /// Interpolants of named formulas.
    GetInterpolants(Partition),
    /// Remember the formulas so far, this many times.
    Push(usize),
    /// Forget the formulas since as many `push`es ago.
    Pop(usize),
    /// Say something.
    Echo(String),
    /// Read no further.
    Exit,
}

/// The parts of an interpolation problem, in an order in which each comes before its parent.
#[derive(Clone, PartialEq, Debug)]
pub struct Partition {
    /// The formulas: a name, or several joined by `and`.
    pub parts: Vec<Part>,
    /// The parents of all but the last part, which is the root.
    pub parents: Vec<usize>,
}

/// A part of an interpolation problem.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// The names of its assertions.
    pub names: Vec<Arc<str>>,
    /// Their conjunction.
    pub formula: TermId,
}

/// Reads a script.
pub fn script(store: &mut TermStore, file: &SourceFile) -> Read<Vec<Command>> {
    let forest = forest::Forest::read(&file.text, file.base)?;
    Reader::new(store, &forest).script()
}

/// Reads one term over the symbols and functions of the store.
pub fn term(store: &mut TermStore, text: &str) -> Read<TermId> {
    let forest = forest::Forest::read(text.as_bytes(), 1)?;
    let mut reader = Reader::new(store, &forest);
    reader.know_the_store();
    match forest.roots() {
        [root] => reader.term(*root),
        [] => Err(forest.refuse(forest.end(), "a term should stand here")),
        [_, second, ..] => Err(forest.refuse(forest.span(*second), "the term ends before this")),
    }
}
