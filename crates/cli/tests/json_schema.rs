//! The documents of `--json` are as docs/json.schema.json says.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod harness;

use harness::{Scratch, json, root, run, schema};
use serde_json::Value;

const LOOP: &str = "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n\
    int twice(int x) { return 2 * x; }\n\
    int main(void) {\n  int n = __VERIFIER_nondet_int(), s = 0;\n  if (n < 0 || n > 50)\n    \
    return 0;\n  for (int i = 0; i < n; i++)\n    s += 1;\n  if (CONDITION)\n    reach_error();\n  \
    return 0;\n}\n";

fn published() -> Value {
    let text = std::fs::read_to_string(root().join("docs/json.schema.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn documents_follow_the_schema() {
    let schema = published();
    let scratch = Scratch::new("schema");
    let program =
        |name: &str, condition: &str| scratch.write(name, LOOP.replace("CONDITION", condition));
    let unsafe_ = program("unsafe.c", "twice(s) == 14");
    let safe = program("safe.c", "s > n");
    let recursive = scratch.write(
        "recursive.c",
        "unsigned nondet(void);\nvoid reach_error(void);\nunsigned f(unsigned n) {\n  \
         if (n == 0)\n    return 0;\n  f(n - 1);\n  return 1;\n}\nint main(void) {\n  \
         if (f(nondet()) == 2)\n    reach_error();\n  return 0;\n}\n",
    );
    let asm = scratch.write(
        "asm.c",
        "void reach_error(void);\nint main(void) {\n  int n = 1;\n  __asm__(\"incl %0\" : \
         \"+r\"(n));\n  if (n != 2)\n    reach_error();\n  return 0;\n}\n",
    );
    let wrong = scratch.write("wrong.c", "int main(void) { return x; }\n");
    let missing = scratch.file("missing.c");
    let missing = missing.to_str().unwrap();
    let smt = root().join("examples/counter.smt2");
    let smt = smt.to_str().unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["check", &unsafe_], "unsafe"),
        (&["check", "--confirm", &unsafe_], "unsafe"),
        (&["check", &safe], "safe"),
        (&["check", &recursive], "safe"),
        (&["check", "--each", &safe], "safe"),
        (&["check", "--each", &unsafe_], "unsafe"),
        (&["check", "--each", "--effort", "1", &safe], "unknown"),
        (&["check", "--timeout", "5", &asm], "unknown"),
        (&["check", &wrong], "error"),
        (&["check", missing], "error"),
        (&["check", "--engine", "nobody", &safe], "error"),
        (&["run", "--inputs", "7", &unsafe_], ""),
        (&["run", "--inputs", "8", &unsafe_], ""),
        (&["run", &unsafe_], ""),
        (&["run", &asm], ""),
        (&["run", &wrong], "error"),
        (&["tests", &unsafe_], ""),
        (&["tests", "--goal", "lines", "--rest", "none", &safe], ""),
        (&["tests", &wrong], "error"),
        (&["interpolate", "--check", "--explain", smt], ""),
        (&["interpolate", missing], "error"),
    ];
    for (words, verdict) in cases {
        let words = [words, &["--json"][..]].concat();
        let document = json(&run(&words)).unwrap();
        assert_eq!(
            document["verdict"].as_str().unwrap_or(""),
            *verdict,
            "{words:?}"
        );
        let problems = schema::problems(&schema, &document);
        assert!(
            problems.is_empty(),
            "{words:?}: {problems:#?}\n{document:#}"
        );
    }
}

#[test]
fn the_schema_refuses_other_documents() {
    let schema = published();
    let scratch = Scratch::new("schema-wrong");
    let file = scratch.write("a.c", LOOP.replace("CONDITION", "s == 3"));
    let good = json(&run(&["check", "--json", &file])).unwrap();
    assert!(schema::problems(&schema, &good).is_empty());
    let changes: &[(&str, Value)] = &[
        ("/schema", 2.into()),
        ("/verdict", "maybe".into()),
        ("/violation/line", 0.into()),
        ("/violation/property", "no-bugs".into()),
        ("/inputs/0/value", 7.into()),
        ("/trace/steps/0/depth", (-1).into()),
        ("/stats", Value::Null),
    ];
    for (path, value) in changes {
        let mut wrong = good.clone();
        *wrong.pointer_mut(path).unwrap() = value.clone();
        assert!(!schema::problems(&schema, &wrong).is_empty(), "{path}");
    }
    for path in ["/violation", "/trace/steps/0", "/inputs/0"] {
        let mut wrong = good.clone();
        let object = wrong.pointer_mut(path).unwrap().as_object_mut().unwrap();
        object.remove("line");
        assert!(!schema::problems(&schema, &wrong).is_empty(), "{path}");
        let mut wrong = good.clone();
        let object = wrong.pointer_mut(path).unwrap().as_object_mut().unwrap();
        object.insert("surprise".to_owned(), 1.into());
        assert!(!schema::problems(&schema, &wrong).is_empty(), "{path}");
    }
}
