//! Predicates that a search finds, on the examples of the papers.

mod pointers;

use super::*;
use crate::testing::{parse_main, program};
use crate::{Blocks, Options, Scope};
use logic::infix;
use program::ir::Program;
use program::pass::inline::InlineLimit;
use std::collections::BTreeSet;

/// No call is inlined.
const NONE: InlineLimit = InlineLimit { edges: 0, body: 0 };

/// What a search has come to.
struct SearchRecord {
    /// The predicates, each with the procedure whose locations track it.
    predicates: BTreeSet<(String, String)>,
    /// For each tree: its procedure, and how many exits it has.
    trees: Vec<(String, usize)>,
    /// The posts that were asked for, and how many of them were known.
    posts: (u64, u64),
    /// The effort.
    effort: u64,
    is_safe: bool,
}

impl SearchRecord {
    fn names(&self) -> Vec<&str> {
        let names: BTreeSet<&str> = self.predicates.iter().map(|row| row.1.as_str()).collect();
        names.into_iter().collect()
    }

    fn of(&self, proc: &str) -> Vec<&str> {
        let rows = self.predicates.iter().filter(|row| row.0 == proc);
        rows.map(|row| row.1.as_str()).collect()
    }
}

/// The predicates that are tracked anywhere, each with the procedure whose locations do so.
fn predicates(search: &mut Search) -> BTreeSet<(String, String)> {
    let mut predicates = BTreeSet::new();
    let places: Vec<_> = search.predicates.sizes().map(|(at, _)| at).collect();
    for (proc, at) in places {
        let name = search.ctx.program.procs[proc].name.to_string();
        let cuts = &search.bodies[&proc].nest.cuts;
        for &predicate in &search.predicates.at(&search.ctx, cuts, at).predicates {
            let text = infix(&search.ctx.store, predicate, &|_| false);
            predicates.insert((name.clone(), text));
        }
    }
    predicates
}

/// Searches a program as it was prepared. A proof is checked, a trace is replayed.
fn search(program: &Program, prepared: &Prepared, options: Options) -> SearchRecord {
    let mut task = Task::new(program.clone());
    task.options = options;
    let machine = Machine::new(&prepared.program);
    let budget = Budget::unlimited();
    let nothing = |proc| Invariants::nothing(&prepared.program, proc);
    let mut search = Search::new(&task, prepared, &machine, &nothing, &budget);
    let outcome = loop {
        match search.run() {
            Ok(outcome) => break outcome,
            Err(needed) => assert!(search.refine_encoding(&needed)),
        }
    };
    let procs = &prepared.program.procs;
    let predicates = predicates(&mut search);
    let trees = search.trees.iter();
    let trees = trees.map(|row| (procs[row.proc].name.to_string(), row.exits.len()));
    let asked = search.bodies.values().map(|body| body.posts.asked);
    let asked: Vec<_> = asked.map(|row| (row.posts, row.posts_known)).collect();
    let mut found = SearchRecord {
        predicates,
        trees: trees.collect(),
        posts: asked
            .iter()
            .fold((0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1)),
        effort: budget.effort(),
        is_safe: outcome.is_none(),
    };
    match outcome.unwrap_or_else(|| search.complete()) {
        Outcome::Safe(proof) => {
            let checked = proof.checked(program, &budget);
            assert!(checked.is_ok(), "the proof should hold");
        }
        Outcome::Unsafe(trace) => {
            found.is_safe = false;
            let machine = Machine::new(program);
            let run = kit::test_runner::replay(&machine, &trace.inputs, &budget);
            assert!(run.is_ok(), "the trace should fail");
        }
        Outcome::Unknown(reason) => panic!("{}", reason.message),
        outcome => panic!("{outcome:?}"),
    }
    found
}

/// The lock example of the slides.
fn lock() -> Program {
    parse_main(
        "L: i32, old: i32, new: i32, c: i32",
        r#"
          l0:
            e0: L := 0i32 -> l2
          l2:
            e1: assume L != 0i32 -> l3
            e2: assume L == 0i32 -> l4
          l3: error assertion "L"
          l4:
            e3: L := 1i32 -> l5
          l5:
            e4: old := new -> l6
          l6:
            e5: havoc c n0 -> l7
          l7:
            e6: assume c != 0i32 -> l8
            e7: assume c == 0i32 -> l10
          l8:
            e8: L := 0i32 -> l9
          l9:
            e9: new := new + 1i32 -> l10
          l10:
            e10: assume new != old -> l2
            e11: assume new == old -> l11
          l11:
            e12: return -> l1"#,
    )
}

fn edges() -> Options {
    Options {
        blocks: Blocks::Edge,
        ..Options::default()
    }
}

#[test]
fn the_lock_example_needs_two_predicates() {
    let lock = lock();
    let prepared = Prepared::with_undefined(&lock);
    let found = search(&lock, &prepared, edges());
    assert!(found.is_safe);
    assert_eq!(found.names(), ["L = 0", "new = old"]);
    // Between loop heads, one is enough.
    let found = search(&lock, &prepared, Options::default());
    assert!(found.is_safe);
    assert_eq!(found.names(), ["L = 0"]);
}

/// Figure 7 of [henzinger2004abstractions].
#[test]
fn a_flat_trace_has_predicates_at_its_cuts() {
    let flat = parse_main(
        "a: i32, b: i32, c: i32",
        r#"
          l0:
            e0: assume b > 0i32 -> l2
          l2:
            e1: c := 2i32 * b -> l3
          l3:
            e2: a := b -> l4
          l4:
            e3: a := a - 1i32 -> l5
          l5:
            e4: assume a < b -> l6
            e5: assume a >= b -> l8
          l6:
            e6: assume a == c -> l7
            e7: assume a != c -> l8
          l7: error assertion "a"
          l8:
            e8: return -> l1"#,
    );
    let prepared = Prepared::with_undefined(&flat);
    let found = search(&flat, &prepared, edges());
    assert!(found.is_safe);
    let names = found.names();
    assert!(names.contains(&"a + 2 <= c"), "{names:?}");
}

