//! Operations without an instruction of their own: odd widths, 128 bits, conversions, questions
//! about memory. They go through [`logic::IntValue`], which says what C's operators mean.

use crate::bytecode::{NEAR, Reg, Slow, slots_of};
use crate::explain::{arithmetic, not_fitting, shift};
use crate::layout::Layout;
use crate::memory::{Access, Memory};
use crate::value::{constant, constant_slots, int_slots, int_value};
use crate::{Undefined, UndefinedKind};
use logic::{IntType, IntValue};
use program::expr::{BinaryOp, Constant, FloatType, Type, UnaryOp};
use std::cmp::Ordering;

/// The near register file.
pub(crate) type Registers = [u64; NEAR];

/// The slots of a value in registers.
pub(crate) fn get(regs: &Registers, reg: Reg) -> [u64; 2] {
    [regs[reg as usize], regs[reg.wrapping_add(1) as usize]]
}

/// Puts a value of a type into registers.
pub(crate) fn put(regs: &mut Registers, reg: Reg, ty: Type, slots: [u64; 2]) {
    regs[reg as usize] = slots[0];
    if slots_of(ty) == 2 {
        regs[reg.wrapping_add(1) as usize] = slots[1];
    }
}

/// Executes a slow operation.
pub(crate) fn execute(
    slow: &Slow,
    regs: &mut Registers,
    memory: &mut Memory,
    layout: &Layout,
) -> Result<(), Undefined> {
    let pointer_bytes = if layout.wide { 8 } else { 4 };
    match *slow {
        Slow::Binary(op, ty, amount, [d, a, b]) => {
            let left = int_value(ty, get(regs, a));
            let right_ty = if is_shift(op) { amount } else { ty };
            let right = int_value(right_ty, get(regs, b));
            let result = binary(op, left, right)?;
            put(regs, d, result.ty(), constant_slots(result));
        }
        Slow::Overflows(op, ty, amount, [d, a, b]) => {
            let left = int_value(ty, get(regs, a));
            let right_ty = if is_shift(op) { amount } else { ty };
            let right = int_value(right_ty, get(regs, b));
            regs[d as usize] = u64::from(overflows(op, left, right));
        }
        Slow::Unary(op, ty, [d, a]) => {
            let value = unary(op, int_value(ty, get(regs, a)))?;
            put(regs, d, Type::Int(ty), int_slots(value));
        }
        Slow::Float32(op, [d, a, b]) => {
            let [a, b] = [a, b].map(|reg| f32::from_bits(regs[reg as usize] as u32));
            regs[d as usize] = float32(op, a, b);
        }
        Slow::FloatNeg(format, [d, a]) => {
            let sign = match format {
                FloatType::F32 => 1 << 31,
                FloatType::F64 => 1 << 63,
            };
            regs[d as usize] = regs[a as usize] ^ sign;
        }
        Slow::Cast {
            from,
            to,
            regs: [d, a],
        } => {
            let slots = cast(layout, from, to, get(regs, a))?;
            put(regs, d, to, slots);
        }
        Slow::Load(ty, [d, a], displacement) => {
            let address =
                layout.wrap(regs[a as usize].wrapping_add_signed(i64::from(displacement)));
            let count = ty.bytes(pointer_bytes);
            let Some(bytes) = memory.bytes(address, count) else {
                return Err(memory.explain(address, count, Access::Read));
            };
            if ty == Type::Bool && bytes[0] > 1 {
                return Err(undefined(UndefinedKind::BadBool));
            }
            put(regs, d, ty, from_bytes(ty, bytes));
        }
        Slow::Store(ty, [a, value], displacement) => {
            let address =
                layout.wrap(regs[a as usize].wrapping_add_signed(i64::from(displacement)));
            let count = ty.bytes(pointer_bytes);
            let [low, high] = get(regs, value).map(u64::to_le_bytes);
            match memory.bytes_mut(address, count) {
                Some(bytes) => {
                    for (target, byte) in bytes.iter_mut().zip(low.into_iter().chain(high)) {
                        *target = byte;
                    }
                }
                None => return Err(memory.explain(address, count, Access::Write)),
            }
        }
        Slow::PointerOrder([a, b]) => {
            let (a, b) = (regs[a as usize], regs[b as usize]);
            // Many programs ask whether a pointer is above null.
            if a != 0 && b != 0 && !memory.same_object(a, b) {
                return Err(undefined(UndefinedKind::PointerOrder));
            }
        }
        Slow::PointerDifference([d, a, b]) => {
            let (a, b) = (regs[a as usize], regs[b as usize]);
            if !memory.same_object(a, b) {
                return Err(Undefined {
                    kind: UndefinedKind::PointerDifference,
                    message: format!("difference of addresses of two objects: {a:#x} and {b:#x}"),
                });
            }
            let difference = a.wrapping_sub(b);
            regs[d as usize] = if layout.wide {
                difference
            } else {
                difference as i32 as i64 as u64
            };
        }
        Slow::Valid {
            write,
            regs: [d, a, b],
        } => {
            let valid = memory.valid(regs[a as usize], regs[b as usize], write);
            regs[d as usize] = u64::from(valid);
        }
        Slow::Freeable([d, a]) => {
            regs[d as usize] = u64::from(memory.freeable(regs[a as usize]));
        }
    }
    Ok(())
}

