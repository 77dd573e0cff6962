//! Models: values of symbols and functions that satisfy formulas.

use crate::z3::build::Name;
use crate::z3::context::Error;
use crate::z3::read::Z3Model;
use base::Id;
use logic::{FunctionId, FunctionValue, Interpretation, SymbolId, TermId, TermStore, TermValue};
use std::collections::BTreeMap;

/// Values of symbols and functions. What has none may have any, and is taken for zero or false.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    symbols: BTreeMap<SymbolId, TermValue>,
    functions: BTreeMap<FunctionId, FunctionValue>,
}

impl Model {
    /// A model with these values.
    pub fn new(
        symbols: impl IntoIterator<Item = (SymbolId, TermValue)>,
        functions: impl IntoIterator<Item = (FunctionId, FunctionValue)>,
    ) -> Model {
        Model {
            symbols: symbols.into_iter().collect(),
            functions: functions.into_iter().collect(),
        }
    }

    pub(crate) fn of_z3(model: &Z3Model) -> Result<Model, Error> {
        let symbols = model.constants()?.into_iter();
        let symbols = symbols.filter_map(|(name, value)| match name {
            Name::Symbol(index) => Some((SymbolId::from_index(index), value)),
            Name::Function(_) | Name::Mark(_) => None,
        });
        let functions = model.functions()?.into_iter();
        let functions = functions.filter_map(|(name, value)| match name {
            Name::Function(index) => Some((FunctionId::from_index(index), value)),
            Name::Symbol(_) | Name::Mark(_) => None,
        });
        Ok(Model::new(symbols, functions))
    }

    /// The functions that have values, in order, and these.
    pub fn functions(&self) -> impl Iterator<Item = (FunctionId, &FunctionValue)> {
        self.functions
            .iter()
            .map(|(function, value)| (*function, value))
    }

    /// The value of a symbol.
    pub fn value(&self, store: &TermStore, symbol: SymbolId) -> TermValue {
        let sort = store.symbol(symbol).sort;
        match self.symbols.get(&symbol) {
            // The model may be older than the symbol, and know another one of that number.
            Some(value) if value.sort() == sort => value.clone(),
            Some(_) | None => TermValue::zero(sort),
        }
    }

    /// This model as an interpretation in which nothing lacks a value.
    pub fn complete<'m>(&'m self, store: &'m TermStore) -> impl Interpretation + 'm {
        Complete { model: self, store }
    }

    /// The value of a term.
    pub fn evaluate(&self, store: &TermStore, term: TermId) -> TermValue {
        store
            .evaluate_in(term, &self.complete(store))
            .expect("a term whose symbols have values should have one")
    }

    /// Whether a formula is true in it.
    pub fn satisfies(&self, store: &TermStore, formula: TermId) -> bool {
        self.evaluate(store, formula) == TermValue::Bool(true)
    }
}

/// A model with the values that it lacks.
struct Complete<'m> {
    model: &'m Model,
    store: &'m TermStore,
}

impl Interpretation for Complete<'_> {
    fn symbol(&self, symbol: SymbolId) -> Option<TermValue> {
        Some(self.model.value(self.store, symbol))
    }

    fn apply(&self, function: FunctionId, arguments: &[TermValue]) -> Option<TermValue> {
        let sort = self.store.function(function).result;
        let known = self.model.functions.get(&function);
        let value = known.map(|function| function.apply(arguments));
        Some(match value {
            Some(value) if value.sort() == sort => value.clone(),
            Some(_) | None => TermValue::zero(sort),
        })
    }
}
