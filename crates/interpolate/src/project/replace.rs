//! Eliminates symbols outside arithmetic: inside functions and arrays.
//!
//! Such a symbol can only be replaced by a term that equals it in the model: by one that the cube
//! says is equal, or else by one of the cube's own terms. An array that is only read is eliminated
//! without one ([`array`](super::array)).

use super::array::{Extended, past_write, unread, unwrite};
use super::{Stuck, occurring};
use logic::sparse::Linear;
use logic::{Interpretation, Node, SymbolId, TermId, TermStore, TermValue};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The literals without symbols to eliminate inside functions and arrays; they hold in the model
/// and imply that these symbols exist. The model and the symbols may get names of elements.
pub(super) fn replace(
    store: &mut TermStore,
    mut literals: Vec<TermId>,
    eliminate: &mut BTreeSet<SymbolId>,
    model: &mut Extended<'_>,
) -> Result<Vec<TermId>, Stuck> {
    loop {
        literals.retain(|&literal| store.as_bool(literal).is_none());
        let occurring = occurring(store, &literals, eliminate);
        let Some((term, inside)) = foreign(store, &literals, &occurring) else {
            return Ok(literals);
        };
        if let Some(decided) = past_write(store, &literals, &occurring, model) {
            literals = decided;
            continue;
        }
        // To solve for a symbol loses nothing, wherever it stands.
        let anywhere = symbols_in(store, &literals, &occurring);
        let said = (inside.iter().chain(&anywhere))
            .find_map(|&symbol| Some((symbol, said_term(store, &literals, symbol, &occurring)?)));
        let named = inside
            .iter()
            .filter(|_| said.is_none())
            .find_map(|&symbol| {
                let undone = unwrite(store, &literals, symbol, model);
                undone.or_else(|| unread(store, &literals, symbol, model))
            });
        if let Some((renamed, values)) = named {
            literals = renamed;
            eliminate.extend(values.keys());
            model.more.extend(values);
            continue;
        }
        let mut equal = inside.iter().filter_map(|&symbol| {
            let by = equal_term(store, &literals, symbol, &occurring, model)?;
            Some((symbol, by))
        });
        let (symbol, by) = said.or_else(|| equal.next()).ok_or(Stuck::Inside(term))?;
        literals = store.replace_all(&literals, &FxHashMap::from_iter([(symbol, by)]));
    }
}

/// A term without arithmetic that has symbols to be eliminated inside, and these.
fn foreign(
    store: &TermStore,
    literals: &[TermId],
    occurring: &FxHashSet<TermId>,
) -> Option<(TermId, Vec<TermId>)> {
    let below = store.below(literals).into_iter();
    let mut inner = below.filter(|&term| {
        let is_foreign = matches!(
            store.node(term),
            Node::Apply(..)
                | Node::Select(..)
                | Node::Store(..)
                | Node::ConstantArray(_)
                | Node::SameArray(..)
        );
        is_foreign && occurring.contains(&term)
    });
    let term = inner.next()?;
    Some((term, symbols_in(store, &[term], occurring)))
}

/// The symbols to be eliminated in some terms.
fn symbols_in(store: &TermStore, terms: &[TermId], occurring: &FxHashSet<TermId>) -> Vec<TermId> {
    let below = store.below(terms).into_iter();
    let symbols = below
        .filter(|part| matches!(store.node(*part), Node::Symbol(_)) && occurring.contains(part));
    symbols.collect()
}

/// A term without the symbol that the cube says is equal to it.
fn said_term(
    store: &mut TermStore,
    literals: &[TermId],
    symbol: TermId,
    occurring: &FxHashSet<TermId>,
) -> Option<TermId> {
    let candidates = literals.iter();
    let candidates = candidates.filter_map(|&literal| solution(store, literal, symbol));
    let mut candidates: Vec<TermId> = candidates.collect();
    candidates.retain(|&term| !store.below(&[term]).contains(&symbol));
    // One without any symbol to eliminate makes an end.
    let clean = |term: &&TermId| {
        let below = store.below(&[**term]);
        below.iter().all(|part| !occurring.contains(part))
    };
    let clean = candidates.iter().find(clean);
    clean.or(candidates.first()).copied()
}

/// A term of the cube without symbols to eliminate that has a symbol's value in the model.
fn equal_term(
    store: &mut TermStore,
    literals: &[TermId],
    symbol: TermId,
    occurring: &FxHashSet<TermId>,
    model: &dyn Interpretation,
) -> Option<TermId> {
    let value = store.evaluate_in(symbol, model)?;
    if let TermValue::Bool(value) = value {
        return Some(store.bool(value));
    }
    let sort = store.sort(symbol);
    let others = store.below(literals).into_iter();
    let mut others = others.filter(|&term| store.sort(term) == sort && !occurring.contains(&term));
    others.find(|&term| store.evaluate_in(term, model).as_ref() == Some(&value))
}

/// What an equality says that a symbol is, if it can be said without a quotient; the symbol may
/// still occur deeper inside.
pub fn solution(store: &mut TermStore, literal: TermId, symbol: TermId) -> Option<TermId> {
    match *store.node(literal) {
        Node::IsZero(sum) => {
            let (constant, parts) = store.to_linear(sum);
            let mut sum = Linear { constant, parts };
            let factor = sum.remove(symbol).filter(|it| it.abs().is_one())?;
            sum.scale(&-&factor);
            Some(store.linear(&sum.constant, &sum.parts))
        }
        Node::RealIsZero(sum) => {
            let (constant, parts) = store.to_real_linear(sum);
            let mut sum = Linear { constant, parts };
            let factor = sum.remove(symbol)?;
            sum.scale(&-&factor.inverse());
            Some(store.real_linear(&sum.constant, &sum.parts))
        }
        Node::SameArray(a, b) if a == symbol => Some(b),
        Node::SameArray(a, b) if b == symbol => Some(a),
        _ => None,
    }
}