fn undefined(kind: UndefinedKind) -> Undefined {
    Undefined {
        kind,
        message: kind.describe().to_owned(),
    }
}

/// The value of a type in memory.
pub(crate) fn from_bytes(ty: Type, bytes: &[u8]) -> [u64; 2] {
    let mut all = [0; 16];
    all[..bytes.len()].copy_from_slice(bytes);
    let bits = u128::from_le_bytes(all);
    match ty {
        Type::Bool => [u64::from(bits != 0), 0],
        Type::Int(int) => int_slots(IntValue::from_bits(int, bits)),
        Type::Float(_) | Type::Ptr => [bits as u64, 0],
    }
}

fn is_shift(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Shl | BinaryOp::Shr)
}

/// An operation on integers.
pub(crate) fn binary(op: BinaryOp, a: IntValue, b: IntValue) -> Result<Constant, Undefined> {
    let wrapped = |symbol: &str, (value, overflow): (IntValue, bool)| {
        if overflow && a.ty().signed {
            Err(not_fitting(symbol, a, b))
        } else {
            Ok(Constant::Int(value))
        }
    };
    let divided = |symbol: &str, result: Option<(IntValue, bool)>| match result {
        Some(result) => wrapped(symbol, result),
        None => Err(arithmetic(symbol, a, b)),
    };
    let compared = |holds: fn(Ordering) -> bool| Ok(Constant::Bool(holds(a.compare(b))));
    match op {
        BinaryOp::Add => wrapped("+", a.add(b)),
        BinaryOp::Sub => wrapped("-", a.sub(b)),
        BinaryOp::Mul => wrapped("*", a.mul(b)),
        BinaryOp::Div => divided("/", a.div(b)),
        BinaryOp::Rem => divided("%", a.rem(b)),
        BinaryOp::And => Ok(Constant::Int(a.and(b))),
        BinaryOp::Or => Ok(Constant::Int(a.or(b))),
        BinaryOp::Xor => Ok(Constant::Int(a.xor(b))),
        BinaryOp::Shl => match a.shl(b) {
            Some(result) => wrapped("<<", result),
            None => Err(shift("<<", a, b)),
        },
        BinaryOp::Shr => match a.shr(b) {
            Some(value) => Ok(Constant::Int(value)),
            None => Err(shift(">>", a, b)),
        },
        BinaryOp::Eq => compared(Ordering::is_eq),
        BinaryOp::Ne => compared(Ordering::is_ne),
        BinaryOp::Lt => compared(Ordering::is_lt),
        BinaryOp::Le => compared(Ordering::is_le),
        BinaryOp::Gt => compared(Ordering::is_gt),
        BinaryOp::Ge => compared(Ordering::is_ge),
        BinaryOp::PtrDiff => unreachable!("addresses should be compared by an op of their own"),
    }
}

fn overflows(op: BinaryOp, a: IntValue, b: IntValue) -> bool {
    use BinaryOp::*;
    let wrapped = match op {
        Add => Some(a.add(b)),
        Sub => Some(a.sub(b)),
        Mul => Some(a.mul(b)),
        Div => a.div(b),
        Rem => a.rem(b),
        Shl => a.shl(b),
        And | Or | Xor | Shr | Eq | Ne | Lt | Le | Gt | Ge | PtrDiff => None,
    };
    a.ty().signed && wrapped.is_some_and(|(_, overflow)| overflow)
}

/// An operation on one integer.
pub(crate) fn unary(op: UnaryOp, value: IntValue) -> Result<IntValue, Undefined> {
    let ty = value.ty();
    let count = |count: u32| Ok(IntValue::from_bits(ty, count.into()));
    let unused = 128 - u32::from(ty.bits);
    match op {
        UnaryOp::Neg => match value.neg() {
            (_, true) if ty.signed => Err(Undefined {
                kind: UndefinedKind::SignedOverflow,
                message: format!("-({value}) does not fit in {ty}"),
            }),
            (negated, _) => Ok(negated),
        },
        UnaryOp::Not => Ok(value.not()),
        UnaryOp::Popcount => count(value.bits().count_ones()),
        UnaryOp::Clz | UnaryOp::Ctz if value.is_zero() => Err(Undefined {
            kind: UndefinedKind::ZeroCount,
            message: "count of the zeros before or behind the bits of 0".to_owned(),
        }),
        UnaryOp::Clz => count(value.bits().leading_zeros() - unused),
        UnaryOp::Ctz => count(value.bits().trailing_zeros()),
        UnaryOp::Bswap => Ok(IntValue::from_bits(ty, value.bits().swap_bytes() >> unused)),
    }
}

