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

use crate::ast::{
    BinaryOp, Builtin, CastKind, Expr, ExprKind, FunctionId, Global, GlobalId, InitValue, LabelId,
    StringId, UnaryOp,
};
use crate::float::{self, Inexact};
use crate::types::{FloatKind, Qualifiers, Type, TypeId, Types};
use base::{IdVec, Span};
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

/// Evaluates, and remembers what is odd on the way.
pub struct Folder<'t> {
    types: &'t Types,
    globals: Option<&'t IdVec<GlobalId, Global>>,
    /// The first operation whose exact result did not fit its signed type, or floating number that
    /// did not fit its integer type. The value is wrapped or clamped, as gcc does.
    pub overflow: Option<Span>,
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
            overflow: None,
        }
    }

    /// One that may also read `const` globals, as gcc does in initialisers.
    pub fn with_globals(types: &'t Types, globals: &'t IdVec<GlobalId, Global>) -> Self {
        Folder {
            globals: Some(globals),
            ..Folder::new(types)
        }
    }

    /// The value of an integer constant expression.
    pub fn integer(&mut self, e: &Expr) -> Result<IntValue, FoldError> {
        match self.constant(e)? {
            ConstValue::Int(value) => Ok(value),
            ConstValue::Float(_) => fail(e, "this is not an integer"),
            ConstValue::Address { .. } => fail(e, "an address is not an integer constant"),
        }
    }

    /// The value of a constant expression.
    pub fn constant(&mut self, e: &Expr) -> Folded {
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
            ExprKind::Cast { kind, operand, .. } => self.cast(e, *kind, operand),
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

    /// The address of an lvalue or function.
    fn address(&mut self, e: &Expr) -> Folded {
        let base = match &e.kind {
            ExprKind::Global(id) => AddressBase::Global(*id),
            ExprKind::Function(id) => AddressBase::Function(*id),
            ExprKind::String(id) => AddressBase::String(*id),
            ExprKind::Deref(pointer) => return self.constant(pointer),
            ExprKind::Member { record, field } => {
                let place = self.address(record)?;
                let Some(field) = self
                    .types
                    .body(record.ty.ty)
                    .and_then(|body| body.fields.get(*field))
                else {
                    return fail(e, "this is not constant");
                };
                return Ok(self.moved(place, field.offset as i64));
            }
            ExprKind::Cast {
                kind: CastKind::NoOp,
                operand,
                ..
            } => return self.address(operand),
            ExprKind::Local(_) => return fail(e, "the address of a local is not constant"),
            _ => return fail(e, "this address is not constant"),
        };
        Ok(ConstValue::Address {
            base: Some(base),
            offset: 0,
        })
    }

    /// gcc takes the value of a `const` global with a plain initialiser as constant.
    fn read_global(&mut self, e: &Expr, id: GlobalId) -> Folded {
        let Some(global) = self.globals.and_then(|globals| globals.get(id)) else {
            return fail(e, "the value of this object is not constant");
        };
        let fixed = global.ty.quals.contains(Qualifiers::CONST)
            && !global.ty.quals.contains(Qualifiers::VOLATILE);
        let item = global.init.as_ref().map(|init| init.items.as_slice());
        match item {
            Some([item]) if fixed && item.offset == 0 && item.ty == e.ty.ty => match &item.value {
                InitValue::Expr(value) => self.constant(value),
                InitValue::String(_) => fail(e, "the value of this object is not constant"),
            },
            _ => fail(e, "the value of this object is not constant"),
        }
    }

    fn unary(&mut self, e: &Expr, op: UnaryOp, operand: &Expr) -> Folded {
        let value = self.constant(operand)?;
        if op == UnaryOp::LogicalNot {
            let truth = self.truth(operand, value)?;
            return Ok(boolean(!truth));
        }
        match (op, value) {
            (UnaryOp::Neg, ConstValue::Int(value)) => {
                let result = value.neg();
                Ok(self.wrapped(e, result))
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

    fn binary(&mut self, e: &Expr, op: BinaryOp, a: &Expr, b: &Expr) -> Folded {
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

    fn int_binary(&mut self, e: &Expr, op: BinaryOp, x: IntValue, y: IntValue) -> Folded {
        let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        if !shift && x.ty() != y.ty() {
            return fail(e, "this is not constant");
        }
        let result = match op {
            BinaryOp::Add => x.add(y),
            BinaryOp::Sub => x.sub(y),
            BinaryOp::Mul => x.mul(y),
            BinaryOp::Div | BinaryOp::Rem => {
                let result = if op == BinaryOp::Div {
                    x.div(y)
                } else {
                    x.rem(y)
                };
                match result {
                    Some(result) => result,
                    None => return fail(e, "division by zero in a constant"),
                }
            }
            BinaryOp::And => (x.and(y), false),
            BinaryOp::Or => (x.or(y), false),
            BinaryOp::Xor => (x.xor(y), false),
            BinaryOp::Shl => match x.shl(y) {
                // `1 << 31` is common and gcc defines it; a bit lost beyond the sign is not.
                Some((value, lost)) => (value, lost && value.bits() >> y.bits() != x.bits()),
                None => return fail(e, format!("shift by {y} in a constant of type {}", x.ty())),
            },
            BinaryOp::Shr => match x.shr(y) {
                Some(value) => (value, false),
                None => return fail(e, format!("shift by {y} in a constant of type {}", x.ty())),
            },
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => return Ok(boolean(compared(op, Some(x.compare(y))))),
            BinaryOp::PointerAdd
            | BinaryOp::PointerSub
            | BinaryOp::PointerDiff
            | BinaryOp::LogicalAnd
            | BinaryOp::LogicalOr
            | BinaryOp::Comma => return fail(e, "this is not constant"),
        };
        Ok(self.wrapped(e, result))
    }

    fn address_binary(
        &mut self,
        e: &Expr,
        op: BinaryOp,
        left: &Expr,
        x: ConstValue,
        y: ConstValue,
    ) -> Folded {
        use ConstValue::{Address, Int};
        let step = |count: IntValue, negate: bool| {
            let size = self.pointee_size(left.ty.ty);
            let count = count.to_i128().unwrap_or(0).wrapping_mul(i128::from(size));
            (if negate { count.wrapping_neg() } else { count }) as i64
        };
        let amount = |value: IntValue| value.to_i128().unwrap_or(0) as i64;
        match (op, x, y) {
            (BinaryOp::PointerAdd, _, Int(count)) => Ok(self.moved(x, step(count, false))),
            (BinaryOp::PointerSub, _, Int(count)) => Ok(self.moved(x, step(count, true))),
            // Integers that hold addresses.
            (BinaryOp::Add, _, Int(value)) => Ok(self.moved(x, amount(value))),
            (BinaryOp::Add, Int(value), _) => Ok(self.moved(y, amount(value))),
            (BinaryOp::Sub, _, Int(value)) => Ok(self.moved(x, amount(value).wrapping_neg())),
            (
                BinaryOp::PointerDiff | BinaryOp::Sub,
                Address { base: a, offset: m },
                Address { base: b, offset: n },
            ) if a == b => {
                let size = match op {
                    BinaryOp::Sub => 1,
                    _ => self.pointee_size(left.ty.ty).max(1) as i64,
                };
                match self.types.scalar_int(e.ty.ty) {
                    Some(ty) => {
                        let bytes = i128::from(m) - i128::from(n);
                        Ok(Int(IntValue::wrap(ty, bytes / i128::from(size))))
                    }
                    None => fail(e, "this is not constant"),
                }
            }
            (
                BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge,
                Address { .. },
                Address { .. },
            ) => self.compare_addresses(e, op, x, y),
            _ => fail(e, "this cannot be computed before the program runs"),
        }
    }

    fn compare_addresses(&self, e: &Expr, op: BinaryOp, x: ConstValue, y: ConstValue) -> Folded {
        let (
            ConstValue::Address { base: a, offset: m },
            ConstValue::Address { base: b, offset: n },
        ) = (x, y)
        else {
            return fail(e, "this is not constant");
        };
        if a == b {
            // Null-based offsets are addresses, hence unsigned; others are places in one object.
            let order = match a {
                None => (m as u64).cmp(&(n as u64)),
                Some(_) => m.cmp(&n),
            };
            return Ok(boolean(compared(op, Some(order))));
        }
        let is_string = |base| matches!(base, Some(AddressBase::String(_)));
        let distinct = m == 0 && n == 0 && !is_string(a) && !is_string(b);
        match op {
            BinaryOp::Eq | BinaryOp::Ne if distinct => Ok(boolean(op == BinaryOp::Ne)),
            _ => fail(e, "the order of two objects is not constant"),
        }
    }

    fn cast(&mut self, e: &Expr, kind: CastKind, operand: &Expr) -> Folded {
        match kind {
            CastKind::ArrayDecay | CastKind::FunctionDecay => self.address(operand),
            CastKind::ToVoid => fail(e, "this has no value"),
            CastKind::NoOp => self.constant(operand),
            CastKind::Int
            | CastKind::ToBool
            | CastKind::IntToFloat
            | CastKind::FloatToInt
            | CastKind::Float
            | CastKind::PointerToInt
            | CastKind::IntToPointer
            | CastKind::Pointer => {
                let value = self.constant(operand)?;
                self.convert(e, value)
            }
        }
    }

    /// A value in the type of `e`.
    fn convert(&mut self, e: &Expr, value: ConstValue) -> Folded {
        let ty = e.ty.ty;
        match (self.types.get(ty), value) {
            (Type::Bool, _) => {
                let truth = self.truth(e, value)?;
                Ok(ConstValue::Int(IntValue::wrap(
                    IntType::unsigned(1),
                    i128::from(truth),
                )))
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

    fn convert_to_int(&mut self, e: &Expr, int: IntType, value: ConstValue) -> Folded {
        match value {
            ConstValue::Int(value) => Ok(ConstValue::Int(value.convert(int))),
            ConstValue::Float(value) => {
                let (value, clamped) = float::to_int(int, value);
                if clamped {
                    self.overflow.get_or_insert(e.span);
                }
                Ok(ConstValue::Int(value))
            }
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

    fn builtin(&mut self, e: &Expr, builtin: Builtin, args: &[Expr]) -> Folded {
        let Some(first) = args.first() else {
            return fail(e, "this is not constant");
        };
        let Some(ty) = self.types.scalar_int(e.ty.ty) else {
            return fail(e, "this is not constant");
        };
        let count = |n: u32| Ok(ConstValue::Int(IntValue::wrap(ty, i128::from(n))));
        match builtin {
            Builtin::Expect => self.constant(first),
            Builtin::Popcount => count(self.integer(first)?.bits().count_ones()),
            Builtin::Parity => count(self.integer(first)?.bits().count_ones() % 2),
            Builtin::Ffs => {
                let bits = self.integer(first)?.bits();
                count(if bits == 0 {
                    0
                } else {
                    bits.trailing_zeros() + 1
                })
            }
            Builtin::Clz | Builtin::Ctz => {
                let value = self.integer(first)?;
                if value.is_zero() {
                    return fail(e, "this is undefined for zero");
                }
                let unused = 128 - u32::from(value.ty().bits);
                count(match builtin {
                    Builtin::Clz => value.bits().leading_zeros() - unused,
                    _ => value.bits().trailing_zeros(),
                })
            }
            Builtin::Bswap => {
                let value = self.integer(first)?;
                let swapped = value.bits().swap_bytes() >> (128 - u32::from(value.ty().bits));
                Ok(ConstValue::Int(IntValue::from_bits(ty, swapped)))
            }
            Builtin::Unreachable
            | Builtin::Trap
            | Builtin::VaStart
            | Builtin::VaEnd
            | Builtin::VaCopy
            | Builtin::AddOverflow
            | Builtin::SubOverflow
            | Builtin::MulOverflow
            | Builtin::Unmodelled(_) => fail(e, "this call is not constant"),
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

    fn wrapped(&mut self, e: &Expr, (value, lost): (IntValue, bool)) -> ConstValue {
        if lost && value.ty().signed {
            self.overflow.get_or_insert(e.span);
        }
        ConstValue::Int(value)
    }

    fn exact(&self, e: &Expr, kind: FloatKind, result: Result<f64, Inexact>) -> Folded {
        match result {
            Ok(value) => Ok(ConstValue::Float(value)),
            Err(Inexact) => fail(
                e,
                format!(
                    "this is rounded in `{}`, which is not evaluated",
                    kind.text()
                ),
            ),
        }
    }

    fn moved(&self, value: ConstValue, bytes: i64) -> ConstValue {
        match value {
            ConstValue::Address { base, offset } => ConstValue::Address {
                base,
                offset: self.sign_extended(offset.wrapping_add(bytes)),
            },
            ConstValue::Int(_) | ConstValue::Float(_) => value,
        }
    }

    fn sign_extended(&self, offset: i64) -> i64 {
        let unused = 64 - self.types.model.word_bytes() * 8;
        offset << unused >> unused
    }

    fn pointer_int(&self) -> IntType {
        IntType::unsigned((self.types.model.word_bytes() * 8) as u8)
    }

    /// Bytes of what a pointer points to; 1 for `void` and functions, as gcc counts.
    fn pointee_size(&self, pointer: TypeId) -> u64 {
        self.types
            .pointee(pointer)
            .and_then(|to| self.types.size_of(to.ty))
            .unwrap_or(1)
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
    let &Type::Float(kind) = folder.types.get(left.ty.ty) else {
        return fail(e, "this is not constant");
    };
    let result = match op {
        BinaryOp::Add => float::add(kind, x, y),
        BinaryOp::Sub => float::add(kind, x, -y),
        BinaryOp::Mul => float::mul(kind, x, y),
        BinaryOp::Div => float::div(kind, x, y),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
            return Ok(boolean(compared(op, x.partial_cmp(&y))));
        }
        BinaryOp::Rem
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::PointerAdd
        | BinaryOp::PointerSub
        | BinaryOp::PointerDiff
        | BinaryOp::LogicalAnd
        | BinaryOp::LogicalOr
        | BinaryOp::Comma => return fail(e, "this is not constant"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{BitRange, DataModel, Field, QualType, Record, RecordBody};
    use base::Id;

    fn expr(kind: ExprKind, ty: TypeId) -> Expr {
        Expr {
            kind,
            ty: QualType::from(ty),
            span: Span::NONE,
        }
    }

    fn int(types: &Types, value: i128) -> Expr {
        expr(
            ExprKind::Int(IntValue::wrap(IntType::I32, value)),
            types.int(),
        )
    }

    fn binary(op: BinaryOp, a: Expr, b: Expr, ty: TypeId) -> Expr {
        expr(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty)
    }

    fn cast(kind: CastKind, operand: Expr, ty: TypeId) -> Expr {
        expr(
            ExprKind::Cast {
                kind,
                operand: Box::new(operand),
                explicit: true,
            },
            ty,
        )
    }

    #[test]
    fn integers() {
        let types = Types::new(DataModel::Lp64);
        let i = types.int();
        for (op, a, b, expected, overflow) in [
            (BinaryOp::Add, 2, 3, Some(5), false),
            (
                BinaryOp::Add,
                i128::from(i32::MAX),
                1,
                Some(i128::from(i32::MIN)),
                true,
            ),
            (BinaryOp::Div, -7, 2, Some(-3), false),
            (BinaryOp::Rem, -7, 2, Some(-1), false),
            (BinaryOp::Div, 1, 0, None, false),
            (BinaryOp::Shl, 1, 31, Some(i128::from(i32::MIN)), false),
            (BinaryOp::Shl, 3, 31, Some(i128::from(i32::MIN)), true),
            (BinaryOp::Shl, 1, 32, None, false),
            (BinaryOp::Shr, -8, 1, Some(-4), false),
            (BinaryOp::Le, 3, 3, Some(1), false),
            (BinaryOp::Comma, 3, 3, None, false),
        ] {
            let e = binary(op, int(&types, a), int(&types, b), i);
            let mut folder = Folder::new(&types);
            let value = folder.integer(&e).ok().and_then(IntValue::to_i128);
            assert_eq!(
                (value, folder.overflow.is_some()),
                (expected, overflow),
                "{a} {op:?} {b}"
            );
        }
    }

    #[test]
    fn unevaluated_operands_need_not_be_constant() {
        let types = Types::new(DataModel::Lp64);
        let i = types.int();
        let bad = || expr(ExprKind::Local(crate::ast::LocalId::from_index(0)), i);
        let and = binary(BinaryOp::LogicalAnd, int(&types, 0), bad(), i);
        assert_eq!(integer(&types, &and).map(IntValue::is_zero), Ok(true));
        let or = binary(BinaryOp::LogicalOr, int(&types, 0), bad(), i);
        assert!(integer(&types, &or).is_err());
        let choice = ExprKind::Conditional {
            condition: Box::new(int(&types, 1)),
            then: Some(Box::new(int(&types, 7))),
            otherwise: Box::new(bad()),
        };
        assert_eq!(
            integer(&types, &expr(choice, i)).unwrap().to_i128(),
            Some(7)
        );
    }

    #[test]
    fn addresses() {
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let mut types = Types::new(model);
            let i = types.int();
            let field = |offset, bits| Field {
                name: Some("m".into()),
                ty: i.into(),
                offset,
                bits,
                span: Span::NONE,
            };
            let bits = Some(BitRange { start: 0, width: 3 });
            let record = types.records.push(Record {
                tag: None,
                is_union: false,
                span: Span::NONE,
                body: Some(RecordBody {
                    fields: vec![field(0, bits), field(8, None)],
                    size: 12,
                    align: 4,
                }),
            });
            let record = types.intern(Type::Record(record));
            let to_record = types.pointer_to(record.into());
            let to_int = types.pointer_to(i.into());
            let null = cast(CastKind::IntToPointer, int(&types, 0), to_record);
            let member = |of: Expr| {
                let record_expr = expr(ExprKind::Deref(Box::new(of)), record);
                let member = ExprKind::Member {
                    record: Box::new(record_expr),
                    field: 1,
                };
                expr(ExprKind::AddressOf(Box::new(expr(member, i))), to_int)
            };
            let offset = cast(CastKind::PointerToInt, member(null), types.ulong());
            assert_eq!(integer(&types, &offset).unwrap().to_i128(), Some(8));

            let global = AddressBase::Global(GlobalId::from_index(0));
            let of_global = || {
                let global = expr(ExprKind::Global(GlobalId::from_index(0)), record);
                expr(ExprKind::AddressOf(Box::new(global)), to_record)
            };
            let next = binary(
                BinaryOp::PointerAdd,
                of_global(),
                int(&types, -1),
                to_record,
            );
            let expected = ConstValue::Address {
                base: Some(global),
                offset: -12,
            };
            assert_eq!(constant(&types, &next), Ok(expected));
            let gap = binary(BinaryOp::PointerDiff, of_global(), next, types.ptrdiff_t());
            assert_eq!(integer(&types, &gap).unwrap().to_i128(), Some(1));
            let narrow = cast(CastKind::PointerToInt, of_global(), types.char());
            assert!(constant(&types, &narrow).is_err());
            let same = cast(CastKind::PointerToInt, of_global(), types.ulong());
            assert!(integer(&types, &same).is_err());
            assert!(constant(&types, &same).is_ok());
            let top = cast(CastKind::IntToPointer, int(&types, -1), to_int);
            let top = constant(&types, &top);
            assert_eq!(
                top,
                Ok(ConstValue::Address {
                    base: None,
                    offset: -1
                })
            );
        }
    }
}
