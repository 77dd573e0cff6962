//! Recurrences on differences: what one iteration adds, k iterations add k times.
//!
//! # Paper
//! [farzan2015compositional], for equalities and inequalities; congruences are our addition.

use super::{Body, Frame, abstraction};
use absdom::row::{Kind, Row};
use absdom::symbolic::Limits;
use encode::Context;
use logic::{Integer, Sort, TermId};
use program::ir::VarId;

/// Equalities on differences.
pub(super) fn equalities(ctx: &mut Context, body: &Body, frame: &Frame) -> Vec<TermId> {
    let (vars, terms) = differences(ctx, body);
    let rows = abstraction(ctx, body.iteration.guard).affine_hull(&terms);
    let rows = rows.iter();
    rows.map(|row| many(ctx, &vars, frame, row)).collect()
}

/// Inequalities on differences.
pub(super) fn inequalities(ctx: &mut Context, body: &Body, frame: &Frame) -> Vec<TermId> {
    let (vars, terms) = differences(ctx, body);
    let hull = abstraction(ctx, body.iteration.guard).convex_hull(&terms, Limits::default());
    let rows = hull.rows().iter();
    rows.map(|row| many(ctx, &vars, frame, row)).collect()
}

/// Congruences on differences.
pub(super) fn congruences(ctx: &mut Context, body: &Body, frame: &Frame) -> Vec<TermId> {
    let (vars, terms) = differences(ctx, body);
    let guard = body.iteration.guard;
    let found = abstraction(ctx, guard).lattice(&terms);
    let mut facts = Vec::new();
    for congruence in found {
        // a·δ ≡ c (mod m) in one iteration.
        let sum = sum(ctx, &vars, frame, &congruence.coefficients);
        let count = ctx.store.of_symbol(frame.count);
        let iterations = ctx.store.scale(&congruence.remainder, count);
        let rest = ctx.store.sub(sum, iterations);
        facts.push(ctx.store.divides(&congruence.modulus, rest));
    }
    facts
}

/// The integer variables that an iteration writes, and what it adds to each.
pub(super) fn differences(ctx: &mut Context, body: &Body) -> (Vec<VarId>, Vec<TermId>) {
    let mut vars = Vec::new();
    let mut terms = Vec::new();
    for (&var, &term) in &body.iteration.map {
        if ctx.store.sort(term) == Sort::Int {
            let before = ctx.before(var);
            vars.push(var);
            terms.push(ctx.store.sub(term, before));
        }
    }
    (vars, terms)
}

/// What `a·δ + b ⋈ 0` for one iteration says about many.
pub(super) fn many(ctx: &mut Context, vars: &[VarId], frame: &Frame, row: &Row) -> TermId {
    let sum = sum(ctx, vars, frame, &row.coefficients);
    let count = ctx.store.of_symbol(frame.count);
    let iterations = ctx.store.scale(&row.constant, count);
    let sum = ctx.store.add(sum, iterations);
    let zero = ctx.store.int(0i64);
    match row.kind {
        Kind::Equality => ctx.store.eq(sum, zero),
        Kind::AtLeast => ctx.store.le(zero, sum),
    }
}

/// `a·(x' - x)`.
fn sum(ctx: &mut Context, vars: &[VarId], frame: &Frame, coefficients: &[Integer]) -> TermId {
    let mut parts = Vec::new();
    for (&var, factor) in vars.iter().zip(coefficients) {
        let after = ctx.store.of_symbol(frame.after[&var]);
        let before = ctx.before(var);
        parts.push((after, factor.clone()));
        parts.push((before, -factor));
    }
    ctx.store.linear(&Integer::ZERO, &parts)
}
