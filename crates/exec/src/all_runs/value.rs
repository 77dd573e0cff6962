//! Values that may be unknown, and operators on them.
//!
//! # Invariants
//! - If the operands of an operation are correct, so is its result: where it is defined.

use super::Stop;
use super::memory::{Memory, Object};
use crate::wide_ops;
use logic::{IntType, IntValue};
use program::expr::{BinaryOp, Constant, FloatType, Type, UnaryOp};
use program::ir::ProcId;
use program::{fold, operators};
use std::cmp::Ordering;

/// What is known about a value. Its type is known from where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Value {
    /// Nothing.
    Unknown,
    Bool(bool),
    /// A number. As an address it is one of pointer width, and null is zero.
    Int(IntValue),
    /// A number of which only the sign is known: not zero, and whether it is below.
    Signed {
        negative: bool,
    },
    /// By its bits. Those of what is not a number may be others.
    Float(FloatType, u64),
    /// Where something is; also as an integer of pointer width.
    Address(Pointer),
}

/// Where something is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Pointer {
    pub(super) base: Base,
    pub(super) offset: i64,
}

/// What an address points into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Base {
    Object(Object),
    Proc(ProcId),
}

/// Addresses that stray farther from their object are unknown, as those of 32 bits would wrap.
const FARTHEST: i64 = 1 << 30;

impl Value {
    pub(super) fn of(constant: Constant, pointer: IntType) -> Value {
        match constant {
            Constant::Bool(value) => Value::Bool(value),
            Constant::Int(value) => Value::Int(value),
            Constant::Float(format, bits) => Value::Float(format, bits),
            Constant::Null => Value::Int(IntValue::zero(pointer)),
        }
    }

    /// The number, if it is one that is not negative.
    pub(super) fn to_u64(self) -> Option<u64> {
        use Value::*;
        match self {
            Int(value) => value.to_u64(),
            Unknown | Bool(_) | Signed { .. } | Float(..) | Address(_) => None,
        }
    }
}

impl Pointer {
    pub(super) fn to(object: Object) -> Pointer {
        Pointer {
            base: Base::Object(object),
            offset: 0,
        }
    }

    /// The address so many bytes farther, if that is still known.
    pub(super) fn moved(self, bytes: i64) -> Option<Pointer> {
        let offset = self.offset.checked_add(bytes)?;
        (offset.abs() <= FARTHEST).then_some(Pointer { offset, ..self })
    }
}

/// `op value`.
pub(super) fn unary(op: UnaryOp, value: Value) -> Result<Value, Stop> {
    use Value::*;
    Ok(match value {
        Bool(value) if op == UnaryOp::Not => Bool(!value),
        Int(value) => Int(wide_ops::unary(op, value)?),
        Float(format, bits) if op == UnaryOp::Neg => {
            Float(format, operators::float_neg(format, bits))
        }
        Unknown | Bool(_) | Float(..) | Signed { .. } | Address(_) => Unknown,
    })
}

/// `left op right`, on operands of a type.
pub(super) fn binary(
    memory: &Memory,
    op: BinaryOp,
    left: Value,
    right: Value,
) -> Result<Value, Stop> {
    Ok(match (left, right) {
        (Value::Bool(a), Value::Bool(b)) => {
            of_known(fold::binary(op, Constant::Bool(a), Constant::Bool(b)))
        }
        // A difference of numbers that are addresses.
        (Value::Int(_), Value::Int(_)) if op == BinaryOp::PtrDiff => Value::Unknown,
        (Value::Int(a), Value::Int(b)) => of_known(Some(wide_ops::binary(op, a, b)?)),
        (Value::Float(format, a), Value::Float(_, b)) => {
            of_known(operators::float_binary(op, format, a, b))
        }
        (Value::Signed { negative }, Value::Int(zero)) if zero.is_zero() => {
            sign_compared(op, negative)
        }
        (Value::Int(zero), Value::Signed { negative }) if zero.is_zero() => {
            // Seen from the other side, the sign is the opposite one.
            sign_compared(op, !negative)
        }
        (Value::Address(a), Value::Address(b)) => addresses(memory, op, a, b),
        (Value::Address(a), Value::Int(b)) | (Value::Int(b), Value::Address(a))
            if b.is_zero() && matches!(op, BinaryOp::Eq | BinaryOp::Ne) =>
        {
            match memory.is_somewhere(a) {
                true => Value::Bool(op == BinaryOp::Ne),
                false => Value::Unknown,
            }
        }
        (known, Value::Unknown) | (Value::Unknown, known) => absorbed(op, known),
        _ => Value::Unknown,
    })
}

