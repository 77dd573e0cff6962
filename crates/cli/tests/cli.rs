//! The command as a person meets it: mistakes are answered by one clear error and exit code 2.

mod harness;

use harness::{Scratch, cairn, json, parts, run};
use std::io::Write;
use std::process::Stdio;

const SUM: &str = r#"#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int s = 0;
  if (n < 0 || n > 100)
    return 0;
  for (int i = 0; i < n; i++)
    s += 2;
  assert(s != 14);
  return 0;
}
"#;

/// Exit code 2, the message on standard error, nothing on standard output.
fn refused(words: &[&str], expected: &str) {
    let (code, stdout, stderr) = parts(&run(words));
    assert_eq!(code, 2, "{words:?}: {stdout}{stderr}");
    assert_eq!(stdout, "", "{words:?}");
    assert!(stderr.contains(expected), "{words:?}: {stderr}");
    assert!(stderr.starts_with("error:"), "{words:?}: {stderr}");
    assert!(!stderr.contains("internal error"), "{stderr}");
}

#[test]
fn wrong_files_are_refused() {
    let scratch = Scratch::new("wrong-files");
    let good = scratch.write("good.c", SUM);
    let folder = scratch.file("").to_str().expect("a plain path").to_owned();
    for command in ["check", "run"] {
        refused(&[command, "no-such-file.c"], "no file `no-such-file.c`");
        refused(&[command, &folder], "is a directory");
        let binary = scratch.write("binary.c", b"\x7fELF\0\0\0");
        refused(&[command, &binary], "is not a text file");
        let binary = scratch.write("binary.i", b"\x7fELF\0\0\0");
        refused(&[command, &binary], "is not a text file");
        let missing = scratch.write("include.c", "#include \"nowhere.h\"\nint main(void) {}\n");
        refused(&[command, &missing], "nowhere.h");
        refused(&[command, &good, "no-such-file.c"], "no-such-file.c");
    }
}

#[test]
fn wrong_c_is_refused_with_its_place() {
    let scratch = Scratch::new("wrong-c");
    let cases = [
        ("syntax", "int main(void) {\n  int x = ;\n}\n", ":2:"),
        (
            "type",
            "int main(void) {\n  int *p = 0;\n  return p * 2;\n}\n",
            ":3:",
        ),
        ("name", "int main(void) {\n  return y;\n}\n", ":2:"),
        ("open", "int main(void) {\n", "error"),
        (
            "no-main",
            "int start(void) { return 0; }\n",
            "no function `main`",
        ),
        ("not-c", "this is no C at all\n", ":1:"),
    ];
    for (name, text, expected) in cases {
        let file = scratch.write(&format!("{name}.c"), text);
        refused(&["check", &file], expected);
    }
    let file = scratch.write("start.c", "int start(void) { return 0; }\n");
    let (code, stdout, _) = parts(&run(&["check", "--entry", "start", &file]));
    assert_eq!((code, stdout.lines().last()), (0, Some("Verdict: safe")));
}

#[test]
fn wrong_words_are_refused() {
    let scratch = Scratch::new("wrong-words");
    let good = scratch.write("good.c", SUM);
    refused(
        &["check", "--engine", "nonsense", &good],
        "unknown engine `nonsense`",
    );
    refused(
        &["check", "--property", "nonsense", &good],
        "unknown property `nonsense`",
    );
    refused(
        &["check", "--property", "termination", &good],
        "cannot be checked yet",
    );
    refused(
        &["check", "--property", "no-such.prp", &good],
        "no-such.prp",
    );
    refused(
        &["check", "--engine", "random", "--summary", "paper", &good],
        "`--summary` means nothing to engine `random`",
    );
    refused(&["check", "--timeout", "soon", &good], "--timeout");
    refused(&["check", "--data-model", "LP32", &good], "--data-model");
    refused(&["check", "--32", "--64", &good], "cannot be used with");
    refused(&["check"], "required");
    refused(&["nonsense"], "unrecognized subcommand");
    refused(
        &["run", "--inputs", "seven", &good],
        "`seven` is not a value",
    );
    refused(
        &["dump", "ast", "--format", "dot", &good],
        "only be shown as text",
    );
    let bad = scratch.write("bad.prp", "CHECK( init(main()), LTL(G ! label(X)) )");
    refused(&["check", "--property", &bad, &good], "cannot be checked");
}

