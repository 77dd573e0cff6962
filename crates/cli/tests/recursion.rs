//! Failing runs through recursion: few of its calls are shown, indented once, and the evidence is
//! confirmed as that of any other run.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod harness;

use harness::{Scratch, cairn, json, parts, root, run};
use serde_json::Value;
use std::process::Command;

/// Programs that fail inside a recursion or after one, in `tests/programs/control`.
const FAILING: [&str; 3] = [
    "failure_a_thousand_calls_deep.c",
    "failure_behind_mutual_recursion.c",
    "failure_behind_a_tree_of_calls.c",
];

fn program(name: &str) -> String {
    let path = root().join("tests/programs/control").join(name);
    path.to_str().unwrap().to_owned()
}

/// What `cairn check` prints of a program, in its folder.
fn shown(text: &str) -> String {
    let scratch = Scratch::new(&format!("recursion-{}", text.len()));
    scratch.write("a.c", text);
    let mut command = cairn();
    command.current_dir(scratch.file(""));
    parts(&command.args(["check", "a.c"]).output().unwrap()).1
}

/// The pieces of recursions in a document: which call, whether it is come back to, and what is
/// left out before.
fn pieces(document: &Value) -> Vec<(u64, bool, u64, u64)> {
    let steps = document["trace"]["steps"].as_array().unwrap().iter();
    let pieces = steps.map(|step| &step["recursion"]);
    let pieces = pieces.filter(|piece| piece.is_object());
    let number = |piece: &Value, key: &str| piece[key].as_u64().unwrap();
    let pieces = pieces.map(|piece| {
        (
            number(piece, "call"),
            piece["back"].as_bool().unwrap(),
            number(piece, "skipped"),
            number(piece, "returns"),
        )
    });
    pieces.collect()
}

#[test]
fn a_thousand_calls_and_returns_are_a_few_lines() {
    let text = "void reach_error(void);\nint sum(int n) {\n  if (n == 0)\n    return 0;\n  \
                int rest = sum(n - 1);\n  return n + rest;\n}\nint main(void) {\n  \
                int s = sum(1000);\n  if (s == 500500)\n    reach_error();\n  return 0;\n}\n";
    let expected = "\
path:
     | main()
   9 |   int s = sum(1000);
     |   sum(n = 1000), call 1 of 1001
   3 |     if (n == 0)
   5 |     int rest = sum(n - 1);
     |     ... ×998 deeper
     |     sum(n = 1), call 1000 of 1001
   3 |       if (n == 0)
   5 |       int rest = sum(n - 1);
     |     sum(n = 0), call 1001 of 1001
   3 |       if (n == 0)
   4 |         return 0;
     |     back in sum(n = 1), call 1000 of 1001
   5 |       int rest = sum(n - 1);  rest = 0
   6 |       return n + rest;
     |   ... ×998 back
     |   back in sum(n = 1000), call 1 of 1001
   5 |     int rest = sum(n - 1);    rest = 499500
   6 |     return n + rest;
   9 |   int s = sum(1000);          s = 500500
  10 |   if (s == 500500)
  11 |     reach_error();

Verdict: unsafe
";
    let shown = shown(text);
    let path = shown.find("path:\n").map(|at| &shown[at..]);
    assert_eq!(path, Some(expected), "{shown}");
}

#[test]
fn calls_that_go_another_way_are_shown() {
    let (code, out, _) = parts(&run(&["check", &program(FAILING[0])]));
    assert_eq!(code, 1, "{out}");
    let calls = [
        "|   down(n = 1000, marked = 0), call 1 of 1001",
        "|     ... ×198 deeper",
        "|     down(n = 801, marked = 0), call 200 of 1001",
        "|     down(n = 800, marked = 0), call 201 of 1001",
        "|     down(n = 799, marked = 1), call 202 of 1001",
        "|     ... ×397 deeper",
        "|     down(n = 401, marked = 1), call 600 of 1001",
        "|     down(n = 400, marked = 1), call 601 of 1001",
        "|     down(n = 399, marked = 2), call 602 of 1001",
        "|     ... ×397 deeper",
        "|     down(n = 1, marked = 2), call 1000 of 1001",
        "|     down(n = 0, marked = 2), call 1001 of 1001",
    ];
    let found = out.lines().map(str::trim_start);
    let found = found.filter(|line| line.contains(" deeper") || line.contains(" of 1001"));
    assert!(found.eq(calls), "{out}");
    // The calls around what fails are counted.
    assert!(out.contains("called from `down` at "), "{out}");
    assert!(out.contains(", 999 times\n"), "{out}");
    assert_eq!(out.matches("note: called from").count(), 1, "{out}");
}

