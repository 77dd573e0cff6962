//! What a pointer evidently points to.
//!
//! The machine sees addresses, not how they came about. Where the source shows it, some kinds of
//! undefined behaviour end the run here: a write to a constant object, comparing different objects,
//! a member of a null pointer. Others, which compilers and programs are lax about, leave no
//! verdict: a pointer moved out of its object or misaligned, a variable accessed as another type. A
//! pointer that is initialised and never changed stands for its initial value.

use super::procedure::Lowering;
use base::Span;
use cfront::ast::visit::any_in_block;
use cfront::ast::{
    Body, CastKind, Expr as CExpr, ExprKind, FunctionId, InitValue, LocalDecl, LocalId,
};
use cfront::types::{ArrayLen, Qualifiers, Type as CType, TypeId};
use program::expr::{BinaryOp, Constant, Expr, Type};
use program::ir::{ObjectId, Property, UndefinedKind};

/// How many pointers are followed to their initial values.
const FOLLOWED: usize = 8;

impl<'a> Lowering<'_, 'a> {
    /// Remembers the initial value of a pointer that keeps it.
    pub(super) fn note_origin(&mut self, decl: &'a LocalDecl) {
        if let Some([item]) = decl.init.as_ref().map(|init| &init.items[..])
            && let InitValue::Expr(value) = &item.value
            && self.cx.pointee(item.ty).is_some()
            && self.keeps_its_value(decl.local)
        {
            self.origins.insert(decl.local, value);
        }
    }

    fn keeps_its_value(&self, local: LocalId) -> bool {
        // Also a volatile one: what has no address is changed by nothing outside.
        let taken = &self.cx.taken;
        self.function.is_some_and(|function| {
            !taken.locals[function][local] && !taken.changed[function][local]
        })
    }

    /// The expression that gave a pointer its value.
    pub(super) fn origin(&self, pointer: &'a CExpr) -> &'a CExpr {
        let mut pointer = pointer;
        for _ in 0..FOLLOWED {
            pointer = match &pointer.kind {
                ExprKind::Cast(CastKind::NoOp, operand, _) => operand,
                ExprKind::Local(local) => match self.origins.get(local) {
                    Some(value) => value,
                    None => return pointer,
                },
                _ => return pointer,
            };
        }
        pointer
    }

    /// The object whose address a pointer is, whatever type it was cast to.
    fn pointed_to(&self, pointer: &'a CExpr) -> Option<&'a CExpr> {
        let mut pointer = self.origin(pointer);
        for _ in 0..FOLLOWED {
            pointer = match &pointer.kind {
                ExprKind::AddressOf(object) => return Some(object),
                ExprKind::Cast(CastKind::Pointer | CastKind::NoOp, operand, _) => {
                    self.origin(operand)
                }
                _ => return None,
            };
        }
        None
    }

    /// Ends the run before a write to an object that is constant.
    pub(super) fn not_constant(&mut self, target: &'a CExpr) {
        if let ExprKind::Deref(pointer) = &target.whole().kind
            && let Some(object) = self.pointed_to(pointer)
            && is_variable(object)
            && object.ty.quals.contains(Qualifiers::CONST)
        {
            self.undefined_if(Expr::bool(true), UndefinedKind::ConstantWrite, target.span);
        }
    }

    /// No verdict where a number is accessed as one of another kind: that is undefined unless the
    /// compiler allows it, and programs count on both.
    pub(super) fn not_another_type(&mut self, place: &'a CExpr) {
        if let ExprKind::Deref(pointer) = &place.kind
            && let Some(object) = self.pointed_to(pointer)
            && is_variable(object)
            && let [Some(Type::Float(_)), Some(Type::Int(int))]
            | [Some(Type::Int(int)), Some(Type::Float(_))] =
                [object, place].map(|expr| self.cx.scalar(expr.ty.ty))
            && int.bits > 8
        {
            self.unsupported("an access to a variable as another type", place.span);
        }
    }

    /// No verdict where a pointer is moved outside its object, further than one after its end:
    /// that is undefined, and yet many programs do it. One that is moved for an access is judged
    /// by the access.
    pub(super) fn stays_inside(&mut self, pointer: &Expr, index: &Expr, size: &Expr, span: Span) {
        if self.checks(Property::Dereference) || self.accessed == Some(span) {
            return;
        }
        let (Some((object, start)), Some(Constant::Int(step))) = (spot(pointer), size.constant())
        else {
            return;
        };
        let Some(step) = step.to_i128().filter(|&step| step != 0) else {
            return;
        };
        let after = i128::from(self.cx.program.objects[object].size) - start;
        if start < 0 || after < 0 {
            return;
        }
        let (low, high) = match step > 0 {
            true => (-(start.div_euclid(step)), after.div_euclid(step)),
            false => (-(after.div_euclid(-step)), start.div_euclid(-step)),
        };
        let bad = self.is_not_between(index, low, high);
        self.unsupported_if(bad, "a pointer that is moved outside its object", span);
    }

    /// The same for a pointer that keeps its value, the start of an array.
    pub(super) fn stays_in_array(&mut self, pointer: &'a CExpr, index: &Expr, sub: bool) {
        let array = match &self.origin(pointer).kind {
            ExprKind::Cast(CastKind::ArrayDecay, operand, _)
                if matches!(pointer.kind, ExprKind::Local(_)) && is_variable(operand) =>
            {
                operand
            }
            _ => return,
        };
        if let CType::Array(_, ArrayLen::Known(len)) = self.cx.ast.types.get(array.ty.ty)
            && !self.checks(Property::Dereference)
        {
            let len = i128::from(*len);
            let (low, high) = if sub { (-len, 0) } else { (0, len) };
            let bad = self.is_not_between(index, low, high);
            self.unsupported_if(
                bad,
                "a pointer that is moved outside its object",
                pointer.span,
            );
        }
    }

    /// Ends the run where addresses of different objects are put in order or subtracted.
    pub(super) fn same_object(&mut self, kind: UndefinedKind, a: &Expr, b: &Expr, span: Span) {
        if let (Some((a, _)), Some((b, _))) = (spot(a), spot(b))
            && a != b
        {
            self.undefined_if(Expr::bool(true), kind, span);
        }
    }

    /// No verdict where a pointer may not be aligned as its type wants it: that is undefined, and
    /// yet most machines do not mind.
    pub(super) fn is_aligned(&mut self, pointer: &Expr, target: TypeId, span: Span) {
        let align = self.cx.pointee(target);
        let align = align.and_then(|ty| self.cx.ast.types.align_of(ty));
        if let (Some((_, offset)), Some(align)) = (spot(pointer), align)
            && offset.rem_euclid(i128::from(align)) != 0
        {
            self.unsupported("a pointer that may not be aligned", span);
        }
    }

    /// Ends the run where the address of a member of nothing is taken. The address of a member of
    /// a null constant is an offset, as everybody writes it.
    pub(super) fn member_of_something(&mut self, record: Expr, span: Span) -> Expr {
        let is_plain = spot(&record).is_some() || record.vars().is_empty();
        if is_plain && !record.reads_memory() || self.checks(Property::Dereference) {
            return record;
        }
        let record = self.atom(record, span);
        let bad = Expr::binary(BinaryOp::Eq, Type::Ptr, record.clone(), Expr::null());
        self.undefined_if(bad, UndefinedKind::NullMember, span);
        record
    }

    /// No verdict where pointers that must not reach the same object are the same, and the callee
    /// writes through pointers: whether it does so through these is not looked at.
    pub(super) fn restricted(&mut self, function: FunctionId, args: &[Expr], span: Span) {
        let Some(body) = &self.cx.ast.functions[function].body else {
            return;
        };
        let params = body.params.iter().map(|&param| body.locals[param].ty.quals);
        let restricted: Vec<&Expr> = (params.zip(args))
            .filter(|(quals, _)| quals.contains(Qualifiers::RESTRICT))
            .map(|(_, arg)| arg)
            .collect();
        for (index, first) in restricted.iter().enumerate() {
            for second in &restricted[index + 1..] {
                if first == second && **first != Expr::null() && writes_through_pointers(body) {
                    self.unsupported("two restricted pointers to the same object", span);
                }
            }
        }
    }
}

/// Whether something is assigned that is not a variable.
fn writes_through_pointers(body: &Body) -> bool {
    any_in_block(&body.block, |expr| match &expr.kind {
        ExprKind::Assign(target, _)
        | ExprKind::AssignOp { target, .. }
        | ExprKind::Increment { target, .. } => !is_variable(target),
        _ => false,
    })
}

fn is_variable(expr: &CExpr) -> bool {
    matches!(expr.kind, ExprKind::Local(_) | ExprKind::Global(_))
}

/// The object and the offset of an address that is known.
fn spot(address: &Expr) -> Option<(ObjectId, i128)> {
    match address {
        Expr::Object(object) => Some((*object, 0)),
        Expr::Offset(base, by) => match by.constant()? {
            Constant::Int(by) => {
                let (object, offset) = spot(base)?;
                Some((object, offset.checked_add(by.to_i128()?)?))
            }
            Constant::Bool(_) | Constant::Float(..) | Constant::Null => None,
        },
        _ => None,
    }
}
