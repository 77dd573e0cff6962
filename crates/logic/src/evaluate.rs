//! Values, and the values of terms.

use crate::sparse::Coefficient;
use crate::term::{FunctionId, Node, Sort, SymbolId, TermId, TermStore};
use crate::{Integer, Rational};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The value of a term.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TermValue {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Integer),
    /// A real number.
    Real(Rational),
    /// An array.
    Array(ArrayValue),
}

/// An array that has the same element at all indices but some.
///
/// # Invariants
/// - No entry has that element, so equal arrays are equal as `Eq`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayValue {
    default: Integer,
    entries: BTreeMap<Integer, Integer>,
}

impl ArrayValue {
    /// The array that has one element everywhere.
    pub fn constant(default: Integer) -> Self {
        ArrayValue {
            default,
            entries: BTreeMap::new(),
        }
    }

    /// The element at an index.
    pub fn select(&self, index: &Integer) -> &Integer {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// The array with another element at an index.
    pub fn store(mut self, index: Integer, element: Integer) -> Self {
        if element == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, element);
        }
        self
    }

    /// The element at all indices without an entry.
    pub fn default_element(&self) -> &Integer {
        &self.default
    }

    /// The elements that are other ones, by index.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (&Integer, &Integer)> {
        self.entries.iter()
    }
}

/// A function that has the same value for all arguments but some.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionValue {
    /// Its value where there is no entry.
    pub default: TermValue,
    /// Its values by arguments.
    pub entries: BTreeMap<Vec<TermValue>, TermValue>,
}

impl FunctionValue {
    /// The function that has one value everywhere.
    pub fn constant(default: TermValue) -> Self {
        FunctionValue {
            default,
            entries: BTreeMap::new(),
        }
    }

    /// Its value for some arguments.
    pub fn apply(&self, arguments: &[TermValue]) -> &TermValue {
        self.entries.get(arguments).unwrap_or(&self.default)
    }
}

/// What symbols and functions stand for.
pub trait Interpretation {
    /// The value of a symbol, if it is known.
    fn symbol(&self, symbol: SymbolId) -> Option<TermValue>;
    /// The value of a function for some arguments, if it is known.
    fn apply(&self, function: FunctionId, arguments: &[TermValue]) -> Option<TermValue>;
}

/// An interpretation by tables.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Assignment {
    /// The values of symbols.
    pub symbols: FxHashMap<SymbolId, TermValue>,
    /// The values of functions.
    pub functions: FxHashMap<FunctionId, FunctionValue>,
}

impl Interpretation for Assignment {
    fn symbol(&self, symbol: SymbolId) -> Option<TermValue> {
        self.symbols.get(&symbol).cloned()
    }

    fn apply(&self, function: FunctionId, arguments: &[TermValue]) -> Option<TermValue> {
        Some(self.functions.get(&function)?.apply(arguments).clone())
    }
}

/// Only symbols.
impl Interpretation for &dyn Fn(SymbolId) -> Option<TermValue> {
    fn symbol(&self, symbol: SymbolId) -> Option<TermValue> {
        self(symbol)
    }

    fn apply(&self, _: FunctionId, _: &[TermValue]) -> Option<TermValue> {
        None
    }
}

type Values = FxHashMap<TermId, Option<TermValue>>;

impl TermStore {
    /// The value of a term, given those of its symbols; `None` if it needs one that is missing.
    pub fn evaluate(
        &self,
        term: TermId,
        value_of: &dyn Fn(SymbolId) -> Option<TermValue>,
    ) -> Option<TermValue> {
        self.evaluate_in(term, &value_of)
    }

    /// The value of a term under an interpretation; `None` if it needs a value that is missing.
    pub fn evaluate_in(&self, term: TermId, by: &dyn Interpretation) -> Option<TermValue> {
        self.evaluate_all_in(&[term], by).remove(&term).flatten()
    }

    /// The values of some terms and of all that they are made of, under an interpretation.
    pub fn evaluate_all_in(
        &self,
        roots: &[TermId],
        by: &dyn Interpretation,
    ) -> FxHashMap<TermId, Option<TermValue>> {
        let mut values = Values::default();
        for term in self.below(roots) {
            let value = self.step(term, &values, by);
            debug_assert!(
                value
                    .as_ref()
                    .is_none_or(|value| value.sort() == self.sort(term))
            );
            values.insert(term, value);
        }
        values
    }

