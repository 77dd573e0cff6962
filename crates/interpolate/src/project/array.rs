//! Array reads, as far as they stand in the way of projection.
//!
//! A read over a write is decided by the model: it is the element written or a read of the array
//! before. Writes to an array are undone if the result is another array. An array that is only read
//! is eliminated: each element read gets a name, and the model says which indices are equal and in
//! what order the others are.

use super::number;
use logic::{
    FunctionId, Integer, Interpretation, Node, Sort, SymbolId, TermId, TermStore, TermValue,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A model with values of more symbols.
pub(super) struct Extended<'a> {
    pub(super) model: &'a dyn Interpretation,
    pub(super) more: BTreeMap<SymbolId, TermValue>,
}

impl Interpretation for Extended<'_> {
    fn symbol(&self, symbol: SymbolId) -> Option<TermValue> {
        let more = self.more.get(&symbol).cloned();
        more.or_else(|| self.model.symbol(symbol))
    }

    fn apply(&self, function: FunctionId, arguments: &[TermValue]) -> Option<TermValue> {
        self.model.apply(function, arguments)
    }
}

/// The literals with one read past a write decided; `None` if none of the terms that matter is one.
pub(super) fn past_write(
    store: &mut TermStore,
    literals: &[TermId],
    matter: &FxHashSet<TermId>,
    model: &dyn Interpretation,
) -> Option<Vec<TermId>> {
    let below = store.below(literals).into_iter();
    let found = below.filter(|term| matter.contains(term)).find_map(|term| {
        let Node::Select(array, index) = *store.node(term) else {
            return None;
        };
        match *store.node(array) {
            Node::Store(before, at, element) => Some((term, index, before, at, element)),
            _ => None,
        }
    });
    let (term, index, before, at, element) = found?;
    let order = (number(store, index, model).ok()?).cmp(&number(store, at, model).ok()?);
    let (reason, read) = match order {
        std::cmp::Ordering::Equal => (store.eq(index, at), element),
        std::cmp::Ordering::Less => (store.lt(index, at), store.select(before, index)),
        std::cmp::Ordering::Greater => (store.lt(at, index), store.select(before, index)),
    };
    let mut all = literals.to_vec();
    all.push(reason);
    Some(store.replace_all(&all, &FxHashMap::from_iter([(term, read)])))
}

/// The literals with names for the elements of an array, and the values of these; `None` if the
/// array is not only read.
pub(super) fn unread(
    store: &mut TermStore,
    literals: &[TermId],
    array: TermId,
    model: &dyn Interpretation,
) -> Option<(Vec<TermId>, BTreeMap<SymbolId, TermValue>)> {
    if store.sort(array) != Sort::Array {
        return None;
    }
    // By the values of their indices.
    let mut reads: BTreeMap<Integer, Vec<(TermId, TermId)>> = BTreeMap::new();
    for term in store.below(literals) {
        match *store.node(term) {
            Node::Select(read, index) if read == array => {
                let place = number(store, index, model).ok()?;
                reads.entry(place).or_default().push((term, index));
            }
            _ if store.parts(term).contains(&array) => return None,
            _ => {}
        }
    }
    let (mut all, mut names, mut values) =
        (literals.to_vec(), FxHashMap::default(), BTreeMap::new());
    let mut last = None;
    for same in reads.values() {
        let (read, first) = same[0];
        let symbol = store.new_symbol("element", Sort::Int);
        values.insert(symbol, store.evaluate_in(read, model)?);
        let name = store.of_symbol(symbol);
        for &(read, index) in same {
            names.insert(read, name);
            all.push(store.eq(index, first));
        }
        if let Some(last) = last.replace(first) {
            all.push(store.lt(last, first));
        }
    }
    Some((store.replace_all(&all, &names), values))
}

/// The literals with writes to an array undone that equal another array: the other array has what
/// was written, and what was there before gets a name. `None` if there is no such equality.
pub(super) fn unwrite(
    store: &mut TermStore,
    literals: &[TermId],
    array: TermId,
    model: &dyn Interpretation,
) -> Option<(Vec<TermId>, BTreeMap<SymbolId, TermValue>)> {
    let base = |mut side: TermId| {
        while let Node::Store(before, ..) = *store.node(side) {
            side = before;
        }
        side
    };
    let (equality, mut written, mut other) = literals.iter().find_map(|&literal| {
        let Node::SameArray(a, b) = *store.node(literal) else {
            return None;
        };
        let fits = |side, other| {
            side != array && base(side) == array && !store.below(&[other]).contains(&array)
        };
        match (fits(a, b), fits(b, a)) {
            (true, _) => Some((literal, a, b)),
            (false, true) => Some((literal, b, a)),
            (false, false) => None,
        }
    })?;
    let mut all: Vec<TermId> = literals
        .iter()
        .copied()
        .filter(|&it| it != equality)
        .collect();
    let mut values = BTreeMap::new();
    while let Node::Store(before, index, element) = *store.node(written) {
        let read = store.select(other, index);
        all.push(store.eq(read, element));
        let symbol = store.new_symbol("element", Sort::Int);
        let old = store.select(before, index);
        values.insert(symbol, store.evaluate_in(old, model)?);
        let name = store.of_symbol(symbol);
        other = store.store(other, index, name);
        written = before;
    }
    all.push(store.eq(written, other));
    Some((all, values))
}
