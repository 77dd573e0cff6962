//! Evaluation of operators on constants, and simplification of expressions.
//!
//! Integers go through [`logic::IntValue`], which says what C's operators mean. Where the meaning
//! of an operation is undefined there is no result (`None`) and the expression is kept, so that
//! whoever runs it still meets the undefined behaviour.
//!
//! # Invariants
//! - [`simplify`] changes neither the value of an expression nor where it is undefined.
//! - A floating-point operation whose result is not a number is kept: its bits are not fixed.

use crate::expr::{BinaryOp, Constant, Expr, FloatType, Type, UnaryOp};
use logic::{IntType, IntValue};
use std::cmp::Ordering;

/// The value of an expression all of whose leaves are constants, if it is defined.
pub fn constant(expr: &Expr) -> Option<Constant> {
    simplify(expr.clone()).constant()
}

/// An expression with the same meaning, constants evaluated and neutral operands gone.
pub fn simplify(mut expr: Expr) -> Expr {
    expr.visit_mut(&mut |part| {
        let taken = std::mem::replace(part, Expr::bool(false));
        *part = rebuild(taken);
    });
    expr
}

/// Makes the outermost step again with the constructors that simplify.
fn rebuild(expr: Expr) -> Expr {
    use Expr::*;
    match expr {
        Unary(UnaryOp::Not, Type::Bool, operand) => Expr::not(*operand),
        Unary(op, ty, operand) => Expr::unary(op, ty, *operand),
        Binary(op, ty, left, right) => Expr::binary(op, ty, *left, *right),
        Offset(address, bytes) => Expr::offset(*address, *bytes),
        Cast(to, operand) => match operand.constant().and_then(|value| cast(to, value)) {
            Some(result) => Const(result),
            None => Cast(to, operand),
        },
        Select(condition, then, otherwise) => Expr::select(*condition, *then, *otherwise),
        Overflows(op, ty, left, right) => Expr::overflows(op, ty, *left, *right),
        Const(_) | Var(_) | Object(_) | Proc(_) | Load(..) | Valid(..) | Freeable(_) => expr,
    }
}

/// The value of `op value`, if it is defined.
pub fn unary(op: UnaryOp, ty: Type, value: Constant) -> Option<Constant> {
    match value {
        Constant::Bool(value) => (op == UnaryOp::Not).then_some(Constant::Bool(!value)),
        Constant::Int(value) => {
            let width = i128::from(value.ty().bits);
            let result = match op {
                UnaryOp::Neg => defined(value.neg())?,
                UnaryOp::Not => value.not(),
                UnaryOp::Popcount => count(ty, value.bits().count_ones())?,
                UnaryOp::Clz if value.is_zero() => return None,
                UnaryOp::Clz => {
                    let leading = i128::from(value.bits().leading_zeros()) - (128 - width);
                    count(ty, u32::try_from(leading).ok()?)?
                }
                UnaryOp::Ctz if value.is_zero() => return None,
                UnaryOp::Ctz => count(ty, value.bits().trailing_zeros())?,
                UnaryOp::Bswap if width % 8 != 0 => return None,
                UnaryOp::Bswap => {
                    let swapped = value.bits().swap_bytes() >> (128 - width);
                    IntValue::from_bits(value.ty(), swapped)
                }
            };
            Some(Constant::Int(result))
        }
        Constant::Float(ty, bits) => match op {
            // The sign, of a NaN too.
            UnaryOp::Neg => {
                let sign = match ty {
                    FloatType::F32 => 1 << 31,
                    FloatType::F64 => 1 << 63,
                };
                Some(Constant::Float(ty, bits ^ sign))
            }
            UnaryOp::Not | UnaryOp::Popcount | UnaryOp::Clz | UnaryOp::Ctz | UnaryOp::Bswap => None,
        },
        Constant::Null => None,
    }
}

/// The value of `left op right` on operands of type `ty`, if it is defined.
pub fn binary(op: BinaryOp, left: Constant, right: Constant) -> Option<Constant> {
    match (left, right) {
        (Constant::Bool(a), Constant::Bool(b)) => bool_binary(op, a, b).map(Constant::Bool),
        (Constant::Int(a), Constant::Int(b)) => int_binary(op, a, b),
        (Constant::Float(ty, _), Constant::Float(..)) => {
            float_binary(op, ty, to_f64(left)?, to_f64(right)?)
        }
        (Constant::Null, Constant::Null) => match op {
            BinaryOp::Eq => Some(Constant::Bool(true)),
            BinaryOp::Ne => Some(Constant::Bool(false)),
            _ => None,
        },
        _ => None,
    }
}

