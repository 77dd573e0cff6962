//! Increments that are variables themselves: if a condition on them persists, what the iterations
//! under that condition add is bounded.
//!
//! In `x += y; y++` nothing bounds what one iteration adds to `x`. But `y >= 1` persists, so if it
//! holds at first, then k iterations add at least k. The condition may also be on a variable that
//! the loop does not write: a symbolic step.

use super::differences::{differences, many};
use super::persistent::{candidates, persists};
use super::{Body, Frame, abstraction};
use absdom::Row;
use absdom::symbolic::bounds_to_rows;
use encode::Context;
use logic::{Sort, TermId};
use std::collections::BTreeSet;

/// How many conditions are looked at.
const CONDITIONS: usize = 24;

/// Bounds on differences under a condition that persists.
pub(super) fn facts(ctx: &mut Context, body: &Body, frame: &Frame) -> Vec<TermId> {
    let (vars, terms) = differences(ctx, body);
    let always: BTreeSet<Row> = rows(ctx, body.iteration.guard, &terms)
        .into_iter()
        .collect();
    let mut conditions = signs(ctx, &terms);
    conditions.extend(candidates(ctx, body));
    conditions.truncate(CONDITIONS);
    let mut facts = Vec::new();
    for condition in conditions {
        if ctx.budget.check().is_err() {
            break;
        }
        if !persists(ctx, body, condition) {
            continue;
        }
        let guard = ctx.store.and(&[body.iteration.guard, condition]);
        for row in rows(ctx, guard, &terms) {
            if !row.is_contradiction() && !always.contains(&row) {
                let fact = many(ctx, &vars, frame, &row);
                facts.push(ctx.store.implies(condition, fact));
            }
        }
    }
    facts
}

/// Bounds of each term where a formula holds.
fn rows(ctx: &mut Context, formula: TermId, terms: &[TermId]) -> Vec<Row> {
    let Some(bounds) = abstraction(ctx, formula).bounds(terms) else {
        return Vec::new();
    };
    bounds_to_rows(&bounds)
}

/// The signs of the variables that differences mention.
fn signs(ctx: &mut Context, terms: &[TermId]) -> Vec<TermId> {
    let mut signs = Vec::new();
    for symbol in ctx.store.symbols_of(terms) {
        if ctx.state.var(symbol).is_none() || ctx.store.symbol(symbol).sort != Sort::Int {
            continue;
        }
        let term = ctx.store.of_symbol(symbol);
        let [minus, zero, one] = [-1i64, 0, 1].map(|value| ctx.store.int(value));
        signs.push(ctx.store.le(one, term));
        signs.push(ctx.store.le(zero, term));
        signs.push(ctx.store.le(term, minus));
        signs.push(ctx.store.le(term, zero));
    }
    signs
}
