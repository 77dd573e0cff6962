//! What lowering makes of small C programs.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod common;

use common::{Lowered, lower_main, lower_with, try_lower};
use lower::Options;
use program::expr::Expr;
use program::ir::*;
use std::collections::BTreeSet;

#[test]
fn conditions_branch_without_temporaries() {
    let lowered = lower_main(
        "int main(void) { int a = 1, b = 2; if (a > 0 && (b < 3 || !a)) return 1; return 2; }",
    );
    let main = lowered.proc("main");
    let branches = main.locations.iter().filter(|row| row.out.len() == 2);
    assert_eq!(branches.count(), 3);
    assert!(!lowered.text().contains("$t.v"), "{}", lowered.text());
    assert!(!lowered.ops("main").contains(&&Op::Skip));
}

#[test]
fn pure_conditions_stay_expressions() {
    let lowered = lower_main(
        "int main(void) { unsigned a = 1, b = 2; int c = a > 0 && b < 3; return c ? 1 : 2; }",
    );
    let mut ops = lowered.ops("main").into_iter();
    assert!(ops.all(|op| !matches!(op, Op::Assume(_))));
}

#[test]
fn scalars_are_variables_unless_their_address_is_taken() {
    let lowered = lower_main(
        "int g, h; int main(void) { int a = 1, b = 2, c[2] = {3}; int *p = &b; *&a = *p;
         *&h = 4; p = &g; return a + c[0] + g; }",
    );
    let table = [
        ("a", true),
        ("b", false),
        ("c", false),
        ("p", true),
        ("g", false),
        ("h", true),
    ];
    for (name, var) in table {
        assert_eq!(lowered.is_var(name), var, "{name}");
        assert_eq!(lowered.is_object(name), !var, "{name}");
    }
}

#[test]
fn values_before_an_effect_are_saved_only_if_it_can_change_them() {
    let table = [
        ("int x = 1, y; y = x + f();", false),
        ("int x = 1, y; y = x + (g ? (x = 2) : 0);", true),
        ("int y; y = g + f();", true),
        ("int a[2] = {1, 2}, y; y = a[0] + f();", true),
        ("int a[2] = {1, 2}, y = 0; y = a[0] + (y > 1);", false),
    ];
    for (body, saved) in table {
        let text =
            format!("int g; int f(void) {{ return g++; }} int main(void) {{ {body} return y; }}");
        let lowered = lower_main(&text);
        let saves = lowered.ops("main").iter().any(|op| match op {
            Op::Assign(Place::Var(var), value) => {
                let temp = lowered.program.vars[*var].name.starts_with('$');
                temp && matches!(value, Expr::Var(_) | Expr::Load(..))
            }
            _ => false,
        });
        assert_eq!(saves, saved, "{body}");
    }
}

#[test]
fn results_and_inputs_go_straight_to_their_variable() {
    let lowered = lower_main(
        "int __VERIFIER_nondet_int(void); int f(void) { return 1; }
         int main(void) { int a = __VERIFIER_nondet_int(); int b = f(); a = f(); return a + b; }",
    );
    assert_eq!(lowered.proc("main").edges.len(), 4, "{}", lowered.text());
    let havoc = lowered.ops("main").into_iter().find_map(|op| match op {
        Op::Havoc(Place::Var(var), site) => Some((*var, *site)),
        _ => None,
    });
    let (var, site) = havoc.unwrap();
    assert_eq!(&*lowered.program.vars[var].name, "a");
    assert_eq!(lowered.program.sites[site].kind, SiteKind::Nondet);
}

#[test]
fn inputs_have_their_declared_type() {
    let lowered = lower_main(
        "unsigned char __VERIFIER_nondet_uchar(void); int __VERIFIER_nondet_bool(void);
         char *__VERIFIER_nondet_pchar(void); long nondet_long();
         int main(void) { return __VERIFIER_nondet_uchar() + __VERIFIER_nondet_bool()
             + nondet_long() + (__VERIFIER_nondet_pchar() == 0); }",
    );
    let sites = lowered.program.sites.iter();
    let tys: Vec<String> = sites
        .map(|site| format!("{:?} {}", site.kind, site.ty))
        .collect();
    assert_eq!(
        tys,
        ["Nondet u8", "Nondet bool", "Nondet i64", "Nondet ptr"]
    );
    assert!(lowered.program.assumptions.is_empty());
}

