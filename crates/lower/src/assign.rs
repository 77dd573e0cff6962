//! Assignments, increments and decrements.

use super::lvalue::{Lvalue, LvalueKind};
use super::procedure::Lowering;
use super::types::Shape;
use base::Span;
use cfront::ast::{BinaryOp as CBinary, Expr as CExpr};
use cfront::types::TypeId;
use logic::IntType;
use program::expr::{BinaryOp, Constant, Expr, Type};
use program::ir::Library;

impl<'a> Lowering<'_, 'a> {
    /// `target = value`. The result is the value (for what lives in memory, its address), if it is
    /// wanted.
    pub(super) fn assign(
        &mut self,
        target: &'a CExpr,
        value: &'a CExpr,
        want: bool,
        span: Span,
    ) -> Expr {
        self.not_constant(target);
        let place = self.lvalue(target);
        let mark = self.mark();
        match self.cx.shape(target.ty.ty) {
            Shape::Memory => {
                let size = self.cx.size(target.ty.ty).unwrap_or(0);
                let from = self.memory_value(value);
                let place = self.protect_place(place, mark, span);
                let to = match place.kind {
                    LvalueKind::Memory(address) => self.atom(address, span),
                    LvalueKind::Var(_) | LvalueKind::Bits(..) => {
                        self.unsupported_value("this assignment", Type::Ptr, span)
                    }
                };
                // An object may be assigned to itself.
                self.copy_bytes(Library::Memmove, to.clone(), from, size, span);
                to
            }
            Shape::Scalar(ty) => {
                let result = self.value(value);
                let result = self.converted(result, ty);
                let place = self.protect_place(place, mark, span);
                self.store(place, result, want, span)
            }
            Shape::Void | Shape::Function => {
                self.unsupported_value("an assignment to a void place", Type::I32, span)
            }
        }
    }

    /// `target op= value`: the address of the target, then the value, then the target is read.
    pub(super) fn assign_op(
        &mut self,
        op: CBinary,
        (target, value): (&'a CExpr, &'a CExpr),
        computation: TypeId,
        want: bool,
        span: Span,
    ) -> Expr {
        let (Some(ty), Some(middle)) = (self.cx.scalar(target.ty.ty), self.cx.scalar(computation))
        else {
            let odd = match self.cx.scalar(target.ty.ty) {
                Some(_) => computation,
                None => target.ty.ty,
            };
            let what = self.cx.unmodelled(odd);
            let dummy = self.cx.scalar(target.ty.ty).unwrap_or(Type::I32);
            return self.unsupported_value(what, dummy, span);
        };
        self.not_constant(target);
        let place = self.lvalue(target);
        let mark = self.mark();
        let right = self.value(value);
        let place = self.protect_place(place, mark, span);
        self.update((target, place), want, span, |s, old| {
            let left = s.converted(old, middle);
            let result = s.operate(op, (left, target.ty.ty), right, middle, span);
            s.converted(result, ty)
        })
    }

    /// Reads a place, computes and writes it. The place's address is evaluated once.
    fn update(
        &mut self,
        (target, place): (&'a CExpr, Lvalue),
        want: bool,
        span: Span,
        compute: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> Expr {
        // A device is known by its address, which is a constant.
        let place = match self.is_device(&place) {
            true => place,
            false => self.atom_place(place, span),
        };
        let old = self.read(place.clone(), span);
        let old = self.as_volatile(target, &place, old);
        let new = compute(self, old);
        self.store(place, new, want, span)
    }

    /// `++` and `--`. `postfix` is `None` if the value is not wanted.
    pub(super) fn increment(
        &mut self,
        target: &'a CExpr,
        decrement: bool,
        postfix: Option<bool>,
        span: Span,
    ) -> Expr {
        let Some(ty) = self.cx.scalar(target.ty.ty) else {
            let what = self.cx.unmodelled(target.ty.ty);
            return self.unsupported_value(what, Type::I32, span);
        };
        self.not_constant(target);
        let place = self.lvalue(target);
        let mut kept = None;
        let new = self.update((target, place), postfix == Some(false), span, |s, old| {
            let old = match postfix {
                Some(true) => s.save(old, span),
                Some(false) | None => old,
            };
            kept = Some(old.clone());
            s.one_more(old, target.ty.ty, ty, decrement, span)
        });
        match (postfix, kept) {
            (Some(true), Some(old)) => old,
            _ => new,
        }
    }

    /// `old + 1` or `old - 1`, as `++` and `--` have it.
    fn one_more(
        &mut self,
        old: Expr,
        target: TypeId,
        ty: Type,
        decrement: bool,
        span: Span,
    ) -> Expr {
        let op = match decrement {
            true => BinaryOp::Sub,
            false => BinaryOp::Add,
        };
        match ty {
            // `b++` is true; `b--` is false only if it was true.
            Type::Bool if decrement => Expr::not(old),
            Type::Bool => Expr::bool(true),
            Type::Int(int) => {
                let wide = if int.bits < 32 { IntType::I32 } else { int };
                let left = Expr::cast(ty, Type::Int(wide), old);
                let right = Expr::int(wide, 1);
                let new = self.arith(op, Type::Int(wide), left, right, span);
                Expr::cast(Type::Int(wide), ty, new)
            }
            Type::Float(float) => {
                let one = Constant::Float(float, float.rounded(1.0));
                Expr::binary(op, ty, old, Expr::Const(one))
            }
            Type::Ptr => {
                let one = self.cx.offset_const(1);
                let element = self.cx.pointee(target);
                self.move_pointer(old, element, one, decrement, span)
            }
        }
    }
}
