//! Library functions that call back: `qsort` and `bsearch`.
//!
//! Both are steps of the procedure that calls them. `qsort` is an insertion sort: an element is
//! swapped with the one before it while that compares greater, so the result is ordered by the
//! comparison, and elements that compare equal keep their order. `bsearch` is a binary search and
//! returns the first element found to compare equal. C leaves open how often and in which order
//! elements are compared, and which of several equal ones comes first; that it is as here is
//! assumed. If the comparison is not an order, C says nothing at all.
//!
//! The elements compared are in the array, as C demands. Elements that are scalars, or structs of
//! nothing but scalars, are swapped scalar by scalar, so that small arrays can become variables.

use super::external::External;
use super::procedure::Lowering;
use base::Span;
use cfront::ast::{CastKind, Expr as CExpr, ExprKind};
use cfront::types::TypeId;
use program::expr::{BinaryOp, Constant, Expr, Type};
use program::ir::*;

/// A record of more scalars than this is moved as bytes.
const SCALARS: usize = 16;

/// An array that is sorted or searched.
struct Array {
    base: Expr,
    /// The number of elements, and the bytes of each: sizes.
    count: Expr,
    size: Expr,
    /// The comparison: an address.
    compare: Expr,
    span: Span,
}

impl<'a> Lowering<'_, 'a> {
    /// `qsort(base, count, size, compare)`
    pub(super) fn sort(&mut self, call: &External<'a>) -> Option<Expr> {
        let [base, count, size, compare] = &call.args[..] else {
            return self.other_arguments(call);
        };
        let array = self.array([base, count, size, compare], call.span);
        self.cx.assume(format!(
            "`{}` sorts by insertion: elements that compare equal keep their order",
            call.name
        ));
        let span = call.span;
        let total = self.total(&array);
        self.check_range(&array.base, total, true, span);
        let scalars = self.scalars(&array, call.sources.first());
        let aside = match (&scalars, array.size.constant()) {
            (Some(_), _) => None,
            (None, Some(Constant::Int(bytes))) => {
                let bytes = bytes.to_u64().unwrap_or(0);
                Some(self.scratch_object("$element", bytes, VARARG_SLOT, span))
            }
            (None, _) => Some(self.library_value(Library::Alloca, vec![array.size.clone()], span)),
        };
        let size = self.cx.program.size_type();
        let count = (array.count.clone(), size);
        self.for_each_below(count, span, |s, index| {
            let at = s.temp(Type::Int(size), span);
            s.emit(Op::Assign(Place::Var(at), index), span);
            let head = s.loop_head(span);
            let [inside, exchange, behind] = [(); 3].map(|()| s.location(span));
            let (here, zero) = (Expr::Var(at), Expr::int(size, 0));
            let more = Expr::arith(BinaryOp::Gt, size, here.clone(), zero);
            s.branch_to(more, inside, behind, span);
            s.cur = inside;
            let before = Expr::arith(BinaryOp::Sub, size, here.clone(), Expr::int(size, 1));
            let left = s.nth(&array, before.clone());
            let right = s.nth(&array, here);
            let order = s.compared(&array, [left.clone(), right.clone()]);
            let is_greater = Expr::binary(BinaryOp::Gt, Type::I32, order, Expr::i32(0));
            s.branch_to(is_greater, exchange, behind, span);
            s.cur = exchange;
            match (&scalars, aside) {
                (Some(scalars), _) => s.exchange_scalars(scalars, &left, &right, span),
                (None, Some(aside)) => {
                    let moves = [(&aside, &left), (&left, &right), (&right, &aside)];
                    for (to, from) in moves {
                        let args = vec![to.clone(), from.clone(), array.size.clone()];
                        s.call_library(None, Library::Memcpy, args, span);
                    }
                }
                (None, None) => unreachable!("bytes should have a place aside"),
            }
            s.emit(Op::Assign(Place::Var(at), before), span);
            s.link(head, span);
            s.cur = behind;
        });
        self.nothing(call)
    }

    /// `bsearch(key, base, count, size, compare)`
    pub(super) fn search(&mut self, call: &External<'a>) -> Option<Expr> {
        let [key, base, count, size, compare] = &call.args[..] else {
            return self.other_arguments(call);
        };
        let span = call.span;
        let array = self.array([base, count, size, compare], span);
        let key = self.converted(key.clone(), Type::Ptr);
        let key = self.save(key, span);
        self.cx.assume(format!(
            "`{}` halves the array: which of equal elements it returns depends on that",
            call.name
        ));
        let total = self.total(&array);
        self.check_range(&array.base, total, false, span);
        let size = self.cx.program.size_type();
        let [low, high, middle] = [(); 3].map(|()| self.temp(Type::Int(size), span));
        let found = self.temp(Type::Ptr, span);
        let set = |s: &mut Self, var, value| {
            s.emit(Op::Assign(Place::Var(var), value), span);
        };
        set(self, low, Expr::int(size, 0));
        set(self, high, array.count.clone());
        set(self, found, Expr::null());
        let head = self.loop_head(span);
        let [inside, is_found, other, below, above, behind] = [(); 6].map(|()| self.location(span));
        let arith = |op, a, b| Expr::arith(op, size, a, b);
        let more = arith(BinaryOp::Lt, Expr::Var(low), Expr::Var(high));
        self.branch_to(more, inside, behind, span);
        self.cur = inside;
        let length = arith(BinaryOp::Sub, Expr::Var(high), Expr::Var(low));
        let half = arith(BinaryOp::Div, length, Expr::int(size, 2));
        set(self, middle, arith(BinaryOp::Add, Expr::Var(low), half));
        let element = self.nth(&array, Expr::Var(middle));
        let order = self.compared(&array, [key, element.clone()]);
        let is = |op| Expr::binary(op, Type::I32, order.clone(), Expr::i32(0));
        self.branch_to(is(BinaryOp::Eq), is_found, other, span);
        self.cur = is_found;
        set(self, found, element);
        self.link(behind, span);
        self.cur = other;
        self.branch_to(is(BinaryOp::Lt), below, above, span);
        self.cur = below;
        set(self, high, Expr::Var(middle));
        self.link(head, span);
        self.cur = above;
        set(
            self,
            low,
            arith(BinaryOp::Add, Expr::Var(middle), Expr::int(size, 1)),
        );
        self.link(head, span);
        self.cur = behind;
        self.external_result(call, Expr::Var(found))
    }

    /// The arguments, each in its type and kept.
    fn array(&mut self, [base, count, size, compare]: [&Expr; 4], span: Span) -> Array {
        let word = Type::Int(self.cx.program.size_type());
        let mut kept = |value: &Expr, ty| {
            let value = self.converted(value.clone(), ty);
            match value {
                Expr::Const(_) | Expr::Object(_) | Expr::Proc(_) => value,
                // The comparison may change variables.
                value => self.save(value, span),
            }
        };
        Array {
            base: kept(base, Type::Ptr),
            count: kept(count, word),
            size: kept(size, word),
            compare: kept(compare, Type::Ptr),
            span,
        }
    }

    /// The bytes of all elements.
    fn total(&mut self, array: &Array) -> Expr {
        let size = self.cx.program.size_type();
        let total = Expr::arith(BinaryOp::Mul, size, array.count.clone(), array.size.clone());
        self.atom(total, array.span)
    }

    /// The address of an element.
    fn nth(&mut self, array: &Array, index: Expr) -> Expr {
        let size = Type::Int(self.cx.program.size_type());
        let offset = Type::Int(self.cx.program.offset_type());
        let [index, each] = [index, array.size.clone()].map(|n| Expr::cast(size, offset, n));
        let bytes = Expr::binary(BinaryOp::Mul, offset, index, each);
        let address = self.offset(array.base.clone(), bytes);
        self.save(address, array.span)
    }

    /// What the comparison says about two addresses.
    fn compared(&mut self, array: &Array, args: [Expr; 2]) -> Expr {
        let result = self.temp(Type::I32, array.span);
        let callee = Callee::Pointer(array.compare.clone());
        let call = Call::new(Some(result), callee, args.into());
        self.emit(Op::Call(call), array.span);
        Expr::Var(result)
    }

    /// The scalars of an element and their places, if they are all there is to it.
    fn scalars(&self, array: &Array, source: Option<&CExpr>) -> Option<Vec<(u64, Type)>> {
        let Some(Constant::Int(size)) = array.size.constant() else {
            return None;
        };
        let ty = self.element_type(source?)?;
        let mut leaves = Vec::new();
        self.cx.leaves(ty, 0, &mut leaves)?;
        let word = self.cx.program.pointer_bytes;
        let bytes: u64 = leaves.iter().map(|(_, ty)| ty.bytes(word)).sum();
        let is_all = size.to_u64() == Some(bytes) && self.cx.size(ty) == Some(bytes);
        (is_all && leaves.len() <= SCALARS).then_some(leaves)
    }

    /// The type that an argument points to, before it became a pointer to anything.
    fn element_type(&self, source: &CExpr) -> Option<TypeId> {
        match &source.kind {
            ExprKind::Cast(CastKind::Pointer | CastKind::NoOp, operand, _) => {
                self.element_type(operand)
            }
            _ => self.cx.pointee(source.ty.ty),
        }
    }

    fn exchange_scalars(&mut self, scalars: &[(u64, Type)], a: &Expr, b: &Expr, span: Span) {
        for &(at, ty) in scalars {
            let [a, b] = [a, b].map(|element| self.after(element.clone(), at));
            let aside = self.save(Expr::load(ty, a.clone()), span);
            let other = Expr::load(ty, b.clone());
            self.emit(Op::Assign(Place::Mem(ty, a), other), span);
            self.emit(Op::Assign(Place::Mem(ty, b), aside), span);
        }
    }
}
