//! Runs of small programs: memory, calls, the library, limits, and what is said at the end.

mod ir;

use base::{Budget, Id};
use exec::inputs::{ListInputs, ZeroInputs};
use exec::{Coverage, End, Limits, Machine, Target, UndefinedKind, Value, Watch};
use ir::{assert_undefined, end, limits, read, run, straight};
use logic::{IntType, IntValue};
use program::expr::Constant;
use program::ir::{EdgeId, ProcId};

const FACTORIAL: &str = "\
program ptr 8 entry main
proc p0 main() -> i32 entry l0 exit l1 {
  local v0 x: i32
  l0:
    e0: x := call f(12i32) -> l2
  l2:
    e1: return x % 1000i32 -> l1
  l1:
}
proc p1 f(v1 n: i32) -> i32 entry l0 exit l1 {
  local v2 rest: i32
  object o0 cell: 4 align 4
  l0:
    e0: enter cell -> l2
  l2:
    e1: i32[&cell] := n -> l3
  l3:
    e2: assume n > 1i32 -> l4
    e3: assume n <= 1i32 -> l5
  l4:
    e4: rest := call f(n - 1i32) -> l6
  l6:
    e5: return rest * i32[&cell] -> l1
  l5:
    e6: return 1i32 -> l1
  l1:
}
";

#[test]
fn recursion_keeps_locals_and_objects_apart() {
    assert_eq!(end(&read(FACTORIAL)), End::Exited(479_001_600 % 1000));
}

/// An object of 8 bytes that lives 1000 times; `first` is its address in the first life.
const MANY_LIVES: &str = "\
program ptr 8 entry main
proc p0 main() -> i32 entry l0 exit l1 {
  local v0 n: i32
  local v1 first: ptr
  local v2 seen: i32
  object o0 cell: 8 align 8
  l0:
    e0: enter cell -> l2
  l2:
    e1: first := &cell -> l3
  l3:
    e2: seen := seen | i32[&cell] -> l4
  l4:
    e3: i32[&cell] := 1i32 -> l5
  l5:
    e4: leave cell -> l6
  l6:
    e5: n := n + 1i32 -> l7
  l7:
    e6: assume n < 1000i32 -> l8
    e7: assume n >= 1000i32 -> l9
  l8:
    e8: enter cell -> l3
  l9:
    e9: return seen -> l1
  l1:
}
";

#[test]
fn an_object_that_comes_again_is_new() {
    assert_eq!(end(&read(MANY_LIVES)), End::Exited(0));
    let dangling = MANY_LIVES.replace("return seen", "return i32[first]");
    let End::Undefined(undefined) = end(&read(&dangling)) else {
        panic!("an access to an object of an earlier life should fail");
    };
    assert_eq!(undefined.kind, UndefinedKind::InvalidRead);
}

#[test]
fn a_failure_names_its_place_and_the_calls_around_it() {
    let text = FACTORIAL.replace("12i32", "13i32");
    let program = read(&text);
    let run = run(&program, &[]);
    let End::Undefined(undefined) = &run.end else {
        panic!("{:?}", run.end);
    };
    assert_eq!(undefined.kind, UndefinedKind::SignedOverflow);
    assert_eq!(undefined.message, "479001600 * 13 does not fit in i32");
    let f = ProcId::from_index(1);
    assert_eq!(run.at, Some((f, EdgeId::from_index(5))));
    assert_eq!(run.stack.len(), 1);
    assert_eq!(run.stack[0].0, program.entry);
    assert_ne!(run.span, base::Span::NONE);
}

#[test]
fn deep_recursion_meets_a_limit() {
    let program = read(&FACTORIAL.replace("call f(n - 1i32)", "call f(n)"));
    let run = run(&program, &[]);
    assert_eq!(run.end, End::OutOfBudget("10000 activations".to_owned()));
    assert_eq!(run.stack.len(), 9999);
}

