//! The operand types of every kind of expression.

use crate::expr::{BinaryOp, Expr, Type, UnaryOp};
use crate::ir::Program;

/// Whether the outermost step fits operands of these types.
pub(crate) fn step_is_typed(program: &Program, expr: &Expr, tys: &[Type]) -> bool {
    use BinaryOp::*;
    let is_int = |ty: Type| matches!(ty, Type::Int(_));
    let is_number = |ty: Type| matches!(ty, Type::Int(_) | Type::Float(_));
    match expr {
        Expr::Const(_) | Expr::Var(_) | Expr::Object(_) | Expr::Proc(_) => true,
        Expr::Load(..) | Expr::Freeable(_) => tys[0] == Type::Ptr,
        Expr::Unary(op, ty, _) => {
            tys[0] == *ty
                && match op {
                    UnaryOp::Neg => is_number(*ty),
                    UnaryOp::Not => *ty == Type::Bool || is_int(*ty),
                    UnaryOp::Popcount | UnaryOp::Clz | UnaryOp::Ctz => {
                        ty.int().is_some_and(|ty| !ty.signed)
                    }
                    UnaryOp::Bswap => ty.int().is_some_and(|ty| !ty.signed && ty.bits % 8 == 0),
                }
        }
        Expr::Binary(op, ty, _, _) => {
            let operands = tys[0] == *ty && tys[1] == *ty;
            match op {
                Add | Sub | Mul | Div => operands && is_number(*ty),
                Rem => operands && is_int(*ty),
                And | Or | Xor => operands && (*ty == Type::Bool || is_int(*ty)),
                Shl | Shr => tys[0] == *ty && is_int(*ty) && is_int(tys[1]),
                Eq | Ne => operands,
                Lt | Le | Gt | Ge => operands && *ty != Type::Bool,
                PtrDiff => operands && *ty == Type::Ptr,
            }
        }
        Expr::Offset(..) => tys[0] == Type::Ptr && tys[1] == Type::Int(program.offset_type()),
        Expr::Cast(to, _) => match (tys[0], to) {
            (Type::Bool, Type::Int(_) | Type::Float(_)) => true,
            (Type::Int(_), Type::Int(_) | Type::Float(_) | Type::Ptr) => true,
            (Type::Float(_), Type::Int(_) | Type::Float(_)) => true,
            (Type::Ptr, Type::Int(_)) => true,
            (from, to) => from == *to,
        },
        Expr::Select(..) => tys[0] == Type::Bool && tys[1] == tys[2],
        Expr::Overflows(op, ty, _, _) => {
            let left = tys[0] == Type::Int(*ty) && ty.signed;
            match op {
                Add | Sub | Mul | Div | Rem => left && tys[1] == tys[0],
                Shl => left && is_int(tys[1]),
                And | Or | Xor | Shr | Eq | Ne | Lt | Le | Gt | Ge | PtrDiff => false,
            }
        }
        Expr::Valid(..) => tys[0] == Type::Ptr && tys[1] == Type::Int(program.size_type()),
    }
}

/// The outermost step in words.
pub(crate) fn step_name(expr: &Expr) -> String {
    match expr {
        Expr::Const(_) => "a constant".into(),
        Expr::Var(_) => "a variable".into(),
        Expr::Object(_) | Expr::Proc(_) => "an address".into(),
        Expr::Load(ty, _) => format!("a load of {ty}"),
        Expr::Unary(op, ty, _) => format!("{op:?} of {ty}"),
        Expr::Binary(op, ty, _, _) => format!("{op:?} of {ty}"),
        Expr::Offset(..) => "an offset".into(),
        Expr::Cast(ty, _) => format!("a cast to {ty}"),
        Expr::Select(..) => "a selection".into(),
        Expr::Overflows(op, ty, _, _) => format!("overflow of {op:?} of {ty}"),
        Expr::Valid(..) => "a validity test".into(),
        Expr::Freeable(_) => "a freeable test".into(),
    }
}
