//! `cairn interpolate` on the examples and on mistakes.

mod harness;

use harness::{Scratch, json, parts, root, run};

fn example(name: &str) -> String {
    let path = root().join("examples").join(name);
    path.to_str().expect("a plain path").to_owned()
}

/// Exit code and standard output; standard error is empty.
fn interpolate(words: &[&str]) -> (i32, String) {
    let mut all = vec!["interpolate"];
    all.extend(words);
    let (code, stdout, stderr) = parts(&run(&all));
    assert_eq!(stderr, "", "{words:?}");
    (code, stdout)
}

#[test]
fn the_examples_have_checked_interpolants() {
    let examples = harness::files(&root().join("examples"), "smt2");
    let mut seen = 0;
    for path in examples {
        let path = path.to_str().expect("a plain path");
        let text = std::fs::read_to_string(path).expect("the example should be there");
        if text.contains("(set-logic HORN)") {
            continue;
        }
        seen += 1;
        let (code, stdout) = interpolate(&["--check", path]);
        assert_eq!(code, 0, "{path}: {stdout}");
        let queries = text.matches("(get-interpolants").count();
        let checked = stdout.matches("; checked: ").count();
        assert_eq!(checked, queries, "{path}: {stdout}");
    }
    assert!(seen >= 4, "only {seen} examples were found");
}

#[test]
fn the_predicates_of_the_counter_are_found() {
    let (code, stdout) = interpolate(&[&example("counter.smt2")]);
    let expected =
        "(\n  (= x1 ctr0)\n  (= (+ x1 1) ctr1)\n  (= (+ x1 1) y1)\n  (= y1 (+ m0 1))\n)\n";
    assert_eq!((code, stdout.as_str()), (0, expected));
}

#[test]
fn the_steps_of_the_lock_are_separated() {
    let (code, stdout) = interpolate(&[&example("lock.smt2")]);
    assert_eq!(code, 0);
    let lists: Vec<&str> = stdout.split("unsat\n").skip(1).collect();
    let [first, second] = lists[..] else {
        panic!("there should be two answers: {stdout}");
    };
    assert_eq!(
        first.lines().filter(|line| line.starts_with("  ")).count(),
        4
    );
    assert!(first.contains("L2") && !first.contains("new"), "{first}");
    assert!(
        second.contains("old0") && second.contains("new0"),
        "{second}"
    );
}

#[test]
fn parts_that_are_consistent_have_a_model() {
    let scratch = Scratch::new("interpolate-sat");
    let text = "(declare-const x Int) (declare-const y Real) (declare-fun f (Int) Int)
        (assert (! (and (< 2 x) (< x 4)) :named A)) (assert (! (= y (/ x 2)) :named B))
        (assert (! (= (f x) (- 7)) :named C)) (get-interpolants A B C)";
    let file = scratch.write("sat.smt2", text);
    let (code, stdout) = interpolate(&[&file, "--check"]);
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.starts_with("sat\n(\n"), "{stdout}");
    assert!(stdout.contains("(define-fun x () Int 3)"), "{stdout}");
    assert!(
        stdout.contains("(define-fun y () Real (/ 3.0 2.0))"),
        "{stdout}"
    );
    assert!(stdout.contains("(define-fun f ((a0 Int)) Int "), "{stdout}");
}

#[test]
fn assertions_without_a_query_are_a_sequence() {
    let scratch = Scratch::new("interpolate-sequence");
    let text = "(declare-const x Int) (declare-const y Int)
        (assert (= x 1)) (assert (= y (+ x 1))) (assert (= y 7))";
    let file = scratch.write("plain.smt2", text);
    let (code, stdout) = interpolate(&[&file, "--check"]);
    assert_eq!(code, 0);
    assert!(stdout.ends_with("; checked: 2 interpolants\n"), "{stdout}");
}

