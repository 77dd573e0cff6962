//! The calls into the front end, the lowering and the passes, in one place.

use crate::load::Request;
use base::{Diagnostics, FileId, SourceMap};
use cfront::ast::Ast;
use cfront::preprocess::{self, Preprocess};
use cfront::types::{DataModel, Types};
use program::ir::Program;
use std::path::Path;

/// Reads one C file, through the preprocessor where it needs it.
pub(crate) fn read(
    options: &Preprocess,
    path: &Path,
    sources: &mut SourceMap,
) -> Result<FileId, String> {
    let text = preprocess::load(path, options)?;
    if text.contains(&0) {
        return Err(format!("`{}` is not a C text", path.display()));
    }
    sources
        .add(&path.to_string_lossy(), text)
        .ok_or_else(|| "the files are too large together".to_owned())
}

/// Parses all files.
pub(crate) fn parse(
    _sources: &mut SourceMap,
    _files: &[FileId],
    model: DataModel,
    _diagnostics: &mut Diagnostics,
) -> Ast {
    Ast {
        types: Types::new(model),
        globals: base::IdVec::new(),
        functions: base::IdVec::new(),
        strings: base::IdVec::new(),
    }
}

/// Lowers to the program.
pub(crate) fn lower(
    _ast: &Ast,
    _request: &Request,
    _assert_is_error: bool,
    _diagnostics: &mut Diagnostics,
) -> Option<Program> {
    None
}

/// The syntax tree as text.
pub(crate) fn print_ast(ast: &Ast) -> String {
    cfront::print::print(ast)
}

/// The automata as text.
pub(crate) fn print_cfa(program: &Program, sources: &SourceMap) -> String {
    program::text::print(program, program::text::Spans::Comments(sources))
}

/// The automata for Graphviz.
pub(crate) fn print_dot(program: &Program, sources: &SourceMap) -> String {
    program::dot::program(program, Some(sources))
}

/// Applies a pass.
pub(crate) fn apply(pass: crate::args::PassChoice, _program: &mut Program) -> Result<(), String> {
    Err(format!("pass {pass:?} does not exist yet"))
}
