//! C types, interned: equal types have equal ids.
//!
//! # Invariants
//! - The element of an array and the field of a struct or union are complete, or the record is a
//!   `struct` ending in a flexible array.
//! - `Type::Enum` never appears as the type of an operand: enumerations convert first.

use base::{IdVec, Span, define_id, named_enum};
use logic::IntType;
use rustc_hash::FxHashMap;
use std::sync::Arc;

define_id! {
    /// An interned type.
    TypeId = "t";
    /// A struct or union.
    RecordId = "r";
    /// An enumeration.
    EnumId = "e";
}

/// Sizes that differ between targets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DataModel {
    /// `int`, `long` and pointers of 32 bits.
    Ilp32,
    /// `long` and pointers of 64 bits.
    #[default]
    Lp64,
}

impl DataModel {
    /// Bytes of a pointer, `long` and `size_t`.
    pub fn word_bytes(self) -> u64 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }
}

named_enum! {
    /// Integer types as C distinguishes them (`char` is signed, as in gcc on x86).
    #[allow(missing_docs, reason = "the names are C's")]
    pub enum IntKind {
        Char = "char",
        SChar = "signed char",
        UChar = "unsigned char",
        Short = "short",
        UShort = "unsigned short",
        Int = "int",
        UInt = "unsigned int",
        Long = "long",
        ULong = "unsigned long",
        LongLong = "long long",
        ULongLong = "unsigned long long",
        Int128 = "__int128",
        UInt128 = "unsigned __int128",
    }

    /// Floating types as C distinguishes them, by growing rank.
    #[allow(missing_docs, reason = "the names are C's")]
    pub enum FloatKind {
        Float = "float",
        Double = "double",
        LongDouble = "long double",
        Float128 = "_Float128",
    }
}

impl IntKind {
    /// The kinds that constants can have, by preference.
    pub const OF_CONSTANTS: [IntKind; 6] = {
        use IntKind::*;
        [Int, UInt, Long, ULong, LongLong, ULongLong]
    };

    /// Conversion rank (only its order matters), and the unsigned kind of that rank.
    fn rank_and_unsigned(self) -> (u8, IntKind) {
        use IntKind::*;
        match self {
            Char | SChar | UChar => (1, UChar),
            Short | UShort => (2, UShort),
            Int | UInt => (3, UInt),
            Long | ULong => (4, ULong),
            LongLong | ULongLong => (5, ULongLong),
            Int128 | UInt128 => (6, UInt128),
        }
    }

    /// Conversion rank; only its order matters.
    pub fn rank(self) -> u8 {
        self.rank_and_unsigned().0
    }

    /// The unsigned kind of the same rank.
    pub fn to_unsigned(self) -> IntKind {
        self.rank_and_unsigned().1
    }
}

/// Type qualifiers, a small set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Qualifiers(pub u8);

impl Qualifiers {
    /// No qualifier.
    pub const NONE: Qualifiers = Qualifiers(0);
    /// `const`.
    pub const CONST: Qualifiers = Qualifiers(1);
    /// `volatile`.
    pub const VOLATILE: Qualifiers = Qualifiers(2);
    /// `restrict`.
    pub const RESTRICT: Qualifiers = Qualifiers(4);
    /// `_Atomic`.
    pub const ATOMIC: Qualifiers = Qualifiers(8);

    /// Both sets together.
    pub fn union(self, other: Qualifiers) -> Qualifiers {
        Qualifiers(self.0 | other.0)
    }

    /// Whether all of `other` are here.
    pub fn contains(self, other: Qualifiers) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A type with its qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct QualType {
    /// The type.
    pub ty: TypeId,
    /// Its qualifiers.
    pub quals: Qualifiers,
}

impl From<TypeId> for QualType {
    fn from(ty: TypeId) -> Self {
        QualType {
            ty,
            quals: Qualifiers::NONE,
        }
    }
}

/// The length of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLen {
    /// A constant number of elements.
    Known(u64),
    /// `[]`: incomplete, or a flexible member.
    Unknown,
    /// A variable length: the local (see `ast::Local`) that holds the number of elements once
    /// the declaration has been executed.
    Variable(crate::ast::LocalId),
}

