//! Every command ends within a second after its limit, wherever it is; what is known is printed.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod harness;

use harness::{Scratch, cairn, files, json, parts, root};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// What a command may take beyond its limit. The other tests share the machine, so that this is
/// more than the second that a person gets.
const BEYOND: Duration = Duration::from_secs(4);

/// A loop with wrapping products of inputs: the search continues forever.
const ENDLESS: &str = "unsigned __VERIFIER_nondet_uint(void);\nvoid reach_error(void);\n\
    int main(void) {\n  unsigned a = __VERIFIER_nondet_uint(), b = 1, c = 3;\n\
    while (__VERIFIER_nondet_uint()) {\n    b = b * a + c;\n    c = c * b - (a >> 3);\n  }\n\
    if (b * b == 3u)\n    reach_error();\n  return 0;\n}\n";

fn timed(command: &mut Command) -> (Output, Duration) {
    let start = Instant::now();
    let output = command.output().unwrap();
    (output, start.elapsed())
}

/// Several hundred thousand declarations, which take a while to be read.
fn long_text() -> String {
    let mut text = String::from("void reach_error(void);\n");
    for number in 0..300_000 {
        text += &format!("int f{number}(int x) {{ return x * {number} + (x ? {number} : -x); }}\n");
    }
    text + "int main(void) { if (f1(2) == 3) reach_error(); return f299999(3); }\n"
}

#[test]
fn commands_end_with_their_limit() {
    let scratch = Scratch::new("limits");
    let endless = scratch.write("endless.c", ENDLESS);
    let long = scratch.write("long.c", long_text());
    for words in [
        &["check", "--timeout", "1", &endless][..],
        &["check", "--timeout", "1", "--engine", "random", &endless],
        &["check", "--timeout", "1", "--engine", "cra", &endless],
        &["explain", "--timeout", "1", &endless],
        &["check", "--timeout", "1", &long],
        &["run", "--timeout", "1", "--seed", "1", &long],
        &["dump", "unwinding", "--timeout", "1", &endless],
    ] {
        let (output, took) = timed(cairn().args(words));
        let (code, stdout, stderr) = parts(&output);
        let case = format!("{words:?}: exit {code} after {took:?}\n{stdout}{stderr}");
        assert!(took < Duration::from_secs(1) + BEYOND, "{case}");
        match words[0] {
            "check" | "explain" => {
                assert_eq!(code, 3, "{case}");
                assert!(stdout.ends_with("Verdict: unknown\n"), "{case}");
            }
            _ => assert!(!stdout.is_empty(), "{case}"),
        }
    }
}

#[test]
fn own_programs_end_with_a_short_limit() {
    let programs = files(&root().join("tests/programs"), "c");
    assert!(programs.len() > 50);
    for file in programs.iter().step_by(11) {
        let limit = ["check", "--timeout", "0.2", "--quiet"];
        let (output, took) = timed(cairn().args(limit).arg(file));
        let (code, stdout, stderr) = parts(&output);
        let case = format!(
            "{}: exit {code}, {took:?}\n{stdout}{stderr}",
            file.display()
        );
        assert!(took < Duration::from_millis(200) + BEYOND, "{case}");
        assert!(matches!(code, 0 | 1 | 3), "{case}");
        assert!(stdout.contains("Verdict: "), "{case}");
    }
}

/// Whether a process catches SIGTERM and SIGINT; before that, they are the system's business.
fn listens(process: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = u64::from_str_radix(caught.unwrap().trim(), 16).unwrap();
    [2, 15].iter().all(|signal| caught >> (signal - 1) & 1 == 1)
}

#[test]
fn signals_are_answered_at_any_moment() {
    let scratch = Scratch::new("limits-signals");
    let endless = scratch.write("endless.c", ENDLESS);
    let long = scratch.write("long.c", long_text());
    for (file, signal, after) in [
        (&endless, "TERM", 0),
        // While Z3 works, too, which would like to have this signal for itself.
        (&endless, "INT", 300),
        (&endless, "INT", 700),
        (&long, "TERM", 100),
        (&long, "INT", 900),
    ] {
        let child = cairn()
            .args(["check", "--json", "--timeout", "60", file])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let number = child.id().to_string();
        while !listens(&number) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(after));
        let sent = Command::new("kill").args(["-s", signal, &number]).status();
        assert!(sent.unwrap().success());
        let start = Instant::now();
        let output = child.wait_with_output().unwrap();
        let (code, stdout, stderr) = parts(&output);
        let case = format!("{file} {signal} {after}: exit {code}\n{stdout}{stderr}");
        assert!(start.elapsed() < BEYOND, "{case}");
        assert_eq!(code, 3, "{case}");
        let document = json(&output).unwrap_or_else(|error| panic!("{error}: {case}"));
        assert_eq!(document["verdict"], "unknown", "{case}");
        assert_eq!(document["reason"]["kind"], "cancelled", "{case}");
    }
}

#[test]
fn memory_ends_hard() {
    let scratch = Scratch::new("limits-memory");
    let long = scratch.write("long.c", long_text());
    let words = [
        "check",
        "--json",
        "--timeout",
        "60",
        "--memory",
        "100",
        &long,
    ];
    let (output, took) = timed(cairn().args(words));
    let (code, stdout, stderr) = parts(&output);
    let case = format!("exit {code} after {took:?}\n{stdout}{stderr}");
    assert_eq!(code, 3, "{case}");
    let document = json(&output).unwrap_or_else(|error| panic!("{error}: {case}"));
    assert_eq!(document["reason"]["kind"], "memory", "{case}");
    assert!(took < Duration::from_secs(30), "{case}");
}
