//! Texts whose uninitialised variables get the values of a run.
//!
//! C has no way to say what an uninitialised variable holds, so the text that is compiled gets an
//! initialiser behind each name, without moving any line.

use super::{Failing, spell};
use base::SourceFile;
use program::ir::{SiteId, SiteKind};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The function that gives the values of an uninitialised variable.
pub(super) fn name(site: SiteId) -> String {
    format!("cairn_uninitialised_{}", base::Id::index(site))
}

/// Whether the text says the name of the variable where it is declared, so that an initialiser
/// can stand behind it.
pub(super) fn is_patched(failing: &Failing<'_>, site: SiteId) -> bool {
    let row = &failing.program.sites[site];
    let snippet = failing.sources.snippet(row.span);
    let taken = failing
        .replayed
        .run
        .inputs
        .iter()
        .any(|&(other, _)| other == site);
    taken && row.kind == SiteKind::Uninitialized && snippet == row.name.as_bytes()
}

/// A file's text with initialisers. The error says which variable has no place for one.
pub fn patched(failing: &Failing<'_>, file: &SourceFile) -> Result<Vec<u8>, String> {
    let end = file.base as usize + file.text.len();
    let mut places = BTreeSet::new();
    for &(site, value) in &failing.replayed.run.inputs {
        let row = &failing.program.sites[site];
        let here = (file.base as usize..=end).contains(&(row.span.lo as usize));
        if row.kind != SiteKind::Uninitialized || !here {
            continue;
        }
        if is_patched(failing, site) {
            places.insert((row.span.hi - file.base, site));
        } else if value != row.ty.zero() {
            return Err(format!(
                "no compiler can be told the value of `{}`",
                row.name
            ));
        }
    }
    let mut text = Vec::new();
    let mut head = String::new();
    let mut done = 0;
    let mut last = None;
    for &(at, site) in &places {
        let ty = spell::holder(failing.program.sites[site].ty);
        let _ = write!(head, "extern {ty} {}(); ", name(site));
        // A variable that is declared once may come to life in several ways.
        if last == Some(at) {
            return Err("a variable comes to life in several ways".to_owned());
        }
        last = Some(at);
        text.extend_from_slice(&file.text[done..at as usize]);
        text.extend_from_slice(format!(" = {}()", name(site)).as_bytes());
        done = at as usize;
    }
    text.extend_from_slice(&file.text[done..]);
    let _ = write!(head, "\n# 1 \"{}\"\n", file.name);
    let mut whole = head.into_bytes();
    whole.extend_from_slice(&text);
    Ok(whole)
}
