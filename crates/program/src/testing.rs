//! Helpers shared by tests.

use crate::ir::Program;
use base::{Diagnostics, SourceMap};

/// The program of a text that should be right.
pub fn parse(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("p", text.into());
    let file = file.expect("the text should be short");
    let mut diagnostics = Diagnostics::new();
    let program = crate::text::read(&sources, file, &mut diagnostics);
    program.unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"))
}
