//! Evaluates constant expressions of the typed tree.
//!
//! [`integer`] is for where the grammar wants an integer constant (array lengths, `case`, widths
//! of bit-fields), [`constant`] for initial values of static objects: a number, or an address plus
//! a number.
//!
//! # Invariants
//! - An operand that is not evaluated (`0 && x`, `1 ? 2 : x`) need not be constant.
//! - Offsets are sign-extended from the width of a pointer.
//! - What would be rounded differently in a `long double` is refused, not approximated.

mod address;
#[cfg(test)]
mod tests;

use crate::ast::{
    BinaryOp, Builtin, CastKind, Expr, ExprKind, FunctionId, Global, GlobalId, InitValue, LabelId,
    StringId, UnaryOp,
};
use crate::float::{self, Inexact};
use crate::types::{FloatKind, Qualifiers, Type, Types};
use base::{IdVec, Span};
use logic::machine::Wrapped;
use logic::{IntType, IntValue};
use std::cmp::Ordering;

/// A constant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ConstValue {
    /// An integer, of the width and signedness of the expression.
    Int(IntValue),
    /// A floating number.
    Float(f64),
    /// An address; also an integer as wide as a pointer that holds one.
    Address {
        /// Whose; `None` for null and for integers taken as addresses.
        base: Option<AddressBase>,
        /// Bytes from there.
        offset: i64,
    },
}

/// What has an address that is known before the program runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AddressBase {
    /// An object with static storage.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
    /// A string literal.
    String(StringId),
    /// `&&label` of the function the expression stands in.
    Label(LabelId),
}

/// Why an expression is not constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoldError {
    /// In words, lower case, without a full stop.
    pub message: String,
    /// The part at fault.
    pub span: Span,
}

/// The value of an integer constant expression.
pub fn integer(types: &Types, e: &Expr) -> Result<IntValue, FoldError> {
    Folder::new(types).integer(e)
}

/// The value of a constant initialiser.
pub fn constant(types: &Types, e: &Expr) -> Result<ConstValue, FoldError> {
    Folder::new(types).constant(e)
}

/// Evaluates. What does not fit its type is wrapped or clamped, as gcc does.
pub struct Folder<'t> {
    types: &'t Types,
    globals: Option<&'t IdVec<GlobalId, Global>>,
}

type Folded = Result<ConstValue, FoldError>;

fn fail<T>(e: &Expr, message: impl Into<String>) -> Result<T, FoldError> {
    Err(FoldError {
        message: message.into(),
        span: e.span,
    })
}

impl<'t> Folder<'t> {
    /// One that knows the types only.
    pub fn new(types: &'t Types) -> Self {
        Folder {
            types,
            globals: None,
        }
    }

    /// One that may also read `const` globals, as gcc does in initialisers.
    pub fn with_globals(types: &'t Types, globals: &'t IdVec<GlobalId, Global>) -> Self {
        Folder {
            types,
            globals: Some(globals),
        }
    }

    /// The value of an integer constant expression.
    pub fn integer(&self, e: &Expr) -> Result<IntValue, FoldError> {
        match self.constant(e)? {
            ConstValue::Int(value) => Ok(value),
            ConstValue::Float(_) => fail(e, "this is not an integer"),
            ConstValue::Address { .. } => fail(e, "an address is not an integer constant"),
        }
    }