#[test]
fn failures_say_what_failed_and_where() {
    let text = "void reach_error(void) { }
void __assert_fail(const char *, const char *, unsigned, const char *);
void __CPROVER_assert(int, const char *);
int main(void) {
    int x = 3;
    if (x == 4)
        reach_error();
    x > 0 ? (void)0 : __assert_fail(\"x > 0\", \"t.c\", 8, \"main\");
    __CPROVER_assert(x < 9, \"small\");
    return 0;
}";
    let all = [
        (7, "reach_error() is called"),
        (8, "assertion failed: x > 0"),
        (9, "assertion failed: small"),
    ];
    let expect = |rows: &[(u32, &str)]| -> Vec<(u32, String)> {
        rows.iter()
            .map(|&(line, text)| (line, text.to_owned()))
            .collect()
    };
    assert_eq!(lower_main(text).errors(), expect(&all));
    let options = Options {
        assert_is_error: false,
        ..Options::default()
    };
    let lowered = lower_with(text, &options);
    assert_eq!(lowered.errors(), expect(&[all[0], all[2]]));
    assert!(lowered.ops("main").contains(&&Op::Halt(Halt::Abort)));
}

#[test]
fn assumptions_end_the_run() {
    let lowered = lower_main(
        "void __VERIFIER_assume(int);
         int main(void) { int x = 1; __VERIFIER_assume(x > 0); return x; }",
    );
    assert!(lowered.errors().is_empty());
    assert!(lowered.ops("main").contains(&&Op::Halt(Halt::Abort)));
}

#[test]
fn asked_properties_become_error_locations() {
    let text = "void free(void *); int main(int argc, char **argv) { int *p = argv ? &argc : 0;
        int a = argc + 1; a = a / argc; a = a << argc; a = -a; a = *p; p[1] = a; free(p);
        return a; }";
    let table = [
        // The sum, the quotient, the shift and the negation.
        (Property::Overflow, 4),
        (Property::DivisionByZero, 1),
        (Property::Shift, 1),
        (Property::Dereference, 2),
        (Property::Free, 1),
    ];
    for (property, count) in table {
        let options = Options {
            properties: BTreeSet::from([property]),
            ..Options::default()
        };
        let lowered = lower_with(text, &options);
        assert_eq!(
            lowered.errors().len(),
            count,
            "{property:?}\n{}",
            lowered.text()
        );
    }
    assert!(lower_main(text).errors().is_empty());
}

#[test]
fn functions_without_a_body_are_named() {
    let lowered = lower_main(
        "int foo(int); void bar(void); int baz; extern int qux; int (*p)(int) = foo;
         int main(void) { bar(); return foo(1) + p(2) + qux; }",
    );
    assert_eq!(
        lowered.program.assumptions,
        [
            "`bar` has no body: it changes nothing",
            "`foo` has no body: it returns any value and changes nothing",
            "`qux` is defined elsewhere: it starts with any value",
        ]
    );
    assert!(!lowered.is_var("baz"), "nothing refers to it");
}

#[test]
fn a_missing_entry_is_a_diagnostic() {
    let error = |entry: &str, text: &str| {
        let options = Options {
            entry: entry.into(),
            ..Options::default()
        };
        try_lower(text, &options).err().unwrap()
    };
    let message = error(
        "main",
        "int f(void) { return 1; } int g(int x) { return x; }",
    );
    assert!(message.contains("no function `main`"), "{message}");
    assert!(message.contains("`f`, `g`"), "{message}");
    let message = error("h", "int h(void); int f(void) { return h(); }");
    assert!(message.contains("`h` has no body"), "{message}");
}

#[test]
fn any_function_can_be_the_entry() {
    let options = Options {
        entry: "f".into(),
        ..Options::default()
    };
    let lowered = lower_with(
        "struct P { int x; char y; };
         int f(int a, struct P *p, double d) { return a + p->x + (d > 0); }",
        &options,
    );
    let sites = lowered.program.sites.iter();
    let sites: Vec<String> = sites
        .map(|site| format!("{:?} {} {}", site.kind, site.name, site.ty))
        .collect();
    let expected = [
        "Argument a i32",
        "Argument p i32",
        "Argument p i8",
        "Argument d f64",
    ];
    assert_eq!(sites, expected);
    assert_eq!(
        lowered.program.assumptions,
        ["`p` of `f` points to one object of any value"]
    );
}

#[test]
fn what_we_do_not_model_is_said() {
    let table = [
        ("asm(\"hlt\");", "inline assembly"),
        ("long double x; x = x + 1;", "arithmetic on `long double`"),
        (
            "int pthread_create(); pthread_create();",
            "`pthread_create`: threads",
        ),
        (
            "int scanf(const char *, ...); char x[9]; scanf(\"%s\", x);",
            "`scanf` with this format",
        ),
        (
            "char *ctime(const long *); ctime(0);",
            "`ctime`: the time of day",
        ),
        ("double sin(double); sin(1.0);", "`sin`"),
        ("__CPROVER_havoc_slice(0, 1);", "`__CPROVER_havoc_slice`"),
        (
            "struct { int a, b; } s; __CPROVER_havoc_object(&s.b);",
            "`__CPROVER_havoc_object` with these arguments",
        ),
    ];
    for (body, what) in table {
        let lowered = lower_main(&format!("int main(void) {{ {body} return 0; }}"));
        let found = lowered.ops("main").into_iter().find_map(|op| match op {
            Op::Unsupported(why) => Some(why.to_string()),
            _ => None,
        });
        let said = found.as_ref().is_some_and(|why| why.contains(what));
        assert!(said, "{body}: {found:?}");
    }
}

#[test]
fn a_function_without_a_body_may_change_what_it_reaches() {
    let table: &[(&str, &[&str])] = &[
        ("void f(int *); int x; f(&x);", &["Outside f i32"]),
        (
            "void f(int *); int x[2]; f(x);",
            &["Outside f i32", "Outside f i32"],
        ),
        ("void f(const int *); int x; f(&x);", &[]),
        ("void f(int *); f(0);", &[]),
        ("void f(char *); f(\"text\");", &[]),
        (
            "void f(int *, int *p); int x, *p = &x; f(0, p);",
            &["Choice f u8"],
        ),
        ("void f(int **); int *p; f(&p);", &["Choice f u8"]),
        (
            "void f(void (*)(void)); void g(void); f(g);",
            &["Choice f u8"],
        ),
        ("char *f(char *); f(\"text\") == 0;", &["Choice f u8"]),
        ("void read(int); read(1);", &[]),
        ("int *f(void); f() == 0;", &["External f ptr"]),
    ];
    for (body, expected) in table {
        let lowered = lower_main(&format!("int main(void) {{ {body} return 0; }}"));
        let sites = lowered.program.sites.iter();
        let sites: Vec<String> = sites
            .filter(|site| !matches!(site.kind, SiteKind::Uninitialized | SiteKind::Contents))
            .map(|site| format!("{:?} {} {}", site.kind, site.name, site.ty))
            .collect();
        assert_eq!(sites, *expected, "{body}");
    }
}

#[test]
fn objects_live_from_brace_to_brace() {
    let lowered = lower_main(
        "int main(void) { int s = 0; for (int i = 0; i < 3; i++) { int v = i; int *p = &v;
         if (i == 1) continue; if (i == 2) break; s += *p; } return s; }",
    );
    let ops = lowered.ops("main");
    let count = |test: fn(&Op) -> bool| ops.iter().filter(|op| test(op)).count();
    assert_eq!(count(|op| matches!(op, Op::Enter(_))), 1);
    // At the end of the body, at `continue` and at `break`.
    assert_eq!(count(|op| matches!(op, Op::Leave(_))), 3);
}

