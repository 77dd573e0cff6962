//! What the tests of the machine share.

#![allow(dead_code, reason = "not every test file uses all of it")]

use base::Budget;
use exec::inputs::ListInputs;
use exec::{End, Limits, Machine, Run, Undefined, UndefinedKind};
use program::expr::Constant;
use program::ir::Program;

/// Limits that no test should meet by accident.
pub(crate) fn limits() -> Limits {
    Limits {
        steps: 10_000_000,
        memory: 1 << 28,
        depth: 10_000,
    }
}

/// Reads a program in its text form.
pub(crate) fn read(text: &str) -> Program {
    let program = program::testing::parse(text);
    let problems = program::validate::validate(&program);
    assert!(problems.is_empty(), "{problems:?}\n{text}");
    program
}

/// A program of one procedure whose edges are these ops in order; the last should return.
pub(crate) fn straight(
    pointer_bytes: u8,
    declarations: &str,
    locals: &str,
    ops: &[&str],
) -> Program {
    let mut text = format!("program ptr {pointer_bytes} entry main\n{declarations}\n");
    text += &format!("proc p0 main() -> i32 entry l0 exit l1 {{\n{locals}\n  l0:\n");
    for (index, op) in ops.iter().enumerate() {
        let target = if index + 1 == ops.len() { 1 } else { index + 2 };
        text += &format!("    e{index}: {op} -> l{target}\n");
        text += &format!("  l{target}:\n");
    }
    text += "}\n";
    read(&text)
}

/// Runs a program on these inputs.
pub(crate) fn run(program: &Program, inputs: &[Constant]) -> Run {
    let machine = Machine::new(program);
    let mut inputs = ListInputs::new(inputs.iter().copied());
    machine.run(&mut inputs, &limits(), &Budget::unlimited())
}

/// How a program ends without inputs.
pub(crate) fn end(program: &Program) -> End {
    run(program, &[]).end
}

/// Asserts that a program ends in undefined behaviour of a kind with a message.
#[track_caller]
pub(crate) fn assert_undefined(program: &Program, kind: UndefinedKind, message: &str) {
    let expected = End::Undefined(Undefined {
        kind,
        message: message.to_owned(),
    });
    assert_eq!(end(program), expected);
}
