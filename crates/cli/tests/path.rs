//! The failing run as it is recorded: which values matter, how loops and calls are folded, and how
//! that is shown.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod harness;

use harness::{Scratch, cairn, json, parts, run};
use serde_json::Value;
use std::collections::BTreeSet;

const HEAD: &str = "#include <stdlib.h>\n#include <string.h>\nint __VERIFIER_nondet_int(void);\n\
                    void reach_error(void);\n";

/// The trace of a program on inputs.
fn trace(name: &str, text: &str, inputs: &str) -> Value {
    let scratch = Scratch::new(&format!("path-{name}"));
    let file = scratch.write("a.c", format!("{HEAD}{text}"));
    let document = json(&run(&["run", "--json", "--inputs", inputs, &file])).unwrap();
    assert_ne!(document["end"]["kind"], "exited", "{name}: {document:#}");
    document["trace"].clone()
}

/// The names and values of a trace that matter, or that do not.
fn values(trace: &Value, matters: bool) -> BTreeSet<String> {
    let steps = trace["steps"].as_array().unwrap().iter();
    let lists = steps.flat_map(|step| [&step["values"], &step["arguments"]]);
    let all = lists.flat_map(|list| list.as_array().into_iter().flatten());
    all.filter(|value| value["matters"] == matters)
        .map(|value| {
            let [name, value] = ["name", "value"].map(|key| value[key].as_str().unwrap());
            format!("{name}={value}")
        })
        .collect()
}

#[test]
fn the_same_input_again_and_again_is_one_row() {
    let scratch = Scratch::new("same-inputs");
    let text = "int main(void) {\n  int a[9];\n  for (int i = 0; i < 9; i++)\n    \
                a[i] = __VERIFIER_nondet_int();\n  int n = __VERIFIER_nondet_int();\n  \
                if (n == 7)\n    reach_error();\n  return a[0];\n}\n";
    let file = scratch.write("a.c", format!("{HEAD}{text}"));
    let (code, stdout, _) = parts(&run(&["check", &file]));
    assert_eq!(code, 1, "{stdout}");
    let at = |words: &str| {
        let found = stdout.lines().position(|line| line.contains(words));
        found.unwrap_or_else(|| panic!("no {words:?} in:\n{stdout}"))
    };
    assert!(at("__VERIFIER_nondet_int() = 0  (9 times)") < at("__VERIFIER_nondet_int() = 7"));
    // What is left out of a call is inside it.
    assert_eq!(at("| main()") + 1, at("lines that do not matter"));
}

#[test]
fn a_call_that_fails_at_once_is_shown() {
    let scratch = Scratch::new("at-once");
    let text = "void fail(int k) {\n  reach_error();\n}\nint main(void) {\n  fail(5);\n}\n";
    let file = scratch.write("a.c", format!("{HEAD}{text}"));
    let (_, stdout, _) = parts(&run(&["check", &file]));
    let path = "    | main()\n  9 |   fail(5);\n    |   fail(k = 5)\n  6 |     reach_error();\n";
    assert!(stdout.contains(path), "{stdout}");
    let file = scratch.write(
        "b.c",
        format!("{HEAD}int main(void) {{\n  reach_error();\n}}\n"),
    );
    let (_, stdout, _) = parts(&run(&["check", &file]));
    assert!(
        stdout.contains("    | main()\n  6 |   reach_error();\n"),
        "{stdout}"
    );
}

