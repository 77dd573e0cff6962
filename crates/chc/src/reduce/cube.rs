//! Which symbols a conjunction of literals ties together, and which values it leaves to the others.

use crate::groups::Groups;
use crate::solved::equal_terms;
use logic::{Node, SymbolId, TermId, TermStore, TermValue};
use std::collections::{BTreeMap, BTreeSet};

/// Literals, by the symbols that they are about. Symbols that are equal are one group.
pub(super) struct Cube {
    equal: Groups<SymbolId>,
    /// Those about one group alone.
    about: BTreeMap<SymbolId, Vec<TermId>>,
    /// Groups that other literals are about.
    tied: BTreeSet<SymbolId>,
}

impl Cube {
    /// Sorts literals.
    pub(super) fn of(store: &TermStore, literals: Vec<TermId>) -> Cube {
        let mut cube = Cube {
            equal: Groups::default(),
            about: BTreeMap::new(),
            tied: BTreeSet::new(),
        };
        let mut others = Vec::new();
        for literal in literals {
            match equal_symbols(store, literal) {
                Some(both) => cube.equal.join(both),
                None => others.push(literal),
            }
        }
        for literal in others {
            let symbols = store.symbols_of(&[literal]).into_iter();
            let groups: BTreeSet<SymbolId> = symbols.map(|it| cube.equal.root(it)).collect();
            match groups.len() {
                1 => {
                    for group in groups {
                        cube.about.entry(group).or_default().push(literal);
                    }
                }
                _ => cube.tied.extend(groups),
            }
        }
        cube
    }

    /// The group of a term that is a symbol, if nothing ties it to others.
    pub(super) fn group(&mut self, store: &TermStore, term: TermId) -> Option<SymbolId> {
        let Node::Symbol(symbol) = store.node(term) else {
            return None;
        };
        let group = self.equal.root(*symbol);
        (!self.tied.contains(&group)).then_some(group)
    }

    /// Whether the symbols of a group that is not tied may have a value.
    pub(super) fn allows(&self, store: &TermStore, group: SymbolId, value: &TermValue) -> bool {
        let mut literals = self.about.get(&group).into_iter().flatten();
        literals.all(|&literal| {
            let holds = store.evaluate(literal, &|_| Some(value.clone()));
            holds == Some(TermValue::Bool(true))
        })
    }
}

/// Two symbols that a literal says are equal.
fn equal_symbols(store: &TermStore, literal: TermId) -> Option<[SymbolId; 2]> {
    let [a, b] = equal_terms(store, literal)?;
    match (store.node(a), store.node(b)) {
        (Node::Symbol(a), Node::Symbol(b)) => Some([*a, *b]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::{Integer, Sort};

    /// `x = y`, `y != 3`, `z <= w`: the first two go together, the others are tied.
    #[test]
    fn equal_symbols_have_the_same_values_and_tied_ones_have_none() {
        let mut store = TermStore::new();
        let [x, y, z, w] = ["x", "y", "z", "w"].map(|name| store.fresh(name, Sort::Int));
        let equal = store.eq(x, y);
        let is_three = store.equals(y, 3i64);
        let literals = vec![equal, store.not(is_three), store.le(z, w)];
        let mut cube = Cube::of(&store, literals);
        let group = cube.group(&store, x).expect("nothing ties x");
        assert_eq!(cube.group(&store, y), Some(group));
        assert_eq!(cube.group(&store, z), None);
        let number = |value: i64| TermValue::Int(Integer::from(value));
        assert!(cube.allows(&store, group, &number(2)));
        assert!(!cube.allows(&store, group, &number(3)));
    }
}