#[test]
fn invalid_accesses_are_said_exactly() {
    let int = "local v0 p: ptr\nlocal v1 x: i32";
    let globals = "object o0 a: 40 align 4\nobject o1 text: 3 align 1 readonly = \"686900\"";
    use UndefinedKind::{InvalidFree, InvalidRead, InvalidWrite, Overlap, PointerDifference};
    let cases: &[(&[&str], UndefinedKind, &str)] = &[
        (
            &["x := i32[&a ++ 40i64]"],
            InvalidRead,
            "read of 4 bytes at offset 40 of `a`, which has 40 bytes",
        ),
        (
            &["x := i32[&a ++ 38i64]"],
            InvalidRead,
            "read of 4 bytes at offset 38 of `a`, which has 40 bytes",
        ),
        (
            &["i8[&a ++ -1i64] := 1i8"],
            InvalidWrite,
            "write of 1 byte at offset -1 of `a`, which has 40 bytes",
        ),
        (
            &["p := null", "x := i32[p]"],
            InvalidRead,
            "read of 4 bytes through a null pointer",
        ),
        (
            &["u8[&text] := 1u8"],
            InvalidWrite,
            "write of 1 byte at offset 0 of `text`, which is read-only",
        ),
        (
            &[
                "p := library malloc(8u64)",
                "library free(p)",
                "x := i32[p ++ 4i64]",
            ],
            InvalidRead,
            "read of 4 bytes at offset 4 of heap object #1, which was freed",
        ),
        (
            &[
                "p := library malloc(8u64)",
                "library free(p)",
                "library free(p)",
            ],
            InvalidFree,
            "free of heap object #1, which was freed before",
        ),
        (
            &["p := library malloc(8u64)", "library free(p ++ 1i64)"],
            InvalidFree,
            "free of offset 1 of heap object #1, not its start",
        ),
        (
            &["library free(&a)"],
            InvalidFree,
            "free of `a`, which is not from the heap",
        ),
        (
            &["p := library memcpy(&a, &a ++ 4i64, 8u64)"],
            Overlap,
            "memcpy of 8 bytes between places 4 bytes apart",
        ),
        (
            &["x := i32(&a -- &text)"],
            PointerDifference,
            "difference of addresses of two objects: 0x180000000 and 0x280000000",
        ),
    ];
    for (ops, kind, message) in cases {
        let ops: Vec<&str> = ops.iter().copied().chain(["return 0i32"]).collect();
        assert_undefined(&straight(8, globals, int, &ops), *kind, message);
    }
}

#[test]
fn dead_locals_are_noticed() {
    let program = straight(
        8,
        "",
        "local v0 p: ptr\nlocal v1 x: i32\nobject o0 a: 4 align 4",
        &[
            "enter a",
            "p := &a",
            "i32[&a] := 5i32",
            "leave a",
            "enter a",
            "x := i32[&a]",
            "x := i32[p]",
            "return x",
        ],
    );
    let run = run(&program, &[]);
    assert!(
        matches!(&run.end, End::Undefined(undefined) if undefined.kind == UndefinedKind::InvalidRead),
        "{:?}",
        run.end
    );
    assert_eq!(run.at.map(|(_, edge)| edge), Some(EdgeId::from_index(6)));
}

#[test]
fn addresses_of_32_bits_work_too() {
    let globals = "object o0 a: 40 align 4 = \"\" [8: &a + 12]\nobject o1 b: 300 align 8";
    let locals = "local v0 p: ptr\nlocal v1 x: i32\nlocal v2 n: i32";
    let program = straight(
        4,
        globals,
        locals,
        &[
            "p := ptr[&a ++ 8i32]",
            "i32[p] := 7i32",
            "x := i32[&a ++ 12i32]",
            "p := library malloc(1000u32)",
            "i32[p ++ 996i32] := x",
            "n := p ++ 1000i32 -- p",
            "p := ptr(u32(p) + 996u32)",
            "return i32[p] + n",
        ],
    );
    assert_eq!(end(&program), End::Exited(1007));
    let cases = [
        (
            "x := i32[&a ++ 40i32]",
            "read of 4 bytes at offset 40 of `a`, which has 40 bytes",
        ),
        (
            "x := i32[&b ++ 297i32]",
            "read of 4 bytes at offset 297 of `b`, which has 300 bytes",
        ),
        (
            "x := i32[&b ++ -4i32]",
            "read of 4 bytes at offset -4 of `b`, which has 300 bytes",
        ),
    ];
    for (op, message) in cases {
        let program = straight(4, globals, locals, &[op, "return 0i32"]);
        assert_undefined(&program, UndefinedKind::InvalidRead, message);
    }
}

