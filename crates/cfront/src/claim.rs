//! Claims: conditions that are claimed to hold at locations of a program, such as the invariants of
//! a witness. They are read in the scope of their location and kept beside the tree, not in it.
//!
//! # Invariants
//! - A claim in the tree has no side effect, calls nothing and takes no address: the program is the
//!   same without it. Operations in it that may be undefined can be checked step by step where it
//!   is evaluated.

use crate::ast::{BinaryOp, CastKind, Expr, ExprKind};
use crate::types::Types;
use base::{FileId, Span};

/// A claim before it is read.
#[derive(Clone, Copy, Debug)]
pub struct ClaimText {
    /// Where the statement starts that it is about: a place of [`crate::ast::Body::places`], or
    /// the keyword of a loop.
    pub at: u32,
    /// When it is said to hold.
    pub kind: ClaimKind,
    /// Its text, in the source map.
    pub file: FileId,
}

/// When a claim is said to hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ClaimKind {
    /// Whenever the loop's condition is about to be evaluated, or an iteration of `do` to begin.
    Loop,
    /// Whenever the statement is about to be executed.
    Statement,
}

/// A claim.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Which of the texts it is.
    pub number: usize,
    /// Where the statement starts that it is about.
    pub at: u32,
    /// When it holds.
    pub kind: ClaimKind,
    /// A scalar; its span lies in the text of the claim.
    pub condition: Expr,
}

/// What a claim must not contain, if it does, and where.
pub(crate) fn refused(types: &Types, expr: &Expr) -> Option<(&'static str, Span)> {
    use CastKind::*;
    let no = |why: &'static str| Some((why, expr.span));
    let inner = |expr: &Expr| refused(types, expr);
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Global(_) | ExprKind::Local(_) => None,
        ExprKind::Call { .. } => no("an invariant may not call a function"),
        ExprKind::Assign(..) | ExprKind::AssignOp { .. } | ExprKind::Increment { .. } => {
            no("an invariant may not change anything")
        }
        ExprKind::AddressOf(_) => no("an invariant may not take an address"),
        ExprKind::String(_)
        | ExprKind::Function(_)
        | ExprKind::Builtin { .. }
        | ExprKind::CompoundLiteral(_)
        | ExprKind::Statement(_)
        | ExprKind::VaArg(_)
        | ExprKind::LabelAddress(_)
        | ExprKind::SizeofVariable(_) => no("this is not supported in an invariant"),
        ExprKind::Cast(kind, operand, _) => match kind {
            FloatToInt | PointerToInt | FunctionDecay | ToVoid => {
                no("this conversion is not supported in an invariant")
            }
            IntToPointer if !matches!(operand.kind, ExprKind::Int(_)) => {
                no("this conversion is not supported in an invariant")
            }
            IntToPointer | ArrayDecay | Int | ToBool | IntToFloat | Float | Pointer | NoOp => {
                inner(operand)
            }
        },
        // An address is moved only to be looked at, which is checked.
        ExprKind::Deref(address) => match &address.kind {
            ExprKind::Binary(BinaryOp::PointerAdd | BinaryOp::PointerSub, base, by) => {
                inner(base).or_else(|| inner(by))
            }
            _ => inner(address),
        },
        ExprKind::Binary(op, left, right) => {
            let is_pointer = types.is_pointer(left.ty.ty);
            let is_order = matches!(
                op,
                BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
            );
            let moves = matches!(
                op,
                BinaryOp::PointerAdd | BinaryOp::PointerSub | BinaryOp::PointerDiff
            );
            match moves || (is_order && is_pointer) {
                true => no("arithmetic on addresses is not supported in an invariant"),
                false => inner(left).or_else(|| inner(right)),
            }
        }
        ExprKind::Member { record: part, .. } | ExprKind::Unary(_, part) => inner(part),
        ExprKind::Conditional {
            condition,
            then,
            otherwise,
        } => inner(condition)
            .or_else(|| then.as_deref().and_then(inner))
            .or_else(|| inner(otherwise)),
    }
}
