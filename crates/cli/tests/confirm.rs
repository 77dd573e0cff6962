//! Tests that are written, and the compiler as judge of what was found.

mod harness;

use harness::{Scratch, compiled, json, parts, run};
use std::process::Command;

const DECLARED: &str = "extern void reach_error(void);\n";
const OWN: &str = "extern void abort(void);\nvoid reach_error(void) { abort(); }\n";

/// A name, flags, a program, and the line where it fails.
type Case = (&'static str, &'static [&'static str], String, u64);

fn cases() -> Vec<Case> {
    let own = |body: &str| format!("{OWN}{body}");
    let declared = |body: &str| format!("{DECLARED}{body}");
    vec![
        (
            "the program's own reach_error",
            &[],
            own("int __VERIFIER_nondet_int();\nint main() {\n  if (__VERIFIER_nondet_int() == -2147483647 - 1)\n    reach_error();\n}\n"),
            6,
        ),
        (
            "all kinds of numbers",
            &[],
            declared(
                "char __VERIFIER_nondet_char(void); _Bool __VERIFIER_nondet_bool(void);\n\
                 unsigned short __VERIFIER_nondet_ushort(void);\n\
                 unsigned long long __VERIFIER_nondet_ulonglong(void);\n\
                 typedef unsigned u32; u32 __VERIFIER_nondet_u32(void);\n\
                 int main(void) {\n  if (__VERIFIER_nondet_char() != -128) return 0;\n\
                 \x20 if (__VERIFIER_nondet_ushort() != 65535) return 0;\n\
                 \x20 if (__VERIFIER_nondet_ulonglong() != 18446744073709551615ULL) return 0;\n\
                 \x20 if (!__VERIFIER_nondet_bool() || __VERIFIER_nondet_u32() != 4000000000u) return 0;\n\
                 \x20 reach_error();\n}\n",
            ),
            11,
        ),
        (
            "32-bit long",
            &["--32"],
            declared("long __VERIFIER_nondet_long(void);\nint main(void) {\n  if (sizeof(long) == 4 && __VERIFIER_nondet_long() < -2147483647)\n    reach_error();\n}\n"),
            5,
        ),
        (
            "128 bits",
            &[],
            declared("unsigned __int128 __VERIFIER_nondet_uint128(void);\nint main(void) {\n  if (__VERIFIER_nondet_uint128() >> 100 == 77)\n    reach_error();\n}\n"),
            5,
        ),
        (
            "functions without a body",
            &[],
            declared("int unknown(int); void nothing(void);\nint main(void) {\n  nothing();\n  if (unknown(1) == 3 && unknown(2) == 4)\n    reach_error();\n}\n"),
            6,
        ),
        (
            "a byte that malloc gives",
            &[],
            own("void *malloc(unsigned long);\nint main(void) {\n  for (int i = 0; i < 2; i++) {\n    unsigned char *p = malloc (4);\n    if (i == 1 && p[3] == 200)\n      reach_error();\n  }\n}\n"),
            8,
        ),
        (
            "a reallocation that fails",
            &[],
            own("void *malloc(unsigned long), *realloc(void *, unsigned long);\nint main(void) {\n  char *p = malloc(1);\n  char *q = realloc(p, 2);\n  if (q && !realloc(q, 3))\n    reach_error();\n}\n"),
            8,
        ),
        (
            "allocations that fail, and errno",
            &["--failing-alloc", "all"],
            "#include <errno.h>\n#include <stdlib.h>\n#include <string.h>\n#include <assert.h>\nint main(void) {\n  char *p = malloc(1), *q = calloc(1, 1), *r = strdup(\"r\"), *s = strndup(\"s\", 1);\n  assert(!p || q || !r || s || errno != ENOMEM);\n}\n".to_owned(),
            7,
        ),
        (
            "an access behind a reallocation that fails",
            &["--property", "valid-deref"],
            "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  p = realloc(p, 8);\n  p[1] = 3;\n  free(p);\n}\n".to_owned(),
            5,
        ),
        (
            "an uninitialised variable",
            &[],
            own("int main(void) {\n  int x, y;\n  if (x == 41 && y == -3)\n    reach_error();\n}\n"),
            6,
        ),
        (
            "another entry",
            &["--entry", "check"],
            own("void check(int a, unsigned char b) {\n  if (a == -9 && b == 200)\n    reach_error();\n}\nint main(void) { return 0; }\n"),
            5,
        ),
        (
            "an input that is linked and never taken",
            &[],
            own("_Bool __VERIFIER_nondet_bool(void); int __VERIFIER_nondet_int(void);\nint f(int x) { while (__VERIFIER_nondet_bool()) x++; return x; }\nint main(void) {\n  if (__VERIFIER_nondet_int() == 5)\n    reach_error();\n}\n"),
            7,
        ),
        (
            "assert of the C library",
            &[],
            "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  assert(x !=\n         12);\n}\n".to_owned(),
            5,
        ),
        (
            "an overflow",
            &["--property", "no-overflow"],
            "int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x > 2147483000)\n    x = x + 1000;\n  return x;\n}\n".to_owned(),
            5,
        ),
        (
            "a division",
            &["--property", "division-by-zero"],
            "int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  return 10 /\n    (x - 3);\n}\n".to_owned(),
            4,
        ),
        (
            "an access out of bounds",
            &["--property", "valid-deref"],
            "int __VERIFIER_nondet_int(void);\nint main(void) {\n  int a[4] = {0}, i = __VERIFIER_nondet_int();\n  if (i < 0 || i > 4) return 0;\n  return a[i];\n}\n".to_owned(),
            5,
        ),
    ]
}

#[test]
fn the_compiled_program_fails_where_it_was_found_to() {
    for (number, (name, flags, text, line)) in cases().into_iter().enumerate() {
        let scratch = Scratch::new(&format!("confirm-{number}"));
        if flags.contains(&"--32") && !compiled::available("ILP32") {
            continue;
        }
        let program = scratch.write("program.c", text);
        let test = scratch.file("out.c");
        let test = test.to_str().expect("a plain path");
        let mut words = vec!["check", &program, "--confirm", "--test", test, "--json"];
        words.extend(flags);
        let output = run(&words);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{name}: {:?}",
            parts(&output)
        );
        let document = json(&output).expect("a document");
        let confirmed = &document["confirmed"];
        assert_eq!(confirmed["result"], "reproduced", "{name}: {confirmed}");
        assert_eq!(confirmed["line"], line, "{name}: {confirmed}");
        plain(name, test, &scratch);
    }
}

/// Compiles and runs as the comment in the test says; the program must fail.
fn plain(name: &str, test: &str, scratch: &Scratch) {
    let text = std::fs::read_to_string(test).expect("a test");
    let command = text
        .lines()
        .find_map(|line| line.strip_prefix(" *   cc "))
        .expect("the command");
    let needs_values = text.contains("that the program does not initialise");
    let output = Command::new("sh")
        .args(["-c", &format!("cc -w {command}")])
        .current_dir(scratch.file(""))
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(scratch.file("a.out").exists(), "{name}: {command}: {said}");
    if !needs_values {
        assert!(
            !output.status.success(),
            "{name}: {command}: {said}\n{text}"
        );
    }
}

#[test]
fn what_is_not_reproduced_is_said() {
    let scratch = Scratch::new("not-reproduced");
    // The compiled program runs another branch than the one that was checked.
    let text = format!(
        "{OWN}int main(void) {{\n#ifdef CAIRN_CONFIRM\n  return 0;\n#endif\n  reach_error();\n}}\n"
    );
    let program = scratch.write("program.c", text);
    let (code, stdout, _) = parts(&run(&["check", &program, "--confirm", "-q"]));
    assert_eq!(code, 1);
    assert!(stdout.contains("NOT REPRODUCED"), "{stdout}");
    assert!(stdout.ends_with("Verdict: unsafe\n"), "{stdout}");
    let output = harness::cairn()
        .args(["check", &program, "--confirm", "--json"])
        .env("CC", "no-such-compiler")
        .output()
        .expect("cairn should start");
    let (code, stdout, stderr) = parts(&output);
    // Reading the program needs the compiler as well.
    assert_eq!(code, 2, "{stdout}{stderr}");
    let program = scratch.write(
        "plain.c",
        format!("{OWN}int main(void) {{ reach_error(); }}\n"),
    );
    let output = harness::cairn()
        .args(["check", &program, "--confirm", "--json"])
        .env("CC", "no-such-compiler")
        .output()
        .expect("cairn should start");
    let document = json(&output).expect("a document");
    assert_eq!(document["verdict"], "unsafe");
    assert_eq!(document["confirmed"]["result"], "untried", "{document}");
}

#[test]
fn what_no_function_can_give_is_said() {
    let programs = [
        "volatile int port;\nint main(void) {\n  if (port == 5) reach_error();\n}\n",
        "int main(void) {\n  unsigned char a[99];\n  if (a[98] == 5) reach_error();\n}\n",
        "int main(int argc, char **argv) {\n  if (argc == 5) reach_error();\n}\n",
        "void fill(int *);\nint main(void) {\n  int x = 0;\n  fill(&x);\n  if (x == 5) reach_error();\n}\n",
    ];
    for (number, text) in programs.into_iter().enumerate() {
        let scratch = Scratch::new(&format!("outside-{number}"));
        let program = scratch.write("program.c", format!("{OWN}{text}"));
        let (code, stdout, stderr) = parts(&run(&["check", &program, "--confirm", "-q"]));
        assert_eq!(code, 1, "{stderr}");
        let said = format!("{stdout}{stderr}").contains("does not come from a function");
        assert!(said, "{stdout}{stderr}");
    }
}

#[test]
fn a_test_that_cannot_be_written_costs_no_verdict() {
    let scratch = Scratch::new("no-test");
    let program = scratch.write("p.c", format!("{OWN}int main(void) {{ reach_error(); }}\n"));
    let (code, stdout, stderr) = parts(&run(&[
        "check",
        &program,
        "-q",
        "--test",
        "/no/such/folder/t.c",
    ]));
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.ends_with("Verdict: unsafe\n"), "{stdout}");
    assert!(stderr.contains("no test: cannot write"), "{stderr}");
}

