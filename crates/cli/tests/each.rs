//! `cairn check --each`: a line for each assertion, and the verdict on the whole.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod harness;

use harness::header::{Header, Level};
use harness::{Scratch, files, json, parts, root, run};

const PROGRAM: &str = "int __VERIFIER_nondet_int(void);
void reach_error(void);
static int clamp(int x) {
  if (x < 0) return 0;
  if (x > 99) return 99;
  return x;
}
int main(void) {
  int n = clamp(__VERIFIER_nondet_int()), s = 0;
  for (int i = 0; i < n; i++)
    s += 3;
  if (s > 297) reach_error();
  if (s == 12) reach_error();
  if (s != 3 * n) reach_error();
  HARD
  return 0;
}
";

/// Nothing is known of what this comes to.
const HARD: &str = "unsigned h = n;
  for (int i = 0; i < n; i++) h = h * (h ^ i) + 2654435761u;
  if (h * h == 3) reach_error();";

#[test]
fn a_line_for_each_and_the_verdict_on_the_whole() {
    let scratch = Scratch::new("each");
    let file = scratch.write("a.c", PROGRAM.replace("HARD", ""));
    let (code, out, err) = parts(&run(&["check", "--each", &file]));
    let expected = format!(
        "{file}:12: safe: never: reach_error() is called\n\
         {file}:13: unsafe: reach_error() is called (inputs: __VERIFIER_nondet_int = 4)\n\
         {file}:14: safe: never: reach_error() is called\n\
         Verdict: unsafe\n"
    );
    assert_eq!((code, out), (1, expected), "{err}");
    let file = scratch.write(
        "safe.c",
        PROGRAM.replace("HARD", "").replace("s == 12", "s == 13"),
    );
    let (code, out, err) = parts(&run(&["check", "--each", &file]));
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(out.matches(": safe: ").count(), 3, "{out}");
    assert!(out.ends_with("\nVerdict: safe\n"), "{out}");
}

#[test]
fn the_first_violation_is_enough_if_one_says_so() {
    let scratch = Scratch::new("each-first");
    let text = PROGRAM.replace("HARD", "if (n == 7) reach_error();");
    let file = scratch.write("a.c", text);
    let words = ["check", "--each", "--stop-at-first", &file];
    let (code, out, err) = parts(&run(&words));
    assert_eq!(code, 1, "{out}{err}");
    assert_eq!(out.matches(": unsafe: ").count(), 1, "{out}");
    assert_eq!(
        out.matches("it was not tried to the end").count(),
        3,
        "{out}"
    );
    let (code, _, err) = parts(&run(&["check", "--stop-at-first", &file]));
    assert_eq!(code, 2, "{err}");
}

#[test]
fn an_assertion_that_no_run_gets_to_is_said_to_be_unreachable() {
    let scratch = Scratch::new("each-vacuous");
    let dead = "if (s == 3 * n + 1)\n    if (n == 5) reach_error();";
    let text = PROGRAM.replace("HARD", dead).replace("s == 12", "s == 13");
    let file = scratch.write("a.c", text);
    let paths = ["log.sarif", "suite.xml"].map(|name| scratch.file(name));
    let [sarif, junit] = &paths.each_ref().map(|path| path.to_str().unwrap());
    let words = ["check", "--each", &file, "--sarif", sarif, "--junit", junit];
    let (code, out, err) = parts(&run(&words));
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(out.matches(": safe: never: ").count(), 3, "{out}");
    let line = "a.c:16: unreachable: no run gets here: reach_error() is called\n";
    assert!(out.contains(line), "{out}");
    let document = json(&run(&["check", "--each", "--json", &file])).unwrap();
    assert_eq!(document["goals"][3]["verdict"], "unreachable");
    let [sarif, junit] = paths.map(|path| std::fs::read_to_string(path).unwrap());
    assert_eq!(sarif.matches("\"notApplicable\"").count(), 1, "{sarif}");
    assert_eq!(junit.matches("<skipped ").count(), 1, "{junit}");
}

/// A loop and assertions about what it leaves: half of them hold, and half fail for few inputs each.
fn many(assertions: impl Iterator<Item = usize>) -> String {
    let mut text = String::from(
        "int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, x = 0, y = 0, z;
  if (n < 0 || n > 1000) return 0;
  z = n;
  while (i < n) {
    i++;
    x += 1;
    y += __VERIFIER_nondet_int() ? 4 : 2;
    z -= 1;
  }
",
    );
    for k in assertions {
        let fails = match k % 10 {
            0 => format!("x + z != n && x != {k}"),
            2 => format!("y < 2 * x && n > {k}"),
            4 => format!("y > 4 * n + {k}"),
            6 => format!("z < -{k}"),
            8 => format!("i > n + {k}"),
            _ => format!("x == {} && y == {}", k + 3, 2 * (k + 3) + 2 * (k % 4)),
        };
        text += &format!("  if ({fails}) reach_error();\n");
    }
    text + "  return 0;\n}\n"
}

