//! Programs with pointers: figures 9 and 11 of [henzinger2004abstractions].
//!
//! Pointers are numbers of objects and cells are variables when the search sees them, so what the paper
//! writes as `*y` is a choice among cells. A solver decides whether abstract states say what the paper's
//! predicates do.

use super::*;
use base::Id;
use kit::unwinding::Fate;
use logic::TermId;
use program::ir::LocationId;

/// Searches a program edge by edge until nothing is open, and shows the search. The proof is checked.
fn after_search<T>(program: &Program, limit: InlineLimit, see: impl FnOnce(&mut Search) -> T) -> T {
    let prepared = Prepared::inlining(program, limit, true);
    let mut task = Task::new(program.clone());
    task.options = edges();
    let machine = Machine::new(&prepared.program);
    let budget = Budget::unlimited();
    let nothing = |proc| Invariants::nothing(&prepared.program, proc);
    let mut search = Search::new(&task, &prepared, &machine, &nothing, &budget);
    let outcome = loop {
        match search.run() {
            Ok(outcome) => break outcome,
            Err(needed) => assert!(search.refine_encoding(&needed)),
        }
    };
    assert!(outcome.is_none(), "{outcome:?}");
    let seen = see(&mut search);
    let Outcome::Safe(proof) = search.complete() else {
        panic!("there should be a proof");
    };
    let checked = proof.checked(program, &budget);
    assert!(checked.is_ok(), "the proof should hold");
    seen
}

fn proc_named(search: &Search, name: &str) -> ProcId {
    let mut procs = search.ctx.program.procs.iter_enumerated();
    let found = procs.find(|(_, row)| &*row.name == name);
    found.expect("there should be such a procedure").0
}

/// The value of the variable with a name.
fn value(search: &mut Search, name: &str) -> TermId {
    let mut vars = search.ctx.program.vars.iter_enumerated();
    let found = vars.find(|(_, row)| &*row.name == name);
    let (var, _) = found.unwrap_or_else(|| panic!("{name} should be a variable"));
    search.ctx.before(var)
}

/// What is behind a pointer, given the values of two cells; and that it points to one of them.
fn behind(search: &mut Search, pointer: TermId, cells: [&str; 2]) -> (TermId, TermId) {
    let [first, second] = cells.map(|name| value(search, name));
    let store = &mut search.ctx.store;
    let (one, two) = (store.int(1i64), store.int(2i64));
    let (is_first, is_second) = (store.eq(pointer, one), store.eq(pointer, two));
    let points = store.or(&[is_first, is_second]);
    (store.ite(is_first, first, second), points)
}

/// That one of the abstract states of a location, by its number in the text, holds.
fn known(search: &mut Search, name: &str, at: usize) -> TermId {
    let (proc, at) = (proc_named(search, name), LocationId::from_index(at));
    let mut states = Vec::new();
    for row in search.trees.iter().filter(|row| row.proc == proc) {
        let unwinding = &row.tree.unwinding;
        for (vertex, state) in unwinding.vertices() {
            if state.at == at && state.fate != Fate::Removed {
                states.push(row.tree.label(&mut search.ctx, vertex));
            }
        }
    }
    search.ctx.store.or(&states)
}

/// Whether a formula holds in all states that two others describe; there are such states.
fn holds(search: &mut Search, given: [TermId; 2], then: TermId) -> bool {
    let given = search.ctx.store.and(&given);
    let never = search.ctx.store.bool(false);
    assert!(!search.ctx.entails(given, never), "there should be a state");
    search.ctx.entails(given, then)
}

/// Figure 9; there is an error where `*x` is `wrong` at the end.
fn aliased(wrong: &str, opposite: &str) -> Program {
    program(&format!(
        r#"program ptr 8 entry main
        site n0: nondet i32 "__VERIFIER_nondet_int"
        site n1: nondet i32 "__VERIFIER_nondet_int"
        proc p0 main() entry l0 exit l1 {{
          local v0 x: ptr
          local v1 y: ptr
          local v2 c: i32
          local v3 d: i32
          object o0 a: 4 align 4
          object o1 b: 4 align 4
          l0:
            e0: enter a -> l2
          l2:
            e1: enter b -> l3
          l3:
            e2: havoc c n0 -> l4
          l4:
            e3: x := c != 0i32 ? &a : &b -> l5
          l5:
            e4: havoc d n1 -> l6
          l6:
            e5: y := d != 0i32 ? &a : &b -> l7
          l7:
            e6: assume x != y -> l8
            e7: assume x == y -> l14
          l8:
            e8: i32[x] := 0i32 -> l9
          l9:
            e9: y := x -> l10
          l10:
            e10: assume y == x -> l11
            e11: assume y != x -> l14
          l11:
            e12: i32[y] := i32[y] + 1i32 -> l12
          l12:
            e13: assume i32[x] {wrong} -> l13
            e14: assume i32[x] {opposite} -> l14
          l13: error assertion "x"
          l14:
            e15: return -> l1
          l1:
        }}"#
    ))
}

