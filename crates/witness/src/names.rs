//! Which variables of a program have a name at a source loop, and which name.

use base::{SourceMap, Span};
use cfront::ast::Ast;
use cfront::types::TypeId;
use program::ir::{LoopStatement, Meaning, Program, Scope, VarId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What can be named at a loop.
pub(crate) struct Visible<'a> {
    /// The variables.
    pub(crate) vars: BTreeMap<VarId, &'a str>,
    /// Names that mean something of the procedure: no global is meant by them.
    pub(crate) taken: BTreeSet<&'a str>,
}

/// What can be named at the keyword of a loop statement; without one, the global variables that
/// are declared before the place of the loop.
pub(crate) fn visible<'a>(
    program: &'a Program,
    sources: &SourceMap,
    statement: Option<&'a LoopStatement>,
    place: Span,
) -> Visible<'a> {
    let listed = || statement.iter().flat_map(|row| &row.names);
    let taken: BTreeSet<&str> = listed().map(|(name, _)| &**name).collect();
    let globals = program.vars.iter_enumerated().filter(|(_, row)| {
        row.scope == Scope::Global
            && is_identifier(&row.name)
            && !taken.contains(&*row.name)
            && is_before(sources, row.span, place)
    });
    let own = listed().filter_map(|(name, meaning)| match *meaning {
        Meaning::Var(var) => Some((var, &**name)),
        Meaning::Object(_) | Meaning::Other => None,
    });
    Visible {
        vars: (globals.map(|(var, row)| (var, &*row.name)))
            .chain(own)
            .collect(),
        taken,
    }
}

/// The types of variables, by their declarations.
pub fn declared_types(ast: &Ast) -> FxHashMap<(Span, Arc<str>), TypeId> {
    let bodies = ast.functions.iter().filter_map(|row| row.body.as_ref());
    let locals = bodies.flat_map(|body| body.locals.iter());
    let locals = locals.map(|row| ((row.span, row.name.clone()), row.ty.ty));
    let globals = ast.globals.iter();
    let globals = globals.map(|row| ((row.span, row.name.clone()), row.ty.ty));
    locals.chain(globals).collect()
}

/// Whether something comes before a place of the same text.
pub(crate) fn is_before(sources: &SourceMap, at: Span, place: Span) -> bool {
    let [one, other] = [at, place].map(|span| sources.file_of(span).map(|file| file.base));
    one.is_some() && one == other && at.lo < place.lo
}

/// Whether C could call something so.
pub(crate) fn is_identifier(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !name.is_empty()
        && name.chars().all(is_plain)
        && !name.starts_with(|c: char| c.is_ascii_digit())
}
