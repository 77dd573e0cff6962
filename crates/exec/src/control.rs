//! Control-flow instructions, and those too rare for words of their own.

use crate::End;
use crate::bytecode::{Inst, Reg};
use crate::code_word::{STOPPED, Word};
use crate::effects;
use crate::library::call_library;
use crate::state::State;
use crate::wide_ops::{Registers, execute, get};
use base::Id;
use program::ir::ObjectId;

/// An instruction that ends a run of straight ones. Its registers are the last two of the word.
pub(crate) trait Last {
    /// Executes it with its two registers, which hold `x`; returns where to continue.
    fn finish(
        word: &Word,
        pc: usize,
        x: [u64; 2],
        regs: &mut Registers,
        state: &mut State<'_>,
    ) -> usize;

    /// Executes it on the values in its registers.
    #[inline(always)]
    fn go(word: &Word, pc: usize, regs: &mut Registers, state: &mut State<'_>) -> usize {
        let x = [6, 7].map(|index| regs[word.regs[index] as usize]);
        Self::finish(word, pc, x, regs, state)
    }

    /// The same with a value at hand in place of the register number `POS`.
    #[inline(always)]
    fn forward<const POS: usize>(
        word: &Word,
        pc: usize,
        value: u64,
        regs: &mut Registers,
        state: &mut State<'_>,
    ) -> usize {
        let mut x = [6, 7].map(|index| regs[word.regs[index] as usize]);
        x[POS] = value;
        Self::finish(word, pc, x, regs, state)
    }
}

/// A comparison to branch by.
pub(crate) trait Comparison {
    /// Whether it holds.
    fn holds(a: u64, b: u64) -> bool;
}

/// Keeps a branch a branch. As a conditional move the next position would depend on the compared
/// values, and with it everything that follows; a branch is predicted, and nothing waits for it.
#[cold]
#[inline]
fn predicted() {}

