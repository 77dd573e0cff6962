//! Labels that are stronger than necessary, and what is left of them.

use super::minimised;
use base::{Budget, Id};
use certify::{Ghost, Inductive};
use logic::{Sort, TermStore, read};
use program::ir::{LocationId, ProcId, Program};

/// `x = 0; y = 50; while (x < 100) { if (x >= 50) y++; x++; } assert(CONDITION);`
fn two_phases(condition: &str) -> Program {
    let text = format!(
        r#"
      l0:
        e0: x := 0i32 -> l2
      l2:
        e1: y := 50i32 -> l3
      l3:
        e2: assume x < 100i32 -> l4
        e3: assume x >= 100i32 -> l7
      l4:
        e4: assume x >= 50i32 -> l5
        e5: assume x < 50i32 -> l6
      l5:
        e6: y := y + 1i32 -> l6
      l6:
        e7: x := x + 1i32 -> l3
      l7:
        e8: assume {condition} -> l8
        e9: assume !({condition}) -> l9
      l8:
        e10: return -> l1
      l9: error assertion "it holds""#
    );
    program::testing::parse_main("x: i32, y: i32", &text)
}

/// The label of the loop that is left of one, as text; and the one that is expected.
fn small(condition: &str, label: &str, expected: &str) -> (String, String) {
    let program = two_phases(condition);
    let head = (program.entry, LocationId::from_index(3));
    let mut store = TermStore::new();
    let names = program.vars.iter();
    let vars = names.map(|var| store.new_symbol(&var.name, Sort::Int));
    let vars = vars.collect();
    let [label, expected] =
        [label, expected].map(|text| read::term(&mut store, text).expect("a formula"));
    let proof = Inductive {
        inlined: None,
        store,
        vars,
        ghosts: Vec::new(),
        labels: [(head, label)].into_iter().collect(),
        results: Default::default(),
    };
    let budget = Budget::unlimited();
    assert_eq!(proof.check(&program, &budget), Ok(()));
    let small = minimised(&program, &proof, &budget);
    if let Some(small) = &small {
        assert_eq!(small.check(&program, &budget), Ok(()));
    }
    let small = small.unwrap_or(proof);
    let (store, label) = (&small.store, small.labels[&head]);
    (store.readable(label), store.readable(expected))
}

#[test]
fn cases_that_a_proof_does_not_need() {
    const PHASES: &str = "(or
        (and (= x 0) (= y 50))
        (and (= x 1) (= y 50))
        (and (<= 2 x) (<= x 50) (= y 50))
        (and (<= 51 x) (<= x 100) (= x y) (<= y 100)))";
    let rows = [
        // Two phases need two cases, but no more.
        (
            "y == 100i32",
            PHASES,
            "(and (<= y 100) (<= x y) (or (= y 50) (and (<= 51 x) (= y x))))",
        ),
        // What all cases share is enough.
        (
            "x <= 100i32",
            "(or (and (<= x 40) (= y 50)) (and (<= 41 x) (<= x 100)))",
            "(<= x 100)",
        ),
        ("y >= 50i32", PHASES, "(>= y 50)"),
        // No run reaches the second case.
        (
            "x == 100i32",
            "(or (and (<= 0 x) (<= x 100)) (and (= x y) (= x 300) (< x 0)))",
            "(<= x 100)",
        ),
        // All of it is needed.
        ("x == 100i32", "(<= x 100)", "(<= x 100)"),
    ];
    for (condition, label, expected) in rows {
        let (found, expected) = small(condition, label, expected);
        assert_eq!(found, expected, "{condition}");
    }
}

/// `r = f(a); assert(CONDITION);` for an `a` of at most 1000. `f` counts down, keeps its argument in
/// `g`, and returns 2 if there is much to count.
fn recursion(condition: &str) -> Program {
    let text = format!(
        r#"program ptr 8 entry main
    site n0: nondet i32 "int"
    global v0 g: i32 = 0i32
    proc p0 main() entry l0 exit l1 {{
      local v1 a: i32
      local v2 r: i32
      l0:
        e0: havoc a n0 -> l2
      l2:
        e1: assume a <= 1000i32 -> l3
      l3:
        e2: r := call f(a) -> l4
      l4:
        e3: assume {condition} -> l5
        e4: assume !({condition}) -> l6
      l5:
        e5: return -> l1
      l6: error assertion "it holds"
      l1:
    }}
    proc p1 f(v3 n: i32) -> i32 entry l0 exit l1 {{
      local v4 m: i32
      l0:
        e0: assume n <= 0i32 -> l2
        e1: assume n > 0i32 -> l3
      l2:
        e2: return 0i32 -> l1
      l3:
        e3: g := n -> l4
      l4:
        e4: m := call f(n - 1i32) -> l5
      l5:
        e5: assume m >= 2i32 -> l6
        e6: assume m < 2i32 -> l7
      l6:
        e7: return 2i32 -> l1
      l7:
        e8: return m + 1i32 -> l1
      l1:
    }}"#
    );
    program::testing::parse(&text)
}

#[test]
fn contracts_keep_what_callers_rest_on() {
    const CONTRACT: &str = "(and (<= 0 result) (<= result 2) (<= result 2147483647)
        (<= g 1000) (or (= g g0) (<= g n0))
        (or (and (= result 0) (<= n0 0)) (and (<= 1 result) (<= 1 n0) (<= result n0))))";
    const CALLED: &str = "(and (<= n 1000) (<= g 1000))";
    let rows = [
        ("r <= 2i32", "true", "(<= result 2)"),
        (
            "g <= 1000i32",
            "(and (<= n 1000) (<= g 1000))",
            "(<= g 1000)",
        ),
        (
            "(r <= a) | (r == 0i32)",
            "true",
            "(or (= result 0) (<= result n0))",
        ),
    ];
    for (condition, called, contract) in rows {
        let program = recursion(condition);
        let f = ProcId::from_index(1);
        let [entry, exit] = [0, 1].map(|at| (f, LocationId::from_index(at)));
        let mut store = TermStore::new();
        let names = program.vars.iter();
        let vars = names.map(|var| store.new_symbol(&var.name, Sort::Int));
        let vars = vars.collect();
        let ghosts = ["n", "g"].map(|name| Ghost {
            name: format!("$entry.{name}"),
            symbol: store.new_symbol(&format!("{name}0"), Sort::Int),
            proc: f,
            initial: read::term(&mut store, name).expect("a variable"),
            updates: Default::default(),
        });
        let result = store.new_symbol("result", Sort::Int);
        let texts = [CALLED, CONTRACT, called, contract];
        let terms = texts.map(|text| read::term(&mut store, text).expect("a formula"));
        let proof = Inductive {
            inlined: None,
            store,
            vars,
            ghosts: ghosts.into(),
            labels: [(entry, terms[0]), (exit, terms[1])].into_iter().collect(),
            results: [(f, result)].into_iter().collect(),
        };
        let budget = Budget::unlimited();
        assert_eq!(proof.check(&program, &budget), Ok(()), "{condition}");
        let small = minimised(&program, &proof, &budget).expect("it says too much");
        assert_eq!(small.check(&program, &budget), Ok(()), "{condition}");
        let found = [entry, exit].map(|at| small.store.readable(small.labels[&at]));
        let expected = [terms[2], terms[3]].map(|term| small.store.readable(term));
        assert_eq!(found, expected, "{condition}");
    }
}