/// A C type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `void`.
    Void,
    /// `_Bool`.
    Bool,
    /// An integer type.
    Int(IntKind),
    /// A floating type.
    Float(FloatKind),
    /// A complex type; only its size is modelled.
    Complex(FloatKind),
    /// An enumeration.
    Enum(EnumId),
    /// A pointer.
    Pointer(QualType),
    /// An array.
    Array(QualType, ArrayLen),
    /// A struct or union.
    Record(RecordId),
    /// A function.
    Function(FunctionType),
    /// `__builtin_va_list`.
    VaList,
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    /// What it returns.
    pub ret: QualType,
    /// Its parameters, adjusted (arrays and functions are pointers).
    pub params: Vec<QualType>,
    /// Whether it ends in `...`.
    pub variadic: bool,
    /// Whether the parameters are declared: `f()` before C23 has no prototype.
    pub prototype: bool,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// The tag, if it has one.
    pub tag: Option<Arc<str>>,
    /// `union` rather than `struct`.
    pub is_union: bool,
    /// Where the tag was first seen or the body defined.
    pub span: Span,
    /// The members, once the body has been seen.
    pub body: Option<RecordBody>,
}

/// The members of a record and their places.
#[derive(Clone, Debug)]
pub struct RecordBody {
    /// The members in order; unnamed bit-fields of the source leave only their padding.
    pub fields: Vec<Field>,
    /// Bytes, padding at the end included.
    pub size: u64,
    /// Bytes.
    pub align: u64,
}

/// A member of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name; `None` for an anonymous struct or union.
    pub name: Option<Arc<str>>,
    /// Its declared type.
    pub ty: QualType,
    /// Bytes from the start of the record: for a bit-field, of the byte that holds its first bit.
    pub offset: u64,
    /// For a bit-field: where its bits stand from `offset` on.
    pub bits: Option<BitRange>,
}

/// The bits of a bit-field, counted from the least significant bit of its first byte
/// (little-endian).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BitRange {
    /// First bit, 0 to 7.
    pub start: u8,
    /// How many bits, 1 to 128.
    pub width: u8,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enum {
    /// The tag, if it has one.
    pub tag: Option<Arc<str>>,
    /// The integer type that holds it, once the body has been seen (gcc: `unsigned int` unless a
    /// value is negative or needs more).
    pub underlying: Option<IntKind>,
}

/// All types of a program.
#[derive(Clone, Debug)]
pub struct Types {
    /// Sizes depend on it.
    pub model: DataModel,
    list: IdVec<TypeId, Type>,
    known: FxHashMap<Type, TypeId>,
    /// Structs and unions.
    pub records: IdVec<RecordId, Record>,
    /// Enumerations.
    pub enums: IdVec<EnumId, Enum>,
}

impl Types {
    /// The basic types only.
    pub fn new(model: DataModel) -> Self {
        let mut types = Types {
            model,
            list: IdVec::new(),
            known: FxHashMap::default(),
            records: IdVec::new(),
            enums: IdVec::new(),
        };
        // The order is what `basic` counts on.
        types.intern(Type::Void);
        types.intern(Type::Bool);
        types.intern(Type::VaList);
        for &kind in IntKind::ALL {
            types.intern(Type::Int(kind));
        }
        for &kind in FloatKind::ALL {
            types.intern(Type::Float(kind));
        }
        for &kind in FloatKind::ALL {
            types.intern(Type::Complex(kind));
        }
        types
    }

    /// The id of a type.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.known.get(&ty) {
            return id;
        }
        let id = self.list.push(ty.clone());
        self.known.insert(ty, id);
        id
    }

    /// The type of an id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.list[id]
    }

    /// Width and signedness of an integer kind.
    pub fn int_type(&self, kind: IntKind) -> IntType {
        let signed = kind != kind.to_unsigned();
        let bits = match kind.to_unsigned() {
            IntKind::UChar => 8,
            IntKind::UShort => 16,
            IntKind::UInt => 32,
            IntKind::ULong => (self.model.word_bytes() * 8) as u8,
            IntKind::ULongLong => 64,
            _ => 128,
        };
        IntType { bits, signed }
    }
}
