//! Initial values of locals, and the bytes of constant ones.

use super::procedure::Lowering;
use super::types::Shape;
use super::{Storage, new_object};
use base::Span;
use cfront::ast::{Expr as CExpr, ExprKind, InitItem, InitValue, Initializer, LocalId, UnaryOp};
use cfront::types::{BitRange, TypeId};
use program::expr::{Constant, Expr, FloatType, Type};
use program::ir::*;
use std::collections::BTreeMap;

/// From this many constant parts on, a local is copied from a constant object.
const TEMPLATE: usize = 8;

impl<'a> Lowering<'_, 'a> {
    /// Sets a local that lives in a variable.
    pub(super) fn initialize_var(&mut self, var: VarId, init: &'a Initializer, span: Span) {
        let ty = self.cx.program.vars[var].ty;
        let mut value = Expr::Const(ty.zero());
        for item in &init.items {
            match &item.value {
                InitValue::Expr(expr) => {
                    let result = self.value(expr);
                    value = self.converted(result, ty);
                }
                InitValue::String(_) => self.unsupported("a string in a scalar", span),
            }
        }
        self.assign_var(var, value, span);
    }

    /// Sets a local that lives in memory.
    pub(super) fn initialize_local(
        &mut self,
        local: LocalId,
        storage: &Storage,
        init: &'a Initializer,
        span: Span,
    ) {
        let body = self.body.expect("a local should be in a function");
        let row = &body.locals[local];
        let address = self.address_of_storage(storage, span);
        let Some(size) = self.cx.size(row.ty.ty) else {
            if !init.items.is_empty() {
                return self.unsupported("an initialised variable-length array", span);
            }
            let size = self.size_of(row.ty.ty, span);
            return self.clear(address, size, span);
        };
        let template = self.copy_template(&address, size, init, span);
        if template.is_none() && init.zero_rest && !self.covers(init, size) {
            let size = self.cx.size_const(size);
            self.clear(address.clone(), size, span);
        }
        for item in template.unwrap_or_else(|| init.items.iter().collect()) {
            self.initialize_item(&address, item);
        }
    }

    fn clear(&mut self, address: Expr, size: Expr, span: Span) {
        self.call_library(
            None,
            Library::Memset,
            vec![address, Expr::i32(0), size],
            span,
        );
    }

    /// Whether the items set every byte themselves.
    fn covers(&self, init: &Initializer, size: u64) -> bool {
        let mut end = 0;
        for item in &init.items {
            let string = matches!(item.value, InitValue::String(_));
            if item.bits.is_some() || string || item.offset != end {
                return false;
            }
            end += self.cx.size(item.ty).unwrap_or(0);
        }
        end == size
    }

    /// Sets one part of the object at an address.
    pub(super) fn initialize_item(&mut self, address: &Expr, item: &'a InitItem) {
        let to = self.after(address.clone(), item.offset);
        match &item.value {
            InitValue::String(string) => {
                let object = self.cx.string(*string);
                let have = self.cx.program.objects[object].size;
                let size = self.cx.size(item.ty).map_or(have, |size| size.min(have));
                // What comes after the string was cleared with the rest.
                self.copy_bytes(Library::Memcpy, to, Expr::Object(object), size, Span::NONE);
            }
            InitValue::Expr(expr) => match (self.cx.shape(item.ty), item.bits) {
                (Shape::Scalar(ty), bits) => {
                    let value = self.value(expr);
                    let value = self.converted(value, ty);
                    match bits {
                        Some(bits) => {
                            self.write_bits((to, bits), ty, value, false, expr.span);
                        }
                        None => {
                            self.emit(Op::Assign(Place::Mem(ty, to), value), expr.span);
                        }
                    }
                }
                (Shape::Memory, _) => {
                    let from = self.memory_value(expr);
                    let size = self.cx.size(item.ty).unwrap_or(0);
                    self.copy_bytes(Library::Memmove, to, from, size, expr.span);
                }
                (Shape::Void | Shape::Function, _) => {
                    self.unsupported("this initial value", expr.span);
                }
            },
        }
    }

    /// Copies the constant parts of a large initialiser at once; returns the other items. `None`
    /// if that is not worth it.
    fn copy_template(
        &mut self,
        address: &Expr,
        size: u64,
        init: &'a Initializer,
        span: Span,
    ) -> Option<Vec<&'a InitItem>> {
        let constant = |item: &&InitItem| match &item.value {
            InitValue::Expr(expr) => is_constant(expr),
            InitValue::String(_) => true,
        };
        let count = init.items.iter().filter(constant).count();
        // An item may lie inside an earlier one; then only their own order is right.
        let apart = init.items.is_sorted_by(|a, b| {
            let start = |item: &InitItem| {
                u128::from(item.offset) * 8 + item.bits.map_or(0, |bits| u128::from(bits.start))
            };
            let width = match a.bits {
                Some(bits) => u128::from(bits.width),
                None => u128::from(self.cx.size(a.ty).unwrap_or(0)) * 8,
            };
            start(a) + width <= start(b)
        });
        if !init.zero_rest || count < TEMPLATE || !apart {
            return None;
        }
        let mut image = Image::new(size, self.cx.program.pointer_bytes);
        let mut rest: Vec<&InitItem> = init.items.iter().collect();
        rest.retain(|item| !self.draw(&mut image, item));
        let object = self.cx.program.objects.push(Object {
            read_only: true,
            init: image.finish(),
            ..new_object("$initial", (size, 1), Scope::Global, span)
        });
        self.copy_bytes(
            Library::Memcpy,
            address.clone(),
            Expr::Object(object),
            size,
            span,
        );
        Some(rest)
    }

    /// Draws an item into an image, if it is constant.
    pub(super) fn draw(&mut self, image: &mut Image, item: &'a InitItem) -> bool {
        match &item.value {
            InitValue::String(string) => {
                let literal = &self.cx.ast.strings[*string];
                let size = self.cx.size(item.ty).unwrap_or(literal.bytes.len() as u64);
                let len = literal.bytes.len().min(size as usize);
                image.put(item.offset, &literal.bytes[..len]);
                true
            }
            InitValue::Expr(expr) => {
                let Some(ty) = self.cx.scalar(item.ty).filter(|_| is_constant(expr)) else {
                    return false;
                };
                let value = self.value(expr);
                let value = self.converted(value, ty);
                image.put_value(item.offset, item.bits, ty, &value)
            }
        }
    }

    /// The IR size of a C type, for those who only have bytes.
    pub(super) fn size_or_zero(&self, ty: TypeId) -> u64 {
        self.cx.size(ty).unwrap_or(0)
    }
}

