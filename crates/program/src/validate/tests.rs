//! Each rule, violated once.

use super::*;

const GOOD: &str = r#"program ptr 8 entry main
global v0 g: i32 = 1i32
object o0 tab: 8 align 8 = "00" [0: &tab]
site n0: nondet i32 "input"
proc p0 main() -> i32 entry l0 exit l1 {
  local v1 x: i32
  local v2 p: ptr
  object o1 buf: 4 align 4
  l0:
    e0: havoc x n0 -> l2
  l1:
  l2:
    e1: assume x < 3i32 -> l3
    e2: assume x >= 3i32 -> l4
  l3: error assertion "no"
  l4:
    e3: x := call f(x, 2u8) -> l5
  l5:
    e4: p := library malloc(8u64) -> l6
  l6:
    e5: exit 1i32 -> l7
  l7:
}
proc p1 f(v3 a: i32, v4 b: u8) -> i32 entry l0 exit l1 {
  l0:
    e0: return a + i32(b) -> l1
  l1:
}
"#;

fn problems(text: &str) -> Vec<String> {
    let program = crate::testing::parse(text);
    validate(&program).iter().map(Problem::to_string).collect()
}

#[test]
fn a_good_program_has_no_problems() {
    assert_eq!(problems(GOOD), [""; 0]);
}

/// Each change breaks exactly one rule.
#[test]
fn every_broken_rule_is_found_at_its_place() {
    let table = [
        ("= 1i32", "= 1u8", "v0 has an initial value of type u8"),
        (
            "local v1 x: i32",
            "local v1 x: i32 = 0i32",
            "local v1 has an initial value",
        ),
        ("g: i32 = 1i32", "g: i32", "v0 has no initial value"),
        ("align 8", "align 6", "o0 is aligned to 6"),
        (
            "[0: &tab]",
            "[4: &tab]",
            "an address in o0 does not fit at 4",
        ),
        (
            "tab: 8 align 8 = \"00\"",
            "tab: 8 align 8 = \"000000000000000000\"",
            "o0 has more initial bytes than bytes",
        ),
        (
            "nondet i32",
            "nondet u32",
            "p0 e0 the site has another type than the place",
        ),
        (
            "assume x < 3i32",
            "assume x",
            "p0 e1 the condition has type i32, not bool",
        ),
        (
            "assume x >= 3i32",
            "assume x > 3i32",
            "p0 l2 should have one edge, or two that assume opposites",
        ),
        (
            "x < 3i32",
            "x < 3u8",
            "p0 e1 Lt of i32 on operands of type i32, u8",
        ),
        (
            "call f(x, 2u8)",
            "call f(x)",
            "p0 e3 the call should have 2 arguments",
        ),
        (
            "call f(x, 2u8)",
            "call f(x, 2i8)",
            "p0 e3 argument 1 should have type u8",
        ),
        (
            "p := library",
            "x := library",
            "p0 e4 the result should have the type returned",
        ),
        (
            "return a + i32(b)",
            "return",
            "p1 e0 a return should have a value where the procedure has one",
        ),
        (
            "return a + i32(b)",
            "return b",
            "p1 e0 the value returned has type u8, not i32",
        ),
        ("exit 1i32", "skip", "p0 l7 runs get stuck here"),
        (
            "-> l7",
            "-> l1",
            "p0 l1 returns and nothing else should lead to the exit",
        ),
        ("-> l7", "-> l0", "p0 l0 an edge leaves where a run ends"),
        ("exit 1i32", "enter tab", "p0 e5 o0 is no local object"),
        (
            "i32(b)",
            "bool(b)",
            "p1 e0 a cast to bool on operands of type u8",
        ),
        (
            "i32(b)",
            "i32[b]",
            "p1 e0 a load of i32 on operands of type u8",
        ),
        (
            "entry main",
            "entry f",
            "the entry procedure should have no parameters",
        ),
    ];
    for (old, new, expected) in table {
        let found = problems(&GOOD.replacen(old, new, 1));
        assert!(
            found.iter().any(|problem| problem == expected),
            "{new}: {found:?}"
        );
    }
}

#[test]
fn ids_out_of_range_are_problems_not_panics() {
    use base::Id;
    let mut program = Program::new(8);
    assert_eq!(validate(&program).len(), 1);
    let mut procedure = Procedure::new("main", None, Span::NONE);
    let (entry, exit) = (procedure.entry, procedure.exit);
    let far = Expr::Var(VarId::from_index(9));
    procedure.add_edge(entry, exit, Op::Return(Some(far)), Span::NONE);
    procedure.params.push(VarId::from_index(3));
    procedure
        .edges
        .iter_mut()
        .for_each(|edge| edge.inlined = Some(InlineId::from_index(1)));
    program.procs.push(procedure);
    assert_eq!(validate(&program).len(), 4);
    program.procs[program.entry].exit = LocationId::from_index(5);
    assert!(!validate(&program).is_empty());
    program.pointer_bytes = 77;
    assert_eq!(validate(&program).len(), 1);
}