/// Loops of every kind, with calls, shadows and variables of their own: far too long to run.
const LONG: &str = "extern int __VERIFIER_nondet_int(void);
static unsigned long long total;
int step(int d) { total += d; return d + 1; }
int main(void) {
  unsigned long long n = 0;
  int k = __VERIFIER_nondet_int();
  do {
    n++;
    total += 3;
  } while (n < 5000000000000ULL);
  for (unsigned long long i = 7, n = 1; ; i += 2) {
    if (i > 9000000000000000ULL) break;
    total++;
  }
  long long i = k;
  while (i < 4000000000077LL) {
    int t = 5;
    t = step(t);
    i++;
  }
  if (n == 5000000000000ULL && total == 4534999999999997ULL && k == 77)
    reach_error();
  return 0;
}
";

#[test]
fn a_run_that_is_too_long_is_made_by_a_copy_that_leaps() {
    let scratch = Scratch::new("leaps");
    let program = scratch.write("long.c", format!("{DECLARED}{LONG}"));
    let output = run(&["check", &program, "--confirm", "--json"]);
    let document = json(&output).expect("a document");
    assert_eq!(document["verdict"], "unsafe", "{document}");
    let confirmed = &document["confirmed"];
    assert_eq!(confirmed["result"], "reproduced", "{confirmed}");
    assert_eq!(confirmed["shortened"], true, "{confirmed}");
    assert_eq!(confirmed["line"], 23, "{confirmed}");
}

