//! The values of expressions in a state.

use super::Stop;
use super::state::{Layout, State};
use super::value::{self, Base, Pointer, Value};
use program::expr::{Expr, Type};

impl State {
    /// The value of an expression.
    pub(super) fn value(&self, layout: &Layout<'_>, expr: &Expr) -> Result<Value, Stop> {
        let pointer = self.memory.pointer_type();
        Ok(match expr {
            Expr::Const(constant) => Value::of(*constant, pointer),
            Expr::Var(var) => self.get(layout, *var),
            Expr::Object(object) => Value::Address(Pointer::to(self.object(layout, *object)?)),
            Expr::Proc(proc) => Value::Address(Pointer {
                base: Base::Proc(*proc),
                offset: 0,
            }),
            Expr::Load(ty, address) => {
                let address = self.value(layout, address)?;
                self.load(*ty, address)?
            }
            Expr::Unary(op, _, operand) => value::unary(*op, self.value(layout, operand)?)?,
            Expr::Binary(op, _, left, right) => {
                let left = self.value(layout, left)?;
                value::binary(&self.memory, *op, left, self.value(layout, right)?)?
            }
            Expr::Offset(address, bytes) => {
                let address = self.value(layout, address)?;
                self.moved(address, self.value(layout, bytes)?)
            }
            Expr::Cast(to, operand) => value::cast(*to, self.value(layout, operand)?, pointer)?,
            Expr::Select(condition, then, otherwise) => match self.value(layout, condition)? {
                Value::Bool(true) => self.value(layout, then)?,
                Value::Bool(false) => self.value(layout, otherwise)?,
                _ => Value::Unknown,
            },
            Expr::Overflows(op, _, left, right) => {
                let left = self.value(layout, left)?;
                value::overflows(*op, left, self.value(layout, right)?)
            }
            Expr::Valid(address, bytes, write) => {
                let address = self.value(layout, address)?;
                self.valid(address, self.value(layout, bytes)?, *write)
            }
            Expr::Freeable(address) => match self.value(layout, address)? {
                Value::Int(null) if null.is_zero() => Value::Bool(true),
                Value::Address(at) => Value::Bool(self.memory.heap_object(at).is_some()),
                _ => Value::Unknown,
            },
        })
    }

    pub(super) fn load(&self, ty: Type, address: Value) -> Result<Value, Stop> {
        use Value::*;
        match address {
            Address(at) => {
                let count = ty.bytes(self.memory.pointer_type().bits / 8);
                let part = self.memory.part(at, count, false).ok_or(Stop::Undefined)?;
                Ok(self.memory.load(part, ty))
            }
            Int(null) if null.is_zero() => Err(Stop::Undefined),
            // Undefined, or whatever is there.
            Int(_) | Unknown | Bool(_) | Signed { .. } | Float(..) => Ok(Unknown),
        }
    }

    pub(super) fn moved(&self, address: Value, bytes: Value) -> Value {
        let Value::Int(bytes) = bytes else {
            return Value::Unknown;
        };
        let by = bytes.to_i128().and_then(|by| i64::try_from(by).ok());
        match (address, by) {
            (Value::Address(at), Some(by)) => at.moved(by).map_or(Value::Unknown, Value::Address),
            (Value::Int(number), _) => {
                let pointer = self.memory.pointer_type();
                Value::Int(number.add(bytes.convert(pointer)).0)
            }
            _ => Value::Unknown,
        }
    }

    pub(super) fn valid(&self, address: Value, bytes: Value, write: bool) -> Value {
        match (address, bytes.to_u64()) {
            (Value::Address(at), Some(bytes)) => {
                Value::Bool(self.memory.part(at, bytes, write).is_some())
            }
            (Value::Int(null), _) if null.is_zero() => Value::Bool(false),
            _ => Value::Unknown,
        }
    }
}