#[test]
fn many_objects_come_and_go() {
    for ptr in [4u8, 8] {
        let text = format!(
            "program ptr {ptr} entry main
            proc p0 main() -> i32 entry l0 exit l1 {{
              local v0 i: i32
              local v1 p: ptr
              object o0 x: 8 align 8
              l0:
                e0: i := 0i32 -> l2
              l2:
                e1: assume i < 100000i32 -> l3
                e2: assume i >= 100000i32 -> l8
              l3:
                e3: enter x -> l4
              l4:
                e4: p := library malloc({size}) -> l5
              l5:
                e5: i32[p] := i + i32[&x] -> l6
              l6:
                e6: library free(p) -> l7
              l7:
                e7: i := i + 1i32 -> l2
              l8:
                e8: return 0i32 -> l1
              l1:
            }}",
            size = if ptr == 8 { "100u64" } else { "100u32" },
        );
        assert_eq!(end(&read(&text)), End::Exited(0), "{ptr}");
    }
}

#[test]
fn calls_by_address_check_what_they_call() {
    let program = |call: &str| {
        read(&format!(
            "program ptr 8 entry main
            object o0 table: 16 align 8 = \"\" [0: &f, 8: &g]
            proc p0 main() -> i32 entry l0 exit l1 {{
              local v0 x: i32
              local v1 p: ptr
              l0:
                e0: p := ptr[&table ++ 8i64] -> l2
              l2:
                e1: {call} -> l3
              l3:
                e2: return x -> l1
              l1:
            }}
            proc p1 f(v2 a: i32) -> i32 entry l0 exit l1 {{
              l0:
                e0: return a + 1i32 -> l1
              l1:
            }}
            proc p2 g(v3 b: i64) entry l0 exit l1 {{
              l0:
                e0: return -> l1
              l1:
            }}
            proc p3 h(v4 c: i32) -> i32 entry l0 exit l1 {{
              l0:
                e0: return c -> l1
              l1:
            }}"
        ))
    };
    assert_eq!(
        end(&program("x := call *(ptr[&table])(41i32)")),
        End::Exited(42)
    );
    let invalid = |call: &str, message: &str| {
        assert_undefined(&program(call), UndefinedKind::InvalidCall, message);
    };
    invalid("x := call *(null)(1i32)", "call through a null pointer");
    invalid(
        "x := call *(p)(1i32)",
        "call through a pointer of another type than the function's: \
         called with (i32), takes (i64) and returns nothing",
    );
    invalid(
        "x := call *(ptr[&table] ++ 1i64)(1i32)",
        "call of the address 0x80000080000011, where no function is",
    );
    // The address of `h` was never taken, so no pointer has it.
    invalid(
        "x := call *(p ++ 16i64)(1i32)",
        "call of the address 0x80000080000030, where no function is",
    );
}

#[test]
fn printf_prints() {
    let mut ops = vec!["enter va".to_owned()];
    let args = [
        "i32[&va] := -5i32",
        "f64[&va ++ 16i64] := 2.5f64",
        "ptr[&va ++ 32i64] := &text",
    ];
    ops.extend(args.map(str::to_owned));
    ops.push("x := library printf(&format, ...&va)".to_owned());
    ops.push("x := library puts(&text)".to_owned());
    ops.push("x := library putchar(33i32)".to_owned());
    ops.push("return 0i32".to_owned());
    let ops: Vec<&str> = ops.iter().map(String::as_str).collect();
    let hex = |text: &str| -> String { text.bytes().map(|byte| format!("{byte:02x}")).collect() };
    let format = "[%5d|%-8.2f|%.2s|%%]\n\0";
    let globals = format!(
        "object o0 format: {} align 1 = \"{}\"\nobject o1 text: 4 align 1 = \"{}\"",
        format.len(),
        hex(format),
        hex("abc\0")
    );
    let program = straight(
        8,
        &globals,
        "local v0 x: i32\nobject o2 va: 48 align 8",
        &ops,
    );
    let run = run(&program, &[]);
    assert_eq!(run.end, End::Exited(0));
    assert_eq!(
        String::from_utf8_lossy(&run.output),
        "[   -5|2.50    |ab|%]\nabc\n!"
    );
}

