//! Violation witnesses: those that we write are well formed and hold, and so do those of others;
//! what does not hold is not confirmed.

mod harness;

use harness::header::Header;
use harness::lint::lint;
use harness::{Scratch, files, parts, root, run};
use std::path::Path;

/// Checks a program with a witness, lints and validates it.
fn check_witness(program: &Path, flags: &[&str], scratch: &Scratch) -> Result<(), String> {
    let name = program.to_str().expect("a plain path");
    let witness = scratch.file("witness.yml");
    let witness = witness.to_str().expect("a plain path");
    let mut words = vec!["check", name, "-q", "--timeout", "20", "--witness", witness];
    words.extend(flags);
    let (code, stdout, stderr) = parts(&run(&words));
    if code != 1 {
        return Err(format!("no violation was found: {stdout}{stderr}"));
    }
    let text = std::fs::read_to_string(witness).map_err(|error| error.to_string())?;
    let source = std::fs::read_to_string(program).map_err(|error| error.to_string())?;
    let problems = lint(&text, &source);
    if !problems.is_empty() {
        return Err(format!("{problems:?}\n{text}"));
    }
    let mut words = vec!["validate", name, witness];
    words.extend(flags);
    let (code, stdout, stderr) = parts(&run(&words));
    if code != 0 || !stdout.ends_with("Witness: confirmed\n") {
        return Err(format!("{code}: {stdout}{stderr}\n{text}"));
    }
    Ok(())
}

