//! The calls into the front end, the lowering and the passes, in one place.

use crate::load::Request;
use base::{Diagnostics, FileId, SourceMap};
use cfront::ast::Ast;
use cfront::types::{DataModel, Types};
use program::ir::Program;
use std::path::{Path, PathBuf};

/// Reads one C file, through the preprocessor where it needs it.
pub(crate) fn read(
    _model: DataModel,
    _include: &[PathBuf],
    _define: &[String],
    path: &Path,
    sources: &mut SourceMap,
) -> Result<FileId, String> {
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    sources
        .add(&path.to_string_lossy(), text)
        .ok_or_else(|| "the files are too large".to_owned())
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
    format!("{ast:#?}\n")
}

/// The automata as text.
pub(crate) fn print_cfa(program: &Program) -> String {
    format!("{program:#?}\n")
}

/// The automata for Graphviz.
pub(crate) fn print_dot(_program: &Program) -> String {
    String::new()
}

/// Applies a pass.
pub(crate) fn apply(pass: crate::args::PassChoice, _program: &mut Program) -> Result<(), String> {
    Err(format!("pass {pass:?} does not exist yet"))
}
