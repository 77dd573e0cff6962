//! Steps by a variable that the loop does not write and that has few values: recurrences on
//! differences for each value.

use super::differences::{differences, many};
use super::{Body, Frame, Level, Operator};
use crate::kit::Kit;
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

    fn facts(&self, kit: &mut Kit, body: &Body, frame: &Frame) -> Vec<TermId> {
        let (vars, terms) = differences(kit, body);
        let mut facts = Vec::new();
        for symbol in constants(kit, body, &terms) {
            let constant = kit.store.of_symbol(symbol);
            let Some((low, high)) = range(kit, body, constant) else {
                continue;
            };
            let mut value = low;
            while value <= high {
                let term = kit.store.int(value.clone());
                let map = FxHashMap::from_iter([(symbol, term)]);
                let guard = kit.store.substitute(body.turn.guard, &map);
                let terms = kit.store.substitute_all(&terms, &map);
                let rows = kit.abstraction(guard).affine_hull(&terms);
                let is_value = kit.store.eq(constant, term);
                for row in &rows {
                    let fact = many(kit, &vars, frame, row);
                    facts.push(kit.store.implies(is_value, fact));
                }
                value = &value + &Integer::ONE;
            }
        }
        facts
    }
}

/// The symbols in differences whose variables the loop does not write.
fn constants(kit: &Kit, body: &Body, terms: &[TermId]) -> BTreeSet<SymbolId> {
    let symbols = kit.store.symbols_of(terms);
    let is_constant = |symbol: &SymbolId| {
        let var = kit.state.var(*symbol);
        var.is_some_and(|var| !body.turn.map.contains_key(&var))
    };
    symbols.into_iter().filter(is_constant).collect()
}

/// The least and the greatest value of a term in a turn, if there are only a few between.
fn range(kit: &mut Kit, body: &Body, term: TermId) -> Option<(Integer, Integer)> {
    let bounds = kit.abstraction(body.turn.guard).bounds(&[term])?;
    let (low, high) = (bounds[0].low.clone()?, bounds[0].high.clone()?);
    (&high - &low < Integer::from(FEW)).then_some((low, high))
}
