//! Instructions that lead elsewhere than to the next one, and those too rare for words of their
//! own.

use crate::End;
use crate::bytecode::{Inst, Stop};
use crate::library::call_library;
use crate::slow::{Registers, execute, get};
use crate::state::State;
use crate::word::{STOPPED, Word};
use base::Id;

/// An instruction that ends a run of straight ones. Its registers are the last two of the word.
pub(crate) trait Last {
    /// Executes it; returns where to go on.
    fn go(word: &Word, pc: usize, regs: &mut Registers, state: &mut State<'_>) -> usize;
}

/// A branch by a comparison.
pub(crate) trait Branch: Last {
    /// Whether it goes to the first target.
    fn holds(word: &Word, regs: &Registers) -> bool;
}

/// A branch that is counted: the registers of the second straight instruction, which is not
/// there, are its number.
pub(crate) struct Counted<B>(std::marker::PhantomData<B>);

impl<B: Branch> Last for Counted<B> {
    #[inline(always)]
    fn go(word: &Word, _: usize, regs: &mut Registers, state: &mut State<'_>) -> usize {
        let number = usize::from(word.regs[3]) | usize::from(word.regs[4]) << 16;
        let holds = B::holds(word, regs);
        if let Some(counts) = state.counts.get_mut(number) {
            let count = &mut counts[usize::from(!holds)];
            *count = count.saturating_add(1);
        }
        if holds {
            word.yes as usize
        } else {
            predicted();
            word.no as usize
        }
    }
}

/// Keeps a branch a branch. As a conditional move the next position would depend on the compared
/// values, and with it everything that follows; a branch is predicted, and nothing waits for it.
#[cold]
#[inline]
fn predicted() {}

macro_rules! branches {
    ($($name:ident = |$a:ident, $b:ident| $holds:expr;)*) => {$(
        pub(crate) struct $name;
        impl Last for $name {
            #[inline(always)]
            fn go(word: &Word, _: usize, regs: &mut Registers, _: &mut State<'_>) -> usize {
                if Self::holds(word, regs) {
                    word.yes as usize
                } else {
                    predicted();
                    word.no as usize
                }
            }
        }
        impl Branch for $name {
            #[inline(always)]
            fn holds(word: &Word, regs: &Registers) -> bool {
                let ($a, $b) = (regs[word.regs[6] as usize], regs[word.regs[7] as usize]);
                $holds
            }
        }
    )*};
}

branches! {
    BrEq = |a, b| a == b;
    BrLtS = |a, b| (a as i64) < b as i64;
    BrLtU = |a, b| a < b;
}

pub(crate) struct JumpTo;

impl Last for JumpTo {
    #[inline(always)]
    fn go(word: &Word, _: usize, _: &mut Registers, _: &mut State<'_>) -> usize {
        word.yes as usize
    }
}

pub(crate) struct CallHere;

impl Last for CallHere {
    #[inline(always)]
    fn go(word: &Word, pc: usize, _: &mut Registers, state: &mut State<'_>) -> usize {
        match state.call(pc as u32 + 1, word.regs[6], None) {
            Ok(()) => word.yes as usize,
            Err(stop) => stopped(state, pc, stop),
        }
    }
}

pub(crate) struct ReturnValue;

impl Last for ReturnValue {
    #[inline(always)]
    fn go(word: &Word, _: usize, regs: &mut Registers, state: &mut State<'_>) -> usize {
        let value = regs[word.regs[6] as usize];
        let frame = state.leave(regs);
        regs[frame.result as usize] = value;
        frame.back as usize
    }
}

#[cold]
fn stopped(state: &mut State<'_>, pc: usize, stop: Stop) -> usize {
    state.stop = Some((pc, stop));
    STOPPED
}

/// Any instruction without a word of its own; `yes` of the word is its number.
pub(crate) fn rare(word: &Word, pc: usize, regs: &mut Registers, state: &mut State<'_>) -> usize {
    match execute_rare(state.code.insts[word.yes as usize], pc, regs, state) {
        Ok(next) => next,
        Err(stop) => stopped(state, pc, stop),
    }
}

fn execute_rare(
    inst: Inst,
    pc: usize,
    regs: &mut Registers,
    state: &mut State<'_>,
) -> Result<usize, Stop> {
    let code = state.code;
    let back = pc as u32 + 1;
    match inst {
        Inst::MovWide(d, a) => {
            let slots = get(regs, a);
            regs[d as usize] = slots[0];
            regs[d.wrapping_add(1) as usize] = slots[1];
        }
        Inst::GetFar(d, far) => regs[d as usize] = state.far[far as usize],
        Inst::SetFar(far, a) => state.far[far as usize] = regs[a as usize],
        Inst::CallSaved(proc, args, result) => {
            return Ok(state.call_saved(regs, proc, args, result, back)? as usize);
        }
        Inst::CallPointer(index) => {
            return Ok(state.call_pointer(regs, index, back)? as usize);
        }
        Inst::ReturnWide(value) => {
            let slots = get(regs, value);
            let frame = state.leave(regs);
            regs[frame.result as usize] = slots[0];
            regs[frame.result.wrapping_add(1) as usize] = slots[1];
            return Ok(frame.back as usize);
        }
        Inst::ReturnNothing => return Ok(state.leave(regs).back as usize),
        Inst::LeaveAll(proc) => state.leave_all(regs, proc),
        Inst::Enter(object) => {
            let reg = code.object_regs[object.index()] as usize;
            if regs[reg] != 0 {
                state.memory.leave(object, regs[reg]);
            }
            let size = code.layout.objects[object.index()].0;
            regs[reg] = state.memory.enter(object, size)?;
        }
        Inst::Leave(object) => {
            let reg = code.object_regs[object.index()] as usize;
            let address = std::mem::take(&mut regs[reg]);
            if address != 0 {
                state.memory.leave(object, address);
            }
        }
        Inst::Input(target, site) => state.input(regs, target, site)?,
        Inst::Slow(index) => {
            let slow = &code.slow[index as usize];
            execute(slow, regs, &mut state.memory, &code.layout)?;
        }
        Inst::Library(index) => call_library(&code.library_calls[index as usize], regs, state)?,
        Inst::End(index) => return Err(Stop::End(code.ends[index as usize].clone())),
        Inst::Exit(status) => {
            return Err(Stop::End(End::Exited(regs[status as usize] as i32)));
        }
        Inst::Mark(edge) => {
            let proc = code.edges[code.origins[pc] as usize].0;
            state.observer.mark(proc, edge);
        }
        Inst::MarkAssigned(index) => {
            state.observer.assigned(code, index, regs, &state.memory);
        }
        other => unreachable!("{other:?} should have a word of its own"),
    }
    Ok(pc + 1)
}
