//! `cairn bench` with real child processes: rows, limits, wrong verdicts, resuming, files.

mod harness;

use harness::{Scratch, cairn, parts, run};
use std::process::Stdio;
use std::time::{Duration, Instant};

const SAFE: &str = "extern void reach_error(void);\nint main(void) {\n  int x = 0;\n  \
                    while (x < 10) x++;\n  if (x != 10) reach_error();\n  return 0;\n}\n";
const UNSAFE: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
                      int main(void) {\n  if (__VERIFIER_nondet_int() == 7) reach_error();\n  \
                      return 0;\n}\n";
/// `random` tries it for as long as it is let.
const ENDLESS: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
                       int main(void) {\n  int x = __VERIFIER_nondet_int();\n  \
                       if (x > 7 && x < 7) reach_error();\n  return 0;\n}\n";

fn definition(program: &str, expected: &str) -> String {
    format!(
        "format_version: '2.0'\ninput_files: {program}\nproperties:\n  - property_file: \
         ../properties/unreach-call.prp\n    expected_verdict: {expected}\noptions:\n  language: C\n  \
         data_model: ILP32\n"
    )
}

/// A folder with a safe and an unsafe task.
fn two_tasks(name: &str) -> (Scratch, String) {
    let scratch = Scratch::new(name);
    for (stem, text, expected) in [("good", SAFE, "true"), ("bad", UNSAFE, "false")] {
        scratch.write(&format!("{stem}.c"), text);
        let program = format!("{stem}.c");
        scratch.write(&format!("{stem}.yml"), definition(&program, expected));
    }
    let folder = scratch.file("").to_str().expect("a plain path").to_owned();
    (scratch, folder)
}

/// Task, engine, verdict and status of every row.
fn rows(scratch: &Scratch, out: &str) -> Vec<[String; 4]> {
    let text = std::fs::read_to_string(scratch.file(out).join("results.csv"))
        .expect("there should be results");
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("set,task,engine,expected,verdict,status,cpu_s,wall_s,memory_mb,counters,reason")
    );
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let name = fields[1].rsplit('/').next().unwrap_or_default();
            [name, fields[2], fields[4], fields[5]].map(str::to_owned)
        })
        .collect()
}

#[test]
fn rows_tables_and_plots() {
    let (scratch, folder) = two_tasks("bench-files");
    let out = scratch.file("out");
    let out_name = out.to_str().expect("a plain path");
    let words = ["bench", &folder, "--engine", "cra,random", "--timeout", "2"];
    let (code, stdout, stderr) = parts(&run(
        &[&words[..], &["--jobs", "2", "--out", out_name]].concat()
    ));
    assert_eq!(code, 0, "{stdout}{stderr}");
    let expected = [
        ["bad.yml", "cra", "", "unknown"],
        ["bad.yml", "random", "unsafe", "correct"],
        ["good.yml", "cra", "safe", "correct"],
        ["good.yml", "random", "", "unknown"],
    ];
    assert_eq!(rows(&scratch, "out"), expected);
    assert!(
        stderr.contains("4/4: 2 solved, 0 wrong, 2 unknown"),
        "{stderr}"
    );
    let table = std::fs::read_to_string(out.join("table.md")).expect("there should be a table");
    assert_eq!(table, stdout);
    assert!(table.contains("| **total** | 2 | 1 |"), "{table}");
    for plot in ["cactus.svg", "scatter.svg"] {
        let text = std::fs::read_to_string(out.join(plot)).expect("there should be a plot");
        well_formed(&text);
    }
    // One worker, the same rows.
    let again = scratch.file("again");
    let out_name = again.to_str().expect("a plain path");
    let (code, ..) = parts(&run(&[&words[..], &["--out", out_name]].concat()));
    assert_eq!(code, 0);
    assert_eq!(rows(&scratch, "again"), expected);
}

/// Every tag is closed, in order.
fn well_formed(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in text.split('<').skip(1) {
        let (inside, _) = tag.split_once('>').expect("a tag should end");
        let name = inside.split([' ', '/']).find(|part| !part.is_empty());
        if inside.starts_with('/') {
            assert_eq!(open.pop(), name);
        } else if !inside.ends_with('/') {
            open.extend(name);
        }
        assert_eq!(inside.matches('"').count() % 2, 0, "{inside}");
    }
    assert!(open.is_empty(), "{open:?} are not closed");
}

#[test]
fn a_wrong_verdict_is_exit_code_1() {
    let scratch = Scratch::new("bench-wrong");
    scratch.write("bad.c", UNSAFE);
    let task = scratch.write("bad.yml", definition("bad.c", "true"));
    let (code, stdout, stderr) = parts(&run(&["bench", "--engine", "random", &task]));
    assert_eq!(code, 1, "{stdout}{stderr}");
    assert!(stderr.contains("wrong: random says unsafe of"), "{stderr}");
    assert!(
        stdout.contains("**Wrong:** random says `unsafe`"),
        "{stdout}"
    );
    // Of another property the definition says nothing.
    let (code, stdout, _) = parts(&run(&[
        "bench",
        "--property",
        "no-overflow",
        &task,
        "--timeout",
        "1",
    ]));
    assert_eq!(code, 0, "{stdout}");
}

