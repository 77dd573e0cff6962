//! Places: what an lvalue designates, reading it and writing it.

use super::Storage;
use super::address_taken::strip_address;
use super::procedure::{Lowering, Mark};
use base::Span;
use cfront::ast::{Builtin, CastKind, Complex, Expr as CExpr, ExprKind};
use cfront::types::{BitRange, TypeId};
use program::expr::{Expr, Type};
use program::ir::*;

/// What an lvalue designates.
#[derive(Clone, Debug)]
pub(super) struct Lvalue {
    pub(super) kind: LvalueKind,
    /// Its C type.
    pub(super) ty: TypeId,
}

/// Where it is.
#[derive(Clone, Debug)]
pub(super) enum LvalueKind {
    /// A variable.
    Var(VarId),
    /// Bytes at an address.
    Memory(Expr),
    /// Bits at an address.
    Bits(Expr, BitRange),
}

impl Lvalue {
    /// What is at an address.
    pub(super) fn at(address: Expr, ty: TypeId) -> Lvalue {
        let kind = LvalueKind::Memory(address);
        Lvalue { kind, ty }
    }

    /// The same with its address, if it has one, in another form.
    fn with_address(self, change: impl FnOnce(Expr) -> Expr) -> Lvalue {
        let kind = match self.kind {
            LvalueKind::Var(var) => LvalueKind::Var(var),
            LvalueKind::Memory(address) => LvalueKind::Memory(change(address)),
            LvalueKind::Bits(address, bits) => LvalueKind::Bits(change(address), bits),
        };
        Lvalue { kind, ..self }
    }
}

