//! Pointer arithmetic and comparisons.

use super::Parser;
use crate::ast::{BinaryOp, Expr};
use crate::types::{Type, TypeId};
use base::Span;

const MIXED: &str = "comparison between a pointer and an integer";

impl Parser<'_> {
    /// `a + b`
    pub(super) fn add(&mut self, a: Expr, b: Expr, span: Span) -> Expr {
        let (a, b) = (self.value(a), self.value(b));
        match (self.types.pointee(a.ty.ty), self.types.pointee(b.ty.ty)) {
            (None, None) => self.arithmetic(BinaryOp::Add, a, b, span),
            (Some(to), None) if self.types.is_integer(b.ty.ty) => {
                self.displaced(BinaryOp::PointerAdd, a, to.ty, b, span)
            }
            (None, Some(to)) if self.types.is_integer(a.ty.ty) => {
                self.displaced(BinaryOp::PointerAdd, b, to.ty, a, span)
            }
            _ => self.invalid_operands(BinaryOp::Add, &a, &b, span),
        }
    }

    /// `a - b`
    pub(super) fn subtract(&mut self, a: Expr, b: Expr, span: Span) -> Expr {
        let (a, b) = (self.value(a), self.value(b));
        match (self.types.pointee(a.ty.ty), self.types.pointee(b.ty.ty)) {
            (None, None) => self.arithmetic(BinaryOp::Sub, a, b, span),
            (Some(to), None) if self.types.is_integer(b.ty.ty) => {
                self.displaced(BinaryOp::PointerSub, a, to.ty, b, span)
            }
            (Some(x), Some(y)) => {
                if !self.go_together(x.ty, y.ty) {
                    return self.invalid_operands(BinaryOp::Sub, &a, &b, span);
                }
                if !self.check_arithmetic_pointee(x.ty, span) {
                    return self.broken(span);
                }
                let ty = a.ty.ty;
                let b = self.implicit(b, ty);
                let result = self.types.ptrdiff_t();
                self.binary_node(BinaryOp::PointerDiff, a, b, result, span)
            }
            _ => self.invalid_operands(BinaryOp::Sub, &a, &b, span),
        }
    }

    fn displaced(
        &mut self,
        op: BinaryOp,
        pointer: Expr,
        to: TypeId,
        integer: Expr,
        span: Span,
    ) -> Expr {
        if !self.check_arithmetic_pointee(to, span) {
            return self.broken(span);
        }
        let offset = self.offset(integer);
        let ty = pointer.ty.ty;
        self.binary_node(op, pointer, offset, ty, span)
    }

    /// An integer that counts elements.
    pub(super) fn offset(&mut self, integer: Expr) -> Expr {
        let integer = self.promoted(integer);
        let ty = self.types.ptrdiff_t();
        self.implicit(integer, ty)
    }

    /// Whether pointers to a type can be moved: GNU C counts `void` and functions as 1 byte.
    pub(super) fn check_arithmetic_pointee(&mut self, to: TypeId, span: Span) -> bool {
        if self.is_error(to) {
            return false;
        }
        let fits =
            self.types.is_complete(to) || self.types.is_void(to) || self.types.is_function(to);
        if !fits {
            let what = "arithmetic on a pointer to the incomplete type";
            self.wrong_type(span, what, to);
        }
        fits
    }

    /// `==`, `<` and so on.
    pub(super) fn comparison(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let (a, b) = (self.value(a), self.value(b));
        let (x, y) = (a.ty.ty, b.ty.ty);
        let int = self.types.int();
        if self.types.is_arithmetic(x) && self.types.is_arithmetic(y) {
            if self.has_complex(&a, &b) {
                return self.complex_binary(op, a, b, span);
            }
            let (a, b, _) = self.balanced(a, b);
            return self.binary_node(op, a, b, int, span);
        }
        match (self.types.pointee(x), self.types.pointee(y)) {
            (Some(p), Some(q)) => {
                if !self.go_together(p.ty, q.ty) {
                    self.warn(span, "comparison of pointers to different types");
                }
                // `void *` is the common ground; a null constant takes the other's type.
                let common = if self.is_null_constant(&b) || self.types.is_void(q.ty) {
                    x
                } else if self.is_null_constant(&a) || self.types.is_void(p.ty) {
                    y
                } else {
                    x
                };
                let (a, b) = (self.implicit(a, common), self.implicit(b, common));
                self.binary_node(op, a, b, int, span)
            }
            (Some(_), None) if self.types.is_integer(y) => {
                self.check_mixed(&b, span, MIXED);
                let b = self.implicit(b, x);
                self.binary_node(op, a, b, int, span)
            }
            (None, Some(_)) if self.types.is_integer(x) => {
                self.check_mixed(&a, span, MIXED);
                let a = self.implicit(a, y);
                self.binary_node(op, a, b, int, span)
            }
            _ if x == y && matches!(self.types.get(x), Type::VaList) => {
                self.unmodelled("comparison of argument lists", vec![a, b], int, span)
            }
            _ => self.invalid_operands(op, &a, &b, span),
        }
    }
}
