//! Stores that do not grow: terms are dropped again, or imported from another store.

use crate::store_epoch::Epoch;
use crate::term::{FunctionId, Named, Node, Sort, SymbolId, TermId, TermStore};
use rustc_hash::FxHashMap;

/// How much a store had at some time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    terms: usize,
    symbols: usize,
    functions: usize,
}

impl TermStore {
    /// What the store has now.
    pub fn mark(&self) -> Mark {
        Mark {
            terms: self.nodes.len(),
            symbols: self.symbols.len(),
            functions: self.functions.len(),
        }
    }

    /// Drops all terms, symbols and functions that were made after the mark. Their ids are no good
    /// any more, and neither are later marks.
    pub fn release(&mut self, mark: Mark) {
        debug_assert!(
            mark.terms <= self.nodes.len() && mark.symbols <= self.symbols.len(),
            "a mark should be released once, the last one first"
        );
        self.lineage.released(mark.terms);
        while self.nodes.len() > mark.terms {
            self.pop();
        }
        while self.symbols.len() > mark.symbols
            && let Some(symbol) = self.symbols.pop()
        {
            self.names.remove(&symbol.name);
        }
        while self.functions.len() > mark.functions
            && let Some(function) = self.functions.pop()
        {
            self.names.remove(&function.name);
        }
    }

    /// The present epoch in the life of the store.
    pub fn epoch(&self) -> Epoch {
        self.lineage.now()
    }

    /// How many of the terms of a epoch still stand: those with smaller indices. None if the
    /// epoch is another store's.
    pub fn kept_since(&self, epoch: Epoch) -> usize {
        self.lineage.floor(epoch).unwrap_or(self.nodes.len())
    }

    /// Takes a term over from another store. Symbols and functions are those of the same name and
    /// sorts, or new ones. `memo` has what was taken over before, of the same two stores.
    pub fn copy(
        &mut self,
        from: &TermStore,
        term: TermId,
        memo: &mut FxHashMap<TermId, TermId>,
    ) -> TermId {
        for part in from.below_except(&[term], |part| memo.contains_key(&part)) {
            let new = match from.node(part) {
                Node::Symbol(symbol) => {
                    let symbol = self.counterpart(from, *symbol);
                    self.of_symbol(symbol)
                }
                Node::Apply(function, arguments) => {
                    let arguments: Vec<TermId> = arguments.iter().map(|a| memo[a]).collect();
                    let row = from.function(*function);
                    let function = self.function_called(&row.name, &row.arguments, row.result);
                    self.apply(function, &arguments)
                }
                node => self.remade(node, &|part| memo[&part]),
            };
            memo.insert(part, new);
        }
        memo[&term]
    }

    /// The symbol of the same name and sort as one of another store; a new one if there is none.
    pub fn counterpart(&mut self, from: &TermStore, symbol: SymbolId) -> SymbolId {
        let symbol = from.symbol(symbol);
        self.symbol_called(&symbol.name, symbol.sort)
    }

    /// The symbol of a name, if it has that sort; else a new one.
    pub(crate) fn symbol_called(&mut self, name: &str, sort: Sort) -> SymbolId {
        match self.named(name) {
            Some(Named::Symbol(known)) if self.symbol(known).sort == sort => known,
            Some(_) | None => self.new_symbol(name, sort),
        }
    }

    /// The function of a name, if it has these sorts; else a new one.
    pub(crate) fn function_called(
        &mut self,
        name: &str,
        arguments: &[Sort],
        result: Sort,
    ) -> FunctionId {
        if let Some(Named::Function(known)) = self.named(name) {
            let row = self.function(known);
            if *row.arguments == *arguments && row.result == result {
                return known;
            }
        }
        self.new_function(name, arguments, result)
    }
}