    fn step(&self, term: TermId, values: &Values, by: &dyn Interpretation) -> Option<TermValue> {
        let int = |term: &TermId| values[term].as_ref()?.as_int();
        let real = |term: &TermId| values[term].as_ref()?.as_real();
        let array = |term: &TermId| values[term].as_ref()?.as_array();
        let truth = |term: &TermId| values[term].as_ref()?.as_bool();
        Some(match self.node(term) {
            Node::Bool(value) => TermValue::Bool(*value),
            Node::Int(value) => TermValue::Int(value.clone()),
            Node::Real(value) => TermValue::Real(value.clone()),
            Node::Symbol(symbol) => by.symbol(*symbol)?,
            Node::Sum(constant, parts) => TermValue::Int(sum(constant, parts, int)?),
            Node::RealSum(constant, parts) => TermValue::Real(sum(constant, parts, real)?),
            Node::Div(a, divisor) => TermValue::Int(int(a)?.div_floor(divisor)),
            Node::Mod(a, divisor) => TermValue::Int(int(a)?.mod_floor(divisor)),
            // Only the branch taken need have a value.
            Node::Ite(condition, then, otherwise) => {
                let taken = if truth(condition)? { then } else { otherwise };
                values[taken].clone()?
            }
            Node::ToReal(a) => TermValue::Real(int(a)?.into()),
            Node::Apply(function, arguments) => {
                let arguments: Option<Vec<TermValue>> =
                    arguments.iter().map(|a| values[a].clone()).collect();
                by.apply(*function, &arguments?)?
            }
            Node::Select(a, index) => TermValue::Int(array(a)?.select(int(index)?).clone()),
            Node::Store(a, index, element) => {
                let (index, element) = (int(index)?.clone(), int(element)?.clone());
                TermValue::Array(array(a)?.clone().store(index, element))
            }
            Node::ConstantArray(element) => {
                TermValue::Array(ArrayValue::constant(int(element)?.clone()))
            }
            Node::AtMostZero(sum) => TermValue::Bool(int(sum)?.signum() <= 0),
            Node::IsZero(sum) => TermValue::Bool(int(sum)?.is_zero()),
            Node::Divides(divisor, sum) => TermValue::Bool(int(sum)?.mod_floor(divisor).is_zero()),
            Node::Below(sum) => TermValue::Bool(real(sum)?.signum() < 0),
            Node::RealIsZero(sum) => TermValue::Bool(real(sum)?.is_zero()),
            Node::SameArray(a, b) => TermValue::Bool(array(a)? == array(b)?),
            Node::Not(a) => TermValue::Bool(!truth(a)?),
            Node::And(parts) => TermValue::Bool(junction(parts.iter().map(truth), true)?),
            Node::Or(parts) => TermValue::Bool(junction(parts.iter().map(truth), false)?),
        })
    }
}

impl TermValue {
    /// Its sort.
    pub fn sort(&self) -> Sort {
        match self {
            TermValue::Bool(_) => Sort::Bool,
            TermValue::Int(_) => Sort::Int,
            TermValue::Real(_) => Sort::Real,
            TermValue::Array(_) => Sort::Array,
        }
    }

    /// Zero, false, or the array of zeros.
    pub fn zero(sort: Sort) -> TermValue {
        match sort {
            Sort::Bool => TermValue::Bool(false),
            Sort::Int => TermValue::Int(Integer::ZERO),
            Sort::Real => TermValue::Real(Rational::ZERO),
            Sort::Array => TermValue::Array(ArrayValue::constant(Integer::ZERO)),
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            TermValue::Bool(value) => Some(*value),
            TermValue::Int(_) | TermValue::Real(_) | TermValue::Array(_) => None,
        }
    }

    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<&Integer> {
        match self {
            TermValue::Int(value) => Some(value),
            TermValue::Bool(_) | TermValue::Real(_) | TermValue::Array(_) => None,
        }
    }

    /// The real number, if it is one.
    pub fn as_real(&self) -> Option<&Rational> {
        match self {
            TermValue::Real(value) => Some(value),
            TermValue::Bool(_) | TermValue::Int(_) | TermValue::Array(_) => None,
        }
    }

    /// The array, if it is one.
    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            TermValue::Array(value) => Some(value),
            TermValue::Bool(_) | TermValue::Int(_) | TermValue::Real(_) => None,
        }
    }
}

/// A constant and multiples of terms, if the values of all of these are known.
fn sum<'v, C: Coefficient + 'v>(
    constant: &C,
    parts: &[(TermId, C)],
    value: impl Fn(&TermId) -> Option<&'v C>,
) -> Option<C> {
    let mut parts = parts.iter();
    parts.try_fold(constant.clone(), |sum, (part, factor)| {
        Some(sum.plus_product(value(part)?, factor))
    })
}

/// One member that is not `neutral` decides; otherwise all must be known.
fn junction(members: impl Iterator<Item = Option<bool>>, neutral: bool) -> Option<bool> {
    let mut known = true;
    for member in members {
        match member {
            Some(value) if value != neutral => return Some(value),
            Some(_) => {}
            None => known = false,
        }
    }
    known.then_some(neutral)
}