#[test]
fn what_cannot_be_decided_has_a_row_or_is_named() {
    let scratch = Scratch::new("bench-odd");
    scratch.write("horn.smt2", "(set-logic HORN)\n(check-sat)\n");
    scratch.write("broken.c", "int main(void) {\n");
    scratch.write("plain.c", UNSAFE);
    let pattern = scratch.file("*");
    let out = scratch.file("out");
    let words = [pattern.to_str(), Some("--out"), out.to_str()].map(|word| word.expect("plain"));
    let (code, stdout, stderr) = parts(&run(
        &[&["bench", "--engine", "random"], &words[..]].concat()
    ));
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stderr.contains("horn.smt2` is left out"), "{stderr}");
    let expected = [
        ["broken.c", "random", "", "error"],
        ["plain.c", "random", "unsafe", "unrated"],
    ];
    assert_eq!(rows(&scratch, "out"), expected);
}

#[test]
fn limits_end_a_task() {
    let scratch = Scratch::new("bench-limits");
    let file = scratch.write("endless.c", ENDLESS);
    let bench = |name: &str, limits: [&str; 4]| {
        let out = scratch.file(name);
        let out = out.to_str().expect("a plain path");
        let words = ["bench", &file, "--engine", "random", "--out", out];
        let (code, stdout, stderr) = parts(&run(&[&words[..], &limits].concat()));
        assert_eq!(code, 0, "{stdout}{stderr}");
        rows(&scratch, name)
    };
    let start = Instant::now();
    let timeout = bench("time", ["--timeout", "1", "--memory", "4000"]);
    assert_eq!(timeout, [["endless.c", "random", "", "timeout"]]);
    assert!(start.elapsed() < Duration::from_secs(5));
    // No process of ours gets by with so little.
    let memory = bench("memory", ["--timeout", "30", "--memory", "2"]);
    assert_eq!(memory, [["endless.c", "random", "", "memory"]]);
    assert!(start.elapsed() < Duration::from_secs(15));
}

#[test]
fn an_interrupted_run_is_resumed() {
    let (scratch, folder) = two_tasks("bench-resume");
    scratch.write("endless.c", ENDLESS);
    scratch.write("endless.yml", definition("endless.c", "true"));
    let out = scratch.file("out");
    let out_name = out.to_str().expect("a plain path");
    let words = ["bench", &folder, "--timeout", "3", "--out", out_name];
    let child = cairn()
        .args(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cairn should start");
    let first_row =
        || std::fs::read_to_string(out.join("results.csv")).is_ok_and(|t| t.lines().count() > 1);
    while !first_row() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let number = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(number, rustix::process::Signal::INT)
        .expect("cairn should be running");
    let (code, _, stderr) = parts(&child.wait_with_output().expect("cairn should end"));
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("--resume goes on"), "{stderr}");
    let (code, _, stderr) = parts(&run(&words));
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("has results already"), "{stderr}");
    let other = [
        "bench",
        &folder,
        "--timeout",
        "4",
        "--out",
        out_name,
        "--resume",
    ];
    let (code, _, stderr) = parts(&run(&other));
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("of other settings"), "{stderr}");
    // As if the line had been cut short by the end of the machine.
    let known = std::fs::read_to_string(out.join("results.csv")).expect("there should be rows");
    std::fs::write(out.join("results.csv"), known + "half a li").expect("rows can be written");
    let (code, stdout, stderr) = parts(&run(&[&words[..], &["--resume"]].concat()));
    assert_eq!(code, 0, "{stdout}{stderr}");
    let names: Vec<String> = rows(&scratch, "out")
        .into_iter()
        .map(|[name, ..]| name)
        .collect();
    assert_eq!(names, ["bad.yml", "endless.yml", "good.yml"]);
}

#[test]
fn wrong_usage_is_refused() {
    let scratch = Scratch::new("bench-usage");
    let file = scratch.write("x.c", SAFE);
    let text = scratch.write("x.txt", "");
    let cases: [(&[&str], &str); 9] = [
        (&["no-such-file.c"], "no file or folder `no-such-file.c`"),
        (&["no-such-*.c"], "matches no file"),
        (&[&text], "is no task"),
        (
            &[&file, "--engine", "random,nonsense"],
            "unknown engine `nonsense`",
        ),
        (
            &[&file, "--property", "nonsense"],
            "unknown property `nonsense`",
        ),
        (&[&file, "--resume"], "--out"),
        (&[&file, "--jobs", "0"], "--jobs"),
        (&[&file, "--", "--nonsense"], "the flags for `cairn check`"),
        (&[], "required"),
    ];
    for (words, expected) in cases {
        let (code, stdout, stderr) = parts(&run(&[&["bench"], words].concat()));
        assert_eq!((code, stdout.as_str()), (2, ""), "{words:?}: {stderr}");
        assert!(stderr.contains(expected), "{words:?}: {stderr}");
    }
}
