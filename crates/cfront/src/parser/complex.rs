//! Operations on complex numbers.
//!
//! A real operand stays real, as gcc has it: `2 * z` doubles both parts, whatever they are.

use super::{Parsed, Parser};
use crate::ast::{BinaryOp, Builtin, Complex, Expr, ExprKind, UnaryOp};
use crate::token::Keyword;
use crate::types::{Type, TypeId};
use base::Span;

impl Parser<'_> {
    /// Whether there is a complex operand.
    pub(super) fn has_complex(&self, a: &Expr, b: &Expr) -> bool {
        self.types.is_complex(a.ty.ty) || self.types.is_complex(b.ty.ty)
    }

    pub(super) fn complex_node(
        &self,
        op: Complex,
        args: Vec<Expr>,
        ty: TypeId,
        span: Span,
    ) -> Expr {
        self.builtin_node(Builtin::Complex(op), args, ty, span)
    }

    /// An operation that is not modelled.
    pub(super) fn other_complex(&self, args: Vec<Expr>, ty: TypeId, span: Span) -> Expr {
        self.unmodelled("arithmetic on complex numbers", args, ty, span)
    }

    /// An operation on numbers of which at least one is complex.
    pub(super) fn complex_binary(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let common = self.types.usual_arithmetic(a.ty.ty, b.ty.ty);
        let complex = match op {
            BinaryOp::Add => Complex::Add,
            BinaryOp::Sub => Complex::Sub,
            BinaryOp::Mul => Complex::Mul,
            BinaryOp::Div => Complex::Div,
            BinaryOp::Eq => Complex::Eq,
            BinaryOp::Ne => Complex::Ne,
            _ => return self.other_complex(vec![a, b], common, span),
        };
        let ty = match complex {
            Complex::Eq | Complex::Ne => self.types.int(),
            _ => common,
        };
        let (a, b) = (
            self.complex_operand(a, common),
            self.complex_operand(b, common),
        );
        self.complex_node(complex, vec![a, b], ty, span)
    }

    /// An operand in a complex format, or in its real one.
    fn complex_operand(&mut self, operand: Expr, common: TypeId) -> Expr {
        if self.types.is_complex(operand.ty.ty) {
            return self.implicit(operand, common);
        }
        let part = self.part_type(common);
        let operand = self.promoted(operand);
        self.implicit(operand, part)
    }

    /// The type of the parts of a complex number.
    fn part_type(&self, ty: TypeId) -> TypeId {
        match self.types.get(ty) {
            &Type::Complex(kind) => self.types.float_kind(kind),
            _ => ty,
        }
    }

    /// `-z`, `~z`, `+z`.
    pub(super) fn complex_unary(&mut self, op: Option<UnaryOp>, operand: Expr, span: Span) -> Expr {
        let ty = operand.ty.ty;
        let op = match op {
            Some(UnaryOp::BitNot) => Complex::Conjugate,
            Some(UnaryOp::Neg) => Complex::Neg,
            // The result is a value, not the lvalue itself.
            None => Complex::Convert,
            Some(_) => return self.other_complex(vec![operand], ty, span),
        };
        self.complex_node(op, vec![operand], ty, span)
    }

    /// `target op= value` where one is complex.
    pub(super) fn complex_assign(
        &mut self,
        op: BinaryOp,
        target: Expr,
        value: Expr,
        span: Span,
    ) -> Expr {
        let ty = target.ty.ty;
        if !matches!(target.kind, ExprKind::Local(_) | ExprKind::Global(_)) {
            return self.other_complex(vec![target, value], ty, span);
        }
        let old = self.value(target.clone());
        let result = self.complex_binary(op, old, value, span);
        let result = self.implicit(result, ty);
        let (target, value) = (Box::new(target), Box::new(result));
        Expr::new(ExprKind::Assign(target, value), ty, span)
    }

    /// A number converted to another type, where one of the two is complex.
    pub(super) fn complex_conversion(&mut self, expr: Expr, to: TypeId) -> Expr {
        let span = expr.span;
        if self.types.is_complex(to) {
            if self.types.is_complex(expr.ty.ty) {
                return self.complex_node(Complex::Convert, vec![expr], to, span);
            }
            let part = self.part_type(to);
            let real = self.implicit(expr, part);
            return self.complex_node(Complex::Convert, vec![real], to, span);
        }
        let node = match self.types.get(to) {
            Type::Bool => self.complex_truth(expr),
            _ => {
                let part = self.part_type(expr.ty.ty);
                self.complex_node(Complex::Real, vec![expr], part, span)
            }
        };
        self.implicit(node, to)
    }

    /// Whether a complex number is not zero.
    pub(super) fn complex_truth(&mut self, expr: Expr) -> Expr {
        let (int, span) = (self.types.int(), expr.span);
        self.complex_node(Complex::IsNotZero, vec![expr], int, span)
    }

    /// `__real__ x` and `__imag__ x`; of a real number they are the number and zero.
    pub(super) fn complex_part(&mut self) -> Parsed<Expr> {
        let is_real = self.at_keyword(Keyword::Real);
        let (operand, span) = self.operand()?;
        if self.is_error(operand.ty.ty) {
            return Ok(self.broken(span));
        }
        if let &Type::Complex(kind) = self.types.get(operand.ty.ty) {
            let part = self.types.float_kind(kind);
            let op = match is_real {
                true => Complex::Real,
                false => Complex::Imag,
            };
            let quals = operand.ty.quals;
            let mut node = self.complex_node(op, vec![operand], part, span);
            node.ty.quals = quals;
            return Ok(node);
        }
        let operand = self.value(operand);
        if !self.types.is_arithmetic(operand.ty.ty) {
            return Ok(self.refused(span, "this is not a number"));
        }
        if is_real {
            return Ok(operand);
        }
        let zero = self.int_constant(0, span);
        let ty = operand.ty.ty;
        let zero = self.implicit(zero, ty);
        Ok(self.comma(operand, zero))
    }
}
