//! Reads values from Z3's models.

use super::build::Name;
use super::context::{Ast, Context, Counted, Error, text};
use logic::{ArrayValue, FunctionValue, Integer, Rational, Sort, TermValue};
use std::rc::Rc;
use z3_sys::*;

/// A model of Z3's.
pub(crate) struct Z3Model {
    model: Counted<Z3_model>,
}

impl Z3Model {
    pub(super) fn new(model: Counted<Z3_model>) -> Self {
        Z3Model { model }
    }

    /// Where it lives.
    pub(super) fn context(&self) -> &Rc<Context> {
        self.model.context()
    }

    /// The values of the constants that have one.
    pub(crate) fn constants(&self) -> Result<Vec<(Name, TermValue)>, Error> {
        self.constants_as(|value| self.value(value))
    }

    /// The constants that have a value, and what it is read as.
    pub(super) fn constants_as<T>(
        &self,
        read: impl Fn(&Ast) -> Result<T, Error>,
    ) -> Result<Vec<(Name, T)>, Error> {
        let context = self.model.context();
        let (raw, model) = (context.raw(), self.model.raw());
        let mut values = Vec::new();
        // SAFETY: the model keeps its declarations and values while it is held.
        unsafe {
            for index in 0..Z3_model_get_num_consts(raw, model) {
                let decl = context.made(Z3_model_get_const_decl(raw, model, index))?;
                let Some(name) = name_of(context, decl)? else {
                    continue;
                };
                let value = Z3_model_get_const_interp(raw, model, decl);
                values.push((name, read(&Counted::new(context, value)?)?));
            }
        }
        Ok(values)
    }

    /// The values of the functions that have one.
    pub(crate) fn functions(&self) -> Result<Vec<(Name, FunctionValue)>, Error> {
        let context = self.model.context();
        let (raw, model) = (context.raw(), self.model.raw());
        let mut values = Vec::new();
        // SAFETY: the model keeps its declarations and values while it is held.
        unsafe {
            for index in 0..Z3_model_get_num_funcs(raw, model) {
                let decl = context.made(Z3_model_get_func_decl(raw, model, index))?;
                if let Some(name) = name_of(context, decl)? {
                    values.push((name, self.function(decl)?));
                }
            }
        }
        Ok(values)
    }

    fn function(&self, decl: Z3_func_decl) -> Result<FunctionValue, Error> {
        let context = self.model.context();
        let raw = context.raw();
        // SAFETY: what is asked for is held while it is read.
        unsafe {
            let table = Z3_model_get_func_interp(raw, self.model.raw(), decl);
            let table = Counted::new(context, table)?;
            let default = match Z3_func_interp_get_else(raw, table.raw()) {
                Some(ast) => self.value(&Counted::new(context, Some(ast))?)?,
                None => TermValue::zero(sort(context, Z3_get_range(raw, decl))?),
            };
            let mut value = FunctionValue::constant(default);
            for index in 0..Z3_func_interp_get_num_entries(raw, table.raw()) {
                let entry = Z3_func_interp_get_entry(raw, table.raw(), index);
                let entry = Counted::new(context, entry)?;
                let mut arguments = Vec::new();
                for place in 0..Z3_func_entry_get_num_args(raw, entry.raw()) {
                    let argument = Z3_func_entry_get_arg(raw, entry.raw(), place);
                    arguments.push(self.value(&Counted::new(context, argument)?)?);
                }
                let result = Z3_func_entry_get_value(raw, entry.raw());
                let result = self.value(&Counted::new(context, result)?)?;
                value.entries.insert(arguments, result);
            }
            Ok(value)
        }
    }

    /// The value that a term is.
    fn value(&self, ast: &Ast) -> Result<TermValue, Error> {
        value(self.model.context(), ast, &|decl| self.function(decl))
    }
}

/// What a function that stands for an array is.
type FunctionOf<'f> = &'f dyn Fn(Z3_func_decl) -> Result<FunctionValue, Error>;

/// The value that a term without constants is.
pub(super) fn ground_value(context: &Rc<Context>, ast: &Ast) -> Result<TermValue, Error> {
    value(context, ast, &|_| Err("an array that is a function".into()))
}

fn value(context: &Rc<Context>, ast: &Ast, function: FunctionOf<'_>) -> Result<TermValue, Error> {
    match sort_of(context, ast)? {
        Sort::Array => array(context, ast, function).map(TermValue::Array),
        Sort::Bool | Sort::Int | Sort::Real => number(context, ast),
    }
}

