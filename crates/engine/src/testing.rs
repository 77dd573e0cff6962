//! Programs for tests, from their text.

use base::{Diagnostics, SourceMap};
use logic::{IntType, IntValue};
use program::expr::Constant;
use program::ir::Program;

/// Reads a program.
pub(crate) fn program(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("p", text.into()).expect("a short text");
    let mut diagnostics = Diagnostics::new();
    program::text::read(&sources, file, &mut diagnostics).expect("a program")
}

/// A value of an `i32`.
pub(crate) fn number(value: i32) -> Constant {
    Constant::Int(IntValue::wrap(IntType::signed(32), i128::from(value)))
}