#[test]
fn wrong_task_definitions_are_refused() {
    let scratch = Scratch::new("wrong-tasks");
    scratch.write("good.c", SUM);
    let cases = [
        ("a.yml", "input_files: good.c\n", "no `format_version`"),
        ("b.yml", "format_version: '2.0'\n", "no `input_files`"),
        (
            "c.yml",
            "format_version: '2.0'\ninput_files: gone.c\n",
            "gone.c",
        ),
        ("d.yml", "{{{", "not a valid one"),
    ];
    for (name, text, expected) in cases {
        let file = scratch.write(name, text);
        refused(&["check", &file], expected);
    }
    refused(&["check", "gone.yml"], "gone.yml");
}

#[test]
fn task_definitions_say_files_sizes_and_property() {
    let scratch = Scratch::new("task");
    let text = "extern void abort(void);\nvoid reach_error(void) { abort(); }\n\
                int main(void) { if (sizeof(long) == 4) reach_error(); return 0; }\n";
    scratch.write("a.c", text);
    let task = scratch.write(
        "a.yml",
        "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: \
         ../nowhere/termination.prp\n  - property_file: ../nowhere/unreach-call.prp\n    \
         expected_verdict: false\noptions:\n  language: C\n  data_model: ILP32\n",
    );
    let document = json(&run(&["check", "--json", &task])).unwrap();
    assert_eq!(document["verdict"], "unsafe", "{document:#}");
    assert_eq!(document["data_model"], "ILP32");
    assert_eq!(document["violation"]["line"], 3);
    let document = json(&run(&["check", "--json", "--64", "--timeout", "1", &task])).unwrap();
    assert_ne!(document["verdict"], "unsafe", "{document:#}");
}

#[test]
fn files_are_linked_and_macros_and_folders_given() {
    let scratch = Scratch::new("linked");
    scratch.write("limit.h", "extern int limit(void);\n");
    let a = scratch.write(
        "a.c",
        "#include <assert.h>\n#include <limit.h>\nint main(void) {\n  assert(limit() < BOUND);\n}\n",
    );
    let b = scratch.write("b.c", "static int n = 5;\nint limit(void) { return n; }\n");
    let folder = scratch.file("").to_str().expect("a plain path").to_owned();
    let check = |bound: &str| {
        let define = format!("-DBOUND={bound}");
        json(&run(&["check", "--json", "-I", &folder, &define, &a, &b])).unwrap()
    };
    let document = check("5");
    assert_eq!(document["verdict"], "unsafe", "{document:#}");
    assert_eq!(document["violation"]["line"], 4);
    assert_ne!(check("6")["verdict"], "unsafe");
}

#[test]
fn an_unsafe_program_is_shown_with_its_evidence() {
    let scratch = Scratch::new("evidence");
    let file = scratch.write("sum.c", SUM);
    let (code, stdout, stderr) = parts(&run(&["check", &file]));
    assert_eq!((code, stderr.as_str()), (1, ""), "{stdout}");
    for expected in [
        "sum.c:10:",
        "assert(s != 14);",
        "__VERIFIER_nondet_int()",
        " = 7",
        "^ s = 14",
        "... 5 iterations left out, iteration 7 of 7 (loop at line 8):",
        "\nVerdict: unsafe\n",
    ] {
        assert!(stdout.contains(expected), "{expected} in {stdout}");
    }
    assert!(stdout.ends_with("Verdict: unsafe\n"));
}

#[test]
fn json_is_one_document_whatever_happens() {
    let scratch = Scratch::new("json");
    let file = scratch.write("sum.c", SUM);
    let document = json(&run(&["check", "--json", &file])).unwrap();
    assert_eq!(document["schema"], 1);
    assert_eq!(document["verdict"], "unsafe");
    assert_eq!(document["inputs"][0]["value"], "7");
    assert_eq!(document["inputs"][0]["line"], 4);
    assert_eq!(document["violation"]["property"], "unreach-call");
    let document = json(&run(&["run", "--json", "--inputs", "3", &file])).unwrap();
    assert_eq!(document["end"]["kind"], "exited");
    let wrong = scratch.write("wrong.c", "int main(void) {\n  return x;\n}\n");
    let output = run(&["check", "--json", &wrong]);
    assert_eq!(output.status.code(), Some(2));
    let document = json(&output).unwrap();
    assert_eq!(document["verdict"], "error");
    assert_eq!(document["errors"][0]["line"], 2);
}

