//! The text form reads back as it was printed, and no text makes the reader panic.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

use base::{Diagnostics, Rng, SourceMap};
use program::ir::Program;
use program::text::{Spans, print, read};
use program::validate::validate;
use testkit::random::{self, without_spans};

const EXAMPLE: &str = r#"program ptr 8 entry main
assumption "no \"signals\""
global v0 limit: i32 = -10i32
global v4 ratio: f64 = f64 #7ff0000000000000
object o0 tab: 16 align 8 readonly = "68690a" [8: &f - 4]
site n0: nondet i32 "__VERIFIER_nondet_int"
inline i0: "g"
inline i1: "f" in i0

proc p0 main() -> i32 entry l0 exit l1 {
  local v1 x: i32
  object o1 buffer: 4 align 4
  l0:
    e0: havoc x n0 -> l2
  l1:
  l2:
    e1: assume x < i32[&tab ++ 4i64] -> l3
    e2: assume x >= i32[&tab ++ 4i64] -> l4 via i1
  l3: error assertion "assertion failed: x < 4"
  l4:
    e3: x := call f(x - -1i32 * (x - 2i32), 3u8) -> l5
  l5:
    e4: x := overflows(x << 1u8) & !(x == -(5i32)) ? i32(x < limit) : -x -> l6
  l6:
    e5: enter buffer -> l7
  l7:
    e6: i32[&buffer] := ~x -> l8
  l8:
    e7: library printf(&tab, ...&buffer) -> l9
  l9:
    e8: return 0i32 -> l1
}

proc p1 f(v2 x.v2 "x": i32, v3 x.v3 "x": u8) -> i32 entry l1 exit l0 {
  l0:
  l1:
    e0: exit popcount(x.v3) == 0u8 ? x.v2 : 1i32 -> l2
  l2:
}
"#;

fn parse(text: &str) -> (Option<Program>, Vec<String>) {
    let mut sources = SourceMap::new();
    let file = sources.add("p.cairn", text.as_bytes().to_vec()).unwrap();
    let mut diagnostics = Diagnostics::new();
    let program = read(&sources, file, &mut diagnostics);
    let show = |d: &base::Diagnostic| {
        let at = sources.physical(d.span).unwrap();
        format!("{}:{}: {}", at.line, at.column, d.message)
    };
    let messages = diagnostics.iter().map(show).collect();
    (program, messages)
}

#[test]
fn an_example_reads_and_prints() {
    let (program, messages) = parse(EXAMPLE);
    assert_eq!(messages, [""; 0]);
    let program = program.unwrap();
    let problems: Vec<String> = validate(&program).iter().map(|p| p.to_string()).collect();
    assert_eq!(problems, [""; 0]);
    assert_eq!(print(&program, Spans::Omit), EXAMPLE);
    assert_eq!(
        program.procs.iter().map(|p| p.edges.len()).sum::<usize>(),
        10
    );
    // Without spans in the text, things get the place where they are in it.
    let edge = &program.procs[program.entry]
        .edges
        .iter()
        .next()
        .unwrap()
        .span;
    let start = EXAMPLE.find("e0: havoc").unwrap() as u32;
    assert_eq!(edge.lo, 1 + start);
}

#[test]
fn random_programs_are_valid_and_round_trip() {
    for seed in 0..300 {
        let program = random::program(seed, 5 + seed as usize % 40);
        let problems = validate(&program);
        assert!(problems.is_empty(), "seed {seed}: {}", problems[0]);
        let (back, messages) = parse(&print(&program, Spans::Omit));
        assert_eq!(messages, [""; 0], "seed {seed}");
        assert_eq!(without_spans(&back.unwrap()), without_spans(&program));
    }
}

#[test]
fn mistakes_are_told_with_their_places() {
    let table = [
        (
            "l3: error assertion",
            "l3: error typo",
            "there is no such property",
        ),
        ("havoc x n0", "havoc x n7", "there is no such site"),
        ("-> l3", "-> l33", "there is no such location"),
        ("entry main", "entry min", "there is no such procedure"),
        ("&tab ++", "&tub ++", "there is no such object or procedure"),
        (
            "3u8)",
            "300u8)",
            "a number should have a type that holds it, as in `5i32`",
        ),
        (
            "global v0",
            "global v9",
            "the ids of the variables should have no gap: 0 is missing",
        ),
        ("e1:", "e0:", "there is another edge of that id"),
        ("x == -(5i32)", "x == x == x", "expected `)`"),
        ("return 0i32", "return (0i32", "expected `)`"),
        (
            "\"68690a\"",
            "\"68690\"",
            "expected pairs of hexadecimal digits",
        ),
        ("call f(", "call fun(", "there is no such procedure"),
        ("f64 #", "f64 \u{1}#", "unknown character '\\u{1}'"),
        ("\"__VERIFIER", "\"\\q", "unknown escape in a string"),
    ];
    for (old, new, expected) in table {
        let text = EXAMPLE.replacen(old, new, 1);
        let (program, messages) = parse(&text);
        assert_eq!(program, None, "{new}");
        let found = messages.iter().any(|message| message.ends_with(expected));
        assert!(found, "{new}: {messages:?}");
    }
}

#[test]
fn deep_expressions_are_refused_not_overflowed() {
    let nested = "(".repeat(100_000);
    let long = "1i32 + ".repeat(100_000);
    let signs = "- ".repeat(100_000);
    for deep in [nested, long, signs] {
        let (program, messages) =
            parse(&EXAMPLE.replace("return 0i32", &format!("return {deep}x")));
        assert_eq!(program, None);
        assert!(messages[0].contains("deep"), "{messages:?}");
    }
}

/// Random damage to texts: no panic, and what still reads is fit for the validator.
#[test]
fn damaged_texts_never_panic() {
    let mut rng = Rng::new(7);
    let words = [
        "(", ")", "i32", "v0", "l1", ":", "->", ":=", "\"", "5i8", "&", "-", "\n",
    ];
    for round in 0..1500 {
        let program = random::program(round % 40, 12);
        let text = if round % 5 == 0 {
            EXAMPLE.to_string()
        } else {
            print(&program, Spans::Omit)
        };
        let mut bytes = text.into_bytes();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(bytes.len());
            let to = (at + rng.below(12)).min(bytes.len());
            match rng.below(4) {
                0 => drop(bytes.drain(at..to)),
                1 => bytes[at] = rng.bits() as u8 & 0x7f,
                2 => drop(bytes.splice(at..at, rng.pick(&words).bytes())),
                _ => bytes.truncate(at.max(1)),
            }
        }
        if let Ok(text) = String::from_utf8(bytes)
            && let (Some(program), _) = parse(&text)
        {
            validate(&program);
            print(&program, Spans::Omit);
        }
    }
}
