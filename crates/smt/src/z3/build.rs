//! Builds Z3's terms.

use super::context::{Ast, Context, Counted, Error};
use logic::{BitComparison, BitOp, Function, Integer, Rational, Sort};
use std::borrow::Borrow;
use std::ffi::CString;
use std::rc::Rc;
use z3_sys::*;

/// What a constant or function of Z3's stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Name {
    /// The symbol of that number.
    Symbol(usize),
    /// The function of that number.
    Function(usize),
    /// Marks an assumption.
    Mark(usize),
}

/// How many kinds of names there are.
const KINDS: usize = 3;

impl Name {
    /// The number that Z3 has for a name.
    fn number(self) -> Option<i32> {
        let (index, kind) = match self {
            Name::Symbol(index) => (index, 0),
            Name::Function(index) => (index, 1),
            Name::Mark(index) => (index, 2),
        };
        let number = index.checked_mul(KINDS)?.checked_add(kind)?;
        // Z3 has thirty bits for it.
        i32::try_from(number)
            .ok()
            .filter(|&number| number < 1 << 30)
    }

    /// The name of a number.
    pub(super) fn of_number(number: i32) -> Option<Name> {
        let number = usize::try_from(number).ok()?;
        let index = number / KINDS;
        Some(match number % KINDS {
            0 => Name::Symbol(index),
            1 => Name::Function(index),
            _ => Name::Mark(index),
        })
    }

    pub(super) fn raw(self, context: &Rc<Context>) -> Result<Z3_symbol, Error> {
        let number = self.number().ok_or("too many symbols for Z3")?;
        // SAFETY: the context is alive; a number's symbol needs no counting.
        context.made(unsafe { Z3_mk_int_symbol(context.raw(), number) })
    }
}

fn raw_sort(context: &Context, sort: Sort) -> Z3_sort {
    match sort {
        Sort::Bool => context.bool_sort,
        Sort::Int => context.int_sort,
        Sort::Real => context.real_sort,
        Sort::Array => context.array_sort,
    }
}

/// A constant without a value of its own.
pub(crate) fn constant(context: &Rc<Context>, name: Name, sort: Sort) -> Result<Ast, Error> {
    let symbol = name.raw(context)?;
    // SAFETY: symbol and sort live in the context.
    Counted::new(context, unsafe {
        Z3_mk_const(context.raw(), symbol, raw_sort(context, sort))
    })
}

/// A function of some arguments.
pub(crate) fn apply(
    context: &Rc<Context>,
    name: Name,
    function: &Function,
    arguments: &[impl Borrow<Ast>],
) -> Result<Ast, Error> {
    let decl = Declaration::new(context, name, &function.arguments, function.result)?;
    decl.apply(arguments)
}

/// A declaration that is held.
pub(crate) struct Declaration {
    held: Ast,
    raw: Z3_func_decl,
}

impl Declaration {
    /// Declares a function; without arguments it is a constant.
    pub(crate) fn new(
        context: &Rc<Context>,
        name: Name,
        arguments: &[Sort],
        result: Sort,
    ) -> Result<Declaration, Error> {
        let symbol = name.raw(context)?;
        let sorts = arguments.iter().map(|&sort| raw_sort(context, sort));
        let sorts: Vec<Z3_sort> = sorts.collect();
        let raw = context.raw();
        // SAFETY: all of it lives in the context.
        unsafe {
            let (count, result) = (sorts.len() as u32, raw_sort(context, result));
            let decl = Z3_mk_func_decl(raw, symbol, count, sorts.as_ptr(), result);
            let decl = context.made(decl)?;
            let held = Counted::new(context, Z3_func_decl_to_ast(raw, decl))?;
            Ok(Declaration { held, raw: decl })
        }
    }

    /// For a call.
    pub(super) fn raw(&self) -> Z3_func_decl {
        self.raw
    }

    /// The function of some arguments.
    pub(crate) fn apply(&self, arguments: &[impl Borrow<Ast>]) -> Result<Ast, Error> {
        let arguments = all_raw(arguments);
        let context = self.held.context();
        // SAFETY: all of it lives in the context, and the declaration is held.
        Counted::new(context, unsafe {
            let count = arguments.len() as u32;
            Z3_mk_app(context.raw(), self.raw, count, arguments.as_ptr())
        })
    }
}

