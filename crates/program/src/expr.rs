//! Expressions of the IR: typed, without side effects, with C's semantics of every operator.
//!
//! # Semantics
//! - Arithmetic on an unsigned type wraps. On a signed type it is undefined if the exact result
//!   does not fit; so is division by zero, and a shift whose amount is negative or not below the
//!   width. A signed left shift is undefined for a negative value or a lost bit.
//! - Comparisons give `Bool`; `And`, `Or`, `Xor`, `Eq`, `Ne` and `Not` also take `Bool`.
//! - A conversion between integers wraps. `Bool` converts to a number as 0 or 1; nothing becomes
//!   `Bool` by a cast, only by comparing it with zero. A floating-point number becomes an integer
//!   by dropping its fraction, undefined if that does not fit. The null address is the integer
//!   zero; other conversions between integers and addresses are up to the machine.
//! - A load is undefined unless the bytes are inside one live object.
//!
//! # Invariants
//! - Both operands of a binary operation have the type named in it, except the amount of a shift
//!   (any integer type).

use crate::fold;
use crate::ir::{ObjectId, ProcId, Program, VarId};
use base::named_enum;
pub use logic::FloatType;
use logic::{IntType, IntValue, Sort, TermValue};

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
    /// Whether at an address this many bytes (an integer of pointer width, unsigned) are inside
    /// one live object; the flag asks also that it may be written.
    Valid(Box<Expr>, Box<Expr>, bool),
    /// Whether an address is null or the start of a live heap object.
    Freeable(Box<Expr>),
}

named_enum! {
    /// Operators on one operand, named as in programs as text.
    pub enum UnaryOp {
        /// Arithmetic negation.
        Neg = "-",
        /// Bitwise complement; negation of a `Bool`.
        Not = "~",
        /// Population count of an unsigned integer, in its type.
        Popcount = "popcount",
        /// Leading zeros of an unsigned integer, in its type; of zero undefined.
        Clz = "clz",
        /// Trailing zeros of an unsigned integer, in its type; of zero undefined.
        Ctz = "ctz",
        /// Bytes reversed.
        Bswap = "bswap",
    }

    /// Operators on two operands, named by their signs.
    #[allow(missing_docs, reason = "the names are C's")]
    pub enum BinaryOp {
        Add = "+",
        Sub = "-",
        Mul = "*",
        Div = "/",
        Rem = "%",
        And = "&",
        Or = "|",
        Xor = "^",
        Shl = "<<",
        Shr = ">>",
        Eq = "==",
        Ne = "!=",
        Lt = "<",
        Le = "<=",
        Gt = ">",
        Ge = ">=",
        /// Bytes between two addresses of one object, a signed integer of pointer width.
        PtrDiff = "--",
    }
}

impl BinaryOp {
    /// Whether the result is a `Bool` whatever the operands are.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }

    /// The comparison that holds exactly where this one does not (in a total order).
    pub fn negated(self) -> Option<Self> {
        use BinaryOp::*;
        match self {
            Eq => Some(Ne),
            Ne => Some(Eq),
            Lt => Some(Ge),
            Le => Some(Gt),
            Gt => Some(Le),
            Ge => Some(Lt),
            Add | Sub | Mul | Div | Rem | And | Or | Xor | Shl | Shr | PtrDiff => None,
        }
    }
}

impl Type {
    /// `int`.
    pub const I32: Type = Type::Int(IntType::I32);

    /// Bytes in memory.
    pub fn bytes(self, pointer_bytes: u8) -> u64 {
        match self {
            Type::Bool => 1,
            Type::Int(ty) => ty.bytes(),
            Type::Float(FloatType::F32) => 4,
            Type::Float(FloatType::F64) => 8,
            Type::Ptr => u64::from(pointer_bytes),
        }
    }

    /// The integer type, if it is one.
    pub fn int(self) -> Option<IntType> {
        match self {
            Type::Int(ty) => Some(ty),
            Type::Bool | Type::Float(_) | Type::Ptr => None,
        }
    }

    /// The sort of terms for its values.
    pub fn sort(self) -> Sort {
        match self {
            Type::Bool => Sort::Bool,
            Type::Int(_) | Type::Float(_) | Type::Ptr => Sort::Int,
        }
    }

    /// The constant zero, false or null of this type.
    pub fn zero(self) -> Constant {
        match self {
            Type::Bool => Constant::Bool(false),
            Type::Int(ty) => Constant::Int(IntValue::zero(ty)),
            Type::Float(ty) => Constant::Float(ty, 0),
            Type::Ptr => Constant::Null,
        }
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Type::Bool => f.write_str("bool"),
            Type::Int(ty) => write!(f, "{ty}"),
            Type::Float(FloatType::F32) => f.write_str("f32"),
            Type::Float(FloatType::F64) => f.write_str("f64"),
            Type::Ptr => f.write_str("ptr"),
        }
    }
}