#[test]
fn fifty_assertions_cost_at_most_three_times_the_hardest() {
    let scratch = Scratch::new("each-fifty");
    let effort = |name: &str, text: String, words: &[&str]| {
        let file = scratch.write(name, text);
        let document = json(&run(&[words, &[&file]].concat())).unwrap();
        let effort = document["stats"]["effort"].as_u64().unwrap();
        (effort, document)
    };
    // The last ones that fail are the hardest, and one of each kind that holds.
    let alone = [40, 42, 44, 46, 47, 48, 49].map(|k| {
        let text = many(std::iter::once(k));
        effort(&format!("{k}.c"), text, &["check", "--json"]).0
    });
    let hardest = alone.into_iter().max().unwrap();
    let (all, document) = effort("all.c", many(0..50), &["check", "--each", "--json"]);
    let goals = document["goals"].as_array().unwrap();
    let count = |verdict: &str| {
        goals
            .iter()
            .filter(|goal| goal["verdict"] == verdict)
            .count()
    };
    assert_eq!((count("safe"), count("unsafe")), (25, 25), "{document:#}");
    assert!(all <= 3 * hardest, "{all} against {hardest}");
}

/// Loops one after the other, with four assertions about each, of which some are wanted.
fn five_loops(is_wanted: impl Fn(usize) -> bool) -> String {
    let mut text = String::from("int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n");
    let mut number = 0;
    let mut assertion = |fails: String| {
        number += 1;
        match is_wanted(number - 1) {
            true => format!("  if ({fails}) reach_error();\n"),
            false => String::new(),
        }
    };
    for part in 0..5 {
        let by = part + 2;
        text += &format!("int part{part}(int n) {{\n  int i = 0, s = 0, d = n;\n");
        text += &format!("  if (n < {part} || n > {}) return 0;\n", 100 + 10 * part);
        text += &format!("  while (i < n) {{\n    i++;\n    s += {by};\n    d--;\n");
        text += &assertion("d < 0".to_owned());
        text += "  }\n";
        text += &assertion("i != n".to_owned());
        text += &assertion(format!("s != {by} * n"));
        text += &assertion("d != 0".to_owned());
        text += "  return s;\n}\n";
    }
    text += "int main(void) {\n";
    for part in 0..5 {
        text += &format!("  part{part}(__VERIFIER_nondet_int());\n");
    }
    text + "  return 0;\n}\n"
}

#[test]
fn assertions_about_many_loops_cost_less_than_one_by_one() {
    let scratch = Scratch::new("each-parts");
    let effort = |name: &str, text: String, words: &[&str]| {
        let file = scratch.write(name, text);
        let document = json(&run(&[words, &[&file]].concat())).unwrap();
        assert_eq!(document["verdict"], "safe", "{document:#}");
        document["stats"]["effort"].as_u64().unwrap()
    };
    let all = effort(
        "all.c",
        five_loops(|_| true),
        &["check", "--each", "--json"],
    );
    // One of each part, for four.
    let alone = [0, 5, 10, 15, 18].map(|wanted| {
        let text = five_loops(|number| number == wanted);
        4 * effort(&format!("{wanted}.c"), text, &["check", "--json"])
    });
    let sum: u64 = alone.iter().sum();
    assert!(all < sum, "{all} against {sum}");
}

