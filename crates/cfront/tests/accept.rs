//! Small texts that are C and small texts that are not, each also shown to the compiler at hand.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may")]

mod common;

use cfront::types::DataModel;
use common::surroundings::{C_SETS, Needed, benchmark_sets, skipped};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// gcc takes these, some with warnings.
const ACCEPTED: &[&str] = &[
    "",
    ";",
    "int x;",
    "x = 3;",
    "int x, *y, z[3], f(int), (*g)(void);",
    "int x = 1; int x; extern int x;",
    "static int f(void); static int f(void) { return 1; } int g(void) { return f(); }",
    "struct s; struct s *p; struct s { int a; struct s *next; };",
    "struct { int a; union { int b; float c; }; } x; int f(void) { return x.b; }",
    "struct s { int a : 3, : 0, b : 5; unsigned : 4; } x = { 1, 2 };",
    "enum e { A, B = 5, C, }; int x[C]; _Static_assert(C == 6, \"c\");",
    "typedef int t; t x; int f(t t) { return t; }",
    "typedef struct s s; struct s { s *next; }; s x;",
    "typedef int t; void f(void) { t t = 1; t++; }",
    "typedef int t; void f(void) { { int t = 2; t * t; } t *p = 0; (void)p; }",
    "int f(a, b) int a; char b; { return a + b; }",
    "int f() { return 0; } int g(void) { return f(1, 2); }",
    "void f(void) { g(1); }",
    "f(x) { return x; }",
    "int a[] = { 1, 2, 3 }; _Static_assert(sizeof a == 12, \"\");",
    "int a[2][3] = { { 1 }, 4, 5, 6 };",
    "int a[10] = { [3] = 1, 2, [0] = 7 }; int b[] = { [5] = 1 };",
    "int a[10] = { [1 ... 4] = 3 };",
    "struct s { int x; int y[3]; } v = { .y[1] = 2, .x = 3, .y = { 1 } };",
    "struct p { int x, y; } a = { y: 1, x: 2 };",
    "struct p { int x, y; } v; void f(void) { struct { struct p p; } w = { .p = v, .p.x = 1 }; }",
    "char s[] = \"abc\"; char t[3] = \"abc\"; char *u = \"a\" \"b\"; char v[] = { \"x\" };",
    "int *p = (int[]){ 1, 2 }; struct s { int a; } *q = &(struct s){ 1 };",
    "int x; int *p = &x + 1; long d = (long)&x; char *c = (char *)&x - 2;",
    "struct s { char c; int m; }; long o = (long)&((struct s *)0)->m;",
    "#pragma pack(push, 1)\nstruct s { char c; int m; };\n#pragma pack(pop)\n\
     _Static_assert(sizeof(struct s) == 5, \"\");",
    "struct s { char c; int m; } __attribute__((packed)); _Static_assert(sizeof(struct s) == 5, \"\");",
    "int x __attribute__((aligned(16))), y __attribute__((unused)) = 1;",
    "__attribute__((noreturn)) void f(void); void g(void) { f(); }",
    "_Noreturn void f(void) { for (;;) ; }",
    "extern void f(const char *, ...) __attribute__((format(printf, 1, 2)));",
    "void f(void) { int i; for (i = 0; i < 3; i++) if (i) break; else continue; }",
    "void f(void) { for (int i = 0, j = 1; i < j; ++i) { int i = 3; (void)i; } }",
    "void f(int x) { switch (x) { case 1: case 2: x++; break; case 3 ... 5: default: ; } }",
    "void f(int x) { switch (x) { int y; case 1: y = 2; x = y; } }",
    "void f(void) { goto a; { a: ; } goto b; b: return; }",
    "void f(int n) { int a[n][n + 1]; (void)sizeof a; a[0][0] = 1; }",
    "void f(int n, int a[n][n]); void g(int n, int a[static 3], int b[const]) { (void)a; (void)b; }",
    "void f(int n, int a[*]);",
    "int f(int x) { return ({ int y = x; y + 1; }); }",
    "void f(void) { void *t[] = { &&a, &&b }; goto *t[0]; a: b: ; }",
    "int f(int x) { return x ?: 3; }",
    "int f(int x) { typeof(x) y = x; __typeof__(y + 1L) z = y; return z; }",
    "int x = sizeof(int) + _Alignof(double) + __alignof__(char);",
    "int f(double d) { return _Generic(d, int: 1, double: 2, default: 3); }",
    "int x = __builtin_types_compatible_p(int, int) + __builtin_choose_expr(1, 2, f());",
    "struct s { int a; int b[3]; }; int x = __builtin_offsetof(struct s, b[1]);",
    "void f(const char *x, ...) { __builtin_va_list a; __builtin_va_start(a, x); \
     int y = __builtin_va_arg(a, int); (void)y; __builtin_va_end(a); }",
    "int f(int x) { return __builtin_expect(x, 1) && __builtin_popcount(x); }",
    "void f(void) { __builtin_unreachable(); } void g(void) { __builtin_trap(); }",
    "int f(int a, int b) { int c; return __builtin_add_overflow(a, b, &c) ? 0 : c; }",
    "void f(void) { asm volatile (\"nop\" : : : \"memory\"); __asm__(\"nop\"); }",
    "asm(\"nop\"); int x asm(\"y\"); void f(void) __asm__(\"g\");",
    "_Bool b = 3; _Static_assert((_Bool)0.5 == 1, \"\");",
    "const char *f(void) { return __func__; } int n(void) { return sizeof __FUNCTION__; }",
    "int x = 'a' + L'b' + '\\n' + '\\x41' + '\\101' + 'ab';",
    "double d = 1.5e3 + .5f + 0x1p4 + 1.L; float g = 1;",
    "unsigned long long x = 0xffffffffffffffffULL + 0b101;",
    "__int128 x; unsigned __int128 y = 1;",
    "int *f(void); int g(void) { return *f() + f()[2] + 2[f()]; }",
    "int (*f(int x))(int) { return 0; } int (*(*g)(void))[3];",
    "void f(void (g)(int), int h(void), int a[]) { g(h() + a[0]); (*g)(1); (**g)(2); }",
    "int f(void); int (*p)(void) = f; int (*q)(void) = &f; int g(void) { return p() + (*q)(); }",
    "void f(char *p, int *q, long l) { p = q; l = q; q = l; }",
    "void f(int x) { void *p = &x; int *q = p; p++; (void)sizeof(void); (void)q; }",
    "int f(int x) { return x, x + 1; } int g(int x) { return (x++, x); }",
    "void f(int *restrict p, volatile int *q, const int *const *r) { *p = *q + **r; }",
    "extern int a[]; int f(void) { return a[3]; } int a[5];",
    "inline int f(int x) { return x; } static inline __attribute__((always_inline)) int g(void) { return 1; }",
    "_Thread_local int x; static __thread int y; extern _Thread_local int x;",
    "_Atomic int x; _Atomic(int) y; void f(void) { x++; y = x; }",
    "struct s { int n; int a[]; }; int f(struct s *p) { return p->a[p->n]; }",
    "struct s { int a[0]; }; struct e {}; union u { struct e e; };",
    "struct s { int x; } f(void); int g(void) { return f().x; }",
    "struct s { int x; } a, b; void f(int c) { a = b; a = c ? a : b; (a = b).x; }",
    "void f(void) { int x = 1; { extern int y; y = x; } static int z = 3; z++; }",
    "void f(void) { struct t { int a; } x = { 1 }; { struct t { char b; } y; y.b = x.a; } }",
    "void f(void) { enum { P, Q } e = Q; int P2 = P; (void)e; (void)P2; }",
    "void f(int x) { if (x) ; else if (x > 1) ; else { } do x--; while (x); while (x) x--; }",
    "int x = (1 ? 2 : 3) + !4 + ~5 + -6 + +7 + (8 && 9) + (1 || 0) * 0 ? 1 : 2;",
    "int a = 3 > 2 > 1, b = 1 << 3 >> 1, c = 7 & 3 | 4 ^ 1, d = 10 % 4 / 2;",
    "signed long int unsigned_; long long unsigned int x; short int y; int long static z;",
    "int const x = 1; int typedef t; t const volatile y;",
    "void f(int n) { int b[n]; a: goto a; { int c[n]; goto a; } goto d; d: ; }",
    "int f(int n) { a: return ({ if (n) goto a; switch (n) { case 1: ; } goto b; b: n; }); }",
    "typedef int *p; p restrict x; static _Thread_local int y; void f(void) { extern __thread int z; }",
    "void f(void) { label: __attribute__((unused)); goto label; }",
    "void f(void) { __label__ a; goto a; a: ; }",
    "void f(void) { __auto_type x = 1.5; x += 1; }",
    "__extension__ typedef long long t; __extension__ struct { int a; } x;",
    "int f(void) { return __extension__ 1; }",
    "int f(int), f(int x);  int f(int y) { return y; }",
    "void f(), g(void); void f(int x) { (void)x; }",
    "int main(int argc, char **argv, char **envp) { return argc && argv && envp; }",
    "unsigned f(unsigned x) { x <<= 2; x >>= 1; x |= 3; x &= 7; x ^= 1; x += 1; x -= 1; x *= 2; x /= 2; x %= 5; return x; }",
    "int x = sizeof \"abc\" + sizeof(char[3]) + sizeof x;",
    "int a[3]; int n = sizeof a / sizeof *a; int m = sizeof(a)[0];",
    "int f(int x) { return (int)x + (int)+x + (int)-1 + (int)(x); }",
    "union u { int i; float f; } x = { 1 }, y = { .f = 2.0f }; void f(union u z); void g(void) { f((union u)3); }",
    "int f(int x, int y) { return x < y == y > x; } int g(int *p, int *q) { return p < q && p - q; }",
    "void f(void) { int x; int *p = &x; p += 2; p -= 1; p++; --p; if (!p || p == 0 || p != (void *)0) ; }",
    "int a <:2:> = <% 1, 2 %>;",
    "int caf\u{e9}; int $x; int \\u00e4;",
    "# 1 \"x.c\"\nint x;\n# 7 \"y.h\" 1 3\nint y;\n#pragma once\n#ident \"z\"\nint z;",
    "void f(void) { _Static_assert(1, \"\"); for (int i = 0; i < 2; i++) { _Static_assert(2, \"a\"); } }",
    "struct s { _Static_assert(1, \"\"); int a; };",
    "typedef struct { int x; } t; void f(t *p) { p->x = (*p).x; (&p[0])->x++; }",
    "static const int c = 3; static int d = c; int e = (int)1.5 + (1.0 < 2.0);",
    "void f(void) { int a[3] = { 0 }, b[] = { 1, 2 }, (*c)[3] = &a; (*c)[1] = b[0]; }",
    "int (x), ((y)), *(z); int (f)(int (a)) { return a; }",
    "void f(int a, int); void g(int x) { f(x, x); }",
    "void f(int[3], char *[], int (*)(int), struct q { int a; } *);",
    "double _Complex z; float _Complex w;",
    "char c = 300; unsigned char u = -1; int big = 4294967296;",
    "void f(void) { return; } int g(void) { return; } void h(void) { return f(); }",
    "int x[2] = { 1, 2, 3 }; char s[2] = \"abc\"; int y = { 1 };",
    "int *p = 1; int f(int *r) { return r; }",
    "void f(void) { const int x = 1; int *p = &x; *p = 2; }",
    "struct a { int x; } *p; struct b { int x; } *q; void f(void) { p = q; }",
    "int f(void) { } void g(void) { int x = f(); x = x; }",
    "enum e; enum e *p; enum e { A };",
    "int f(void) { if (1) { int x = 2; return x; } else return 3; }",
    "void f(int n) { switch (n) default: n++; }",
    "void f(int n) { switch (n) { case 0: for (;;) { case 1: n++; if (n > 5) break; } } }",
];

