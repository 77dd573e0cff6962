//! Stores values into an initializer.

use super::Parser;
use super::convert::Context;
use super::initializer::Slot;
use super::sink::Sink;
use super::unmodelled::has_unmodelled;
use crate::ast::{Expr, ExprKind, InitItem, InitValue};
use crate::fold::{self, ConstValue};
use crate::types::{ArrayLen, Type, TypeId};
use base::Diagnostic;

impl Parser<'_> {
    /// The length of a string that can initialise an array of that type, if it can.
    pub(super) fn string_fits(&self, ty: TypeId, value: &Expr) -> Option<u64> {
        let types = [ty, value.ty.ty].map(|ty| self.types.get(ty));
        let (
            ExprKind::String(_),
            [
                &Type::Array(element, _),
                &Type::Array(character, ArrayLen::Known(length)),
            ],
        ) = (&value.kind, types)
        else {
            return None;
        };
        let rank = |ty| self.types.kind_of(ty).map(|kind| kind.rank());
        (rank(element.ty)? == rank(character.ty)?).then_some(length)
    }

    pub(super) fn put_string(&mut self, slot: Slot, value: &Expr, length: u64, sink: &mut Sink) {
        let ExprKind::String(id) = value.kind else {
            return;
        };
        let mut ty = slot.ty.ty;
        match *self.types.get(ty) {
            // The terminating zero may be left out.
            Type::Array(_, ArrayLen::Known(room)) if length > room.saturating_add(1) => {
                self.warn(value.span, "the string is too long for the array");
            }
            Type::Array(element, ArrayLen::Unknown) => {
                ty = self.types.array_of(element, ArrayLen::Known(length));
            }
            _ => {}
        }
        self.start_afresh(slot, value.span, sink);
        let item = InitItem {
            offset: slot.offset,
            bits: None,
            ty,
            value: InitValue::String(id),
        };
        sink.push(&self.types, item);
    }

    /// Whether an expression is a compound literal, whose parts can stand for it.
    pub(super) fn is_literal(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::CompoundLiteral(_) => true,
            ExprKind::Global(id) => self.globals[*id].name.starts_with(".literal."),
            _ => false,
        }
    }

    /// A value for a whole element. A compound literal is taken apart: arrays are not values, and
    /// static objects want constants.
    pub(super) fn put_whole(&mut self, slot: Slot, value: Expr, sink: &mut Sink) {
        let apart = sink.is_static || self.types.is_array(slot.ty.ty);
        if !apart || !self.is_literal(&value) || self.types.is_scalar(slot.ty.ty) {
            self.put_value(slot, value, sink);
            return;
        }
        let init = match value.kind {
            ExprKind::CompoundLiteral(decl) => decl.init,
            ExprKind::Global(id) => self.globals[id].init.clone(),
            _ => None,
        };
        let items = init.map_or_else(Vec::new, |init| init.items);
        self.start_afresh(slot, value.span, sink);
        for mut item in items {
            item.offset += slot.offset;
            if let InitValue::Expr(expr) = item.value {
                let expr = if sink.is_static {
                    self.constant_value(expr)
                } else {
                    expr
                };
                item.value = InitValue::Expr(expr);
            }
            sink.push(&self.types, item);
        }
    }

    pub(super) fn put_value(&mut self, slot: Slot, value: Expr, sink: &mut Sink) {
        let mut value = self.assigned(value, slot.ty.ty.into(), &Context::Init);
        if self.is_error(value.ty.ty) {
            return;
        }
        if sink.is_static {
            value = self.constant_value(value);
        }
        let item = InitItem {
            offset: slot.offset,
            bits: slot.bits,
            ty: slot.ty.ty,
            value: InitValue::Expr(value),
        };
        sink.push(&self.types, item);
    }

    /// Checks that a value is constant; numbers are folded.
    pub(super) fn constant_value(&mut self, value: Expr) -> Expr {
        if matches!(value.kind, ExprKind::Int(_) | ExprKind::Float(_)) {
            return value;
        }
        let ty = value.ty.ty.into();
        let folder = fold::Folder::with_globals(&self.types, &self.globals);
        match folder.constant(&value) {
            Ok(ConstValue::Int(int)) if self.types.is_integer(value.ty.ty) => Expr {
                kind: ExprKind::Int(int),
                ty,
                ..value
            },
            Ok(ConstValue::Float(float)) => Expr {
                kind: ExprKind::Float(float),
                ty,
                ..value
            },
            Ok(ConstValue::Int(_) | ConstValue::Address { .. }) => value,
            // Reported when a run reaches it.
            Err(_) if has_unmodelled(&value) => value,
            Err(fault) => {
                let message = "the initialiser of a static object is not constant";
                self.report(Diagnostic::error(fault.span, message).label(fault.message));
                self.broken(value.span)
            }
        }
    }
}
