//! The interpreter's loop.
//!
//! # Invariants
//! - Nothing is recorded on the way: the position of a run is derived from that in the code.

use crate::End;
use crate::bytecode::{Code, FIRST_TEMP, NEAR};
use crate::explain::explain;
use crate::state::State;
use crate::wide_ops::Registers;
use base::Budget;

/// The steps that cost one unit of a budget's effort.
const STEPS_OF_A_UNIT: u64 = 256;

/// The words that are executed between looks at what is left, so that there are fewer jumps.
const ROUND: u64 = 8;

/// A register file with nothing in it.
pub(crate) fn new_registers() -> Box<Registers> {
    vec![0; NEAR]
        .into_boxed_slice()
        .try_into()
        .expect("the register file should have its size")
}

/// Sets the registers for the start of a run. Temporaries keep what they have: each is written
/// before it is read.
pub(crate) fn set_registers(code: &Code, regs: &mut Registers) {
    debug_assert!(code.near.len() <= FIRST_TEMP);
    regs[..code.near.len()].copy_from_slice(&code.near);
}

/// Runs until something stops it; returns why and at which instruction.
pub(crate) fn run(state: &mut State<'_>, regs: &mut Registers, budget: &Budget) -> (End, usize) {
    let code = state.code;
    let mut pc = code.start as usize;
    loop {
        let fuel = match state.refuel(budget) {
            Ok(fuel) => fuel,
            Err(stop) => {
                state.stop = Some((pc, stop));
                break;
            }
        };
        let left = execute(state, regs, &mut pc, fuel);
        state.steps -= left;
        budget.spend(1 + (fuel - left) / STEPS_OF_A_UNIT);
        if pc >= code.words.len() {
            break;
        }
    }
    if let Some((word, part)) = state.failed {
        let at = code.origins[word] as usize + part;
        let undefined = explain(code.insts[at], regs, &state.memory, code.layout.wide);
        return (End::Undefined(undefined), at);
    }
    let stop = state.stop.take();
    let (word, end) = stop.expect("a run that did not fail should have been stopped");
    (end, code.origins[word] as usize)
}

/// Executes up to `fuel` words; returns how many were left when the run stopped.
///
/// Not inlined, so that all it needs stays in machine registers.
#[inline(never)]
fn execute(state: &mut State<'_>, regs: &mut Registers, at: &mut usize, fuel: u64) -> u64 {
    let words = &state.code.words[..];
    let mut pc = *at;
    let mut left = fuel;
    let mut next = |left: &mut u64| {
        let word = words.get(pc)?;
        *left -= 1;
        pc = (word.handler)(word, pc, regs, state);
        Some(())
    };
    while left >= ROUND && (0..ROUND).all(|_| next(&mut left).is_some()) {}
    while left != 0 && next(&mut left).is_some() {}
    *at = pc;
    left
}
