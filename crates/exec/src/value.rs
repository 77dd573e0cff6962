//! Values as displayed, and as slots.

use crate::memory::Storage;
use crate::wide_ops::cast;
use base::IdVec;
use logic::{IntType, IntValue};
use program::expr::{Constant, FloatType, Type};
use program::ir::{ProcId, Program, VarId};

/// The values of the variables; none where it is not known, and for addresses and floating-point
/// numbers.
pub type Values = IdVec<VarId, Option<Constant>>;

/// A value of a run: a constant, or the address of something.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// Anything but an address; or null.
    Constant(Constant),
    /// An address in an object: which one, and how many bytes from its start.
    Address(Storage, i64),
    /// The address of a procedure.
    Proc(ProcId),
    /// An address of nothing known.
    Wild(u64),
}

/// Where a value was put.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Target {
    /// In a variable.
    Var(VarId),
    /// In an object, so many bytes from its start.
    Object(Storage, i64),
}

impl Target {
    /// The place in words: a name, and how many bytes from its start.
    pub fn describe(&self, program: &Program) -> String {
        match *self {
            Target::Var(var) => program.vars[var].name.to_string(),
            Target::Object(storage, offset) => place(program, storage, offset),
        }
    }
}

impl Value {
    /// The value in words, as a C programmer would write it.
    pub fn describe(&self, program: &Program) -> String {
        match *self {
            Value::Constant(constant) => describe_constant(constant),
            Value::Address(storage, offset) => format!("&{}", place(program, storage, offset)),
            Value::Proc(proc) => format!("&{}", program.procs[proc].name),
            Value::Wild(address) => format!("{address:#x}"),
        }
    }
}

/// A byte of an object in words.
fn place(program: &Program, storage: Storage, offset: i64) -> String {
    let name = match storage {
        Storage::Declared(object) => program.objects[object].name.to_string(),
        Storage::Heap(number) => format!("heap#{number}"),
        Storage::Stack(number) => format!("alloca#{number}"),
    };
    match offset {
        0 => name,
        1.. => format!("{name}+{offset}"),
        _ => format!("{name}{offset}"),
    }
}

/// A constant in words.
pub fn describe_constant(constant: Constant) -> String {
    match constant {
        Constant::Bool(value) => value.to_string(),
        Constant::Int(value) => value.to_string(),
        Constant::Float(FloatType::F32, bits) => {
            format!("{:?}", f32::from_bits(bits as u32))
        }
        Constant::Float(FloatType::F64, bits) => format!("{:?}", f64::from_bits(bits)),
        Constant::Null => "null".to_owned(),
    }
}

/// An integer as slots.
#[inline]
pub(crate) fn int_slots(value: IntValue) -> [u64; 2] {
    let ty = value.ty();
    let mut bits = value.bits();
    if value.is_negative() {
        bits |= !ty.mask();
    }
    [bits as u64, (bits >> 64) as u64]
}

/// The integer in slots; the second counts only for wide types.
#[inline]
pub(crate) fn int_value(ty: IntType, slots: [u64; 2]) -> IntValue {
    let bits = if ty.bits > 64 {
        u128::from(slots[0]) | u128::from(slots[1]) << 64
    } else {
        u128::from(slots[0])
    };
    IntValue::from_bits(ty, bits)
}

/// A constant as slots.
pub(crate) fn constant_slots(constant: Constant) -> [u64; 2] {
    match constant {
        Constant::Bool(value) => [u64::from(value), 0],
        Constant::Int(value) => int_slots(value),
        Constant::Float(_, bits) => [bits, 0],
        Constant::Null => [0, 0],
    }
}

/// The constant of a type in slots. An address keeps only whether it is null.
pub(crate) fn constant(ty: Type, slots: [u64; 2]) -> Constant {
    match ty {
        Type::Bool => Constant::Bool(slots[0] != 0),
        Type::Int(int) => Constant::Int(int_value(int, slots)),
        Type::Float(format) => Constant::Float(format, slots[0]),
        Type::Ptr => Constant::Null,
    }
}

/// An input made to fit the type it is wanted in: a number converts, all else must agree.
pub(crate) fn fit(input: Constant, ty: Type) -> Constant {
    match (input, ty) {
        (Constant::Null, Type::Ptr) => input,
        (Constant::Null, _) | (_, Type::Ptr) => ty.zero(),
        (Constant::Float(..), Type::Bool | Type::Int(_)) | (Constant::Bool(_), Type::Float(_)) => {
            ty.zero()
        }
        (Constant::Bool(_) | Constant::Int(_) | Constant::Float(..), _) => {
            cast(ty, input, IntType::U8).unwrap_or(ty.zero())
        }
    }
}