#[test]
fn derivations_stand_in_comments() {
    let (code, stdout) = interpolate(&["--layers", "proof", "--explain", &example("counter.smt2")]);
    assert_eq!(code, 0);
    assert!(stdout.contains("; above s1:\n;   p0: |- "), "{stdout}");
    for rule in ["HYP-A", "HYP-B", "COMB", "CONTRA", "RES-"] {
        assert!(stdout.contains(rule), "{rule}: {stdout}");
    }
    let (_, other) = interpolate(&["--layers", "cubes", "--explain", &example("counter.smt2")]);
    assert!(other.contains("; no derivation: "), "{other}");
    // What is not a comment reads as one list.
    let list: Vec<&str> = (stdout.lines())
        .filter(|line| !line.starts_with(';'))
        .collect();
    assert_eq!((list.first(), list.last()), (Some(&"("), Some(&")")));
}

#[test]
fn each_layer_answers_alone() {
    for layer in ["proof", "core", "cubes"] {
        for name in ["counter.smt2", "calls.smt2", "parity.smt2"] {
            let (code, stdout) = interpolate(&["--layers", layer, "--check", &example(name)]);
            assert_eq!(code, 0, "{layer} {name}: {stdout}");
            assert!(stdout.contains("; checked: "), "{layer} {name}: {stdout}");
        }
    }
    // This one only makes what the others find smaller.
    let (code, stdout) = interpolate(&["--layers", "generalise", &example("counter.smt2")]);
    assert_eq!((code, stdout.lines().next()), (3, Some("unknown")));
}

#[test]
fn documents_have_the_parts_and_the_interpolants() {
    let words = ["interpolate", "--json", "--check", &example("calls.smt2")];
    let document = json(&run(&words)).expect("a document");
    assert_eq!(document["command"], "interpolate");
    let query = &document["queries"][0];
    assert_eq!(query["answer"], "interpolants");
    assert_eq!(query["parts"][1][0], "second");
    assert_eq!(query["parents"], serde_json::json!([2, 2]));
    assert_eq!(query["checked"], true);
    assert_eq!(query["interpolants"][0]["formula"], "(= (+ n 1) r)");
    assert_eq!(query["interpolants"][0]["atoms"], 1);
}

#[test]
fn queries_are_logged() {
    let scratch = Scratch::new("interpolate-log");
    let folder = scratch
        .file("log")
        .to_str()
        .expect("a plain path")
        .to_owned();
    interpolate(&["--log-smt", &folder, "--check", &example("lock.smt2")]);
    let logged = harness::files(std::path::Path::new(&folder), "smt2");
    assert!(!logged.is_empty());
    for path in logged {
        let text = std::fs::read_to_string(&path).expect("a query");
        assert!(text.contains("(check-sat)"), "{text}");
    }
}

#[test]
fn mistakes_are_refused_at_their_places() {
    let scratch = Scratch::new("interpolate-mistakes");
    for (text, expected) in [
        ("(assert (= x 1))", "error: `x` is not declared"),
        (
            "(declare-const x Int)\n(assert (= (* x x) 1))",
            "is not linear",
        ),
        (
            "(assert (! true :named A)) (get-interpolants A B)",
            "no assertion is named `B`",
        ),
        ("(assert true)", "the file asks for no interpolants"),
        ("(assert true", "this `(` is never closed"),
        (
            "(declare-const x (_ BitVec 3))",
            "this sort is not supported",
        ),
    ] {
        let file = scratch.write("wrong.smt2", text);
        let (code, stdout, stderr) = parts(&run(&["interpolate", &file]));
        assert_eq!((code, stdout.as_str()), (2, ""), "{text}: {stderr}");
        assert!(
            stderr.starts_with("error:") && stderr.contains(expected),
            "{stderr}"
        );
    }
    let (code, _, stderr) = parts(&run(&["interpolate", "nowhere.smt2"]));
    assert_eq!(code, 2);
    assert!(stderr.contains("no file `nowhere.smt2`"), "{stderr}");
    let file = scratch.write("place.smt2", "(declare-const x Int)\n(assert (= x y))");
    let output = run(&["interpolate", "--json", &file]);
    let document = json(&output).expect("a document");
    assert_eq!(document["errors"][0]["line"], 2);
    assert_eq!(document["errors"][0]["column"], 14);
}
