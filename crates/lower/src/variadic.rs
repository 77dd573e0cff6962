//! Further arguments of variadic calls, and the lists that read them.
//!
//! The caller stores each further argument in a slot of its own; a `va_list` holds the address of
//! the next slot in its first word. Values that live in memory are passed as the address of a copy.

use super::procedure::Lowering;
use super::types::Shape;
use base::Span;
use cfront::ast::Expr as CExpr;
use cfront::types::TypeId;
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
            let offset = self.cx.offset_const((VARARG_SLOT * index as u64) as i64);
            let slot = self.offset(slots.clone(), offset);
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

    /// The address of the next argument; the list moves on.
    pub(super) fn next_argument(&mut self, list: &'a CExpr, span: Span) -> Expr {
        let list = self.list_address(list);
        let list = self.atom(list, span);
        let slot = self.load(Type::Ptr, list.clone(), span);
        let slot = self.save(slot, span);
        let step = self.cx.offset_const(VARARG_SLOT as i64);
        let next = self.offset(slot.clone(), step);
        self.emit(Op::Assign(Place::Mem(Type::Ptr, list), next), span);
        slot
    }

    /// The address of a record among the further arguments.
    pub(super) fn record_argument(&mut self, list: &'a CExpr, _ty: TypeId, span: Span) -> Expr {
        let slot = self.next_argument(list, span);
        let address = self.load(Type::Ptr, slot, span);
        self.save(address, span)
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

    /// The next argument of a list that a library function reads on from.
    pub(super) fn rest_of_list(&mut self, list: Expr, span: Span) -> Expr {
        self.load(Type::Ptr, list, span)
    }
}
