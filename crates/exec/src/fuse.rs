//! From instructions to words: runs of instructions that are often seen together become one.

use crate::bytecode::{Code, Inst, Pc, Reg};
use crate::control::{BrEq, BrLtS, BrLtU, CallHere, Counted, JumpTo, Last, ReturnValue, rare};
use crate::slow::Registers;
use crate::state::State;
use crate::straight::*;
use crate::word::{Handler, Word, fail};

/// One straight instruction.
pub(crate) fn one<A: Straight>(
    word: &Word,
    pc: usize,
    regs: &mut Registers,
    state: &mut State<'_>,
) -> usize {
    if !A::apply::<0>(&word.regs, regs, state) {
        return fail(state, pc, 0);
    }
    pc + 1
}

/// Two straight instructions.
fn two<A: Straight, B: Straight>(
    word: &Word,
    pc: usize,
    regs: &mut Registers,
    state: &mut State<'_>,
) -> usize {
    if !A::apply::<0>(&word.regs, regs, state) {
        return fail(state, pc, 0);
    }
    if !B::apply::<3>(&word.regs, regs, state) {
        return fail(state, pc, 1);
    }
    pc + 1
}

/// One that ends a run of straight ones, alone.
fn only<T: Last>(word: &Word, pc: usize, regs: &mut Registers, state: &mut State<'_>) -> usize {
    T::go(word, pc, regs, state)
}

/// A straight instruction and one that ends the run.
fn one_last<A: Straight, T: Last>(
    word: &Word,
    pc: usize,
    regs: &mut Registers,
    state: &mut State<'_>,
) -> usize {
    if !A::apply::<0>(&word.regs, regs, state) {
        return fail(state, pc, 0);
    }
    T::go(word, pc, regs, state)
}

/// Two straight instructions and one that ends the run.
fn two_last<A: Straight, B: Straight, T: Last>(
    word: &Word,
    pc: usize,
    regs: &mut Registers,
    state: &mut State<'_>,
) -> usize {
    if !A::apply::<0>(&word.regs, regs, state) {
        return fail(state, pc, 0);
    }
    if !B::apply::<3>(&word.regs, regs, state) {
        return fail(state, pc, 1);
    }
    T::go(word, pc, regs, state)
}

/// Instructions that end a run of straight ones and can share a word with them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LastKind {
    BrEq,
    BrLtS,
    BrLtU,
    Jump,
    Call,
    Return,
}

/// The kind, registers and targets of an instruction that ends a run.
fn last_parts(inst: Inst) -> Option<(LastKind, [Reg; 2], [Pc; 2])> {
    match inst {
        Inst::BrEq(a, b, yes, no) => Some((LastKind::BrEq, [a, b], [yes, no])),
        Inst::BrLtS(a, b, yes, no) => Some((LastKind::BrLtS, [a, b], [yes, no])),
        Inst::BrLtU(a, b, yes, no) => Some((LastKind::BrLtU, [a, b], [yes, no])),
        Inst::Jump(to) => Some((LastKind::Jump, [0; 2], [to, 0])),
        Inst::Call(to, result) => Some((LastKind::Call, [result, 0], [to, 0])),
        Inst::Return(value) => Some((LastKind::Return, [value, 0], [0; 2])),
        _ => None,
    }
}

fn only_of(last: LastKind) -> Handler {
    match last {
        LastKind::BrEq => only::<BrEq>,
        LastKind::BrLtS => only::<BrLtS>,
        LastKind::BrLtU => only::<BrLtU>,
        LastKind::Jump => only::<JumpTo>,
        LastKind::Call => only::<CallHere>,
        LastKind::Return => only::<ReturnValue>,
    }
}

fn one_last_of<A: Straight>(last: LastKind) -> Handler {
    match last {
        LastKind::BrEq => one_last::<A, BrEq>,
        LastKind::BrLtS => one_last::<A, BrLtS>,
        LastKind::BrLtU => one_last::<A, BrLtU>,
        LastKind::Jump => one_last::<A, JumpTo>,
        LastKind::Call => one_last::<A, CallHere>,
        LastKind::Return => one_last::<A, ReturnValue>,
    }
}

fn one_counted_of<A: Straight>(last: LastKind) -> Handler {
    match last {
        LastKind::BrEq => one_last::<A, Counted<BrEq>>,
        LastKind::BrLtS => one_last::<A, Counted<BrLtS>>,
        LastKind::BrLtU => one_last::<A, Counted<BrLtU>>,
        LastKind::Jump | LastKind::Call | LastKind::Return => one_last_of::<A>(last),
    }
}

fn two_last_of<A: Straight, B: Straight>(last: LastKind) -> Handler {
    match last {
        LastKind::BrEq => two_last::<A, B, BrEq>,
        LastKind::BrLtS => two_last::<A, B, BrLtS>,
        LastKind::BrLtU => two_last::<A, B, BrLtU>,
        LastKind::Jump => two_last::<A, B, JumpTo>,
        LastKind::Call => two_last::<A, B, CallHere>,
        LastKind::Return => two_last::<A, B, ReturnValue>,
    }
}

