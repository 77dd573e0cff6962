//! Z3's floating-point numbers, from and to bit-vectors.

use super::build::{TermOperator, operate};
use super::context::{Ast, Context, Counted, Error};
use logic::{FloatBinary, FloatType, FloatUnary};
use std::rc::Rc;
use z3_sys::*;

/// Rounding modes that operations ask for.
#[derive(Clone, Copy)]
enum Mode {
    NearestEven,
    NearestAway,
    Up,
    Down,
    Zero,
}

fn mode(context: &Rc<Context>, mode: Mode) -> Result<Ast, Error> {
    let c = context.raw();
    // SAFETY: the context is alive.
    let made = unsafe {
        match mode {
            Mode::NearestEven => Z3_mk_fpa_rne(c),
            Mode::NearestAway => Z3_mk_fpa_rna(c),
            Mode::Up => Z3_mk_fpa_rtp(c),
            Mode::Down => Z3_mk_fpa_rtn(c),
            Mode::Zero => Z3_mk_fpa_rtz(c),
        }
    };
    Counted::new(context, made)
}

/// A format's sort, used while it is held as the term that it also is.
fn with_sort(
    context: &Rc<Context>,
    ty: FloatType,
    make: impl FnOnce(Z3_sort) -> Option<Z3_ast>,
) -> Result<Ast, Error> {
    // SAFETY: the context is alive, and the sort is held until the term is.
    unsafe {
        let sort = match ty {
            FloatType::F32 => Z3_mk_fpa_sort_32(context.raw()),
            FloatType::F64 => Z3_mk_fpa_sort_64(context.raw()),
        };
        let sort = context.made(sort)?;
        let held = Counted::new(context, Z3_sort_to_ast(context.raw(), sort))?;
        let made = Counted::new(context, make(sort));
        drop(held);
        made
    }
}

/// The number that bits are.
fn number(context: &Rc<Context>, ty: FloatType, bits: &Ast) -> Result<Ast, Error> {
    with_sort(context, ty, |sort| {
        // SAFETY: bits and sort live in the context and are held.
        unsafe { Z3_mk_fpa_to_fp_bv(context.raw(), bits.raw(), sort) }
    })
}

/// The bits of a number; those of what is not a number are given.
fn bits_of(context: &Rc<Context>, number: &Ast, nan: &Ast) -> Result<Ast, Error> {
    let c = context.raw();
    // SAFETY: the number lives in the context and is held by the caller.
    let (is_nan, bits) = unsafe {
        let is_nan = Counted::new(context, Z3_mk_fpa_is_nan(c, number.raw()))?;
        (
            is_nan,
            Counted::new(context, Z3_mk_fpa_to_ieee_bv(c, number.raw()))?,
        )
    };
    operate(context, TermOperator::Choice, &[&is_nan, nan, &bits])
}

/// An operation on two numbers, by their bits.
pub(crate) fn binary(
    context: &Rc<Context>,
    op: FloatBinary,
    ty: FloatType,
    (a, b): (&Ast, &Ast),
) -> Result<Ast, Error> {
    use FloatBinary::*;
    let (a, b) = (number(context, ty, a)?, number(context, ty, b)?);
    let mode = mode(context, Mode::NearestEven)?;
    let (c, mode, a, b) = (context.raw(), mode.raw(), a.raw(), b.raw());
    // SAFETY: operands and mode live in the context and are held above.
    let made = unsafe {
        match op {
            Add => Z3_mk_fpa_add(c, mode, a, b),
            Sub => Z3_mk_fpa_sub(c, mode, a, b),
            Mul => Z3_mk_fpa_mul(c, mode, a, b),
            Div => Z3_mk_fpa_div(c, mode, a, b),
            Eq => Z3_mk_fpa_eq(c, a, b),
            Lt => Z3_mk_fpa_lt(c, a, b),
            Le => Z3_mk_fpa_leq(c, a, b),
        }
    };
    let made = Counted::new(context, made)?;
    match op.is_comparison() {
        true => Ok(made),
        false => bits_of(context, &made, &nan(context, ty)?),
    }
}

/// An operation on one number, by its bits; the result has so many.
pub(crate) fn unary(
    context: &Rc<Context>,
    op: FloatUnary,
    ty: FloatType,
    a: &Ast,
    width: u8,
) -> Result<Ast, Error> {
    use FloatUnary::*;
    let c = context.raw();
    let rounding = mode(context, rounding(op))?;
    let (mode, wide) = (rounding.raw(), u32::from(width));
    let operand = match op {
        FromSigned | FromUnsigned => a.clone(),
        _ => number(context, ty, a)?,
    };
    let x = operand.raw();
    // SAFETY: operand, mode and sorts live in the context and are held.
    let made = unsafe {
        match op {
            Sqrt => Counted::new(context, Z3_mk_fpa_sqrt(c, mode, x)),
            Floor | Ceil | Trunc | Round | Rint => {
                Counted::new(context, Z3_mk_fpa_round_to_integral(c, mode, x))
            }
            Resize => with_sort(context, ty.other(), |sort| {
                Z3_mk_fpa_to_fp_float(c, mode, x, sort)
            }),
            FromSigned => with_sort(context, ty, |sort| Z3_mk_fpa_to_fp_signed(c, mode, x, sort)),
            FromUnsigned => with_sort(context, ty, |sort| {
                Z3_mk_fpa_to_fp_unsigned(c, mode, x, sort)
            }),
            ToSigned => return Counted::new(context, Z3_mk_fpa_to_sbv(c, mode, x, wide)),
            ToUnsigned => return Counted::new(context, Z3_mk_fpa_to_ubv(c, mode, x, wide)),
        }
    }?;
    let ty = if op == Resize { ty.other() } else { ty };
    bits_of(context, &made, &nan(context, ty)?)
}

fn rounding(op: FloatUnary) -> Mode {
    use FloatUnary::*;
    match op {
        Sqrt | Rint | Resize | FromSigned | FromUnsigned => Mode::NearestEven,
        Round => Mode::NearestAway,
        Floor => Mode::Down,
        Ceil => Mode::Up,
        Trunc | ToSigned | ToUnsigned => Mode::Zero,
    }
}

fn nan(context: &Rc<Context>, ty: FloatType) -> Result<Ast, Error> {
    super::bits::number(context, ty.nan().into(), ty.bits())
}
