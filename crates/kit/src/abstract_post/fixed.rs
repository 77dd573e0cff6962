//! Blocks specialised to known values of some variables: most of a large block is then infeasible.
//!
//! A state machine with many states does all its work in one loop, and a block of it describes the
//! steps of all states. An abstract state that fixes the control state leaves little of that
//! formula, and queries about the rest are easy.

use encode::Context;
use encode::Substitution;
use encode::transition::TransitionFormula;
use logic::{Integer, Node, SymbolId, TermId, TermStore};
use std::collections::BTreeMap;

/// What some symbols are equal to.
pub(super) type Values = BTreeMap<SymbolId, TermId>;

/// From how many terms on a formula is large.
const LARGE: usize = 300;

/// Whether a step is large enough for its special cases to be worth having.
pub(super) fn is_large(store: &TermStore, step: &TransitionFormula) -> bool {
    store.below(&[step.guard]).len() >= LARGE
}

/// The values that literals say.
pub(super) fn values<'l>(
    store: &mut TermStore,
    literals: impl Iterator<Item = &'l TermId>,
) -> Values {
    let mut found = Values::new();
    for &literal in literals {
        if let Some((symbol, value)) = equation(store, literal) {
            found.insert(symbol, store.int(value));
        }
    }
    found
}

/// The same step, for states in which symbols have these values.
pub(super) fn specialised(
    ctx: &mut Context,
    step: &TransitionFormula,
    values: &Values,
) -> TransitionFormula {
    let map: Substitution = values.iter().map(|(&key, &value)| (key, value)).collect();
    let mut parts = vec![ctx.store.substitute(step.guard, &map)];
    for (&symbol, &value) in values {
        let symbol = ctx.store.of_symbol(symbol);
        parts.push(ctx.store.eq(symbol, value));
    }
    let guard = ctx.store.and(&parts);
    TransitionFormula {
        guard: ctx.store.simplify(guard),
        ..step.clone()
    }
}

/// A literal as an equation of a symbol and a number.
fn equation(store: &TermStore, literal: TermId) -> Option<(SymbolId, Integer)> {
    let Node::IsZero(sum) = store.node(literal) else {
        return None;
    };
    let (constant, parts) = store.to_linear(*sum);
    let [(part, factor)] = &parts[..] else {
        return None;
    };
    match store.node(*part) {
        Node::Symbol(symbol) if factor.is_one() => Some((*symbol, -&constant)),
        Node::Symbol(symbol) if (-factor).is_one() => Some((*symbol, constant)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Budget;
    use logic::Sort;

    #[test]
    fn values_are_read_off_equations() {
        let mut store = TermStore::new();
        let [x, y] = ["x", "y"].map(|name| store.fresh(name, Sort::Int));
        let [zero, five] = [0i64, 5].map(|value| store.int(value));
        let negated = store.neg(x);
        let (minus, other) = (store.int(-5i64), store.eq(y, zero));
        let literals = [
            store.eq(x, five),
            store.eq(negated, minus),
            store.le(x, five),
            store.eq(x, y),
        ];
        let found = literals.map(|row| values(&mut store, [row].iter()));
        assert_eq!(found.clone().map(|row| row.len()), [1, 1, 0, 0]);
        assert_eq!(found[0], found[1]);
        assert_eq!(found[0].values().next(), Some(&five));
        let not = store.not(literals[0]);
        assert!(values(&mut store, [not].iter()).is_empty());
        assert_eq!(
            values(&mut store, [other].iter()).values().next(),
            Some(&zero)
        );
    }

    /// Of a choice between many values only the one that is known is left.
    #[test]
    fn a_known_value_leaves_one_way() {
        let program = program::testing::parse_main("x: i32", "l0:\n e0: x := 0i32 -> l1");
        let mut ctx = Context::new(&program, &Budget::unlimited());
        let (x, next) = {
            let x = ctx.before(base::Id::from_index(0));
            (x, ctx.store.fresh("next", Sort::Int))
        };
        let ways: Vec<TermId> = (0..100i64)
            .map(|value| {
                let [now, then] = [value, 2 * value + 1].map(|value| ctx.store.int(value));
                let parts = [ctx.store.eq(x, now), ctx.store.eq(next, then)];
                ctx.store.and(&parts)
            })
            .collect();
        let step = TransitionFormula {
            map: BTreeMap::from([(base::Id::from_index(0), next)]),
            guard: ctx.store.or(&ways),
            exact: false,
        };
        assert!(is_large(&ctx.store, &step));
        let seven = ctx.store.int(7i64);
        let known = ctx.store.eq(x, seven);
        let known = values(&mut ctx.store, [known].iter());
        let special = specialised(&mut ctx, &step, &known);
        assert!(!is_large(&ctx.store, &special));
        let fifteen = ctx.store.int(15i64);
        let parts = [ctx.store.eq(x, seven), ctx.store.eq(next, fifteen)];
        let expected = ctx.store.and(&parts);
        assert_eq!(special.guard, expected);
    }
}
