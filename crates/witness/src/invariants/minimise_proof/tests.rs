//! Labels that say too much, and what is left of them.

use super::minimised;
use base::{Budget, Id};
use certify::Inductive;
use logic::{Sort, TermStore, read};
use program::ir::{LocationId, Program};

/// `x = 0; y = 50; while (x < 100) { if (x >= 50) y++; x++; } assert(CONDITION);`
fn two_phases(condition: &str) -> Program {
    let text = format!(
        r#"program ptr 8 entry main
    proc p0 main() entry l0 exit l1 {{
      local v0 x: i32
      local v1 y: i32
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
      l9: error assertion "it holds"
      l1:
    }}"#
    );
    program::testing::parse(&text)
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
        // No run comes to the second case.
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