fn float32(op: BinaryOp, a: f32, b: f32) -> u64 {
    use BinaryOp::*;
    let number = |value: f32| u64::from(value.to_bits());
    match op {
        Add => number(a + b),
        Sub => number(a - b),
        Mul => number(a * b),
        Div => number(a / b),
        Eq => u64::from(a == b),
        Ne => u64::from(a != b),
        Lt => u64::from(a < b),
        Le => u64::from(a <= b),
        Gt => u64::from(a > b),
        Ge => u64::from(a >= b),
        Rem | And | Or | Xor | Shl | Shr | PtrDiff => {
            unreachable!("validation should refuse this on floats")
        }
    }
}

fn cast(layout: &Layout, from: Type, to: Type, slots: [u64; 2]) -> Result<[u64; 2], Undefined> {
    let address = IntType::unsigned(if layout.wide { 64 } else { 32 });
    let value = match from {
        Type::Bool => Constant::Int(IntValue::from_bits(IntType::unsigned(1), slots[0].into())),
        Type::Ptr => Constant::Int(IntValue::from_bits(address, slots[0].into())),
        Type::Int(_) | Type::Float(_) => constant(from, slots),
    };
    Ok(match (value, to) {
        (Constant::Int(value), Type::Int(int)) => int_slots(value.convert(int)),
        (Constant::Int(value), Type::Ptr) => int_slots(value.convert(address)),
        (Constant::Int(value), Type::Float(format)) => [int_to_float(value, format), 0],
        (Constant::Float(format, bits), Type::Float(to)) => [float_to_float(format, bits, to), 0],
        (Constant::Float(format, bits), Type::Int(int)) => {
            int_slots(float_to_int(format, bits, int)?)
        }
        (value, Type::Bool) => [u64::from(constant_slots(value) != [0, 0]), 0],
        (Constant::Bool(_) | Constant::Null | Constant::Float(..), _) => slots,
    })
}

pub(crate) fn int_to_float(value: IntValue, format: FloatType) -> u64 {
    // Either half is exact in 128 bits, and the conversion rounds once.
    match (format, value.to_i128()) {
        (FloatType::F32, Some(value)) => u64::from((value as f32).to_bits()),
        (FloatType::F32, None) => u64::from((value.bits() as f32).to_bits()),
        (FloatType::F64, Some(value)) => (value as f64).to_bits(),
        (FloatType::F64, None) => (value.bits() as f64).to_bits(),
    }
}

pub(crate) fn float_to_float(from: FloatType, bits: u64, to: FloatType) -> u64 {
    match (from, to) {
        (FloatType::F32, FloatType::F64) => f64::from(f32::from_bits(bits as u32)).to_bits(),
        (FloatType::F64, FloatType::F32) => u64::from((f64::from_bits(bits) as f32).to_bits()),
        (FloatType::F32, FloatType::F32) | (FloatType::F64, FloatType::F64) => bits,
    }
}

pub(crate) fn float_to_int(
    format: FloatType,
    bits: u64,
    ty: IntType,
) -> Result<IntValue, Undefined> {
    let value = match format {
        FloatType::F32 => f64::from(f32::from_bits(bits as u32)),
        FloatType::F64 => f64::from_bits(bits),
    };
    let whole = value.trunc();
    // A whole double below 2^127 in magnitude is exact as an i128; beyond, only u128 is left.
    let result = if whole >= -(2f64.powi(127)) && whole < 2f64.powi(127) {
        let exact = whole as i128;
        Some(IntValue::wrap(ty, exact)).filter(|result| result.to_i128() == Some(exact))
    } else if whole > 0.0 && whole < 2f64.powi(128) {
        let exact = whole as u128;
        Some(IntValue::from_bits(ty, exact)).filter(|result| !ty.signed && result.bits() == exact)
    } else {
        None
    };
    result.ok_or_else(|| Undefined {
        kind: UndefinedKind::FloatConversion,
        message: format!("{value} does not fit in {ty}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_become_integers_or_say_why_not() {
        let i32 = IntType::I32;
        let cases = [
            (1.9, i32, Some(1)),
            (-1.9, i32, Some(-1)),
            (2147483647.5, i32, Some(2147483647)),
            (2147483648.0, i32, None),
            (-2147483648.9, i32, Some(-2147483648)),
            (-2147483649.0, i32, None),
            (-0.5, IntType::U8, Some(0)),
            (-1.0, IntType::U8, None),
            (f64::NAN, i32, None),
            (f64::INFINITY, IntType::unsigned(128), None),
        ];
        for (value, ty, expected) in cases {
            let result = float_to_int(FloatType::F64, value.to_bits(), ty).ok();
            assert_eq!(
                result.and_then(IntValue::to_i128),
                expected,
                "{value} to {ty}"
            );
        }
        let big = float_to_int(FloatType::F64, 3e38f64.to_bits(), IntType::unsigned(128));
        assert_eq!(big.unwrap().bits(), 3e38f64 as u128);
    }
}
