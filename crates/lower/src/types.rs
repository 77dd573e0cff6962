//! C types as the IR sees them: scalars, and bytes in memory.

use super::Context;
use cfront::types::{FloatKind, IntKind, Type as CType, TypeId};
use logic::IntType;
use program::expr::{Expr, FloatType, Type};

/// How values of a C type are held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// There are none.
    Void,
    /// In variables and expressions.
    Scalar(Type),
    /// Only in memory: records, arrays, argument lists, and numbers we do not compute with.
    Memory,
    /// Functions.
    Function,
}

impl Context<'_> {
    /// How values of a type are held.
    pub(super) fn shape(&self, ty: TypeId) -> Shape {
        match self.ast.types.get(ty) {
            CType::Void => Shape::Void,
            CType::Bool => Shape::Scalar(Type::Bool),
            CType::Int(kind) => Shape::Scalar(Type::Int(self.ast.types.int_type(*kind))),
            CType::Enum(id) => {
                let kind = self.ast.types.enums[*id]
                    .underlying
                    .unwrap_or(IntKind::UInt);
                Shape::Scalar(Type::Int(self.ast.types.int_type(kind)))
            }
            CType::Float(kind) => match format_of(*kind) {
                Some(format) => Shape::Scalar(Type::Float(format)),
                None => Shape::Memory,
            },
            CType::Pointer(_) => Shape::Scalar(Type::Ptr),
            CType::Complex(_) | CType::Array(..) | CType::Record(_) | CType::VaList => {
                Shape::Memory
            }
            CType::Function(_) => Shape::Function,
        }
    }

    /// The IR type of a scalar.
    pub(super) fn scalar(&self, ty: TypeId) -> Option<Type> {
        match self.shape(ty) {
            Shape::Scalar(ty) => Some(ty),
            Shape::Void | Shape::Memory | Shape::Function => None,
        }
    }

    /// Why values of the type cannot be computed with, in words.
    pub(super) fn unmodelled(&self, ty: TypeId) -> &'static str {
        match self.ast.types.get(ty) {
            CType::Float(FloatKind::LongDouble) => "arithmetic on `long double`",
            CType::Float(_) => "arithmetic on `_Float128`",
            CType::Complex(_) => "arithmetic on complex numbers",
            CType::VaList => "this use of `va_list`",
            CType::Array(..) => "an array used as a value",
            CType::Record(_) => "a record used as a scalar",
            CType::Void => "a void value",
            CType::Function(_) => "a function used as a value",
            CType::Bool | CType::Int(_) | CType::Enum(_) | CType::Pointer(_) => "this value",
        }
    }

    /// Bytes, if they are constant. `void` and functions count one, as in gcc.
    pub(super) fn size(&self, ty: TypeId) -> Option<u64> {
        match self.shape(ty) {
            Shape::Void | Shape::Function => Some(1),
            Shape::Scalar(_) | Shape::Memory => self.ast.types.size_of(ty),
        }
    }

    /// The alignment of an object of the type.
    pub(super) fn align(&self, ty: TypeId) -> u64 {
        self.ast.types.preferred_align_of(ty).unwrap_or(1).max(1)
    }

    /// The type of the elements a pointer points to.
    pub(super) fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        self.ast.types.pointee(ty).map(|target| target.ty)
    }
}

/// The format of a kind of floating numbers, if we compute with it.
pub(super) fn format_of(kind: FloatKind) -> Option<FloatType> {
    match kind {
        FloatKind::Float => Some(FloatType::F32),
        FloatKind::Double => Some(FloatType::F64),
        FloatKind::LongDouble | FloatKind::Float128 => None,
    }
}

/// A value of one IR type as another, as C converts it. Both are scalars.
pub(super) fn convert(pointer_bits: u8, value: Expr, from: Type, to: Type) -> Expr {
    let word = Type::Int(IntType::unsigned(pointer_bits));
    match (from, to) {
        (from, to) if from == to => value,
        (from, Type::Bool) => Expr::truth(from, value),
        // An integer becomes an address through the integer as wide as one.
        (Type::Int(ty), Type::Ptr) => {
            let wide = Type::Int(IntType {
                bits: pointer_bits,
                signed: ty.signed,
            });
            Expr::cast(
                word,
                Type::Ptr,
                Expr::cast(wide, word, Expr::cast(from, wide, value)),
            )
        }
        (Type::Ptr, Type::Int(_)) => Expr::cast(word, to, Expr::cast(Type::Ptr, word, value)),
        (Type::Bool, Type::Ptr) => Expr::cast(word, Type::Ptr, Expr::cast(from, word, value)),
        (Type::Float(_), Type::Ptr) | (Type::Ptr, Type::Float(_)) => {
            // C has no such conversion; the parser refuses it.
            Expr::Const(to.zero())
        }
        (from, to) => Expr::cast(from, to, value),
    }
}
