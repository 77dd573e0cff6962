//! All runs at once, held against the machine, which makes one run after the other.

mod common;

use base::Budget;
use cfront::types::DataModel;
use common::{lowered_text, on_large_stack};
use exec::all_runs::{AllRuns, Options, RunsOutcome, Stopped, all_runs};
use exec::inputs::{RandomInputs, SiteInputs, ZeroInputs};
use exec::{End, Inputs, Limits, Machine, Run};
use program::ir::Program;

const LIMITS: Limits = Limits {
    steps: 20_000,
    memory: 1 << 22,
    depth: 2_000,
};

fn made(program: &Program, bits: u8) -> AllRuns {
    let options = Options {
        bits,
        steps: 20_000,
    };
    all_runs(program, &options, &Budget::unlimited())
}

fn run(program: &Program, inputs: &mut dyn Inputs) -> Run {
    Machine::new(program).run(inputs, &LIMITS, &Budget::unlimited())
}

/// What was said about programs.
#[derive(Default, Debug)]
struct Tally {
    safe: usize,
    violated: usize,
    stopped: usize,
}

impl Tally {
    /// Asks about a program, and lets the machine contradict.
    fn look_at(&mut self, name: &str, program: &Program, bits: u8) {
        match made(program, bits).found {
            RunsOutcome::NoViolation => {
                self.safe += 1;
                let mut ends = vec![run(program, &mut ZeroInputs).end];
                for seed in 0..40 {
                    ends.push(run(program, &mut RandomInputs::new(seed)).end);
                }
                for end in ends {
                    let is_fine = !matches!(end, End::Violated(..) | End::Unsupported(_));
                    assert!(is_fine, "{name}: {end:?}");
                }
            }
            RunsOutcome::Violation {
                error,
                inputs,
                guessed,
            } => {
                let mut inputs = SiteInputs::new(program, &inputs);
                let end = run(program, &mut inputs).end;
                // An operation on what is unknown may be undefined.
                let is_fine = match end {
                    End::Violated(proc, at) => (proc, at) == error,
                    End::Undefined(_) => true,
                    _ => false,
                };
                assert!(is_fine || guessed, "{name}: {end:?}");
                self.violated += 1;
            }
            RunsOutcome::Stopped(_) => self.stopped += 1,
        }
    }
}

#[test]
fn the_machine_contradicts_nothing_that_is_said_of_random_programs() {
    on_large_stack(|| {
        let mut tally = Tally::default();
        for seed in 0..1500 {
            let program = testkit::random::program(seed, 4 + seed as usize % 12);
            for bits in [0, 1, 8] {
                tally.look_at(&format!("seed {seed}, {bits} bits"), &program, bits);
            }
        }
        assert!(tally.safe > 300 && tally.violated > 300, "{tally:?}");
        assert!(tally.stopped > 0, "{tally:?}");
    });
}

#[test]
fn the_machine_contradicts_nothing_that_is_said_of_c_programs() {
    on_large_stack(|| {
        let mut tally = Tally::default();
        for (name, program) in common::c_programs() {
            tally.look_at(&name, &program, 0);
            tally.look_at(&name, &program, 8);
        }
        assert!(tally.safe > 20 && tally.violated > 5, "{tally:?}");
    });
}

/// What is said about a C program, in a word.
fn word(text: &str, bits: u8) -> String {
    let head = "extern void abort(void);\nvoid reach_error(void) { abort(); }\n\
                extern int __VERIFIER_nondet_int(void);\n\
                extern unsigned char __VERIFIER_nondet_uchar(void);\n\
                extern _Bool __VERIFIER_nondet_bool(void);\n\
                extern int strcmp(const char *, const char *);\n\
                extern void *memcpy(void *, const void *, unsigned long);\n\
                extern void *malloc(unsigned long);\n\
                extern void *realloc(void *, unsigned long);\n\
                extern int printf(const char *, ...);\n\
                extern int other(void);\n";
    let text = format!("{head}{text}");
    let options = lower::Options::default();
    let program = lowered_text(text.clone().into_bytes(), DataModel::Lp64, &options);
    let program = program.unwrap_or_else(|| panic!("{text}"));
    match made(&program, bits).found {
        RunsOutcome::NoViolation => "safe".to_owned(),
        RunsOutcome::Violation { guessed: false, .. } => "violated".to_owned(),
        RunsOutcome::Violation { guessed: true, .. } => "perhaps".to_owned(),
        RunsOutcome::Stopped(Stopped::Steps) => "long".to_owned(),
        RunsOutcome::Stopped(Stopped::Lost(..)) => "lost".to_owned(),
        RunsOutcome::Stopped(Stopped::Budget(_)) => "late".to_owned(),
    }
}