/// Whether lowering the expression gives a constant, or the address of something static.
pub(super) fn is_constant(expr: &CExpr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => true,
        ExprKind::Unary(UnaryOp::Neg | UnaryOp::BitNot | UnaryOp::LogicalNot, inner) => {
            is_constant(inner)
        }
        ExprKind::Cast(_, operand, _) => is_constant(operand) || is_static_place(operand),
        ExprKind::AddressOf(inner) => is_static_place(inner),
        ExprKind::Binary(op, left, right) => {
            use cfront::ast::BinaryOp as Op;
            !matches!(op, Op::Comma | Op::LogicalAnd | Op::LogicalOr)
                && is_constant(left)
                && is_constant(right)
        }
        _ => false,
    }
}

fn is_static_place(expr: &CExpr) -> bool {
    match &expr.kind {
        ExprKind::Global(_) | ExprKind::String(_) | ExprKind::Function(_) => true,
        ExprKind::Member { record, .. } => is_static_place(record),
        ExprKind::Deref(pointer) => is_constant(pointer),
        _ => false,
    }
}

/// The bytes of an object in the making.
pub(super) struct Image {
    bytes: Vec<u8>,
    /// By offset; no two overlap.
    addresses: BTreeMap<u64, Address>,
    size: u64,
    pointer_bytes: u8,
}

/// Objects larger than this keep only their leading bytes as far as something is set.
const EAGER: u64 = 64;

impl Image {
    /// All zero.
    pub(super) fn new(size: u64, pointer_bytes: u8) -> Self {
        Image {
            bytes: Vec::with_capacity(size.min(EAGER) as usize),
            addresses: BTreeMap::new(),
            size,
            pointer_bytes,
        }
    }

    /// What has been put.
    pub(super) fn finish(self) -> ObjectInit {
        ObjectInit {
            bytes: self.bytes,
            addresses: self.addresses.into_iter().collect(),
        }
    }

    fn room(&mut self, offset: u64, len: usize) -> Option<&mut [u8]> {
        let end = offset.checked_add(len as u64)?;
        if end > self.size {
            return None;
        }
        let (start, end) = (offset as usize, end as usize);
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        // Later parts win.
        let reaches = (offset + 1).saturating_sub(u64::from(self.pointer_bytes));
        while let Some((&at, _)) = self.addresses.range(reaches..end as u64).next() {
            self.addresses.remove(&at);
        }
        Some(&mut self.bytes[start..end])
    }

    fn put(&mut self, offset: u64, bytes: &[u8]) {
        if let Some(room) = self.room(offset, bytes.len()) {
            room.copy_from_slice(bytes);
        }
    }

    /// Puts a value if it is constant.
    pub(super) fn put_value(
        &mut self,
        offset: u64,
        bits: Option<BitRange>,
        ty: Type,
        value: &Expr,
    ) -> bool {
        if let Some(address) = super::constant_address(value) {
            let word = usize::from(self.pointer_bytes);
            return match self.room(offset, word) {
                Some(room) => {
                    room.fill(0);
                    self.addresses.insert(offset, address);
                    true
                }
                None => false,
            };
        }
        let Some(constant) = value.constant() else {
            return false;
        };
        let number: u128 = match constant {
            Constant::Bool(value) => u128::from(value),
            Constant::Int(value) => value.bits(),
            Constant::Float(FloatType::F32 | FloatType::F64, bits) => u128::from(bits),
            Constant::Null => 0,
        };
        match bits {
            Some(bits) => self.put_bits(offset, bits, number),
            None => {
                let len = ty.bytes(self.pointer_bytes) as usize;
                self.put(offset, &number.to_le_bytes()[..len]);
            }
        }
        true
    }

    fn put_bits(&mut self, offset: u64, bits: BitRange, number: u128) {
        for index in 0..bits.width {
            let at = u64::from(bits.start) + u64::from(index);
            let set = number >> index & 1 == 1;
            if let Some([byte]) = self.room(offset + at / 8, 1) {
                let mask = 1 << (at % 8);
                *byte = if set { *byte | mask } else { *byte & !mask };
            }
        }
    }
}
