//! The fragments of the paper's figure 1, with its labels, and how often the search backtracks.

use super::calls::Aim;
use super::graph::{Graph, Layout, PointId};
use super::labels::Spot;
use super::runs::Runs;
use super::search::{Search, Stop};
use super::{GoalTable, check};
use crate::{Blocks, TimeToLive};
use base::{Budget, Id};
use encode::frames::{Frames, with_frames};
use exec::Machine;
use kit::Context;
use logic::TermId;
use program::ir::{LocationId, ProcId, Program, VarId};
use smt::Answer;

/// A search in a program that is taken as it is, each edge a step.
fn search(text: &str, learns: bool) -> Search<'static> {
    search_with(text, learns, TimeToLive::One)
}

fn search_with(text: &str, learns: bool, time: TimeToLive) -> Search<'static> {
    let program = program::testing::parse(text);
    let (program, frames) = match text.contains(" call ") {
        true => with_frames(&program),
        false => (program, Frames::default()),
    };
    let program: &'static Program = Box::leak(Box::new(program));
    let machine: &'static Machine<'static> = Box::leak(Box::new(Machine::new(program)));
    let table = GoalTable::new(program, program);
    let goals = move |trace: certify::Trace, _: u64| {
        let (proc, location) = trace.error;
        Some(table.copies(&[crate::Goal { proc, location }].into()))
    };
    let mut ctx = Context::with_frames(program, &frames, &Budget::unlimited());
    let layout = Layout {
        blocks: Blocks::Edge,
        time,
        is_bounded: &|_, _| false,
    };
    let graph = Graph::new(&mut ctx, program.clone(), &layout);
    let runs = Runs {
        given: machine,
        prepared: machine,
        has_undefined: true,
        sink: Box::leak(Box::new(goals)),
    };
    Search::new(ctx, graph, runs, learns)
}

/// Whether two formulas mean the same.
fn is_same(search: &mut Search<'_>, a: TermId, b: TermId) -> bool {
    let ctx = &mut search.ctx;
    let same = ctx.store.eq(a, b);
    let differ = ctx.store.not(same);
    check(ctx, &[differ]) == Answer::Unsat
}

/// Holds the labels of locations, whatever the time to live, against those that are expected.
fn expect(search: &mut Search<'_>, at: usize, expected: impl Fn(&mut Context) -> TermId) {
    expect_in(search, (0, at), Aim::Goal, expected);
}

fn expect_in(
    search: &mut Search<'_>,
    (proc, at): (usize, usize),
    aim: Aim,
    expected: impl Fn(&mut Context) -> TermId,
) {
    let point = point(search, proc, at);
    let cases = search.timeless((point, aim));
    let label = search.ctx.store.or(&cases);
    let expected = expected(&mut search.ctx);
    let shown = [label, expected].map(|it| search.ctx.store.readable(it));
    assert!(is_same(search, label, expected), "l{at}: {shown:?}");
}

fn point(search: &Search<'_>, proc: usize, at: usize) -> PointId {
    (search.graph).point(ProcId::from_index(proc), LocationId::from_index(at))
}

/// What a procedure leaves of a variable.
fn left(search: &mut Search<'_>, proc: usize, index: usize) -> TermId {
    let callable = &search.graph.callables[&ProcId::from_index(proc)];
    let symbol = callable.left[&VarId::from_index(index)];
    search.ctx.store.of_symbol(symbol)
}

fn var(ctx: &mut Context, index: usize) -> TermId {
    ctx.before(VarId::from_index(index))
}

fn top(ctx: &mut Context) -> TermId {
    ctx.store.bool(true)
}

