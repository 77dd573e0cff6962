//! Straight instructions: those that go on to the next one or fail.
//!
//! Each is a type, so that the functions in [`crate::fuse`] can be composed of any two of them.
//! The third register of an access to memory is a displacement.

use crate::bytecode::{Inst, Reg};
use crate::slow::Registers;
use crate::state::State;

/// An instruction that goes on to the next one.
pub(crate) trait Straight {
    /// Executes it with the three registers from `AT` on, which hold `x`; gives the value it puts
    /// into the first one (a store: anything), or nothing if it fails.
    fn execute<const AT: usize>(
        r: &[Reg; 8],
        x: [u64; 3],
        regs: &mut Registers,
        state: &mut State<'_>,
    ) -> Option<u64>;

    /// Executes it on the values in its registers.
    #[inline(always)]
    fn apply<const AT: usize>(
        r: &[Reg; 8],
        regs: &mut Registers,
        state: &mut State<'_>,
    ) -> Option<u64> {
        let x = [0, 1, 2].map(|index| regs[r[AT + index] as usize]);
        Self::execute::<AT>(r, x, regs, state)
    }

    /// The same with a value that is at hand in place of the register number `POS`, so that the
    /// processor need not wait until it has been through memory.
    #[inline(always)]
    fn forward<const AT: usize, const POS: usize>(
        r: &[Reg; 8],
        value: u64,
        regs: &mut Registers,
        state: &mut State<'_>,
    ) -> Option<u64> {
        let mut x = [0, 1, 2].map(|index| regs[r[AT + index] as usize]);
        x[POS] = value;
        Self::execute::<AT>(r, x, regs, state)
    }
}

/// Defines instructions that compute a value from two registers, or fail.
macro_rules! values {
    ($($name:ident = |$a:ident, $b:ident| $value:expr;)*) => {$(
        pub(crate) struct $name;
        impl Straight for $name {
            #[inline(always)]
            fn execute<const AT: usize>(
                r: &[Reg; 8],
                [_, $a, $b]: [u64; 3],
                regs: &mut Registers,
                _state: &mut State<'_>,
            ) -> Option<u64> {
                let value: Option<u64> = $value;
                if let Some(value) = value {
                    regs[r[AT] as usize] = value;
                }
                value
            }
        }
    )*};
}

/// Defines loads and stores, each with a displacement and with a scaled index behind the address: a
/// load has its address in the second register, a store its address and then the value.
macro_rules! accesses {
    ($($name:ident, $indexed:ident = $kind:ident $ty:ty $(as $wide:ty)?;)*) => {$(
        accesses!($name, |r, _index, AT| Some(i64::from(r[AT + 2] as i16)), $kind $ty $(as $wide)?);
        accesses!(
            $indexed,
            |_r, index, AT| (index as i64).checked_mul(size_of::<$ty>() as i64),
            $kind $ty $(as $wide)?
        );
    )*};
    ($name:ident, |$r:ident, $index:ident, $at:ident| $by:expr, load $ty:ty as $wide:ty) => {
        accesses!($name, |$r, [_, base, $index], regs, state, $at| {
            let address = base.wrapping_add_signed($by?) & state.mask;
            let value = <$ty>::from_le_bytes(state.memory.read(address)?) as $wide as u64;
            regs[$r[$at] as usize] = value;
            Some(value)
        });
    };
    ($name:ident, |$r:ident, $index:ident, $at:ident| $by:expr, store $ty:ty) => {
        accesses!($name, |$r, [base, value, $index], _regs, state, $at| {
            let address = base.wrapping_add_signed($by?) & state.mask;
            state.memory.write(address, (value as $ty).to_le_bytes())?;
            Some(0)
        });
    };
    ($name:ident, |$r:ident, $x:pat_param, $regs:ident, $state:ident, $at:ident| $body:block) => {
        pub(crate) struct $name;
        impl Straight for $name {
            #[inline(always)]
            fn execute<const $at: usize>(
                $r: &[Reg; 8],
                $x: [u64; 3],
                $regs: &mut Registers,
                $state: &mut State<'_>,
            ) -> Option<u64> $body
        }
    };
}

