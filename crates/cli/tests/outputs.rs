//! Where an output cannot be written, the verdict is still printed first, on standard output or, where
//! that is broken, on standard error; then the error, and the exit code says so.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod harness;

use harness::{Scratch, cairn, parts};
use std::fs::File;
use std::process::Stdio;

const UNSAFE: &str = "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n\
    int main(void) {\n  if (__VERIFIER_nondet_int() == 7)\n    reach_error();\n  return 0;\n}\n";
const SAFE: &str = "void reach_error(void);\n\
    int main(void) {\n  int i = 0;\n  while (i < 10)\n    i++;\n  if (i > 10)\n    \
    reach_error();\n  return 0;\n}\n";

/// The flags that write files.
const FLAGS: &[&str] = &["--sarif", "--junit", "--html", "--witness", "--test"];

#[test]
fn a_file_that_cannot_be_written_costs_no_verdict() {
    let scratch = Scratch::new("outputs");
    let programs = [
        (scratch.write("unsafe.c", UNSAFE), "unsafe", 1),
        (scratch.write("safe.c", SAFE), "safe", 2),
    ];
    let folder = scratch.file("");
    let missing = scratch.file("no/such/folder/out");
    let paths = [
        ("a folder", folder.to_str().unwrap()),
        ("nowhere", missing.to_str().unwrap()),
        ("a full disk", "/dev/full"),
    ];
    for (file, verdict, expected) in &programs {
        // A safe program has no failing test.
        let flags = FLAGS
            .iter()
            .filter(|flag| (**flag, *verdict) != ("--test", "safe"));
        for flag in flags {
            for (what, path) in paths {
                let output = cairn().args(["check", flag, path, file]).output().unwrap();
                let (code, stdout, stderr) = parts(&output);
                let case = format!("{flag} {what} {verdict}: {stdout}{stderr}");
                assert_eq!(code, *expected, "{case}");
                assert!(stdout.ends_with(&format!("Verdict: {verdict}\n")), "{case}");
                assert!(stderr.contains("error: no "), "{case}");
                assert!(stderr.contains(&format!("cannot write `{path}`")), "{case}");
            }
        }
    }
}

#[test]
fn one_broken_file_leaves_the_others() {
    let scratch = Scratch::new("outputs-several");
    let file = scratch.write("unsafe.c", UNSAFE);
    let [sarif, junit] = ["out.sarif", "out.xml"].map(|name| scratch.file(name));
    let output = cairn()
        .args([
            "check",
            "--html",
            "/dev/full",
            "--witness",
            "/dev/full",
            "--sarif",
        ])
        .arg(&sarif)
        .arg("--junit")
        .arg(&junit)
        .arg(&file)
        .output()
        .unwrap();
    let (code, stdout, stderr) = parts(&output);
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.ends_with("Verdict: unsafe\n"), "{stdout}");
    assert_eq!(stderr.matches("error: no ").count(), 2, "{stderr}");
    assert!(
        std::fs::read_to_string(sarif)
            .unwrap()
            .contains("\"2.1.0\"")
    );
    assert!(std::fs::read_to_string(junit).unwrap().contains("<failure"));
}

/// A pipe without a reader.
fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

#[test]
fn a_broken_standard_output_costs_no_verdict() {
    let scratch = Scratch::new("outputs-stdout");
    let programs = [
        (scratch.write("unsafe.c", UNSAFE), "unsafe", 1),
        (scratch.write("safe.c", SAFE), "safe", 2),
    ];
    for (file, verdict, expected) in &programs {
        for flags in [&["check"][..], &["check", "--json"]] {
            let full = || File::create("/dev/full").unwrap().into();
            let ways: [(&str, Stdio); 2] = [("full", full()), ("closed", closed_pipe())];
            for (way, stdout) in ways {
                let sarif = scratch.file("out.sarif");
                let _ = std::fs::remove_file(&sarif);
                let child = cairn()
                    .args(flags)
                    .arg("--sarif")
                    .arg(&sarif)
                    .arg(file)
                    .stdout(stdout)
                    .stderr(Stdio::piped())
                    .spawn()
                    .unwrap();
                let (code, _, stderr) = parts(&child.wait_with_output().unwrap());
                let case = format!("{flags:?} {way} {verdict}: {stderr}");
                assert_eq!(code, *expected, "{case}");
                let said = stderr.find(&format!("Verdict: {verdict}\n"));
                let error = stderr.find("error: cannot write to standard output");
                assert!(said.is_some() && said < error, "{case}");
                assert!(sarif.is_file(), "{case}");
            }
        }
    }
}

#[test]
fn the_queries_of_the_checker_are_logged() {
    let scratch = Scratch::new("log-smt");
    let text = "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n\
        int main(void) {\n  int n = __VERIFIER_nondet_int();\n  int i = 0;\n  \
        while (i < n)\n    i++;\n  if (n > 0 && i != n)\n    reach_error();\n  return 0;\n}\n";
    let file = scratch.write("counted.c", text);
    let folder = scratch.file("log");
    let output = cairn()
        .args(["check", "-q", "--log-smt"])
        .args([folder.as_os_str(), file.as_ref()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let logged = harness::files(&folder, "smt2");
    assert!(!logged.is_empty());
    for path in logged {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("(set-info :status "), "{text}");
        assert!(text.contains("(check-sat)"), "{text}");
    }
}