/// Name, text, inputs, what matters, what does not.
type Case = (
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

#[test]
fn values_matter_if_the_failure_depends_on_them() {
    let cases: &[Case] = &[
        (
            "data",
            "int main(void) { int a = 1, b = 2, c = a + 3;\n if (c == 4) reach_error(); return b; }",
            "",
            &["a=1", "c=4"],
            &["b=2"],
        ),
        (
            "overwritten",
            "int main(void) { int a = 1;\n a = 2;\n if (a == 2) reach_error(); return 0; }",
            "",
            &["a=2"],
            &["a=1"],
        ),
        (
            "control",
            "int main(void) { int n = __VERIFIER_nondet_int(), m = n, x = 0;\n if (n > 3)\n x = 1;\n\
             if (m > 2)\n m = 0;\n if (x) reach_error(); return 0; }",
            "4",
            &["n=4", "x=1"],
            &["m=0", "x=0"],
        ),
        (
            "assumptions that hold",
            "int main(void) { int n = __VERIFIER_nondet_int(), m = n + 1;\n if (m < 0) abort();\n\
             if (n == 4) reach_error(); return 0; }",
            "4",
            &["n=4"],
            &["m=5"],
        ),
        (
            "arrays",
            "int main(void) { int a[4], i = 2, j = 3;\n a[i] = 7;\n a[j] = 8;\n\
             if (a[2] == 7) reach_error(); return 0; }",
            "",
            &["i=2", "a[2]=7"],
            &["j=3", "a[3]=8"],
        ),
        (
            "structs that are copied",
            "struct s { int x, y; };\nint main(void) { struct s a, b;\n a.x = 1;\n a.y = 2;\n\
             memcpy(&b, &a, sizeof b);\n if (b.y == 2) reach_error(); return 0; }",
            "",
            &["a.y=2"],
            &[],
        ),
        (
            "calls",
            "int first(int x, int y) { return x; }\nint main(void) { int p = 1, q = 2;\n\
             int r = first(p, q);\n if (r == 1) reach_error(); return 0; }",
            "",
            &["p=1", "x=1", "r=1"],
            &["q=2", "y=2"],
        ),
        (
            "pointers",
            "void set(int *p, int v) { *p = v; }\nint main(void) { int a, b;\n set(&a, 1);\n\
             set(&b, 2);\n if (b == 2) reach_error(); return a; }",
            "",
            &["v=2", "b=2", "p=&b"],
            &["v=1", "a=1", "p=&a"],
        ),
        (
            "recursion",
            "int f(int n, int k) { if (n == 0) return k;\n return f(n - 1, k); }\n\
             int main(void) { int k = 9, n = 3;\n if (f(n, k) == 9) reach_error(); return 0; }",
            "",
            &["k=9", "n=3", "n=0"],
            &[],
        ),
        (
            "which of two returns",
            "int sign(int n) { if (n < 0) return -1;\n return 1; }\n\
             int main(void) { int n = __VERIFIER_nondet_int(), m = n;\n\
             if (sign(n) == 1) reach_error(); return m; }",
            "5",
            &["n=5"],
            &["m=5"],
        ),
        (
            "undefined behaviour",
            "int main(void) { int a = 6, b = 0, c = 5;\n c++;\n return a / b; }",
            "",
            &["a=6", "b=0"],
            &["c=5", "c=6"],
        ),
        (
            "free",
            "int main(void) { int *p = malloc(4), *q = malloc(4);\n *p = 1;\n *q = 2;\n free(p);\n\
             return *p; }",
            "",
            &["p=&heap#1"],
            &["q=&heap#2", "heap#2=2"],
        ),
    ];
    for (name, text, inputs, expected, others) in cases {
        let trace = trace(name, text, inputs);
        assert_eq!(trace["sliced"], true, "{name}");
        let (matter, rest) = (values(&trace, true), values(&trace, false));
        for value in *expected {
            assert!(
                matter.contains(*value),
                "{name}: {value} in {matter:?}, {rest:?}"
            );
        }
        for value in *others {
            assert!(
                rest.contains(*value),
                "{name}: {value} in {rest:?}, {matter:?}"
            );
            assert!(!matter.contains(*value), "{name}: {value}");
        }
    }
}

#[test]
fn loops_show_the_iterations_that_differ() {
    let text = "int main(void) { int s = 0;\n for (int i = 0; i < 1000; i++) {\n if (i == 500)\n\
                s = i;\n }\n if (s == 500) reach_error(); return 0; }";
    let trace = trace("iterations", text, "");
    let steps = trace["steps"].as_array().unwrap();
    let iterations = steps
        .iter()
        .filter_map(|step| step["iteration"]["number"].as_u64());
    assert_eq!(iterations.collect::<Vec<_>>(), [1, 500, 501, 502, 1000]);
    let skipped = steps
        .iter()
        .filter_map(|step| step["iteration"]["skipped"].as_u64());
    assert_eq!(skipped.sum::<u64>(), 995);
}

#[test]
fn a_verdict_alone_records_nothing() {
    let scratch = Scratch::new("path-quiet");
    let file = scratch.write("a.c", format!("{HEAD}int main(void) {{ reach_error(); }}"));
    for command in ["check", "run"] {
        let document = json(&run(&[command, "--json", "--quiet", &file])).unwrap();
        assert_eq!(document["violation"]["line"], 5, "{document:#}");
        assert!(document["trace"].is_null(), "{document:#}");
        let document = json(&run(&[command, "--json", &file])).unwrap();
        assert!(document["trace"].is_object(), "{document:#}");
    }
}

#[test]
fn long_runs_say_that_they_are_not_sliced() {
    let text = "int main(void) { int s = 0;\n for (int i = 0; i < 2500000; i++)\n s ^= i;\n\
                if (s >= 0) reach_error(); return 0; }";
    let trace = trace("long", text, "");
    assert_eq!(trace["sliced"], false);
    assert!(trace["steps"].as_array().unwrap().len() < 20);
}

#[test]
fn the_path_is_shown_with_what_matters() {
    let scratch = Scratch::new("path-shown");
    let text = "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n\
                void check(int holds) {\n  if (!holds)\n    reach_error();\n}\n\
                int main(void) {\n  int n = __VERIFIER_nondet_int(), k = 3;\n  int s = 0;\n  \
                k++;\n  k++;\n  k++;\n  for (int i = 0; i < 9; i++)\n    s += n;\n  \
                check(s != 18);\n  return 0;\n}\n";
    scratch.write("a.c", text);
    let shown = |words: &[&str]| {
        let mut command = cairn();
        command.current_dir(scratch.file(""));
        let output = command.args(["run", "--inputs", "2", "a.c"]).args(words);
        parts(&output.output().unwrap()).1
    };
    let expected = "\
error: reach_error() is called
  --> a.c:5:5
   |
 5 |     reach_error();
   |     ^^^^^^^^^^^^^ holds = 0
   |
note: called from `main`
  --> a.c:15:3
   |
15 |   check(s != 18);
   |   ^^^^^^^^^^^^^^ s = 18

inputs:
  a.c:8  __VERIFIER_nondet_int() = 2

path:
     | main()
   8 |   int n = __VERIFIER_nondet_int(), k = 3;  n = 2
   9 |   int s = 0;                               s = 0
     |   ... 3 lines that do not matter
     |   iteration 1 of 9 (loop at line 13):
  13 |   for (int i = 0; i < 9; i++)              i = 0
  14 |     s += n;                                s = 2
     |   ... 7 iterations left out, iteration 9 of 9 (loop at line 13):
  13 |   for (int i = 0; i < 9; i++)              i = 8
  14 |     s += n;                                s = 18
  13 |   for (int i = 0; i < 9; i++)
  15 |   check(s != 18);
     |   check(holds = 0)
   4 |     if (!holds)
   5 |       reach_error();

Run: the run violates a property: reach_error() is called
";
    assert_eq!(shown(&[]), expected);
    let all = shown(&["--verbose"]);
    assert!(
        all.contains("k = 6") && !all.contains("do not matter"),
        "{all}"
    );
    let colored = shown(&["--color", "always"]);
    assert!(colored.contains("\x1b[36ms = 18\x1b[0m"), "{colored}");
}