/// gcc refuses these.
const REJECTED: &[&str] = &[
    "int",
    "int x",
    "int x = ;",
    "int 3;",
    "int x y;",
    "int x; int x[2];",
    "int x; float x;",
    "int x = 1; int x = 2;",
    "int f(void) { return 1; } int f(void) { return 2; }",
    "int f(int); int f(char *);",
    "static int x; int x; extern int y; static int y;",
    "int x; int f(void) { return x.a; }",
    "struct s { int a; }; int f(struct s x) { return x.b; }",
    "struct s { int a; }; int f(struct s *x) { return x.a; }",
    "struct s { int a; }; int f(struct s x) { return x->a; }",
    "struct s x;  int f(void) { return x.a; }",
    "struct s { struct s x; };",
    "struct s { int a; int a; };",
    "struct s { int a; }; struct s { int b; };",
    "struct s { int a; }; union s x;",
    "struct s { int a : 33; };",
    "struct s { int a : -1; };",
    "struct s { int a : 0; };",
    "struct s { float a : 3; };",
    "struct s { int a[]; int b; };",
    "struct s { int f(void); };",
    "struct s { void x; };",
    "enum e { A, A };",
    "enum e { A }; enum e { B };",
    "enum e { A = 1.5 };",
    "int x; enum e { A = x };",
    "typedef int t; typedef char t;",
    "typedef int t; int f(void) { t = 3; }",
    "typedef int t = 3;",
    "typedef int t; t t t;",
    "void f(void) { void x; }",
    "int a[-1];",
    "int a[1.5];",
    "int n; int a[n];",
    "int a[2](void);",
    "int f(void)[2];",
    "int f(void)(void);",
    "int a[][];",
    "void f(void) { int a[]; }",
    "int f(void, int);",
    "int f(int x, int x) { return x; }",
    "int f(int) { return 1; } int g( { }",
    "int f(int x) { int x; return x; }",
    "void f(void) { int x; int x; }",
    "void f(void) { x = 1; }",
    "void f(void) { return 1 }",
    "void f(void) { break; }",
    "void f(void) { continue; }",
    "void f(void) { case 1: ; }",
    "void f(void) { default: ; }",
    "void f(int x) { switch (x) { case 1: case 1: ; } }",
    "void f(int x) { switch (x) { default: default: ; } }",
    "void f(int x) { switch (x) { case x: ; } }",
    "void f(double x) { switch (x) { case 1: ; } }",
    "void f(void) { goto a; }",
    "void f(void) { a: ; a: ; }",
    "void f(void) { 1 = 2; }",
    "void f(int x) { x + 1 = 2; }",
    "void f(void) { const int x = 1; x = 2; }",
    "void f(const int *p) { *p = 1; }",
    "struct s { const int a; } x; void f(void) { x.a = 1; }",
    "struct s { const int a; } x, y; void f(void) { x = y; }",
    "void f(int x) { ++x++; }",
    "void f(void) { &1; }",
    "struct s { int a : 3; } x; int *f(void) { return &x.a; }",
    "void f(void) { register int x; &x; }",
    "void f(int x) { *x; }",
    "void f(int x) { x[1]; }",
    "void f(int x) { x(); }",
    "void f(int *p, int *q) { p + q; }",
    "void f(int *p) { p * 2; }",
    "void f(double d) { d % 2; }",
    "void f(double d) { ~d; d << 1; }",
    "struct s { int a; } x; void f(void) { x + 1; }",
    "struct s { int a; } x; void f(void) { if (x) ; }",
    "struct s { int a; } x; void f(void) { !x; }",
    "struct s { int a; } x; int y; void f(void) { y = x; }",
    "struct s { int a; } x; struct t { int a; } y; void f(void) { x = y; }",
    "struct s { int a; } x; int f(void) { return (int)x; }",
    "struct s { int a; }; void f(int x) { (struct s)x; }",
    "void f(void *p) { *p = 1; int x = *p; }",
    "void f(void); void g(void) { int x = f(); }",
    "void f(int); void g(void) { f(); }",
    "void f(int); void g(void) { f(1, 2); }",
    "struct s { int a; } x; void f(int); void g(void) { f(x); }",
    "int f(void) { return g; }",
    "int x = f();",
    "int x; int y = x;",
    "int a[2]; int b[2] = a;",
    "int a[2], b[2]; void f(void) { a = b; }",
    "int a[2] = 1;",
    "int a[2] = { [5] = 1 };",
    "struct s { int a; } x = { .b = 1 };",
    "struct s { int a; } x = 1;",
    "int x = { { };",
    "char *p = \"abc;",
    "char c = 'a;",
    "char c = '';",
    "int x = 08;",
    "int x = 0x;",
    "int x = 1.2.3;",
    "int x = 12abc;",
    "int x = 1 +;",
    "int x = (1;",
    "int x @ 3;",
    "/* int x;",
    "void f(void) { if (1) }",
    "void f(void) { else ; }",
    "void f(void) { for (;;; ) ; }",
    "void f(void) { while () ; }",
    "void f(void) { do ; while (1) }",
    "void f(void) {",
    "void f(void) } {",
    "long long long x;",
    "short long x;",
    "unsigned float x;",
    "int char x;",
    "static extern int x;",
    "auto int x;",
    "void f(static int x) { }",
    "static void f(void) { } void g(void) { static void h(void); }",
    "_Static_assert(0, \"no\");",
    "_Static_assert(sizeof(int) == 5, \"no\");",
    "int x; _Static_assert(x, \"no\");",
    "int f(int x) { return _Generic(x, double: 1); }",
    "int f(int x) { return _Generic(x, int: 1, int: 2); }",
    "struct s; int x = sizeof(struct s);",
    "struct s; struct s *p; void f(void) { p->a; }",
    "struct s; struct s *p; void f(void) { p + 1; }",
    "struct s; void f(struct s x) { }",
    "struct s; struct s f(void) { }",
    "int x = sizeof(int x);",
    "int f(a) { return a; } int g(a b) { return 0; }",
    "int f(a) int b; { return a; }",
    "int f(void) { return ({ 1; }) + ({ }); }",
    "void f(void) { int x = (void)0; }",
    "int f { return 1; }",
    "int f(int x { return 1; }",
    "int f[3] { 1 };",
    "unsigned unsigned x;",
    "int f(a) int a; char a; { return a; }",
    "int f(void); int g(void) { return f[0](); }",
    "void f(int n) { goto a; int b[n]; a: ; }",
    "void f(int n) { switch (n) { int b[n]; case 1: ; } }",
    "restrict int x;",
    "int restrict x;",
    "_Thread_local int f(void);",
    "void f(void) { _Thread_local int x; }",
    "int f(int x) { goto a; return ({ a: x; }); }",
    "int f(int x) { switch (x) { case 1: return ({ case 2: x; }); } return 0; }",
    "void f(int n) { goto a; int (*b)[n]; a: ; }",
    "restrict const int *x;",
    "typedef _Thread_local int t;",
    "typedef int v; v f(v), g(v x) { return x; }",
    "char q = \"a\";",
    "int x : 3;",
    "int; int x = 5 5;",
    "void f(void) { int a[2]; a.x; a->x; }",
    "void f(int x) { sizeof(struct { int a : 2; }).a; }",
    "struct s { int a : 2; } x; int y = sizeof x.a;",
    "_Alignas(3) int x;",
    "void f(void) { goto *1.5; }",
    "int f(int x) { return x ? : ; }",
    "void f(int *p, double *q, int c) { c ? *p : (struct s { int a; }){ 1 }; }",
    "typedef int t; void f(void) { t: int t; t x; }",
    "void f(void) { __label__ a; goto a; }",
    "extern int x = 1, x = 2;",
    "int a[2][] = { { 1 } };",
    "int x = __builtin_offsetof(struct { int a; }, b);",
    "int x = 1 ? 2;",
    "void f(void) { return (int){ 1, }.x; }",
];

