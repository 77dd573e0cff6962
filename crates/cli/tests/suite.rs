//! `cairn tests`: each goal is covered, reached, unreachable or open, and the files of the suite are of
//! use.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod harness;

use harness::{Scratch, json, run};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// One branch needs both inputs to fit, one is impossible after the loop.
const PROGRAM: &str = "int __VERIFIER_nondet_int(void);
void reach_error(void);
int sign(int x) {
  if (x < 0)
    return -1;
  return x > 0;
}
int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), i = 0;
  if (n < 0)
    return 0;
  while (i < n)
    i++;
  if (i < n)
    reach_error();
  if (n == 3 && m == 100 - n)
    reach_error();
  return sign(m) + 1;
}
";

fn goals(document: &Value) -> Vec<(u64, String)> {
    let goals = document["goals"].as_array().unwrap().iter();
    let row = |goal: &Value| {
        let state = goal["state"].as_str().unwrap();
        (goal["line"].as_u64().unwrap(), state.to_owned())
    };
    goals.map(row).collect()
}

#[test]
fn every_branch_is_settled_and_tests_compile() {
    let scratch = Scratch::new("suite-branches");
    let file = scratch.write("program.c", PROGRAM);
    let out = scratch.file("out");
    let words = [
        "tests",
        "--json",
        "--first",
        "la",
        "--rest",
        "none",
        &file,
        "--out",
        out.to_str().unwrap(),
    ];
    let output = run(&words);
    assert_eq!(output.status.code(), Some(0));
    let document = json(&output).unwrap();
    for (line, state) in goals(&document) {
        let is_impossible = line == 14 && state == "unreachable";
        assert!(state == "covered" || is_impossible, "line {line}: {state}");
    }
    let unreachable = goals(&document)
        .into_iter()
        .filter(|(_, state)| state == "unreachable");
    assert_eq!(unreachable.count(), 1);
    let tests = document["tests"].as_array().unwrap().len();
    assert!((3..=6).contains(&tests), "{tests} tests");
    assert!(document["stats"]["backtracks"].as_u64().unwrap() > 0);
    check_files(&out, tests);
    let failing = (1..=tests).filter(|number| runs_into_error(&out, &file, *number));
    assert_eq!(failing.count(), 1, "one test reaches the error");
}

/// The files of the exchange format are there, and no others.
fn check_files(out: &Path, tests: usize) {
    let metadata = std::fs::read_to_string(out.join("metadata.xml")).unwrap();
    assert!(
        metadata.contains("<sourcecodelang>C</sourcecodelang>"),
        "{metadata}"
    );
    assert!(
        metadata.contains("<architecture>64bit</architecture>"),
        "{metadata}"
    );
    for number in 1..=tests {
        let case = std::fs::read_to_string(out.join(format!("testcase-{number}.xml"))).unwrap();
        assert!(case.contains("<input type=\"int\">"), "{case}");
    }
    let files = std::fs::read_dir(out).unwrap().count();
    assert_eq!(files, 2 * tests + 2);
}

/// Compiles the program with a driver and runs it; whether the error is called.
fn runs_into_error(out: &Path, program: &str, number: usize) -> bool {
    let driver = out.join(format!("test-{number}.c"));
    let binary = out.join(format!("test-{number}"));
    let compiled = Command::new("cc")
        .args(["-w", "-o"])
        .args([&binary, Path::new(program), &driver])
        .status();
    assert!(compiled.unwrap().success());
    let output = Command::new(&binary).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.contains("reach_error() was called")
}

#[test]
fn lines_blocks_and_errors_are_goals_too() {
    let scratch = Scratch::new("suite-kinds");
    let file = scratch.write("program.c", PROGRAM);
    let state = |kind: &str, line: u64| {
        let page = scratch.file(&format!("{kind}.html"));
        let words = [
            "tests",
            "--json",
            "--goal",
            kind,
            &file,
            "--html",
            page.to_str().unwrap(),
        ];
        let document = json(&run(&words)).unwrap();
        let page = std::fs::read_to_string(page).unwrap();
        assert!(page.contains("class=\"line unreachable\""), "{kind}");
        assert!(page.contains("i &lt; n"), "{kind}: text is no markup");
        let states = goals(&document).into_iter().filter(|row| row.0 == line);
        let states: Vec<String> = states.map(|row| row.1).collect();
        assert!(
            states.windows(2).all(|pair| pair[0] == pair[1]),
            "{states:?}"
        );
        states.into_iter().next().unwrap()
    };
    for kind in ["lines", "locations", "error"] {
        assert_eq!(state(kind, 15), "unreachable", "{kind}");
        assert_eq!(state(kind, 17), "covered", "{kind}");
    }
}