#[test]
fn what_is_not_known_decides_nothing() {
    let cases = [
        // One run.
        (
            "int main(void) { int s = 0; for (int i = 0; i < 100; i++) s ^= i; if (s != 0) reach_error(); }",
            "safe",
        ),
        (
            "int main(void) { int s = 1; for (int i = 0; i < 9; i++) s *= 2; if (s == 512) reach_error(); }",
            "violated",
        ),
        // Endless, in a circle; and endless otherwise.
        (
            "int main(void) { unsigned char c = 0; while (1) { c++; if (c > 255) reach_error(); } }",
            "safe",
        ),
        (
            "int main(void) { unsigned long c = 1; while (1) { c++; if (c == 0) reach_error(); } }",
            "long",
        ),
        // A local without a value: it may be copied, but decides nothing.
        (
            "int main(void) { int x; int y = x; y = y + 1; y = 2; if (y != 2) reach_error(); }",
            "safe",
        ),
        (
            "int main(void) { int x; if (x == 7) reach_error(); }",
            "perhaps",
        ),
        (
            "int main(void) { int x; int a[2] = {1, 2}; if (a[x & 1] == 3) reach_error(); }",
            "perhaps",
        ),
        // Bytes that were never written.
        (
            "int main(void) { int *p = malloc(8); p[0] = 1; if (p[0] != 1) reach_error(); }",
            "safe",
        ),
        (
            "int main(void) { int *p = malloc(8); p[0] = 1; if (p[1] != 0) reach_error(); }",
            "perhaps",
        ),
        (
            "struct s { char c; int i; }; int main(void) { struct s a; a.c = 1; a.i = 2; struct s b = a; \
          if (b.i != 2 || b.c != 1) reach_error(); }",
            "safe",
        ),
        (
            "struct s { char c; int i; }; int main(void) { struct s a; a.c = 1; a.i = 2; \
          if (((char *)&a)[1] != 0) reach_error(); }",
            "perhaps",
        ),
        // Addresses as numbers.
        (
            "int main(void) { int a; if (((unsigned long)&a & 3) != 0) reach_error(); }",
            "perhaps",
        ),
        (
            "int main(void) { int a, b; int *p = &a, *q = &b; if (p < q) reach_error(); }",
            "perhaps",
        ),
        (
            "int main(void) { int a = 5; long n = (long)&a; if (*(int *)n != 5) reach_error(); }",
            "safe",
        ),
        (
            "int main(void) { int a, b; if (&a == &b) reach_error(); }",
            "safe",
        ),
        (
            "int main(void) { int a[2]; int b; if (&a[2] == &b) reach_error(); }",
            "perhaps",
        ),
        (
            "int main(void) { int a[3]; if (&a[2] < &a[1] || &a[2] - &a[0] != 2) reach_error(); }",
            "safe",
        ),
        (
            "int main(void) { if (\"a\" == \"a\") reach_error(); }",
            "perhaps",
        ),
        (
            "int main(void) { const int *p = &(const int){1}, *q = &(const int){1}; if (p == q) reach_error(); }",
            "perhaps",
        ),
        (
            "int main(void) { int *p; { int x; p = &x; } int y; if (p == &y) reach_error(); }",
            "perhaps",
        ),
        // Addresses in memory, whole and in parts.
        (
            "int main(void) { int a = 4; int *p = &a; int *q; memcpy(&q, &p, sizeof p); if (*q != 4) reach_error(); }",
            "safe",
        ),
        (
            "int main(void) { int a = 4; int *p = &a; ((char *)&p)[0] = 1; *p = 1; }",
            "lost",
        ),
        // What others return.
        (
            "int main(void) { int x = other(); x = x * 2; if (x > 0) x = 1; else x = 2; if (x > 2) reach_error(); }",
            "safe",
        ),
        (
            "int main(void) { if (other() == 3) reach_error(); }",
            "perhaps",
        ),
        (
            "int main(void) { if (strcmp(\"b\", \"a\") <= 0) reach_error(); }",
            "safe",
        ),
        (
            "int main(void) { if (strcmp(\"b\", \"a\") != 1) reach_error(); }",
            "perhaps",
        ),
        (
            "int main(void) { if (printf(\"%d\", 1) != 1) reach_error(); }",
            "safe",
        ),
        (
            "int main(void) { char *p = malloc(1); *p = 1; p = realloc(p, 2); if (!p) return 0; if (*p != 1) reach_error(); }",
            "safe",
        ),
        (
            "int main(void) { char *p = malloc(1); p = realloc(p, 2); if (!p) reach_error(); }",
            "perhaps",
        ),
        // Undefined behaviour ends a run, and a number is no place to write to.
        (
            "int main(void) { int z = 0; z = 1 / z; reach_error(); }",
            "safe",
        ),
        ("int main(void) { *(int *)4096 = 1; }", "lost"),
    ];
    for (text, expected) in cases {
        assert_eq!(word(text, 0), expected, "{text}");
    }
}