#[test]
fn run_takes_inputs_and_says_how_it_ends() {
    let scratch = Scratch::new("run");
    let file = scratch.write("sum.c", SUM);
    let cases = [
        ("7", 1, "violates a property"),
        ("0x8", 0, "exits with status 0"),
        ("", 3, "none is left"),
    ];
    for (inputs, expected, words) in cases {
        let (code, stdout, _) = parts(&run(&["run", "--inputs", inputs, &file]));
        assert_eq!(code, expected, "{inputs}: {stdout}");
        assert!(stdout.contains(words), "{stdout}");
    }
    let mut child = cairn()
        .args(["run", "--inputs", "-", &file])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"7\n").unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(1));
    let (code, stdout, _) = parts(&run(&[
        "run",
        "--inputs",
        "100",
        "--max-steps",
        "20",
        &file,
    ]));
    assert_eq!(code, 3, "{stdout}");
    assert!(stdout.contains("Run: stopped"), "{stdout}");
}

#[test]
fn run_takes_the_same_random_inputs_for_a_seed() {
    let scratch = Scratch::new("seed");
    let text = "int __VERIFIER_nondet_int(void);\n\
                int main(void) { return __VERIFIER_nondet_int() == 3; }\n";
    let file = scratch.write("seed.c", text);
    let inputs = |seed: &str| {
        let (code, stdout, _) = parts(&run(&["run", "--seed", seed, &file]));
        assert_eq!(code, 0, "{stdout}");
        let line = stdout.lines().find(|line| line.contains("nondet_int() ="));
        line.unwrap_or_else(|| panic!("{stdout}")).to_owned()
    };
    assert_eq!(inputs("1"), inputs("1"));
    let all: std::collections::BTreeSet<String> =
        ["1", "2", "3", "4"].into_iter().map(inputs).collect();
    assert!(all.len() > 1, "{all:?}");
}

#[test]
fn run_shows_where_pointers_point() {
    let scratch = Scratch::new("pointers");
    let text = "int main(void) {\n  int a[2];\n  int *p = a + 1;\n  *p = 7;\n  return *p;\n}\n";
    let file = scratch.write("pointers.c", text);
    let (code, stdout, _) = parts(&run(&["run", &file]));
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.contains("p = &a[1]"), "{stdout}");
    assert!(stdout.contains("a[1] = 7"), "{stdout}");
}

#[test]
fn run_names_undefined_behaviour() {
    let scratch = Scratch::new("undefined");
    let text = "int main(void) {\n  int zero = 0;\n  return 1 / zero;\n}\n";
    let file = scratch.write("div.c", text);
    let (code, stdout, _) = parts(&run(&["run", &file]));
    assert_eq!(code, 3, "{stdout}");
    assert!(stdout.contains("undefined behaviour"), "{stdout}");
    assert!(stdout.contains("div.c:3:"), "{stdout}");
    let words = ["run", "--property", "division-by-zero", &file];
    assert_eq!(parts(&run(&words)).0, 1);
}

#[test]
fn run_shows_what_the_program_prints() {
    let scratch = Scratch::new("prints");
    let text = "#include <stdio.h>\nint main(void) {\n  printf(\"n=%d %s\\n\", 42, \"ok\");\n  \
                return 3;\n}\n";
    let file = scratch.write("hello.c", text);
    let (code, stdout, _) = parts(&run(&["run", "--quiet", &file]));
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.starts_with("n=42 ok\n"), "{stdout}");
    assert!(
        stdout.ends_with("Run: the program exits with status 3\n"),
        "{stdout}"
    );
}

#[test]
fn unreach_call_counts_asserts_only_where_nothing_else_is_named() {
    let scratch = Scratch::new("unreach");
    let plain = scratch.write(
        "plain.c",
        "#include <assert.h>\nint main(void) { assert(0); }\n",
    );
    let text = "#include <assert.h>\nvoid reach_error(void) {}\nint main(void) {\n  assert(0);\n  \
                reach_error();\n}\n";
    let named = scratch.write("named.c", text);
    let property = scratch.write(
        "p.prp",
        "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
    );
    let check = |file: &str, more: &[&str]| {
        let words = [&["check", "--json", "--timeout", "1", file], more].concat();
        json(&run(&words)).unwrap()
    };
    let document = check(&plain, &["--property", &property]);
    assert_eq!(document["verdict"], "unsafe", "{document:#}");
    assert!(
        document["assumptions"]
            .to_string()
            .contains("names no `reach_error`")
    );
    assert_ne!(
        check(&named, &["--property", &property])["verdict"],
        "unsafe"
    );
    assert_eq!(check(&named, &[])["violation"]["line"], 4);
}

