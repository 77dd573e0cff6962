//! Making Z3's bit-vectors, and reading them out of models. A term of one bit is a truth value to
//! Z3, and a bit-vector only where it is a part of a longer one.

use super::build::{Name, Step, step, truth};
use super::context::{Ast, Context, Counted, Error, text};
use super::read::{Z3Model, name_of};
use logic::{BitComparison, BitOp};
use std::ffi::CString;
use std::rc::Rc;
use z3_sys::*;

fn raw_sort(context: &Rc<Context>, width: u8) -> Result<Counted<Z3_ast>, Error> {
    // SAFETY: the context is alive; the sort is held as the term that it also is.
    unsafe {
        let sort = context.made(Z3_mk_bv_sort(context.raw(), u32::from(width)))?;
        Counted::new(context, Z3_sort_to_ast(context.raw(), sort))
    }
}

/// A constant without a value of its own.
pub(crate) fn symbol(context: &Rc<Context>, number: u32, width: u8) -> Result<Ast, Error> {
    let name = Name::Symbol(number as usize);
    if width == 1 {
        return super::build::constant(context, name, logic::Sort::Bool);
    }
    let symbol = name.raw(context)?;
    let held = raw_sort(context, width)?;
    // SAFETY: symbol and sort live in the context; the sort is held.
    unsafe {
        let sort = context.made(Z3_mk_bv_sort(context.raw(), u32::from(width)))?;
        let made = Counted::new(context, Z3_mk_const(context.raw(), symbol, sort));
        drop(held);
        made
    }
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
    let digits = CString::new(value.to_string()).map_err(|error| error.to_string())?;
    let held = raw_sort(context, width)?;
    // SAFETY: the sort lives in the context and is held; the text ends with a zero.
    unsafe {
        let sort = context.made(Z3_mk_bv_sort(context.raw(), u32::from(width)))?;
        let made = Counted::new(context, Z3_mk_numeral(context.raw(), digits.as_ptr(), sort));
        drop(held);
        made
    }
}

/// A truth value as a bit-vector of one bit.
pub(crate) fn as_vector(context: &Rc<Context>, condition: &Ast) -> Result<Ast, Error> {
    let (one, zero) = (vector(context, 1, 1)?, vector(context, 0, 1)?);
    step(context, Step::Choice, &[condition, &one, &zero])
}

/// A bit-vector of one bit as a truth value.
pub(crate) fn as_truth(context: &Rc<Context>, bit: &Ast) -> Result<Ast, Error> {
    step(context, Step::Equal, &[bit, &vector(context, 1, 1)?])
}

/// An operation on two bit-vectors.
pub(crate) fn operation(context: &Rc<Context>, op: BitOp, a: &Ast, b: &Ast) -> Result<Ast, Error> {
    let (c, a, b) = (context.raw(), a.raw(), b.raw());
    // SAFETY: the operands live in the context and are held by the caller.
    let made = unsafe {
        match op {
            BitOp::Add => Z3_mk_bvadd(c, a, b),
            BitOp::Sub => Z3_mk_bvsub(c, a, b),
            BitOp::Mul => Z3_mk_bvmul(c, a, b),
            BitOp::UDiv => Z3_mk_bvudiv(c, a, b),
            BitOp::URem => Z3_mk_bvurem(c, a, b),
            BitOp::SDiv => Z3_mk_bvsdiv(c, a, b),
            BitOp::SRem => Z3_mk_bvsrem(c, a, b),
            BitOp::And => Z3_mk_bvand(c, a, b),
            BitOp::Or => Z3_mk_bvor(c, a, b),
            BitOp::Xor => Z3_mk_bvxor(c, a, b),
            BitOp::Shl => Z3_mk_bvshl(c, a, b),
            BitOp::LShr => Z3_mk_bvlshr(c, a, b),
            BitOp::AShr => Z3_mk_bvashr(c, a, b),
        }
    };
    Counted::new(context, made)
}

/// The exclusive or of two truth values.
pub(crate) fn exclusive_or(context: &Rc<Context>, a: &Ast, b: &Ast) -> Result<Ast, Error> {
    // SAFETY: the operands live in the context and are held by the caller.
    Counted::new(context, unsafe {
        Z3_mk_xor(context.raw(), a.raw(), b.raw())
    })
}

/// A comparison of two bit-vectors.
pub(crate) fn comparison(
    context: &Rc<Context>,
    comparison: BitComparison,
    a: &Ast,
    b: &Ast,
) -> Result<Ast, Error> {
    let (c, a, b) = (context.raw(), a.raw(), b.raw());
    // SAFETY: the operands live in the context and are held by the caller.
    let made = unsafe {
        match comparison {
            BitComparison::Eq => Z3_mk_eq(c, a, b),
            BitComparison::ULt => Z3_mk_bvult(c, a, b),
            BitComparison::ULe => Z3_mk_bvule(c, a, b),
            BitComparison::SLt => Z3_mk_bvslt(c, a, b),
            BitComparison::SLe => Z3_mk_bvsle(c, a, b),
        }
    };
    Counted::new(context, made)
}

/// How one or two bit-vectors make one of another width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reshape {
    /// All bits turned.
    Not,
    /// The bits from the second up to the first, both included.
    Extract(u8, u8),
    /// So many zeros in front.
    ZeroExtend(u8),
    /// So many signs in front.
    SignExtend(u8),
}

/// A bit-vector of another width or with its bits turned.
pub(crate) fn reshape(context: &Rc<Context>, how: Reshape, a: &Ast) -> Result<Ast, Error> {
    let (c, a) = (context.raw(), a.raw());
    // SAFETY: the operand lives in the context and is held by the caller.
    let made = unsafe {
        match how {
            Reshape::Not => Z3_mk_bvnot(c, a),
            Reshape::Extract(high, low) => Z3_mk_extract(c, u32::from(high), u32::from(low), a),
            Reshape::ZeroExtend(by) => Z3_mk_zero_ext(c, u32::from(by), a),
            Reshape::SignExtend(by) => Z3_mk_sign_ext(c, u32::from(by), a),
        }
    };
    Counted::new(context, made)
}

/// The bits of the first in front of those of the second.
pub(crate) fn concat(context: &Rc<Context>, a: &Ast, b: &Ast) -> Result<Ast, Error> {
    // SAFETY: the operands live in the context and are held by the caller.
    Counted::new(context, unsafe {
        Z3_mk_concat(context.raw(), a.raw(), b.raw())
    })
}

impl Z3Model {
    /// The values of the symbols that have one.
    pub(crate) fn bit_symbols(&self) -> Result<Vec<(usize, u128)>, Error> {
        let context = self.context();
        let (raw, model) = (context.raw(), self.raw());
        let mut values = Vec::new();
        // SAFETY: the model keeps its declarations and values while it is held; texts are copied
        // before the next call.
        unsafe {
            for index in 0..Z3_model_get_num_consts(raw, model) {
                let decl = context.made(Z3_model_get_const_decl(raw, model, index))?;
                let Some(Name::Symbol(number)) = name_of(context, decl)? else {
                    continue;
                };
                let value = Z3_model_get_const_interp(raw, model, decl);
                let value = Counted::new(context, value)?;
                let bits = match Z3_get_bool_value(raw, value.raw()) {
                    Z3_L_TRUE => 1,
                    Z3_L_FALSE => 0,
                    _ => {
                        let digits = text(Z3_get_numeral_string(raw, value.raw()));
                        (digits.parse()).map_err(|_| format!("{digits} is no bit-vector"))?
                    }
                };
                values.push((number, bits));
            }
        }
        Ok(values)
    }
}
