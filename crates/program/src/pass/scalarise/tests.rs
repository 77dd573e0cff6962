//! What becomes a variable, what stays in memory, and what checks become.

use super::*;
use crate::testing::parse;
use crate::text::Printer;

/// A program whose `main` does ops in a row.
fn program(ops: &[&str]) -> Program {
    let mut text = String::from(
        "program ptr 8 entry main
        global v4 h: i32 = 2i32
        object o0 g: 12 align 4 = \"0100000002000000ff\"
        object o1 t: 3 align 1 readonly = \"010203\"
        object o2 big: 400 align 4
        object o6 p: 8 align 8 = \"0000000000000000\" [0: &big]
        site n0: nondet i32 \"input\"
        proc p0 main() entry l0 exit l1 {
        local v0 i: i32
        local v1 x: i32
        local v2 q: ptr
        local v3 b: bool
        object o3 a: 16 align 4
        object o4 c: 16 align 4
        object o5 s: 16 align 8
        l0:
        e0: skip -> l2
        l1:\n",
    );
    for (place, op) in ops.iter().enumerate() {
        let (at, id) = (place + 2, place + 1);
        text.push_str(&format!("l{at}:\ne{id}: {op} -> l{}\n", at + 1));
    }
    let (at, id) = (ops.len() + 2, ops.len() + 1);
    text.push_str(&format!("l{at}:\ne{id}: return -> l1\n}}\n"));
    parse(&text)
}

/// The ops of `main` in the order of a run, except for skips and the return.
fn ops(program: &Program) -> Vec<String> {
    let printer = Printer::new(program);
    let procedure = &program.procs[program.entry];
    let mut ops = Vec::new();
    let mut at = procedure.entry;
    while let [edge] = procedure.locations[at].out[..] {
        let edge = &procedure.edges[edge];
        if !matches!(edge.op, Op::Skip | Op::Return(_)) {
            ops.push(printer.op(&edge.op));
        }
        at = edge.target;
    }
    ops
}

#[track_caller]
fn becomes(before: &[&str], after: &[&str]) {
    assert_eq!(ops(&scalarise(&program(before))), after);
}

/// Nothing changes.
#[track_caller]
fn stays(before: &[&str]) {
    let program = program(before);
    assert_eq!(ops(&scalarise(&program)), ops(&program));
}

#[test]
fn elements_are_variables() {
    becomes(
        &[
            "i32[&g ++ 4i64] := i32[&g] + 1i32",
            "havoc i32[&g ++ 8i64] n0",
        ],
        &["$g_4 := $g_0 + 1i32", "havoc $g_8 n0"],
    );
    let result = scalarise(&program(&["x := i32[&g ++ i64(i) * 4i64]"]));
    let values: Vec<Option<Constant>> = (result.vars.iter())
        .filter(|var| var.name.starts_with("$g_"))
        .map(|var| var.init)
        .collect();
    let number = |value| {
        Some(Constant::Int(logic::IntValue::wrap(
            logic::IntType::I32,
            value,
        )))
    };
    assert_eq!(values, [number(1), number(2), number(255)]);
}

#[test]
fn an_index_chooses() {
    becomes(
        &["x := i32[&g ++ i64(i) * 4i64]"],
        &[
            "assume (i64(i) * 4i64 >= 0i64) & (i64(i) * 4i64 <= 8i64)",
            "x := i64(i) * 4i64 == 0i64 ? $g_0 : (i64(i) * 4i64 == 4i64 ? $g_4 : $g_8)",
        ],
    );
    becomes(
        &["i32[&g ++ i64(i) * 8i64 ++ 4i64] := x"],
        &[
            "assume (i64(i) * 8i64 >= -4i64) & (i64(i) * 8i64 <= 4i64)",
            "$g_4 := x",
        ],
    );
    // What reads the elements comes before they change.
    becomes(
        &["i32[&g ++ i64(i) * 8i64] := i32[&g]"],
        &[
            "assume (i64(i) * 8i64 >= 0i64) & (i64(i) * 8i64 <= 8i64)",
            "$value := $g_0",
            "$g_0 := i64(i) * 8i64 == 0i64 ? $value : $g_0",
            "$g_8 := i64(i) * 8i64 == 8i64 ? $value : $g_8",
        ],
    );
}

#[test]
fn outside_there_is_no_run() {
    becomes(
        &["i32[&g ++ 12i64] := 1i32", "x := i32[&g]"],
        &["assume false", "assume false", "x := $g_0"],
    );
    becomes(
        &["x := i32[&g ++ -4i64]", "x := i32[&g]"],
        &["assume false", "x := 0i32", "x := $g_0"],
    );
    // Only where it is evaluated.
    becomes(
        &["x := b ? i32[&g ++ i64(i) * 8i64 ++ 4i64] : 7i32"],
        &[
            "assume b ? (i64(i) * 8i64 >= -4i64) & (i64(i) * 8i64 <= 4i64) : true",
            "x := b ? $g_4 : 7i32",
        ],
    );
}

#[test]
fn locals_start_with_anything() {
    becomes(
        &[
            "enter a",
            "i32[&a] := 1i32",
            "x := i32[&a ++ 4i64]",
            "leave a",
        ],
        &[
            "enter a",
            "$a_0 := i32[&a]",
            "$a_4 := i32[&a ++ 4i64]",
            "$a_0 := 1i32",
            "x := $a_4",
            "leave a",
        ],
    );
}

#[test]
fn stretches_are_filled_and_copied() {
    let copy = "library memcpy(&c, &a, 8u64)";
    becomes(
        &[
            "enter a",
            "enter c",
            "library memset(&a, 1i32, 8u64)",
            copy,
            "x := i32[&c ++ 4i64]",
        ],
        &[
            "enter a",
            "$a_4 := i32[&a ++ 4i64]",
            "enter c",
            "$c_4 := i32[&c ++ 4i64]",
            "$a_4 := 16843009i32",
            "$c_4 := $a_4",
            "x := $c_4",
        ],
    );
    // Not through the middle of an element, nor from what stays in memory.
    stays(&[
        "enter a",
        "library memset(&a, 0i32, 6u64)",
        "x := i32[&a ++ 4i64]",
    ]);
    stays(&["enter a", "enter c", copy, "x := i32[&c]", "ptr[&p] := &a"]);
}

#[test]
fn what_is_not_understood_stays() {
    // The address goes elsewhere.
    stays(&["i32[&g] := 1i32", "ptr[&p] := &g"]);
    stays(&["i32[&big] := 1i32"]);
    stays(&["i32[&g] := 1i32", "b := &g == q"]);
    // Bytes of several elements, or of two types.
    stays(&["i32[&g] := 1i32", "x := i32(i16[&g])"]);
    stays(&["i32[&g] := 1i32", "x := i32[&g ++ 2i64]"]);
    stays(&["i32[&g] := 1i32", "x := i32(u32[&g])"]);
    stays(&["x := i32[&g ++ i64(i)]"]);
    // Too many.
    stays(&["x := i32[&big ++ i64(i) * 4i64]"]);
    // What may not be written, or is not alive.
    stays(&["u8[&t] := 1u8"]);
    stays(&["i32[&a] := 1i32", "enter a"]);
    stays(&["enter a", "i32[&a] := 1i32", "leave a", "x := i32[&a]"]);
}

#[test]
fn validity_is_within_bounds() {
    becomes(
        &["b := valid(&big ++ i64(i) * 4i64, 4u64)", "ptr[&p] := &big"],
        &[
            "b := (i64(i) * 4i64 >= 0i64) & (i64(i) * 4i64 <= 396i64)",
            "ptr[&p] := &big",
        ],
    );
    becomes(
        &["b := writable(&t, 1u64)", "b := valid(&t, 4u64)"],
        &["b := false", "b := false"],
    );
    becomes(&["b := valid(&t ++ 2i64, 1u64)"], &["b := true"]);
    // A dead object is not valid anywhere.
    stays(&["b := valid(&a, 4u64)", "enter a"]);
    stays(&["enter a", "leave a", "b := valid(&a, 4u64)"]);
}

#[test]
fn pointers_are_followed_while_they_stay_the_same() {
    becomes(
        &[
            "q := &g ++ i64(i) * 8i64 ++ 4i64",
            "b := valid(q, 4u64)",
            "i32[q] := x",
        ],
        &[
            "b := (i64(i) * 8i64 >= -4i64) & (i64(i) * 8i64 <= 4i64)",
            "assume (i64(i) * 8i64 >= -4i64) & (i64(i) * 8i64 <= 4i64)",
            "$g_4 := x",
        ],
    );
    stays(&["q := &g", "q := &t", "i32[q] := x"]);
    stays(&["enter a", "q := &a", "leave a", "enter a", "i32[q] := x"]);
}

#[test]
fn pointers_to_few_objects_are_numbers() {
    // A read is a choice, of one of those that it may point to.
    becomes(
        &["enter a", "enter c", "q := b ? &a : &c", "x := i32[q]"],
        &[
            "enter a",
            "$a_0 := i32[&a]",
            "enter c",
            "$c_0 := i32[&c]",
            "$q_object := b ? 4i32 : 5i32",
            "assume ($q_object == 4i32) | ($q_object == 5i32)",
            "x := $q_object == 4i32 ? $a_0 : $c_0",
        ],
    );
    // An offset is kept in steps, and its object does not go with the index.
    becomes(
        &[
            "q := &g ++ i64(i) * 4i64",
            "i := 2i32",
            "x := i32[q ++ 8i64]",
        ],
        &[
            "$q_object := 1i32",
            "$q_offset := i128(i64(i))",
            "i := 2i32",
            "assume $q_object == 1i32",
            "assume ($q_offset * 4i128 + 8i128 >= 0i128) & ($q_offset * 4i128 + 8i128 <= 8i128)",
            "x := $q_offset * 4i128 + 8i128 == 0i128 ? $g_0 : \
             ($q_offset * 4i128 + 8i128 == 4i128 ? $g_4 : $g_8)",
        ],
    );
    // Null is not an object, and valid nowhere.
    becomes(
        &[
            "q := b ? &g : null",
            "b := q != null",
            "b := valid(q, 4u64)",
            "i32[q] := 1i32",
        ],
        &[
            "$q_object := b ? 1i32 : 0i32",
            "b := $q_object != 0i32",
            "b := $q_object == 1i32 ? true : false",
            "assume $q_object == 1i32",
            "$g_0 := 1i32",
        ],
    );
    // One that was not set points nowhere.
    becomes(
        &["i32[q] := x", "q := &g"],
        &["assume $q_object == 1i32", "$g_0 := x", "$q_object := 1i32"],
    );
}

#[test]
fn pointers_that_go_elsewhere_are_addresses() {
    let chosen = "q := b ? &a : &c";
    let with = |op| stays(&["enter a", "enter c", chosen, "x := i32[q]", op]);
    with("ptr[&p] := q");
    with("i := i32(i64(q))");
    with("q := ptr[&p]");
    with("library free(q)");
    // Behind one object another may stand.
    with("b := q ++ i64(i) * 4i64 == &c");
    // What it points to has come to life again.
    stays(&["enter a", "enter c", chosen, "enter a", "x := i32[q]"]);
    // One of the objects stays in memory.
    stays(&["q := b ? &g : &big", "x := i32[q]", "ptr[&p] := &big"]);
    stays(&[
        "q := &g",
        "x := i32[b ? q : &big]",
        "q := &g ++ 4i64",
        "ptr[&p] := &big",
    ]);
}

/// A program with a table of procedures whose `main` reads it at an index and does one op more.
fn with_table(op: &str, again: &str) -> Program {
    parse(&format!(
        "program ptr 8 entry main
        object o0 table: 16 align 8 = \"\" [0: &f, 8: &f]
        proc p0 main() entry l0 exit l1 {{
        local v0 i: i64
        local v1 q: ptr
        l0:
        e0: {op} -> l2
        l1:
        l2:
        e1: q := ptr[&table ++ i * 8i64] -> l3
        l3:
        e2: return -> l1
        }}
        proc p1 f() entry l0 exit l1 {{
        l0:
        e0: {again} -> l2
        l1:
        l2:
        e1: return -> l1
        }}\n"
    ))
}

#[test]
fn addresses_of_procedures_are_values_of_elements() {
    let read = |first: &str| format!("q := i * 8i64 == 0i64 ? {first} : &f");
    let inside = "assume (i * 8i64 >= 0i64) & (i * 8i64 <= 8i64)";
    let unwritten = scalarise(&with_table("skip", "skip"));
    assert_eq!(ops(&unwritten), [inside, &read("&f")]);
    // What is written is set where the program starts.
    let written = scalarise(&with_table("ptr[&table] := null", "skip"));
    let expected = [
        "$table_0 := &f",
        "$table_0 := null",
        inside,
        &read("$table_0"),
    ];
    assert_eq!(ops(&written), expected);
}

#[test]
fn a_program_that_starts_again_keeps_its_table() {
    let program = with_table("ptr[&table] := null", "call main()");
    assert_eq!(ops(&scalarise(&program)), ops(&program));
}