#[test]
fn our_witnesses_are_well_formed_and_hold() {
    let scratch = Scratch::new("witnesses");
    let mut problems = Vec::new();
    let mut seen = 0;
    for program in files(&root().join("tests/programs"), "c") {
        // What takes long to find is not looked for here.
        if program.starts_with(root().join("tests/programs/power")) {
            continue;
        }
        let header = Header::read(&program).expect("a header");
        let is_quick = header.level == harness::header::Level::Core && !header.may_give_up("gps");
        if header.expect != "unsafe" || !is_quick {
            continue;
        }
        seen += 1;
        if let Err(problem) = check_witness(&program, &header.flags(), &scratch) {
            problems.push(format!("{}: {problem}", program.display()));
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    assert!(seen > 40, "only {seen} programs");
}

const PROGRAM: &str = "\
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  int s = 0;
  if (n < 0 || n > 100) return 0;
  for (int i = 0; i < n; i++)
    s += 2;
  switch (s) {
  case 14:
    reach_error();
  }
  return 0;
}
";

/// A witness by other hands, with these segments before the target. A last one that only avoids is
/// the target's own.
fn foreign(hash: &str, segments: &[&str], target: u32) -> String {
    let mut text = format!(
        "- entry_type: violation_sequence\n  metadata:\n    format_version: '2.0'\n    uuid: \
         'c0ffee00-4f89-41d3-9a0c-0305e82c3301'\n    creation_time: 2026-11-03T10:00:00+01:00\n    \
         producer: {{name: Other, version: 7}}\n    task: {{input_files: [./p.c], \
         input_file_hashes: {{./p.c: {hash}}}, specification: 'CHECK( init(main()), LTL(G ! \
         call(reach_error())) )', data_model: ILP32, language: C}}\n  content:\n"
    );
    let mut target = format!("type: target, action: follow, {}", at(target, 0));
    let mut segments = segments.to_vec();
    if let Some(avoid) = segments.pop_if(|last| !last.contains("action: follow")) {
        target = format!("{avoid} | {target}");
    }
    segments.push(&target);
    for waypoints in segments {
        text += "    - segment:\n";
        for waypoint in waypoints.split(" | ") {
            text += &format!("        - waypoint: {{{waypoint}}}\n");
        }
    }
    text
}

fn at(line: u32, column: u32) -> String {
    match column {
        0 => format!("location: {{file_name: p.c, line: {line}}}"),
        _ => format!("location: {{file_name: p.c, line: {line}, column: {column}}}"),
    }
}

fn returns(constraint: &str) -> String {
    let place = at(5, 33);
    format!(
        "type: function_return, action: follow, {place}, constraint: {{value: '\\result \
         {constraint}', format: acsl_expression}}"
    )
}

fn branch(action: &str, line: u32, way: &str) -> String {
    let place = at(line, 3);
    format!("type: branching, action: {action}, {place}, constraint: {{value: {way}}}")
}

fn assumes(line: u32, column: u32, expression: &str) -> String {
    let place = at(line, column);
    format!(
        "type: assumption, action: follow, {place}, constraint: {{value: '{expression}', format: \
         c_expression}}"
    )
}

#[test]
fn witnesses_of_others_are_followed() {
    let inside = assumes(9, 5, "s == 6 && i == 3");
    let late = assumes(9, 5, "s == 14");
    let cases: Vec<Case> = vec![
        ("nothing but the target", vec![], 12, "confirmed"),
        ("the value", vec![returns("== 7")], 12, "confirmed"),
        ("another value", vec![returns("== 8")], 12, "rejected"),
        ("a range", vec![returns("> 3")], 12, "confirmed"),
        ("a range without it", vec![returns(">= 8")], 12, "rejected"),
        (
            "branches",
            vec![branch("follow", 7, "false"), branch("follow", 8, "true")],
            12,
            "confirmed",
        ),
        (
            "the wrong branch",
            vec![branch("follow", 7, "true")],
            12,
            "rejected",
        ),
        ("a case", vec![branch("follow", 10, "14")], 12, "confirmed"),
        (
            "the default",
            vec![branch("follow", 10, "default")],
            12,
            "rejected",
        ),
        ("an assumption", vec![inside.clone()], 12, "confirmed"),
        ("one that is never true", vec![late], 12, "rejected"),
        (
            "in the wrong order",
            vec![inside.clone(), branch("follow", 7, "false")],
            12,
            "rejected",
        ),
        (
            "what must be avoided",
            vec![format!(
                "{} | {}",
                branch("avoid", 8, "true"),
                branch("follow", 10, "14")
            )],
            12,
            "rejected",
        ),
        (
            "what is avoided anyway",
            vec![format!("{} | {inside}", branch("avoid", 10, "14"))],
            12,
            "confirmed",
        ),
        (
            "what must be avoided at last",
            vec![returns("== 7"), branch("avoid", 10, "14")],
            12,
            "rejected",
        ),
        (
            "what is avoided at last anyway",
            vec![returns("== 7"), branch("avoid", 7, "true")],
            12,
            "confirmed",
        ),
        ("no violation there", vec![], 9, "rejected"),
        (
            "more than an expression",
            vec![assumes(9, 5, "1))) //")],
            12,
            "unknown",
        ),
        ("effects", vec![assumes(9, 5, "s = 14")], 12, "unknown"),
        (
            "an unknown name",
            vec![assumes(9, 5, "t == 14")],
            12,
            "unknown",
        ),
        (
            "a place without a call",
            vec![returns("== 7").replace("column: 33", "column: 3")],
            12,
            "unknown",
        ),
    ];
    follow(PROGRAM, &cases);
}

const CHOICES: &str = "\
extern int __VERIFIER_nondet_int(void);
void reach_error(void);
int steps;
void step(int by) { steps += by; }
int twice(int n) { return 2 * n; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  int way = (n > 5) ? 1 : 2;
  do {
    step(way);
  } while (steps < 4);
  step(twice(0));
  if (steps == 4 && n != 3)
    reach_error();
  return 0;
}
";

#[test]
fn choices_do_loops_and_calls_are_followed() {
    let event = |kind: &str, line, column| {
        let place = at(line, column);
        format!("type: {kind}, action: follow, {place}")
    };
    let goes = |line, column, way| {
        let place = at(line, column);
        format!("type: branching, action: follow, {place}, constraint: {{value: {way}}}")
    };
    let enters = event("function_enter", 10, 13);
    let leaves = event("function_return", 10, 13);
    let cases: Vec<Case> = vec![
        ("one way", vec![goes(8, 21, "true")], 14, "confirmed"),
        ("the other way", vec![goes(8, 21, "false")], 14, "confirmed"),
        (
            "one way, and four iterations",
            [vec![goes(8, 21, "true")], vec![goes(11, 5, "true"); 3]].concat(),
            14,
            "confirmed",
        ),
        (
            "the other way, and four iterations",
            [vec![goes(8, 21, "false")], vec![goes(9, 3, "true"); 3]].concat(),
            14,
            "rejected",
        ),
        (
            "in and out twice",
            [enters.clone(), leaves.clone(), enters.clone(), leaves].to_vec(),
            14,
            "confirmed",
        ),
        ("in five times", vec![enters; 5], 14, "rejected"),
        (
            "calls in arguments",
            vec![event("function_enter", 12, 16)],
            14,
            "unknown",
        ),
        (
            "a call in an argument",
            vec![event("function_enter", 12, 15)],
            14,
            "confirmed",
        ),
    ];
    follow(CHOICES, &cases);
}

const TYPES: &str = "\
void reach_error(void);
enum level { LOW, HIGH };
int cells[2] = {0, 5};
enum level level(void) { return LOW; }
const int *start(void) { return cells; }
int main(void) {
  if (level() > -1)
    return 0;
  if (*(start() + 1) == 5)
    reach_error();
  return 0;
}
";

#[test]
fn watched_calls_keep_their_types() {
    let event = |line, column| {
        let place = at(line, column);
        format!("type: function_return, action: follow, {place}")
    };
    let cases: Vec<Case> = vec![
        ("an enumeration", vec![event(7, 13)], 10, "confirmed"),
        ("a pointer", vec![event(9, 15)], 10, "confirmed"),
    ];
    follow(TYPES, &cases);
}

const LABELS: &str = "\
extern int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  switch (n) {
  case 1:
    n = 5;
    break;
  case 2:
  more:
    n++;
    if (n < 5) goto more;
    reach_error();
  }
  return 0;
}
";