/// gcc takes these; we say that we do not.
const UNSUPPORTED: &[&str] = &[
    "int f(int x) { int g(int y) { return y; } return 0; }",
    "_Decimal32 x;",
];

/// gcc takes these; we read them and say in the tree that we do not model them.
const UNMODELLED: &[&str] = &[
    "int f(int n) { struct { int a[n]; } x; return sizeof x; }",
    "typedef int v4 __attribute__((vector_size(16))); v4 x;",
    "struct s { struct { int b, a[2]; } t; } v; void f(void) { struct s w = { .t = v.t, .t.a = { 1 } }; }",
    "int x = sizeof 2i;",
    "__attribute__((constructor(101))) void f(void) { }",
    "void g(int *p); void f(void) { int x __attribute__((cleanup(g))) = 1; }",
];

/// gcc refuses these; we take them for what is meant.
const TOLERATED: &[&str] = &["_Alignas(16) typedef int t;"];

/// What the compiler says; `None`, with a message, if there is none.
fn compiler_accepts(text: &str) -> Option<bool> {
    let child = Command::new("cc")
        .args(["-std=gnu11", "-fsyntax-only", "-w", "-x", "cpp-output", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let no_compiler = |error| skipped(Needed::Cc, &format!("no cc: {error}"));
    let mut child = child.map_err(no_compiler).ok()?;
    child
        .stdin
        .take()
        .expect("the child should have an input")
        .write_all(text.as_bytes())
        .ok()?;
    Some(child.wait().ok()?.success())
}

fn check(texts: &[&str], accepted: bool) {
    let mut wrong = Vec::new();
    for text in texts {
        let (_, errors) = common::parse(text.as_bytes(), DataModel::Lp64);
        if errors.is_empty() != accepted {
            wrong.push(format!("we differ on: {text}\n  {}", errors.join("\n  ")));
        }
        if compiler_accepts(text).is_some_and(|theirs| theirs != accepted) {
            wrong.push(format!("the compiler differs on: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn accepts_what_the_compiler_accepts() {
    check(ACCEPTED, true);
}

#[test]
fn rejects_what_the_compiler_rejects() {
    check(REJECTED, false);
}

#[test]
fn differs_where_it_says_so() {
    for (texts, accepted) in [(UNSUPPORTED, false), (TOLERATED, true)] {
        for text in texts {
            let (_, errors) = common::parse(text.as_bytes(), DataModel::Lp64);
            assert_eq!(errors.is_empty(), accepted, "{text}: {errors:?}");
            assert_ne!(compiler_accepts(text), Some(accepted), "{text}");
        }
    }
}

#[test]
fn what_is_not_modelled_is_in_the_tree() {
    for text in UNMODELLED {
        let (ast, errors) = common::parse(text.as_bytes(), DataModel::Lp64);
        assert!(errors.is_empty(), "{text}: {errors:?}");
        let bodies = ast.functions.iter().filter_map(|row| row.body.as_ref());
        let within = bodies.filter(|body| body.unmodelled.is_some()).count();
        assert_eq!(within + ast.unmodelled.len(), 1, "{text}");
        assert_ne!(compiler_accepts(text), Some(false), "{text}");
    }
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files);
        } else if path
            .extension()
            .is_some_and(|ending| ending == "c" || ending == "i")
        {
            files.push(path);
        }
    }
}

#[test]
fn parses_the_benchmarks() {
    use cfront::preprocess::{Preprocess, load};
    let mut files = Vec::new();
    for folder in benchmark_sets(&C_SETS) {
        collect(&folder, &mut files);
    }
    let mut wrong = Vec::new();
    for path in &files {
        let options = Preprocess {
            model: DataModel::Ilp32,
            ..Preprocess::default()
        };
        let text = match load(path, &options) {
            Ok(text) => text,
            Err(message) => {
                skipped(Needed::M32, &message);
                continue;
            }
        };
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let (_, errors) = common::parse(&text, model);
            if !errors.is_empty() {
                wrong.push(format!("{}\n  {}", path.display(), errors.join("\n  ")));
                break;
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}\n{}",
        wrong.len(),
        files.len(),
        wrong.join("\n")
    );
}
