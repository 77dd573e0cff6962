//! Which symbols and functions may be used in which part.
//!
//! A symbol that occurs in two parts may be used in all parts between them: on every cut that
//! separates such a part from one of its occurrences, it is shared. So facts about such symbols
//! there never prevent an interpolant.

use crate::PartSet;
use crate::shape::{Problem, Shape};
use logic::{FunctionId, SymbolId, TermId, TermStore};
use rustc_hash::FxHashMap;

/// What a term is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Name {
    Symbol(SymbolId),
    Function(FunctionId),
}

/// The parts in which each symbol and function can be mentioned.
#[derive(Clone, Debug)]
pub struct Scopes {
    all: PartSet,
    names: FxHashMap<Name, PartSet>,
    terms: FxHashMap<TermId, PartSet>,
}

impl Scopes {
    /// Of the symbols of some parts.
    pub fn new(store: &TermStore, Problem { parts, shape }: Problem<'_>) -> Scopes {
        let mut names: FxHashMap<Name, PartSet> = FxHashMap::default();
        for (part, &formula) in parts.iter().enumerate() {
            for name in names_of(store, formula) {
                names.entry(name).or_default().insert(part);
            }
        }
        let names = names.into_iter();
        let names = names
            .map(|(name, ends)| (name, between(shape, &ends)))
            .collect();
        Scopes {
            all: (0..parts.len()).collect(),
            names,
            terms: FxHashMap::default(),
        }
    }

    /// The parts in which a term can be mentioned.
    pub fn of_term(&mut self, store: &TermStore, term: TermId) -> PartSet {
        if let Some(known) = self.terms.get(&term) {
            return known.clone();
        }
        let mut common = self.all.clone();
        for name in names_of(store, term) {
            match self.names.get(&name) {
                Some(scope) => common.intersect(scope),
                None => common = PartSet::default(),
            }
        }
        self.terms.insert(term, common.clone());
        common
    }

    /// Makes a symbol known to a single part.
    pub fn declare(&mut self, symbol: SymbolId, part: usize) {
        self.names
            .insert(Name::Symbol(symbol), [part].into_iter().collect());
    }
}

fn names_of(store: &TermStore, term: TermId) -> Vec<Name> {
    let symbols = store.symbols_of(&[term]).into_iter().map(Name::Symbol);
    let functions = store.functions_of(&[term]).into_iter().map(Name::Function);
    symbols.chain(functions).collect()
}

/// The parts on the ways between some parts.
fn between(shape: &Shape, ends: &PartSet) -> PartSet {
    let count = shape.len();
    let total = (0..count).filter(|&part| ends.contains(part)).count();
    let mut below = vec![0; count];
    let mut branches = vec![0; count];
    for part in 0..count {
        below[part] += usize::from(ends.contains(part));
        if let Some(parent) = shape.parent(part) {
            below[parent] += below[part];
            branches[parent] += usize::from(below[part] > 0);
        }
    }
    let is_between = |&part: &usize| {
        let passes = below[part] > 0 && below[part] < total;
        ends.contains(part) || passes || branches[part] > 1
    };
    (0..count).filter(is_between).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_between_is_in_scope() {
        let shape = Shape::tree(&[2, 2, 5, 4, 5]).expect("it should be in order");
        let scope = |ends: &[usize]| {
            let scope = between(&shape, &ends.iter().copied().collect());
            (0..6)
                .filter(|&part| scope.contains(part))
                .collect::<Vec<_>>()
        };
        assert_eq!(scope(&[0, 1]), [0, 1, 2]);
        assert_eq!(scope(&[0, 3]), [0, 2, 3, 4, 5]);
        assert_eq!(scope(&[3]), [3]);
        assert_eq!(scope(&[0, 2]), [0, 2]);
    }
}