#[test]
fn what_cannot_be_decided_leaves_the_rest_be() {
    let scratch = Scratch::new("each-hard");
    let text = PROGRAM.replace("HARD", HARD).replace("s == 12", "s == 13");
    let file = scratch.write("hard.c", text);
    let words = [
        "check", "--each", "--engine", "gps", "--effort", "2000000", &file,
    ];
    let (code, out, err) = parts(&run(&words));
    assert_eq!(code, 3, "{out}{err}");
    assert_eq!(out.matches(": safe: ").count(), 3, "{out}");
    assert!(
        out.contains("hard.c:17: unknown: reach_error() is called ("),
        "{out}"
    );
    assert!(out.contains("warning: no verdict: ") && out.ends_with("\nVerdict: unknown\n"));
    let document = json(&run(&[&words[..], &["--json"]].concat())).unwrap();
    let goals = document["goals"].as_array().unwrap();
    let verdicts: Vec<_> = goals
        .iter()
        .map(|goal| goal["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["safe", "safe", "safe", "unknown"]);
    assert_eq!(goals[3]["line"], 17);
    assert!(goals[3]["reason"]["message"].is_string(), "{document:#}");
    assert_eq!(document["verdict"], "unknown");
}

#[test]
fn the_inputs_of_each_violation_make_the_program_fail_there() {
    let scratch = Scratch::new("each-inputs");
    let text = PROGRAM.replace("HARD", "if (n == 7) reach_error();");
    let file = scratch.write("a.c", text);
    let document = json(&run(&["check", "--each", "--json", &file])).unwrap();
    assert_eq!(document["verdict"], "unsafe");
    assert!(document["violation"]["line"] == 13 || document["violation"]["line"] == 15);
    let mut failing = Vec::new();
    for goal in document["goals"].as_array().unwrap() {
        if goal["verdict"] == "unsafe" {
            let inputs = goal["inputs"].as_array().unwrap().iter();
            let inputs: Vec<_> = inputs
                .map(|input| input["value"].as_str().unwrap())
                .collect();
            let words = ["run", "--json", "--inputs", &inputs.join(","), &file];
            let again = json(&run(&words)).unwrap();
            assert_eq!(again["violation"]["line"], goal["line"]);
            failing.push(goal["line"].as_u64().unwrap());
        }
    }
    assert_eq!(failing, [13, 15]);
}

#[test]
fn a_program_without_assertions_is_checked_as_a_whole() {
    let scratch = Scratch::new("each-none");
    let file = scratch.write("none.c", "int main(void) { return 0; }\n");
    let (code, out, err) = parts(&run(&["check", "--each", &file]));
    assert!(out.ends_with("Verdict: safe\n") && code == 0, "{out}{err}");
    let asm =
        "int main(void) {\n  int n = 1;\n  __asm__(\"incl %0\" : \"+r\"(n));\n  return n;\n}\n";
    let file = scratch.write("asm.c", asm);
    let (code, out, err) = parts(&run(&["check", "--each", &file]));
    assert!(
        out.ends_with("Verdict: unknown\n") && code == 3,
        "{out}{err}"
    );
}

/// The whole is what the headers of our own programs say, and so is the line that fails.
#[test]
fn the_whole_agrees_with_what_is_expected() {
    let mut checked = 0;
    for folder in ["control", "inputs", "integers", "properties"] {
        for file in files(&root().join("tests/programs").join(folder), "c") {
            let header = Header::read(&file).unwrap();
            let is_quick = matches!(header.level, Level::Core) && header.expect != "unknown";
            if !is_quick || header.skips("auto") || header.may_give_up("auto") {
                continue;
            }
            let file = file.to_str().unwrap();
            let mut words = vec!["check", "--each", "--json", file];
            words.extend(header.flags());
            let document = json(&run(&words)).unwrap();
            assert_eq!(
                document["verdict"],
                header.expect.as_str(),
                "{file}: {document:#}"
            );
            let goals = document["goals"].as_array();
            let mut failing = goals.into_iter().flatten();
            if let Some(line) = header.error_line {
                let fails = failing.any(|goal| goal["verdict"] == "unsafe" && goal["line"] == line);
                assert!(fails, "{file}: {document:#}");
            }
            checked += 1;
        }
    }
    assert!(checked > 40, "{checked}");
}

#[test]
fn each_goal_is_in_every_report() {
    let scratch = Scratch::new("each-reports");
    let text = PROGRAM.replace("HARD", "if (n == 7) reach_error();");
    let file = scratch.write("a.c", text);
    let paths = ["page.html", "log.sarif", "suite.xml"].map(|name| scratch.file(name));
    let [html, sarif, junit] = &paths.each_ref().map(|path| path.to_str().unwrap());
    let words = [
        "check", "--each", &file, "--html", html, "--sarif", sarif, "--junit", junit,
    ];
    let (_, out, _) = parts(&run(&words));
    let count = |word: &str| out.matches(&format!(": {word}: ")).count();
    let (safe, failing) = (count("safe"), count("unsafe"));
    assert!(safe > 0 && failing == 2, "{out}");
    let [html, sarif, junit] = paths.map(|path| std::fs::read_to_string(path).unwrap());
    let log: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let of_kind = |kind: &str| results.iter().filter(|row| row["kind"] == kind).count();
    assert_eq!((of_kind("pass"), of_kind("fail")), (safe, failing));
    assert_eq!(junit.matches("<testcase ").count(), safe + failing);
    assert_eq!(junit.matches("<failure ").count(), failing, "{junit}");
    assert!(
        html.contains(": safe: never: "),
        "the page should name each goal"
    );
}