#[test]
fn dumps_go_to_a_file_or_to_stdout() {
    let scratch = Scratch::new("dump");
    let file = scratch.write("sum.c", SUM);
    for words in [["dump", "ast"], ["dump", "cfa"], ["dump", "smt"]] {
        let (code, stdout, _) = parts(&run(&[&words[..], &[&file]].concat()));
        assert_eq!(code, 0);
        assert!(stdout.contains("main"), "{stdout}");
        let out = scratch.file("out.txt");
        let path = out.to_str().unwrap();
        let (code, nothing, _) = parts(&run(&[&words[..], &[&file, "-o", path]].concat()));
        assert_eq!((code, nothing.as_str()), (0, ""));
        assert_eq!(std::fs::read_to_string(&out).unwrap(), stdout);
    }
    let (code, dot, _) = parts(&run(&["dump", "cfa", "--format", "dot", &file]));
    assert_eq!(code, 0);
    assert!(dot.contains("digraph"), "{dot}");
}

#[test]
fn invariants_at_heads_and_error_locations() {
    let scratch = Scratch::new("invariants");
    let text = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 0) return 0;
  while (i != n) i += 1;
  assert(i >= 0);
  assert(i < 7);
  return 0;
}
";
    let file = scratch.write("count.c", text);
    let (code, stdout, _) = parts(&run(&["dump", "invariants", &file]));
    assert_eq!(code, 0);
    let lines: Vec<&str> = stdout.lines().map(str::trim).collect();
    assert!(lines[0].starts_with("main, line 6, loop head"), "{stdout}");
    assert!(
        lines.contains(&"(<= i n)") && lines.contains(&"(<= 0 i)"),
        "{stdout}"
    );
    let errors: Vec<&&str> = lines.iter().filter(|line| line.contains("error")).collect();
    assert!(errors[0].starts_with("main, line 7") && errors[0].ends_with("never reached"));
    assert!(errors[1].starts_with("main, line 8") && errors[1].ends_with("may be reached"));
    let (_, more, _) = parts(&run(&["dump", "invariants", "--all", &file]));
    assert!(more.lines().count() > stdout.lines().count());
    let (code, _, _) = parts(&run(&["dump", "invariants", "--format", "dot", &file]));
    assert_eq!(code, 2);
}

#[test]
fn summaries_of_loops() {
    let scratch = Scratch::new("summaries");
    let text = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = __VERIFIER_nondet_int(), j = i, t = 0;
  while (i < n) i += 1;
  while (t < 9)
    t += 3;
  assert(i - j <= t);
  return 0;
}
";
    let file = scratch.write("loops.c", text);
    let (code, stdout, _) = parts(&run(&["dump", "summary", &file]));
    assert_eq!(code, 0);
    let heads: Vec<&str> = stdout
        .lines()
        .filter(|line| line.contains("loop head"))
        .collect();
    assert_eq!(heads.len(), 2, "{stdout}");
    assert!(heads[0].starts_with("main, line 5, loop head"), "{stdout}");
    assert!(heads[1].starts_with("main, line 6, loop head"), "{stdout}");
    let expected = "  no iteration, or k >= 1 iterations with\n    i' = i + k\n    i' <= n\n";
    assert!(stdout.contains(expected), "{stdout}");
    assert!(
        stdout.ends_with("from the start: an error may be reached\n"),
        "{stdout}"
    );
    let (_, one, _) = parts(&run(&["dump", "summary", "--location", "6", &file]));
    assert!(one.starts_with(heads[1]), "{one}");
    assert!(!one.contains("line 5"), "{one}");
    let (code, _, _) = parts(&run(&["dump", "summary", "--format", "dot", &file]));
    assert_eq!(code, 2);
}

#[test]
fn a_dumped_program_can_be_read_back() {
    let scratch = Scratch::new("back");
    let file = scratch.write("sum.c", SUM);
    for passes in ["unreachable", "inline,fold,unreachable,dead,slice"] {
        let out = scratch.file("sum.cfa");
        let path = out.to_str().unwrap();
        let words = ["dump", "cfa", &file, "--passes", passes, "-o", path];
        assert_eq!(parts(&run(&words)).0, 0);
        let document = json(&run(&["check", "--json", path])).unwrap();
        assert_eq!(document["verdict"], "unsafe", "{document:#}");
        assert_eq!(document["inputs"][0]["value"], "7");
    }
    let wrong = scratch.write("wrong.cfa", "program ptr 8 entry nobody\n");
    refused(&["check", &wrong], "nobody");
    // It can be read, but the sum of a number and a truth value means nothing.
    let text = "program ptr 8 entry main\nproc p0 main() entry l0 exit l1 {\n  local v0 x: i32\n  l0:\n    \
                e0: x := x + true -> l2\n  l2:\n    e1: return -> l1\n  l1:\n}\n";
    let wrong = scratch.write("ill-typed.cfa", text);
    refused(
        &["check", &wrong],
        "is not a well-formed program: p0 e0 Add",
    );
}

