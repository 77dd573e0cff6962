//! Phases: a condition that persists cuts the turns in two stretches, those before it became true
//! and those after.
//!
//! # Paper
//! The splitting of the prototype behind [fang2025software]; here the stretches are cut again.

use super::persistent::{candidates, persists};
use super::{Body, Closure, Level, cut, join};
use crate::kit::Kit;
use encode::transition::TransitionFormula;
use logic::TermId;
use smt::Answer;

/// The closure in phases, if there is a condition to cut at.
pub(super) fn split(kit: &mut Kit, body: &Body, level: Level, cuts: usize) -> Option<Closure> {
    let condition = condition(kit, body)?;
    let negation = kit.store.not(condition);
    let early = phase(kit, body, negation);
    let late = phase(kit, body, condition);
    // The last turn of the early phase may make the condition true; then no early turn follows.
    let early = cut(kit, &early, level, cuts);
    let late = cut(kit, &late, level, cuts);
    let step = kit.sequence(&early.step, &late.step);
    let whole = join(kit, body, Level::Equalities);
    let step = both(kit, &step, &whole.step);
    let exact = (early.exact && late.exact) || whole.exact;
    Some(Closure {
        step,
        exact,
        count: whole.count,
    })
}

/// The turns in which a condition holds before.
fn phase(kit: &mut Kit, body: &Body, condition: TermId) -> Body {
    let mut turn = kit.assuming(&body.turn, condition);
    turn.guard = kit.store.simplify(turn.guard);
    // What the phase does not change is a constant of it.
    let mut map = turn.map.clone();
    map.retain(|&var, &mut term| {
        let before = kit.before(var);
        let same = kit.store.eq(before, term);
        !kit.entails(turn.guard, same)
    });
    turn.map = map;
    Body {
        guard: kit.store.and(&[body.guard, condition]),
        turn,
        invariant: body.invariant,
        hints: body.hints.clone(),
    }
}

/// A condition that persists, and holds in some turns but not in all.
fn condition(kit: &mut Kit, body: &Body) -> Option<TermId> {
    let mut conditions = candidates(kit, body);
    // A condition that the loop does not touch tells one kind of loop from another.
    let atoms = kit.store.atoms(body.turn.guard).into_iter();
    conditions.extend(atoms.filter(|&atom| kit.is_of_state(atom)));
    for condition in conditions {
        let negation = kit.store.not(condition);
        let splits = kit.check(&[body.turn.guard, condition]) == Answer::Sat
            && kit.check(&[body.turn.guard, negation]) == Answer::Sat;
        // Cutting off the last turn only is what the last turn is for.
        if splits && persists(kit, body, condition) && goes_on(kit, body, condition) {
            return Some(condition);
        }
    }
    None
}

/// Whether after a turn in which a condition holds there can be another one, and the same for its
/// negation.
fn goes_on(kit: &mut Kit, body: &Body, condition: TermId) -> bool {
    let negation = kit.store.not(condition);
    let both = [condition, negation];
    both.into_iter().all(|condition| {
        let first = kit.assuming(&body.turn, condition);
        let twice = kit.sequence(&first, &first);
        kit.check(&[twice.guard]) != Answer::Unsat
    })
}

/// Two descriptions of the same turns at once, which share no quantified symbols.
fn both(kit: &mut Kit, one: &TransitionFormula, other: &TransitionFormula) -> TransitionFormula {
    let mut parts = vec![one.guard, other.guard];
    let mut map = other.map.clone();
    for (&var, &term) in &one.map {
        match map.get(&var) {
            Some(&same) => parts.push(kit.store.eq(same, term)),
            None => drop(map.insert(var, term)),
        }
    }
    for (&var, &term) in &other.map {
        if !one.map.contains_key(&var) {
            let before = kit.before(var);
            parts.push(kit.store.eq(before, term));
        }
    }
    TransitionFormula {
        guard: kit.store.and(&parts),
        map,
        exact: one.exact && other.exact,
    }
}
