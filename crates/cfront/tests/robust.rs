//! Whatever text comes, there is an answer: no panic, no overflow of the stack, no endless loop.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may")]

mod common;

use base::{Diagnostics, SourceMap};
use cfront::token::Interner;
use cfront::types::DataModel;
use common::Random;
use std::time::{Duration, Instant};

/// Texts to start from: together they use most of the grammar.
const SEEDS: &[&str] = &[
    r#"
# 1 "seed.c"
typedef unsigned long size;
struct list { struct list *next; int value : 7, : 0; union { int i; float f; } u; };
enum colour { RED, GREEN = 5, BLUE };
static struct list pool[4] = { [1] = { .value = 3, .u.f = 1.5f }, { 0 } };
extern void *allocate(size bytes, ...) __attribute__((malloc));
static int sum(const struct list *list) {
  int total = 0;
  for (const struct list *at = list; at; at = at->next) total += at->value;
  return total;
}
int main(int argc, char **argv) {
  int a[argc + 1], *p = a, (*q)[3] = 0;
  switch (argc) { case 1: case 3 ... 5: p++; break; default: goto out; }
  while (argc-- > 0 && argv[argc]) { if (argc == 2) continue; else break; }
  do { *p = sum(pool) ? sizeof a : (int)1.5e3; } while (p != a);
out:
  return ({ int x = a[0]; x ?: BLUE; }) + sizeof(*q) - 'a' + "text"[1];
}
"#,
    r#"
typedef int (*callback)(int, double);
int apply(callback f, int x) { return f ? f(x, 2.) : (*f)(x, 0x1p3); }
int old(a, b) int a; char *b; { return a + *b; }
union u { char c[8]; long long l; struct { unsigned lo, hi; }; } g = { .l = 0x7fffffffffffffffLL };
_Static_assert(sizeof(union u) == 8, "size");
void vararg(const char *format, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, format);
  long x = __builtin_va_arg(list, long);
  __builtin_va_end(list);
  x <<= 3; x |= ~x & 5 ^ 1; x = x > 3 ? -x : +x;
}
int generic(float f) { return _Generic(f, int: 1, float: 2, default: 3) + _Alignof(double); }
struct point { int x, y; } origin = { 1, 2 }, *at = &(struct point){ 3, 4 };
void jump(int n) {
  void *targets[] = { &&one, &&two };
  goto *targets[n % 2];
one: two: ;
  __typeof__(n) m = n;
  for (int i = 0, j = m; i < j; i++, j--) { struct point p = origin; p.x = i, p.y = j; }
}
"#,
    r#"
#pragma pack(push, 1)
struct packed { char c; int i : 3; long l; } __attribute__((aligned(4)));
#pragma pack(pop)
extern int printf(const char *, ...);
static inline unsigned hash(const unsigned char *s) { unsigned h = 5381; while (*s) h = h * 33u ^ *s++; return h; }
int matrix[2][3] = { { 1, 2 }, 4, [1][2] = 7 };
wchar(void) { return L'x' + sizeof L"wide" "joined" + u'\u00e9' + '\x41' + '\101'; }
_Bool flag = 3; _Atomic int counter; __thread long tls; double d = .5e-3, e = 1 / 3.0;
void f(int n, int a[n][n], int b[static 2]) { if (n) { a[0][1] = b[1]; { extern int k; k++; } } asm volatile("" : : : "memory"); }
int choose(void) { return __builtin_choose_expr(1, 2, d) + __builtin_offsetof(struct packed, l) + __builtin_expect(counter, 0); }
"#,
];

/// What one text may take, generously: the tests run in parallel on slow machines.
const LIMIT: Duration = Duration::from_secs(10);

/// Parses and prints; returns how many errors there were.
fn survive(what: &str, text: &[u8]) -> usize {
    let start = Instant::now();
    let errors = common::on_big_stack(|| {
        let (ast, errors) = common::parse(text, DataModel::Lp64);
        if errors.is_empty() {
            cfront::print::print(&ast);
        }
        errors.len()
    });
    let took = start.elapsed();
    assert!(took < LIMIT, "{what} took {took:?}");
    errors
}

