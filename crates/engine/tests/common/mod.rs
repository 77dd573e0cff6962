//! What the tests of the engines share.

use base::{Diagnostics, SourceMap};
use program::ir::Program;

/// The program of a text that should be right.
pub(crate) fn program(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("test", text.into()).expect("a short text");
    let mut diagnostics = Diagnostics::new();
    let program = program::text::read(&sources, file, &mut diagnostics);
    program.unwrap_or_else(|| panic!("{text}\n{:?}", diagnostics.iter().collect::<Vec<_>>()))
}
