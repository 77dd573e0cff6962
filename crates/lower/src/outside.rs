//! Functions without a body: what a call may do.
//!
//! Such a function may change what its arguments let it reach and returns any value. If that is an
//! object that the call names, each of its scalars becomes an input. If it is not known what is
//! reached (a pointer held in a variable, an object that contains pointers itself, a callback), a
//! choice of the environment leads to an unsupported op: a run in which the function does nothing
//! more is still a run of the program, and nothing is proved.
//!
//! That it changes no global by name, and keeps no address for later, is assumed.

use super::external::External;
use super::lvalue::Lvalue;
use super::procedure::Lowering;
use super::types::Shape;
use base::Span;
use cfront::ast::{CastKind, Expr as CExpr, ExprKind, FunctionId};
use cfront::types::{Qualifiers, Type as CType, TypeId};
use logic::IntType;
use program::expr::{BinaryOp, Constant, Expr, Type};
use program::ir::*;
use std::sync::Arc;

/// An object of more scalars than this is filled by a loop.
const ONE_BY_ONE: usize = 64;

/// The value of a choice that means more than is modelled. An odd one, so that runs at random
/// rarely end there.
const MORE: i128 = 0xa7;

/// What a function may do with an argument.
enum Reach {
    /// Nothing that the program sees.
    Nothing,
    /// Change the object of a type at the argument's address.
    Object(TypeId),
    /// Something that cannot be said.
    Unknown,
}