/// The spellings of the tokens of a text.
fn words(text: &str) -> Vec<String> {
    let mut map = SourceMap::new();
    let file = map.add("seed.i", text.into()).unwrap();
    let mut diagnostics = Diagnostics::new();
    let tokens = cfront::lex::lex(&mut map, file, &mut Interner::new(), &mut diagnostics);
    assert!(!diagnostics.has_errors());
    tokens
        .iter()
        .map(|token| {
            let word = String::from_utf8_lossy(map.snippet(token.span)).into_owned();
            if word.starts_with('#') {
                format!("\n{word}\n")
            } else {
                word
            }
        })
        .collect()
}

fn mutate_words(random: &mut Random, all: &[Vec<String>]) -> Vec<u8> {
    let pick = |random: &mut Random, len: usize| random.below(len as u64) as usize;
    let mut words = all[pick(random, all.len())].clone();
    for _ in 0..1 + random.below(4) {
        let at = pick(random, words.len());
        let span = 1 + pick(random, 6).min(words.len() - at - 1);
        match random.below(5) {
            0 => drop(words.drain(at..at + span)),
            1 => {
                let copy = words[at..at + span].to_vec();
                let to = pick(random, words.len());
                words.splice(to..to, copy);
            }
            2 => {
                let other = pick(random, words.len());
                words.swap(at, other);
            }
            3 => {
                let donor = &all[pick(random, all.len())];
                let from = pick(random, donor.len());
                let end = (from + 1 + pick(random, 12)).min(donor.len());
                words.splice(at..at + span, donor[from..end].to_vec());
            }
            _ => words.truncate(at.max(1)),
        }
        if words.is_empty() {
            words.push("int".to_string());
        }
    }
    words.join(" ").into_bytes()
}

fn mutate_bytes(random: &mut Random) -> Vec<u8> {
    let seed = SEEDS[random.below(SEEDS.len() as u64) as usize];
    let mut bytes = seed.as_bytes().to_vec();
    for _ in 0..1 + random.below(5) {
        let at = random.below(bytes.len() as u64) as usize;
        match random.below(4) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => drop(bytes.remove(at)),
            _ => bytes.insert(at, b"(){}[]*&;,#\"'\\/0.="[random.below(18) as usize]),
        }
    }
    bytes
}

#[test]
fn seeds_are_fine() {
    for seed in SEEDS {
        let (_, errors) = common::parse(seed.as_bytes(), DataModel::Lp64);
        assert!(errors.is_empty(), "{errors:?}");
    }
}

#[test]
fn survives_mutation() {
    let rounds: u64 = std::env::var("CAIRN_ROUNDS").map_or(3000, |n| n.parse().unwrap());
    let first: u64 = std::env::var("CAIRN_SEED").map_or(0, |n| n.parse().unwrap());
    let all: Vec<Vec<String>> = SEEDS.iter().map(|seed| words(seed)).collect();
    common::on_big_stack(|| {
        for round in first..first + rounds {
            let mut random = Random(round);
            let text = if random.chance(70) {
                mutate_words(&mut random, &all)
            } else {
                mutate_bytes(&mut random)
            };
            let model = if random.chance(50) {
                DataModel::Lp64
            } else {
                DataModel::Ilp32
            };
            let start = Instant::now();
            let result = std::panic::catch_unwind(|| {
                let (ast, errors) = common::parse(&text, model);
                if errors.is_empty() {
                    cfront::print::print(&ast);
                }
            });
            let shown = String::from_utf8_lossy(&text);
            assert!(result.is_ok(), "round {round} panics:\n{shown}");
            assert!(start.elapsed() < LIMIT, "round {round} is slow:\n{shown}");
        }
    });
}

/// `before`, then `open` many times, `middle`, `close` as many times, `after`.
fn nest(n: usize, [before, open, middle, close, after]: [&str; 5]) -> Vec<u8> {
    let (open, close) = (open.repeat(n), close.repeat(n));
    [before, &open, middle, &close, after].concat().into_bytes()
}

