//! Loops that end after a few turns, from whatever state: the turns one after the other, exactly.

use super::{Body, Closure};
use crate::kit::Kit;
use encode::transition::{TransitionFormula, size};
use program::pass::VarSet;
use smt::Answer;

/// How many turns are a few.
const TURNS: usize = 10;
/// How large the last of them may be, in terms.
const SIZE: usize = 2_000;

/// The closure of a turn that cannot be taken more often than a few times in a row.
pub(super) fn few(kit: &mut Kit, body: &Body) -> Option<Closure> {
    let mut live = VarSet::new(kit.program.vars.len());
    for &var in body.turn.map.keys() {
        live.insert(var);
    }
    let mut some = TransitionFormula::identity(&mut kit.store);
    let mut all = some.clone();
    for _ in 0..TURNS {
        some = kit.sequence(&some, &body.turn);
        some.guard = kit.store.simplify(some.guard);
        if size(&kit.store, &some) > SIZE {
            return None;
        }
        match kit.check(&[some.guard]) {
            Answer::Unsat => {
                return Some(Closure {
                    step: all,
                    exact: true,
                    count: None,
                });
            }
            Answer::Sat => {}
            Answer::Unknown(_) => return None,
        }
        all = all.or(kit.program, &mut kit.store, &kit.state, &some, &live);
    }
    None
}
