//! A copy of the program's sources for what a driver alone cannot do: uninitialised variables get
//! the values of the run, and loops leap where the run does.
//!
//! C has no way to specify the value of an uninitialised variable, so the text that is compiled
//! gets an initialiser after each name. If the initial bytes from `malloc` matter, it calls a
//! function of the driver instead, which sets them. No line moves.

use super::{Failing, leap, nonzero, spell};
use crate::edit::{Edits, Order};
use program::ir::{SiteId, SiteKind};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Texts to compile in place of the program's.
pub(crate) struct Copy {
    /// The text of each file, in order.
    pub(crate) texts: Vec<Vec<u8>>,
    /// What the driver must define besides.
    pub(crate) definitions: String,
}

/// The function that gives the values of an uninitialised variable, or the bytes of an object; that
/// which makes the object has the name after its own.
pub(super) fn name(site: SiteId) -> String {
    format!("cairn_uninitialised_{}", base::Id::index(site))
}

/// Whether the text says the name of the variable where it is declared, so that an initialiser
/// can come after it, or calls `malloc` by its name.
pub(super) fn is_patched(failing: &Failing<'_>, site: SiteId) -> bool {
    let row = &failing.loaded.program.sites[site];
    let snippet = failing.loaded.sources.snippet(row.span);
    let taken = failing.inputs.iter().any(|&(other, _)| other == site);
    let has_place = match row.kind {
        SiteKind::Uninitialized => snippet == row.name.as_bytes(),
        SiteKind::Contents => &*row.name == MALLOC && calls_malloc(snippet),
        _ => false,
    };
    taken && has_place
}

const MALLOC: &str = "malloc";

fn calls_malloc(snippet: &[u8]) -> bool {
    let rest = snippet.strip_prefix(MALLOC.as_bytes());
    rest.is_some_and(|rest| rest.trim_ascii_start().starts_with(b"("))
}

/// The copy, with or without leaps. The error says what has no place in the text.
pub(crate) fn copy(failing: &Failing<'_>, leaps: bool) -> Result<Copy, String> {
    let mut edits = Edits::new(&failing.loaded.sources);
    let mut head = String::new();
    initialisers(failing, &mut edits, &mut head)?;
    let mut definitions = String::new();
    if leaps {
        let hooks = leap::hooks(failing)?;
        edits.list.extend(hooks.edits);
        head += &hooks.declarations;
        definitions = hooks.definitions;
    }
    // The first marker says what the file is called, the second where its own lines begin.
    let texts = edits.apply(|file| {
        let marker = format!("# 1 \"{}\"", file.name);
        format!("{marker}\n{head}\n{marker}")
    });
    Ok(Copy { texts, definitions })
}

fn initialisers(
    failing: &Failing<'_>,
    edits: &mut Edits<'_>,
    head: &mut String,
) -> Result<(), String> {
    if nonzero(failing).is_empty() {
        return Ok(());
    }
    let mut sites = BTreeSet::new();
    for &(site, value) in failing.inputs {
        let row = &failing.loaded.program.sites[site];
        if !matches!(row.kind, SiteKind::Uninitialized | SiteKind::Contents) {
            continue;
        }
        if is_patched(failing, site) {
            sites.insert(site);
        } else if value != row.ty.zero() {
            return Err(format!(
                "no compiler can be told the value of `{}`",
                row.name
            ));
        }
    }
    let mut places = BTreeSet::new();
    for site in sites {
        let row = &failing.loaded.program.sites[site];
        let name = name(site);
        if row.kind == SiteKind::Contents {
            let _ = write!(head, "extern void *{MALLOC}{name}(__SIZE_TYPE__); ");
            edits.insert(row.span.lo + MALLOC.len() as u32, Order::AfterName, name);
            continue;
        }
        let _ = write!(head, "extern {} {name}(); ", spell::holder(row.ty));
        // A variable that is declared once may come to life in several ways.
        if !places.insert(row.span.hi) {
            return Err("a variable comes to life in several ways".to_owned());
        }
        edits.insert(row.span.hi, Order::AfterName, format!(" = {name}()"));
    }
    Ok(())
}