/// The formula for all values of some constants.
pub(crate) fn for_all(bound: &[Ast], formula: &Ast) -> Result<Ast, Error> {
    if bound.is_empty() {
        return Ok(formula.clone());
    }
    let context = formula.context();
    let raw = context.raw();
    let mut apps = Vec::with_capacity(bound.len());
    // SAFETY: all of it lives in the context and is held by the caller.
    unsafe {
        for constant in bound {
            apps.push(context.made(Z3_to_app(raw, constant.raw()))?);
        }
        let (count, apps) = (apps.len() as u32, apps.as_ptr());
        let patterns = std::ptr::null();
        Counted::new(
            context,
            Z3_mk_forall_const(raw, 0, count, apps, 0, patterns, formula.raw()),
        )
    }
}

/// A truth value.
pub(crate) fn truth(context: &Rc<Context>, value: bool) -> Result<Ast, Error> {
    // SAFETY: the context is alive.
    Counted::new(context, unsafe {
        if value {
            Z3_mk_true(context.raw())
        } else {
            Z3_mk_false(context.raw())
        }
    })
}

/// An integer.
pub(crate) fn integer(context: &Rc<Context>, value: &Integer) -> Result<Ast, Error> {
    let small = value.to_i128().and_then(|value| i64::try_from(value).ok());
    match small {
        // SAFETY: the sort lives in the context.
        Some(value) => Counted::new(context, unsafe {
            Z3_mk_int64(context.raw(), value, context.int_sort)
        }),
        None => numeral(context, &value.to_string(), context.int_sort),
    }
}

/// A real number.
pub(crate) fn real(context: &Rc<Context>, value: &Rational) -> Result<Ast, Error> {
    let text = format!("{}/{}", value.numerator(), value.denominator());
    numeral(context, &text, context.real_sort)
}

/// A number of a sort, which the caller holds.
pub(super) fn numeral(context: &Rc<Context>, text: &str, sort: Z3_sort) -> Result<Ast, Error> {
    let text = CString::new(text).map_err(|error| error.to_string())?;
    // SAFETY: the sort lives in the context; the text ends with a zero.
    Counted::new(context, unsafe {
        Z3_mk_numeral(context.raw(), text.as_ptr(), sort)
    })
}

/// How terms make another term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TermOperator {
    /// The sum of any number.
    Add,
    /// The product of two.
    Times,
    /// The quotient of two, rounded as SMT-LIB does.
    Div,
    /// What it leaves.
    Mod,
    /// An integer as a real.
    ToReal,
    /// The first is at most the second.
    AtMost,
    /// The first is below the second.
    Below,
    /// The two are equal.
    Equal,
    /// A choice: condition, then, otherwise.
    Choice,
    /// The element: array, index.
    Select,
    /// Another element: array, index, element.
    Store,
    /// The array with one element everywhere.
    ConstantArray,
    /// Negation of one.
    Not,
    /// The conjunction of any number.
    And,
    /// The disjunction of any number.
    Or,
    /// The first implies the second.
    Implies,
    /// The exclusive or of two truth values.
    Xor,
    /// An operation on two bit-vectors.
    Bits(BitOp),
    /// A comparison of two bit-vectors.
    Compare(BitComparison),
    /// The bits of the first in front of those of the second.
    Concat,
    /// All bits turned.
    TurnBits,
    /// The bits from the second up to the first, both included.
    Extract(u8, u8),
    /// So many zeros in front.
    ZeroExtend(u8),
    /// So many signs in front.
    SignExtend(u8),
}

