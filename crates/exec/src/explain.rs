//! Undefined behaviour in words, with the values: found out once an instruction has failed.

use crate::bytecode::Inst;
use crate::memory::{Access, Memory};
use crate::slow::{Registers, binary};
use crate::{Undefined, UndefinedKind};
use logic::{IntType, IntValue};
use program::expr::BinaryOp;

/// `a op b` does not fit the type of `a`.
pub(crate) fn not_fitting(symbol: &str, a: IntValue, b: IntValue) -> Undefined {
    let negative = symbol == "<<" && a.is_negative();
    let why = if negative {
        "is a left shift of a negative value".to_owned()
    } else {
        format!("does not fit in {}", a.ty())
    };
    Undefined {
        kind: UndefinedKind::SignedOverflow,
        message: format!("{a} {symbol} {} {why}", operand(b)),
    }
}

/// Division by zero.
pub(crate) fn arithmetic(symbol: &str, a: IntValue, b: IntValue) -> Undefined {
    Undefined {
        kind: UndefinedKind::DivisionByZero,
        message: format!("{a} {symbol} {} divides by zero", operand(b)),
    }
}

/// A shift by too much, or by less than nothing.
pub(crate) fn shift(symbol: &str, a: IntValue, b: IntValue) -> Undefined {
    Undefined {
        kind: UndefinedKind::ShiftOutOfRange,
        message: format!(
            "{a} {symbol} {} shifts {} by an amount that is not in 0..{}",
            operand(b),
            a.ty(),
            a.ty().bits - 1
        ),
    }
}

fn operand(value: IntValue) -> String {
    if value.is_negative() {
        format!("({value})")
    } else {
        value.to_string()
    }
}

/// Why an instruction failed on these registers.
#[cold]
pub(crate) fn explain(inst: Inst, regs: &Registers, memory: &Memory, wide: bool) -> Undefined {
    const I32: IntType = IntType::I32;
    const U32: IntType = IntType::unsigned(32);
    const I64: IntType = IntType::I64;
    const U64: IntType = IntType::unsigned(64);
    use BinaryOp::{Add, Div, Mul, Rem, Shl, Shr, Sub};
    let (op, ty, a, b) = match inst {
        Inst::AddI32(_, a, b) => (Add, I32, a, b),
        Inst::AddI64(_, a, b) => (Add, I64, a, b),
        Inst::SubI32(_, a, b) => (Sub, I32, a, b),
        Inst::SubI64(_, a, b) => (Sub, I64, a, b),
        Inst::MulI32(_, a, b) => (Mul, I32, a, b),
        Inst::MulI64(_, a, b) => (Mul, I64, a, b),
        Inst::DivI32(_, a, b) => (Div, I32, a, b),
        Inst::DivU32(_, a, b) => (Div, U32, a, b),
        Inst::DivI64(_, a, b) => (Div, I64, a, b),
        Inst::DivU64(_, a, b) => (Div, U64, a, b),
        Inst::RemI32(_, a, b) => (Rem, I32, a, b),
        Inst::RemU32(_, a, b) => (Rem, U32, a, b),
        Inst::RemI64(_, a, b) => (Rem, I64, a, b),
        Inst::RemU64(_, a, b) => (Rem, U64, a, b),
        Inst::ShlI32(_, a, b) => (Shl, I32, a, b),
        Inst::ShlU32(_, a, b) => (Shl, U32, a, b),
        Inst::ShlI64(_, a, b) => (Shl, I64, a, b),
        Inst::ShlU64(_, a, b) => (Shl, U64, a, b),
        Inst::ShrI32(_, a, b) => (Shr, I32, a, b),
        Inst::ShrU32(_, a, b) => (Shr, U32, a, b),
        Inst::ShrI64(_, a, b) => (Shr, I64, a, b),
        Inst::ShrU64(_, a, b) => (Shr, U64, a, b),
        Inst::NegI32(_, a) => return negation(I32, regs[a as usize]),
        Inst::NegI64(_, a) => return negation(I64, regs[a as usize]),
        other => return explain_access(other, regs, memory, wide),
    };
    let value = |ty, reg: u16| IntValue::from_bits(ty, regs[reg as usize].into());
    // The amount of a shift has lost its type; as a signed number it reads right for all but
    // amounts of 2^63 and more.
    let right_ty = if matches!(op, Shl | Shr) { I64 } else { ty };
    binary(op, value(ty, a), value(right_ty, b))
        .expect_err("an instruction that failed should fail again")
}

fn negation(ty: IntType, bits: u64) -> Undefined {
    Undefined {
        kind: UndefinedKind::SignedOverflow,
        message: format!(
            "-({}) does not fit in {ty}",
            IntValue::from_bits(ty, bits.into())
        ),
    }
}

fn explain_access(inst: Inst, regs: &Registers, memory: &Memory, wide: bool) -> Undefined {
    use Access::{Read, Write};
    let (access, count, at, by) = match inst {
        Inst::Load8S(_, at, by) | Inst::Load8U(_, at, by) => (Read, 1, at, Ok(by)),
        Inst::Load16S(_, at, by) | Inst::Load16U(_, at, by) => (Read, 2, at, Ok(by)),
        Inst::Load32S(_, at, by) | Inst::Load32U(_, at, by) => (Read, 4, at, Ok(by)),
        Inst::Load64(_, at, by) => (Read, 8, at, Ok(by)),
        Inst::Load8SAt(_, at, by) | Inst::Load8UAt(_, at, by) => (Read, 1, at, Err(by)),
        Inst::Load16SAt(_, at, by) | Inst::Load16UAt(_, at, by) => (Read, 2, at, Err(by)),
        Inst::Load32SAt(_, at, by) | Inst::Load32UAt(_, at, by) => (Read, 4, at, Err(by)),
        Inst::Load64At(_, at, by) => (Read, 8, at, Err(by)),
        Inst::Store8(at, _, by) => (Write, 1, at, Ok(by)),
        Inst::Store16(at, _, by) => (Write, 2, at, Ok(by)),
        Inst::Store32(at, _, by) => (Write, 4, at, Ok(by)),
        Inst::Store64(at, _, by) => (Write, 8, at, Ok(by)),
        Inst::Store8At(at, _, by) => (Write, 1, at, Err(by)),
        Inst::Store16At(at, _, by) => (Write, 2, at, Err(by)),
        Inst::Store32At(at, _, by) => (Write, 4, at, Err(by)),
        Inst::Store64At(at, _, by) => (Write, 8, at, Err(by)),
        other => unreachable!("{other:?} should not fail"),
    };
    let distance = match by {
        Ok(displacement) => i64::from(displacement),
        Err(index) => {
            let value = |bits: u64| IntValue::from_bits(IntType::I64, bits.into());
            match binary(BinaryOp::Mul, value(regs[index as usize]), value(count)) {
                Ok(_) => regs[index as usize].wrapping_mul(count) as i64,
                Err(overflow) => return overflow,
            }
        }
    };
    let mut address = regs[at as usize].wrapping_add_signed(distance);
    if !wide {
        address &= 0xffff_ffff;
    }
    memory.explain(address, count, access)
}