#[test]
fn same_text_same_program() {
    let text = "int f(int x) { return x ? f(x - 1) : 0; } int main(void) { return f(3); }";
    assert_eq!(lower_main(text).program, lower_main(text).program);
}

#[test]
fn every_loop_has_a_head_that_names_it() {
    let lowered = lower_main(
        "int main(void) { int x = 9; for (;;) while (1) { do { while (x > 5) x--; x++; }
         while (x < 3); if (x == 4) return x; } }",
    );
    let main = lowered.proc("main");
    let mut heads: Vec<String> = main
        .locations
        .iter()
        .map(|row| String::from_utf8_lossy(lowered.map.snippet(row.span)).into_owned())
        .filter_map(|text| text.split([' ', '(']).next().map(str::to_owned))
        .filter(|word| ["for", "while", "do"].contains(&word.as_str()))
        .collect();
    heads.sort();
    assert_eq!(heads, ["do", "for", "while", "while"], "{}", lowered.text());
}

/// A program whose accesses cannot all be checked must not look as if none could fail.
#[test]
fn library_calls_that_cannot_be_checked_say_so() {
    let options = Options {
        properties: BTreeSet::from([Property::Dereference]),
        ..Options::default()
    };
    let table = [
        ("strcpy(b, \"hello\")", false),
        ("strlen(b)", false),
        ("puts(b)", false),
        ("printf(\"%d %-5ld%c\\n\", 1, 2L, 3)", false),
        ("printf(\"%d %5s\\n\", 1, b)", false),
        ("printf(\"%d %.5s\\n\", 1, b)", true),
        ("printf(\"%hhn\", b)", true),
        ("printf(b)", true),
        ("memset(b, 0, 3)", false),
    ];
    for (call, expected) in table {
        let text = format!(
            "char *strcpy(char *, const char *); unsigned long strlen(const char *);
             int puts(const char *); int printf(const char *, ...); void *memset(void *, int, unsigned long);
             int main(void) {{ char b[2] = {{0}}; {call}; return 0; }}"
        );
        let lowered = lower_with(&text, &options);
        let mut ops = lowered.ops("main").into_iter();
        let unsupported = ops.any(|op| matches!(op, Op::Unsupported(_)));
        assert_eq!(unsupported, expected, "{call}");
    }
}

