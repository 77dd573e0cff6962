//! Programs with the claims of a witness.

use crate::Loaded;
use crate::load::assert_rule;
use base::{Diagnostics, SourceMap, Span};
use cfront::ast::Ast;
use cfront::claim::{ClaimKind, ClaimText};
use lower::automaton::Automaton;
use program::ir::Program;

/// What is claimed of places of a program.
#[derive(Default)]
pub struct Claims {
    /// The number of the claim, where, when, and what.
    rows: Vec<(usize, u32, ClaimKind, String)>,
}

impl Claims {
    /// Adds that claim `index` is about what starts at a byte.
    pub fn add(&mut self, index: usize, at: u32, kind: ClaimKind, text: &str) {
        self.rows.push((index, at, kind, text.to_owned()));
    }

    /// The number of the claim in whose text a span lies, in the source map with the claims.
    pub fn index_of(&self, sources: &SourceMap, span: Span) -> Option<usize> {
        let file = sources.file_of(span)?;
        let before = sources.files().count() - self.rows.len();
        let added = sources.files().skip(before);
        let mut rows = added.zip(&self.rows);
        let row = rows.find(|((_, known), _)| known.base == file.base);
        row.map(|(_, row)| row.0)
    }
}

/// The program with checks of what is claimed of it, or beside an automaton that assumes it. If a
/// claim cannot be read: which, and why.
pub fn with_claims(
    loaded: &Loaded,
    ast: &Ast,
    claims: &Claims,
    automaton: Option<&Automaton>,
) -> Result<(Program, SourceMap), (Option<usize>, String)> {
    let mut sources = SourceMap::new();
    let mut add = |name: &str, text: Vec<u8>| {
        let file = sources.add(name, text);
        file.ok_or_else(|| (None, "the files are too large together".to_owned()))
    };
    let mut files = Vec::new();
    for (_, file) in loaded.sources.files() {
        files.push(add(&file.name, file.text.to_vec())?);
    }
    let mut texts = Vec::new();
    for (_, at, kind, text) in &claims.rows {
        let file = add("invariant", text.clone().into_bytes())?;
        texts.push(ClaimText {
            at: *at,
            kind: *kind,
            file,
        });
    }
    let mut diagnostics = Diagnostics::new();
    let request = &loaded.request;
    let options = cfront::Options {
        model: request.model,
    };
    let claimed =
        cfront::parse_with_claims(&mut sources, &files, &options, &texts, &mut diagnostics);
    let is_error = |row: &&base::Diagnostic| row.severity == base::Severity::Error;
    if let Some(error) = diagnostics.iter().find(is_error) {
        let index = claims.index_of(&sources, error.span);
        return Err((index, format!("cannot be read: {}", error.message)));
    }
    let (assert_is_error, _) = assert_rule(&request.selection, ast);
    let lowered = request.lower(&claimed, assert_is_error, automaton, &mut diagnostics);
    let lowered = lowered.ok_or_else(|| (None, "the program could not be lowered".to_owned()))?;
    Ok((lowered, sources))
}