impl Constant {
    /// Its type.
    pub fn ty(self) -> Type {
        match self {
            Constant::Bool(_) => Type::Bool,
            Constant::Int(value) => Type::Int(value.ty()),
            Constant::Float(ty, _) => Type::Float(ty),
            Constant::Null => Type::Ptr,
        }
    }

    /// As the value of a term, where terms describe values of its type exactly.
    pub fn term_value(self) -> Option<TermValue> {
        match self {
            Constant::Bool(value) => Some(TermValue::Bool(value)),
            Constant::Int(value) => Some(TermValue::Int(value.into())),
            Constant::Float(..) | Constant::Null => None,
        }
    }
}

/// Making expressions. Each constructor simplifies where the result is at hand: operands that are
/// constant are evaluated (unless undefined), and neutral operands go. An operand whose evaluation
/// could be undefined is never dropped.
impl Expr {
    /// A truth value.
    pub fn bool(value: bool) -> Expr {
        Expr::Const(Constant::Bool(value))
    }

    /// An integer, wrapped into its type.
    pub fn int(ty: IntType, value: i128) -> Expr {
        Expr::Const(Constant::Int(IntValue::wrap(ty, value)))
    }

    /// An `int`.
    pub fn i32(value: i32) -> Expr {
        Expr::int(IntType::I32, i128::from(value))
    }

    /// The null address.
    pub fn null() -> Expr {
        Expr::Const(Constant::Null)
    }

    /// The value at an address.
    pub fn load(ty: Type, address: Expr) -> Expr {
        Expr::Load(ty, Box::new(address))
    }

    /// An operation on one operand of type `ty`.
    pub fn unary(op: UnaryOp, ty: Type, operand: Expr) -> Expr {
        if let Expr::Const(value) = operand
            && let Some(result) = fold::unary(op, value)
        {
            return Expr::Const(result);
        }
        match operand {
            Expr::Unary(UnaryOp::Not, _, inner) if op == UnaryOp::Not => *inner,
            operand => Expr::Unary(op, ty, Box::new(operand)),
        }
    }

    /// The negation of a `Bool`. Comparisons of integers and (in)equalities become their opposites.
    #[expect(clippy::should_implement_trait, reason = "it is a constructor")]
    pub fn not(condition: Expr) -> Expr {
        match condition {
            Expr::Binary(op, ty, left, right)
                if op.negated().is_some()
                    && (matches!(ty, Type::Int(_))
                        || matches!(op, BinaryOp::Eq | BinaryOp::Ne)) =>
            {
                Expr::Binary(op.negated().unwrap_or(op), ty, left, right)
            }
            condition => Expr::unary(UnaryOp::Not, Type::Bool, condition),
        }
    }

    /// An operation on two operands of type `ty` (the amount of a shift: any integer).
    pub fn binary(op: BinaryOp, ty: Type, left: Expr, right: Expr) -> Expr {
        fold::simplify_binary(op, ty, left, right)
    }

    /// `left & right` of two conditions.
    pub fn and(left: Expr, right: Expr) -> Expr {
        Expr::binary(BinaryOp::And, Type::Bool, left, right)
    }

    /// `left | right` of two conditions.
    pub fn or(left: Expr, right: Expr) -> Expr {
        Expr::binary(BinaryOp::Or, Type::Bool, left, right)
    }

    /// An operation on two operands of an integer type.
    pub fn arith(op: BinaryOp, ty: IntType, left: Expr, right: Expr) -> Expr {
        Expr::binary(op, Type::Int(ty), left, right)
    }

    /// An address moved by a number of bytes.
    pub fn offset(address: Expr, bytes: Expr) -> Expr {
        match bytes.integer().is_some_and(IntValue::is_zero) {
            true => address,
            false => Expr::Offset(Box::new(address), Box::new(bytes)),
        }
    }

    /// A conversion of a value of type `from`; none where the types are the same.
    pub fn cast(from: Type, to: Type, operand: Expr) -> Expr {
        if from == to {
            return operand;
        }
        if let Expr::Const(value) = operand
            && let Some(result) = fold::cast(to, value)
        {
            return Expr::Const(result);
        }
        Expr::Cast(to, Box::new(operand))
    }

    /// `condition ? then : otherwise`.
    pub fn select(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        match condition {
            Expr::Const(Constant::Bool(true)) => then,
            Expr::Const(Constant::Bool(false)) => otherwise,
            condition if then == otherwise && !condition.may_be_undefined() => then,
            condition => Expr::Select(Box::new(condition), Box::new(then), Box::new(otherwise)),
        }
    }

    /// Whether an operation on a signed type does not fit it.
    pub fn overflows(op: BinaryOp, ty: IntType, left: Expr, right: Expr) -> Expr {
        if let (Expr::Const(a), Expr::Const(b)) = (&left, &right)
            && let Some(result) = fold::overflows(op, *a, *b)
        {
            return Expr::bool(result);
        }
        Expr::Overflows(op, ty, Box::new(left), Box::new(right))
    }

