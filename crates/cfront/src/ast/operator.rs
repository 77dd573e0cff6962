//! Operators, conversions and builtins of expressions.

use base::named_enum;

/// Operators on one operand. `+x` leaves only its promotion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are C's")]
pub enum UnaryOp {
    Neg,
    BitNot,
    LogicalNot,
}

named_enum! {
    /// Operators on two operands, named as they are written.
    #[allow(missing_docs, reason = "the names are C's")]
    pub enum BinaryOp {
        /// On numbers.
        Add = "+",
        /// On numbers.
        Sub = "-",
        Mul = "*",
        Div = "/",
        Rem = "%",
        And = "&",
        Or = "|",
        Xor = "^",
        /// The right operand keeps its own promoted type.
        Shl = "<<",
        /// The right operand keeps its own promoted type.
        Shr = ">>",
        /// Pointer plus integer; the integer counts elements and is converted to `ptrdiff_t`.
        PointerAdd = "+",
        /// Pointer minus integer, likewise.
        PointerSub = "-",
        /// Pointer minus pointer, in elements.
        PointerDiff = "-",
        /// On numbers or pointers; the result is `int`, as for all comparisons.
        Eq = "==",
        Ne = "!=",
        Lt = "<",
        Le = "<=",
        Gt = ">",
        Ge = ">=",
        /// On scalars, each of its own type.
        LogicalAnd = "&&",
        /// Likewise.
        LogicalOr = "||",
        Comma = ",",
    }
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastKind {
    /// Array lvalue to pointer to its first element.
    ArrayDecay,
    /// Function designator to pointer.
    FunctionDecay,
    /// Between integer types (enumerations and `_Bool` operands included): wraps.
    Int,
    /// Scalar to `_Bool`: not zero.
    ToBool,
    /// Integer to floating.
    IntToFloat,
    /// Floating to integer: towards zero.
    FloatToInt,
    /// Between floating types.
    Float,
    /// Pointer to integer.
    PointerToInt,
    /// Integer to pointer; a constant zero gives the null pointer.
    IntToPointer,
    /// Between pointer types.
    Pointer,
    /// The value is dropped.
    ToVoid,
    /// Only qualifiers change, or a record is used as a value.
    NoOp,
}

/// Builtins that are not ordinary functions. Those that are (such as `__builtin_memcpy`) are
/// calls of the function without the prefix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// `__builtin_expect(x, c)` and `…_with_probability`: the value of `x`, the rest evaluated.
    Expect,
    /// `__builtin_unreachable()`.
    Unreachable,
    /// `__builtin_trap()`.
    Trap,
    /// `va_start(list, last)`.
    VaStart,
    /// `va_end(list)`.
    VaEnd,
    /// `va_copy(to, from)`.
    VaCopy,
    /// `__builtin_add_overflow(a, b, p)` and its typed kin: exact result stored through `p`
    /// wrapped to its type; the value is whether it did not fit.
    AddOverflow,
    /// `__builtin_sub_overflow`.
    SubOverflow,
    /// `__builtin_mul_overflow`. Where the third operand is no pointer, it gives the type alone and
    /// nothing is stored (`…_overflow_p`).
    MulOverflow,
    /// The sum of two integers of one type, or the end of its range.
    SaturatingAdd,
    /// The difference, likewise.
    SaturatingSub,
    /// Population count of an unsigned integer.
    Popcount,
    /// Leading zeros of an unsigned integer; of zero is undefined.
    Clz,
    /// Trailing zeros of an unsigned integer; of zero is undefined.
    Ctz,
    /// One plus the index of the lowest set bit, or zero.
    Ffs,
    /// Parity.
    Parity,
    /// Bytes reversed.
    Bswap,
    /// An operation on complex numbers.
    Complex(Complex),
    /// A builtin by its name. The lowering knows which it models; the others are unsupported when
    /// reached.
    Unmodelled(&'static str),
    /// Another construct that we do not model, with its operands: unsupported when reached.
    Construct(&'static str),
}

impl Builtin {
    /// Whether it is a part of a complex number, which may be a place.
    pub fn is_part(self) -> bool {
        matches!(self, Builtin::Complex(Complex::Real | Complex::Imag))
    }
}

/// Operations on complex numbers. Operands have the format of the result, or of each other; one of
/// two may be real, and stays so: its imaginary part takes no part in the operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Complex {
    /// The number times the imaginary unit.
    Imaginary,
    /// The real or complex number in another complex format.
    Convert,
    /// The sum.
    Add,
    /// The difference.
    Sub,
    /// The product.
    Mul,
    /// The quotient.
    Div,
    /// The opposite.
    Neg,
    /// The conjugate.
    Conjugate,
    /// Whether the numbers are equal.
    Eq,
    /// Whether they are not.
    Ne,
    /// Whether the number is not zero.
    IsNotZero,
    /// The real part: a place if the number is one.
    Real,
    /// The imaginary part, likewise.
    Imag,
}