#[test]
fn a_run_that_cannot_be_shortened_is_untried() {
    let loops = [
        (
            "again: if (n < 7000000000000ULL) { n++; goto again; }",
            "made by `goto`",
        ),
        (
            "while (n < 7000000000000ULL) { static unsigned long long s; s++; n++; }",
            "`main.s` changes",
        ),
    ];
    for (number, (text, why)) in loops.into_iter().enumerate() {
        let scratch = Scratch::new(&format!("no-leaps-{number}"));
        let text = format!(
            "{DECLARED}int main(void) {{\n  unsigned long long n = 0;\n  {text}\n  if (n == \
             7000000000000ULL)\n    reach_error();\n}}\n"
        );
        let program = scratch.write("long.c", text);
        // The compiler must not know what a counting loop comes to.
        let output = harness::cairn()
            .args(["check", &program, "--confirm", "--json"])
            .env(
                "CC",
                "cc -fno-tree-loop-optimize -fno-tree-vrp -fno-tree-dominator-opts",
            )
            .output()
            .expect("cairn should start");
        let document = json(&output).expect("a document");
        assert_eq!(document["verdict"], "unsafe", "{document}");
        let confirmed = &document["confirmed"];
        assert_eq!(confirmed["result"], "untried", "{confirmed}");
        let message = confirmed["message"].as_str().expect("a message");
        assert!(message.contains("cannot be shortened"), "{message}");
        assert!(message.contains(why), "{message}");
    }
}
