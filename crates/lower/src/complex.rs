//! Complex numbers: two floating-point numbers in memory, the real part first.
//!
//! Products and sums are those of C's Annex G where no part of the result is NaN; a product that is, and a
//! quotient of complex numbers, whose last bits depend on the compiler's library, are not modelled.

use super::external::External;
use super::lvalue::{Lvalue, LvalueKind};
use super::procedure::Lowering;
use super::types::format_of;
use base::Span;
use cfront::ast::{Builtin, Complex, Expr as CExpr, ExprKind};
use cfront::types::{Type as CType, TypeId};
use program::expr::{BinaryOp, Expr, FloatType, Type, UnaryOp};
use program::ir::{Op, Place};

/// A number: its real part, and its imaginary one unless it is real.
type Parts = (Expr, Option<Expr>);

impl<'a> Lowering<'_, 'a> {
    /// The format of the parts of a complex type, or of a real one.
    fn part_format(&self, ty: TypeId) -> Option<FloatType> {
        match self.cx.ast.types.get(ty) {
            CType::Complex(kind) | CType::Float(kind) => format_of(*kind),
            _ => None,
        }
    }

    /// The address of the result of an operation that makes a complex number; nothing if it is not
    /// modelled.
    pub(super) fn complex_value(
        &mut self,
        op: Complex,
        args: &'a [CExpr],
        ty: TypeId,
        span: Span,
    ) -> Option<Expr> {
        let format = self.part_format(ty)?;
        let (real, imag) = self.complex_parts_of(op, args, format, span)?;
        let imag = imag.unwrap_or(Expr::Const(Type::Float(format).zero()));
        Some(self.complex_object(real, imag, format, ty, span))
    }

    /// A new object that holds a complex number.
    fn complex_object(
        &mut self,
        real: Expr,
        imag: Expr,
        format: FloatType,
        ty: TypeId,
        span: Span,
    ) -> Expr {
        let object = self.scratch_of("$complex", ty, span);
        for (part, value) in [(false, real), (true, imag)] {
            let at = self.part_address(object.clone(), part, format);
            self.emit(Op::Assign(Place::Mem(Type::Float(format), at), value), span);
        }
        object
    }

    fn part_address(&mut self, address: Expr, is_imag: bool, format: FloatType) -> Expr {
        let bytes = Type::Float(format).bytes(0);
        self.after(address, if is_imag { bytes } else { 0 })
    }

    /// The place of a part of a number that is a place.
    pub(super) fn part_place(&mut self, base: Lvalue, is_imag: bool, span: Span) -> LvalueKind {
        match (base.kind, self.part_format(base.ty)) {
            (LvalueKind::Memory(address), Some(format)) => {
                LvalueKind::Memory(self.part_address(address, is_imag, format))
            }
            _ => {
                self.unsupported("a part of this number", span);
                LvalueKind::Memory(Expr::null())
            }
        }
    }

    /// What an operation says of complex numbers, or a part of one; nothing if it is not modelled.
    pub(super) fn complex_scalar(
        &mut self,
        op: Complex,
        args: &'a [CExpr],
        span: Span,
    ) -> Option<Expr> {
        let format = self.part_format(args.first()?.ty.ty)?;
        let ty = Type::Float(format);
        let zero = Expr::Const(ty.zero());
        let or_zero = |part: Option<Expr>| part.unwrap_or(zero.clone());
        let parts = self.operand_parts(args, span)?;
        match (op, parts.as_slice()) {
            (Complex::Real, [(real, _)]) => Some(real.clone()),
            (Complex::Imag, [(_, imag)]) => Some(or_zero(imag.clone())),
            (Complex::IsNotZero, [(real, imag)]) => {
                let differs = |x: Expr| Expr::binary(BinaryOp::Ne, ty, x, zero.clone());
                let imag = or_zero(imag.clone());
                Some(Expr::or(differs(real.clone()), differs(imag)))
            }
            (Complex::Eq | Complex::Ne, [a, b]) => {
                let same = |x: Expr, y: Expr| Expr::binary(BinaryOp::Eq, ty, x, y);
                let real = same(a.0.clone(), b.0.clone());
                let imag = same(or_zero(a.1.clone()), or_zero(b.1.clone()));
                let equal = Expr::and(real, imag);
                Some(match op {
                    Complex::Eq => equal,
                    _ => Expr::not(equal),
                })
            }
            _ => None,
        }
    }

    /// The parts of operands, in variables.
    fn operand_parts(&mut self, args: &'a [CExpr], span: Span) -> Option<Vec<Parts>> {
        args.iter().map(|arg| self.parts_of(arg, span)).collect()
    }

    /// The parts of a real or complex number, in variables.
    fn parts_of(&mut self, expr: &'a CExpr, span: Span) -> Option<Parts> {
        let format = self.part_format(expr.ty.ty)?;
        if self.cx.scalar(expr.ty.ty).is_some() {
            let value = self.value(expr);
            return Some((self.save(value, span), None));
        }
        if let ExprKind::Builtin {
            builtin: Builtin::Complex(op),
            args,
        } = &expr.kind
        {
            let (real, imag) = self.complex_parts_of(*op, args, format, span)?;
            let zero = Expr::Const(Type::Float(format).zero());
            let imag = self.atom(imag.unwrap_or(zero), span);
            return Some((self.atom(real, span), Some(imag)));
        }
        let address = self.memory_value(expr);
        let [real, imag] = self.parts_at(address, format, span);
        Some((real, Some(imag)))
    }

    /// The parts of the number at an address, in variables.
    fn parts_at(&mut self, address: Expr, format: FloatType, span: Span) -> [Expr; 2] {
        let address = self.atom(address, span);
        [false, true].map(|is_imag| {
            let at = self.part_address(address.clone(), is_imag, format);
            let value = self.load(Type::Float(format), at, span);
            self.save(value, span)
        })
    }

    /// The parts of what an operation makes, in a format.
    fn complex_parts_of(
        &mut self,
        op: Complex,
        args: &'a [CExpr],
        format: FloatType,
        span: Span,
    ) -> Option<Parts> {
        let ty = Type::Float(format);
        let parts = self.operand_parts(args, span)?;
        let negated = |x: Expr| Expr::unary(UnaryOp::Neg, ty, x);
        match (op, parts.as_slice()) {
            (Complex::Imaginary, [(factor, None)]) => {
                Some((Expr::Const(ty.zero()), Some(factor.clone())))
            }
            (Complex::Convert, [(real, imag)]) => {
                let imag = imag.clone().map(|imag| self.converted(imag, ty));
                Some((self.converted(real.clone(), ty), imag))
            }
            (Complex::Neg, [(real, imag)]) => {
                Some((negated(real.clone()), imag.clone().map(negated)))
            }
            (Complex::Conjugate, [(real, imag)]) => Some((real.clone(), imag.clone().map(negated))),
            (Complex::Add | Complex::Sub | Complex::Mul | Complex::Div, [a, b]) => {
                self.complex_arithmetic(op, a, b, ty, span)
            }
            _ => None,
        }
    }

    fn complex_arithmetic(
        &mut self,
        op: Complex,
        (a, ai): &Parts,
        (b, bi): &Parts,
        ty: Type,
        span: Span,
    ) -> Option<Parts> {
        let on = |op, x: &Expr, y: &Expr| Expr::binary(op, ty, x.clone(), y.clone());
        let negated = |x: &Expr| Expr::unary(UnaryOp::Neg, ty, x.clone());
        let op = match op {
            Complex::Add => BinaryOp::Add,
            Complex::Sub => BinaryOp::Sub,
            Complex::Mul => BinaryOp::Mul,
            Complex::Div => BinaryOp::Div,
            _ => return None,
        };
        let parts = match (op, ai, bi) {
            (BinaryOp::Add | BinaryOp::Sub, _, _) => {
                let imag = match (ai, bi) {
                    (Some(x), Some(y)) => Some(on(op, x, y)),
                    (Some(x), None) => Some(x.clone()),
                    (None, Some(y)) if op == BinaryOp::Add => Some(y.clone()),
                    (None, Some(y)) => Some(negated(y)),
                    (None, None) => None,
                };
                (on(op, a, b), imag)
            }
            (_, Some(imag), None) => (on(op, a, b), Some(on(op, imag, b))),
            (BinaryOp::Mul, None, Some(imag)) => (on(op, a, b), Some(on(op, a, imag))),
            (BinaryOp::Mul, Some(ai), Some(bi)) => {
                let mul = |x, y| on(BinaryOp::Mul, x, y);
                let real = on(BinaryOp::Sub, &mul(a, b), &mul(ai, bi));
                let imag = on(BinaryOp::Add, &mul(a, bi), &mul(ai, b));
                let (real, imag) = (self.save(real, span), self.save(imag, span));
                // Where both are NaN, the library looks again at what is infinite.
                let is_nan = |x: &Expr| on(BinaryOp::Ne, x, x);
                let both = Expr::and(is_nan(&real), is_nan(&imag));
                self.unsupported_if(both, "a product of complex numbers that is NaN", span);
                (real, Some(imag))
            }
            _ => return None,
        };
        Some(parts)
    }

    /// `creal`, `cimag` and `conj` of the number at an address.
    pub(super) fn complex_function(&mut self, name: &str, call: &External<'a>) -> Option<Expr> {
        let (span, source) = (call.span, call.sources.first());
        let number = source.map(|source| source.ty.ty);
        let format = number.and_then(|number| self.part_format(number));
        let (Some(format), Some(address), Some(number)) = (format, call.args.first(), number)
        else {
            return self.other_arguments(call);
        };
        let [real, imag] = self.parts_at(address.clone(), format, span);
        match name {
            "creal" => self.external_result(call, real),
            "cimag" => self.external_result(call, imag),
            _ => {
                let imag = Expr::unary(UnaryOp::Neg, Type::Float(format), imag);
                Some(self.complex_object(real, imag, format, number, span))
            }
        }
    }
}
