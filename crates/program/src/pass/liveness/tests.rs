//! Known live sets.

use super::*;
use crate::testing::parse;
use base::Id;

const LOOP: &str = r#"program ptr 8 entry main
global v0 g: i32 = 0i32
global v1 h: i32 = 0i32
site n0: nondet i32 "input"
site n1: uninitialized i32 "x"
proc p0 main() entry l0 exit l1 {
  local v2 x: i32
  local v3 y: u32
  local v4 n: i32
  l0:
    e0: havoc x n1 -> l2
  l2:
    e1: havoc n n0 -> l3
  l3:
    e2: y := 1u32 -> l4
  l4:
    e3: assume n > 0i32 -> l5
    e4: assume n <= 0i32 -> l8
  l5:
    e5: y := y + 1u32 -> l6
  l6:
    e6: x := n - 1i32 -> l7
  l7:
    e7: n := x -> l4
  l8:
    e8: call f() -> l9
  l9:
    e9: g := g + 1i32 -> l10
  l10:
    e10: return -> l1
  l1:
}
proc p1 f() entry l0 exit l1 {
  l0:
    e0: assume h == 0i32 -> l2
  l2:
    e1: return -> l1
  l1:
}
"#;

#[test]
fn live_at_known_places() {
    let program = parse(LOOP);
    let liveness = Liveness::new(&program);
    let names = |location: usize| {
        let live = liveness.live_at(program.entry, LocationId::from_index(location));
        live.iter()
            .map(|var| program.vars[var].name.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(0), ["g", "h"]);
    assert_eq!(names(4), ["g", "h", "y", "n"]);
    assert_eq!(names(7), ["g", "h", "x", "y"]);
    assert_eq!(names(8), ["g", "h"]);
    assert_eq!(names(9), ["g"]);
    assert_eq!(names(10), [""; 0]);
    let in_callee = liveness.live_at(ProcId::from_index(1), LocationId::from_index(2));
    assert_eq!(in_callee.len(), 2);
}
