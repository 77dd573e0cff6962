//! Addresses moved by elements, and sizes that are known only at run time.

use super::Storage;
use super::expr::storage_address;
use super::procedure::Lowering;
use crate::expr::{BinaryOp, Expr, Type, UnaryOp};
use base::Span;
use cfront::types::{ArrayLen, Type as CType, TypeId};

impl Lowering<'_, '_> {
    /// `pointer ± index` in elements of a type.
    pub(super) fn move_pointer(
        &mut self,
        pointer: Expr,
        target: Option<TypeId>,
        index: Expr,
        backwards: bool,
        span: Span,
    ) -> Expr {
        let offset = Type::Int(self.cx.program.offset_type());
        let from = self.ty(&index);
        let index = self.converted(index, from, offset);
        let size = self.element_size(target, span);
        let size = if backwards {
            Expr::unary(UnaryOp::Neg, offset, size)
        } else {
            size
        };
        let bytes = Expr::binary(BinaryOp::Mul, offset, index, size);
        self.offset(pointer, bytes)
    }

    /// The address moved; constant moves are added up.
    pub(super) fn offset(&self, address: Expr, bytes: Expr) -> Expr {
        let ty = Type::Int(self.cx.program.offset_type());
        match (address, bytes) {
            (Expr::Offset(base, first), second)
                if first.constant().is_some() && second.constant().is_some() =>
            {
                let sum = Expr::binary(BinaryOp::Add, ty, *first, second);
                Expr::offset(*base, sum)
            }
            (address, bytes) => Expr::offset(address, bytes),
        }
    }

    pub(super) fn element_size(&mut self, target: Option<TypeId>, span: Span) -> Expr {
        let offset = Type::Int(self.cx.program.offset_type());
        match target {
            Some(target) => {
                let size = self.size_of(target, span);
                let from = self.ty(&size);
                self.converted(size, from, offset)
            }
            None => self.cx.offset_const(1),
        }
    }

    /// The size of a type, an unsigned integer of pointer width; variable lengths are multiplied.
    pub(super) fn size_of(&mut self, ty: TypeId, span: Span) -> Expr {
        if let Some(size) = self.cx.size(ty) {
            return self.cx.size_const(size);
        }
        let size = self.cx.program.size_type();
        match self.cx.ast.types.get(ty) {
            CType::Array(element, ArrayLen::Variable(local)) => {
                let (element, local) = (element.ty, *local);
                let each = self.size_of(element, span);
                let count = match self.local(local) {
                    Storage::Var(var) => Expr::Var(var),
                    storage => {
                        let address = storage_address(&storage);
                        Expr::load(Type::Int(size), address.unwrap_or(Expr::null()))
                    }
                };
                let from = self.ty(&count);
                let count = self.converted(count, from, Type::Int(size));
                Expr::arith(BinaryOp::Mul, size, count, each)
            }
            CType::Array(element, ArrayLen::Known(len)) => {
                let each = self.size_of(element.ty, span);
                Expr::arith(BinaryOp::Mul, size, self.cx.size_const(*len), each)
            }
            _ => self.unsupported_value("the size of an incomplete type", Type::Int(size), span),
        }
    }
}