/// Figure 8 of [henzinger2004abstractions], with another call; `wrong` is an error that can be.
fn increments(wrong: &str, opposite: &str) -> Program {
    program(&format!(
        r#"program ptr 8 entry main
        site n0: nondet i32 "__VERIFIER_nondet_int"
        proc p0 main() entry l0 exit l1 {{
          local v0 a: i32
          local v1 b: i32
          l0:
            e0: havoc a n0 -> l2
          l2:
            e1: assume (a >= 0i32) & (a <= 10i32) -> l3
            e2: assume !((a >= 0i32) & (a <= 10i32)) -> l8
          l3:
            e3: b := call inc(a) -> l4
          l4:
            e4: assume a != b - 1i32 -> l7
            e5: assume a == b - 1i32 -> l5
          l5:
            e6: b := call inc(b) -> l6
          l6:
            e7: assume {wrong} -> l7
            e8: assume {opposite} -> l8
          l7: error assertion "b"
          l8:
            e9: return -> l1
          l1:
        }}
        proc p1 inc(v2 x: i32) -> i32 entry l0 exit l1 {{
          l0:
            e0: x := x + 1i32 -> l2
          l2:
            e1: return x -> l1
          l1:
        }}"#
    ))
}

/// The names in a predicate.
fn words(predicate: &str) -> Vec<&str> {
    let words = predicate.split(|c: char| !(c.is_alphanumeric() || c == '$'));
    words.filter(|word| !word.is_empty()).collect()
}

#[test]
fn a_procedure_has_predicates_of_its_own() {
    let increments = increments("a != b - 2i32", "a == b - 2i32");
    let prepared = Prepared::inlining(&increments, NONE, true);
    assert_eq!(prepared.frames.len(), 1);
    let found = search(&increments, &prepared, Options::default());
    assert!(found.is_safe);
    let names = &found.predicates;
    // The result is one more than the entry value, and nothing of the caller is known.
    let inner = found.of("inc");
    let is_one_more = |name: &&str| {
        let words = words(name);
        words.contains(&"$entry") && words.contains(&"$result") && words.contains(&"1")
    };
    assert!(inner.iter().any(is_one_more), "{names:?}");
    let is_outside = |name: &&str| words(name).iter().any(|word| ["a", "b"].contains(word));
    assert!(!inner.iter().any(is_outside), "{names:?}");
    assert!(found.of("main").iter().all(is_outside), "{names:?}");
    assert!(
        !found.of("main").iter().any(|name| name.contains('$')),
        "{names:?}"
    );
    // Both calls share what was found of the procedure.
    assert_eq!(found.trees.len(), 2, "{:?}", found.trees);
}

#[test]
fn a_trace_through_calls_is_run() {
    let increments = increments("b == 9i32", "b != 9i32");
    let prepared = Prepared::inlining(&increments, NONE, true);
    for options in [Options::default(), edges()] {
        assert!(!search(&increments, &prepared, options).is_safe);
    }
}

/// Counts down by recursion; there is an error where the count is `wrong`.
fn counting(wrong: &str, opposite: &str) -> Program {
    program(&testkit::texts::counting_down(11, wrong, opposite))
}

#[test]
fn recursion_ends() {
    let safe = counting("r < 0i32", "r >= 0i32");
    let prepared = Prepared::with_undefined(&safe);
    assert_eq!(prepared.frames.len(), 1);
    assert!(search(&safe, &prepared, Options::default()).is_safe);
    let wrong = counting("r == 3i32", "r != 3i32");
    let prepared = Prepared::with_undefined(&wrong);
    assert!(!search(&wrong, &prepared, Options::default()).is_safe);
}

/// An error in a procedure depends on how it is called.
#[test]
fn a_procedure_is_entered_in_abstract_states() {
    let divided = program(
        r#"program ptr 8 entry main
        site n0: nondet i32 "__VERIFIER_nondet_int"
        proc p0 main() entry l0 exit l1 {
          local v0 n: i32
          l0:
            e0: havoc n n0 -> l2
          l2:
            e1: assume n > 4i32 -> l3
            e2: assume n <= 4i32 -> l4
          l3:
            e3: call used(n) -> l4
          l4:
            e4: return -> l1
          l1:
        }
        proc p1 used(v1 x: i32) entry l0 exit l1 {
          l0:
            e0: assume x == 0i32 -> l2
            e1: assume x != 0i32 -> l3
          l2: error assertion "x"
          l3:
            e2: return -> l1
          l1:
        }"#,
    );
    let prepared = Prepared::inlining(&divided, NONE, true);
    let found = search(&divided, &prepared, Options::default());
    assert!(found.is_safe);
    assert!(!found.of("used").is_empty(), "{:?}", found.predicates);
}

#[test]
fn local_predicates_are_no_more_than_global_ones() {
    let lock = lock();
    let prepared = Prepared::with_undefined(&lock);
    let with = |predicates: Scope| {
        let options = Options {
            predicates,
            ..edges()
        };
        search(&lock, &prepared, options)
    };
    let (local, global) = (with(Scope::Local), with(Scope::Global));
    assert_eq!(local.names(), global.names());
    assert!(local.effort > 0 && global.effort > 0);
    // What is re-expanded asks for posts that were asked for before.
    assert!(local.posts.1 > 0 && local.posts.0 > local.posts.1);
}
