//! Steps by a variable that the loop does not write and that has few values: recurrences on
//! differences for each value.

use super::differences::{differences, many};
use super::{Body, Frame, abstraction};
use encode::Context;
use logic::{Integer, Sort, SymbolId, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// How many values are few.
const FEW: i64 = 16;

/// Recurrences for each value of a constant of the loop.
pub(super) fn facts(ctx: &mut Context, body: &Body, frame: &Frame) -> Vec<TermId> {
    let (vars, terms) = differences(ctx, body);
    let mut facts = Vec::new();
    for symbol in constants(ctx, body, &terms) {
        for (value, is_value) in values(ctx, body, symbol) {
            let map = FxHashMap::from_iter([(symbol, value)]);
            let guard = ctx.store.substitute(body.iteration.guard, &map);
            let terms = ctx.store.substitute_all(&terms, &map);
            let rows = abstraction(ctx, guard).affine_hull(&terms);
            for row in &rows {
                let fact = many(ctx, &vars, frame, row);
                facts.push(ctx.store.implies(is_value, fact));
            }
        }
    }
    facts
}

/// The symbols in differences whose variables the loop does not write.
fn constants(ctx: &Context, body: &Body, terms: &[TermId]) -> BTreeSet<SymbolId> {
    let symbols = ctx.store.symbols_of(terms);
    let is_constant = |symbol: &SymbolId| {
        let var = ctx.state.var(*symbol);
        var.is_some_and(|var| !body.iteration.map.contains_key(&var))
    };
    symbols.into_iter().filter(is_constant).collect()
}

/// The values that a symbol may have in an iteration, if they are few, each with the condition that
/// it is this one.
fn values(ctx: &mut Context, body: &Body, symbol: SymbolId) -> Vec<(TermId, TermId)> {
    let term = ctx.store.of_symbol(symbol);
    if ctx.store.sort(term) == Sort::Bool {
        let negated = ctx.store.not(term);
        return vec![
            (ctx.store.bool(false), negated),
            (ctx.store.bool(true), term),
        ];
    }
    let mut values = Vec::new();
    let Some((mut value, high)) = range(ctx, body, term) else {
        return values;
    };
    while value <= high {
        let number = ctx.store.int(value.clone());
        values.push((number, ctx.store.eq(term, number)));
        value = &value + &Integer::ONE;
    }
    values
}

/// The least and the greatest value of a term in an iteration, if there are only a few between.
fn range(ctx: &mut Context, body: &Body, term: TermId) -> Option<(Integer, Integer)> {
    let bounds = abstraction(ctx, body.iteration.guard).bounds(&[term])?;
    let (low, high) = (bounds[0].low.clone()?, bounds[0].high.clone()?);
    (&high - &low < Integer::from(FEW)).then_some((low, high))
}
