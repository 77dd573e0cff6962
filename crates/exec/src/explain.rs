//! Undefined behaviour in words, with the values: determined once an instruction has failed.

use crate::bytecode::{Inst, Reg};
use crate::memory::{Access, Memory};
use crate::straight_line::Kind;
use crate::wide_ops::{Registers, binary};
use crate::{Undefined, UndefinedKind};
use logic::{IntType, IntValue};
use program::expr::BinaryOp;

/// Why `a op b` has no value.
pub(crate) fn no_value(kind: UndefinedKind, op: BinaryOp, a: IntValue, b: IntValue) -> Undefined {
    let ty = a.ty();
    let why = match kind {
        UndefinedKind::DivisionByZero => "divides by zero".to_owned(),
        UndefinedKind::ShiftOutOfRange => {
            let most = ty.bits - 1;
            format!("shifts {ty} by an amount that is not in 0..{most}")
        }
        _ if op == BinaryOp::Shl && a.is_negative() => {
            "is a left shift of a negative value".to_owned()
        }
        _ => format!("does not fit in {ty}"),
    };
    Undefined::new(kind, format!("{a} {} {} {why}", op.name(), operand(b)))
}

/// `-value` does not fit the type of the value.
pub(crate) fn negation(value: IntValue) -> Undefined {
    Undefined::new(
        UndefinedKind::SignedOverflow,
        format!("-({value}) does not fit in {}", value.ty()),
    )
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
    let Inst::Straight(kind, [first, a, b]) = inst else {
        unreachable!("{inst:?} should not fail");
    };
    let value = |ty, reg: Reg| IntValue::from_bits(ty, regs[reg as usize].into());
    if let Some((op, ty)) = kind.arithmetic() {
        // The amount of a shift has lost its type; as a signed number it reads right for all but
        // amounts of 2^63 and more.
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let right_ty = if is_shift { IntType::I64 } else { ty };
        return binary(op, value(ty, a), value(right_ty, b))
            .expect_err("an instruction that failed should fail again");
    }
    match (kind, kind.access()) {
        (Kind::NegI32, _) => negation(value(IntType::I32, a)),
        (Kind::NegI64, _) => negation(value(IntType::I64, a)),
        (_, Some((access, count, is_indexed))) => {
            let distance = if is_indexed {
                let size = IntValue::from_bits(IntType::I64, count.into());
                match binary(BinaryOp::Mul, value(IntType::I64, b), size) {
                    Ok(_) => regs[b as usize].wrapping_mul(count) as i64,
                    Err(overflow) => return overflow,
                }
            } else {
                i64::from(b as i16)
            };
            let base = match access {
                Access::Read => a,
                Access::Write => first,
            };
            let mut address = regs[base as usize].wrapping_add_signed(distance);
            if !wide {
                address &= 0xffff_ffff;
            }
            memory.explain(address, count, access)
        }
        (_, None) => unreachable!("{kind:?} should not fail"),
    }
}