/// `simple`: the input is irrelevant at l3 and l4, where interpolants say just what matters.
#[test]
fn simple() {
    let mut search = search(
        r#"program ptr 8 entry main
        site n0: nondet i32 "x"
        site n1: nondet i32 "c"
        site n2: nondet i32 "y"
        proc p0 main() entry l0 exit l8 {
          local v0 x: i32
          local v1 y: i32
          local v2 c: i32
          l0:
            e0: havoc x n0 -> l1
          l1:
            e1: assume x == 0i32 -> l2
          l2:
            e2: havoc c n1 -> l9
          l9:
            e3: assume c != 0i32 -> l3
            e4: assume c == 0i32 -> l6
          l3:
            e5: havoc y n2 -> l4
          l4:
            e6: assume y >= 0i32 -> l5
          l5:
            e7: x := x + y -> l6
          l6:
            e8: assume x < 0i32 -> l7
            e9: assume x >= 0i32 -> l8
          l7: error assertion "x"
          l8:
        }"#,
        true,
    );
    assert!(search.run().is_ok());
    let at_least_zero = |ctx: &mut Context| {
        let (x, zero) = (var(ctx, 0), ctx.store.int(0i64));
        ctx.store.le(zero, x)
    };
    for at in [2, 3, 4, 6] {
        expect(&mut search, at, at_least_zero);
    }
    expect(&mut search, 5, |ctx| {
        let (x, y, zero) = (var(ctx, 0), var(ctx, 1), ctx.store.int(0i64));
        let sum = ctx.store.add(x, y);
        ctx.store.le(zero, sum)
    });
    expect(&mut search, 1, top);
    expect(&mut search, 0, top);
}

/// A chain of so many diamonds, each of which tests an irrelevant choice, and the test of `p`.
fn diamonds(count: usize) -> (String, Vec<String>) {
    let mut text = String::from(
        r#"program ptr 8 entry main
        site n0: nondet i32 "p"
        site n1: nondet i32 "a"
        proc p0 main() entry l0 exit l1 {
          local v0 p: i32
          local v1 a: i32
          local v2 x: i32
          local v3 c: i32
          l1:
          l2: error assertion "p"
          l0:
            e: havoc p n0 -> m0
          m0:
            e: x := 0i32 -> m1
          m1:
            e: assume p != 0i32 -> d0
        "#,
    );
    for at in 0..count {
        let next = at + 1;
        text += &format!(
            "d{at}:
               e: havoc c n1 -> c{at}
             c{at}:
               e: assume c != 0i32 -> t{at}
               e: assume c == 0i32 -> f{at}
             t{at}:
               e: a := 1i32 -> j{at}
             f{at}:
               e: a := 0i32 -> j{at}
             j{at}:
               e: assume a != 0i32 -> u{at}
               e: assume a == 0i32 -> v{at}
             u{at}:
               e: x := x + 1i32 -> d{next}
             v{at}:
               e: x := x - 1i32 -> d{next}\n"
        );
    }
    text += &format!(
        "d{count}:
           e: assume p == 0i32 -> l2
           e: assume p != 0i32 -> l1
        }}"
    );
    numbered(&text)
}

/// Gives the locations and edges of a text ids in the order they come in; also the names by id.
fn numbered(text: &str) -> (String, Vec<String>) {
    let mut names: Vec<String> = Vec::new();
    let mut edges = 0;
    let is_name = |word: &str| {
        let mut chars = word.chars();
        let first = chars.next().is_some_and(|c| "lmdctfjuv".contains(c));
        first && word.len() > 1 && chars.all(|c| c.is_ascii_digit())
    };
    let mut result = String::new();
    let number = |names: &mut Vec<String>, word: &str| {
        let known = names.iter().position(|name| name == word);
        let index = known.unwrap_or_else(|| {
            names.push(word.to_owned());
            names.len() - 1
        });
        format!("l{index}")
    };
    for line in text.lines() {
        let is_declaration = line.trim_start().starts_with("local");
        for word in line.split_whitespace() {
            let plain = word.trim_end_matches(':');
            if is_name(plain) && !is_declaration {
                result += &number(&mut names, plain);
                result += &word[plain.len()..];
            } else if word == "e:" {
                result += &format!("e{edges}:");
                edges += 1;
            } else {
                result += word;
            }
            result.push(' ');
        }
        result.push('\n');
    }
    (result, names)
}