#[test]
fn calls_of_each_other_are_one_recursion() {
    let document = json(&run(&["check", "--json", &program(FAILING[1])])).unwrap();
    let expected = [
        (1, false, 0, 0),
        (2, false, 0, 0),
        (1000, false, 997, 0),
        (1001, false, 0, 0),
        (1000, true, 0, 0),
        (999, true, 0, 0),
        (1, true, 0, 997),
    ];
    assert_eq!(pieces(&document), expected, "{document:#}");
}

#[test]
fn nothing_is_indented_more_than_once() {
    for name in FAILING {
        let (_, out, _) = parts(&run(&["check", "--verbose", &program(name)]));
        let path = &out[out.find("path:\n").unwrap()..];
        let indented = |line: &str| {
            let code = line.split_once('|').map_or("", |(_, code)| code);
            code.len() - code.trim_start().len()
        };
        let most = path.lines().map(indented).max().unwrap();
        assert!(most < 14, "{name}: {most}\n{path}");
        assert!(path.lines().count() < 120, "{name}\n{path}");
    }
}

#[test]
fn depth_costs_nothing() {
    let scratch = Scratch::new("recursion-deep");
    let text = "void reach_error(void);\nint f(int n) {\n if (n == 0)\n reach_error();\n \
                return f(n - 1);\n}\nint main(void) { return f(200000); }";
    let file = scratch.write("a.c", text);
    let document = json(&run(&["run", "--json", &file])).unwrap();
    assert_eq!(
        pieces(&document),
        [
            (1, false, 0, 0),
            (200_000, false, 199_998, 0),
            (200_001, false, 0, 0)
        ]
    );
    let steps = document["trace"]["steps"].as_array().unwrap();
    assert_eq!(steps.last().unwrap()["depth"], 200_001);
    assert!(steps.len() < 10, "{}", steps.len());
}

#[test]
fn a_page_has_the_same_calls() {
    let scratch = Scratch::new("recursion-page");
    let page = scratch.file("page.html");
    let words = [
        "check",
        "--html",
        page.to_str().unwrap(),
        &program(FAILING[0]),
    ];
    assert_eq!(parts(&run(&words)).0, 1);
    let page = std::fs::read_to_string(page).unwrap();
    for words in [
        r#""indent":2"#,
        r#""recursion":{"number":1001,"of":1001,"level":1001,"is_back":false,"#,
        r#""skipped":397,"returns":0"#,
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains(r#""indent":3"#));
}

#[test]
fn the_evidence_is_confirmed() {
    for name in FAILING {
        let scratch = Scratch::new(&format!("recursion-{name}"));
        let [witness, test] = ["w.yml", "t.c"].map(|name| scratch.file(name));
        let [witness, test] = [&witness, &test].map(|path| path.to_str().unwrap());
        let file = &program(name);
        let words = [
            "check",
            "--json",
            "--confirm",
            "--witness",
            witness,
            "--test",
            test,
            file,
        ];
        let document = json(&run(&words)).unwrap();
        assert_eq!(document["verdict"], "unsafe", "{name}: {document:#}");
        assert_eq!(
            document["confirmed"]["result"], "reproduced",
            "{name}: {document:#}"
        );
        let (code, out, err) = parts(&run(&["validate", file, witness]));
        assert!(
            code == 0 && out.ends_with("Witness: confirmed\n"),
            "{name}: {out}{err}"
        );
        let binary = scratch.file("a.out");
        let mut compiler = Command::new("cc");
        let compiler = compiler.args(["-w", "-o"]).arg(&binary).args([file, test]);
        assert!(compiler.status().unwrap().success(), "{name}");
        let ended = Command::new(&binary).output().unwrap();
        assert!(!ended.status.success(), "{name}: {ended:?}");
    }
}
