//! C text to a typed syntax tree.
//!
//! [`preprocess`] runs the system's preprocessor if needed, [`lex`] splits text into tokens, and
//! the parser builds the typed tree of [`ast`] in one pass: names are resolved, implicit
//! conversions made explicit, constants folded and initialisers flattened.
//!
//! # Invariants
//! - A construct ends up in the tree or as a diagnostic; nothing is dropped.
//! - No input makes it panic, hang or use unbounded stack.

mod annotation;
pub mod ast;
pub mod check;
pub mod claim;
mod convert;
mod directive;
mod float;
pub mod fold;
pub mod layout;
pub mod lex;
pub mod literal;
mod parser;
mod part;
pub mod preprocess;
pub mod print;
mod size;
mod spell;
pub mod token;
pub mod types;

use ast::Ast;
use base::{Diagnostic, Diagnostics, FileId, SourceMap, Span};
use claim::ClaimText;
use types::{DataModel, Types};

/// What the text alone does not say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Sizes of types.
    pub model: DataModel,
}

/// Bytes of stack for parsing: reserved, and used only as far as the text nests.
const STACK: usize = 512 << 20;

/// Parses translation units, already preprocessed, and links them by name. The tree is meaningful
/// only if no error was reported.
pub fn parse(
    map: &mut SourceMap,
    files: &[FileId],
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Ast {
    parse_with_claims(map, files, options, &[], diagnostics)
}

/// The same, with claims about places of the units. One whose place is not met is not in the tree.
pub fn parse_with_claims(
    map: &mut SourceMap,
    files: &[FileId],
    options: &Options,
    claims: &[ClaimText],
    diagnostics: &mut Diagnostics,
) -> Ast {
    let spawned = std::thread::scope(|scope| {
        std::thread::Builder::new()
            .name("parser".to_owned())
            .stack_size(STACK)
            .spawn_scoped(scope, || {
                parser::parse(map, files, options, claims, diagnostics)
            })
            .map(|thread| match thread.join() {
                Ok(ast) => ast,
                Err(panic) => std::panic::resume_unwind(panic),
            })
    });
    spawned.unwrap_or_else(|fault| {
        let message = format!("cannot start the parser: {fault}");
        diagnostics.push(Diagnostic::error(Span::NONE, message));
        Ast {
            types: Types::new(options.model),
            globals: base::IdVec::new(),
            functions: base::IdVec::new(),
            strings: base::IdVec::new(),
            unmodelled: Vec::new(),
        }
    })
}
