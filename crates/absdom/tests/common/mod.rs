//! What the tests share: small C programs as programs.

#![allow(dead_code, reason = "not every test uses all of it")]

#[path = "../../../../tests/surroundings.rs"]
mod surroundings;

use base::{Diagnostics, SourceMap};
use cfront::preprocess::{Preprocess, load};
use cfront::types::DataModel;
use program::ir::Program;
use program::pass::inline::{InlineLimit, inline_calls};
use std::path::PathBuf;

const PRELUDE: &str = "
    extern int __VERIFIER_nondet_int(void);
    extern void reach_error(void);
    void check(int condition) { if (!condition) reach_error(); }
";

/// A program of C text, which may use `check` and `__VERIFIER_nondet_int`.
pub(crate) fn parse(text: &str) -> Program {
    let text = format!("{PRELUDE}{text}");
    lowered(text.into_bytes()).expect("a test program should be right")
}

fn lowered(text: Vec<u8>) -> Option<Program> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text)?;
    let mut diagnostics = Diagnostics::new();
    let options = cfront::Options {
        model: DataModel::Lp64,
    };
    let ast = cfront::parse(&mut sources, &[file], &options, &mut diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    lower::lower(&ast, &lower::Options::default(), &mut diagnostics)
}

/// C files of the shared benchmarks, some of them, the same each time; none where there are none.
pub(crate) fn benchmarks() -> Vec<(String, Program)> {
    let folders = surroundings::benchmark_sets(&["gps-suite1"]);
    let entries = folders.iter().filter_map(|folder| folder.read_dir().ok());
    let is_c = |path: &PathBuf| path.extension().is_some_and(|end| end == "c" || end == "i");
    let files = entries
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> = files.filter(is_c).collect();
    files.sort();
    let program = |file: PathBuf| {
        let text = load(&file, &Preprocess::default()).ok()?;
        Some((file.display().to_string(), lowered(text)?))
    };
    files.into_iter().step_by(9).filter_map(program).collect()
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
    (
        "sums of three under wrap",
        "int main() { unsigned n = __VERIFIER_nondet_int(); unsigned x = n, y = 0;
         while (x > 0) { x--; y++; }
         check(y == n); return 0; }",
    ),
    (
        "not gone round at all",
        "int main() { int n = __VERIFIER_nondet_int(); int i = 0, k = 0, j = 0;
         while (i < n) { i++; k++; }
         while (j < n) { check(k > 0); j++; k--; }
         return 0; }",
    ),
    (
        "two phases",
        "int main() { int x = 0, y = 50;
         while (x < 100) { if (x < 50) x++; else { x++; y++; } }
         check(y == 100); return 0; }",
    ),
    (
        "two exits",
        "int main() { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
         if (x >= 9 || y >= 9) return 0;
         while (x < 9 && y < 9) { x++; y++; }
         check(x == 9 || y == 9); return 0; }",
    ),
    (
        "a choice before the loop",
        "int main() { int s = __VERIFIER_nondet_int() ? 1 : -1; int x = s;
         while (__VERIFIER_nondet_int()) { if (x > 1000 || x < -1000) return 0; x += 2 * s; }
         check(x != 0 && (s == 1) == (x > 0)); return 0; }",
    ),
    (
        "an equality against a difference",
        "int main() { int i = 1, j = 10;
         while (j >= i) { i = i + 2; j = j - 1; }
         check(j == 6); return 0; }",
    ),
];
