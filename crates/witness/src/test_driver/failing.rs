//! Allocations that fail in a run: the driver stands between the program and the C library.

use super::define::Definitions;
use super::{function, spell, values};
use program::ir::SiteKind;
use std::fmt::Write;

/// The functions that a driver can make fail: their parameters, and these as arguments.
const FUNCTIONS: &[(&str, &str, &str)] = &[
    ("malloc", "__SIZE_TYPE__ n", "n"),
    ("calloc", "__SIZE_TYPE__ k, __SIZE_TYPE__ n", "k, n"),
    ("realloc", "void *p, __SIZE_TYPE__ n", "p, n"),
    ("strdup", "const char *p", "p"),
    ("strndup", "const char *p, __SIZE_TYPE__ n", "p, n"),
];

/// Whether a driver can make a function fail.
pub(super) fn is_given(name: &str) -> bool {
    FUNCTIONS.iter().any(|row| row.0 == name)
}

impl Definitions<'_> {
    /// Defines those that fail at least once, by the names that the linker has for what comes first;
    /// which these are.
    pub(super) fn failing_allocations(&mut self) -> Vec<&'static str> {
        let mut found = Vec::new();
        let sets_errno = function(self.failing.ast, "__errno_location").is_some();
        for &(name, params, args) in FUNCTIONS {
            let sites = &self.failing.loaded.program.sites;
            let list = values(self.failing, |site| {
                sites[site].kind == SiteKind::Failure && &*sites[site].name == name
            });
            let list: Vec<String> = list.map(spell::constant).collect();
            if list.iter().all(|value| value == "0") {
                continue;
            }
            let fails = format!("cairn_{name}_fails");
            self.list(&fails, "int", list);
            let errno = match sets_errno {
                true => "extern int *__errno_location(void);\n    *__errno_location() = 12;\n    ",
                false => "",
            };
            // As in the run, to ask `realloc` for no bytes is to free.
            let but = if name == "realloc" { " && n" } else { "" };
            let _ = writeln!(
                self.text,
                "extern void *__real_{name}({params});\nvoid *__wrap_{name}({params}) {{\n  \
                 if ({fails}(){but}) {{\n    {errno}return 0;\n  }}\n  return \
                 __real_{name}({args});\n}}"
            );
            found.push(name);
        }
        found
    }
}
