//! Builds Z3's bit-vectors, and reads them from models. A term of one bit is a Boolean in Z3, and a
//! bit-vector only as part of a longer one.

use super::build::{Name, TermOperator, numeral, operate, truth};
use super::context::{Ast, Context, Counted, Error, text};
use super::read::Z3Model;
use std::rc::Rc;
use z3_sys::*;

/// The sort of a width, and what holds it: the term that it also is.
fn raw_sort(context: &Rc<Context>, width: u8) -> Result<(Z3_sort, Ast), Error> {
    // SAFETY: the context is alive.
    unsafe {
        let sort = context.made(Z3_mk_bv_sort(context.raw(), u32::from(width)))?;
        let held = Counted::new(context, Z3_sort_to_ast(context.raw(), sort))?;
        Ok((sort, held))
    }
}

/// A constant without a value of its own.
pub(crate) fn symbol(context: &Rc<Context>, number: u32, width: u8) -> Result<Ast, Error> {
    let name = Name::Symbol(number as usize);
    if width == 1 {
        return super::build::constant(context, name, logic::Sort::Bool);
    }
    let symbol = name.raw(context)?;
    let (sort, _held) = raw_sort(context, width)?;
    // SAFETY: symbol and sort live in the context; the sort is held.
    Counted::new(context, unsafe { Z3_mk_const(context.raw(), symbol, sort) })
}

/// A number of some bits.
pub(crate) fn number(context: &Rc<Context>, value: u128, width: u8) -> Result<Ast, Error> {
    if width == 1 {
        return truth(context, value == 1);
    }
    vector(context, value, width)
}

/// The same as a bit-vector, also of one bit.
fn vector(context: &Rc<Context>, value: u128, width: u8) -> Result<Ast, Error> {
    let (sort, _held) = raw_sort(context, width)?;
    numeral(context, &value.to_string(), sort)
}

/// A truth value as a bit-vector of one bit.
pub(crate) fn as_vector(context: &Rc<Context>, condition: &Ast) -> Result<Ast, Error> {
    let (one, zero) = (vector(context, 1, 1)?, vector(context, 0, 1)?);
    operate(context, TermOperator::Choice, &[condition, &one, &zero])
}

/// A bit-vector of one bit as a truth value.
pub(crate) fn as_truth(context: &Rc<Context>, bit: &Ast) -> Result<Ast, Error> {
    operate(
        context,
        TermOperator::Equal,
        &[bit, &vector(context, 1, 1)?],
    )
}

impl Z3Model {
    /// The values of the symbols that have one.
    pub(crate) fn bit_symbols(&self) -> Result<Vec<(usize, u128)>, Error> {
        let raw = self.context().raw();
        let constants = self.constants_as(|value| {
            // SAFETY: the value is held; its text is copied before the next call.
            let bits = unsafe {
                match Z3_get_bool_value(raw, value.raw()) {
                    Z3_L_TRUE => return Ok(1),
                    Z3_L_FALSE => return Ok(0),
                    _ => text(Z3_get_numeral_string(raw, value.raw())),
                }
            };
            (bits.parse()).map_err(|_| format!("{bits} is no bit-vector"))
        })?;
        let symbols = constants.into_iter().filter_map(|(name, bits)| match name {
            Name::Symbol(number) => Some((number, bits)),
            Name::Function(_) | Name::Mark(_) => None,
        });
        Ok(symbols.collect())
    }
}
