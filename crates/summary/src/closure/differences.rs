//! Recurrences on differences: what one turn adds, k turns add k times.
//!
//! # Paper
//! [farzan2015compositional], for equalities and inequalities; congruences are ours.

use super::{Body, Frame, Level, Operator};
use crate::kit::Kit;
use absdom::row::{Kind, Row};
use absdom::symbolic::Limits;
use logic::{Integer, Sort, TermId};
use program::ir::VarId;

/// Equalities on differences.
pub struct Equalities;

/// Congruences on differences.
pub struct Congruences;

/// Inequalities on differences.
pub struct Inequalities;

impl Operator for Equalities {
    fn name(&self) -> &'static str {
        "equalities"
    }

    fn level(&self) -> Level {
        Level::Equalities
    }

    fn facts(&self, kit: &mut Kit, body: &Body, frame: &Frame) -> Vec<TermId> {
        let (vars, terms) = differences(kit, body);
        let guard = body.turn.guard;
        let rows = kit.abstraction(guard).affine_hull(&terms);
        rows.iter()
            .map(|row| many(kit, &vars, frame, row))
            .collect()
    }
}

impl Operator for Inequalities {
    fn name(&self) -> &'static str {
        "inequalities"
    }

    fn level(&self) -> Level {
        Level::Inequalities
    }

    fn facts(&self, kit: &mut Kit, body: &Body, frame: &Frame) -> Vec<TermId> {
        let (vars, terms) = differences(kit, body);
        let guard = body.turn.guard;
        let limits = Limits::default();
        let hull = kit.abstraction(guard).convex_hull(&terms, limits);
        hull.rows()
            .iter()
            .map(|row| many(kit, &vars, frame, row))
            .collect()
    }
}

impl Operator for Congruences {
    fn name(&self) -> &'static str {
        "congruences"
    }

    fn level(&self) -> Level {
        Level::Equalities
    }

    fn facts(&self, kit: &mut Kit, body: &Body, frame: &Frame) -> Vec<TermId> {
        let (vars, terms) = differences(kit, body);
        let guard = body.turn.guard;
        let found = kit.abstraction(guard).lattice(&terms);
        let mut facts = Vec::new();
        for congruence in found {
            // a·δ ≡ c (mod m) in one turn.
            let sum = sum(kit, &vars, frame, &congruence.coefficients);
            let count = kit.store.of_symbol(frame.count);
            let turns = kit.store.scale(&congruence.remainder, count);
            let rest = kit.store.sub(sum, turns);
            facts.push(kit.store.divides(&congruence.modulus, rest));
        }
        facts
    }
}

/// The integer variables that a turn writes, and what it adds to each.
pub(super) fn differences(kit: &mut Kit, body: &Body) -> (Vec<VarId>, Vec<TermId>) {
    let mut vars = Vec::new();
    let mut terms = Vec::new();
    for (&var, &term) in &body.turn.map {
        if kit.store.sort(term) == Sort::Int {
            let before = kit.before(var);
            vars.push(var);
            terms.push(kit.store.sub(term, before));
        }
    }
    (vars, terms)
}

/// What `a·δ + b ⋈ 0` for one turn says of many.
pub(super) fn many(kit: &mut Kit, vars: &[VarId], frame: &Frame, row: &Row) -> TermId {
    let sum = sum(kit, vars, frame, &row.coefficients);
    let count = kit.store.of_symbol(frame.count);
    let turns = kit.store.scale(&row.constant, count);
    let sum = kit.store.add(sum, turns);
    let zero = kit.store.int(0i64);
    match row.kind {
        Kind::Equality => kit.store.eq(sum, zero),
        Kind::AtLeast => kit.store.le(zero, sum),
    }
}

/// `a·(x' - x)`.
fn sum(kit: &mut Kit, vars: &[VarId], frame: &Frame, coefficients: &[Integer]) -> TermId {
    let mut parts = Vec::new();
    for (&var, factor) in vars.iter().zip(coefficients) {
        let after = kit.store.of_symbol(frame.after[&var]);
        let before = kit.before(var);
        parts.push((after, factor.clone()));
        parts.push((before, -factor));
    }
    kit.store.linear(&Integer::ZERO, &parts)
}