    /// The value of a constant expression.
    pub fn constant(&self, e: &Expr) -> Folded {
        match &e.kind {
            &ExprKind::Int(value) => Ok(ConstValue::Int(value)),
            &ExprKind::Float(value) => Ok(ConstValue::Float(value)),
            ExprKind::Global(id) => self.read_global(e, *id),
            ExprKind::AddressOf(operand) => self.address(operand),
            ExprKind::LabelAddress(label) => Ok(ConstValue::Address {
                base: Some(AddressBase::Label(*label)),
                offset: 0,
            }),
            ExprKind::Unary(op, operand) => self.unary(e, *op, operand),
            ExprKind::Binary(op, a, b) => self.binary(e, *op, a, b),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let value = self.constant(condition)?;
                match (self.truth(condition, value)?, then) {
                    (true, Some(then)) => self.constant(then),
                    (true, None) => self.convert(e, value),
                    (false, _) => self.constant(otherwise),
                }
            }
            ExprKind::Cast(kind, operand, _) => self.cast(e, *kind, operand),
            ExprKind::Builtin { builtin, args } => self.builtin(e, *builtin, args),
            ExprKind::String(_)
            | ExprKind::Local(_)
            | ExprKind::Function(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. } => fail(e, "the value of this object is not constant"),
            ExprKind::Increment { .. } | ExprKind::Assign(..) | ExprKind::AssignOp { .. } => {
                fail(e, "an assignment is not constant")
            }
            ExprKind::Call { .. } => fail(e, "a call is not constant"),
            ExprKind::CompoundLiteral(_)
            | ExprKind::Statement(_)
            | ExprKind::VaArg(_)
            | ExprKind::SizeofVariable(_) => fail(e, "this is not constant"),
        }
    }

    /// gcc takes the value of a `const` global with a plain initialiser as constant.
    fn read_global(&self, e: &Expr, id: GlobalId) -> Folded {
        if let Some(global) = self.globals.and_then(|globals| globals.get(id))
            && global.ty.quals.contains(Qualifiers::CONST)
            && !global.ty.quals.contains(Qualifiers::VOLATILE)
            && let Some([item]) = global.init.as_ref().map(|init| &init.items[..])
            && let InitValue::Expr(value) = &item.value
            && (item.offset, item.ty) == (0, e.ty.ty)
        {
            return self.constant(value);
        }
        fail(e, "the value of this object is not constant")
    }

    fn unary(&self, e: &Expr, op: UnaryOp, operand: &Expr) -> Folded {
        let value = self.constant(operand)?;
        if op == UnaryOp::LogicalNot {
            let truth = self.truth(operand, value)?;
            return Ok(boolean(!truth));
        }
        match (op, value) {
            (UnaryOp::Neg, ConstValue::Int(value)) => {
                let (negated, _) = value.neg();
                Ok(ConstValue::Int(negated))
            }
            (UnaryOp::Neg, ConstValue::Float(value)) => Ok(ConstValue::Float(-value)),
            (UnaryOp::BitNot, ConstValue::Int(value)) => Ok(ConstValue::Int(value.not())),
            (UnaryOp::BitNot | UnaryOp::LogicalNot, ConstValue::Float(_))
            | (UnaryOp::LogicalNot, ConstValue::Int(_))
            | (_, ConstValue::Address { .. }) => {
                fail(e, "this cannot be computed before the program runs")
            }
        }
    }

    fn binary(&self, e: &Expr, op: BinaryOp, a: &Expr, b: &Expr) -> Folded {
        match op {
            BinaryOp::LogicalAnd | BinaryOp::LogicalOr => {
                let left = self.constant(a)?;
                let left = self.truth(a, left)?;
                if left == (op == BinaryOp::LogicalOr) {
                    return Ok(boolean(left));
                }
                let right = self.constant(b)?;
                return Ok(boolean(self.truth(b, right)?));
            }
            BinaryOp::Comma => return fail(e, "a comma is not constant"),
            _ => {}
        }
        let (x, y) = (self.constant(a)?, self.constant(b)?);
        match (x, y) {
            (ConstValue::Int(x), ConstValue::Int(y)) => self.int_binary(e, op, x, y),
            (ConstValue::Float(x), ConstValue::Float(y)) => float_binary(self, e, op, a, x, y),
            (ConstValue::Address { .. }, _) | (_, ConstValue::Address { .. }) => {
                self.address_binary(e, op, a, x, y)
            }
            (ConstValue::Int(_), ConstValue::Float(_))
            | (ConstValue::Float(_), ConstValue::Int(_)) => fail(e, "this is not constant"),
        }
    }

    fn int_binary(&self, e: &Expr, op: BinaryOp, x: IntValue, y: IntValue) -> Folded {
        use BinaryOp::*;
        let shift = matches!(op, Shl | Shr);
        if !shift && x.ty() != y.ty() {
            return fail(e, "this is not constant");
        }
        let wrapped = |(value, _): Wrapped| value;
        let result = match op {
            Add => Some(wrapped(x.add(y))),
            Sub => Some(wrapped(x.sub(y))),
            Mul => Some(wrapped(x.mul(y))),
            Div => x.div(y).map(wrapped),
            Rem => x.rem(y).map(wrapped),
            And => Some(x.and(y)),
            Or => Some(x.or(y)),
            Xor => Some(x.xor(y)),
            Shl => x.shl(y).map(wrapped),
            Shr => x.shr(y),
            Eq | Ne | Lt | Le | Gt | Ge => return Ok(boolean(compared(op, Some(x.compare(y))))),
            PointerAdd | PointerSub | PointerDiff | LogicalAnd | LogicalOr | Comma => {
                return fail(e, "this is not constant");
            }
        };
        match result {
            Some(result) => Ok(ConstValue::Int(result)),
            None if shift => fail(e, format!("shift by {y} in a constant of type {}", x.ty())),
            None => fail(e, "division by zero in a constant"),
        }
    }

    fn cast(&self, e: &Expr, kind: CastKind, operand: &Expr) -> Folded {
        use CastKind::*;
        match kind {
            ArrayDecay | FunctionDecay => self.address(operand),
            ToVoid => fail(e, "this has no value"),
            NoOp => self.constant(operand),
            Int | ToBool | IntToFloat | FloatToInt | Float | PointerToInt | IntToPointer
            | Pointer => {
                let value = self.constant(operand)?;
                self.convert(e, value)
            }
        }
    }

    /// A value in the type of `e`.
    fn convert(&self, e: &Expr, value: ConstValue) -> Folded {
        let ty = e.ty.ty;
        match (self.types.get(ty), value) {
            (Type::Bool, _) => {
                let truth = i128::from(self.truth(e, value)?);
                let value = IntValue::wrap(IntType::unsigned(1), truth);
                Ok(ConstValue::Int(value))
            }
            (Type::Int(_) | Type::Enum(_), _) => match self.types.scalar_int(ty) {
                Some(int) => self.convert_to_int(e, int, value),
                None => fail(e, "this is not constant"),
            },
            (&Type::Float(kind), ConstValue::Int(value)) => {
                self.exact(e, kind, float::from_int(kind, value))
            }
            (&Type::Float(kind), ConstValue::Float(value)) => {
                Ok(ConstValue::Float(float::round(kind, value)))
            }
            (Type::Pointer(_), ConstValue::Int(value)) => {
                let offset = self.sign_extended(value.convert(IntType::I64).bits() as i64);
                Ok(ConstValue::Address { base: None, offset })
            }
            (Type::Pointer(_), ConstValue::Address { .. }) => Ok(value),
            _ => fail(e, "this is not constant"),
        }
    }

    fn convert_to_int(&self, e: &Expr, int: IntType, value: ConstValue) -> Folded {
        match value {
            ConstValue::Int(value) => Ok(ConstValue::Int(value.convert(int))),
            ConstValue::Float(value) => Ok(ConstValue::Int(float::to_int(int, value))),
            ConstValue::Address { base: None, offset } => {
                let address = self.pointer_int();
                let value = IntValue::wrap(address, i128::from(offset));
                Ok(ConstValue::Int(value.convert(int)))
            }
            ConstValue::Address { base: Some(_), .. } if int.bits == self.pointer_int().bits => {
                Ok(value)
            }
            ConstValue::Address { base: Some(_), .. } => fail(
                e,
                "an address in an integer of another width is not constant",
            ),
        }
    }

    fn builtin(&self, e: &Expr, builtin: Builtin, args: &[Expr]) -> Folded {
        use Builtin::*;
        let (Some(first), Some(ty)) = (args.first(), self.types.scalar_int(e.ty.ty)) else {
            return fail(e, "this is not constant");
        };
        let count = |n: u32| Ok(ConstValue::Int(IntValue::wrap(ty, i128::from(n))));
        match builtin {
            Expect => self.constant(first),
            Popcount => count(self.integer(first)?.bits().count_ones()),
            Parity => count(self.integer(first)?.bits().count_ones() % 2),
            Ffs => match self.integer(first)?.bits() {
                0 => count(0),
                bits => count(bits.trailing_zeros() + 1),
            },
            Clz | Ctz => {
                let value = self.integer(first)?;
                if value.is_zero() {
                    return fail(e, "this is undefined for zero");
                }
                let unused = 128 - u32::from(value.ty().bits);
                count(match builtin {
                    Clz => value.bits().leading_zeros() - unused,
                    _ => value.bits().trailing_zeros(),
                })
            }
            Bswap => {
                let value = self.integer(first)?;
                let swapped = value.bits().swap_bytes() >> (128 - u32::from(value.ty().bits));
                Ok(ConstValue::Int(IntValue::from_bits(ty, swapped)))
            }
            Unreachable | Trap | VaStart | VaEnd | VaCopy | AddOverflow | SubOverflow
            | MulOverflow | SaturatingAdd | SaturatingSub | Unmodelled(_) => {
                fail(e, "this call is not constant")
            }
            Complex(_) | Construct(_) => fail(e, "this is not modelled"),
        }
    }

    fn truth(&self, e: &Expr, value: ConstValue) -> Result<bool, FoldError> {
        match value {
            ConstValue::Int(value) => Ok(!value.is_zero()),
            ConstValue::Float(value) => Ok(value != 0.0),
            ConstValue::Address { base: None, offset } => Ok(offset != 0),
            ConstValue::Address {
                base: Some(_),
                offset: 0,
            } => Ok(true),
            ConstValue::Address { base: Some(_), .. } => {
                fail(e, "whether this address is null is not constant")
            }
        }
    }

    fn exact(&self, e: &Expr, kind: FloatKind, result: Result<f64, Inexact>) -> Folded {
        match result {
            Ok(value) => Ok(ConstValue::Float(value)),
            Err(Inexact) => fail(
                e,
                format!(
                    "this is rounded in `{}`, which is not evaluated",
                    kind.name()
                ),
            ),
        }
    }
}