#[test]
fn handlers_are_kept_only_where_some_are_registered() {
    let table = [
        ("f();", 0),
        ("atexit(f);", 1),
        ("if (atexit(f)) atexit(f); for (;;) atexit(f);", 34),
    ];
    for (body, count) in table {
        let lowered = lower_main(&format!(
            "int atexit(void (*)(void)); static void f(void) {{}} int main(void) {{ {body} return 0; }}"
        ));
        let slots = (lowered.program.vars.iter()).filter(|var| var.name.starts_with("$handler"));
        assert_eq!(slots.count(), count, "{body}");
        let runs_handlers = lowered.text().contains("call $at_exit()");
        assert_eq!(runs_handlers, count > 0, "{body}");
    }
}

const DEVICES: &str = "struct port { unsigned data; volatile unsigned status; unsigned low: 3; };
    int main(void) {
      ((struct port *)0x40001000)->data = 5;
      unsigned x = ((struct port *)0x40001000)->status;
      x += *(volatile unsigned char *)0x40001fff;
      ((struct port *)0x40001000)->status |= 1;
      ((struct port *)0x40001000)->low++;
      return x;
    }";

#[test]
fn devices_are_inputs_where_they_are_listed() {
    let text = DEVICES;
    let accesses = |lowered: &Lowered| {
        let ops = lowered.ops("main").into_iter();
        let is_access = |op: &&Op| {
            matches!(op, Op::Assign(Place::Mem(..), _))
                || op.exprs().iter().any(|expr| expr.reads_memory())
        };
        ops.filter(is_access).count()
    };
    let options = |device: Option<std::ops::Range<u64>>| Options {
        devices: device.into_iter().collect(),
        properties: BTreeSet::from([Property::Dereference]),
        ..Options::default()
    };
    let lowered = lower_with(text, &options(Some(0x4000_0000..0x4001_0000)));
    assert_eq!(accesses(&lowered), 0, "{}", lowered.text());
    assert!(lowered.errors().is_empty(), "{:?}", lowered.errors());
    let names: Vec<&str> = lowered.program.sites.iter().map(|row| &*row.name).collect();
    // Each read is an input of its own, in order; of bits the bytes around them.
    let expected = ["0x40001004", "0x40001fff", "0x40001004", "0x40001008"];
    assert_eq!(names, expected, "{}", lowered.text());
    // The last byte is behind the device.
    let short = lower_with(text, &options(Some(0x4000_1000..0x4000_1fff)));
    let lines: Vec<u32> = short.errors().into_iter().map(|row| row.0).collect();
    assert_eq!(lines, [5], "{}", short.text());
    let none = lower_with(text, &options(None));
    assert!(none.errors().len() >= 5, "{:?}", none.errors());
}