#[test]
fn without_learning_nothing_is_proved() {
    let scratch = Scratch::new("suite-learn");
    let text = PROGRAM.replace("while (i < n)", "while (i < n && i < 3)");
    let text = text.replace("if (i < n)", "if (i > 3)");
    let file = scratch.write("program.c", text);
    let count = |learn: &str| {
        let words = [
            "tests",
            "--json",
            "--timeout",
            "20",
            "--first",
            "la",
            "--rest",
            "none",
            "--learn",
            learn,
            &file,
        ];
        let output = run(&words);
        let document = json(&output).unwrap();
        let [covered, open] = ["covered", "open"].map(|name| document["summary"][name].clone());
        (output.status.code(), covered, open)
    };
    let (with, without) = (count("on"), count("off"));
    assert_eq!((with.0, without.0), (Some(0), Some(3)));
    assert_eq!(with.1, without.1, "the same goals are covered");
    assert!(without.2.as_u64() > with.2.as_u64());
}

#[test]
fn goals_in_and_behind_recursion_are_settled() {
    let scratch = Scratch::new("suite-recursion");
    let text = "int __VERIFIER_nondet_int(void);
int depth;
int down(int n) {
  if (n <= 0) {
    return 0;
  }
  depth = depth + 1;
  if (depth < 0) {
    return -1;
  }
  return 1 + down(n - 1);
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  int m = down(n);
  if (m == 3) {
    return 1;
  }
  if (m < 0) {
    return 2;
  }
  return 0;
}
";
    let file = scratch.write("program.c", text);
    let words = [
        "tests",
        "--json",
        "--timeout",
        "30",
        "--rest",
        "none",
        &file,
    ];
    let output = run(&words);
    let document = json(&output).unwrap();
    assert_eq!(output.status.code(), Some(0), "{document:#}");
    // Two sides are unreachable: of the depth, and of what is returned.
    let counts = ["covered", "unreachable", "open"].map(|name| document["summary"][name].clone());
    assert_eq!(
        counts.map(|count| count.as_u64()),
        [Some(6), Some(2), Some(0)]
    );
}

#[test]
fn what_is_left_open_is_tried_by_another_engine() {
    let scratch = Scratch::new("suite-rest");
    // A product of variables is known to runs and to bit-vectors, not to labels.
    let text = "unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  if (a * b == 221 && a > 1 && b > a)
    return 1;
  if (a * a == 3)
    return 2;
  return 0;
}
";
    let file = scratch.write("program.c", text);
    let open = |rest: &str| {
        let output = run(&["tests", "--json", "--rest", rest, "--timeout", "40", &file]);
        json(&output).unwrap()["summary"]["open"].as_u64().unwrap()
    };
    assert!(open("none") > 0);
    assert_eq!(open("auto"), 0);
}

/// No run of it ends.
const ENDLESS: &str = "int __VERIFIER_nondet_int(void);
int main(void) {
  int n = 0;
  while (1) {
    if (__VERIFIER_nondet_int() > 4)
      n++;
    if (n > 3)
      n = 0;
  }
}
";

#[test]
fn tests_of_endless_programs_are_short_and_end() {
    let scratch = Scratch::new("suite-endless");
    let file = scratch.write("program.c", ENDLESS);
    let out = scratch.file("out");
    let words = ["tests", "--json", &file, "--out", out.to_str().unwrap()];
    let document = json(&run(&words)).unwrap();
    let states = goals(&document).into_iter().map(|(_, state)| state);
    let covered = states.filter(|state| state == "covered").count();
    assert_eq!(covered, 4, "{document}");
    let tests = document["tests"].as_array().unwrap();
    for (number, test) in (1..).zip(tests) {
        assert_eq!(test["end"], "out-of-inputs");
        assert!(test["inputs"].as_array().unwrap().len() < 10, "{test}");
        assert!(!runs_into_error(&out, &file, number));
    }
}

/// The last lines come after a million iterations.
const LONG: &str = "int __VERIFIER_nondet_int(void);
int main(void) {
  int k = INPUT, i = 0, j = 0;
  if (k < 0 || k > 1)
    return 0;
  while (i < 1000000) {
    i = i + 1;
    j = j + k;
  }
  if (j > 1000000)
    return 1;
  return 2;
}
";

#[test]
fn what_stands_behind_many_iterations_is_run() {
    let scratch = Scratch::new("suite-long");
    for (input, unreachable) in [("0", 3), ("__VERIFIER_nondet_int()", 1)] {
        let file = scratch.write("program.c", LONG.replace("INPUT", input));
        let output = run(&["tests", "--json", &file]);
        assert_eq!(output.status.code(), Some(0), "{input}");
        let document = json(&output).unwrap();
        let states = goals(&document).into_iter().map(|(_, state)| state);
        let count = states.filter(|state| state == "unreachable").count();
        assert_eq!(count, unreachable, "{document:#}");
    }
}

