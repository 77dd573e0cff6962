//! Addresses in constant expressions: of objects, moved, subtracted and compared.

use super::{AddressBase, ConstValue, Folded, Folder, boolean, compared, fail};
use crate::ast::{BinaryOp, CastKind, Expr, ExprKind};
use crate::types::TypeId;
use logic::{IntType, IntValue};

impl Folder<'_> {
    /// The address of an lvalue or function.
    pub(super) fn address(&self, e: &Expr) -> Folded {
        let base = match &e.kind {
            ExprKind::Global(id) => AddressBase::Global(*id),
            ExprKind::Function(id) => AddressBase::Function(*id),
            ExprKind::String(id) => AddressBase::String(*id),
            ExprKind::Deref(pointer) => return self.constant(pointer),
            ExprKind::Member { record, field } => {
                let place = self.address(record)?;
                let Some(field) = self.types.field(record.ty.ty, *field) else {
                    return fail(e, "this is not constant");
                };
                return Ok(self.moved(place, field.offset as i64));
            }
            ExprKind::Cast(CastKind::NoOp, operand, _) => return self.address(operand),
            ExprKind::Local(_) => return fail(e, "the address of a local is not constant"),
            _ => return fail(e, "this address is not constant"),
        };
        Ok(ConstValue::Address {
            base: Some(base),
            offset: 0,
        })
    }

    pub(super) fn address_binary(
        &self,
        e: &Expr,
        op: BinaryOp,
        left: &Expr,
        x: ConstValue,
        y: ConstValue,
    ) -> Folded {
        use BinaryOp::*;
        use ConstValue::{Address, Int};
        let step = |count: IntValue, negate: bool| {
            let size = self.pointee_size(left.ty.ty);
            let count = count.to_i128().unwrap_or(0).wrapping_mul(i128::from(size));
            (if negate { count.wrapping_neg() } else { count }) as i64
        };
        let amount = |value: IntValue| value.to_i128().unwrap_or(0) as i64;
        match (op, x, y) {
            (PointerAdd, _, Int(count)) => Ok(self.moved(x, step(count, false))),
            (PointerSub, _, Int(count)) => Ok(self.moved(x, step(count, true))),
            // Integers that hold addresses.
            (Add, _, Int(value)) => Ok(self.moved(x, amount(value))),
            (Add, Int(value), _) => Ok(self.moved(y, amount(value))),
            (Sub, _, Int(value)) => Ok(self.moved(x, amount(value).wrapping_neg())),
            (PointerDiff | Sub, Address { base: a, offset: m }, Address { base: b, offset: n })
                if a == b =>
            {
                let size = match op {
                    Sub => 1,
                    _ => self.pointee_size(left.ty.ty).max(1) as i64,
                };
                match self.types.scalar_int(e.ty.ty) {
                    Some(ty) => {
                        let bytes = i128::from(m) - i128::from(n);
                        Ok(Int(IntValue::wrap(ty, bytes / i128::from(size))))
                    }
                    None => fail(e, "this is not constant"),
                }
            }
            (
                Eq | Ne | Lt | Le | Gt | Ge,
                Address { base: a, offset: m },
                Address { base: b, offset: n },
            ) => compare_addresses(e, op, (a, m), (b, n)),
            _ => fail(e, "this cannot be computed before the program runs"),
        }
    }

    fn moved(&self, value: ConstValue, bytes: i64) -> ConstValue {
        match value {
            ConstValue::Address { base, offset } => ConstValue::Address {
                base,
                offset: self.sign_extended(offset.wrapping_add(bytes)),
            },
            ConstValue::Int(_) | ConstValue::Float(_) => value,
        }
    }

    pub(super) fn sign_extended(&self, offset: i64) -> i64 {
        let unused = 64 - self.types.model.word_bytes() * 8;
        offset << unused >> unused
    }

    pub(super) fn pointer_int(&self) -> IntType {
        IntType::unsigned((self.types.model.word_bytes() * 8) as u8)
    }

    /// Bytes of what a pointer points to; 1 for `void` and functions, as gcc counts.
    fn pointee_size(&self, pointer: TypeId) -> u64 {
        self.types
            .pointee(pointer)
            .and_then(|to| self.types.size_of(to.ty))
            .unwrap_or(1)
    }
}

/// A comparison of two places, each so many bytes after a base.
fn compare_addresses(
    e: &Expr,
    op: BinaryOp,
    (a, m): (Option<AddressBase>, i64),
    (b, n): (Option<AddressBase>, i64),
) -> Folded {
    if a == b {
        // Null-based offsets are addresses, hence unsigned; others are places in one object.
        let order = match a {
            None => (m as u64).cmp(&(n as u64)),
            Some(_) => m.cmp(&n),
        };
        return Ok(boolean(compared(op, Some(order))));
    }
    let is_string = |base| matches!(base, Some(AddressBase::String(_)));
    let distinct = m == 0 && n == 0 && !is_string(a) && !is_string(b);
    match op {
        BinaryOp::Eq | BinaryOp::Ne if distinct => Ok(boolean(op == BinaryOp::Ne)),
        _ => fail(e, "the order of two objects is not constant"),
    }
}