#[test]
fn colours_only_when_asked_for() {
    let scratch = Scratch::new("colours");
    let file = scratch.write("wrong.c", "int main(void) { return x; }\n");
    let error = |words: &[&str], variables: &[(&str, &str)]| {
        let mut command = cairn();
        command.env_remove("NO_COLOR").args(words).arg(&file);
        command.envs(variables.iter().copied());
        String::from_utf8_lossy(&command.output().unwrap().stderr).contains('\x1b')
    };
    assert!(!error(&["check"], &[]));
    assert!(error(&["check", "--color", "always"], &[]));
    assert!(error(&["check"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!error(
        &["check"],
        &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]
    ));
}

#[test]
fn a_signal_ends_the_search_with_what_it_has() {
    let scratch = Scratch::new("signal");
    // The sum of the first squares, which no engine knows.
    let text = "extern void abort(void);\nvoid reach_error() { abort(); }\n\
                extern unsigned nondet(void);\nint main(void) {\n  unsigned n = nondet(), i = 0;\n  \
                unsigned long sum = 0, square = 0;\n  while (i < n) {\n    square = i * square + i;\n    \
                sum += square * square;\n    i++;\n  }\n  if (sum * square == 12345678912347)\n    \
                reach_error();\n  return 0;\n}\n";
    let file = scratch.write("squares.c", text);
    for (engine, learnt) in [("random", "runs"), ("gps", "tests")] {
        let child = cairn()
            .args(["check", "--engine", engine, "--timeout", "60", &file])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(1500));
        let killed = std::process::Command::new("kill")
            .args(["-TERM", &child.id().to_string()])
            .status();
        assert!(killed.is_ok_and(|status| status.success()));
        let output = child.wait_with_output().unwrap();
        let (code, stdout, _) = parts(&output);
        assert_eq!(code, 3, "{stdout}");
        assert!(
            stdout.contains(learnt) && stdout.ends_with("Verdict: unknown\n"),
            "{stdout}"
        );
    }
}

#[test]
fn a_memory_limit_that_is_met_is_the_reason() {
    let scratch = Scratch::new("memory");
    let endless = SUM.replace("assert(s != 14)", "assert(s != 15)");
    let file = scratch.write("endless.c", endless);
    let words = ["check", "--memory", "2", "--timeout", "30", &file];
    let (code, stdout, _) = parts(&run(&words));
    assert_eq!(code, 3, "{stdout}");
    assert!(
        stdout.contains("the memory limit of 2 MB was reached"),
        "{stdout}"
    );
    let document = json(&run(&[&words[..], &["--json"]].concat())).expect("a document");
    assert_eq!(document["reason"]["kind"], "memory");
    refused(&["check", "--memory", "0", &file], "--memory");
}

#[test]
fn an_effort_limit_that_is_met_is_the_reason() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/two_loops.c");
    let words = ["check", "--json", "--engine", "gps", file];
    let whole = json(&run(&words)).expect("a document");
    let effort = whole["stats"]["effort"].as_u64().expect("a number");
    assert_eq!(whole["verdict"], "safe");
    let limited = |units: u64| run(&[&words[..], &["--effort", &units.to_string()]].concat());
    let enough = json(&limited(effort + 1)).expect("a document");
    assert_eq!(enough["verdict"], "safe");
    assert_eq!(enough["stats"]["effort"], effort);
    let little = json(&limited(effort / 8)).expect("a document");
    assert_eq!(little["reason"]["kind"], "effort");
    let spent = little["stats"]["effort"].as_u64().expect("a number");
    assert!(spent < effort, "{spent} of {effort}");
    refused(&["check", "--effort", "0", file], "--effort");
}

#[test]
fn explain_tells_tests_labels_and_covers() {
    let scratch = Scratch::new("explain");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/two_loops.c");
    let words = ["explain", "--engine", "gps-nogas-nosum", file];
    let (code, stdout, _) = parts(&run(&words));
    assert_eq!(code, 0, "{stdout}");
    for expected in [
        "test      a test from",
        "dead end  u",
        "stock mod 2 = 0",
        "is covered by",
        "Verdict: safe",
    ] {
        assert!(stdout.contains(expected), "no `{expected}` in {stdout}");
    }
    // Looking changes nothing.
    let (code, _, _) = parts(&run(&["check", "--engine", "gps-nogas-nosum", file]));
    assert_eq!(code, 0);
    let (_, stdout, _) = parts(&run(&[
        "explain",
        &scratch.write("none.c", "int main(void) {}\n"),
    ]));
    assert!(
        stdout.starts_with("no path of the control-flow graph"),
        "{stdout}"
    );
}
