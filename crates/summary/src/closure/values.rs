//! Steps by a variable that the loop does not write and that has few values: recurrences on
//! differences for each value.

use super::differences::{differences, many};
use super::{Body, Frame, Level, Operator, abstraction};
use encode::Context;
use logic::{Integer, SymbolId, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Recurrences for each value of a constant of the loop.
pub struct Values;

/// How many values are few.
const FEW: i64 = 16;

impl Operator for Values {
    fn name(&self) -> &'static str {
        "values"
    }

    fn level(&self) -> Level {
        Level::Phases
    }

    fn facts(&self, ctx: &mut Context, body: &Body, frame: &Frame) -> Vec<TermId> {
        let (vars, terms) = differences(ctx, body);
        let mut facts = Vec::new();
        for symbol in constants(ctx, body, &terms) {
            let constant = ctx.store.of_symbol(symbol);
            let Some((low, high)) = range(ctx, body, constant) else {
                continue;
            };
            let mut value = low;
            while value <= high {
                let term = ctx.store.int(value.clone());
                let map = FxHashMap::from_iter([(symbol, term)]);
                let guard = ctx.store.substitute(body.turn.guard, &map);
                let terms = ctx.store.substitute_all(&terms, &map);
                let rows = abstraction(ctx, guard).affine_hull(&terms);
                let is_value = ctx.store.eq(constant, term);
                for row in &rows {
                    let fact = many(ctx, &vars, frame, row);
                    facts.push(ctx.store.implies(is_value, fact));
                }
                value = &value + &Integer::ONE;
            }
        }
        facts
    }
}

/// The symbols in differences whose variables the loop does not write.
fn constants(ctx: &Context, body: &Body, terms: &[TermId]) -> BTreeSet<SymbolId> {
    let symbols = ctx.store.symbols_of(terms);
    let is_constant = |symbol: &SymbolId| {
        let var = ctx.state.var(*symbol);
        var.is_some_and(|var| !body.turn.map.contains_key(&var))
    };
    symbols.into_iter().filter(is_constant).collect()
}

/// The least and the greatest value of a term in a turn, if there are only a few between.
fn range(ctx: &mut Context, body: &Body, term: TermId) -> Option<(Integer, Integer)> {
    let bounds = abstraction(ctx, body.turn.guard).bounds(&[term])?;
    let (low, high) = (bounds[0].low.clone()?, bounds[0].high.clone()?);
    (&high - &low < Integer::from(FEW)).then_some((low, high))
}
