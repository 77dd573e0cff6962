//! Evaluation of operators on constants, and simplification of expressions.
//!
//! The semantics of operators is in [`operators`]. If an operation is undefined there is no result
//! (`None`) and the expression is kept, so that the machine still encounters the undefined
//! behaviour.
//!
//! # Invariants
//! - [`simplify`] changes neither the value of an expression nor where it is undefined.
//! - A floating-point operation whose result is NaN is kept: its bits are not fixed.

use crate::expr::{BinaryOp, Constant, Expr, FloatType, Type, UnaryOp};
use crate::operators;
use logic::{IntType, IntValue};

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
pub fn unary(op: UnaryOp, value: Constant) -> Option<Constant> {
    match (op, value) {
        (UnaryOp::Not, Constant::Bool(value)) => Some(Constant::Bool(!value)),
        (UnaryOp::Bswap, Constant::Int(value)) if value.ty().bits % 8 != 0 => None,
        (_, Constant::Int(value)) => operators::int_unary(op, value).ok().map(Constant::Int),
        (UnaryOp::Neg, Constant::Float(ty, bits)) => {
            Some(Constant::Float(ty, operators::float_neg(ty, bits)))
        }
        (_, Constant::Bool(_) | Constant::Float(..) | Constant::Null) => None,
    }
}

/// The value of `left op right`, if it is defined.
pub fn binary(op: BinaryOp, left: Constant, right: Constant) -> Option<Constant> {
    match (left, right) {
        (Constant::Bool(a), Constant::Bool(b)) => bool_binary(op, a, b).map(Constant::Bool),
        (Constant::Int(a), Constant::Int(b)) => {
            // The amount of a shift has a type of its own; all else needs equal types.
            let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
            let fits = op != BinaryOp::PtrDiff && (is_shift || a.ty() == b.ty());
            fits.then(|| operators::int_binary(op, a, b).ok())?
        }
        (Constant::Float(ty, a), Constant::Float(_, b)) => {
            operators::float_binary(op, ty, a, b).filter(|value| !is_nan(*value))
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
        (_, Constant::Bool(value)) if to != Type::Bool => {
            cast(to, Constant::Int(IntValue::wrap(IntType::U8, value.into())))
        }
        (Type::Int(ty), Constant::Int(value)) => Some(Constant::Int(value.convert(ty))),
        (Type::Int(ty), Constant::Null) => Some(Constant::Int(IntValue::zero(ty))),
        (Type::Ptr, Constant::Int(value)) => value.is_zero().then_some(Constant::Null),
        (Type::Int(ty), Constant::Float(format, bits)) => {
            let value = operators::float_to_int(format.number(bits), ty);
            value.ok().map(Constant::Int)
        }
        (Type::Float(ty), Constant::Int(value)) => {
            Some(Constant::Float(ty, operators::int_to_float(value, ty)))
        }
        (Type::Float(ty), Constant::Float(from, bits)) => {
            let value = Constant::Float(ty, operators::float_to_float(from, bits, ty));
            let is_widened = (from, ty) == (FloatType::F32, FloatType::F64);
            (is_widened || !is_nan(value)).then_some(value)
        }
        (to, value) => (to == value.ty()).then_some(value),
    }
}

/// Whether `left op right` does not fit the signed type; `None` if the operands are not integers.
pub fn overflows(op: BinaryOp, left: Constant, right: Constant) -> Option<bool> {
    match (left, right) {
        (Constant::Int(a), Constant::Int(b)) => Some(operators::overflows(op, a, b)),
        _ => None,
    }
}

/// Whether a floating-point number is none.
fn is_nan(value: Constant) -> bool {
    matches!(value, Constant::Float(format, bits) if format.number(bits).is_nan())
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
    if let Some(result) = compare_procs(op, &left, &right) {
        return Expr::bool(result);
    }
    Expr::Binary(op, ty, Box::new(left), Box::new(right))
}

/// Addresses of procedures are equal only to themselves, and not null.
fn compare_procs(op: BinaryOp, left: &Expr, right: &Expr) -> Option<bool> {
    let same = match (left, right) {
        (Expr::Proc(a), Expr::Proc(b)) => a == b,
        (Expr::Proc(_), Expr::Const(Constant::Null))
        | (Expr::Const(Constant::Null), Expr::Proc(_)) => false,
        _ => return None,
    };
    match op {
        BinaryOp::Eq => Some(same),
        BinaryOp::Ne => Some(!same),
        _ => None,
    }
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
    fn procedures_are_told_apart_by_their_addresses() {
        let [f, g] = [0, 1].map(|index| Expr::Proc(crate::ir::ProcId::from_index(index)));
        let compare = |op, a: &Expr, b: &Expr| Expr::binary(op, Type::Ptr, a.clone(), b.clone());
        let null = Expr::null();
        let table = [
            (&f, &f, Some(true)),
            (&f, &g, Some(false)),
            (&null, &g, Some(false)),
            (&f, &null, Some(false)),
            (&f, &x(), None),
        ];
        for (a, b, same) in table {
            let (is, is_not) = (compare(BinaryOp::Eq, a, b), compare(BinaryOp::Ne, a, b));
            assert_eq!(is.constant(), same.map(Constant::Bool));
            assert_eq!(is_not.constant(), same.map(|same| Constant::Bool(!same)));
            // Their order is undefined.
            assert_eq!(compare(BinaryOp::Lt, a, b).constant(), None);
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
        assert_eq!(unary(UnaryOp::Clz, byte(1)), Some(byte(7)));
        assert_eq!(unary(UnaryOp::Ctz, byte(8)), Some(byte(3)));
        assert_eq!(unary(UnaryOp::Clz, byte(0)), None);
        assert_eq!(unary(UnaryOp::Popcount, byte(255)), Some(byte(8)));
        let half = |value| Constant::Int(IntValue::wrap(IntType::unsigned(16), value));
        assert_eq!(unary(UnaryOp::Bswap, half(0x1234)), Some(half(0x3412)));
    }
}
