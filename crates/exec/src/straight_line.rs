//! Straight-line instructions: those that continue with the next one or fail.
//!
//! Each is a type, so that the functions in [`crate::superinstructions`] can be composed of any two
//! of them, and a [`Kind`] for everything else. One that computes has its target and two operands
//! as registers. The third register of a memory access is a displacement, or an index that is
//! scaled by the size.

use crate::bytecode::Reg;
use crate::code_word::Handler;
use crate::memory::Access;
use crate::state::State;
use crate::superinstructions::one;
use crate::wide_ops::Registers;
use logic::IntType;
use program::expr::BinaryOp;

/// An instruction that goes on to the next one.
pub(crate) trait Straight {
    /// Executes it with the three registers from `AT` on, which hold `x`; returns the value it puts
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

/// Defines loads and stores, each with a displacement and with a scaled index after the address: a
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
    ($name:ident, |$r:ident, $index:ident, $at:ident| $by:expr, Read $ty:ty as $wide:ty) => {
        accesses!($name, |$r, [_, base, $index], regs, state, $at| {
            let address = base.wrapping_add_signed($by?);
            let value = <$ty>::from_le_bytes(state.memory.read(address)?) as $wide as u64;
            regs[$r[$at] as usize] = value;
            Some(value)
        });
    };
    ($name:ident, |$r:ident, $index:ident, $at:ident| $by:expr, Write $ty:ty) => {
        accesses!($name, |$r, [base, value, $index], _regs, state, $at| {
            let address = base.wrapping_add_signed($by?);
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

/// Makes [`Kind`] from the list of straight instructions, and the types.
macro_rules! instructions {
    (
        values { $($value:ident = |$a:ident, $b:ident| $result:expr;)* }
        accesses { $($name:ident, $indexed:ident = $kind:ident $ty:ty $(as $wide:ty)?;)* }
    ) => {
        values! { $($value = |$a, $b| $result;)* }
        accesses! { $($name, $indexed = $kind $ty $(as $wide)?;)* }

        /// Which straight instruction.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Kind {
            $($value,)* $($name, $indexed,)*
        }

        impl Kind {
            /// The function that executes it alone.
            pub(crate) fn handler(self) -> Handler {
                match self {
                    $(Kind::$value => one::<$value>,)*
                    $(Kind::$name => one::<$name>, Kind::$indexed => one::<$indexed>,)*
                }
            }

            /// How many bytes of memory it reads or writes, and whether they are at an index.
            pub(crate) fn access(self) -> Option<(Access, u64, bool)> {
                match self {
                    $(Kind::$value => None,)*
                    $(
                        Kind::$name => Some((Access::$kind, size_of::<$ty>() as u64, false)),
                        Kind::$indexed => Some((Access::$kind, size_of::<$ty>() as u64, true)),
                    )*
                }
            }
        }
    };
}

/// The types of arithmetic that has instructions of its own, in the order of [`ARITHMETIC`].
const WIDTHS: [IntType; 4] = [
    IntType::I32,
    IntType::unsigned(32),
    IntType::I64,
    IntType::unsigned(64),
];

/// The instructions for arithmetic at the widths that C computes in.
const ARITHMETIC: [(BinaryOp, [Kind; 4]); 7] = {
    use Kind::*;
    [
        (BinaryOp::Add, [AddI32, AddU32, AddI64, AddU64]),
        (BinaryOp::Sub, [SubI32, SubU32, SubI64, SubU64]),
        (BinaryOp::Mul, [MulI32, MulU32, MulI64, MulU64]),
        (BinaryOp::Div, [DivI32, DivU32, DivI64, DivU64]),
        (BinaryOp::Rem, [RemI32, RemU32, RemI64, RemU64]),
        (BinaryOp::Shl, [ShlI32, ShlU32, ShlI64, ShlU64]),
        (BinaryOp::Shr, [ShrI32, ShrU32, ShrI64, ShrU64]),
    ]
};

impl Kind {
    /// The instruction for arithmetic on a type, if it has one of its own.
    pub(crate) fn of_arithmetic(op: BinaryOp, ty: IntType) -> Option<Kind> {
        let width = WIDTHS.iter().position(|&width| width == ty)?;
        let row = ARITHMETIC.iter().find(|(other, _)| *other == op)?;
        Some(row.1[width])
    }

    /// The operation and the type that it is the instruction for.
    pub(crate) fn arithmetic(self) -> Option<(BinaryOp, IntType)> {
        ARITHMETIC.iter().find_map(|(op, kinds)| {
            let width = kinds.iter().position(|&kind| kind == self)?;
            Some((*op, WIDTHS[width]))
        })
    }
}

instructions! {
    values {
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
    accesses {
        Load8S, Load8SAt = Read i8 as i64;
        Load8U, Load8UAt = Read u8 as u64;
        Load16S, Load16SAt = Read i16 as i64;
        Load16U, Load16UAt = Read u16 as u64;
        Load32S, Load32SAt = Read i32 as i64;
        Load32U, Load32UAt = Read u32 as u64;
        Load64, Load64At = Read u64 as u64;
        Store8, Store8At = Write u8;
        Store16, Store16At = Write u16;
        Store32, Store32At = Write u32;
        Store64, Store64At = Write u64;
    }
}
