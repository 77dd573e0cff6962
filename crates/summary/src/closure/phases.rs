//! Phases: a persistent condition splits the iterations into two segments, those before it became
//! true and those after.
//!
//! # Paper
//! The splitting of the prototype of [fang2025software]; here the segments are split again.

use super::persistent::{candidates, persists};
use super::{Body, Closure, Level, cut, join};
use encode::Context;
use encode::transition::TransitionFormula;
use logic::TermId;
use smt::Answer;

/// The closure in phases, if there is a condition to cut at.
pub(super) fn split(ctx: &mut Context, body: &Body, level: Level, cuts: usize) -> Option<Closure> {
    let condition = condition(ctx, body)?;
    let negation = ctx.store.not(condition);
    let early = phase(ctx, body, negation);
    let late = phase(ctx, body, condition);
    // The last iteration of the early phase may make the condition true; then no early iteration
    // follows.
    let early = cut(ctx, &early, level, cuts);
    let late = cut(ctx, &late, level, cuts);
    let step = ctx.sequence(&early.step, &late.step);
    let whole = join(ctx, body, Level::Equalities);
    let step = both(ctx, &step, &whole.step);
    let exact = (early.exact && late.exact) || whole.exact;
    Some(Closure {
        step,
        exact,
        count: whole.count,
    })
}

/// The iterations in which a condition holds before.
fn phase(ctx: &mut Context, body: &Body, condition: TermId) -> Body {
    let mut iteration = ctx.assuming(&body.iteration, condition);
    iteration.guard = ctx.store.simplify(iteration.guard);
    // What the phase does not change is a constant of it.
    let mut map = iteration.map.clone();
    map.retain(|&var, &mut term| {
        let before = ctx.before(var);
        let same = ctx.store.eq(before, term);
        !ctx.entails(iteration.guard, same)
    });
    iteration.map = map;
    Body {
        guard: ctx.store.and(&[body.guard, condition]),
        iteration,
        invariant: body.invariant,
        hints: body.hints.clone(),
    }
}

/// A condition that persists, and holds in some iterations but not in all.
fn condition(ctx: &mut Context, body: &Body) -> Option<TermId> {
    let mut conditions = candidates(ctx, body);
    // A condition that the loop does not touch tells one kind of loop from another.
    let atoms = ctx.store.atoms(body.iteration.guard).into_iter();
    conditions.extend(atoms.filter(|&atom| ctx.is_of_state(atom)));
    for condition in conditions {
        let negation = ctx.store.not(condition);
        let splits = ctx.check(&[body.iteration.guard, condition]) == Answer::Sat
            && ctx.check(&[body.iteration.guard, negation]) == Answer::Sat;
        // Cutting off the last iteration only is what the last iteration is for.
        if splits && persists(ctx, body, condition) && goes_on(ctx, body, condition) {
            return Some(condition);
        }
    }
    None
}

/// Whether after an iteration in which a condition holds there can be another one, and the same for
/// its negation.
fn goes_on(ctx: &mut Context, body: &Body, condition: TermId) -> bool {
    let negation = ctx.store.not(condition);
    let both = [condition, negation];
    both.into_iter().all(|condition| {
        let first = ctx.assuming(&body.iteration, condition);
        let twice = ctx.sequence(&first, &first);
        ctx.check(&[twice.guard]) != Answer::Unsat
    })
}

/// Two descriptions of the same iterations at once, which share no quantified symbols.
fn both(
    ctx: &mut Context,
    one: &TransitionFormula,
    other: &TransitionFormula,
) -> TransitionFormula {
    let mut parts = vec![one.guard, other.guard];
    let mut map = other.map.clone();
    for (&var, &term) in &one.map {
        match map.get(&var) {
            Some(&same) => parts.push(ctx.store.eq(same, term)),
            None => drop(map.insert(var, term)),
        }
    }
    for (&var, &term) in &other.map {
        if !one.map.contains_key(&var) {
            let before = ctx.before(var);
            parts.push(ctx.store.eq(before, term));
        }
    }
    TransitionFormula {
        guard: ctx.store.and(&parts),
        map,
        exact: one.exact && other.exact,
    }
}
