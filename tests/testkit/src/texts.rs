//! Programs in the text form that several tests look at.

use program::testing::main_text;

/// A loop that adds two to `x` as long as an input says so, with an error where `condition` holds
/// after it. The head is location 2, the error 6; the variable of `x` is 1.
pub fn twos(condition: &str, opposite: &str) -> String {
    main_text(
        "n: i32, x: i32",
        &format!(
            r#"
          l0:
            e0: x := 0i32 -> l2
          l2:
            e1: havoc n n0 -> l3
          l3:
            e2: assume n > 0i32 -> l4
            e3: assume n <= 0i32 -> l5
          l4:
            e4: x := x + 2i32 -> l2
          l5:
            e5: assume {condition} -> l6
            e6: assume {opposite} -> l7
          l6: error assertion "x"
          l7:
            e7: return -> l1"#
        ),
    )
}

/// `for (i = 0; i < 10; i++); assert(i == bound);`. The head is location 2, the error 6.
pub fn counting_to_ten(bound: i32) -> String {
    main_text(
        "i: i32",
        &format!(
            r#"
          l0:
            e0: i := 0i32 -> l2
          l2:
            e1: assume i < 10i32 -> l3
            e2: assume i >= 10i32 -> l4
          l3:
            e3: i := i + 1i32 -> l2
          l4:
            e4: assume i == {bound}i32 -> l5
            e5: assume i != {bound}i32 -> l6
          l5:
            e6: return -> l1
          l6: error assertion "i == {bound}""#
        ),
    )
}

/// A procedure that counts from its argument down to zero and back, but for `odd_one`, where it
/// counts twice, and a `main` that calls it for any number `n` up to ten, with an error where
/// `wrong` holds of the count `r`.
pub fn counting_down(odd_one: i64, wrong: &str, opposite: &str) -> String {
    format!(
        r#"program ptr 8 entry main
        site n0: nondet i32 "__VERIFIER_nondet_int"
        proc p0 main() entry l0 exit l1 {{
          local v0 n: i32
          local v1 r: i32
          l0:
            e0: havoc n n0 -> l2
          l2:
            e1: assume (n >= 0i32) & (n <= 10i32) -> l3
            e2: assume !((n >= 0i32) & (n <= 10i32)) -> l6
          l3:
            e3: r := call down(n) -> l4
          l4:
            e4: assume {opposite} -> l6
            e5: assume {wrong} -> l5
          l5: error assertion "r"
          l6:
            e6: return -> l1
          l1:
        }}
        proc p1 down(v2 m: i32) -> i32 entry l0 exit l1 {{
          local v3 s: i32
          l0:
            e0: assume m <= 0i32 -> l2
            e1: assume m > 0i32 -> l3
          l2:
            e2: return 0i32 -> l1
          l3:
            e3: s := call down(m - 1i32) -> l4
          l4:
            e4: assume m == {odd_one}i32 -> l5
            e5: assume m != {odd_one}i32 -> l6
          l5:
            e6: return s + 2i32 -> l1
          l6:
            e7: return s + 1i32 -> l1
          l1:
        }}"#
    )
}

/// A loop in which `y` only feeds itself; `x` is set before it is read, `h` is read by a callee.
pub const DEAD_AND_LIVE: &str = r#"program ptr 8 entry main
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
