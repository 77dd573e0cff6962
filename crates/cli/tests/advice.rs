//! `unknown` says where it stuck, why, what was tried, and what to try: about this program.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod harness;

use harness::{Scratch, json, parts, run};

const HEAD: &str = "int __VERIFIER_nondet_int(void);\nunsigned __VERIFIER_nondet_uint(void);\n\
                    void reach_error(void);\n";

/// A loop whose invariant is too hard, and whose violations are too deep.
const HARD: &str = "int main(void) {\n  unsigned n = __VERIFIER_nondet_uint(), x = 1, y = 3;\n  \
    unsigned i = 0;\n  while (i < n) {\n    x = x * 1664525u + y;\n    y = (y ^ x) * 22695477u;\n    \
    i++;\n  }\n  if (x == 123456789u && y == 987654321u)\n    reach_error();\n  return 0;\n}\n";

/// A recursion of unknown depth.
const RECURSIVE: &str = "int f(int n) {\n  if (n <= 1)\n    return 0;\n  \
    return n % 2 == 0 ? 1 + f(n / 2) : 1 + f(3 * n + 1);\n}\n\
    int main(void) {\n  int n = __VERIFIER_nondet_int();\n  if (n > 100000)\n    return 0;\n  \
    int r = f(n);\n  if (r > 5000)\n    reach_error();\n  return 0;\n}\n";

/// A recursion that hands down a value among further arguments.
const VARIADIC: &str = "#include <stdarg.h>\nint f(int n, ...) {\n  va_list rest;\n  \
    va_start(rest, n);\n  int x = va_arg(rest, int);\n  va_end(rest);\n  \
    return n <= 0 ? x : f(n - 1, x);\n}\nint main(void) {\n  int n = __VERIFIER_nondet_int();\n  \
    int x = __VERIFIER_nondet_int();\n  if (f(n, x) != x)\n    reach_error();\n  return 0;\n}\n";

const ASSEMBLY: &str = "int main(void) {\n  int n = 1;\n  __asm__(\"incl %0\" : \"+r\"(n));\n  \
    if (n != 2)\n    reach_error();\n  return 0;\n}\n";

const OVERFLOWING: &str = "int main(void) {\n  int n = 2147483647;\n  n = n + 1;\n  if (n > 0)\n    \
    reach_error();\n  return 0;\n}\n";

/// Nearly every run writes after the array, before a loop whose invariant is too hard.
const OUT_OF_BOUNDS: &str = "int main(void) {\n  int a[9];\n  unsigned n = 9, x = 1, y = 3;\n  \
    unsigned m = __VERIFIER_nondet_uint();\n  for (unsigned i = 0; i < n + (m != 3); i++) a[i] = 1;\n  \
    for (unsigned i = 0; i < m; i++) {\n    x = x * 1664525u + y;\n    y = (y ^ x) * 22695477u;\n  }\n  \
    if (x == 123456789u && y == 987654321u)\n    reach_error();\n  return 0;\n}\n";

/// Text, flags, words in the advice, words that must not be in it.
type Case = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
    &'static [&'static str],
);

#[test]
fn advice_fits_the_reason() {
    let scratch = Scratch::new("advice");
    let cases: &[Case] = &[
        (
            HARD,
            &["--effort", "1000000"],
            &[
                "bound `n` behind line 5, as in `if (n > 100) return 0;`",
                "--int-model math",
            ],
            &["--engine", "recursive"],
        ),
        (
            HARD,
            &["--timeout", "1ms"],
            &["--timeout 10s"],
            &["--engine", "recursive"],
        ),
        (
            HARD,
            &["--timeout", "2", "--engine", "gps"],
            &["--engine auto"],
            &["recursive"],
        ),
        (
            RECURSIVE,
            &["--timeout", "2"],
            &["`f` (line 4) does is known by a contract only"],
            &["--timeout", "--int-model"],
        ),
        (
            VARIADIC,
            &["--timeout", "2", "--engine", "gps"],
            &["contracts say nothing of memory, which it reads at line 8, as `va_arg` does"],
            &["--timeout", "--int-model"],
        ),
        (
            VARIADIC,
            &["--timeout", "2", "--engine", "cra"],
            &["contracts say nothing of memory, which it reads at line 8, as `va_arg` does"],
            &["--timeout", "--int-model"],
        ),
        (
            ASSEMBLY,
            &["--timeout", "2"],
            &["inline assembly is not modelled", "line 6"],
            &["--timeout"],
        ),
        (
            OVERFLOWING,
            &["--timeout", "2", "--engine", "random"],
            &["--property def-behavior", "`random` proves nothing"],
            &["--timeout"],
        ),
        (
            OUT_OF_BOUNDS,
            &["--timeout", "2", "--engine", "random"],
            &["--property def-behavior"],
            &["recursive"],
        ),
    ];
    for (text, flags, expected, others) in cases {
        let file = scratch.write("a.c", format!("{HEAD}{text}"));
        let document = json(&run(&[&["check", "--json"], *flags, &[&file]].concat())).unwrap();
        assert_eq!(document["verdict"], "unknown", "{document:#}");
        let help = document["reason"]["help"].to_string();
        for word in *expected {
            assert!(help.contains(word), "{word} in {help}");
        }
        for word in *others {
            assert!(!help.contains(word), "{word} in {help}");
        }
    }
}

