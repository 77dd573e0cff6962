//! Which procedures are called, and what becomes of other addresses.

use super::*;
use crate::testing::parse;
use crate::text::{Spans, print};

/// A program whose entry calls through `p`, which is set before by some text.
fn program(set: &str) -> Program {
    parse(&format!(
        r#"program ptr 8 entry main
global v0 p: ptr = null
global v1 number: i64 = 7i64
object o0 table: 16 align 8 = "00000000000000000000000000000000" [0: &one, 8: &other]
site n0: external ptr "get"
site n1: uninitialized ptr "p"
site n2: outside u8 "bytes"

proc p0 main() entry l0 exit l1 {{
  local v2 r: i32
  l0:
    e0: {set} -> l2
  l1:
  l2:
    e1: r := call *(p)() -> l3
  l3:
    e2: return -> l1
}}
proc p1 one() -> i32 entry l0 exit l1 {{
  l0:
    e0: return 1i32 -> l1
  l1:
}}
proc p2 two() -> i32 entry l0 exit l1 {{
  l0:
    e0: return 2i32 -> l1
  l1:
}}
proc p3 other(v3 x: i32) entry l0 exit l1 {{
  local v4 q: ptr
  l0:
    e0: q := &two -> l2
  l1:
  l2:
    e1: return -> l1
}}
"#
    ))
}

/// The names of those called directly, and what is not known.
fn called(program: &Program) -> (Vec<&str>, Vec<&str>) {
    let (mut names, mut unknown) = (Vec::new(), Vec::new());
    for edge in program.procs[program.entry].edges.iter() {
        match &edge.op {
            Op::Call(call) => match call.callee {
                Callee::Proc(callee) => names.push(&*program.procs[callee].name),
                Callee::Pointer(_) => names.push("*"),
                Callee::Library(_) => {}
            },
            Op::Unsupported(what) => unknown.push(&**what),
            _ => {}
        }
    }
    (names, unknown)
}

#[test]
fn calls_what_fits_and_may_be_held() {
    let from = "a call of a function that is not known: its address comes from";
    let (get, number) = (format!("{from} `get`"), format!("{from} a number"));
    let local = format!("{from} `p`, which is not initialised");
    let table = [
        ("p := &two", vec!["two"], None),
        ("p := &other", vec![], None),
        ("p := null", vec![], None),
        ("skip", vec![], None),
        ("havoc p n1", vec![], Some(&local)),
        // What memory holds is not looked into.
        ("p := ptr[&table]", vec!["one", "two"], None),
        ("havoc p n0", vec!["one", "two"], Some(&get)),
        ("p := ptr(number)", vec!["one", "two"], Some(&number)),
    ];
    for (set, names, unknown) in table {
        let program = program(set);
        let directed = direct_calls(&program);
        let (found, why) = called(&directed.program);
        assert_eq!(found, names, "{set}");
        let unknown: Vec<&str> = unknown.into_iter().map(|text| &**text).collect();
        assert_eq!(why, unknown, "{set}");
    }
}

#[test]
fn inputs_and_unknown_addresses_pass_through_memory() {
    let through = [
        // What is stored anywhere may be read anywhere, and what such a pointer leads to is not known.
        ("havoc ptr[&table] n0", "p := ptr[&table ++ 8i64]"),
        ("havoc p n0", "p := ptr[p]"),
    ];
    for (first, then) in through {
        let text = print(&program(first), Spans::Omit);
        let text = text.replacen("-> l2\n", "-> l4\n", 1);
        let text = text.replacen("  l3:", &format!("  l4:\n    e3: {then} -> l2\n  l3:"), 1);
        let program = parse(&text);
        let directed = direct_calls(&program);
        assert_eq!(called(&directed.program).1.len(), 1, "{first}; {then}");
    }
    // Bytes hold nothing that the program does not have.
    let bytes = program("havoc u8[&table] n2");
    assert_eq!(called(&direct_calls(&bytes).program).1.len(), 0);
}

#[test]
fn every_new_edge_stands_for_the_call() {
    let program = program("p := ptr[&table]");
    let directed = direct_calls(&program);
    let (entry, old) = (program.entry, &program.procs[program.entry]);
    let new = &directed.program.procs[entry];
    assert!(new.edges.len() > old.edges.len() && new.locations.len() > old.locations.len());
    let call = old.edges.ids().nth(1).unwrap();
    for (id, edge) in new.edges.iter_enumerated() {
        let origin = directed.edges[entry][id];
        match old.edges.get(id) {
            Some(row) => assert_eq!((origin, edge.source), (id, row.source)),
            None => assert_eq!((origin, edge.span), (call, old.edges[call].span)),
        }
    }
}

#[test]
fn too_many_are_left_alone() {
    let mut text = print(&program("p := ptr[&table]"), Spans::Omit);
    let mut uses = String::new();
    for index in 0..MOST {
        text.push_str(&format!(
            "proc p{} handler{index}() -> i32 entry l0 exit l1 {{\n  l0:\n    e0: return 3i32 -> l1\n  l1:\n}}\n",
            index + 4
        ));
        uses.push_str(&format!("{}: &handler{index}, ", 8 * index));
    }
    let object = format!("object o1 more: {} align 8 = \"\" [{uses}", 8 * MOST);
    let object = format!("{}]\nsite n0", object.trim_end_matches(", "));
    let program = parse(&text.replace("site n0", &object));
    assert_eq!(called(&direct_calls(&program).program).0, ["*"]);
}