    /// A value of a numeric or address type as a condition: `value != 0`.
    pub fn truth(ty: Type, value: Expr) -> Expr {
        match ty {
            Type::Bool => value,
            Type::Int(_) | Type::Float(_) | Type::Ptr => {
                Expr::binary(BinaryOp::Ne, ty, value, Expr::Const(ty.zero()))
            }
        }
    }
}

/// Looking at expressions.
/// The operands of an expression that is borrowed, in whichever way, from left to right.
macro_rules! operands {
    ($expr:expr) => {{
        let (a, b, c) = match $expr {
            Expr::Const(_) | Expr::Var(_) | Expr::Object(_) | Expr::Proc(_) => (None, None, None),
            Expr::Load(_, a) | Expr::Unary(_, _, a) | Expr::Cast(_, a) | Expr::Freeable(a) => {
                (Some(a), None, None)
            }
            Expr::Binary(_, _, a, b) | Expr::Offset(a, b) | Expr::Overflows(_, _, a, b) => {
                (Some(a), Some(b), None)
            }
            Expr::Valid(address, bytes, _) => (Some(address), Some(bytes), None),
            Expr::Select(a, b, c) => (Some(a), Some(b), Some(c)),
        };
        [a, b, c].into_iter().flatten()
    }};
}

impl Expr {
    /// Its type.
    pub fn ty(&self, program: &Program) -> Type {
        match self {
            Expr::Const(constant) => constant.ty(),
            Expr::Var(var) => program.vars[*var].ty,
            Expr::Object(_) | Expr::Proc(_) | Expr::Offset(..) => Type::Ptr,
            Expr::Load(ty, _) | Expr::Unary(_, ty, _) | Expr::Cast(ty, _) => *ty,
            Expr::Binary(op, _, _, _) if op.is_comparison() => Type::Bool,
            Expr::Binary(BinaryOp::PtrDiff, ..) => Type::Int(program.offset_type()),
            Expr::Binary(_, ty, _, _) => *ty,
            Expr::Select(_, then, _) => then.ty(program),
            Expr::Overflows(..) | Expr::Valid(..) | Expr::Freeable(_) => Type::Bool,
        }
    }

    /// The constant, if it is one.
    pub fn constant(&self) -> Option<Constant> {
        match self {
            Expr::Const(constant) => Some(*constant),
            _ => None,
        }
    }

    /// The integer constant, if it is one.
    pub fn integer(&self) -> Option<IntValue> {
        match self {
            Expr::Const(Constant::Int(value)) => Some(*value),
            _ => None,
        }
    }

    /// Whether it is the truth value `value`.
    pub fn is_bool(&self, value: bool) -> bool {
        *self == Expr::bool(value)
    }

    /// Its operands, from left to right.
    pub fn children(&self) -> impl Iterator<Item = &Expr> {
        operands!(self).map(|operand| &**operand)
    }

    /// Its operands, from left to right, to change.
    pub fn children_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        operands!(self).map(|operand| &mut **operand)
    }

    /// The same expression with other operands.
    pub fn with_children(&self, mut other: impl FnMut(&Expr) -> Expr) -> Expr {
        let mut new = self.clone();
        for child in new.children_mut() {
            *child = other(child);
        }
        new
    }

    /// Calls `see` for this expression and everything in it, outermost first.
    pub fn visit<'e>(&'e self, see: &mut dyn FnMut(&'e Expr)) {
        see(self);
        for child in self.children() {
            child.visit(see);
        }
    }

    /// Calls `change` for everything in it and then for this expression.
    pub fn visit_mut(&mut self, change: &mut dyn FnMut(&mut Expr)) {
        for child in self.children_mut() {
            child.visit_mut(change);
        }
        change(self);
    }

    /// Whether any part satisfies `test`.
    pub fn any(&self, test: &dyn Fn(&Expr) -> bool) -> bool {
        test(self) || self.children().any(|child| child.any(test))
    }

    /// The variables it reads, from left to right, with repetitions.
    pub fn vars(&self) -> Vec<VarId> {
        let mut vars = Vec::new();
        self.visit(&mut |expr| {
            if let Expr::Var(var) = expr {
                vars.push(*var);
            }
        });
        vars
    }

    /// Whether it reads memory or asks about it.
    pub fn reads_memory(&self) -> bool {
        self.any(&|expr| matches!(expr, Expr::Load(..) | Expr::Valid(..) | Expr::Freeable(_)))
    }

    /// Whether evaluating it could be undefined; errs on the side of yes.
    pub fn may_be_undefined(&self) -> bool {
        self.any(&fold::step_may_be_undefined)
    }

    /// As [`may_be_undefined`](Self::may_be_undefined), but knowing the types of variables.
    pub fn may_be_undefined_in(&self, program: &Program) -> bool {
        self.any(&|step| match step {
            Expr::Cast(Type::Int(_), operand) => matches!(operand.ty(program), Type::Float(_)),
            step => fold::step_may_be_undefined(step),
        })
    }
}
