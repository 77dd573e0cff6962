//! Loops that terminate after a few iterations, from any state: the composition of the iterations,
//! exactly.

use super::{Body, Closure};
use encode::Context;
use encode::transition::{TransitionFormula, size};
use program::pass::VarSet;
use smt::Answer;

/// How many iterations are a few.
const ITERATIONS: usize = 10;
/// How large the last of them may be, in terms.
const SIZE: usize = 2_000;

/// The closure of an iteration that cannot be taken more often than a few times in a row.
pub(super) fn few(ctx: &mut Context, body: &Body) -> Option<Closure> {
    let live: VarSet = body.iteration.map.keys().copied().collect();
    let mut some = TransitionFormula::identity(&mut ctx.store);
    let mut all = some.clone();
    for _ in 0..ITERATIONS {
        some = ctx.sequence(&some, &body.iteration);
        some.guard = ctx.store.simplify(some.guard);
        if size(&ctx.store, &some) > SIZE {
            return None;
        }
        match ctx.check(&[some.guard]) {
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
        all = all.or(ctx.program, &mut ctx.store, &ctx.state, &some, &live);
    }
    None
}
