//! Values as the cells of memory that hold them.

use super::explore::Unwinder;
use super::state::{Cell, NULL, Value, WILD, whole_address};
use logic::BitId;
use program::expr::{FloatType, Type};

impl Unwinder<'_> {
    /// The bytes of a value.
    pub(super) fn taken_apart(&mut self, ty: Type, value: Value) -> Vec<Cell> {
        match value {
            Value::Address(object, offset) => (0..self.program.pointer_bytes)
                .map(|index| Cell::Address(object, offset, index))
                .collect(),
            Value::Bits(bits) => {
                let bytes = ty.bytes(self.program.pointer_bytes) as u8;
                let whole = self.store.zero_extend(bytes * 8, bits);
                (0..bytes)
                    .map(|index| Cell::Bits(self.store.extract(index * 8, 8, whole)))
                    .collect()
            }
        }
    }

    /// The value of a type that some bytes are.
    pub(super) fn assembled(&mut self, ty: Type, cells: &[Cell], under: BitId) -> Value {
        if ty == Type::Ptr {
            let (object, offset) = self.assembled_address(cells);
            return Value::Address(object, offset);
        }
        let mut whole: Option<BitId> = None;
        for &cell in cells {
            let byte = self.byte(cell, under);
            whole = Some(match whole {
                Some(low) => self.store.concat(byte, low),
                None => byte,
            });
        }
        let whole = whole.expect("a value should have a byte");
        Value::Bits(match ty {
            Type::Bool => {
                // Any other byte is no truth value.
                let two = self.store.constant(8, 2);
                let fits = self.below(whole, two);
                self.defined_if(fits, under);
                let zero = self.store.constant(8, 0);
                self.store.differ(whole, zero)
            }
            Type::Int(int) => self.store.extract(0, int.bits, whole),
            Type::Float(FloatType::F32 | FloatType::F64) | Type::Ptr => whole,
        })
    }

    /// The bits of a byte; those of an address are an open question.
    pub(super) fn byte(&mut self, cell: Cell, under: BitId) -> BitId {
        match cell {
            Cell::Bits(bits) => bits,
            Cell::Unset(number) => self.store.symbol(number, 8),
            Cell::Address(object, offset, index) => {
                let is_null = self.is_number(object, NULL);
                let is_other = self.store.not(is_null);
                self.open_if("the bytes of an address", is_other, under);
                self.store.extract(index * 8, 8, offset)
            }
        }
    }

    /// The address that some bytes are: one of which nothing is known unless all of them are its
    /// own, or zero.
    pub(super) fn assembled_address(&mut self, cells: &[Cell]) -> (BitId, BitId) {
        if let Some(whole) = whole_address(cells) {
            return whole;
        }
        let is_zero = |cell: &Cell| matches!(cell, Cell::Bits(bits) if self.store.as_constant(*bits) == Some(0));
        let is_null = cells.iter().all(is_zero);
        let number = self.number(if is_null { NULL } else { WILD });
        (number, self.offset(0))
    }
}