/// `diamond`: the label `p` of l6 replaces the stronger `p` and `a`.
#[test]
fn diamond() {
    let (text, ids) = diamonds(1);
    let mut search = search(&text, true);
    assert!(search.run().is_ok());
    let is_set = |ctx: &mut Context| {
        let (p, zero) = (var(ctx, 0), ctx.store.int(0i64));
        ctx.store.ne(p, zero)
    };
    // In the paper's names: l2, l3, l5, l6, l7, l9 and l10.
    for name in ["d0", "t0", "f0", "j0", "u0", "v0", "d1"] {
        let at = ids.iter().position(|it| it == name).expect("a name");
        expect(&mut search, at, is_set);
        let place = (Spot::Point(point(&search, 0, at)), Aim::Goal);
        assert_eq!(search.labels.cases(place).len(), 1, "{name}");
    }
}

/// Backtracks are linear in the number of diamonds with learning, exponential without.
#[test]
fn a_chain_of_diamonds() {
    let backtracks = |count: usize, learns: bool| {
        let mut search = search(&diamonds(count).0, learns);
        match search.run() {
            Ok(()) => assert!(learns),
            Err(Stop::Limit(_)) => assert!(!learns),
            Err(_) => panic!("no goal should be reached"),
        }
        search.statistics.backtracks
    };
    for count in [1, 2, 3, 8, 30] {
        assert_eq!(backtracks(count, true), count as u64);
    }
    let without: Vec<u64> = (1..=8).map(|count| backtracks(count, false)).collect();
    for (index, &count) in without.iter().enumerate() {
        assert_eq!(count, (1 << (index + 1)) - 1, "{without:?}");
    }
}

/// `loop1`: bounded labels of the head become inductive without the time to live.
#[test]
fn loop1() {
    let mut search = search(
        r#"program ptr 8 entry main
        site n0: nondet i32 "x"
        site n1: nondet i32 "y"
        site n2: nondet i32 "n"
        proc p0 main() entry l0 exit l10 {
          local v0 x: i32
          local v1 y: i32
          local v2 n: i32
          local v3 i: i32
          l0:
            e0: havoc x n0 -> l7
          l7:
            e1: havoc y n1 -> l8
          l8:
            e2: havoc n n2 -> l1
          l1:
            e3: assume x == y -> l2
          l2:
            e4: i := 0i32 -> l3
          l3:
            e5: assume i < n -> l4
            e6: assume i >= n -> l6
          l4:
            e7: x := x + 1i32 -> l5
          l5:
            e8: i := i + 1i32 -> l3
          l6:
            e9: assume x < y -> l9
            e10: assume x >= y -> l10
          l9: error assertion "x"
          l10:
        }"#,
        true,
    );
    // As in the paper: labels alone, without what their conjuncts may show.
    let mut times = [0, 1, 2, 4].into_iter();
    let is_proved = times.any(|time| search.explore(time).is_ok() && search.strengthen());
    assert!(is_proved);
    let not_less = |ctx: &mut Context| {
        let (x, y) = (var(ctx, 0), var(ctx, 1));
        ctx.store.le(y, x)
    };
    for at in [2, 3, 6] {
        expect(&mut search, at, not_less);
    }
    expect(&mut search, 1, top);
}

/// A goal after a loop is reached once there is enough time to live.
#[test]
fn a_goal_behind_a_loop() {
    let mut search = search(
        r#"program ptr 8 entry main
        site n0: nondet i32 "n"
        proc p0 main() entry l0 exit l6 {
          local v0 n: i32
          local v1 i: i32
          l0:
            e0: havoc n n0 -> l1
          l1:
            e1: i := 0i32 -> l2
          l2:
            e2: assume i < n -> l3
            e3: assume i >= n -> l4
          l3:
            e4: i := i + 1i32 -> l2
          l4:
            e5: assume i == 5i32 -> l5
            e6: assume i != 5i32 -> l6
          l5: error assertion "five"
          l6:
        }"#,
        true,
    );
    assert!(matches!(search.run(), Err(Stop::Enough)));
    assert!(search.open.is_empty() && search.statistics.tests == 1);
}

