//! Increments that are variables themselves: where a condition on them persists, what the turns
//! under that condition add is bounded.
//!
//! In `x += y; y++` nothing bounds what one turn adds to `x`. But `y >= 1` persists, so if it holds
//! at first, then k turns add at least k. The condition may also be on a variable that the loop
//! does not write: a symbolic step.

use super::differences::{differences, many};
use super::persistent::{candidates, persists};
use super::{Body, Frame, Level, Operator};
use crate::kit::Kit;
use absdom::Row;
use logic::{Integer, Sort, TermId};
use std::collections::BTreeSet;

/// Bounds on differences under a condition that persists.
pub struct Stratified;

/// How many conditions are looked at.
const CONDITIONS: usize = 24;

impl Operator for Stratified {
    fn name(&self) -> &'static str {
        "stratified"
    }

    fn level(&self) -> Level {
        Level::Phases
    }

    fn facts(&self, kit: &mut Kit, body: &Body, frame: &Frame) -> Vec<TermId> {
        let (vars, terms) = differences(kit, body);
        let always: BTreeSet<Row> = rows(kit, body.turn.guard, &terms).into_iter().collect();
        let mut conditions = signs(kit, &terms);
        conditions.extend(candidates(kit, body));
        conditions.truncate(CONDITIONS);
        let mut facts = Vec::new();
        for condition in conditions {
            if kit.budget.check().is_err() {
                break;
            }
            if !persists(kit, body, condition) {
                continue;
            }
            let guard = kit.store.and(&[body.turn.guard, condition]);
            for row in rows(kit, guard, &terms) {
                if !row.is_contradiction() && !always.contains(&row) {
                    let fact = many(kit, &vars, frame, &row);
                    facts.push(kit.store.implies(condition, fact));
                }
            }
        }
        facts
    }
}

/// Bounds of each term where a formula holds.
fn rows(kit: &mut Kit, formula: TermId, terms: &[TermId]) -> Vec<Row> {
    let Some(bounds) = kit.abstraction(formula).bounds(terms) else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    for (place, bound) in bounds.into_iter().enumerate() {
        let only = |factor: i64| {
            let mut coefficients = vec![Integer::ZERO; terms.len()];
            coefficients[place] = Integer::from(factor);
            coefficients
        };
        if let Some(low) = bound.low {
            rows.push(Row::at_least(only(1), -&low));
        }
        if let Some(high) = bound.high {
            rows.push(Row::at_least(only(-1), high));
        }
    }
    rows
}

/// The signs of the variables that differences speak of.
fn signs(kit: &mut Kit, terms: &[TermId]) -> Vec<TermId> {
    let mut signs = Vec::new();
    for symbol in kit.store.symbols_of(terms) {
        if kit.state.var(symbol).is_none() || kit.store.symbol(symbol).sort != Sort::Int {
            continue;
        }
        let term = kit.store.of_symbol(symbol);
        let [minus, zero, one] = [-1i64, 0, 1].map(|value| kit.store.int(value));
        signs.push(kit.store.le(one, term));
        signs.push(kit.store.le(zero, term));
        signs.push(kit.store.le(term, minus));
        signs.push(kit.store.le(term, zero));
    }
    signs
}