#[test]
fn limits_end_a_run() {
    let program = read(
        "program ptr 8 entry main
        proc p0 main() -> i32 entry l0 exit l1 {
          local v0 p: ptr
          l0:
            e0: p := library malloc(1000000u64) -> l0
          l1:
        }",
    );
    let machine = Machine::new(&program);
    let end = |limits: &Limits, budget: &Budget| machine.run(&mut ZeroInputs, limits, budget).end;
    let unlimited = Budget::unlimited();
    let few_steps = Limits {
        steps: 100,
        ..limits()
    };
    assert_eq!(
        end(&few_steps, &unlimited),
        End::OutOfBudget("100 steps".to_owned())
    );
    assert!(
        matches!(end(&limits(), &unlimited), End::OutOfBudget(what) if what.starts_with("memory"))
    );
    unlimited.cancel();
    assert_eq!(
        end(&limits(), &unlimited),
        End::OutOfBudget("cancelled".to_owned())
    );
}

const INPUT: &str = "\
program ptr 8 entry main
site n0: nondet u8 \"x\"
proc p0 main() -> i32 entry l0 exit l1 {
  local v0 x: u8
  local v1 n: i32
  l0:
    e0: n := 0i32 -> l2
  l2:
    e1: havoc x n0 -> l3
  l3:
    e2: assume x == 9u8 -> l4
    e3: assume x != 9u8 -> l5
  l4: error assertion \"x is 9\"
  l5:
    e4: n := n + 1i32 -> l6
  l6:
    e5: assume n < 4i32 -> l2
    e6: assume n >= 4i32 -> l7
  l7:
    e7: exit n -> l8
  l8:
  l1:
}
";

fn byte(value: i128) -> Constant {
    Constant::Int(IntValue::wrap(IntType::U8, value))
}

#[test]
fn inputs_are_taken_and_told() {
    let program = read(INPUT);
    let error = program
        .error_locations()
        .next()
        .map(|(proc, location, _)| (proc, location));
    let (proc, location) = error.expect("there should be an error location");
    let bad = run(&program, &[byte(1), byte(9), byte(3)]);
    assert_eq!(bad.end, End::Violated(proc, location));
    assert_eq!(bad.at, Some((proc, EdgeId::from_index(2))));
    assert_eq!(
        bad.inputs
            .iter()
            .map(|&(_, value)| value)
            .collect::<Vec<_>>(),
        [byte(1), byte(9)]
    );
    assert_eq!(run(&program, &[byte(1)]).end, End::OutOfInputs);
    assert_eq!(run(&program, &[byte(0); 4]).end, End::Exited(4));
}

#[derive(Default)]
struct Seen {
    edges: Vec<usize>,
    values: Vec<(usize, String)>,
}

impl Watch for Seen {
    fn edge(&mut self, _proc: ProcId, edge: EdgeId) {
        self.edges.push(edge.index());
    }
    fn wrote(&mut self, target: Target, value: Value) {
        if let (Target::Var(var), Value::Constant(value)) = (target, value) {
            self.values
                .push((var.index(), exec::value::describe_constant(value)));
        }
    }
}

#[test]
fn a_watch_sees_every_edge_and_value() {
    let program = read(INPUT);
    let machine = Machine::new(&program);
    let mut seen = Seen::default();
    let mut inputs = ListInputs::new([byte(1), byte(9)]);
    let watched = machine.run_watched(&mut inputs, &limits(), &Budget::unlimited(), &mut seen);
    assert!(matches!(watched.end, End::Violated(..)));
    assert_eq!(seen.edges, [0, 1, 3, 4, 5, 1, 2]);
    let values = [(1, "0"), (0, "1"), (1, "1"), (0, "9")];
    assert_eq!(
        seen.values,
        values.map(|(var, value)| (var, value.to_owned()))
    );
}

#[test]
fn coverage_counts_the_edges_of_branches() {
    let program = read(INPUT);
    let machine = Machine::new(&program);
    let mut coverage = Coverage::new(&machine);
    let end = machine
        .run_covering(
            &mut ZeroInputs,
            &limits(),
            &Budget::unlimited(),
            &mut coverage,
        )
        .end;
    assert_eq!(end, End::Exited(4));
    let count = |wanted: usize| -> u32 {
        let counts = coverage
            .counts()
            .filter(|(_, edge, _)| edge.index() == wanted);
        counts.map(|(.., count)| count).sum()
    };
    assert_eq!([2, 3, 5, 6].map(count), [0, 4, 3, 1]);
}