/// The value of a conversion, if it is defined and we know it.
pub fn cast(to: Type, value: Constant) -> Option<Constant> {
    match (to, value) {
        (Type::Int(ty), Constant::Bool(value)) => {
            Some(Constant::Int(IntValue::wrap(ty, i128::from(value))))
        }
        (Type::Float(ty), Constant::Bool(value)) => float(ty, f64::from(u8::from(value))),
        (Type::Int(ty), Constant::Int(value)) => Some(Constant::Int(value.convert(ty))),
        (Type::Int(ty), Constant::Null) => Some(Constant::Int(IntValue::zero(ty))),
        (Type::Ptr, Constant::Int(value)) => value.is_zero().then_some(Constant::Null),
        (Type::Int(ty), Constant::Float(..)) => float_to_int(ty, to_f64(value)?),
        (Type::Float(ty), Constant::Int(value)) => Some(int_to_float(ty, value)),
        (Type::Float(FloatType::F64), Constant::Float(FloatType::F32, bits)) => {
            Some(Constant::Float(FloatType::F64, widened(bits as u32)))
        }
        (Type::Float(ty), Constant::Float(..)) => float(ty, to_f64(value)?),
        (to, value) => (to == value.ty()).then_some(value),
    }
}

/// Whether `left op right` does not fit the signed type; `None` if the operands are no integers.
pub fn overflows(op: BinaryOp, ty: IntType, left: Constant, right: Constant) -> Option<bool> {
    use BinaryOp::*;
    let (Constant::Int(a), Constant::Int(b)) = (left, right) else {
        return None;
    };
    debug_assert_eq!(a.ty(), ty);
    let wrapped = match op {
        Add => Some(a.add(b)),
        Sub => Some(a.sub(b)),
        Mul => Some(a.mul(b)),
        Div => a.div(b),
        Rem => a.rem(b),
        Shl => a.shl(b),
        And | Or | Xor | Shr | Eq | Ne | Lt | Le | Gt | Ge | PtrDiff => None,
    };
    Some(wrapped.is_some_and(|(_, overflow)| overflow))
}

/// `left op right`, simplified.
pub(crate) fn simplify_binary(op: BinaryOp, ty: Type, left: Expr, right: Expr) -> Expr {
    if let (Some(a), Some(b)) = (left.constant(), right.constant())
        && let Some(result) = binary(op, a, b)
    {
        return Expr::Const(result);
    }
    if let Some(right) = right.constant()
        && is_neutral_right(op, ty, right)
    {
        return left;
    }
    if let Some(left) = left.constant()
        && is_neutral_left(op, ty, left)
    {
        return right;
    }
    if ty == Type::Bool
        && let Some(result) = simplify_bool(op, &left, &right)
    {
        return result;
    }
    Expr::Binary(op, ty, Box::new(left), Box::new(right))
}

/// Whether the outermost step could be undefined on some operands.
pub fn step_may_be_undefined(expr: &Expr) -> bool {
    use Expr::*;
    match expr {
        Const(_) | Var(_) | Object(_) | Proc(_) | Select(..) | Overflows(..) | Valid(..)
        | Freeable(_) => false,
        Load(..) => true,
        Unary(op, ty, _) => match op {
            UnaryOp::Neg => ty.int().is_some_and(|ty| ty.signed),
            UnaryOp::Clz | UnaryOp::Ctz => true,
            UnaryOp::Not | UnaryOp::Popcount | UnaryOp::Bswap => false,
        },
        Binary(op, ty, _, right) => match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => ty.int().is_some_and(|ty| ty.signed),
            BinaryOp::Div | BinaryOp::Rem => match (ty, right.constant()) {
                (Type::Int(_), Some(Constant::Int(divisor))) => {
                    divisor.is_zero() || divisor.to_i128() == Some(-1)
                }
                (Type::Float(_), _) => false,
                _ => true,
            },
            BinaryOp::Shl if ty.int().is_some_and(|ty| ty.signed) => true,
            BinaryOp::Shl | BinaryOp::Shr => match (ty, right.constant()) {
                (Type::Int(ty), Some(Constant::Int(amount))) => amount
                    .to_u64()
                    .is_none_or(|amount| amount >= u64::from(ty.bits)),
                _ => true,
            },
            BinaryOp::PtrDiff => true,
            // The order of addresses of different objects is undefined.
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => *ty == Type::Ptr,
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Eq | BinaryOp::Ne => false,
        },
        // An address may not leave its object.
        Offset(..) => true,
        // We do not see the operand's type here: it may be a floating-point number.
        Cast(to, operand) => {
            matches!(to, Type::Int(_)) && !matches!(**operand, Const(_)) && is_float(operand)
        }
    }
}

