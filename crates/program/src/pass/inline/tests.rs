//! Copies are correct and record where they come from.

use super::*;
use crate::testing::parse;
use crate::text::Printer;
use crate::validate::validate;

const NESTED: &str = r#"program ptr 8 entry main
proc p0 main() -> i32 entry l0 exit l1 {
  local v0 r: i32
  l0:
    e0: r := call f(1i32, 2i32) -> l2
  l2:
    e1: call f(r, r) -> l3
  l3:
    e2: r := call rec(r) -> l4
  l4:
    e3: return r -> l1
  l1:
}
proc p1 f(v1 a: i32, v2 b: i32) -> i32 entry l0 exit l1 {
  object o0 buf: 4 align 4
  l0:
    e0: enter buf -> l2
  l2:
    e1: i32[&buf] := a -> l3
  l3:
    e2: call g() -> l4
  l4:
    e3: return i32[&buf] + b -> l1
  l1:
}
proc p2 g() entry l0 exit l1 {
  l0:
    e0: assume true -> l2
  l2:
    e1: return -> l1
  l1:
}
proc p3 rec(v3 n: i32) -> i32 entry l0 exit l1 {
  local v4 m: i32
  l0:
    e0: m := call rec(n - 1i32) -> l2
  l2:
    e1: return m -> l1
  l1:
}
"#;

/// The ops along the only path from the entry.
fn path(program: &Program) -> Vec<String> {
    let printer = Printer::new(program);
    let procedure = &program.procs[program.entry];
    let (mut at, mut ops) = (procedure.entry, Vec::new());
    while let [edge] = procedure.locations[at].out[..] {
        let edge = &procedure.edges[edge];
        ops.push(printer.op(&edge.op));
        at = edge.target;
    }
    ops
}

#[test]
fn nested_calls_become_one_path() {
    let program = parse(NESTED);
    let (result, origins) = inline_calls(&program, InlineLimit::default());
    assert_eq!(validate(&result), []);
    let copy = |a: &str, b: &str, buf: &str, ret: &str| {
        [
            "enter BUF",
            "i32[&BUF] := A",
            "skip",
            "assume true",
            "skip",
            "RET := i32[&BUF] + B",
            "leave BUF",
        ]
        .map(|op| {
            let op = op.replace("BUF", buf).replace("RET", ret);
            op.replace(":= A", &format!(":= {a}"))
                .replace("+ B", &format!("+ {b}"))
        })
    };
    let found = path(&result);
    assert_eq!(found[..2], ["a.v5 := 1i32", "b.v6 := 2i32"]);
    assert_eq!(found[2..9], copy("a.v5", "b.v6", "buf.o1", "r"));
    assert_eq!(found[9..11], ["a.v7 := r", "b.v8 := r"]);
    assert_eq!(found[11..18], copy("a.v7", "b.v8", "buf.o2", "$unused"));
    assert_eq!(found[18..], ["r := call rec(r)", "return r"]);
    // The inner call's chain leads through both outer ones.
    let main = &result.procs[result.entry];
    let chains: Vec<String> = (main.edges.iter())
        .filter(|edge| edge.op == Op::Assume(Expr::bool(true)))
        .map(|edge| {
            let inner = &result.inlines[edge.inlined.unwrap()];
            let outer = &result.inlines[inner.parent.unwrap()];
            assert_eq!(outer.parent, None);
            format!("{} in {}", inner.callee, outer.callee)
        })
        .collect();
    assert_eq!(chains, ["g in f", "g in f"]);
    assert_eq!(origins.vars.len(), result.vars.len());
}

#[test]
fn the_budget_holds() {
    let program = parse(NESTED);
    let (result, _) = inline_calls(
        &program,
        InlineLimit {
            edges: 0,
            ..InlineLimit::default()
        },
    );
    assert_eq!(result, program);
}