#[test]
fn assumptions_at_labels_are_followed() {
    let cases: Vec<Case> = vec![
        ("a case", vec![assumes(9, 3, "n == 2")], 13, "confirmed"),
        ("a label", vec![assumes(10, 3, "n == 4")], 13, "confirmed"),
        ("never", vec![assumes(10, 3, "n == 5")], 13, "rejected"),
        (
            "one event for each",
            vec![assumes(9, 3, "n == 4"), assumes(11, 5, "n == 4")],
            13,
            "rejected",
        ),
    ];
    follow(LABELS, &cases);
}

#[test]
fn what_is_not_checked_is_not_rejected() {
    let scratch = Scratch::new("unchecked");
    let text = "extern void *malloc(unsigned);\nint main(void) {\n  malloc(4);\n  return 0;\n}\n";
    let program = scratch.write("p.c", text);
    let hash = witness::format::hash(text.as_bytes());
    let about = |parts: &str| {
        let check = |part| format!("CHECK( init(main()), LTL(G {part}) )");
        let checks: Vec<String> = parts.split(' ').map(check).collect();
        let own = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
        foreign(&hash, &[], 4).replace(own, &checks.join(" "))
    };
    let cases = [
        ("valid-free valid-deref", 1, "nothing that violates"),
        ("def-behavior", 3, "is not checked"),
    ];
    for (parts_of, expected, message) in cases {
        let witness = scratch.write("w.yml", about(parts_of));
        let (code, stdout, stderr) = parts(&run(&["validate", &program, &witness]));
        assert_eq!(code, expected, "{parts_of}: {stdout}{stderr}");
        assert!(stdout.contains(message), "{parts_of}: {stdout}{stderr}");
    }
}