impl<'a> Lowering<'_, 'a> {
    /// What an expression designates that is read or written next. Rvalues in memory (the record a
    /// call returns) work too.
    pub(super) fn lvalue(&mut self, expr: &'a CExpr) -> Lvalue {
        if let ExprKind::Deref(pointer) = &expr.whole().kind {
            self.accessed = Some(pointer.span);
        }
        self.not_another_type(expr);
        self.place(expr, true)
    }

    /// What an expression designates, for an access or for its address only.
    pub(super) fn place(&mut self, expr: &'a CExpr, is_access: bool) -> Lvalue {
        let kind = match &expr.kind {
            ExprKind::Local(local) => {
                let storage = self.local(*local);
                self.stored(&storage, expr.span)
            }
            ExprKind::Global(global) => {
                let storage = self.cx.global(*global);
                self.stored(&storage, expr.span)
            }
            ExprKind::String(string) => LvalueKind::Memory(Expr::Object(self.cx.string(*string))),
            ExprKind::Deref(pointer) => match strip_address(pointer) {
                Some(inner) if !matches!(inner.kind, ExprKind::Function(_)) => {
                    self.place(inner, is_access).kind
                }
                _ if is_access => LvalueKind::Memory(self.element(pointer)),
                _ => LvalueKind::Memory(self.value(pointer)),
            },
            ExprKind::CompoundLiteral(decl) => {
                self.declare(decl, true, expr.span);
                let storage = self.local(decl.local);
                self.stored(&storage, expr.span)
            }
            ExprKind::Member { record, field } => self.member(record, *field, is_access, expr.span),
            ExprKind::Cast(CastKind::NoOp, operand, _) if operand.is_lvalue() => {
                self.place(operand, is_access).kind
            }
            ExprKind::Builtin { builtin, args } if expr.is_lvalue() => {
                let number = self.place(&args[0], is_access);
                let is_imag = *builtin == Builtin::Complex(Complex::Imag);
                self.part_place(number, is_imag, expr.span)
            }
            _ => LvalueKind::Memory(self.memory_value(expr)),
        };
        Lvalue {
            kind,
            ty: expr.ty.ty,
        }
    }

    fn stored(&mut self, storage: &Storage, span: Span) -> LvalueKind {
        match storage {
            Storage::Var(var) => LvalueKind::Var(*var),
            Storage::Object(object) => LvalueKind::Memory(Expr::Object(*object)),
            Storage::Indirect(var) => LvalueKind::Memory(Expr::Var(*var)),
            Storage::Unsupported(why) => {
                self.unsupported(why.clone(), span);
                LvalueKind::Memory(Expr::null())
            }
        }
    }

    fn member(
        &mut self,
        record: &'a CExpr,
        field: usize,
        is_access: bool,
        span: Span,
    ) -> LvalueKind {
        let base = self.place(record, is_access);
        let base = match base.kind {
            LvalueKind::Memory(address) if is_access => address,
            LvalueKind::Memory(address) => self.member_of_something(address, span),
            LvalueKind::Var(_) | LvalueKind::Bits(..) => {
                self.unsupported("a member of a scalar", span);
                Expr::null()
            }
        };
        let Some(field) = self.cx.ast.types.field(record.ty.ty, field) else {
            self.unsupported("a member of an incomplete type", span);
            return LvalueKind::Memory(base);
        };
        let address = self.after(base, field.offset);
        match field.bits {
            Some(bits) => LvalueKind::Bits(address, bits),
            None => LvalueKind::Memory(address),
        }
    }

    /// `&expr`, also of an array or function that decays.
    pub(super) fn address_of(&mut self, expr: &'a CExpr) -> Expr {
        match &expr.kind {
            ExprKind::Function(function) => {
                let row = &self.cx.ast.functions[*function];
                if row.weak && row.body.is_none() {
                    let what = "the address of a weak function without a body";
                    return self.unsupported_value(what, Type::Ptr, expr.span);
                }
                return Expr::Proc(self.cx.proc_of(*function));
            }
            ExprKind::Deref(pointer) => return self.value(pointer),
            ExprKind::Cast(CastKind::NoOp, operand, _) => return self.address_of(operand),
            _ => {}
        }
        let place = self.place(expr, false);
        self.place_address(place, "the address of this expression", expr.span)
    }

    /// The address of a place in memory; what is wanted of another is not supported.
    pub(super) fn place_address(&mut self, place: Lvalue, wanted: &str, span: Span) -> Expr {
        match place.kind {
            LvalueKind::Memory(address) => address,
            LvalueKind::Var(_) | LvalueKind::Bits(..) => {
                self.unsupported_value(wanted, Type::Ptr, span)
            }
        }
    }

    /// The value at a place of scalar type.
    pub(super) fn read(&mut self, place: Lvalue, span: Span) -> Expr {
        let Some(ty) = self.cx.scalar(place.ty) else {
            let what = self.cx.unmodelled(place.ty);
            return self.unsupported_value(what, Type::I32, span);
        };
        match place.kind {
            LvalueKind::Var(var) => self.converted(Expr::Var(var), ty),
            LvalueKind::Memory(address) => self.load(ty, address, span),
            LvalueKind::Bits(address, bits) => self.read_bits(address, bits, ty, span),
        }
    }

    /// Whether what is read from a place comes from a device.
    pub(super) fn is_device(&self, place: &Lvalue) -> bool {
        match &place.kind {
            LvalueKind::Memory(address) | LvalueKind::Bits(address, _) => {
                self.device_at(address, 1).is_some()
            }
            LvalueKind::Var(_) => false,
        }
    }

    /// A load, checked where that is asked for.
    pub(super) fn load(&mut self, ty: Type, address: Expr, span: Span) -> Expr {
        let bytes = ty.bytes(self.cx.program.pointer_bytes);
        if let Some(at) = self.device_at(&address, bytes) {
            return self.device_value(at, ty, span);
        }
        let address = self.checked_address(address, bytes, false, span);
        Expr::load(ty, address)
    }

    /// Stores a value of the place's type. If it is wanted, returns the value that was stored.
    pub(super) fn store(&mut self, place: Lvalue, value: Expr, want: bool, span: Span) -> Expr {
        let Some(ty) = self.cx.scalar(place.ty) else {
            let what = self.cx.unmodelled(place.ty);
            return self.unsupported_value(what, Type::I32, span);
        };
        match place.kind {
            LvalueKind::Var(var) => {
                let have = self.cx.program.vars[var].ty;
                let value = self.converted(value, have);
                self.assign_var(var, value, span);
                self.converted(Expr::Var(var), ty)
            }
            LvalueKind::Memory(address) => {
                let value = if want { self.atom(value, span) } else { value };
                let bytes = ty.bytes(self.cx.program.pointer_bytes);
                if self.device_at(&address, bytes).is_some() {
                    self.discard(value.clone(), span);
                    return value;
                }
                let mark = self.mark();
                let address = self.checked_address(address, bytes, true, span);
                let value = self.protect(value, mark, span);
                self.emit(Op::Assign(Place::Mem(ty, address), value.clone()), span);
                value
            }
            LvalueKind::Bits(address, bits) => {
                self.write_bits((address, bits), ty, value, want, span)
            }
        }
    }

    /// A place designated at `mark`, made to designate what it did.
    pub(super) fn protect_place(&mut self, place: Lvalue, mark: Mark, span: Span) -> Lvalue {
        place.with_address(|address| self.protect(address, mark, span))
    }

    /// The place with its address in a variable, so that it can be used twice.
    pub(super) fn atom_place(&mut self, place: Lvalue, span: Span) -> Lvalue {
        place.with_address(|address| self.atom(address, span))
    }

    /// The address of storage, which is in memory.
    pub(super) fn address_of_storage(&mut self, storage: &Storage, span: Span) -> Expr {
        match self.stored(storage, span) {
            LvalueKind::Memory(address) => address,
            LvalueKind::Var(_) | LvalueKind::Bits(..) => {
                self.unsupported_value("the address of a variable", Type::Ptr, span)
            }
        }
    }
}