/// A result of a signed type, extended by its sign.
#[inline(always)]
fn int(value: Option<i32>) -> Option<u64> {
    value.map(|value| i64::from(value) as u64)
}

#[inline(always)]
fn long(value: Option<i64>) -> Option<u64> {
    value.map(|value| value as u64)
}

/// A float's operation on bits.
#[inline(always)]
fn float(a: u64, b: u64, op: fn(f64, f64) -> f64) -> Option<u64> {
    Some(op(f64::from_bits(a), f64::from_bits(b)).to_bits())
}

#[inline(always)]
fn flag(holds: bool) -> Option<u64> {
    Some(u64::from(holds))
}

values! {
    Mov = |a, _b| Some(a);

    AddI32 = |a, b| int((a as i32).checked_add(b as i32));
    AddU32 = |a, b| Some(u64::from((a as u32).wrapping_add(b as u32)));
    AddI64 = |a, b| long((a as i64).checked_add(b as i64));
    AddU64 = |a, b| Some(a.wrapping_add(b));
    SubI32 = |a, b| int((a as i32).checked_sub(b as i32));
    SubU32 = |a, b| Some(u64::from((a as u32).wrapping_sub(b as u32)));
    SubI64 = |a, b| long((a as i64).checked_sub(b as i64));
    SubU64 = |a, b| Some(a.wrapping_sub(b));
    MulI32 = |a, b| int((a as i32).checked_mul(b as i32));
    MulU32 = |a, b| Some(u64::from((a as u32).wrapping_mul(b as u32)));
    MulI64 = |a, b| long((a as i64).checked_mul(b as i64));
    MulU64 = |a, b| Some(a.wrapping_mul(b));
    DivI32 = |a, b| int((a as i32).checked_div(b as i32));
    DivU32 = |a, b| (a as u32).checked_div(b as u32).map(u64::from);
    DivI64 = |a, b| long((a as i64).checked_div(b as i64));
    DivU64 = |a, b| a.checked_div(b);
    RemI32 = |a, b| int((a as i32).checked_rem(b as i32));
    RemU32 = |a, b| (a as u32).checked_rem(b as u32).map(u64::from);
    RemI64 = |a, b| long((a as i64).checked_rem(b as i64));
    RemU64 = |a, b| a.checked_rem(b);
    // A value of 31 bits moved by 31 at most fits in 64 bits.
    ShlI32 = |a, b| {
        let fits = b < 32 && a as i64 >= 0 && a << (b & 31) <= i32::MAX as u64;
        fits.then_some(a << (b & 31))
    };
    ShlU32 = |a, b| (b < 32).then_some(u64::from((a as u32) << (b & 31)));
    ShlI64 = |a, b| {
        let moved = (a as i64) << (b & 63);
        let fits = b < 64 && a as i64 >= 0 && moved >= 0 && moved >> (b & 63) == a as i64;
        fits.then_some(moved as u64)
    };
    ShlU64 = |a, b| (b < 64).then_some(a << (b & 63));
    ShrI32 = |a, b| (b < 32).then_some((a as i64 >> (b & 31)) as u64);
    ShrU32 = |a, b| (b < 32).then_some(a >> (b & 31));
    ShrI64 = |a, b| (b < 64).then_some((a as i64 >> (b & 63)) as u64);
    ShrU64 = |a, b| (b < 64).then_some(a >> (b & 63));
    NegI32 = |a, _b| int((a as i32).checked_neg());
    NegI64 = |a, _b| long((a as i64).checked_neg());
    And = |a, b| Some(a & b);
    Or = |a, b| Some(a | b);
    Xor = |a, b| Some(a ^ b);
    Not = |a, _b| Some(!a);

    Eq = |a, b| flag(a == b);
    Ne = |a, b| flag(a != b);
    LtS = |a, b| flag((a as i64) < b as i64);
    LeS = |a, b| flag(a as i64 <= b as i64);
    LtU = |a, b| flag(a < b);
    LeU = |a, b| flag(a <= b);

    OverflowsAddI32 = |a, b| flag((a as i32).checked_add(b as i32).is_none());
    OverflowsSubI32 = |a, b| flag((a as i32).checked_sub(b as i32).is_none());
    OverflowsMulI32 = |a, b| flag((a as i32).checked_mul(b as i32).is_none());
    OverflowsAddI64 = |a, b| flag((a as i64).checked_add(b as i64).is_none());
    OverflowsSubI64 = |a, b| flag((a as i64).checked_sub(b as i64).is_none());
    OverflowsMulI64 = |a, b| flag((a as i64).checked_mul(b as i64).is_none());

    Sext8 = |a, _b| Some(a as i8 as u64);
    Sext16 = |a, _b| Some(a as i16 as u64);
    Sext32 = |a, _b| Some(a as i32 as u64);
    Zext8 = |a, _b| Some(a & 0xff);
    Zext16 = |a, _b| Some(a & 0xffff);
    Zext32 = |a, _b| Some(a & 0xffff_ffff);

    AddF64 = |a, b| float(a, b, |a, b| a + b);
    SubF64 = |a, b| float(a, b, |a, b| a - b);
    MulF64 = |a, b| float(a, b, |a, b| a * b);
    DivF64 = |a, b| float(a, b, |a, b| a / b);
    EqF64 = |a, b| flag(f64::from_bits(a) == f64::from_bits(b));
    LtF64 = |a, b| flag(f64::from_bits(a) < f64::from_bits(b));
    LeF64 = |a, b| flag(f64::from_bits(a) <= f64::from_bits(b));
}