/// Whether an operand may be a floating-point number; variables may.
fn is_float(expr: &Expr) -> bool {
    use Expr::*;
    match expr {
        Const(constant) => matches!(constant.ty(), Type::Float(_)),
        Var(_) => true,
        Load(ty, _) | Unary(_, ty, _) | Cast(ty, _) => {
            matches!(ty, Type::Float(_))
        }
        Binary(op, ty, _, _) => !op.is_comparison() && matches!(ty, Type::Float(_)),
        Select(_, then, _) => is_float(then),
        Object(_) | Proc(_) | Offset(..) | Overflows(..) | Valid(..) | Freeable(_) => false,
    }
}

fn defined((value, overflow): (IntValue, bool)) -> Option<IntValue> {
    (!(value.ty().signed && overflow)).then_some(value)
}

fn count(ty: Type, count: u32) -> Option<IntValue> {
    ty.int().map(|ty| IntValue::wrap(ty, i128::from(count)))
}

fn bool_binary(op: BinaryOp, a: bool, b: bool) -> Option<bool> {
    use BinaryOp::*;
    match op {
        And => Some(a & b),
        Or => Some(a | b),
        Xor | Ne => Some(a ^ b),
        Eq => Some(a == b),
        Add | Sub | Mul | Div | Rem | Shl | Shr | Lt | Le | Gt | Ge | PtrDiff => None,
    }
}

fn int_binary(op: BinaryOp, a: IntValue, b: IntValue) -> Option<Constant> {
    // The amount of a shift has a type of its own; all else needs equal types.
    if !matches!(op, BinaryOp::Shl | BinaryOp::Shr) && a.ty() != b.ty() {
        return None;
    }
    let holds = |test: fn(Ordering) -> bool| Some(Constant::Bool(test(a.compare(b))));
    let value = match op {
        BinaryOp::Add => defined(a.add(b))?,
        BinaryOp::Sub => defined(a.sub(b))?,
        BinaryOp::Mul => defined(a.mul(b))?,
        BinaryOp::Div => defined(a.div(b)?)?,
        BinaryOp::Rem => defined(a.rem(b)?)?,
        BinaryOp::And => a.and(b),
        BinaryOp::Or => a.or(b),
        BinaryOp::Xor => a.xor(b),
        BinaryOp::Shl => defined(a.shl(b)?)?,
        BinaryOp::Shr => a.shr(b)?,
        BinaryOp::Eq => return holds(Ordering::is_eq),
        BinaryOp::Ne => return holds(Ordering::is_ne),
        BinaryOp::Lt => return holds(Ordering::is_lt),
        BinaryOp::Le => return holds(Ordering::is_le),
        BinaryOp::Gt => return holds(Ordering::is_gt),
        BinaryOp::Ge => return holds(Ordering::is_ge),
        BinaryOp::PtrDiff => return None,
    };
    Some(Constant::Int(value))
}

/// Both operands exact in `f64`; a result of `f32` operands rounded twice (53 >= 2 * 24 + 2 bits)
/// is the one rounded once, for these four operations.
fn float_binary(op: BinaryOp, ty: FloatType, a: f64, b: f64) -> Option<Constant> {
    use BinaryOp::*;
    let value = match op {
        Add => a + b,
        Sub => a - b,
        Mul => a * b,
        Div => a / b,
        Eq => return Some(Constant::Bool(a == b)),
        Ne => return Some(Constant::Bool(a != b)),
        Lt => return Some(Constant::Bool(a < b)),
        Le => return Some(Constant::Bool(a <= b)),
        Gt => return Some(Constant::Bool(a > b)),
        Ge => return Some(Constant::Bool(a >= b)),
        Rem | And | Or | Xor | Shl | Shr | PtrDiff => return None,
    };
    float(ty, value)
}