#[test]
fn what_is_printed_is_known_where_the_arguments_are() {
    let cases = [
        (
            r#""%05d|%-4u|%#x|%+ld", -3, 7u, 255, 12L"#,
            "-0003|7   |0xff|+12",
        ),
        (
            r#""%s:%c%%%.2s|%*d", "abc", 'x', "long", 4, 9"#,
            "abc:x%lo|   9",
        ),
        (r#""%.3f %g %e", 0.1, 100.0, 1.5"#, "0.100 100 1.500000e+00"),
        (r#""%hhu %hd", 300, 70000"#, "44 4464"),
    ];
    let head = "int sprintf(char *, const char *, ...); \
                int snprintf(char *, unsigned long, const char *, ...); \
                double fabs(double); double sqrt(double); int other(void); ";
    for (call, text) in cases {
        let program = |count: usize, text: &str| {
            format!(
                "{head} int main(void) {{ char b[64], c[4]; \
                 if (sprintf(b, {call}) != {count} || printf({call}) != {count}) reach_error(); \
                 if (snprintf(c, 4, {call}) != {count} || c[3]) reach_error(); \
                 if (strcmp(b, \"{text}\")) reach_error(); if (c[2] != b[2]) reach_error(); }}"
            )
        };
        assert_eq!(word(&program(text.len(), text), 0), "safe", "{call}");
        assert_eq!(
            word(&program(text.len() + 1, text), 0),
            "violated",
            "{call}"
        );
        let other = text.replace(|c: char| c.is_ascii_digit(), "z");
        assert_eq!(word(&program(text.len(), &other), 0), "violated", "{call}");
    }
    // What is not known is not printed, and what is too long is undefined.
    for (body, expected) in [
        ("char b[9]; sprintf(b, \"%d\", other());", "lost"),
        ("char b[2]; sprintf(b, \"%d\", 77); reach_error();", "safe"),
        (
            "if (printf(\"%d\", other()) == 3) reach_error();",
            "perhaps",
        ),
        (
            "if (fabs(-2.5) != 2.5 || sqrt(6.25) != 2.5) reach_error();",
            "safe",
        ),
        ("if (sqrt(2.0) != 1.5) reach_error();", "violated"),
    ] {
        let text = format!("{head} int main(void) {{ {body} }}");
        assert_eq!(word(&text, 0), expected, "{body}");
    }
}

#[test]
fn inputs_of_few_bits_are_tried() {
    let byte = "int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); \
                if ((c * c) % 256 == 2) reach_error(); }";
    assert_eq!(word(byte, 0), "perhaps");
    assert_eq!(word(byte, 8), "safe");
    let rare = "int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); \
                if (c == 200) reach_error(); }";
    assert_eq!(word(rare, 0), "perhaps");
    assert_eq!(word(rare, 8), "violated");
    let two = "int main(void) { _Bool a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_bool(); \
               if ((a ^ b) != (a != b)) reach_error(); }";
    assert_eq!(word(two, 0), "perhaps");
    assert_eq!(word(two, 1), "safe");
    let machine = "int main(void) { int s = 0; while (1) { _Bool go = __VERIFIER_nondet_bool(); \
                   if (go && s < 3) s++; else if (s > 0) s--; if (s > 3) reach_error(); } }";
    assert_eq!(word(machine, 1), "safe");
    let unused = "int main(void) { int x = __VERIFIER_nondet_int(); int n = 0; \
                  if (x > 5) n = 1; else n = 2; if (n == 3) reach_error(); }";
    assert_eq!(word(unused, 0), "safe");
}
