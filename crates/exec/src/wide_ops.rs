//! Operations without an instruction of their own: odd widths, 128 bits, conversions, memory
//! checks. The semantics of operators is in [`program::operators`].

use crate::bytecode::{NEAR, Reg, Slow, slots_of};
use crate::explain::{negation, no_value};
use crate::layout::Layout;
use crate::memory::{Access, Memory};
use crate::value::{constant, constant_slots, int_slots, int_value};
use crate::{Undefined, UndefinedKind};
use logic::{IntType, IntValue};
use program::expr::{BinaryOp, Constant, FloatType, Type, UnaryOp};
use program::operators;

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
    let displaced = |address: u64, by: i16| layout.wrap(address.wrapping_add_signed(by.into()));
    match *slow {
        Slow::Binary(op, ty, amount, [d, a, b]) => {
            let (left, right) = operands(regs, op, [ty, amount], [a, b]);
            let result = binary(op, left, right)?;
            put(regs, d, result.ty(), constant_slots(result));
        }
        Slow::Overflows(op, ty, amount, [d, a, b]) => {
            let (left, right) = operands(regs, op, [ty, amount], [a, b]);
            regs[d as usize] = u64::from(operators::overflows(op, left, right));
        }
        Slow::Unary(op, ty, [d, a]) => {
            let value = unary(op, int_value(ty, get(regs, a)))?;
            put(regs, d, Type::Int(ty), int_slots(value));
        }
        Slow::Float32(op, [d, a, b]) => {
            let [a, b] = [a, b].map(|reg| regs[reg as usize]);
            let result = operators::float_binary(op, FloatType::F32, a, b);
            let result = result.expect("validation should refuse this on floats");
            regs[d as usize] = constant_slots(result)[0];
        }
        Slow::FloatNeg(format, [d, a]) => {
            regs[d as usize] = operators::float_neg(format, regs[a as usize]);
        }
        Slow::Cast {
            from,
            to,
            regs: [d, a],
        } => {
            let address = IntType::unsigned(8 * pointer_bytes);
            let value = match from {
                Type::Ptr => Constant::Int(int_value(address, get(regs, a))),
                Type::Bool | Type::Int(_) | Type::Float(_) => constant(from, get(regs, a)),
            };
            put(regs, d, to, constant_slots(cast(to, value, address)?));
        }
        Slow::Load(ty, [d, a], displacement) => {
            let address = displaced(regs[a as usize], displacement);
            let count = ty.bytes(pointer_bytes);
            let Some(bytes) = memory.bytes(address, count) else {
                return Err(memory.explain(address, count, Access::Read));
            };
            if ty == Type::Bool && bytes[0] > 1 {
                return Err(Undefined::plain(UndefinedKind::BadBool));
            }
            put(regs, d, ty, from_bytes(ty, bytes));
        }
        Slow::Store(ty, [a, value], displacement) => {
            let address = displaced(regs[a as usize], displacement);
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
                return Err(Undefined::plain(UndefinedKind::PointerOrder));
            }
        }
        Slow::PointerDifference([d, a, b]) => {
            let (a, b) = (regs[a as usize], regs[b as usize]);
            if !memory.same_object(a, b) {
                return Err(Undefined::new(
                    UndefinedKind::PointerDifference,
                    format!("difference of addresses of two objects: {a:#x} and {b:#x}"),
                ));
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

/// The operands of an operation in a type; the right one of a shift has a type of its own.
fn operands(
    regs: &Registers,
    op: BinaryOp,
    [ty, amount]: [IntType; 2],
    [a, b]: [Reg; 2],
) -> (IntValue, IntValue) {
    let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
    let right_ty = if is_shift { amount } else { ty };
    (
        int_value(ty, get(regs, a)),
        int_value(right_ty, get(regs, b)),
    )
}

/// An operation on integers.
pub(crate) fn binary(op: BinaryOp, a: IntValue, b: IntValue) -> Result<Constant, Undefined> {
    operators::int_binary(op, a, b).map_err(|kind| no_value(kind, op, a, b))
}

/// An operation on one integer.
pub(crate) fn unary(op: UnaryOp, value: IntValue) -> Result<IntValue, Undefined> {
    operators::int_unary(op, value).map_err(|kind| match kind {
        UndefinedKind::SignedOverflow => negation(value),
        _ => Undefined::plain(kind),
    })
}

/// A conversion; `pointer` is the unsigned integer as wide as an address, which stands for one.
pub(crate) fn cast(to: Type, value: Constant, pointer: IntType) -> Result<Constant, Undefined> {
    Ok(match (value, to) {
        (Constant::Bool(_), Type::Bool) => value,
        (Constant::Bool(value), _) => {
            let number = IntValue::wrap(IntType::U8, i128::from(value));
            return cast(to, Constant::Int(number), pointer);
        }
        (Constant::Int(value), Type::Bool) => Constant::Bool(!value.is_zero()),
        (Constant::Int(value), Type::Int(ty)) => Constant::Int(value.convert(ty)),
        (Constant::Int(value), Type::Ptr) => Constant::Int(value.convert(pointer)),
        (Constant::Int(value), Type::Float(format)) => {
            Constant::Float(format, operators::int_to_float(value, format))
        }
        (Constant::Float(from, bits), Type::Float(format)) => {
            Constant::Float(format, operators::float_to_float(from, bits, format))
        }
        (Constant::Float(format, bits), Type::Int(ty)) => {
            let value = format.number(bits);
            let result = operators::float_to_int(value, ty);
            Constant::Int(
                result.map_err(|kind| {
                    Undefined::new(kind, format!("{value} does not fit in {ty}"))
                })?,
            )
        }
        (Constant::Float(format, bits), Type::Bool) => Constant::Bool(format.number(bits) != 0.0),
        (Constant::Float(..), Type::Ptr) | (Constant::Null, _) => value,
    })
}
