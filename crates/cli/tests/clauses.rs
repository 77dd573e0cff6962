//! `cairn check FILE.smt2` with every engine, on the clauses below `tests/clauses`.
//!
//! A file says what to expect in comments: `; expect: sat`, and `; unknown: engine (why)` for an
//! engine that cannot tell. `; components` is where arguments have nothing to do with each other.

mod harness;

use harness::{files, root};
use std::path::Path;
use std::process::{Command, Output};

const ENGINES: [&str; 17] = [
    "auto",
    "own",
    "gps",
    "cra",
    "impact",
    "predabs",
    "la",
    "duality",
    "duality-heights",
    "cells-gps",
    "cells-duality",
    "cells-each",
    "components",
    "bmc",
    "spacer",
    "spacer-global",
    "spacer-quantified",
];

fn cairn(words: &[&str], file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cairn"))
        .arg("check")
        .args(words)
        .arg(file)
        .output()
        .expect("cairn should run")
}

fn headers<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let prefix = format!("; {name}: ");
    text.lines()
        .filter_map(|line| line.strip_prefix(prefix.as_str()))
        .collect()
}

/// Whether clauses have what an engine is made for.
fn applies(engine: &str, text: &str) -> bool {
    match engine {
        "cells-gps" | "cells-duality" | "cells-each" => text.contains("Array"),
        "components" => text.lines().any(|line| line == "; components"),
        _ => true,
    }
}

#[test]
fn every_engine_gives_the_expected_answer_or_says_that_it_cannot() {
    let all = files(&root().join("tests/clauses"), "smt2");
    assert!(all.len() >= 8, "there should be clauses");
    let mut problems = Vec::new();
    for file in &all {
        let text = std::fs::read_to_string(file).expect("the file should be readable");
        let [expected] = headers(&text, "expect")[..] else {
            panic!("{} should say once what to expect", file.display());
        };
        for engine in ENGINES {
            let output = cairn(&["--engine", engine, "--effort", "1500000"], file);
            let stdout = String::from_utf8_lossy(&output.stdout);
            let answer = stdout.lines().next().unwrap_or_default();
            let gives_up = headers(&text, "unknown")
                .iter()
                .any(|row| row.split(' ').next() == Some(engine));
            // Engines that only prove have nothing to say about a derivation.
            let is_prover = engine == "cra" && expected == "unsat";
            let fits = match gives_up || is_prover || !applies(engine, &text) {
                true => answer == "unknown",
                false => answer == expected,
            };
            let (verdict, code) = match answer {
                "sat" => ("Verdict: safe", 0),
                "unsat" => ("Verdict: unsafe", 1),
                _ => ("Verdict: unknown", 3),
            };
            let ends = stdout.lines().last() == Some(verdict);
            if !fits || !ends || output.status.code() != Some(code) {
                problems.push(format!("{} with {engine}: {stdout}", file.display()));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn models_and_derivations_are_printed() {
    let folder = root().join("tests/clauses");
    let output = cairn(&["--model"], &folder.join("counter-safe.smt2"));
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("(define-fun inv ((x"), "{stdout}");
    let output = cairn(&["--derivation"], &folder.join("counter-unsafe.smt2"));
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("d0: (inv 0) by c0\n"), "{stdout}");
    assert!(stdout.contains("d11: false by c2 from d10\n"), "{stdout}");
    let output = cairn(
        &["--json", "--derivation"],
        &folder.join("counter-unsafe.smt2"),
    );
    let document: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("it should be a document");
    assert_eq!(document["answer"], "unsat");
    assert_eq!(document["verdict"], "unsafe");
    assert!(document["derivation"].is_string());
}

#[test]
fn bad_input_is_one_error_with_its_place() {
    let folder = std::env::temp_dir().join(format!("cairn-clauses-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder should be there");
    let file = folder.join("bad.smt2");
    std::fs::write(
        &file,
        "(set-logic HORN)\n(assert (forall ((x Int)) (p x)))\n",
    )
    .expect("the file should be writable");
    let output = cairn(&[], &file);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("bad.smt2:2:28"), "{stderr}");
    assert_eq!(stderr.matches("error").count(), 1, "{stderr}");
    std::fs::remove_dir_all(&folder).expect("the folder should go");
}