/// Text, words in the reason, and the line that it names.
const NOT_MODELLED: &[(&str, &str, u64)] = &[
    (
        "extern int (*handler)(int);\nint main(void) {\n  if (handler(3) > 0)\n    \
         reach_error();\n  return 0;\n}\n",
        "a call of a function that is not known: its address comes from `handler`",
        6,
    ),
    (
        "int main(void) {\n  int (*f)(int) = (int (*)(int))4096;\n  if (f(3) > 0)\n    \
         reach_error();\n  return 0;\n}\n",
        "a call of a function that is not known: its address comes from a number",
        6,
    ),
    (
        "#include <setjmp.h>\nstatic jmp_buf place;\nint main(void) {\n  \
         if (setjmp(place) > 2)\n    reach_error();\n  longjmp(place, 3);\n}\n",
        "non-local jumps",
        7,
    ),
    (
        "#include <signal.h>\nstatic int seen;\nstatic void handle(int s) { seen = s; }\n\
         int main(void) {\n  signal(SIGINT, handle);\n  if (seen)\n    reach_error();\n  \
         return 0;\n}\n",
        "`signal`: handlers",
        8,
    ),
    (
        "#include <setjmp.h>\nstatic jmp_buf place;\nint down(int n) {\n  if (n < 0)\n    \
         longjmp(place, 3);\n  return n == 0 ? 0 : down(n - 1);\n}\nint main(void) {\n  \
         if (down(__VERIFIER_nondet_int()))\n    reach_error();\n  return 0;\n}\n",
        "`longjmp`: non-local jumps",
        8,
    ),
];

#[test]
fn what_is_not_modelled_is_named_by_every_engine() {
    let scratch = Scratch::new("not_modelled");
    for (text, name, line) in NOT_MODELLED {
        let file = scratch.write("a.c", format!("{HEAD}{text}"));
        for engine in ["gps", "cra", "auto"] {
            let flags = ["check", "--json", "--timeout", "2", "--engine", engine];
            let document = json(&run(&[&flags[..], &[&file]].concat())).unwrap();
            assert_eq!(document["verdict"], "unknown", "{document:#}");
            let reason = &document["reason"];
            let message = reason["message"].to_string();
            assert!(message.contains(name), "{engine}: {name} in {message}");
            assert_eq!(reason["line"], *line, "{engine}: {document:#}");
        }
    }
}

#[test]
fn the_place_where_it_stuck_is_underlined() {
    let scratch = Scratch::new("stuck");
    let file = scratch.write("a.c", format!("{HEAD}{RECURSIVE}"));
    let (code, stdout, _) = parts(&run(&["check", "--timeout", "2", &file]));
    assert_eq!(code, 3, "{stdout}");
    for expected in [
        "warning: no verdict: a path to an error cannot be decided",
        "14 |   if (r > 5000)",
        "= note: gave up after",
        "= note: tried: ",
        "= help: what `f` (line 4) does is known by a contract only",
        "\nVerdict: unknown\n",
    ] {
        assert!(stdout.contains(expected), "{expected} in {stdout}");
    }
}

/// Where a formula allows more than the program, the reason says what it describes roughly, and where.
#[test]
fn what_is_described_roughly_is_named() {
    let scratch = Scratch::new("roughly");
    let start = "int main(void) {\n  int n = __VERIFIER_nondet_int();\n";
    let product = "  if (n * n == 2)\n    reach_error();\n}\n";
    let read = "  int a[40];\n  for (int i = 0; i < 40; i++)\n    a[i] = 2 * i;\n  if (n >= 0 && n < 40 && \
                a[n] % 2 != 0)\n    reach_error();\n}\n";
    for (text, line, name) in [
        (product, 6, "a product of variables"),
        (read, 9, "a value read from memory"),
    ] {
        let file = scratch.write("a.c", format!("{HEAD}{start}{text}"));
        let flags = ["check", "--json", "--timeout", "2", "--engine", "impact"];
        let document = json(&run(&[&flags[..], &[&file]].concat())).unwrap();
        assert_eq!(document["verdict"], "unknown", "{document:#}");
        let message = document["reason"]["message"].to_string();
        assert!(message.contains(name), "{name} in {message}");
        assert_eq!(document["reason"]["line"], line, "{document:#}");
    }
}

/// A proof covers runs up to where they are undefined; if some are, that is said.
#[test]
fn a_proof_names_undefined_behaviour_that_runs_meet() {
    let scratch = Scratch::new("undefined");
    let text = |bound| {
        format!(
            "{HEAD}int main(void) {{\n  int a[9], s = 0;\n  for (int i = 0; i < 9; i++)\n    \
             a[i] = __VERIFIER_nondet_int();\n  for (int i = 0; i < {bound}; i++)\n    \
             s |= a[i] & 1;\n  if (s == 2)\n    reach_error();\n  return 0;\n}}\n"
        )
    };
    for (bound, is_defined) in [(9, true), (10, false)] {
        let file = scratch.write("a.c", text(bound));
        let document = json(&run(&["check", &file, "--json"])).unwrap();
        assert_eq!(document["verdict"], "safe", "{document:#}");
        let assumptions = document["assumptions"].as_array().unwrap().iter();
        let mut texts = assumptions.filter_map(|text| text.as_str());
        let told = texts.find(|text| text.contains("behaviour is undefined"));
        assert_eq!(told.is_none(), is_defined, "{document:#}");
        if let Some(told) = told {
            assert!(told.contains("at line 9"), "{told}");
            assert!(told.contains("--property def-behavior"), "{told}");
        }
    }
}