accesses! {
    Load8S, Load8SAt = load i8 as i64;
    Load8U, Load8UAt = load u8 as u64;
    Load16S, Load16SAt = load i16 as i64;
    Load16U, Load16UAt = load u16 as u64;
    Load32S, Load32SAt = load i32 as i64;
    Load32U, Load32UAt = load u32 as u64;
    Load64, Load64At = load u64 as u64;
    Store8, Store8At = store u8;
    Store16, Store16At = store u16;
    Store32, Store32At = store u32;
    Store64, Store64At = store u64;
}

/// Makes [`Kind`] and what depends on the list of straight instructions.
macro_rules! kinds {
    ($($three:ident)* ; $($two:ident)* ; $($access:ident)*) => {
        /// Which straight instruction.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Kind {
            $($three,)* $($two,)* $($access,)*
        }

        /// The kind and registers of an instruction, if it is straight.
        pub(crate) fn parts(inst: Inst) -> Option<(Kind, [Reg; 3])> {
            match inst {
                $(Inst::$three(d, a, b) => Some((Kind::$three, [d, a, b])),)*
                $(Inst::$two(d, a) => Some((Kind::$two, [d, a, a])),)*
                $(Inst::$access(d, a, by) => Some((Kind::$access, [d, a, by as Reg])),)*
                _ => None,
            }
        }

        /// The function for one straight instruction.
        pub(crate) fn single(kind: Kind) -> crate::word::Handler {
            match kind {
                $(Kind::$three => crate::fuse::one::<$three>,)*
                $(Kind::$two => crate::fuse::one::<$two>,)*
                $(Kind::$access => crate::fuse::one::<$access>,)*
            }
        }
    };
}

kinds! {
    AddI32 AddU32 AddI64 AddU64 SubI32 SubU32 SubI64 SubU64 MulI32 MulU32 MulI64 MulU64
    DivI32 DivU32 DivI64 DivU64 RemI32 RemU32 RemI64 RemU64
    ShlI32 ShlU32 ShlI64 ShlU64 ShrI32 ShrU32 ShrI64 ShrU64
    And Or Xor Eq Ne LtS LeS LtU LeU
    OverflowsAddI32 OverflowsSubI32 OverflowsMulI32
    OverflowsAddI64 OverflowsSubI64 OverflowsMulI64
    AddF64 SubF64 MulF64 DivF64 EqF64 LtF64 LeF64
    Load8SAt Load8UAt Load16SAt Load16UAt Load32SAt Load32UAt Load64At
    Store8At Store16At Store32At Store64At
    ; Mov NegI32 NegI64 Not Sext8 Sext16 Sext32 Zext8 Zext16 Zext32
    ; Load8S Load8U Load16S Load16U Load32S Load32U Load64 Store8 Store16 Store32 Store64
}
