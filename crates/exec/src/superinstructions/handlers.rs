//! The functions that execute superinstructions, and the tables by which they are found.

use crate::code_word::{Handler, STOPPED, Word, fail};
use crate::control::*;
use crate::state::State;
use crate::straight_line::*;
use crate::wide_ops::Registers;

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

    /// A local object comes to life, then two straight instructions and a call. The object is
    /// `no` of the word, the last register is for its address.
    enter_two_call[A: Straight, B: Straight] = |word, pc, regs, state| {
        let address = regs[word.regs[7] as usize];
        let Some(address) = enter_again(word.no, address, state) else {
            return enter_anew_two_call::<A, B>(word, pc, regs, state);
        };
        regs[word.regs[7] as usize] = address;
        two_call::<A, B>(word, pc, regs, state)
    }

    /// The same for an object that cannot come to life where it was before; by itself, so that the
    /// usual case saves no machine registers.
    enter_anew_two_call[A: Straight, B: Straight] = |word, pc, regs, state| {
        match enter_anew(word.no, word.regs[7], pc, regs, state) {
            Some(()) => two_call::<A, B>(word, pc, regs, state),
            None => STOPPED,
        }
    }

    /// A straight instruction and the end of an iteration.
    one_step[A: Straight, S: Straight, C: Comparison] = |word, pc, regs, state| {
        attempt!(A::apply::<0>(&word.regs, regs, state), state, pc, 0);
        step::<S, C>(3, 1, word, pc, regs, state)
    }

    /// Two straight instructions, the second on the value of the first, and the end of an
    /// iteration. The bound stands where the second would have the register of that value.
    chain_step[A: Straight, B: Straight, const POS: usize, S: Straight, C: Comparison] = |word, pc, regs, state| {
        let value = attempt!(A::apply::<0>(&word.regs, regs, state), state, pc, 0);
        let next = B::forward::<3, POS>(&word.regs, value, regs, state);
        attempt!(next, state, pc, 1);
        step::<S, C>(3 + POS, 2, word, pc, regs, state)
    }
}

/// Two straight instructions and a call, as instructions number 1 to 3.
#[inline(always)]
fn two_call<A: Straight, B: Straight>(
    word: &Word,
    pc: usize,
    regs: &mut Registers,
    state: &mut State<'_>,
) -> usize {
    attempt!(A::apply::<0>(&word.regs, regs, state), state, pc, 1);
    attempt!(B::apply::<3>(&word.regs, regs, state), state, pc, 2);
    CallHere::go(word, pc, regs, state)
}

/// The end of an iteration, as instructions number `part` and the next: changes the counter in
/// the last register but one by the last one, and compares it with the register at `bound`.
#[inline(always)]
fn step<S: Straight, C: Comparison>(
    bound: usize,
    part: usize,
    word: &Word,
    pc: usize,
    regs: &mut Registers,
    state: &mut State<'_>,
) -> usize {
    let [counter, by, bound] = [6, 7, bound].map(|index| regs[word.regs[index] as usize]);
    let next = S::execute::<6>(&word.regs, [counter, counter, by], regs, state);
    let counter = attempt!(next, state, pc, part);
    Branch::<C>::finish(word, pc, [counter, bound], regs, state)
}

/// Instructions that end a run of straight ones and can share a word with them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LastKind {
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

pub(super) fn only_of(last: LastKind) -> Handler {
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

pub(super) fn counted_of<A: Straight>(last: LastKind) -> Option<Handler> {
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

fn one_step_of<A: Straight>(counting: Kind, last: LastKind, bound_first: bool) -> Option<Handler> {
    Some(match (counting, last, bound_first) {
        (Kind::AddI32, LastKind::BrLtS, false) => one_step::<A, AddI32, LessSigned>,
        (Kind::AddI32, LastKind::BrLtS, true) => one_step::<A, AddI32, GreaterSigned>,
        (Kind::SubI32, LastKind::BrLtS, false) => one_step::<A, SubI32, LessSigned>,
        (Kind::SubI32, LastKind::BrLtS, true) => one_step::<A, SubI32, GreaterSigned>,
        (Kind::AddI64, LastKind::BrLtS, false) => one_step::<A, AddI64, LessSigned>,
        (Kind::AddU32, LastKind::BrLtU, false) => one_step::<A, AddU32, LessUnsigned>,
        (Kind::AddU64, LastKind::BrLtU, false) => one_step::<A, AddU64, LessUnsigned>,
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
        before_steps: $($single:ident)*;
    ) => {
        pub(super) fn two_of(a: Kind, b: Kind) -> Option<Handler> {
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

        pub(super) fn enter_then(a: Kind, b: Kind) -> Option<Handler> {
            match a {
                $(Kind::$often => enter_then_second::<$often>(b),)*
                _ => None,
            }
        }

        fn enter_then_second<A: Straight>(b: Kind) -> Option<Handler> {
            match b {
                $(Kind::$often => Some(enter_two_call::<A, $often>),)*
                _ => None,
            }
        }

        pub(super) fn chain_of(a: Kind, b: Kind, position: usize) -> Option<Handler> {
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

        pub(super) fn step_after_one(
            a: Kind,
            counting: Kind,
            last: LastKind,
            bound_first: bool,
        ) -> Option<Handler> {
            match a {
                $(Kind::$single => one_step_of::<$single>(counting, last, bound_first),)*
                _ => None,
            }
        }

        pub(super) fn step_after_chain(a: Kind, b: Kind, position: usize) -> Option<Handler> {
            match a {
                $(Kind::$maker => step_after_chain_second::<$maker>(b, position),)*
                _ => None,
            }
        }

        fn step_after_chain_second<A: Straight>(b: Kind, position: usize) -> Option<Handler> {
            match (b, position) {
                $(
                    (Kind::$user, $pos) => {
                        Some(chain_step::<A, $user, $pos, AddI32, LessSigned>)
                    }
                )*
                _ => None,
            }
        }

        pub(super) fn one_then(a: Kind, last: LastKind) -> Option<Handler> {
            match a {
                $(Kind::$often => one_last_of::<$often>(last),)*
                _ => None,
            }
        }

        pub(super) fn chain_then(a: Kind, last: LastKind, position: usize) -> Option<Handler> {
            match a {
                $(Kind::$maker => chain_last_of::<$maker>(last, position),)*
                _ => None,
            }
        }

        pub(super) fn one_counted(a: Kind, last: LastKind) -> Option<Handler> {
            match a {
                $(Kind::$maker => counted_of::<$maker>(last),)*
                _ => None,
            }
        }

        pub(super) fn two_then(a: Kind, b: Kind, last: LastKind, chained: bool) -> Option<Handler> {
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
        AddI64 Load8U Load8UAt Load32S Load32U Load64 Load32SAt Load32UAt;
    users:
        AddI32 1 SubI32 1 MulI32 1 AddU32 1 AddI64 1 AddU64 1 And 1 Xor 1 Zext8 1 Zext32 1
        Load32S 1 Load64 1 Load32SAt 2 Load32UAt 2
        Store8At 1 Store32 1 Store32At 1 Store32At 2;
    before_steps:
        Mov AddI32 SubI32 MulI32 AddU32 AddI64 AddU64 And Xor Load32S
        Store8 Store8At Store32 Store32At Store64 Store64At;
}