/// The value of a floating-point constant.
fn to_f64(value: Constant) -> Option<f64> {
    match value {
        Constant::Float(FloatType::F32, bits) => Some(f64::from(f32::from_bits(bits as u32))),
        Constant::Float(FloatType::F64, bits) => Some(f64::from_bits(bits)),
        Constant::Bool(_) | Constant::Int(_) | Constant::Null => None,
    }
}

/// The bits of a `float` as a `double`: exact, and a NaN keeps its sign and payload and is quiet.
fn widened(bits: u32) -> u64 {
    let value = f32::from_bits(bits);
    if !value.is_nan() {
        return f64::from(value).to_bits();
    }
    let sign = u64::from(bits >> 31) << 63;
    let payload = u64::from(bits & 0x007f_ffff) << 29;
    sign | 0x7ff8 << 48 | payload
}

fn float(ty: FloatType, value: f64) -> Option<Constant> {
    if value.is_nan() {
        return None;
    }
    let bits = match ty {
        FloatType::F32 => u64::from((value as f32).to_bits()),
        FloatType::F64 => value.to_bits(),
    };
    Some(Constant::Float(ty, bits))
}

fn int_to_float(ty: FloatType, value: IntValue) -> Constant {
    // Directly to the format, so that it is rounded once.
    let bits = match (ty, value.to_i128()) {
        (FloatType::F32, Some(value)) => u64::from((value as f32).to_bits()),
        (FloatType::F32, None) => u64::from((value.bits() as f32).to_bits()),
        (FloatType::F64, Some(value)) => (value as f64).to_bits(),
        (FloatType::F64, None) => (value.bits() as f64).to_bits(),
    };
    Constant::Float(ty, bits)
}

fn float_to_int(ty: IntType, value: f64) -> Option<Constant> {
    let value = value.trunc();
    // All values of at most 127 bits and a sign; wider ones saturate and are caught below.
    if !value.is_finite() || value.abs() >= 2f64.powi(127) {
        return None;
    }
    let exact = value as i128;
    let wrapped = IntValue::wrap(ty, exact);
    (wrapped.to_i128() == Some(exact)).then_some(Constant::Int(wrapped))
}

fn is_neutral_right(op: BinaryOp, ty: Type, value: Constant) -> bool {
    match (op, value) {
        (
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shr,
            Constant::Int(value),
        ) => value.is_zero(),
        (BinaryOp::Shl, Constant::Int(value)) => {
            // A signed value that is negative may not be shifted at all.
            value.is_zero() && ty.int().is_some_and(|ty| !ty.signed)
        }
        (BinaryOp::Mul | BinaryOp::Div, Constant::Int(value)) => value.to_i128() == Some(1),
        (BinaryOp::And, Constant::Int(value)) => value.bits() == value.ty().mask(),
        (BinaryOp::And | BinaryOp::Eq, Constant::Bool(value)) => value,
        (BinaryOp::Or | BinaryOp::Xor | BinaryOp::Ne, Constant::Bool(value)) => !value,
        _ => false,
    }
}

fn is_neutral_left(op: BinaryOp, ty: Type, value: Constant) -> bool {
    use BinaryOp::*;
    let symmetric = matches!(op, Add | Mul | And | Or | Xor | Eq | Ne);
    symmetric && is_neutral_right(op, ty, value)
}