impl<'a> Lowering<'_, 'a> {
    /// A call of a function that we know nothing about.
    pub(super) fn unknown(&mut self, call: External<'a>, function: FunctionId) -> Option<Expr> {
        let (name, span) = (call.name.clone(), call.span);
        for arg in call.args.clone() {
            self.discard(arg, span);
        }
        if self.cx.ast.functions[function].noreturn {
            self.cx
                .assume(format!("`{name}` has no body: it ends the run"));
            self.end_run(Halt::Abort, span);
            return self.nothing(&call);
        }
        let reaches = self.change_reached(&call, function);
        let changes = match reaches {
            true => "changes nothing but what it gets the address of",
            false => "changes nothing",
        };
        let shape = self.cx.shape(call.ret);
        self.cx.assume(match shape {
            Shape::Void | Shape::Function => format!("`{name}` has no body: it {changes}"),
            Shape::Scalar(_) | Shape::Memory => {
                format!("`{name}` has no body: it returns any value and {changes}")
            }
        });
        match shape {
            Shape::Scalar(Type::Ptr) if reaches => self.null_or_more(&call),
            Shape::Scalar(ty) => {
                if ty == Type::Ptr {
                    self.cx.assume(format!(
                        "`{name}` returns the address of none of the program's objects"
                    ));
                }
                let value = self.input(SiteKind::External, ty, name, span);
                call.want.then_some(value)
            }
            Shape::Memory => Some(self.any_record(&call)),
            Shape::Void | Shape::Function => None,
        }
    }

    /// Null, or the address of something that we do not model.
    pub(super) fn null_or_more(&mut self, call: &External<'a>) -> Option<Expr> {
        if !call.want {
            return None;
        }
        let what = format!("`{}` returns the address of something unknown", call.name);
        self.may_do_more(what, &call.name, call.span);
        self.external_result(call, Expr::null())
    }

    /// A choice that is not the program's: behind it is either something that is not modelled, or
    /// we go on.
    pub(super) fn may_do_more(&mut self, what: String, name: &Arc<str>, span: Span) {
        let choice = IntType::U8;
        let chosen = self.input(SiteKind::Choice, Type::Int(choice), name.clone(), span);
        let more = Expr::arith(BinaryOp::Eq, choice, chosen, Expr::int(choice, MORE));
        self.when(more, span, |s| {
            s.unsupported(what, span);
        });
    }

    /// The value read from an lvalue: any, where it is volatile and not only this function can get
    /// at it.
    pub(super) fn as_volatile(&mut self, expr: &'a CExpr, place: &Lvalue, value: Expr) -> Expr {
        let is_volatile = expr.ty.quals.contains(Qualifiers::VOLATILE);
        if !is_volatile || self.is_own(expr) || self.is_device(place) {
            return value;
        }
        let (name, span) = (self.name_of(expr), expr.span);
        self.cx
            .assume(format!("a read of the volatile `{name}` gives any value"));
        let ty = self.ty(&value);
        if ty == Type::Ptr {
            let value = self.save(value, span);
            let what = format!("the volatile `{name}` may point to anything");
            self.may_do_more(what, &name, span);
            return value;
        }
        self.discard(value, span);
        self.input(SiteKind::Outside, ty, name, span)
    }

    /// Whether an lvalue is (in) a local whose address is not taken: nothing else can change it.
    fn is_own(&self, expr: &CExpr) -> bool {
        match &expr.kind {
            ExprKind::Local(local) => !self.is_taken(*local),
            ExprKind::Member { record, .. } => self.is_own(record),
            _ => false,
        }
    }

    fn name_of(&self, expr: &'a CExpr) -> Arc<str> {
        match &expr.kind {
            ExprKind::Local(local) => match self.body {
                Some(body) => body.locals[*local].name.clone(),
                None => "object".into(),
            },
            ExprKind::Global(global) => self.cx.ast.globals[*global].name.clone(),
            ExprKind::Member { record, .. } => self.name_of(record),
            ExprKind::Deref(pointer) => self.name_of(pointer),
            ExprKind::Cast(_, operand, _) => self.name_of(operand),
            ExprKind::Binary(_, left, _) => self.name_of(left),
            _ => "object".into(),
        }
    }

    /// Gives any value to what the arguments reach. Whether they reach anything.
    fn change_reached(&mut self, call: &External<'a>, function: FunctionId) -> bool {
        let params = self.cx.interface(function).params;
        let mut reaches = false;
        let mut is_more = false;
        for (index, value) in call.args.iter().enumerate() {
            let source = call.sources.get(index);
            let Some(ty) = source.map_or(params.get(index).copied(), |arg| Some(arg.ty.ty)) else {
                continue;
            };
            match self.reach(value, ty, source) {
                Reach::Nothing => continue,
                Reach::Object(ty) => {
                    is_more |= !self.change_object(value.clone(), ty, call);
                }
                Reach::Unknown => is_more = true,
            }
            reaches = true;
        }
        if call.varargs.is_some() {
            (reaches, is_more) = (true, true);
        }
        if is_more {
            let what = format!(
                "`{}` has no body: what it changes through its pointers is not known",
                call.name
            );
            self.may_do_more(what, &call.name, call.span);
        }
        reaches
    }

    fn reach(&self, value: &Expr, ty: TypeId, source: Option<&CExpr>) -> Reach {
        let CType::Pointer(target) = *self.cx.ast.types.get(ty) else {
            return match self.cx.shape(ty) {
                Shape::Memory if self.has_pointers(ty) => Reach::Unknown,
                _ => Reach::Nothing,
            };
        };
        if matches!(value, Expr::Const(Constant::Null)) {
            return Reach::Nothing;
        }
        let named = source.and_then(|source| self.named_object(source));
        let is_const = target.quals.contains(Qualifiers::CONST);
        match (self.cx.shape(target.ty), named) {
            (Shape::Function, _) => Reach::Unknown,
            (_, Some(object)) if self.has_pointers(object) => Reach::Unknown,
            (_, Some(_)) if is_const => Reach::Nothing,
            (_, Some(object)) => Reach::Object(object),
            (Shape::Void, None) if is_const => Reach::Nothing,
            // What the program cannot look into was not made by it.
            (Shape::Memory, None) if self.cx.size(target.ty).is_none() => Reach::Nothing,
            (_, None) if is_const && !self.has_pointers(target.ty) => Reach::Nothing,
            (_, None) => Reach::Unknown,
        }
    }

    /// The type of the object that an address is written to be of, if it is reached as a whole.
    fn named_object(&self, source: &CExpr) -> Option<TypeId> {
        match &source.kind {
            ExprKind::Cast(CastKind::Pointer | CastKind::NoOp, operand, _) => {
                self.named_object(operand)
            }
            ExprKind::Cast(CastKind::ArrayDecay, operand, _) => {
                self.cx.size(operand.ty.ty).map(|_| operand.ty.ty)
            }
            ExprKind::AddressOf(inner) => match &inner.kind {
                ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::Member { .. } => {
                    self.cx.size(inner.ty.ty).map(|_| inner.ty.ty)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn has_pointers(&self, ty: TypeId) -> bool {
        use CType::*;
        let types = &self.cx.ast.types;
        match types.get(ty) {
            Pointer(_) | VaList | Function(_) => true,
            Array(element, _) => self.has_pointers(element.ty),
            Record(id) => match &types.records[*id].body {
                Some(body) => (body.fields.iter()).any(|field| self.has_pointers(field.ty.ty)),
                None => true,
            },
            Void | Bool | Int(_) | Enum(_) | Float(_) | Complex(_) => false,
        }
    }

    /// Gives any value to an object. Whether that could be said.
    fn change_object(&mut self, address: Expr, ty: TypeId, call: &External<'a>) -> bool {
        let (name, span) = (call.name.clone(), call.span);
        if let Expr::Object(object) = address
            && self.cx.program.objects[object].read_only
        {
            return true;
        }
        let Some(size) = self.cx.size(ty) else {
            return false;
        };
        let mut leaves = Vec::new();
        match self.cx.leaves(ty, 0, &mut leaves) {
            Some(()) if leaves.len() <= ONE_BY_ONE => {
                self.havoc_object(address, ty, SiteKind::Outside, name, span);
            }
            _ => {
                let count = self.cx.size_const(size);
                self.fill(address, count, (SiteKind::Outside, &name), span);
            }
        }
        true
    }

    /// A record of any value, at an address of its own.
    pub(super) fn any_record(&mut self, call: &External<'a>) -> Expr {
        let (ret, span) = (call.ret, call.span);
        if self.cx.size(ret).is_none() || self.has_pointers(ret) {
            let what = format!("`{}` has no body and returns a record", call.name);
            return self.unsupported_value(what, Type::Ptr, span);
        }
        let object = self.scratch_of("$returned", ret, span);
        self.change_object(object.clone(), ret, call);
        object
    }

    /// Any bytes, one by one, at an address.
    pub(super) fn fill(
        &mut self,
        to: Expr,
        count: Expr,
        (kind, name): (SiteKind, &Arc<str>),
        span: Span,
    ) {
        let size = self.cx.program.size_type();
        let to = self.converted(to, Type::Ptr);
        let count = self.converted(count, Type::Int(size));
        let (to, count) = (self.atom(to, span), self.atom(count, span));
        self.check_range(&to, count.clone(), true, span);
        self.for_each_below((count, size), span, |s, index| {
            let byte = Type::Int(IntType::U8);
            let offset = Type::Int(s.cx.program.offset_type());
            let at = Expr::cast(Type::Int(size), offset, index);
            let place = Place::Mem(byte, Expr::offset(to, at));
            let site = s.cx.program.add_site(kind, byte, name.clone(), span);
            s.emit(Op::Havoc(place, site), span);
        });
    }
}
