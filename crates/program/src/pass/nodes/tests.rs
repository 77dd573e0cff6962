//! Which nodes are numbered, and what is asserted about them.

use super::*;
use crate::testing::parse;
use crate::text::{Spans, print};

/// Pushes nodes onto a list, then follows it.
const LIST: &str = r#"program ptr 8 entry main
site n0: nondet i32 "v"
site n1: contents u8 "malloc"
proc p0 main() entry l0 exit l1 {
  local v0 head: ptr
  local v1 new: ptr
  local v2 v: i32
  l0:
    e0: head := null -> l2
  l2:
    e1: havoc v n0 -> l3
  l3:
    e2: assume v > 0i32 -> l4
    e3: assume v <= 0i32 -> l8
  l4:
    e4: new := library malloc(16u64) contents n1 -> l5
  l5:
    e5: i32[new] := v -> l6
  l6:
    e6: ptr[new ++ 8i64] := head -> l7
  l7:
    e7: head := new -> l2
  l8:
    e8: assume head != null -> l9
    e9: assume head == null -> l11
  l9:
    e10: v := i32[head] -> l10
  l10:
    e11: head := ptr[head ++ 8i64] -> l8
  l11:
    e12: return -> l1
  l1:
}
"#;

fn numbered_text(text: &str) -> Option<String> {
    let program = numbered(&parse(text), u64::MAX)?;
    Some(print(&program, Spans::Omit))
}

#[test]
fn a_list_becomes_arrays() {
    let text = numbered_text(LIST).expect("there should be nodes");
    for part in [
        "new: i64",
        "$nodes := $nodes + 1i64",
        "new := $nodes",
        "head := $node",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    for part in ["malloc(", "ptr["] {
        assert!(!text.contains(part), "`{part}` in\n{text}");
    }
}

#[test]
fn what_is_known_of_a_link_is_said() {
    let text = numbered_text(LIST).expect("there should be nodes");
    assert!(text.contains("assume $node < head"), "{text}");
    // Where a link is set once more, there may be circles.
    let again = LIST.replace("v := i32[head]", "ptr[head ++ 8i64] := head");
    let text = numbered_text(&again).expect("there should be nodes");
    assert!(!text.contains("assume $node < head"), "{text}");
    assert!(text.contains("$node <= $nodes"), "{text}");
}

#[test]
fn a_field_that_is_read_before_it_is_set_is_anything() {
    let text = numbered_text(LIST).expect("there should be nodes");
    assert!(!text.contains("indeterminate"), "{text}");
    let early = LIST.replace("i32[new] := v", "v := i32[new]");
    let text = numbered_text(&early).expect("there should be nodes");
    assert!(text.contains("indeterminate"), "{text}");
}

#[test]
fn other_pointers_stay() {
    let refused = [
        // A link that is not set.
        LIST.replace("ptr[new ++ 8i64] := head", "skip"),
        // An address that is looked at.
        LIST.replace("v := i32[head]", "v := i32(u64(head))"),
        // An access to a part of a field.
        LIST.replace("v := i32[head]", "v := i32(i16[head])"),
        // A size that is none of a node.
        LIST.replace("malloc(16u64)", "malloc(u64(v))"),
        LIST.replace("malloc(16u64)", "malloc(12u64)"),
        // Nodes that are freed, and compared: an address may come again.
        LIST.replace("v := i32[head]", "library free(new)")
            .replace("assume v > 0i32", "assume head == new")
            .replace("assume v <= 0i32", "assume head != new"),
    ];
    for text in refused {
        assert_eq!(numbered_text(&text), None, "{text}");
    }
}