/// A result, if there is one.
fn of_known(constant: Option<Constant>) -> Value {
    match constant {
        Some(Constant::Bool(value)) => Value::Bool(value),
        Some(Constant::Int(value)) => Value::Int(value),
        Some(Constant::Float(format, bits)) => Value::Float(format, bits),
        Some(Constant::Null) | None => Value::Unknown,
    }
}

/// The result where one operand decides it alone.
fn absorbed(op: BinaryOp, known: Value) -> Value {
    match (op, known) {
        (BinaryOp::And, Value::Bool(false)) | (BinaryOp::Or, Value::Bool(true)) => known,
        (BinaryOp::And | BinaryOp::Mul, Value::Int(zero)) if zero.is_zero() => known,
        _ => Value::Unknown,
    }
}

/// A number that is not zero, compared with zero.
fn sign_compared(op: BinaryOp, negative: bool) -> Value {
    use BinaryOp::*;
    match op {
        Eq => Value::Bool(false),
        Ne => Value::Bool(true),
        Lt | Le => Value::Bool(negative),
        Gt | Ge => Value::Bool(!negative),
        Add | Sub | Mul | Div | Rem | And | Or | Xor | Shl | Shr | PtrDiff => Value::Unknown,
    }
}

/// What can be said about two addresses without their numbers.
fn addresses(memory: &Memory, op: BinaryOp, a: Pointer, b: Pointer) -> Value {
    use BinaryOp::*;
    let known = |holds: fn(Ordering) -> bool| match a.base == b.base {
        true if memory.is_somewhere(a) && memory.is_somewhere(b) => {
            Value::Bool(holds(a.offset.cmp(&b.offset)))
        }
        _ => Value::Unknown,
    };
    match op {
        Eq | Ne if a.base != b.base => {
            // The address after one object may be that of another one.
            match memory.are_apart(a, b) {
                true => Value::Bool(op == Ne),
                false => Value::Unknown,
            }
        }
        Eq | Ne if memory.is_shared(a) => Value::Unknown,
        Eq => known(Ordering::is_eq),
        Ne => known(Ordering::is_ne),
        Lt => known(Ordering::is_lt),
        Le => known(Ordering::is_le),
        Gt => known(Ordering::is_gt),
        Ge => known(Ordering::is_ge),
        PtrDiff if a.base == b.base => {
            let difference = i128::from(a.offset) - i128::from(b.offset);
            Value::Int(IntValue::wrap(memory.offset_type(), difference))
        }
        PtrDiff | Add | Sub | Mul | Div | Rem | And | Or | Xor | Shl | Shr => Value::Unknown,
    }
}

/// Whether an operation on a signed type does not fit it.
pub(super) fn overflows(op: BinaryOp, left: Value, right: Value) -> Value {
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => Value::Bool(operators::overflows(op, a, b)),
        _ => Value::Unknown,
    }
}

/// A conversion; `pointer` is the unsigned integer as wide as an address.
pub(super) fn cast(to: Type, value: Value, pointer: IntType) -> Result<Value, Stop> {
    let known = |constant| Ok(Value::of(wide_ops::cast(to, constant, pointer)?, pointer));
    match (value, to) {
        (Value::Bool(value), _) => known(Constant::Bool(value)),
        (Value::Int(value), _) => known(Constant::Int(value)),
        (Value::Float(format, bits), Type::Bool | Type::Int(_) | Type::Float(_)) => {
            known(Constant::Float(format, bits))
        }
        (Value::Address(address), Type::Ptr) => Ok(Value::Address(address)),
        (Value::Address(address), Type::Int(ty)) if ty.bits == pointer.bits => {
            Ok(Value::Address(address))
        }
        // A signed number of which the sign is known has it in a wider signed type too.
        (Value::Signed { negative }, Type::Int(ty)) if ty.signed && ty.bits >= 32 => {
            Ok(Value::Signed { negative })
        }
        (
            Value::Unknown | Value::Signed { .. } | Value::Address(_) | Value::Float(..),
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Ptr,
        ) => Ok(Value::Unknown),
    }
}