#[test]
fn survives_depth() {
    for (what, parts) in [
        ("parentheses", ["int x = ", "(", "1", ")", ";"]),
        ("open parentheses", ["int x = ", "(", "", "", ""]),
        ("braces", ["void f(void) ", "{", "", "}", ""]),
        ("open braces", ["void f(void) ", "{", "", "", ""]),
        ("initialisers", ["int x = ", "{", "1", "}", ";"]),
        ("open initialisers", ["int x[] = ", "{", "", "", ""]),
        ("pointers", ["int ", "*", "x", "", ";"]),
        (
            "pointers in use",
            ["int ", "*", "x; void f(void) { x = 1; x = x + 1; }", "", ""],
        ),
        (
            "pointer casts",
            ["void f(void) { (int ", "*", ")1; }", "", ""],
        ),
        ("declarators", ["int ", "(", "x", ")", ";"]),
        ("arrays", ["int x", "[1]", "", "", ";"]),
        (
            "array types",
            ["int f(void) { return sizeof(int", "[1]", "); }", "", ""],
        ),
        (
            "subscripts",
            ["int *x; void f(void) { x", "[0]", "; }", "", ""],
        ),
        ("function types", ["int ", "(*", "x", ")(void)", ";"]),
        ("parameters", ["int f", "(int (*)", "(int)", ")", ";"]),
        (
            "calls",
            ["int f(int); int x(void) { return ", "f(", "1", ")", "; }"],
        ),
        (
            "calls of calls",
            ["int (*f)(); int x(void) { return f", "()", "; }", "", ""],
        ),
        ("ifs", ["void f(int x) { ", "if (x) ", ";", "", "}"]),
        (
            "else ifs",
            ["void f(int x) { ", "if (x) ; else ", ";", "", "}"],
        ),
        ("whiles", ["void f(int x) { ", "while (x) ", ";", "", "}"]),
        ("dos", ["void f(int x) { ", "do ", ";", " while (x);", "}"]),
        ("fors", ["void f(int x) { ", "for (;;) ", ";", "", "}"]),
        (
            "switches",
            ["void f(int x) { ", "switch (x) ", ";", "", "}"],
        ),
        (
            "labels",
            ["void f(int x) { switch (x) { ", "default: ", ";", "", "} }"],
        ),
        (
            "cases",
            ["void f(int x) { switch (x) { ", "case 1: ", ";", "", "} }"],
        ),
        ("unary", ["int x = ", "- ", "1", "", ";"]),
        ("nots", ["int x = ", "!", "1", "", ";"]),
        ("stars", ["void f(int *p) { ", "*", "p;", "", "}"]),
        ("address", ["int y; void f(void) { ", "& ", "y;", "", "}"]),
        ("label addresses", ["void f(void) { ", "&&", "y;", "", "}"]),
        ("increments", ["void f(int x) { ", "++", "x;", "", "}"]),
        ("sizeofs", ["int x = ", "sizeof ", "1", "", ";"]),
        ("casts", ["int x = ", "(int)", "1", "", ";"]),
        ("sums", ["int x = 1", "+1", "", "", ";"]),
        ("ands", ["int f(int x) { return x", "&&x", "", "", "; }"]),
        ("commas", ["void f(int x) { x", ",x", "", "", "; }"]),
        ("assignments", ["void f(int x) { ", "x=", "x", "", "; }"]),
        ("conditionals", ["int x = ", "1?2:", "3", "", ";"]),
        ("inner conditionals", ["int x = ", "1?", "2", ":3", ";"]),
        (
            "members",
            [
                "struct s { struct s *p; } *p; void f(void) { p",
                "->p",
                "; }",
                "",
                "",
            ],
        ),
        ("structs", ["", "struct { ", "int x;", "} x;", ""]),
        ("open structs", ["", "struct { ", "", "", ""]),
        (
            "statement expressions",
            ["int f(void) { return ", "({", "1;", "})", "; }"],
        ),
        (
            "compound literals",
            ["int f(void) { return ", "(int){", "1", "}", "; }"],
        ),
        (
            "generics",
            ["int x = ", "_Generic(1, default: ", "1", ")", ";"],
        ),
        ("typeofs", ["", "typeof(", "int", ")", " x;"]),
        ("attributes", ["int x ", "__attribute__((", "", "))", ";"]),
        ("designators", ["int x[] = { ", "[0]", "=1", "", "};"]),
        (
            "field designators",
            ["struct { int a; } x = { ", ".a", "=1", "", "};"],
        ),
        ("extensions", ["int x = ", "__extension__ ", "1", "", ";"]),
        ("qualifiers", ["int ", "const ", "x", "", ";"]),
        ("longs", ["", "long ", "x", "", ";"]),
        ("signs", ["", "unsigned ", "x", "", ";"]),
        ("storage classes", ["", "static ", "int x", "", ";"]),
        ("inlines", ["", "inline ", "int x(void)", "", ";"]),
        (
            "structs in parameters",
            ["void f(", "struct { int x", "; } y", ")", ";"],
        ),
        (
            "old parameters",
            ["int f(a) ", "int a;", "{ return a; }", "", ""],
        ),
        ("asm", ["void f(void) { ", "asm(\"\");", "}", "", ""]),
        (
            "asm colons",
            ["void f(void) { asm(\"\"", ":", ");", "", "}"],
        ),
        (
            "static assertions",
            ["", "_Static_assert(1, \"\");", "", "", ""],
        ),
        ("ranges", ["int x[] = { ", "[1 ... 2] = 1,", "};", "", ""]),
        (
            "offsets",
            [
                "struct s { int a[2]; }; int x = __builtin_offsetof(struct s, a",
                "[1]",
                ");",
                "",
                "",
            ],
        ),
        (
            "choices",
            ["int x = ", "__builtin_choose_expr(1, ", "2", ", 3)", ";"],
        ),
        ("nested functions", ["", "void f(void) { ", "", "}", ""]),
        ("atomics", ["", "_Atomic(", "int", ")", " x;"]),
        ("strings", ["char *x = ", "\"a\" ", "", "", ";"]),
        ("closing braces", ["", "}", "", "", ""]),
        ("semicolons", ["", ";", "", "", ""]),
        ("stray bytes", ["", "@", "", "", ""]),
        ("line markers", ["", "# 1 \"a\"\n", "int x;", "", ""]),
        ("pragmas", ["", "#pragma pack(push, 1)\n", "int x;", "", ""]),
        ("open comments", ["", "/*", "", "", ""]),
        ("splices", ["int x", "\\\n", ";", "", ""]),
        ("declarations", ["", "int x;", "", "", ""]),
        ("functions", ["", "int f();", "", "", ""]),
        ("bad declarations", ["", "int 1;", "", "", ""]),
        ("bad statements", ["void f(void) { ", "1 +; ", "}", "", ""]),
    ] {
        for n in [2_000, 100_000] {
            survive(&format!("{n} {what}"), &nest(n, parts));
        }
    }
}

