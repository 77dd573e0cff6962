//! Expressions of the IR: typed, without side effects, with C's meaning of every operator.
//!
//! # Meaning
//! - Arithmetic on an unsigned type wraps. On a signed type it is undefined where the exact
//!   result does not fit; so is division by zero, and a shift whose amount is negative or not
//!   below the width. A signed left shift is undefined for a negative value or a lost bit.
//! - Comparisons give `Bool`; `And`, `Or`, `Xor`, `Eq`, `Ne` and `Not` also take `Bool`.
//! - A conversion between integers wraps. `Bool` converts to an integer as 0 or 1; an integer
//!   becomes `Bool` by comparing it with zero, never by a cast.
//! - A load is undefined unless the bytes are inside one living object.
//!
//! # Invariants
//! - Both operands of a binary operation have the type named in it, except the amount of a shift
//!   (any integer type).

use crate::ir::{ObjectId, ProcId, VarId};
use logic::{IntType, IntValue};

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    /// A truth value; one byte in memory.
    Bool,
    /// A machine integer. In memory its width is a multiple of 8.
    Int(IntType),
    /// A binary floating-point number of 32 or 64 bits.
    Float(FloatType),
    /// An address.
    Ptr,
}

/// Floating-point formats.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatType {
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
}

/// A constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    /// A truth value.
    Bool(bool),
    /// An integer with its type.
    Int(IntValue),
    /// A floating-point number by its bits (those of an `f32` in the low half).
    Float(FloatType, u64),
    /// The null address.
    Null,
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A constant.
    Const(Constant),
    /// The value of a variable.
    Var(VarId),
    /// The address of an object.
    Object(ObjectId),
    /// The address of a procedure.
    Proc(ProcId),
    /// The value of that type at an address.
    Load(Type, Box<Expr>),
    /// An operation on one operand of that type.
    Unary(UnaryOp, Type, Box<Expr>),
    /// An operation on two operands of that type.
    Binary(BinaryOp, Type, Box<Expr>, Box<Expr>),
    /// An address moved by a number of bytes, a signed integer of pointer width.
    Offset(Box<Expr>, Box<Expr>),
    /// A conversion to a type.
    Cast(Type, Box<Expr>),
    /// The second if the first (a `Bool`) holds, else the third; the other is not evaluated.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Whether the exact result of the operation does not fit its type (a signed integer). For a
    /// shift, division or remainder: false where the operation is undefined for another reason.
    Overflows(BinaryOp, IntType, Box<Expr>, Box<Expr>),
    /// Whether this many bytes (an integer of pointer width, unsigned) at an address are inside
    /// one living object; the flag asks also that it may be written.
    Valid {
        /// The address.
        address: Box<Expr>,
        /// How many bytes.
        bytes: Box<Expr>,
        /// Also writable.
        write: bool,
    },
    /// Whether an address is null or the start of a living heap object.
    Freeable(Box<Expr>),
}

/// Operators on one operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnaryOp {
    /// Arithmetic negation.
    Neg,
    /// Bitwise complement; negation of a `Bool`.
    Not,
    /// Population count of an unsigned integer, in its type.
    Popcount,
    /// Leading zeros of an unsigned integer, in its type; of zero undefined.
    Clz,
    /// Trailing zeros of an unsigned integer, in its type; of zero undefined.
    Ctz,
    /// Bytes reversed.
    Bswap,
}

/// Operators on two operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the names are C's")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// Bytes between two addresses of one object, a signed integer of pointer width.
    PtrDiff,
}

impl BinaryOp {
    /// Whether the result is a `Bool` whatever the operands are.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }
}