fn float_binary(
    folder: &Folder<'_>,
    e: &Expr,
    op: BinaryOp,
    left: &Expr,
    x: f64,
    y: f64,
) -> Folded {
    use BinaryOp::*;
    let &Type::Float(kind) = folder.types.get(left.ty.ty) else {
        return fail(e, "this is not constant");
    };
    let result = match op {
        Add => float::add(kind, x, y),
        Sub => float::sub(kind, x, y),
        Mul => float::mul(kind, x, y),
        Div => float::div(kind, x, y),
        Eq | Ne | Lt | Le | Gt | Ge => {
            return Ok(boolean(compared(op, x.partial_cmp(&y))));
        }
        Rem | And | Or | Xor | Shl | Shr | PointerAdd | PointerSub | PointerDiff | LogicalAnd
        | LogicalOr | Comma => return fail(e, "this is not constant"),
    };
    folder.exact(e, kind, result)
}

fn boolean(truth: bool) -> ConstValue {
    ConstValue::Int(IntValue::wrap(IntType::I32, i128::from(truth)))
}

/// The truth of a comparison; `None` is the order of a NaN.
fn compared(op: BinaryOp, order: Option<Ordering>) -> bool {
    use Ordering::{Equal, Greater, Less};
    match op {
        BinaryOp::Eq => order == Some(Equal),
        BinaryOp::Ne => order != Some(Equal),
        BinaryOp::Lt => order == Some(Less),
        BinaryOp::Le => matches!(order, Some(Less | Equal)),
        BinaryOp::Gt => order == Some(Greater),
        BinaryOp::Ge => matches!(order, Some(Greater | Equal)),
        _ => unreachable!("only comparisons should be compared"),
    }
}