#[test]
fn an_assumption_that_may_be_undefined_rejects_nothing() {
    let scratch = Scratch::new("undefined");
    let text = "extern int __VERIFIER_nondet_int(void);\nint a[4], *p = a;\nint main(void) {\n  \
                int n = __VERIFIER_nondet_int();\n  n = n + 1;\n  return 0;\n}\n";
    let program = scratch.write("p.c", text);
    let hash = witness::format::hash(text.as_bytes());
    let cases = [
        ("n > 100", 0),
        ("n < 100", 1),
        ("n + 1 != 100", 3),
        ("100 / n > 100", 3),
        ("p - a == n", 3),
        ("p + 4611686018427387904 != p", 3),
        ("a[0] != 0", 1),
    ];
    for (expression, expected) in cases {
        let witness = foreign(&hash, &[&assumes(5, 3, expression)], 5);
        let witness = witness.replace("G ! call(reach_error())", "G ! overflow");
        let witness = scratch.write("w.yml", witness);
        let (code, stdout, stderr) = parts(&run(&["validate", &program, &witness]));
        assert_eq!(code, expected, "{expression}: {stdout}{stderr}");
    }
}

#[test]
fn files_of_one_name_are_told_apart() {
    let scratch = Scratch::new("twins");
    for folder in ["a", "b"] {
        std::fs::create_dir_all(scratch.file(folder)).expect("a folder");
    }
    let calls = "void fail(void);\nint main(void) {\n  int n = 0;\n  fail();\n  return n;\n}\n";
    let fails = "void reach_error(void);\n\nvoid fail(void) {\n  reach_error();\n}\n";
    let first = scratch.write("a/x.c", calls);
    let second = scratch.write("b/x.c", fails);
    let hash = |text: &str| witness::format::hash(text.as_bytes());
    let task = foreign("", &[], 4)
        .replace("[./p.c]", "[a/x.c, b/x.c]")
        .replace(
            "{./p.c: }",
            &format!("{{a/x.c: {}, b/x.c: {}}}", hash(calls), hash(fails)),
        );
    let cases = [
        ("a/x.c", 1, "nothing that violates"),
        ("b/x.c", 0, "ends in its target"),
        ("x.c", 3, "more than one file"),
    ];
    for (name, expected, message) in cases {
        let text = task.replace("file_name: p.c", &format!("file_name: {name}"));
        let witness = scratch.write("w.yml", text);
        let words = ["validate", &first, &second, &witness];
        let (code, stdout, stderr) = parts(&run(&words));
        assert_eq!(code, expected, "{name}: {stdout}{stderr}");
        assert!(stdout.contains(message), "{name}: {stdout}{stderr}");
    }
}

/// Name, segments, the line of the target, the answer.
type Case = (&'static str, Vec<String>, u32, &'static str);

fn follow(text: &str, cases: &[Case]) {
    let scratch = Scratch::new(&format!("foreign-{}", text.len()));
    let program = scratch.write("p.c", text);
    let hash = witness::format::hash(text.as_bytes());
    for (name, segments, target, expected) in cases {
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let witness = scratch.write("w.yml", foreign(&hash, &segments, *target));
        let (code, stdout, stderr) = parts(&run(&["validate", &program, &witness]));
        let last = stdout.lines().last().unwrap_or_default();
        assert_eq!(
            last,
            format!("Witness: {expected}"),
            "{name}: {stdout}{stderr}"
        );
        let codes = [("confirmed", 0), ("rejected", 1), ("unknown", 3)];
        assert!(codes.contains(&(*expected, code)), "{name}: {code}");
    }
}

