//! Further arguments of variadic calls, and the lists that read them.
//!
//! The caller stores each further argument in a slot of its own; a `va_list` holds the address of
//! the next slot in its first word. Values that live in memory are passed as the address of a copy.

use super::procedure::Lowering;
use super::types::Shape;
use base::Span;
use cfront::ast::Expr as CExpr;
use program::expr::{Expr, Type};
use program::ir::*;

impl<'a> Lowering<'_, 'a> {
    /// Stores further arguments and returns the address of the first.
    pub(super) fn pass_further(&mut self, values: &[Expr], span: Span) -> Expr {
        if values.is_empty() {
            return Expr::null();
        }
        let size = VARARG_SLOT * values.len() as u64;
        let slots = self.scratch_object("$further", size, VARARG_SLOT, span);
        for (index, value) in values.iter().enumerate() {
            let ty = self.ty(value);
            let slot = self.after(slots.clone(), VARARG_SLOT * index as u64);
            self.emit(Op::Assign(Place::Mem(ty, slot), value.clone()), span);
        }
        slots
    }

    /// The address of a `va_list`.
    fn list_address(&mut self, list: &'a CExpr) -> Expr {
        match self.cx.shape(list.ty.ty) {
            Shape::Memory => self.memory_value(list),
            Shape::Scalar(Type::Ptr) => self.value(list),
            Shape::Scalar(_) | Shape::Void | Shape::Function => {
                self.unsupported_value("this `va_list`", Type::Ptr, list.span)
            }
        }
    }

    /// The next argument: a scalar, or for what lives in memory its address. The list moves on.
    pub(super) fn next_argument(&mut self, list: &'a CExpr, ty: Type, span: Span) -> Expr {
        let list = self.list_address(list);
        let list = self.atom(list, span);
        let slot = self.load(Type::Ptr, list.clone(), span);
        let slot = self.save(slot, span);
        let next = self.after(slot.clone(), VARARG_SLOT);
        self.emit(Op::Assign(Place::Mem(Type::Ptr, list), next), span);
        let value = self.load(ty, slot, span);
        self.save(value, span)
    }

    /// `va_start(list, …)`
    pub(super) fn start_list(&mut self, list: &'a CExpr, span: Span) {
        let list = self.list_address(list);
        match self.procedure.varargs {
            Some(first) => {
                let place = Place::Mem(Type::Ptr, list);
                self.emit(Op::Assign(place, Expr::Var(first)), span);
            }
            None => self.unsupported("`va_start` in a function without `...`", span),
        }
    }

    /// `va_copy(to, from)`
    pub(super) fn copy_list(&mut self, to: &'a CExpr, from: &'a CExpr, span: Span) {
        let to = self.list_address(to);
        let mark = self.mark();
        let from = self.list_address(from);
        let next = self.load(Type::Ptr, from, span);
        let to = self.protect(to, mark, span);
        self.emit(Op::Assign(Place::Mem(Type::Ptr, to), next), span);
    }
}