/// The term that a step makes.
pub(crate) fn operate(
    context: &Rc<Context>,
    operator: TermOperator,
    parts: &[impl Borrow<Ast>],
) -> Result<Ast, Error> {
    let raw = all_raw(parts);
    let (c, count) = (context.raw(), raw.len() as u32);
    // SAFETY: all parts live in the context and are held by the caller; Z3 checks their sorts.
    let made = unsafe {
        match (operator, &raw[..]) {
            (TermOperator::Add, _) => Z3_mk_add(c, count, raw.as_ptr()),
            (TermOperator::Times, _) => Z3_mk_mul(c, count, raw.as_ptr()),
            (TermOperator::And, _) => Z3_mk_and(c, count, raw.as_ptr()),
            (TermOperator::Or, _) => Z3_mk_or(c, count, raw.as_ptr()),
            (TermOperator::Div, [a, b]) => Z3_mk_div(c, *a, *b),
            (TermOperator::Mod, [a, b]) => Z3_mk_mod(c, *a, *b),
            (TermOperator::AtMost, [a, b]) => Z3_mk_le(c, *a, *b),
            (TermOperator::Below, [a, b]) => Z3_mk_lt(c, *a, *b),
            (TermOperator::Equal, [a, b]) => Z3_mk_eq(c, *a, *b),
            (TermOperator::Implies, [a, b]) => Z3_mk_implies(c, *a, *b),
            (TermOperator::Select, [array, index]) => Z3_mk_select(c, *array, *index),
            (TermOperator::Store, [array, index, element]) => {
                Z3_mk_store(c, *array, *index, *element)
            }
            (TermOperator::ConstantArray, [element]) => {
                Z3_mk_const_array(c, context.int_sort, *element)
            }
            (TermOperator::Choice, [condition, then, otherwise]) => {
                Z3_mk_ite(c, *condition, *then, *otherwise)
            }
            (TermOperator::Not, [a]) => Z3_mk_not(c, *a),
            (TermOperator::ToReal, [a]) => Z3_mk_int2real(c, *a),
            (TermOperator::Xor, [a, b]) => Z3_mk_xor(c, *a, *b),
            (TermOperator::Bits(op), [a, b]) => operation(op)(c, *a, *b),
            (TermOperator::Compare(of), [a, b]) => comparison(of)(c, *a, *b),
            (TermOperator::Concat, [a, b]) => Z3_mk_concat(c, *a, *b),
            (TermOperator::TurnBits, [a]) => Z3_mk_bvnot(c, *a),
            (TermOperator::Extract(high, low), [a]) => {
                Z3_mk_extract(c, high.into(), low.into(), *a)
            }
            (TermOperator::ZeroExtend(by), [a]) => Z3_mk_zero_ext(c, by.into(), *a),
            (TermOperator::SignExtend(by), [a]) => Z3_mk_sign_ext(c, by.into(), *a),
            _ => return Err(format!("{operator:?} of {count} terms")),
        }
    };
    Counted::new(context, made)
}

fn all_raw(terms: &[impl Borrow<Ast>]) -> Vec<Z3_ast> {
    terms.iter().map(|term| term.borrow().raw()).collect()
}

/// How Z3 makes a term of two.
type Binary = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast) -> Option<Z3_ast>;

fn operation(op: BitOp) -> Binary {
    match op {
        BitOp::Add => Z3_mk_bvadd,
        BitOp::Sub => Z3_mk_bvsub,
        BitOp::Mul => Z3_mk_bvmul,
        BitOp::UDiv => Z3_mk_bvudiv,
        BitOp::URem => Z3_mk_bvurem,
        BitOp::SDiv => Z3_mk_bvsdiv,
        BitOp::SRem => Z3_mk_bvsrem,
        BitOp::And => Z3_mk_bvand,
        BitOp::Or => Z3_mk_bvor,
        BitOp::Xor => Z3_mk_bvxor,
        BitOp::Shl => Z3_mk_bvshl,
        BitOp::LShr => Z3_mk_bvlshr,
        BitOp::AShr => Z3_mk_bvashr,
    }
}

fn comparison(of: BitComparison) -> Binary {
    match of {
        BitComparison::Eq => Z3_mk_eq,
        BitComparison::ULt => Z3_mk_bvult,
        BitComparison::ULe => Z3_mk_bvule,
        BitComparison::SLt => Z3_mk_bvslt,
        BitComparison::SLe => Z3_mk_bvsle,
    }
}
