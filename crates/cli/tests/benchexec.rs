//! The tool info for BenchExec, tried by BenchExec's own checker; skipped where it is not installed.

mod harness;

use harness::surroundings::{Needed, skipped};
use harness::{Scratch, cairn, root};
use std::path::Path;
use std::process::{Command, Output};

const UNSAFE: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
                      int main(void) {\n  int x = __VERIFIER_nondet_int();\n  \
                      if (x == 7) reach_error();\n  return 0;\n}\n";

/// Python with our tool info, in the folder of the command: a path that leads up to the root of the
/// system would be warned about.
fn python(words: &[&str]) -> Option<Output> {
    Command::new("python3")
        .args(words)
        .current_dir(Path::new(env!("CARGO_BIN_EXE_cairn")).parent()?)
        .env("PYTHONPATH", root().join("tools"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .ok()
}

/// What BenchExec's checker makes of an output of ours. None if BenchExec is not there.
fn checked(output: &str) -> Option<String> {
    if !python(&["-c", "import benchexec"])?.status.success() {
        return None;
    }
    let words = ["-m", "benchexec.test_tool_info", "cairn_benchexec.cairn"];
    let more = ["--no-container", "--tool-directory", ".", "--tool-output"];
    let told = python(&[&words[..], &more, &[output]].concat())?;
    let text = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(told.status.success(), "{text}");
    assert!(!text.contains("WARNING"), "{text}");
    assert!(text.contains(env!("CARGO_PKG_VERSION")), "{text}");
    Some(text)
}

#[test]
fn benchexec_reads_our_answers() {
    let scratch = Scratch::new("benchexec");
    let safe = UNSAFE.replace("x == 7", "0");
    let endless = UNSAFE.replace("x == 7", "x > 7 && x < 7");
    let cases = [
        ("unsafe", UNSAFE, "random", "false(unreach-call)"),
        ("safe", &safe, "cra", "true"),
        ("gave-up", UNSAFE, "cra", "unknown"),
        ("endless", &endless, "random", "TIMEOUT"),
        ("broken", "int main(void) {", "random", "ERROR (input)"),
    ];
    for (name, text, engine, expected) in cases {
        let program = scratch.write(&format!("{name}.c"), text);
        let words = [
            "check",
            "--json",
            "--engine",
            engine,
            "--timeout",
            "1",
            &program,
        ];
        let answer = cairn().args(words).output().expect("cairn should start");
        // BenchExec puts both streams into one file.
        let both = [answer.stderr, answer.stdout].concat();
        let saved = scratch.write(&format!("{name}.txt"), both);
        let Some(told) = checked(&saved) else {
            skipped(Needed::Benchexec, "benchexec is not installed");
            return;
        };
        let said = told.lines().rfind(|line| !line.is_empty());
        assert!(
            said.is_some_and(|line| line.contains(expected)),
            "{name}: {told}"
        );
    }
}
