//! Pointer arithmetic, and sizes that are known only at run time.

use super::Storage;
use super::procedure::Lowering;
use base::Span;
use cfront::types::{ArrayLen, Type as CType, TypeId};
use logic::IntValue;
use program::expr::{BinaryOp, Constant, Expr, Type, UnaryOp};
use program::ir::Property;

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
        let mut index = self.converted(index, offset);
        let size = self.element_size(target, span);
        let size = if backwards {
            Expr::unary(UnaryOp::Neg, offset, size)
        } else {
            size
        };
        let mut pointer = pointer;
        if self.checks(Property::Dereference) && !self.always_fits(from, &size) {
            let mark = self.mark();
            index = self.atom(index, span);
            pointer = self.protect(pointer, mark, span);
            self.check_move(index.clone(), size.clone(), span);
        }
        let mark = self.mark();
        self.stays_inside(&pointer, &index, &size, span);
        let pointer = self.protect(pointer, mark, span);
        let bytes = Expr::binary(BinaryOp::Mul, offset, index, size);
        self.offset(pointer, bytes)
    }

    /// Whether an index of a type times a size is always an offset.
    fn always_fits(&self, index: Type, size: &Expr) -> bool {
        let offset = self.cx.program.offset_type();
        let (Type::Int(index), Some(Constant::Int(size))) = (index, size.constant()) else {
            return false;
        };
        let ends = [index.min(), index.max()].map(IntValue::to_i128);
        let fits = |end: Option<i128>| {
            let bytes = end.zip(size.to_i128()).and_then(|(a, b)| a.checked_mul(b));
            bytes.is_some_and(|bytes| IntValue::wrap(offset, bytes).to_i128() == Some(bytes))
        };
        index.bits < offset.bits && ends.into_iter().all(fits)
    }

    /// A pointer moved by more bytes than there can be is undefined before anybody looks where it
    /// points. A run must not end there unseen where accesses are checked: it is a violation if the
    /// pointer is for an access, and else leaves no verdict.
    fn check_move(&mut self, index: Expr, size: Expr, span: Span) {
        let offset = self.cx.program.offset_type();
        let bad = Expr::overflows(BinaryOp::Mul, offset, index, size);
        let what = "a pointer that moves by more bytes than there can be";
        if self.claim.is_some() || self.accessed == Some(span) {
            let message = format!("invalid access: {what}");
            self.check_not(bad, Property::Dereference, message, span);
        } else {
            self.unsupported_if(bad, what, span);
        }
    }

    /// No verdict for runs in which the condition holds.
    pub(super) fn unsupported_if(&mut self, bad: Expr, what: &'static str, span: Span) {
        if bad.is_bool(false) {
            return;
        }
        self.when(bad, span, |s| {
            s.unsupported(what, span);
        });
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

    /// The address so many bytes further on.
    pub(super) fn after(&self, address: Expr, bytes: u64) -> Expr {
        self.offset(address, self.cx.offset_const(bytes as i64))
    }

    pub(super) fn element_size(&mut self, target: Option<TypeId>, span: Span) -> Expr {
        let offset = Type::Int(self.cx.program.offset_type());
        match target {
            Some(target) => {
                let size = self.size_of(target, span);
                self.converted(size, offset)
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
                    Storage::Object(object) => Expr::load(Type::Int(size), Expr::Object(object)),
                    Storage::Indirect(var) => Expr::load(Type::Int(size), Expr::Var(var)),
                    Storage::Unsupported(_) => Expr::load(Type::Int(size), Expr::null()),
                };
                let count = self.converted(count, Type::Int(size));
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
