//! Equalities solved for a symbol.

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
