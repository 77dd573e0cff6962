//! Sizes and alignments of types, and classification of types.
//!
//! # Paper
//! System V ABI for x86-64 and i386, as gcc implements them.

use crate::types::{
    ArrayLen, DataModel, Field, FloatKind, FunctionType, IntKind, QualType, Qualifiers, RecordBody,
    Type, TypeId, Types,
};
use base::Id;
use logic::IntType;

const FIRST_INT: usize = 3;
const FIRST_FLOAT: usize = FIRST_INT + IntKind::ALL.len();
const FIRST_COMPLEX: usize = FIRST_FLOAT + FloatKind::ALL.len();

/// Defines a method for each type that has a name of its own.
macro_rules! type_ids {
    ($of:ident: $Kind:ident; $($(#[$doc:meta])* $name:ident = $kind:ident;)+) => {
        impl Types {$(
            $(#[$doc])*
            pub fn $name(&self) -> TypeId {
                self.$of($Kind::$kind)
            }
        )+}
    };
}

type_ids! {
    int_kind: IntKind;
    /// `char`
    char = Char;
    /// `unsigned short`, also `char16_t`
    ushort = UShort;
    /// `int`
    int = Int;
    /// `unsigned int`, also `char32_t`
    uint = UInt;
    /// `long`
    long = Long;
    /// `unsigned long`
    ulong = ULong;
    /// `long long`
    long_long = LongLong;
    /// `unsigned long long`
    ulong_long = ULongLong;
    /// `__int128`
    int128 = Int128;
    /// `unsigned __int128`
    uint128 = UInt128;
}

type_ids! {
    float_kind: FloatKind;
    /// `float`
    float = Float;
    /// `double`
    double = Double;
    /// `long double`
    long_double = LongDouble;
}

/// Types by name.
impl Types {
    /// `void`
    pub fn void(&self) -> TypeId {
        TypeId::from_index(0)
    }

    /// `_Bool`
    pub fn bool(&self) -> TypeId {
        TypeId::from_index(1)
    }

    /// `__builtin_va_list`
    pub fn va_list(&self) -> TypeId {
        TypeId::from_index(2)
    }

    /// The integer type of a kind.
    pub fn int_kind(&self, kind: IntKind) -> TypeId {
        TypeId::from_index(FIRST_INT + kind as usize)
    }

    /// The floating type of a kind.
    pub fn float_kind(&self, kind: FloatKind) -> TypeId {
        TypeId::from_index(FIRST_FLOAT + kind as usize)
    }

    /// The complex type of a kind.
    pub fn complex_kind(&self, kind: FloatKind) -> TypeId {
        TypeId::from_index(FIRST_COMPLEX + kind as usize)
    }

    /// A pointer.
    pub fn pointer_to(&mut self, to: QualType) -> TypeId {
        self.intern(Type::Pointer(to))
    }

    /// `void *`
    pub fn void_pointer(&mut self) -> TypeId {
        self.pointer_to(self.void().into())
    }

    /// An array.
    pub fn array_of(&mut self, element: QualType, len: ArrayLen) -> TypeId {
        self.intern(Type::Array(element, len))
    }

    /// Which kind `size_t` is.
    pub fn size_kind(&self) -> IntKind {
        self.ptrdiff_kind().to_unsigned()
    }

    /// Which kind `ptrdiff_t` (and `ssize_t`, `intptr_t`) is.
    pub fn ptrdiff_kind(&self) -> IntKind {
        match self.model {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        }
    }

    /// Which kind `wchar_t` is.
    pub fn wchar_kind(&self) -> IntKind {
        match self.model {
            DataModel::Ilp32 => IntKind::Long,
            DataModel::Lp64 => IntKind::Int,
        }
    }

    /// `size_t`, also `uintptr_t`
    pub fn size_t(&self) -> TypeId {
        self.int_kind(self.size_kind())
    }

    /// `ptrdiff_t`
    pub fn ptrdiff_t(&self) -> TypeId {
        self.int_kind(self.ptrdiff_kind())
    }
}

/// Sizes.
impl Types {
    /// No object may be larger than this many bytes.
    pub fn max_object_size(&self) -> u64 {
        match self.model {
            DataModel::Ilp32 => i32::MAX as u64,
            DataModel::Lp64 => i64::MAX as u64,
        }
    }

    /// Bytes of an object of the type. `None` where the type is `void`, a function, incomplete or
    /// of variable length, or where the object would be too large.
    pub fn size_of(&self, ty: TypeId) -> Option<u64> {
        let mut count: u64 = 1;
        let mut ty = ty;
        // `int a[n][0]` is empty even where `n` is huge, so zero is not an early end.
        let size = loop {
            match self.get(ty) {
                &Type::Array(element, ArrayLen::Known(len)) => {
                    count = count.checked_mul(len)?;
                    ty = element.ty;
                }
                Type::Array(_, ArrayLen::Unknown | ArrayLen::Variable(_)) => return None,
                Type::Void | Type::Function(_) => return None,
                Type::Bool | Type::Int(_) | Type::Enum(_) => break self.scalar_int(ty)?.bytes(),
                &Type::Float(kind) => break self.float_size(kind),
                &Type::Complex(kind) => break 2 * self.float_size(kind),
                Type::Pointer(_) => break self.model.word_bytes(),
                &Type::Record(id) => break self.records[id].body.as_ref()?.size,
                Type::VaList => match self.model {
                    DataModel::Ilp32 => break 4,
                    DataModel::Lp64 => break 24,
                },
            }
        };
        let total = count.checked_mul(size)?;
        (total <= self.max_object_size()).then_some(total)
    }

    /// Bytes that `_Alignof` tells: the alignment of a member of that type. `None` where the type
    /// has none; an array of any length has that of its element.
    pub fn align_of(&self, ty: TypeId) -> Option<u64> {
        let align = self.preferred_align_of(ty)?;
        Some(match (self.model, self.get(self.element_of(ty))) {
            // No compiler has them there; tools that take them align them fully.
            (DataModel::Ilp32, Type::Int(IntKind::Int128 | IntKind::UInt128)) => align,
            (DataModel::Ilp32, Type::Bool | Type::Int(_) | Type::Enum(_))
            | (
                DataModel::Ilp32,
                Type::Float(FloatKind::Double) | Type::Complex(FloatKind::Double),
            ) => align.min(4),
            _ => align,
        })
    }

    /// Bytes that GNU's `__alignof__` tells: what a variable of the type gets. It differs from
    /// [`align_of`](Self::align_of) for 8-byte scalars on i386.
    pub fn preferred_align_of(&self, ty: TypeId) -> Option<u64> {
        let word = self.model.word_bytes();
        let ty = self.element_of(ty);
        Some(match self.get(ty) {
            Type::Void | Type::Function(_) | Type::Array(..) => return None,
            Type::Bool | Type::Int(_) | Type::Enum(_) => self.scalar_int(ty)?.bytes(),
            &Type::Float(kind) | &Type::Complex(kind) => match (kind, self.model) {
                (FloatKind::LongDouble, DataModel::Ilp32) => 4,
                (kind, _) => self.float_size(kind),
            },
            Type::Pointer(_) | Type::VaList => word,
            &Type::Record(id) => self.records[id].body.as_ref()?.align,
        })
    }

    /// The alignment of a member with qualifiers: `_Atomic` aligns fully.
    pub fn member_align(&self, ty: QualType) -> Option<u64> {
        let align = self.align_of(ty.ty)?;
        if ty.quals.contains(Qualifiers::ATOMIC) {
            let size = self.size_of(ty.ty)?;
            if matches!(size, 1 | 2 | 4 | 8 | 16) {
                return Some(align.max(size));
            }
        }
        Some(align)
    }

    fn float_size(&self, kind: FloatKind) -> u64 {
        match (kind, self.model) {
            (FloatKind::Float, _) => 4,
            (FloatKind::Double, _) => 8,
            (FloatKind::LongDouble, DataModel::Ilp32) => 12,
            (FloatKind::LongDouble, DataModel::Lp64) | (FloatKind::Float128, _) => 16,
        }
    }

    /// What is under all array layers.
    pub fn element_of(&self, ty: TypeId) -> TypeId {
        self.array_core(ty.into()).ty
    }

    /// The same with its qualifiers.
    pub fn array_core(&self, ty: QualType) -> QualType {
        let mut core = ty;
        while let &Type::Array(element, _) = self.get(core.ty) {
            core = element;
        }
        core
    }
}

/// Defines a method for each question of what kind a type is.
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $pattern:pat,)+) => {
        impl Types {$(
            $(#[$doc])*
            pub fn $name(&self, ty: TypeId) -> bool {
                matches!(self.get(ty), $pattern)
            }
        )+}
    };
}

kinds! {
    /// An integer, `_Bool` or enumeration.
    is_integer = Type::Bool | Type::Int(_) | Type::Enum(_),
    /// A real floating type.
    is_floating = Type::Float(_),
    /// A complex type.
    is_complex = Type::Complex(_),
    /// A pointer.
    is_pointer = Type::Pointer(_),
    /// `void`.
    is_void = Type::Void,
    /// `_Bool`.
    is_bool = Type::Bool,
    /// A function.
    is_function = Type::Function(_),
    /// A struct or union.
    is_record = Type::Record(_),
    /// An enumeration.
    is_enum = Type::Enum(_),
    /// An array.
    is_array = Type::Array(..),
    /// An array without a length.
    is_open_array = Type::Array(_, ArrayLen::Unknown),
}

/// Questions about types.
impl Types {
    /// An integer, floating or complex type.
    pub fn is_arithmetic(&self, ty: TypeId) -> bool {
        self.is_integer(ty) || self.is_floating(ty) || self.is_complex(ty)
    }

    /// Arithmetic or a pointer.
    pub fn is_scalar(&self, ty: TypeId) -> bool {
        self.is_arithmetic(ty) || self.is_pointer(ty)
    }

    /// A union.
    pub fn is_union(&self, ty: TypeId) -> bool {
        matches!(self.get(ty), Type::Record(id) if self.records[*id].is_union)
    }

    /// Whether an object of it can be made. An array of variable length is complete.
    pub fn is_complete(&self, ty: TypeId) -> bool {
        match self.get(ty) {
            Type::Void | Type::Function(_) | Type::Array(_, ArrayLen::Unknown) => false,
            Type::Array(element, _) => self.is_complete_element(element.ty),
            &Type::Record(id) => self.records[id].body.is_some(),
            &Type::Enum(id) => self.enums[id].underlying.is_some(),
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Complex(_) => true,
            Type::Pointer(_) | Type::VaList => true,
        }
    }

    /// Arrays hold complete elements by our invariant, except that a record may be defined late.
    fn is_complete_element(&self, ty: TypeId) -> bool {
        match self.get(self.element_of(ty)) {
            &Type::Record(id) => self.records[id].body.is_some(),
            Type::Void | Type::Function(_) => false,
            _ => true,
        }
    }

    /// Whether a variable length stands somewhere in it.
    pub fn is_variably_modified(&self, ty: TypeId) -> bool {
        let mut ty = ty;
        loop {
            ty = match self.get(ty) {
                Type::Array(_, ArrayLen::Variable(_)) => return true,
                Type::Array(next, _) | Type::Pointer(next) => next.ty,
                Type::Function(function) => function.ret.ty,
                Type::Void | Type::Bool | Type::Int(_) | Type::Float(_) => return false,
                Type::Complex(_) | Type::Enum(_) | Type::Record(_) | Type::VaList => return false,
            };
        }
    }

    /// Whether it is an array whose own size is known only at run time.
    pub fn is_variable_array(&self, ty: TypeId) -> bool {
        let mut ty = ty;
        while let &Type::Array(element, len) = self.get(ty) {
            if matches!(len, ArrayLen::Variable(_)) {
                return true;
            }
            ty = element.ty;
        }
        false
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: TypeId) -> Option<QualType> {
        match self.get(ty) {
            &Type::Pointer(to) => Some(to),
            _ => None,
        }
    }

    /// The type of a function, or of what a pointer to one points to.
    pub fn function(&self, ty: TypeId) -> Option<&FunctionType> {
        match self.get(ty) {
            Type::Function(function) => Some(function),
            _ => None,
        }
    }

    /// The members of a complete record.
    pub fn body(&self, ty: TypeId) -> Option<&RecordBody> {
        match self.get(ty) {
            &Type::Record(id) => self.records[id].body.as_ref(),
            _ => None,
        }
    }

    /// A member of a complete record, by its position.
    pub fn field(&self, ty: TypeId, index: usize) -> Option<&Field> {
        self.body(ty)?.fields.get(index)
    }

    /// Width and signedness of an integer type: 1 bit for `_Bool`, the underlying type for an
    /// enumeration. `None` for other types.
    pub fn scalar_int(&self, ty: TypeId) -> Option<IntType> {
        match self.get(ty) {
            Type::Bool => Some(IntType::unsigned(1)),
            _ => self.kind_of(ty).map(|kind| self.int_type(kind)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn basic_types_have_their_places() {
        let types = Types::new(DataModel::Lp64);
        assert_eq!(types.get(types.void()), &Type::Void);
        assert_eq!(types.get(types.bool()), &Type::Bool);
        assert_eq!(types.get(types.va_list()), &Type::VaList);
        for &kind in IntKind::ALL {
            assert_eq!(types.get(types.int_kind(kind)), &Type::Int(kind));
        }
        for &kind in FloatKind::ALL {
            assert_eq!(types.get(types.float_kind(kind)), &Type::Float(kind));
            assert_eq!(types.get(types.complex_kind(kind)), &Type::Complex(kind));
        }
    }

    #[test]
    fn sizes_differ_between_models() {
        for (model, long, align, preferred) in
            [(DataModel::Ilp32, 4, 4, 8), (DataModel::Lp64, 8, 8, 8)]
        {
            let mut types = Types::new(model);
            assert_eq!(types.size_of(types.long()), Some(long));
            assert_eq!(types.size_of(types.size_t()), Some(long));
            assert_eq!(types.align_of(types.double()), Some(align));
            assert_eq!(types.preferred_align_of(types.double()), Some(preferred));
            assert_eq!(types.align_of(types.int128()), Some(16));
            let array = types.array_of(types.long_long().into(), ArrayLen::Known(3));
            assert_eq!(types.size_of(array), Some(24));
            assert_eq!(types.align_of(array), Some(align));
            let huge = types.array_of(array.into(), ArrayLen::Known(u64::MAX / 4));
            assert_eq!(types.size_of(huge), None);
            assert!(types.is_complete(huge));
            assert_eq!(types.size_of(types.void()), None);
        }
    }
}
