//! What equalities say: the value of a symbol, or that two terms are equal.

use logic::{Integer, Node, SymbolId, TermId, TermStore};

/// The value that a formula says a symbol has, if it says no more.
pub(crate) fn solved_for(
    store: &mut TermStore,
    formula: TermId,
    symbol: SymbolId,
) -> Option<TermId> {
    let term = store.of_symbol(symbol);
    if formula == term {
        return Some(store.bool(true));
    }
    match store.node(formula) {
        Node::Not(inner) if *inner == term => Some(store.bool(false)),
        Node::IsZero(sum) => {
            let (constant, parts) = store.to_linear(*sum);
            let (own, rest): (Vec<_>, Vec<_>) =
                parts.into_iter().partition(|(part, _)| *part == term);
            let [(_, factor)] = &own[..] else {
                return None;
            };
            let inside = rest.iter().map(|(part, _)| *part).collect::<Vec<_>>();
            if store.symbols_of(&inside).contains(&symbol) {
                return None;
            }
            let sign = match factor {
                factor if factor.is_one() => Integer::from(-1i64),
                factor if (-factor).is_one() => Integer::ONE,
                _ => return None,
            };
            let rest: Vec<_> = rest
                .into_iter()
                .map(|(part, factor)| (part, &factor * &sign))
                .collect();
            Some(store.linear(&(&constant * &sign), &rest))
        }
        _ => None,
    }
}

/// The symbol that a formula fixes, and its value.
pub(crate) fn fixed(store: &mut TermStore, formula: TermId) -> Option<(SymbolId, TermId)> {
    let part = match store.node(formula) {
        Node::Not(inner) => *inner,
        Node::IsZero(sum) => match &store.to_linear(*sum).1[..] {
            [(part, _)] => *part,
            _ => return None,
        },
        _ => formula,
    };
    let Node::Symbol(symbol) = *store.node(part) else {
        return None;
    };
    Some((symbol, solved_for(store, formula, symbol)?))
}

/// Two terms that a formula says are equal.
pub(crate) fn equal_terms(store: &TermStore, formula: TermId) -> Option<[TermId; 2]> {
    let Node::IsZero(sum) = store.node(formula) else {
        return None;
    };
    let (constant, parts) = store.to_linear(*sum);
    let [(a, one), (b, other)] = &parts[..] else {
        return None;
    };
    let is_difference = constant.is_zero() && one.abs().is_one() && (one + other).is_zero();
    is_difference.then_some([*a, *b])
}
