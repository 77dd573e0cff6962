//! Tests of the pass; `exec` tests it against the machine.

use super::*;
use crate::testing::parse;
use base::Id;

/// A loop that fills an array, a branch on an element, and an error; with a store before it.
fn program(store: &str) -> Program {
    parse(&format!(
        r#"program ptr 8 entry main
proc p0 main() entry l0 exit l1 {{
  local v0 i: i64
  local v1 p: ptr
  local v2 f: f32
  object o0 a: 400 align 4
  l0:
    e0: enter a -> l2
  l2:
    e1: {store} -> l3
  l3:
    e2: i := 0i64 -> l4
  l4:
    e3: assume i < 100i64 -> l5
    e4: assume i >= 100i64 -> l6
  l5:
    e5: i32[&a ++ i * 4i64] := 7i32 -> l7
  l7:
    e6: i := i + 1i64 -> l4
  l6:
    e7: assume i32[&a ++ 12i64] == 7i32 -> l8
    e8: assume i32[&a ++ 12i64] != 7i32 -> l9
  l8:
    e9: return -> l1
  l9: error assertion "not seven"
  l1:
}}
"#
    ))
}

#[test]
fn only_arrays_whose_uses_are_all_known() {
    let cases = [
        ("skip", true),
        ("i32[&a] := 1i32", true),
        ("i := i64(i32[&a ++ 8i64])", true),
        // Its address goes somewhere.
        ("p := &a", true),
        ("ptr[p] := &a", false),
        ("i32[p] := 1i32", true),
        // Elements are not what they are elsewhere.
        ("i16[&a] := 1i16", false),
        ("f32[&a] := f", false),
        ("i32[&a ++ 2i64] := 1i32", false),
        ("i32[&a ++ i * 2i64] := 1i32", false),
        ("i32[&a ++ i * 8i64] := 1i32", true),
    ];
    for (store, expected) in cases {
        let arrays = Arrays::new(&program(store));
        let is_known = arrays
            .elements
            .contains_key(&Array::Object(ObjectId::from_index(0)));
        assert_eq!(is_known, expected, "{store}");
    }
}

fn cells(array: usize, choice: (usize, usize, usize)) -> Cells {
    let (at, index, var) = choice;
    let linear = Linear {
        terms: BTreeMap::from([(VarId::from_index(var), 1)]),
        constant: 0,
    };
    Cells {
        indices: 1,
        cells: vec![Cell {
            array: Array::Object(ObjectId::from_index(array)),
            index: 0,
            shift: 0,
        }],
        choices: BTreeMap::from([(LocationId::from_index(at), vec![(index, linear)])]),
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let arrays = Arrays::new(&program("skip"));
    assert!(arrays.with_cells(&cells(0, (9, 0, 0))).is_ok());
    let wrong = [
        // No such array, location or index.
        cells(1, (9, 0, 0)),
        cells(0, (8, 0, 0)),
        cells(0, (77, 0, 0)),
        cells(0, (9, 1, 0)),
        // An address is no index, and what is not there is none.
        cells(0, (9, 0, 1)),
        cells(0, (9, 0, 99)),
    ];
    for cells in wrong {
        assert!(arrays.with_cells(&cells).is_err(), "{cells:?}");
    }
}

#[test]
fn errors_alone_get_assumptions_about_choices() {
    let arrays = Arrays::new(&program("skip"));
    let with_cells = arrays.with_cells(&cells(0, (9, 0, 0)));
    let with_cells = with_cells.expect("the cells should be right");
    let procedure = &with_cells.procs[with_cells.entry];
    let error = LocationId::from_index(9);
    let into: Vec<EdgeId> = procedure.incoming()[error].clone();
    assert_eq!(into.len(), 1);
    let Edge { source, op, .. } = &procedure.edges[into[0]];
    assert!(matches!(op, Op::Assume(_)));
    // Elsewhere the two sides of a branch are beside each other.
    for (at, row) in procedure.locations.iter_enumerated() {
        let assumes = |&&edge: &&EdgeId| {
            let op = &procedure.edges[edge].op;
            matches!(op, Op::Assume(_)) && op.read().iter().any(|var| var.index() == 3)
        };
        let count = row.out.iter().filter(assumes).count();
        let is_start = procedure
            .successors(at)
            .any(|next| next == arrays.program.procs[with_cells.entry].entry);
        assert!(count != 1 || at == *source || is_start, "{at:?}");
    }
}