#[test]
fn a_witness_for_something_else_is_not_taken() {
    let scratch = Scratch::new("elsewhere");
    let program = scratch.write("p.c", PROGRAM);
    let renamed = scratch.write("q.c", PROGRAM);
    let hash = witness::format::hash(PROGRAM.as_bytes());
    let text = foreign(&hash, &[], 12);
    let witness = scratch.write("w.yml", &text);
    let other = scratch.write("other.yml", foreign(&"0".repeat(64), &[], 12));
    let broken = scratch.write("broken.yml", text.replace("line: 12", "line: none"));
    let cases: [(&[&str], i32, &str); 8] = [
        (&[&program, &other], 1, "another text of the program"),
        (
            &[&program, &witness, "--64"],
            1,
            "data model ILP32, not LP64",
        ),
        (
            &[&program, &witness, "--property", "no-overflow"],
            1,
            "property unreach-call, not no-overflow",
        ),
        (&[&renamed, &witness], 0, "warning: the witness names ./p.c"),
        (&[&program, &broken], 2, "malformed"),
        (&[&program, "no-such-file.yml"], 2, "cannot read witness"),
        (&[&program], 2, "there is no witness"),
        (
            &[&program, &witness, "--json"],
            0,
            "\"result\": \"confirmed\"",
        ),
    ];
    for (words, expected, message) in cases {
        let mut all = vec!["validate"];
        all.extend(words);
        let (code, stdout, stderr) = parts(&run(&all));
        assert_eq!(code, expected, "{words:?}: {stdout}{stderr}");
        assert!(
            format!("{stdout}{stderr}").contains(message),
            "{words:?}: {stdout}{stderr}"
        );
    }
}

#[test]
fn the_linter_sees_what_is_wrong() {
    let scratch = Scratch::new("linter");
    let program = scratch.write("p.c", PROGRAM);
    let witness = scratch.file("w.yml");
    let witness = witness.to_str().expect("a plain path");
    let (code, ..) = parts(&run(&["check", &program, "-q", "--witness", witness]));
    assert_eq!(code, 1);
    let text = std::fs::read_to_string(witness).expect("a witness");
    assert_eq!(lint(&text, PROGRAM), Vec::<String>::new());
    let cases = [
        (
            "format_version: \"2.0\"",
            "format_version: 2.0",
            "format_version",
        ),
        ("column: 33", "column: 32", "`)`"),
        ("line: 12", "line: 99", "nothing stands"),
        ("\\\\result == 7", "n == 7", "constraint"),
        (
            "type: \"target\"",
            "type: \"function_enter\"",
            "target comes last",
        ),
        ("function: \"main\"", "file: \"x\"", "without its function"),
        ("language: \"C\"", "language: \"D\"", "language"),
        ("action: \"follow\"", "action: \"avoid\"", "one follow"),
        ("uuid: \"", "uuid: \"x", "uuid"),
    ];
    for (from, to, expected) in cases {
        assert!(text.contains(from), "{from}");
        let problems = lint(&text.replacen(from, to, 1), PROGRAM);
        let is_seen = problems.iter().any(|problem| problem.contains(expected));
        assert!(is_seen, "{to}: {problems:?}");
    }
}

#[test]
fn a_witness_for_asserts_names_a_property_that_others_know() {
    let scratch = Scratch::new("assert-witness");
    let text = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void) {\n  \
        int n = __VERIFIER_nondet_int();\n  assert(n != 7);\n  return 0;\n}\n";
    let program = scratch.write("asserted.c", text);
    let witness = scratch.file("asserted.yml");
    let witness = witness.to_str().expect("a plain path");
    let flags = ["-q", "--property", "assert"];
    let check = ["check", &program, "--witness", witness];
    let (code, ..) = parts(&run(&[&check[..], &flags].concat()));
    assert_eq!(code, 1);
    let text = std::fs::read_to_string(witness).expect("a witness");
    assert!(text.contains("G ! call(reach_error())"), "{text}");
    let validate = ["validate", &program, witness];
    let (_, out, _) = parts(&run(&[&validate[..], &flags].concat()));
    assert!(out.contains("confirmed"), "{out}");
}
