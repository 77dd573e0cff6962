//! What the tests share: small C programs as programs.

#![allow(dead_code, reason = "not every test uses all of it")]

use base::{Diagnostics, SourceMap};
use cfront::types::DataModel;
use program::ir::Program;
use program::pass::inline::{InlineLimit, inline_calls};

const PRELUDE: &str = "
    extern int __VERIFIER_nondet_int(void);
    extern void reach_error(void);
    void check(int condition) { if (!condition) reach_error(); }
";

/// A program of C text, which may use `check` and `__VERIFIER_nondet_int`.
pub(crate) fn parse(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let text = format!("{PRELUDE}{text}");
    let file = sources.add("test.c", text.into()).expect("a small file");
    let mut diagnostics = Diagnostics::new();
    let options = cfront::Options {
        model: DataModel::Lp64,
    };
    let ast = cfront::parse(&mut sources, &[file], &options, &mut diagnostics);
    let options = program::lower::Options::default();
    program::lower::lower(&ast, &options, &mut diagnostics).expect("a test program should lower")
}

pub(crate) fn inlined(program: &Program) -> Program {
    inline_calls(program, InlineLimit::default()).0
}

/// Programs whose assertions the analysis proves.
pub(crate) const SMALL: &[(&str, &str)] = &[
    (
        "count",
        "int main() { int i = 0; while (i < 10) i++; check(i == 10); return 0; }",
    ),
    (
        "equal counters",
        "int main() { int n = __VERIFIER_nondet_int(); int i = 0, j = 0;
         while (i < n) { i++; j++; }
         check(i == j); return 0; }",
    ),
    (
        "parity under wrap",
        "int main() { unsigned x = 0;
         while (__VERIFIER_nondet_int()) x += 2;
         check(x % 2 == 0); return 0; }",
    ),
    (
        "an exit by inequality",
        "int main() { int n = __VERIFIER_nondet_int(); if (n < 0) return 0;
         int i = 0; while (i != n) { check(i < n); i++; }
         return 0; }",
    ),
    (
        "nested",
        "int main() { int n = __VERIFIER_nondet_int(); int i, j;
         for (i = 0; i < n; i++) for (j = i; j < n; j++) check(j >= i && i >= 0);
         return 0; }",
    ),
];
