//! The calls into the front end, the lowering and the passes, in one place.

use crate::args::PassChoice;
use crate::load::Request;
use base::{Diagnostics, FileId, SourceMap};
use cfront::ast::Ast;
use cfront::claim::ClaimText;
use cfront::preprocess::{self, Preprocess};
use cfront::types::DataModel;
use encode::blocks_smt::smtlib;
use encode::reduce::constants::propagate_constants;
use encode::reduce::dead::{Removal, remove_dead};
use encode::reduce::slice::slice;
use encode::reduce::unreachable::remove_unreachable;
use lower::automaton::Automaton;
use program::ir::Program;
use program::pass::inline::{InlineLimit, inline_calls};
use program::pass::scalarise::scalarise;
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

/// Parses all files, with what is claimed of places in them.
pub(crate) fn parse(
    sources: &mut SourceMap,
    files: &[FileId],
    model: DataModel,
    claims: &[ClaimText],
    diagnostics: &mut Diagnostics,
) -> Ast {
    let options = cfront::Options { model };
    cfront::parse_with_claims(sources, files, &options, claims, diagnostics)
}

/// Lowers to the program, beside the automaton of a witness if there is one.
pub(crate) fn lower(
    ast: &Ast,
    request: &Request,
    assert_is_error: bool,
    automaton: Option<&Automaton>,
    diagnostics: &mut Diagnostics,
) -> Option<Program> {
    let options = lower::Options {
        entry: request.entry.clone(),
        properties: request.selection.properties.iter().copied().collect(),
        assert_is_error,
    };
    lower::lower_beside(ast, &options, automaton, diagnostics)
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

/// The large blocks as SMT-LIB.
pub(crate) fn print_smt(program: &Program, sources: &SourceMap) -> String {
    smtlib(program, Some(sources))
}

/// Applies a pass.
pub(crate) fn apply(pass: PassChoice, program: &Program) -> Program {
    // What an engine that looks for assertion failures would do.
    let removal = Removal {
        undefined: false,
        inputs: false,
    };
    match pass {
        PassChoice::Inline => inline_calls(program, InlineLimit::default()).0,
        PassChoice::Scalarise => scalarise(program),
        PassChoice::Fold => propagate_constants(program).0,
        PassChoice::Unreachable => remove_unreachable(program).0,
        PassChoice::Dead => remove_dead(program, removal),
        PassChoice::Slice => slice(program, removal),
    }
}