/// Where the error is at `*x = 0`, that `*y` is not negative is enough; where it is at `*x != 1`, it
/// takes the paper's `*y = 0`.
#[test]
fn figure_9_has_predicates_about_what_is_behind_a_pointer() {
    let errors = [("== 0i32", "!= 0i32", false), ("!= 1i32", "== 1i32", true)];
    for (wrong, opposite, is_exact) in errors {
        let aliased = aliased(wrong, opposite);
        after_search(&aliased, InlineLimit::of(&aliased), |search| {
            let (x, y) = (value(search, "$x_object"), value(search, "$y_object"));
            let (before, points) = behind(search, y, ["$a_0", "$b_0"]);
            let zero = search.ctx.store.int(0i64);
            let is_zero = search.ctx.store.eq(before, zero);
            let is_positive = search.ctx.store.le(zero, before);
            let at_4 = known(search, "main", 11);
            assert!(holds(search, [at_4, points], is_positive));
            assert_eq!(holds(search, [at_4, points], is_zero), is_exact);
            // What is behind `x` has changed with it.
            let (after, points) = behind(search, x, ["$a_0", "$b_0"]);
            let was_zero = search.ctx.store.eq(after, zero);
            let is_other = search.ctx.store.not(was_zero);
            let at_5 = known(search, "main", 12);
            assert!(holds(search, [at_5, points], is_other));
            // The first `y` is forgotten, and so is how the pointers were chosen.
            let names = predicates(search);
            let is_input = |name: &str| words(name).iter().any(|word| ["c", "d"].contains(word));
            assert!(!names.iter().any(|row| is_input(&row.1)), "{names:?}");
        });
    }
    let wrong = aliased("== 1i32", "!= 1i32");
    let prepared = Prepared::with_undefined(&wrong);
    assert!(!search(&wrong, &prepared, edges()).is_safe);
}

/// Figure 11, with two cells to choose from; `wrong` is an error.
fn incremented(wrong: &str, opposite: &str) -> Program {
    program(&format!(
        r#"program ptr 8 entry main
        site n0: nondet i32 "__VERIFIER_nondet_int"
        proc p0 main() entry l0 exit l1 {{
          local v0 y: ptr
          local v1 c: i32
          object o0 a: 4 align 4
          object o1 b: 4 align 4
          l0:
            e0: enter a -> l2
          l2:
            e1: enter b -> l3
          l3:
            e2: havoc c n0 -> l4
          l4:
            e3: y := c != 0i32 ? &a : &b -> l5
          l5:
            e4: i32[y] := 0i32 -> l6
          l6:
            e5: call inc(y) -> l7
          l7:
            e6: assume i32[y] {wrong} -> l8
            e7: assume i32[y] {opposite} -> l9
          l8: error assertion "y"
          l9:
            e8: return -> l1
          l1:
        }}
        proc p1 inc(v2 x: ptr) entry l0 exit l1 {{
          l0:
            e0: i32[x] := i32[x] + 1i32 -> l2
          l2:
            e1: return -> l1
          l1:
        }}"#
    ))
}

#[test]
fn figure_11_says_what_a_call_does_behind_a_pointer() {
    let safe = incremented("!= 1i32", "== 1i32");
    after_search(&safe, NONE, |search| {
        // Behind the entry value of `x` there is one more than there was: no more is said, and no less.
        let x = value(search, "$entry.$x_object");
        let (now, points) = behind(search, x, ["$a_0", "$b_0"]);
        let (then, _) = behind(search, x, ["$entry.$a_0", "$entry.$b_0"]);
        let store = &mut search.ctx.store;
        let one = store.int(1i64);
        let more = store.add(then, one);
        let is_more = store.eq(now, more);
        let at_4 = known(search, "inc", 2);
        assert!(holds(search, [at_4, points], is_more));
        assert!(holds(search, [is_more, points], at_4));
        // The caller knows what is behind its own pointer.
        let y = value(search, "$y_object");
        let (cell, points) = behind(search, y, ["$a_0", "$b_0"]);
        let is_one = search.ctx.store.eq(cell, one);
        let at_5 = known(search, "main", 7);
        assert!(holds(search, [at_5, points], is_one));
        // Neither speaks of the other's variables.
        let names = predicates(search);
        let speaks = |proc: &str, of: &str| {
            let mut rows = names.iter().filter(|row| row.0 == proc);
            rows.any(|row| row.1.contains(of))
        };
        assert!(speaks("main", "$y_object") && speaks("inc", "$entry"));
        assert!(!speaks("main", "$x_object") && !speaks("main", "$entry"));
        assert!(!speaks("inc", "$y_object"), "{names:?}");
        assert_eq!(search.trees.len(), 2);
    });
    let wrong = incremented("== 1i32", "!= 1i32");
    let prepared = Prepared::inlining(&wrong, NONE, true);
    for options in [Options::default(), edges()] {
        assert!(!search(&wrong, &prepared, options).is_safe);
    }
}
