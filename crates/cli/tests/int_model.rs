//! `--int-model math`: unbounded integers, and where they differ from C's.

mod harness;

use harness::{Scratch, json, parts, run};

/// A program: what C's integers give, and what unbounded ones give, each with the engine that can
/// tell; a part of the reason where there is no verdict.
struct Case {
    name: &'static str,
    body: &'static str,
    machine: (&'static str, &'static str),
    math: (&'static str, &'static str),
    reason: &'static str,
}

const CASES: [Case; 6] = [
    Case {
        name: "wrapping-bug",
        body: "unsigned u = nondet(); if (u + 1 == 0) reach_error();",
        machine: ("random", "unsafe"),
        math: ("cra", "safe"),
        reason: "",
    },
    Case {
        name: "plain-bug",
        body: "unsigned u = nondet(); if (u + 3 == 10) reach_error();",
        machine: ("random", "unsafe"),
        math: ("random", "unsafe"),
        reason: "",
    },
    Case {
        name: "no-bug-in-c",
        body: "unsigned long s = nondet() + 4294967295u; if (s > 4294967295ul) reach_error();",
        machine: ("cra", "safe"),
        math: ("random", "unknown"),
        reason: "it is not confirmed that C's integers lead there: the program ends",
    },
    Case {
        name: "inputs-have-types",
        body: "unsigned u = nondet(); if (u > 4294967295ul || u < 0) reach_error();",
        machine: ("cra", "safe"),
        math: ("cra", "safe"),
        reason: "",
    },
    Case {
        name: "past-the-range-of-int",
        body: "int i = 0; while (i >= 0) i = i + 1; reach_error();",
        machine: ("cra", "safe"),
        math: ("cra", "safe"),
        reason: "",
    },
    Case {
        // Nothing may be proved from the range of the type that stands for all integers.
        name: "past-any-range",
        body: "unsigned u = 1; for (int i = 0; i < 200; i = i + 1) u = u + u; reach_error();",
        machine: ("random", "unsafe"),
        math: ("cra", "unknown"),
        reason: "",
    },
];

#[test]
fn where_the_models_differ() {
    let scratch = Scratch::new("int-model");
    for case in &CASES {
        let text = format!(
            "extern void reach_error(void);\nextern unsigned nondet(void);\n\
             int main(void) {{\n  {}\n  return 0;\n}}\n",
            case.body
        );
        let file = scratch.write(&format!("{}.c", case.name), text);
        for (model, (engine, expected)) in [("machine", case.machine), ("math", case.math)] {
            let words = ["check", "--json", "--timeout", "20", "--engine", engine];
            let words = [&words[..], &["--int-model", model, &file]].concat();
            let document = json(&run(&words)).expect("a document");
            assert_eq!(
                document["verdict"], expected,
                "{} {model}: {document}",
                case.name
            );
            let assumed = document["assumptions"].to_string().contains("unbounded");
            assert_eq!(assumed, model == "math", "{document}");
            if expected == "unknown" {
                let message = document["reason"]["message"].to_string();
                assert!(message.contains(case.reason), "{message}");
                assert_ne!(document["reason"]["kind"], "internal", "{document}");
            }
        }
    }
}

/// A proof about unbounded integers is not a witness for the C program: here that one is unsafe.
#[test]
fn unbounded_integers_have_no_witness() {
    let scratch = Scratch::new("int-model-witness");
    let text = "extern void reach_error(void);\nextern unsigned nondet(void);\nint main(void) {\n  \
                unsigned u = nondet();\n  if (u + 1 == 0)\n    reach_error();\n  return 0;\n}\n";
    let file = scratch.write("wraps.c", text);
    let witness = scratch.file("witness.yml");
    let path = witness.to_str().expect("a plain path");
    let words = ["check", "--int-model", "math", "--witness", path, &file];
    let (code, stdout, stderr) = parts(&run(&words));
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stderr.contains("no witness is written: the proof is about unbounded integers"));
    assert!(!witness.exists());
}
