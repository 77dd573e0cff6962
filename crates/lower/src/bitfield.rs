//! Bit-fields: the bytes that cover them, shifted and masked.

use super::procedure::Lowering;
use base::Span;
use cfront::types::BitRange;
use logic::IntType;
use program::expr::{BinaryOp, Expr, Type, UnaryOp};
use program::ir::{Op, Place};

impl Lowering<'_, '_> {
    /// The value of a bit-field of the given type.
    pub(super) fn read_bits(
        &mut self,
        address: Expr,
        bits: BitRange,
        ty: Type,
        span: Span,
    ) -> Expr {
        let Some(unit) = unit(bits) else {
            return self.unsupported_value("a bit-field over more than 16 bytes", ty, span);
        };
        let word = self.load(Type::Int(unit), address, span);
        extract(word, unit, bits, ty)
    }

    /// Stores into a bit-field; the value if it is wanted is the one that fits.
    pub(super) fn write_bits(
        &mut self,
        (address, bits): (Expr, BitRange),
        ty: Type,
        value: Expr,
        want: bool,
        span: Span,
    ) -> Expr {
        let Some(unit) = unit(bits) else {
            return self.unsupported_value("a bit-field over more than 16 bytes", ty, span);
        };
        let value = if want { self.atom(value, span) } else { value };
        if self.device_at(&address, unit.bytes()).is_some() {
            self.discard(value.clone(), span);
            return truncated(value, unit, bits, ty);
        }
        let mark = self.mark();
        let address = self.atom(address, span);
        let address = self.checked_address(address, unit.bytes(), true, span);
        let value = self.protect(value, mark, span);
        let wide = Expr::cast(ty, Type::Int(unit), value.clone());
        let stored = if is_whole(unit, bits) {
            wide
        } else {
            let old = Expr::load(Type::Int(unit), address.clone());
            insert(old, wide, unit, bits)
        };
        self.emit(
            Op::Assign(Place::Mem(Type::Int(unit), address), stored),
            span,
        );
        truncated(value, unit, bits, ty)
    }
}

/// The unsigned integer that covers the bits.
fn unit(bits: BitRange) -> Option<IntType> {
    let bytes = (u32::from(bits.start) + u32::from(bits.width)).div_ceil(8);
    (bytes <= 16).then(|| IntType::unsigned(bytes as u8 * 8))
}

fn is_whole(unit: IntType, bits: BitRange) -> bool {
    bits.start == 0 && bits.width == unit.bits
}

fn shift(op: BinaryOp, ty: IntType, value: Expr, amount: u8) -> Expr {
    match amount {
        0 => value,
        amount => Expr::arith(op, ty, value, Expr::i32(i32::from(amount))),
    }
}

/// The field's value, of its type, from the word that covers it.
fn extract(word: Expr, unit: IntType, bits: BitRange, ty: Type) -> Expr {
    let signed = ty.int().is_some_and(|ty| ty.signed);
    if signed {
        // To the top, and back with the sign.
        let top = shift(
            BinaryOp::Shl,
            unit,
            word,
            unit.bits - bits.start - bits.width,
        );
        let signed = IntType::signed(unit.bits);
        let top = Expr::cast(Type::Int(unit), Type::Int(signed), top);
        let value = shift(BinaryOp::Shr, signed, top, unit.bits - bits.width);
        return Expr::cast(Type::Int(signed), ty, value);
    }
    let low = shift(BinaryOp::Shr, unit, word, bits.start);
    let value = Expr::arith(BinaryOp::And, unit, low, ones(unit, bits.width));
    match ty {
        Type::Bool => Expr::truth(Type::Int(unit), value),
        Type::Int(_) | Type::Float(_) | Type::Ptr => Expr::cast(Type::Int(unit), ty, value),
    }
}

/// The word with the field's bits replaced by the low bits of `value`.
fn insert(old: Expr, value: Expr, unit: IntType, bits: BitRange) -> Expr {
    let field = Expr::arith(BinaryOp::And, unit, value, ones(unit, bits.width));
    let field = shift(BinaryOp::Shl, unit, field, bits.start);
    let hole = shift(BinaryOp::Shl, unit, ones(unit, bits.width), bits.start);
    let hole = Expr::unary(UnaryOp::Not, Type::Int(unit), hole);
    let rest = Expr::arith(BinaryOp::And, unit, old, hole);
    Expr::arith(BinaryOp::Or, unit, rest, field)
}

/// What the field holds after `value` was stored in it.
fn truncated(value: Expr, unit: IntType, bits: BitRange, ty: Type) -> Expr {
    if ty == Type::Bool || ty.int().is_some_and(|ty| ty.bits == bits.width) {
        return value;
    }
    let low = BitRange {
        start: 0,
        width: bits.width,
    };
    extract(Expr::cast(ty, Type::Int(unit), value), unit, low, ty)
}

fn ones(unit: IntType, width: u8) -> Expr {
    let mask = IntType::unsigned(width).mask();
    Expr::Const(program::expr::Constant::Int(logic::IntValue::from_bits(
        unit, mask,
    )))
}