#[test]
fn random_runs_alone_prove_nothing() {
    let scratch = Scratch::new("suite-random");
    let file = scratch.write("program.c", PROGRAM);
    let words = [
        "tests",
        "--json",
        "--timeout",
        "2",
        "--first",
        "random",
        "--rest",
        "none",
    ];
    let document = json(&run(&[&words[..], &[&file]].concat())).unwrap();
    let summary = &document["summary"];
    assert_eq!(summary["unreachable"], 0, "{summary}");
    assert!(summary["covered"].as_u64() > Some(6), "{summary}");
    assert_eq!(document["stats"]["decisions"], 0);
}

/// No value is 2, so that line 7 is not executed, though the value is compared with its label.
const LABELS: &str = "int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1)
    return 9;
  switch (n) {
  case 2: return 1;
  case 0:
    return 2;
  case 1: return 3;
  }
  return 0;
}
";

#[test]
fn a_value_is_compared_at_its_switch() {
    let scratch = Scratch::new("suite-labels");
    let file = scratch.write("program.c", LABELS);
    let document = json(&run(&["tests", "--json", "--goal", "lines", &file])).unwrap();
    let goals = goals(&document);
    let state = |line: u64| {
        let goal = goals.iter().find(|row| row.0 == line);
        goal.map(|row| &*row.1)
    };
    assert_eq!(state(6), Some("covered"));
    assert_eq!(state(7), Some("unreachable"));
    assert_eq!(state(8), None, "a label alone does nothing");
    assert_eq!(state(9), Some("covered"));
    assert_eq!(state(10), Some("covered"));
}

/// Programs with a line that a compiled program gets to, one that none does, and why.
const OBSTACLES: [(&str, u64, u64, &str); 4] = [
    (
        "int main(void) {
  int x = 1;
  _Bool is_ok = __CPROVER_r_ok(&x, sizeof x);
  return is_ok;
}
",
        2,
        4,
        "`__CPROVER_r_ok` has no meaning for a compiler",
    ),
    (
        "int down(int n) {
  int some[1000];
  some[n % 1000] = n;
  return n == 0 ? 0 : 1 + down(n - 1) + some[0] - some[0];
}
int main(void) {
  int all = down(8000);
  return all;
}
",
        4,
        8,
        "nested deeper than the stack",
    ),
    (
        "int main(void) {
  int x;
  if (x == 7)
    return 1;
  return 0;
}
",
        3,
        4,
        "`x` is 7 without being initialised",
    ),
    (
        "int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n != 1)
    return 0;
  n = n / (n - 1);
  return n;
}
",
        5,
        6,
        "undefined in the end",
    ),
];

#[test]
fn what_no_compiled_program_repeats_is_reached() {
    let scratch = Scratch::new("suite-reached");
    for (text, covered, reached, why) in OBSTACLES {
        let file = scratch.write("program.c", text);
        let out = scratch.file("out");
        let words = ["--goal", "lines", &file, "--out", out.to_str().unwrap()];
        let output = run(&[&["tests", "--json"], &words[..]].concat());
        assert_eq!(output.status.code(), Some(0), "{why}");
        let document = json(&output).unwrap();
        let goals = document["goals"].as_array().unwrap();
        let at = |line: u64| goals.iter().find(|goal| goal["line"] == line).unwrap();
        assert_eq!(at(covered)["state"], "covered", "{why}: {document:#}");
        let goal = at(reached);
        assert_eq!(goal["state"], "reached", "{why}: {document:#}");
        assert!(goal["reason"].as_str().unwrap().contains(why), "{goal}");
        let number = goal["test"].as_u64().unwrap();
        let test = &document["tests"][number as usize - 1];
        assert_eq!(test["obstacle"], goal["reason"]);
        let driver = std::fs::read_to_string(out.join(format!("test-{number}.c"))).unwrap();
        assert!(driver.contains("No compiled program"), "{driver}");
        let output = run(&[&["tests"], &words[..]].concat());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = format!("reached: the line is executed (test {number}: ");
        assert!(text.contains(&line), "{text}");
        assert!(
            text.contains("tests that no compiled program repeats"),
            "{text}"
        );
    }
}

#[test]
fn arrays_without_a_value_are_zero_for_the_compiler_too() {
    let scratch = Scratch::new("suite-zero");
    let text = "int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 8)
    return 0;
  int a[n];
  if (a[0] < n)
    return 1;
  return 2;
}
";
    let file = scratch.write("program.c", text);
    let out = scratch.file("out");
    let words = [
        "tests",
        "--goal",
        "lines",
        "--rest",
        "none",
        "--timeout",
        "2",
    ];
    run(&[&words[..], &[&file, "--out", out.to_str().unwrap()]].concat());
    let driver = std::fs::read_to_string(out.join("test-1.c")).unwrap();
    assert!(
        driver.contains(" -ftrivial-auto-var-init=zero "),
        "{driver}"
    );
}
