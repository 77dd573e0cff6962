//! Reading a large file of clauses: `cargo bench -p cairn-horn [-- MEGABYTES [FILE]]`.
//!
//! Makes clauses of some megabytes, reads them, and says how long it took and how many terms there
//! are. With a file, the text is also written there, for other solvers to read.

#![allow(clippy::print_stdout, reason = "a benchmark says what it found")]

use base::SourceMap;
use std::fmt::Write;
use std::time::Instant;

fn main() {
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    let megabytes: usize = words
        .next()
        .and_then(|word| word.parse().ok())
        .unwrap_or(50);
    let text = text(megabytes << 20);
    if let Some(path) = words.next() {
        std::fs::write(&path, &text).expect("the file should be writable");
    }
    let mut sources = SourceMap::new();
    let length = text.len();
    let file = sources
        .add("large.smt2", text.into_bytes())
        .expect("the text should fit");
    let start = Instant::now();
    let system = horn::read(sources.file(file)).expect("the text should be clauses");
    println!(
        "{} MB, {} clauses, {} terms: {:.2} s",
        length >> 20,
        system.clauses.len(),
        system.store.len(),
        start.elapsed().as_secs_f64()
    );
}

/// Clauses of about so many bytes, each with a chain of `let`s and constants of its own.
fn text(bytes: usize) -> String {
    let mut text = String::from("(set-logic HORN)\n(declare-fun |inv| (Int Int Bool) Bool)\n");
    let mut number = 0;
    while text.len() < bytes {
        number += 1;
        let mut write = |line: std::fmt::Arguments<'_>| {
            text.write_fmt(line).expect("a text should take any text");
        };
        write(format_args!(
            "(assert (forall ((A Int) (B Int) (C Bool) (D Int) (E Int)) (=> (and "
        ));
        write(format_args!(
            "(inv A B C) (let ((a!1 (+ A (* {number} B) 1))) "
        ));
        write(format_args!(
            "(let ((a!2 (ite (<= a!1 {number}) (+ a!1 D) (* 2 a!1)))) "
        ));
        write(format_args!(
            "(let ((a!3 (or C (<= a!2 B) (= a!2 (+ E {number}))))) "
        ));
        write(format_args!(
            "(and (= D a!2) (or (not C) a!3) (>= (+ A a!2) {number})))))) "
        ));
        write(format_args!("(inv D E (not C)))))\n"));
    }
    text.push_str(
        "(assert (forall ((A Int) (B Int) (C Bool)) (=> (and (inv A B C) (< A 0)) false)))\n",
    );
    text.push_str("(check-sat)\n");
    text
}