/// Defines instructions that end a run of straight ones.
macro_rules! lasts {
    ($($(#[$doc:meta])* $name:ident$([$c:ident])? = |$word:pat_param, $pc:pat_param, $x:pat_param, $regs:pat_param, $state:pat_param| $body:block)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name$(<$c>(std::marker::PhantomData<$c>))?;
        impl$(<$c: Comparison>)? Last for $name$(<$c>)? {
            #[inline(always)]
            fn finish(
                $word: &Word,
                $pc: usize,
                $x: [u64; 2],
                $regs: &mut Registers,
                $state: &mut State<'_>,
            ) -> usize $body
        }
    )*};
}

lasts! {
    /// Goes to the first target of the word if the comparison holds, else to the second.
    Branch[C] = |word, _, [a, b], _, _| {
        if C::holds(a, b) {
            word.yes as usize
        } else {
            predicted();
            word.no as usize
        }
    }

    /// A branch that is counted: the registers of the second straight instruction, which is not
    /// there, are its number.
    Counted[C] = |word, pc, [a, b], regs, state| {
        let number = usize::from(word.regs[3]) | usize::from(word.regs[4]) << 16;
        if let Some(counts) = state.counts.get_mut(number) {
            let count = &mut counts[usize::from(!C::holds(a, b))];
            *count = count.saturating_add(1);
        }
        Branch::<C>::finish(word, pc, [a, b], regs, state)
    }

    JumpTo = |word, _, _, _, _| { word.yes as usize }

    CallHere = |word, pc, _, _, state| {
        if state.call_again(pc as u32 + 1, word.regs[6]) {
            word.yes as usize
        } else {
            call_deeper(word, pc, state)
        }
    }

    ReturnValue = |_, _, [value, _], regs, state| {
        let Some(frame) = state.leave_unsaved() else {
            return return_saved(Some(value), regs, state);
        };
        regs[frame.result as usize] = value;
        frame.back as usize
    }

    ReturnNone = |_, _, _, regs, state| {
        let Some(frame) = state.leave_unsaved() else {
            return return_saved(None, regs, state);
        };
        frame.back as usize
    }

    /// A local object comes to life; `yes` of the word is its number, its register is for the
    /// address.
    EnterHere = |word, pc, [address, _], regs, state| {
        match enter_again(word.yes, address, state) {
            Some(address) => {
                regs[word.regs[6] as usize] = address;
                pc + 1
            }
            None => match enter_anew(word.yes, word.regs[6], pc, regs, state) {
                Some(()) => pc + 1,
                None => STOPPED,
            },
        }
    }

    /// A local object dies, if it lives; the word is as for the one above.
    LeaveHere = |word, pc, [address, _], regs, state| {
        let object = ObjectId::from_index(word.yes as usize);
        regs[word.regs[6] as usize] = 0;
        if address == 0 || state.memory.leave_for_now(object, address).is_some() {
            return pc + 1;
        }
        leave_for_good(object, address, pc, state)
    }
}

/// Defines comparisons.
macro_rules! comparisons {
    ($($name:ident = |$a:ident, $b:ident| $holds:expr;)*) => {$(
        pub(crate) struct $name;
        impl Comparison for $name {
            #[inline(always)]
            fn holds($a: u64, $b: u64) -> bool {
                $holds
            }
        }
    )*};
}

comparisons! {
    Equal = |a, b| a == b;
    LessSigned = |a, b| (a as i64) < b as i64;
    LessUnsigned = |a, b| a < b;
    GreaterSigned = |a, b| (a as i64) > b as i64;
}

/// A call for which the stack of frames has to grow, if it may.
#[cold]
#[inline(never)]
fn call_deeper(word: &Word, pc: usize, state: &mut State<'_>) -> usize {
    match state.call(pc as u32 + 1, word.regs[6], None) {
        Ok(()) => word.yes as usize,
        Err(stop) => stopped(state, pc, stop),
    }
}

/// A return from a call that saved slots, with the value if there is one.
#[inline(never)]
fn return_saved(value: Option<u64>, regs: &mut Registers, state: &mut State<'_>) -> usize {
    let frame = state.leave(regs);
    if let Some(value) = value {
        regs[frame.result as usize] = value;
    }
    frame.back as usize
}

#[cold]
fn stopped(state: &mut State<'_>, pc: usize, stop: End) -> usize {
    state.stop = Some((pc, stop));
    STOPPED
}

/// The address of a local object that comes to life, if it did before; `address` is what it has
/// now.
#[inline(always)]
pub(crate) fn enter_again(object: u32, address: u64, state: &mut State<'_>) -> Option<u64> {
    if address != 0 || state.has_contents {
        return None;
    }
    let object = ObjectId::from_index(object as usize);
    state.memory.enter_again(object)
}

/// A local object comes to life that was not there before, is there already, or has contents,
/// unless the run stops. Its address goes to the register.
#[cold]
#[inline(never)]
pub(crate) fn enter_anew(
    object: u32,
    reg: Reg,
    pc: usize,
    regs: &mut Registers,
    state: &mut State<'_>,
) -> Option<()> {
    let object = ObjectId::from_index(object as usize);
    let address = &mut regs[reg as usize];
    if *address != 0 {
        state.memory.leave(object, *address);
    }
    let size = state.code.layout.objects[object.index()].0;
    let site = state.code.layout.contents[object.index()];
    let entered = state.memory.enter(object, size).and_then(|start| {
        *address = start;
        state.fill(site, start, 0..size)
    });
    match entered {
        Ok(()) => Some(()),
        Err(stop) => {
            stopped(state, pc, stop);
            None
        }
    }
}

/// The object of [`LeaveHere`] has come to life elsewhere since, or is large, or may not come again
/// where it was.
#[cold]
#[inline(never)]
fn leave_for_good(object: ObjectId, address: u64, pc: usize, state: &mut State<'_>) -> usize {
    state.memory.leave(object, address);
    pc + 1
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
) -> Result<usize, End> {
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
        Inst::LeaveAll(proc) => state.leave_all(regs, proc),
        Inst::Input(target, site) => state.input(regs, target, site)?,
        Inst::Slow(index) => {
            let slow = &code.slow[index as usize];
            execute(slow, regs, &mut state.memory, &code.layout)?;
        }
        Inst::Library(index) => call_library(&code.library_calls[index as usize], regs, state)?,
        Inst::End(index) => return Err(code.ends[index as usize].clone()),
        Inst::Exit(status) => return Err(End::Exited(regs[status as usize] as i32)),
        Inst::Mark(edge) => {
            let proc = code.edges[code.origins[pc] as usize].0;
            state.observer.mark(proc, edge);
        }
        Inst::MarkAssigned(index) => {
            state.observer.assigned(code, index, regs, &state.memory);
        }
        Inst::MarkRead(address, bytes) => {
            let address = regs[address as usize];
            state.observer.read(address, regs[bytes as usize]);
        }
        Inst::MarkLibrary(index, is_done) => {
            let call = &code.library_calls[index as usize];
            if is_done {
                effects::after(call, regs, state.observer);
            } else {
                effects::before(call, regs, &state.memory, state.observer);
            }
        }
        other => unreachable!("{other:?} should have a word of its own"),
    }
    Ok(pc + 1)
}
