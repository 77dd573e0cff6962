//! From instructions to words: sequences of instructions that often occur together become one
//! superinstruction.

use crate::bytecode::{Code, Inst, Pc, Reg};
use crate::code_word::{Handler, Word, fail};
use crate::control::*;
use crate::memory::Access;
use crate::state::State;
use crate::straight_line::*;
use crate::wide_ops::Registers;
use base::Id;

/// Does one straight instruction of a word, or fails.
macro_rules! attempt {
    ($value:expr, $state:expr, $pc:expr, $part:expr) => {
        match $value {
            Some(value) => value,
            None => return fail($state, $pc, $part),
        }
    };
}

/// Defines the functions that execute words.
macro_rules! handlers {
    ($($(#[$doc:meta])* $vis:vis $name:ident[$($types:tt)*] = |$word:ident, $pc:ident, $regs:ident, $state:ident| $body:block)*) => {$(
        $(#[$doc])*
        $vis fn $name<$($types)*>(
            $word: &Word,
            $pc: usize,
            $regs: &mut Registers,
            $state: &mut State<'_>,
        ) -> usize $body
    )*};
}

handlers! {
    /// One straight instruction.
    pub(crate) one[A: Straight] = |word, pc, regs, state| {
        attempt!(A::apply::<0>(&word.regs, regs, state), state, pc, 0);
        pc + 1
    }

    /// Two straight instructions.
    two[A: Straight, B: Straight] = |word, pc, regs, state| {
        attempt!(A::apply::<0>(&word.regs, regs, state), state, pc, 0);
        attempt!(B::apply::<3>(&word.regs, regs, state), state, pc, 1);
        pc + 1
    }

    /// Two straight instructions, the second on the value of the first.
    chain[A: Straight, B: Straight, const POS: usize] = |word, pc, regs, state| {
        let value = attempt!(A::apply::<0>(&word.regs, regs, state), state, pc, 0);
        let next = B::forward::<3, POS>(&word.regs, value, regs, state);
        attempt!(next, state, pc, 1);
        pc + 1
    }

    /// One that ends a run of straight ones, alone.
    only[T: Last] = |word, pc, regs, state| {
        T::go(word, pc, regs, state)
    }

    /// A straight instruction and one that ends the run.
    one_last[A: Straight, T: Last] = |word, pc, regs, state| {
        attempt!(A::apply::<0>(&word.regs, regs, state), state, pc, 0);
        T::go(word, pc, regs, state)
    }

    /// A straight instruction and one that ends the run, on its value.
    chain_last[A: Straight, T: Last, const POS: usize] = |word, pc, regs, state| {
        let value = attempt!(A::apply::<0>(&word.regs, regs, state), state, pc, 0);
        T::forward::<POS>(word, pc, value, regs, state)
    }

    /// Two straight instructions and one that ends the run.
    two_last[A: Straight, B: Straight, T: Last] = |word, pc, regs, state| {
        attempt!(A::apply::<0>(&word.regs, regs, state), state, pc, 0);
        attempt!(B::apply::<3>(&word.regs, regs, state), state, pc, 1);
        T::go(word, pc, regs, state)
    }

    /// Two straight instructions and one that ends the run, on the value of the second.
    two_chain_last[A: Straight, B: Straight, T: Last] = |word, pc, regs, state| {
        attempt!(A::apply::<0>(&word.regs, regs, state), state, pc, 0);
        let value = attempt!(B::apply::<3>(&word.regs, regs, state), state, pc, 1);
        T::forward::<0>(word, pc, value, regs, state)
    }
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
    ReturnNothing,
    Enter,
    Leave,
}

/// An instruction that ends a run.
#[derive(Clone, Copy)]
struct LastParts {
    kind: LastKind,
    regs: [Reg; 2],
    targets: [Pc; 2],
    /// The number of the branch, if it is counted.
    number: Option<u32>,
}

/// The kind, registers and targets of an instruction that ends a run.
fn last_parts(inst: Inst) -> Option<LastParts> {
    let (kind, regs, targets) = match inst {
        Inst::BrEq(a, b, yes, no) => (LastKind::BrEq, [a, b], [yes, no]),
        Inst::BrLtS(a, b, yes, no) => (LastKind::BrLtS, [a, b], [yes, no]),
        Inst::BrLtU(a, b, yes, no) => (LastKind::BrLtU, [a, b], [yes, no]),
        Inst::Jump(to) => (LastKind::Jump, [0; 2], [to, 0]),
        Inst::Call(to, result) => (LastKind::Call, [result, 0], [to, 0]),
        Inst::Return(value) => (LastKind::Return, [value, 0], [0; 2]),
        Inst::ReturnNothing => (LastKind::ReturnNothing, [0; 2], [0; 2]),
        Inst::Enter(_, address) => (LastKind::Enter, [address, 0], [0; 2]),
        Inst::Leave(_, address) => (LastKind::Leave, [address, 0], [0; 2]),
        _ => return None,
    };
    Some(LastParts {
        kind,
        regs,
        targets,
        number: None,
    })
}

fn only_of(last: LastKind) -> Handler {
    match last {
        LastKind::BrEq => only::<Branch<Equal>>,
        LastKind::BrLtS => only::<Branch<LessSigned>>,
        LastKind::BrLtU => only::<Branch<LessUnsigned>>,
        LastKind::Jump => only::<JumpTo>,
        LastKind::Call => only::<CallHere>,
        LastKind::Return => only::<ReturnValue>,
        LastKind::ReturnNothing => only::<ReturnNone>,
        LastKind::Enter => only::<EnterHere>,
        LastKind::Leave => only::<LeaveHere>,
    }
}

fn one_last_of<A: Straight>(last: LastKind) -> Option<Handler> {
    Some(match last {
        LastKind::BrEq => one_last::<A, Branch<Equal>>,
        LastKind::BrLtS => one_last::<A, Branch<LessSigned>>,
        LastKind::BrLtU => one_last::<A, Branch<LessUnsigned>>,
        LastKind::Jump => one_last::<A, JumpTo>,
        LastKind::Call => one_last::<A, CallHere>,
        LastKind::Leave => one_last::<A, LeaveHere>,
        LastKind::Return | LastKind::ReturnNothing | LastKind::Enter => return None,
    })
}

fn counted_of<A: Straight>(last: LastKind) -> Option<Handler> {
    Some(match last {
        LastKind::BrEq => one_last::<A, Counted<Equal>>,
        LastKind::BrLtS => one_last::<A, Counted<LessSigned>>,
        LastKind::BrLtU => one_last::<A, Counted<LessUnsigned>>,
        LastKind::Jump
        | LastKind::Call
        | LastKind::Return
        | LastKind::ReturnNothing
        | LastKind::Enter
        | LastKind::Leave => return None,
    })
}

fn chain_last_of<A: Straight>(last: LastKind, position: usize) -> Option<Handler> {
    Some(match (last, position) {
        (LastKind::BrEq, 0) => chain_last::<A, Branch<Equal>, 0>,
        (LastKind::BrLtS, 0) => chain_last::<A, Branch<LessSigned>, 0>,
        (LastKind::BrLtS, _) => chain_last::<A, Branch<LessSigned>, 1>,
        (LastKind::BrLtU, 0) => chain_last::<A, Branch<LessUnsigned>, 0>,
        (LastKind::BrLtU, _) => chain_last::<A, Branch<LessUnsigned>, 1>,
        (LastKind::Return, 0) => chain_last::<A, ReturnValue, 0>,
        _ => return None,
    })
}

fn two_last_of<A: Straight, B: Straight>(last: LastKind) -> Option<Handler> {
    Some(match last {
        LastKind::Jump => two_last::<A, B, JumpTo>,
        LastKind::Call => two_last::<A, B, CallHere>,
        LastKind::ReturnNothing => two_last::<A, B, ReturnNone>,
        LastKind::Leave => two_last::<A, B, LeaveHere>,
        _ => return None,
    })
}

fn two_chain_last_of<A: Straight, B: Straight>(last: LastKind) -> Option<Handler> {
    Some(match last {
        LastKind::BrEq => two_chain_last::<A, B, Branch<Equal>>,
        LastKind::BrLtS => two_chain_last::<A, B, Branch<LessSigned>>,
        LastKind::BrLtU => two_chain_last::<A, B, Branch<LessUnsigned>>,
        LastKind::Return => two_chain_last::<A, B, ReturnValue>,
        _ => return None,
    })
}

/// Which straight instructions share words. A word costs code in our own binary, so these are
/// the ones that loops are made of: those seen most often, those whose value is used next, and
/// those that use it, with the position where they do.
macro_rules! fused {
    (
        often: $($often:ident)*;
        makers: $($maker:ident)*;
        users: $($user:ident $pos:literal)*;
    ) => {
        fn two_of(a: Kind, b: Kind) -> Option<Handler> {
            match a {
                $(Kind::$often => two_of_second::<$often>(b),)*
                _ => None,
            }
        }

        fn two_of_second<A: Straight>(b: Kind) -> Option<Handler> {
            match b {
                $(Kind::$often => Some(two::<A, $often>),)*
                _ => None,
            }
        }

        fn chain_of(a: Kind, b: Kind, position: usize) -> Option<Handler> {
            match a {
                $(Kind::$maker => chain_of_second::<$maker>(b, position),)*
                _ => None,
            }
        }

        fn chain_of_second<A: Straight>(b: Kind, position: usize) -> Option<Handler> {
            match (b, position) {
                $((Kind::$user, $pos) => Some(chain::<A, $user, $pos>),)*
                _ => None,
            }
        }

        fn one_then(a: Kind, last: LastKind) -> Option<Handler> {
            match a {
                $(Kind::$often => one_last_of::<$often>(last),)*
                _ => None,
            }
        }

        fn chain_then(a: Kind, last: LastKind, position: usize) -> Option<Handler> {
            match a {
                $(Kind::$maker => chain_last_of::<$maker>(last, position),)*
                _ => None,
            }
        }

        fn one_counted(a: Kind, last: LastKind) -> Option<Handler> {
            match a {
                $(Kind::$maker => counted_of::<$maker>(last),)*
                _ => None,
            }
        }

        fn two_then(a: Kind, b: Kind, last: LastKind, chained: bool) -> Option<Handler> {
            match a {
                $(Kind::$often => two_then_second::<$often>(b, last, chained),)*
                _ => None,
            }
        }

        fn two_then_second<A: Straight>(
            b: Kind,
            last: LastKind,
            chained: bool,
        ) -> Option<Handler> {
            match (b, chained) {
                $(
                    (Kind::$often, false) => two_last_of::<A, $often>(last),
                    (Kind::$often, true) => two_chain_last_of::<A, $often>(last),
                )*
                _ => None,
            }
        }
    };
}

fused! {
    often: Mov AddI32 SubI32 AddU32 And Load32S Store32;
    makers:
        AddI32 SubI32 MulI32 AddU32 MulU32 MulI64 AddU64 And Xor RemI32 Zext8 Zext32 Sext32
        Load8U Load32S Load32U Load64 Load32SAt Load32UAt;
    users:
        AddI32 1 SubI32 1 MulI32 1 AddU32 1 AddI64 1 AddU64 1 And 1 Xor 1 Zext8 1 Zext32 1
        Load32S 1 Load64 1 Load32SAt 2 Load32UAt 2 Store32 1 Store32At 1 Store32At 2;
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
    for (index, word) in code.words.iter_mut().enumerate() {
        place(&mut word.yes);
        place(&mut word.no);
        let next = code.origins.get(index + 1);
        let last = next.map_or(code.insts.len(), |&next| next as usize) - 1;
        match code.insts[last] {
            Inst::Enter(object, _) | Inst::Leave(object, _) => word.yes = object.index() as u32,
            inst if is_rare(inst) => word.yes = last as u32,
            _ => {}
        }
    }
    for proc in &mut code.procs {
        place(&mut proc.entry);
    }
    place(&mut code.start);
    place(&mut code.finish);
}

fn is_rare(inst: Inst) -> bool {
    !matches!(inst, Inst::Straight(..)) && last_parts(inst).is_none()
}

/// Instructions that something else than the one before leads to.
fn leaders(code: &Code) -> Vec<bool> {
    let mut leaders = vec![false; code.insts.len() + 1];
    let mut mark = |pc: Pc| leaders[pc as usize] = true;
    for (at, &inst) in code.insts.iter().enumerate() {
        if let Some(last) = last_parts(inst) {
            last.targets.into_iter().for_each(&mut mark);
            mark(at as Pc + 1);
        }
        if matches!(inst, Inst::CallSaved(..) | Inst::CallPointer(_)) {
            mark(at as Pc + 1);
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
    let straight = |index: usize| match part(index)? {
        Inst::Straight(kind, regs) => Some((kind, regs)),
        _ => None,
    };
    let last = |index: usize| {
        let mut last = part(index).and_then(last_parts)?;
        let number = code.branches[at + index];
        last.number = (counted && number != 0).then_some(number);
        Some(last)
    };
    let Some((a, a_regs)) = straight(0) else {
        let word = match last(0) {
            Some(last) => last_word(last),
            None => make(rare, NONE, NONE, [0; 2], [0; 2]),
        };
        return (word, 1);
    };
    let second = straight(1);
    if let Some(b) = second
        && let Some(last) = last(2)
        && let Some(word) = triple((a, a_regs), b, last)
    {
        return (word, 3);
    }
    if let Some(b) = second
        && let Some(word) = pair((a, a_regs), b)
    {
        return (word, 2);
    }
    if let Some(last) = last(1)
        && let Some(word) = pair_last((a, a_regs), last)
    {
        return (word, 2);
    }
    (make(a.handler(), a_regs, NONE, [0; 2], [0; 2]), 1)
}

type Parts = (Kind, [Reg; 3]);
const NONE: [Reg; 3] = [0; 3];

fn make(handler: Handler, a: [Reg; 3], b: [Reg; 3], c: [Reg; 2], targets: [Pc; 2]) -> Word {
    Word {
        handler,
        regs: [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1]],
        yes: targets[0],
        no: targets[1],
    }
}

fn last_word(last: LastParts) -> Word {
    // The straight instruction that a counted branch needs moves a register to itself.
    match last.number.and_then(|_| counted_of::<Mov>(last.kind)) {
        Some(handler) => make(handler, NONE, number(last), last.regs, last.targets),
        None => make(only_of(last.kind), NONE, NONE, last.regs, last.targets),
    }
}

/// Two straight instructions; the second on the value of the first where it can be.
fn pair((a, a_regs): Parts, (b, b_regs): Parts) -> Option<Word> {
    if !is_store(a) {
        let swapped = [b_regs[0], b_regs[2], b_regs[1]];
        let orders = [Some(b_regs), commutes(b).then_some(swapped)];
        for regs in orders.into_iter().flatten() {
            for position in 0..3 {
                // The register is written too, so it does not matter if it is used twice.
                if reads(b, position)
                    && regs[position] == a_regs[0]
                    && let Some(handler) = chain_of(a, b, position)
                {
                    return Some(make(handler, a_regs, regs, [0; 2], [0; 2]));
                }
            }
        }
    }
    let handler = two_of(a, b)?;
    Some(make(handler, a_regs, b_regs, [0; 2], [0; 2]))
}

/// A straight instruction and one that ends the run.
fn pair_last((a, a_regs): Parts, last: LastParts) -> Option<Word> {
    if last.number.is_some() {
        let handler = one_counted(a, last.kind)?;
        return Some(make(handler, a_regs, number(last), last.regs, last.targets));
    }
    if let Some((position, regs)) = last_on(a, a_regs, last)
        && let Some(handler) = chain_then(a, last.kind, position)
    {
        return Some(make(handler, a_regs, NONE, regs, last.targets));
    }
    let handler = one_then(a, last.kind)?;
    Some(make(handler, a_regs, NONE, last.regs, last.targets))
}

/// Two straight instructions and one that ends the run.
fn triple((a, a_regs): Parts, (b, b_regs): Parts, last: LastParts) -> Option<Word> {
    if last.number.is_some() {
        return None;
    }
    if let Some((0, regs)) = last_on(b, b_regs, last)
        && let Some(handler) = two_then(a, b, last.kind, true)
    {
        return Some(make(handler, a_regs, b_regs, regs, last.targets));
    }
    let handler = two_then(a, b, last.kind, false)?;
    Some(make(handler, a_regs, b_regs, last.regs, last.targets))
}

/// The position at which the last instruction uses the value of the one before it, and its
/// registers in the order that fits.
fn last_on(kind: Kind, regs: [Reg; 3], last: LastParts) -> Option<(usize, [Reg; 2])> {
    let [x, y] = last.regs;
    let value = regs[0];
    if is_store(kind) {
        return None;
    }
    match last.kind {
        LastKind::BrEq if y == value => Some((0, [y, x])),
        LastKind::BrEq | LastKind::Return if x == value => Some((0, [x, y])),
        LastKind::BrLtS | LastKind::BrLtU if x == value => Some((0, [x, y])),
        LastKind::BrLtS | LastKind::BrLtU if y == value => Some((1, [x, y])),
        _ => None,
    }
}

/// The number of a counted branch as registers.
fn number(last: LastParts) -> [Reg; 3] {
    let number = last.number.unwrap_or(0);
    [number as Reg, (number >> 16) as Reg, 0]
}

fn is_store(kind: Kind) -> bool {
    matches!(kind.access(), Some((Access::Write, ..)))
}

/// Whether an instruction reads the register at a position; the others are its target or a
/// displacement.
fn reads(kind: Kind, position: usize) -> bool {
    match position {
        0 => is_store(kind),
        1 => true,
        _ => !matches!(kind.access(), Some((_, _, false))),
    }
}

/// Whether the operands of an instruction can change places.
fn commutes(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        AddI32 | AddU32 | AddI64 | AddU64 | MulI32 | MulU32 | MulI64 | MulU64 | And | Or | Xor
    )
}