#[test]
fn survives_a_million_brackets() {
    for bracket in [
        "(", "{", "[", "*", "-", "if(1)", "struct{", "({", "(int)", "do ",
    ] {
        let body = format!("void f(void) {{ int x = {}", bracket.repeat(1_000_000));
        survive(&format!("a million {bracket}"), body.as_bytes());
        let body = format!("void f(void) {{ {}", bracket.repeat(1_000_000));
        survive(&format!("a million {bracket}"), body.as_bytes());
        survive(
            &format!("a million {bracket}"),
            bracket.repeat(1_000_000).as_bytes(),
        );
    }
}

#[test]
fn survives_size() {
    let nines = "9".repeat(1_000_000);
    for (what, text, fine) in [
        ("a huge integer", format!("int x = {nines};"), false),
        ("a huge hexadecimal", format!("int x = 0x{nines};"), false),
        (
            "a long zero",
            format!("int x = {};", "0".repeat(1_000_000)),
            true,
        ),
        ("a huge float", format!("double x = {nines}.0;"), true),
        ("a huge exponent", format!("double x = 1e{nines};"), true),
        (
            "a huge hexadecimal float",
            format!("double x = 0x{nines}.{nines}p{nines};"),
            true,
        ),
        ("a huge name", format!("int x{nines};"), true),
        ("a huge string", format!("char x[] = \"{nines}\";"), true),
        ("a huge character", format!("int x = '{nines}';"), true),
        ("a huge escape", format!("char x[] = \"\\x{nines}\";"), true),
        (
            "a huge array",
            "char x[0x7fffffffffffffff];".to_string(),
            true,
        ),
        (
            "too huge an array",
            "int x[0x7fffffffffffffff];".to_string(),
            false,
        ),
        (
            "too many dimensions",
            "char x[0x7fffffff][0x7fffffff][0x7fffffff];".to_string(),
            false,
        ),
        (
            "a huge array with values",
            "int x[0x1000000000000000] = { [0xfffffffffffffff] = 1, 2 };".to_string(),
            true,
        ),
        (
            "a range of more values than we keep",
            "int x[] = { [0 ... 99999999] = 1 };".to_string(),
            true,
        ),
        (
            "a struct too large",
            "struct { char a[0x7fffffffffffffff]; char b[0x7fffffffffffffff]; } x;".to_string(),
            false,
        ),
        (
            "a wide bit-field",
            "struct { int x : 99999999999999999; } x;".to_string(),
            false,
        ),
        (
            "a big case range",
            "void f(int x) { switch (x) { case 0 ... 0x7ffffffe: ; } }".to_string(),
            true,
        ),
        (
            "a big alignment",
            "int x __attribute__((aligned(0x80000000)));".to_string(),
            false,
        ),
        (
            "many cases",
            format!("void f(int x) {{ switch (x) {{ {} }} }}", cases(50_000)),
            true,
        ),
        (
            "many enumerators",
            format!("enum {{ {} }};", numbered(100_000, "E", ",")),
            true,
        ),
        (
            "many members",
            format!("struct {{ {} }} x;", numbered(50_000, "int m", ";")),
            true,
        ),
        (
            "many locals",
            format!("void f(void) {{ {} }}", numbered(50_000, "int v", ";")),
            true,
        ),
        (
            "many parameters",
            format!("void f({} int z);", numbered(50_000, "int p", ",")),
            true,
        ),
        (
            "many labels",
            format!("void f(void) {{ {} }}", numbered(50_000, "l", ":;")),
            true,
        ),
        (
            "many values",
            format!("int x[] = {{ {} }};", "1,".repeat(300_000)),
            true,
        ),
        (
            "many arguments",
            format!("void f(); void g(void) {{ f({}1); }}", "1,".repeat(50_000)),
            true,
        ),
        ("a doubling type", doubling(), false),
    ] {
        let errors = survive(what, text.as_bytes());
        assert_eq!(errors == 0, fine, "{what}: {errors} errors");
    }
}

