//! A C file that makes the compiled program fail, or run as a test does.
//!
//! It defines what the program leaves to its environment: each input function returns the values of
//! the run, in order. Compiled with `CAIRN_CONFIRM` it also replaces `reach_error` and failing
//! assertions, to report where they were called from.
//!
//! # Invariants
//! - Nothing is defined that the program defines, except under `CAIRN_CONFIRM`.
//! - No header is included, so that no declaration of the program's can clash with one.

mod define;
mod failing;
mod file;
mod leap;
mod obstacle;
mod patch;
mod spell;

pub(crate) use file::flags;
pub use file::{file, quoted};
pub use obstacle::{impassable, obstacle};
pub(crate) use patch::copy;

use base::Span;
use certify::Replayed;
use certify::replay::accelerated::Leap;
use cfront::ast::{Ast, Function, FunctionId, Linkage};
use define::Definitions;
use input::Loaded;
use program::expr::Constant;
use program::ir::{Property, SiteId, SiteKind, Violation};

/// What a driver is made for.
pub struct Failing<'a> {
    pub(crate) loaded: &'a Loaded,
    /// Its syntax.
    ast: &'a Ast,
    /// What its run takes, in order.
    pub(crate) inputs: &'a [(SiteId, Constant)],
    /// The iterations of loops that were proved, not made.
    pub(crate) leaps: &'a [Leap],
    /// What it violates; a test need not violate anything.
    pub(crate) violation: Option<&'a Violation>,
    /// Whether it is compiled with sanitizers; always so for undefined behaviour.
    pub(crate) sanitize: bool,
    /// Why no compiled program makes the whole run, if none does.
    obstacle: Option<&'a str>,
}

impl<'a> Failing<'a> {
    /// A failing run of a program that was read as C.
    pub fn new(loaded: &'a Loaded, replayed: &'a Replayed, sanitize: bool) -> Result<Self, String> {
        Ok(Failing {
            leaps: &replayed.leaps,
            violation: Some(&replayed.violation),
            sanitize: sanitize || replayed.violation.property != Property::Assertion,
            ..Failing::of_test(loaded, &replayed.run.inputs, None)?
        })
    }

    /// A run of such a program that need not fail, by its inputs, and why no compiled program makes all
    /// of it, if none does.
    pub fn of_test(
        loaded: &'a Loaded,
        inputs: &'a [(SiteId, Constant)],
        obstacle: Option<&'a str>,
    ) -> Result<Self, String> {
        let ast = loaded.ast.as_ref();
        Ok(Failing {
            loaded,
            ast: ast.ok_or(NO_TEXT)?,
            inputs,
            leaps: &[],
            violation: None,
            sanitize: false,
            obstacle,
        })
    }

    /// The property that it violates.
    pub(crate) fn property(&self) -> Option<Property> {
        self.violation.map(|violation| violation.property)
    }
}

/// Why there is no driver.
const NO_TEXT: &str = "the program is no C text that could be compiled";

/// A driver, and how to compile it with the program.
#[derive(Clone, Debug)]
pub(crate) struct Driver {
    /// The C text, without the comment at its head.
    pub(crate) text: String,
    /// Whether the program has a `main` that the driver's must replace.
    pub(crate) renames_main: bool,
    /// Uninitialised variables and bytes that must have a value other than zero: where, name, value.
    pub(crate) uninitialised: Vec<(Span, String, String)>,
    /// Functions of the C library that the driver defines, which a compiler might know better.
    pub(crate) shadows: Vec<String>,
    /// Functions that allocate and fail in the run: the linker lets the driver come first.
    pub(crate) wrapped: Vec<&'static str>,
}

/// The name of the program's `main` where the driver has its own.
const RENAMED_MAIN: &str = "program_main";

/// Makes the driver. The error says which input no driver can give.
pub(crate) fn driver(failing: &Failing<'_>) -> Result<Driver, String> {
    let mut definitions = Definitions::new(failing);
    if let Some(refused) = definitions.refused() {
        return Err(refused);
    }
    for (id, row) in failing.ast.functions.iter_enumerated() {
        definitions.function(id, row);
    }
    definitions.uninitialised();
    let wrapped = definitions.failing_allocations();
    definitions.text.push_str(define::CONFIRM);
    let is_main = failing.loaded.request.entry == "main";
    let has_main = function(failing.ast, "main").is_some_and(|(_, row)| row.body.is_some());
    if !is_main {
        definitions.call_entry()?;
    }
    Ok(Driver {
        renames_main: !is_main && has_main,
        uninitialised: nonzero(failing),
        shadows: definitions.shadows,
        wrapped,
        text: definitions.text,
    })
}

/// A function by its name, if other units can name it.
fn function<'a>(ast: &'a Ast, name: &str) -> Option<(FunctionId, &'a Function)> {
    ast.functions
        .iter_enumerated()
        .find(|(_, row)| &*row.name == name && row.linkage == Linkage::External)
}

/// The values of a kind of sites, in the order they were taken.
fn values<'a>(
    failing: &'a Failing<'_>,
    is_meant: impl Fn(SiteId) -> bool + 'a,
) -> impl Iterator<Item = Constant> + 'a {
    let inputs = failing.inputs.iter();
    inputs
        .filter(move |(site, _)| is_meant(*site))
        .map(|&(_, value)| value)
}

fn nonzero(failing: &Failing<'_>) -> Vec<(Span, String, String)> {
    let program = &failing.loaded.program;
    let inputs = failing.inputs.iter();
    inputs
        .filter(|(site, value)| {
            let row = &program.sites[*site];
            let is_unset = matches!(row.kind, SiteKind::Uninitialized | SiteKind::Contents);
            is_unset && *value != row.ty.zero()
        })
        .map(|&(site, value)| {
            let row = &program.sites[site];
            (row.span, row.name.to_string(), program::values::show(value))
        })
        .collect()
}

/// The sanitizers that stop a program where it violates a property.
fn sanitizers(property: Option<Property>) -> &'static str {
    match property {
        None | Some(Property::Assertion) => "undefined,address",
        Some(Property::Overflow) => "signed-integer-overflow,shift",
        Some(Property::DivisionByZero) => "integer-divide-by-zero",
        Some(Property::Shift) => "shift",
        Some(Property::Dereference) => "address,bounds,null",
        Some(Property::Free | Property::Leak | Property::Cleanup) => "address",
        Some(Property::Invariant) => "undefined",
    }
}
