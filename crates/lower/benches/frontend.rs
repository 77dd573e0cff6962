//! Parsing and lowering against `gcc -fsyntax-only`, on the same 100,000 lines in the same run.
//!
//! The text is made here, by a small seeded generator: functions over globals, structs, arrays
//! and pointers, with the statements and operators of ordinary C.

#![allow(clippy::print_stdout, reason = "a benchmark reports to a person")]

use base::{Diagnostics, SourceMap};
use std::fmt::Write;
use std::process::Command;
use std::time::{Duration, Instant};

const LINES: usize = 100_000;
const ROUNDS: usize = 5;

fn main() {
    let text = generate(LINES);
    let lines = text.lines().count();
    let ours = best(|| front_end(&text));
    println!("{lines} lines, {} bytes, best of {ROUNDS}", text.len());
    println!("parse and lower    {:>8.1} ms", millis(ours));

    let path = std::env::temp_dir().join(format!("cairn-speed-{}.i", std::process::id()));
    std::fs::write(&path, &text).expect("the temporary folder should be writable");
    let syntax_only = || {
        Command::new("gcc")
            .args(["-fsyntax-only", "-w"])
            .arg(&path)
            .status()
    };
    match syntax_only() {
        Ok(status) => {
            assert!(status.success(), "gcc should accept the text");
            let gcc = best(|| {
                syntax_only().expect("gcc ran a moment ago");
            });
            println!("gcc -fsyntax-only  {:>8.1} ms", millis(gcc));
            println!(
                "ratio              {:>8.2}    (bar: 2.00)",
                millis(ours) / millis(gcc)
            );
        }
        Err(error) => println!("gcc cannot be run ({error}): nothing to compare with"),
    }
    std::fs::remove_file(&path).expect("the file was just written");
}

fn front_end(text: &str) {
    let mut map = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let file = map
        .add("bench.i", text.as_bytes().to_vec())
        .expect("the text is small");
    let options = cfront::Options::default();
    let ast = cfront::parse(&mut map, &[file], &options, &mut diagnostics);
    let options = lower::Options::default();
    let program = lower::lower(&ast, &options, &mut diagnostics);
    let first = diagnostics.iter().next();
    assert!(
        program.is_some() && !diagnostics.has_errors(),
        "it should be C: {first:?}"
    );
}

fn best(mut work: impl FnMut()) -> Duration {
    let mut timed = || {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..ROUNDS).map(|_| timed()).min().unwrap_or_default()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// A small multiplicative generator: the text is the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }
}

fn generate(lines: usize) -> String {
    let mut out = String::from(
        "typedef unsigned long size_type;\n\
         struct point { int x; int y; unsigned flag : 3; struct point *next; };\n\
         enum colour { RED, GREEN = 5, BLUE };\n\
         extern int __VERIFIER_nondet_int(void);\n\
         static int table[64];\nstatic struct point origin;\nunsigned total;\nlong wide;\n",
    );
    let mut random = Random(1);
    let mut functions = 0;
    let mut count = out.lines().count();
    while count < lines {
        let before = out.len();
        function(&mut out, &mut random, functions);
        functions += 1;
        count += out[before..].matches('\n').count();
    }
    out.push_str("int main(void) {\n  int r = 0;\n");
    for index in 0..functions {
        let _ = writeln!(out, "  r += f{index}(r, {index}, &origin) & 1;");
    }
    out.push_str("  return r;\n}\n");
    out
}

fn function(out: &mut String, random: &mut Random, index: usize) {
    let _ = writeln!(out, "int f{index}(int a, unsigned b, struct point *p)\n{{");
    out.push_str("  int i, c = 0;\n  long d = a;\n  int buffer[16] = { 1, 2, [5] = 7 };\n");
    for _ in 0..6 + random.below(10) {
        statement(out, random, 1, index);
    }
    out.push_str("  return c + (int)d;\n}\n\n");
}

fn statement(out: &mut String, random: &mut Random, depth: usize, index: usize) {
    let pad = "  ".repeat(depth);
    let nest = if depth < 4 { 9 } else { 5 };
    let _ = match random.below(nest) {
        0 => writeln!(out, "{pad}c = {};", expression(random, 3)),
        1 => writeln!(out, "{pad}d += {};", expression(random, 2)),
        2 => writeln!(
            out,
            "{pad}buffer[{} & 15] = {};",
            expression(random, 1),
            expression(random, 2)
        ),
        3 => writeln!(
            out,
            "{pad}p->{} = {};",
            random.pick(&["x", "y", "flag"]),
            expression(random, 2)
        ),
        4 if index > 0 => writeln!(out, "{pad}c += f{}(c, b, p->next);", index - 1),
        4 => writeln!(out, "{pad}total ^= (unsigned)__VERIFIER_nondet_int();"),
        5 | 6 => {
            let _ = writeln!(
                out,
                "{pad}if ({} {} {}) {{",
                expression(random, 1),
                random.pick(&["<", "==", ">=", "!="]),
                expression(random, 1)
            );
            block(out, random, depth, index);
            let _ = writeln!(out, "{pad}}} else {{");
            block(out, random, depth, index);
            writeln!(out, "{pad}}}")
        }
        7 => {
            let _ = writeln!(out, "{pad}for (i = 0; i < {}; i++) {{", random.below(50));
            block(out, random, depth, index);
            let _ = writeln!(out, "{pad}  if (c > 1000) break;");
            writeln!(out, "{pad}}}")
        }
        _ => {
            let _ = writeln!(out, "{pad}switch (c & 3) {{\n{pad}case 0:");
            block(out, random, depth, index);
            let _ = writeln!(out, "{pad}  break;\n{pad}case GREEN:\n{pad}default:");
            block(out, random, depth, index);
            writeln!(out, "{pad}}}")
        }
    };
}

fn block(out: &mut String, random: &mut Random, depth: usize, index: usize) {
    for _ in 0..1 + random.below(3) {
        statement(out, random, depth + 1, index);
    }
}

fn expression(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return match random.below(8) {
            0 => random.below(1000).to_string(),
            1 => format!("{}u", random.below(1000)),
            2 => format!("table[{}]", random.below(64)),
            3 => "p->x".into(),
            4 => "origin.flag".into(),
            _ => random
                .pick(&["a", "b", "c", "d", "total", "wide", "BLUE"])
                .into(),
        };
    }
    let left = expression(random, depth - 1);
    let right = expression(random, depth - 1);
    match random.below(8) {
        0 => format!("({left} ? {right} : c)"),
        1 => format!("(short)({left} + {right})"),
        2 => format!("({left} && {right})"),
        3 => format!("(int)sizeof(struct point) * ({left})"),
        4 => format!("({left} << 2) ^ {right}"),
        _ => format!("{left} {} {right}", random.pick(&["+", "-", "*", "|", "&"])),
    }
}