/// The procedure of `call1`.
const FOO: &str = r#"proc p1 foo() entry l0 exit l2 {
      l0:
        e0: x := x + 1i32 -> l1
      l1:
        e1: return -> l2
      l2:
    }"#;

/// `call1`: the summary of `foo` is `x' < x`, without the caller's `y`.
#[test]
fn call1() {
    let main = r#"program ptr 8 entry main
        global v0 x: i32 = 0i32
        site n0: nondet i32 "y"
        proc p0 main() entry l0 exit l4 {
          local v1 y: i32
          l0:
            e0: havoc y n0 -> l1
          l1:
            e1: x := y -> l2
          l2:
            e2: call foo() -> l3
          l3:
            e3: assume x < y -> l5
            e4: assume x >= y -> l6
          l5: error assertion "x"
          l6:
            e5: return -> l4
          l4:
        }"#;
    let mut search = search(&format!("{main}\n{FOO}"), true);
    assert!(search.run().is_ok());
    let not_less = |ctx: &mut Context| {
        let (x, y) = (var(ctx, 0), var(ctx, 1));
        ctx.store.le(y, x)
    };
    for at in [2, 3] {
        expect(&mut search, at, not_less);
    }
    expect(&mut search, 1, top);
    expect_increase(&mut search);
}

/// That the summary of a procedure is `x' < x`, and that no goal is reached in it.
fn expect_increase(search: &mut Search<'_>) {
    let after = left(search, 1, 0);
    expect_in(search, (1, 0), Aim::Exit, |ctx| {
        let before = var(ctx, 0);
        ctx.store.lt(after, before)
    });
    expect_in(search, (1, 0), Aim::Goal, top);
}

/// A summary that was learned at one call blocks another, which asks for something else.
#[test]
fn a_summary_for_two_calls() {
    let main = r#"program ptr 8 entry main
        global v0 x: i32 = 0i32
        site n0: nondet i32 "y"
        proc p0 main() entry l0 exit l4 {
          local v1 y: i32
          l0:
            e0: havoc y n0 -> l1
          l1:
            e1: x := y -> l2
          l2:
            e2: call foo() -> l3
          l3:
            e3: assume x < y -> l5
            e4: assume x >= y -> l6
          l5: error assertion "x"
          l6:
            e5: x := 7i32 -> l7
          l7:
            e6: call foo() -> l8
          l8:
            e7: assume x < 5i32 -> l9
            e8: assume x >= 5i32 -> l10
          l9: error assertion "again"
          l10:
            e9: return -> l4
          l4:
        }"#;
    let mut search = search(&format!("{main}\n{FOO}"), true);
    assert!(search.run().is_ok());
    let entry = Spot::Point(point(&search, 1, 0));
    assert_eq!(search.labels.cases((entry, Aim::Exit)).len(), 1);
    expect_increase(&mut search);
}

/// `rec1`, with the post-condition of the paper.
const REC1: &str = r#"program ptr 8 entry main
    global v0 x: i32 = 0i32
    site n0: nondet i32 "c"
    proc p0 main() entry l0 exit l3 {
      l0:
        e0: x := 0i32 -> l1
      l1:
        e1: call rec1() -> l2
      l2:
        e2: assume x < 0i32 -> l4
        e3: assume x >= 0i32 -> l5
      l4: error assertion "x"
      l5:
        e4: return -> l3
      l3:
    }
    proc p1 rec1() entry l0 exit l6 {
      local v1 c: i32
      l0:
        e0: havoc c n0 -> l1
      l1:
        e1: assume c != 0i32 -> l2
        e2: assume c == 0i32 -> l4
      l2:
        e3: call rec1() -> l3
      l3:
        e4: call rec1() -> l4
      l4:
        e5: x := x + 1i32 -> l5
      l5:
        e6: return -> l6
      l6:
    }"#;

/// `rec1`: the bounded summary is inductive without the time to live.
#[test]
fn rec1() {
    for time in [TimeToLive::One, TimeToLive::Each] {
        let mut search = search_with(REC1, true, time);
        assert!(search.run().is_ok());
        expect_increase(&mut search);
        expect(&mut search, 0, top);
    }
}