/// Z3 writes arrays as chains of stores into a constant one, or as functions.
fn array(context: &Rc<Context>, ast: &Ast, function: FunctionOf<'_>) -> Result<ArrayValue, Error> {
    let raw = context.raw();
    let mut stores = Vec::new();
    let mut ast = ast.clone();
    // SAFETY: what is asked for is held while it is read.
    let base = unsafe {
        loop {
            if Z3_is_as_array(raw, ast.raw()) {
                let decl = context.made(Z3_get_as_array_func_decl(raw, ast.raw()))?;
                break array_of(function(decl)?)?;
            }
            let app = context.made(Z3_to_app(raw, ast.raw()))?;
            let decl = context.made(Z3_get_app_decl(raw, app))?;
            let part = |index| Counted::new(context, Z3_get_app_arg(raw, app, index));
            match Z3_get_decl_kind(raw, decl) {
                DeclKind::ConstArray => {
                    break ArrayValue::constant(integer(number(context, &part(0)?)?)?);
                }
                DeclKind::Store => {
                    let index = integer(number(context, &part(1)?)?)?;
                    stores.push((index, integer(number(context, &part(2)?)?)?));
                    ast = part(0)?;
                }
                _ => return Err("an array in the model that is none".into()),
            }
        }
    };
    // The outermost store comes last.
    let fill = |array: ArrayValue, (index, element)| array.store(index, element);
    Ok(stores.into_iter().rev().fold(base, fill))
}

/// What a declaration is called, if the name is one of ours.
pub(super) fn name_of(context: &Rc<Context>, decl: Z3_func_decl) -> Result<Option<Name>, Error> {
    let raw = context.raw();
    // SAFETY: the model that has the declaration is held.
    unsafe {
        let symbol = context.made(Z3_get_decl_name(raw, decl))?;
        Ok(match Z3_get_symbol_kind(raw, symbol) {
            SymbolKind::Int => Name::of_number(Z3_get_symbol_int(raw, symbol)),
            SymbolKind::String => None,
        })
    }
}

/// The sort of a term, if it is one of ours.
pub(super) fn sort_of(context: &Rc<Context>, ast: &Ast) -> Result<Sort, Error> {
    // SAFETY: the term is held.
    sort(context, unsafe { Z3_get_sort(context.raw(), ast.raw()) })
}

pub(super) fn sort(context: &Rc<Context>, sort: Option<Z3_sort>) -> Result<Sort, Error> {
    let sort = context.made(sort)?;
    let sorts = [
        (context.bool_sort, Sort::Bool),
        (context.int_sort, Sort::Int),
        (context.real_sort, Sort::Real),
        (context.array_sort, Sort::Array),
    ];
    let found = sorts.iter().find(|(raw, _)| *raw == sort);
    let (_, sort) = found.ok_or("a value of an unknown sort")?;
    Ok(*sort)
}

/// The truth value or number that a term is.
pub(super) fn number(context: &Rc<Context>, ast: &Ast) -> Result<TermValue, Error> {
    let raw = context.raw();
    // SAFETY: the term is held; the text is copied before the next call.
    unsafe {
        let of_sort = sort_of(context, ast)?;
        match of_sort {
            Sort::Bool => match Z3_get_bool_value(raw, ast.raw()) {
                Z3_L_TRUE => Ok(TermValue::Bool(true)),
                Z3_L_FALSE => Ok(TermValue::Bool(false)),
                _ => Err("a truth value in the model that is none".into()),
            },
            Sort::Int | Sort::Real | Sort::Array => {
                let mut small = 0;
                let value = match Z3_get_ast_kind(raw, ast.raw()) {
                    AstKind::Numeral if Z3_get_numeral_int64(raw, ast.raw(), &mut small) => {
                        Rational::from(Integer::from(small))
                    }
                    AstKind::Numeral => rational(&text(Z3_get_numeral_string(raw, ast.raw())))?,
                    _ => return Err("a number in the model that is none".into()),
                };
                match value.to_integer() {
                    Some(value) if of_sort == Sort::Int => Ok(TermValue::Int(value.clone())),
                    _ => Ok(TermValue::Real(value)),
                }
            }
        }
    }
}

/// Z3 writes `-3` or `-1/2`.
fn rational(text: &str) -> Result<Rational, Error> {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let number = |part: &str| -> Result<Integer, Error> {
        part.trim()
            .parse()
            .map_err(|_| format!("{text} is no number"))
    };
    let (above, below) = (number(above)?, number(below)?);
    if below.is_zero() {
        return Err(format!("{text} is no number"));
    }
    Ok(Rational::new(above, below))
}

fn integer(value: TermValue) -> Result<Integer, Error> {
    match value {
        TermValue::Int(value) => Ok(value),
        TermValue::Bool(_) | TermValue::Real(_) | TermValue::Array(_) => {
            Err("an element in the model that is no integer".into())
        }
    }
}

/// The array that a function of one argument is.
fn array_of(function: FunctionValue) -> Result<ArrayValue, Error> {
    let mut array = ArrayValue::constant(integer(function.default)?);
    for (arguments, element) in function.entries {
        let index = arguments
            .into_iter()
            .next()
            .ok_or("an array without an index")?;
        array = array.store(integer(index)?, integer(element)?);
    }
    Ok(array)
}