fn numbered(n: usize, before: &str, after: &str) -> String {
    (0..n).map(|i| format!("{before}{i}{after} ")).collect()
}

fn cases(n: usize) -> String {
    (0..n).map(|i| format!("case {i}: x++; ")).collect()
}

/// A type whose size doubles until no object can have it.
fn doubling() -> String {
    let mut text = String::from("struct s0 { int x; };");
    for i in 0..70 {
        text += &format!("struct s{} {{ struct s{i} a, b; }};", i + 1);
    }
    text
}

#[test]
fn survives_unterminated() {
    for seed in SEEDS {
        for end in (0..seed.len()).step_by(7) {
            survive("a cut seed", &seed.as_bytes()[..end]);
        }
    }
    for text in [
        "\"",
        "'",
        "\"\\",
        "'\\",
        "/*",
        "/",
        "//",
        "//\\",
        "#",
        "# ",
        "# 1",
        "# 1 \"",
        "L",
        "L\"",
        "u8'",
        "\\",
        "\\u",
        ".",
        "..",
        "0x",
        "1e",
        "0x1p",
        "%:",
        "#pragma",
        "#pragma pack",
        "#pragma pack(",
        "#line",
        "#line 1 \"\\",
        "\u{feff}",
        "\u{feff}int x;",
    ] {
        survive(text, text.as_bytes());
    }
    survive("binary", &(0..=255).collect::<Vec<u8>>());
    survive("binary without zero", &(1..=255).collect::<Vec<u8>>());
}