/// Which straight instructions share words. A word costs code in our own binary, so these are
/// the ones that loops are made of.
macro_rules! fused {
    ($($often:ident)* ; $($sometimes:ident)*) => {
        fn two_of(a: Kind, b: Kind) -> Option<Handler> {
            match a {
                $(Kind::$often => two_of_second::<$often>(b),)*
                $(Kind::$sometimes => two_of_second::<$sometimes>(b),)*
                _ => None,
            }
        }

        fn two_of_second<A: Straight>(b: Kind) -> Option<Handler> {
            match b {
                $(Kind::$often => Some(two::<A, $often>),)*
                $(Kind::$sometimes => Some(two::<A, $sometimes>),)*
                _ => None,
            }
        }

        fn one_then(a: Kind, last: LastKind) -> Option<Handler> {
            match a {
                $(Kind::$often => Some(one_last_of::<$often>(last)),)*
                $(Kind::$sometimes => Some(one_last_of::<$sometimes>(last)),)*
                _ => None,
            }
        }

        fn one_counted(a: Kind, last: LastKind) -> Option<Handler> {
            match a {
                $(Kind::$often => Some(one_counted_of::<$often>(last)),)*
                $(Kind::$sometimes => Some(one_counted_of::<$sometimes>(last)),)*
                _ => None,
            }
        }

        fn two_then(a: Kind, b: Kind, last: LastKind) -> Option<Handler> {
            match a {
                $(Kind::$often => two_then_second::<$often>(b, last),)*
                _ => None,
            }
        }

        fn two_then_second<A: Straight>(b: Kind, last: LastKind) -> Option<Handler> {
            match b {
                $(Kind::$often => Some(two_last_of::<A, $often>(last)),)*
                _ => None,
            }
        }
    };
}

fused! {
    Mov AddI32 SubI32 AddU32 And
    ;
    SubU32 AddI64 AddU64 MulI32 MulU32 RemI32 RemU32 Or Xor
    Eq LtS Zext8 Zext32 Sext32 Load32S Load32U Load64 Store32
    Load32SAt Load32UAt Store32At OverflowsAddI32
}

/// Makes the words of compiled code, and moves every position in it from instructions to words.
/// Branches between edges are counted if asked for.
pub(crate) fn fuse(code: &mut Code, counted: bool) {
    let leaders = leaders(code);
    let mut word_at: Vec<Pc> = vec![0; code.insts.len() + 1];
    let mut at = 0;
    while at < code.insts.len() {
        word_at[at] = code.words.len() as Pc;
        let (word, length) = next_word(code, at, &leaders, counted);
        code.words.push(word);
        code.origins.push(at as u32);
        at += length;
    }
    let place = |pc: &mut Pc| *pc = word_at[*pc as usize];
    for (word, &origin) in code.words.iter_mut().zip(&code.origins) {
        place(&mut word.yes);
        place(&mut word.no);
        if is_rare(code.insts[origin as usize]) {
            word.yes = origin;
        }
    }
    for proc in &mut code.procs {
        place(&mut proc.entry);
    }
    place(&mut code.start);
    place(&mut code.finish);
}

fn is_rare(inst: Inst) -> bool {
    parts(inst).is_none() && last_parts(inst).is_none()
}

/// Instructions that something else than the one before leads to.
fn leaders(code: &Code) -> Vec<bool> {
    let mut leaders = vec![false; code.insts.len() + 1];
    let mut mark = |pc: Pc| leaders[pc as usize] = true;
    for (at, &inst) in code.insts.iter().enumerate() {
        if let Some((_, _, targets)) = last_parts(inst) {
            targets.into_iter().for_each(&mut mark);
            mark(at as Pc + 1);
        }
        match inst {
            Inst::CallSaved(..) | Inst::CallPointer(_) => mark(at as Pc + 1),
            _ => {}
        }
    }
    code.procs.iter().for_each(|proc| mark(proc.entry));
    mark(code.start);
    mark(code.finish);
    leaders
}

/// The word that starts at an instruction, and how many it takes.
fn next_word(code: &Code, at: usize, leaders: &[bool], counted: bool) -> (Word, usize) {
    let part = |index: usize| {
        let joined = (at + 1..=at + index).all(|pc| pc < code.insts.len() && !leaders[pc]);
        joined.then(|| code.insts[at + index])
    };
    let straight = |index: usize| part(index).and_then(parts);
    let last = |index: usize| part(index).and_then(last_parts);
    let number = |index: usize| {
        let number = code.branches.get(at + index).copied().unwrap_or(0);
        Some(number).filter(|&number| counted && number != 0)
    };
    let make = |handler, a: [Reg; 3], b: [Reg; 3], c: [Reg; 2], targets: [Pc; 2]| Word {
        handler,
        regs: [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1]],
        yes: targets[0],
        no: targets[1],
    };
    const NONE: [Reg; 3] = [0; 3];
    let Some((a, a_regs)) = straight(0) else {
        return match (last(0), number(0)) {
            (Some((kind, regs, targets)), Some(number)) => {
                let handler = one_counted_of::<Mov>(kind);
                (make(handler, NONE, halves(number), regs, targets), 1)
            }
            (Some((kind, regs, targets)), None) => {
                (make(only_of(kind), NONE, NONE, regs, targets), 1)
            }
            (None, _) => (make(rare, NONE, NONE, [0; 2], [0; 2]), 1),
        };
    };
    if let Some((b, b_regs)) = straight(1) {
        if let Some((kind, regs, targets)) = last(2)
            && number(2).is_none()
            && let Some(handler) = two_then(a, b, kind)
        {
            return (make(handler, a_regs, b_regs, regs, targets), 3);
        }
        if let Some(handler) = two_of(a, b) {
            return (make(handler, a_regs, b_regs, [0; 2], [0; 2]), 2);
        }
    }
    if let Some((kind, regs, targets)) = last(1) {
        let handler = match number(1) {
            Some(_) => one_counted(a, kind),
            None => one_then(a, kind),
        };
        if let Some(handler) = handler {
            let number = number(1).map_or(NONE, halves);
            return (make(handler, a_regs, number, regs, targets), 2);
        }
    }
    (make(single(a), a_regs, NONE, [0; 2], [0; 2]), 1)
}

/// The number of a branch as registers.
fn halves(number: u32) -> [Reg; 3] {
    [number as Reg, (number >> 16) as Reg, 0]
}
