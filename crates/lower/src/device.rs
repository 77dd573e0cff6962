//! Memory-mapped devices: accesses at declared constant addresses.
//!
//! The contents of a device are unknown and may change at any time, so each read is an input. A
//! write has no effect that the program could observe.

use super::procedure::Lowering;
use base::Span;
use program::expr::{Constant, Expr, Type};
use program::ir::SiteKind;

impl Lowering<'_, '_> {
    /// The address of a device, if some bytes at an address are all inside one.
    pub(super) fn device_at(&self, address: &Expr, bytes: u64) -> Option<u64> {
        let at = number_of(address)?;
        let end = at.checked_add(bytes)?;
        let mut devices = self.cx.options.devices.iter();
        devices
            .any(|range| range.start <= at && end <= range.end)
            .then_some(at)
    }

    /// What is read from a device.
    pub(super) fn device_value(&mut self, at: u64, ty: Type, span: Span) -> Expr {
        let name = format!("{at:#x}");
        self.cx
            .assume(format!("a read of the device at {name} gives any value"));
        match ty {
            Type::Ptr => {
                let what = format!("the device at {name} may point to anything");
                self.may_do_more(what, &name.into(), span);
                Expr::null()
            }
            Type::Bool | Type::Int(_) | Type::Float(_) => {
                self.input(SiteKind::Outside, ty, name.into(), span)
            }
        }
    }
}

/// The number that a constant address is made of.
fn number_of(address: &Expr) -> Option<u64> {
    let constant = |expr: &Expr| match expr.constant()? {
        Constant::Int(value) => value.to_i128(),
        Constant::Bool(_) | Constant::Float(..) | Constant::Null => None,
    };
    match address {
        Expr::Cast(Type::Ptr, number) => u64::try_from(constant(number)?).ok(),
        Expr::Offset(base, offset) => {
            let base = i128::from(number_of(base)?);
            u64::try_from(base.checked_add(constant(offset)?)?).ok()
        }
        _ => None,
    }
}
