//! Programs from C text, for tests and benchmarks.

use base::{Diagnostics, SourceMap};
use encode::reduce::prepare::prepare;
use program::ir::Program;
use program::pass::inline::InlineLimit;

/// The program of a C text that should be right, prepared as engines do.
pub(crate) fn prepared(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add("p.c", text.into());
    let file = file.expect("the text should be short");
    let options = cfront::Options::default();
    let ast = cfront::parse(&mut sources, &[file], &options, &mut diagnostics);
    let options = lower::Options::default();
    let program = lower::lower(&ast, &options, &mut diagnostics);
    let program = program.unwrap_or_else(|| panic!("{diagnostics:?}"));
    prepare(&program, InlineLimit::default(), false)
}