/// What else is clear about two conditions, one of them constant or both the same.
fn simplify_bool(op: BinaryOp, left: &Expr, right: &Expr) -> Option<Expr> {
    let (constant, other) = match (left, right) {
        (Expr::Const(Constant::Bool(value)), other)
        | (other, Expr::Const(Constant::Bool(value))) => (*value, other),
        (left, right) if left == right && matches!(op, BinaryOp::And | BinaryOp::Or) => {
            return Some(left.clone());
        }
        _ => return None,
    };
    match op {
        BinaryOp::And if !constant && !other.may_be_undefined() => Some(Expr::bool(false)),
        BinaryOp::Or if constant && !other.may_be_undefined() => Some(Expr::bool(true)),
        BinaryOp::Eq if !constant => Some(Expr::not(other.clone())),
        BinaryOp::Ne | BinaryOp::Xor if constant => Some(Expr::not(other.clone())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::VarId;
    use base::Id;

    fn x() -> Expr {
        Expr::Var(VarId::from_index(0))
    }

    fn arith(op: BinaryOp, a: i128, b: i128) -> Expr {
        let ty = IntType::I32;
        Expr::arith(op, ty, Expr::int(ty, a), Expr::int(ty, b))
    }

    #[test]
    fn folds_what_is_defined_and_keeps_the_rest() {
        let table = [
            (BinaryOp::Add, 2, 3, Some(5)),
            (BinaryOp::Add, i128::from(i32::MAX), 1, None),
            (BinaryOp::Div, -7, 2, Some(-3)),
            (BinaryOp::Rem, -7, 2, Some(-1)),
            (BinaryOp::Div, 1, 0, None),
            (BinaryOp::Rem, i128::from(i32::MIN), -1, None),
            (BinaryOp::Shl, 1, 32, None),
            (BinaryOp::Shl, -1, 1, None),
            (BinaryOp::Shr, -8, 1, Some(-4)),
        ];
        for (op, a, b, expected) in table {
            let expr = arith(op, a, b);
            match expected {
                Some(value) => assert_eq!(expr, Expr::int(IntType::I32, value), "{a} {op:?} {b}"),
                None => assert!(matches!(expr, Expr::Binary(..)), "{a} {op:?} {b}"),
            }
            assert_eq!(expr.may_be_undefined(), expected.is_none());
        }
    }

    #[test]
    fn neutral_operands_go_but_undefined_ones_stay() {
        let ty = IntType::I32;
        let zero = Expr::int(ty, 0);
        assert_eq!(Expr::arith(BinaryOp::Add, ty, zero.clone(), x()), x());
        assert_eq!(Expr::arith(BinaryOp::Sub, ty, x(), zero.clone()), x());
        let shifted = Expr::arith(BinaryOp::Shl, ty, x(), zero.clone());
        assert!(matches!(shifted, Expr::Binary(..)));
        let less = Expr::arith(BinaryOp::Lt, ty, x(), zero);
        assert_eq!(
            Expr::and(less.clone(), Expr::bool(false)),
            Expr::bool(false)
        );
        let load = Expr::load(Type::Bool, x());
        assert!(matches!(
            Expr::and(load, Expr::bool(false)),
            Expr::Binary(..)
        ));
        assert_eq!(Expr::not(Expr::not(less.clone())), less);
    }

    #[test]
    fn casts_follow_c() {
        let int = |ty, value| Constant::Int(IntValue::wrap(ty, value));
        let double = |value: f64| Constant::Float(FloatType::F64, value.to_bits());
        assert_eq!(
            cast(Type::Int(IntType::U8), int(IntType::I32, -1)),
            Some(int(IntType::U8, 255))
        );
        assert_eq!(cast(Type::I32, double(-2.9)), Some(int(IntType::I32, -2)));
        assert_eq!(cast(Type::I32, double(3e9)), None);
        assert_eq!(
            cast(Type::Int(IntType::U8), double(-0.5)),
            Some(int(IntType::U8, 0))
        );
        assert_eq!(cast(Type::I32, double(f64::NAN)), None);
        assert_eq!(cast(Type::Ptr, int(IntType::I64, 0)), Some(Constant::Null));
        assert_eq!(cast(Type::Ptr, int(IntType::I64, 4)), None);
    }

    #[test]
    fn bits_are_counted_within_the_width() {
        let byte = |value| Constant::Int(IntValue::wrap(IntType::U8, value));
        let ty = Type::Int(IntType::U8);
        assert_eq!(unary(UnaryOp::Clz, ty, byte(1)), Some(byte(7)));
        assert_eq!(unary(UnaryOp::Ctz, ty, byte(8)), Some(byte(3)));
        assert_eq!(unary(UnaryOp::Clz, ty, byte(0)), None);
        assert_eq!(unary(UnaryOp::Popcount, ty, byte(255)), Some(byte(8)));
        let half = |value| Constant::Int(IntValue::wrap(IntType::unsigned(16), value));
        let ty = Type::Int(IntType::unsigned(16));
        assert_eq!(unary(UnaryOp::Bswap, ty, half(0x1234)), Some(half(0x3412)));
    }
}
