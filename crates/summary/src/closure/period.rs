//! Loops with alternating behaviour: several iterations, taken as one, add a constant although a
//! single iteration does not.
//!
//! With a period p, k iterations are k mod p single ones followed by k div p groups of p.
//!
//! # Invariants
//! - Facts are closed under prepending an iteration: with p - 1 single iterations it completes
//!   another group, with fewer it is one more of them.

use super::differences::{differences, many};
use super::{Body, Frame, abstraction};
use encode::Context;
use logic::{Integer, Sort, TermId};

/// Longer periods are not looked for.
const LONGEST: usize = 4;

/// Recurrences on the differences of several iterations.
pub(super) fn facts(ctx: &mut Context, body: &Body, frame: &Frame) -> Vec<TermId> {
    let (vars, terms) = differences(ctx, body);
    let of_one = abstraction(ctx, body.iteration.guard).affine_hull(&terms);
    let mut rounds = body.clone();
    for period in 2..=LONGEST {
        rounds.iteration = ctx.sequence(&rounds.iteration, &body.iteration);
        let (_, terms) = differences(ctx, &rounds);
        let rows = abstraction(ctx, rounds.iteration.guard).affine_hull(&terms);
        if rows.len() > of_one.len() && rows.iter().all(|row| !row.is_contradiction()) {
            let round = Frame::new(ctx, &body.iteration);
            let facts: Vec<TermId> = rows
                .iter()
                .map(|row| many(ctx, &vars, &round, row))
                .collect();
            let facts = ctx.store.and(&facts);
            return vec![spread(ctx, body, frame, (&round, facts), period)];
        }
    }
    Vec::new()
}

/// What facts about rounds say about iterations.
fn spread(
    ctx: &mut Context,
    body: &Body,
    frame: &Frame,
    (round, facts): (&Frame, TermId),
    period: usize,
) -> TermId {
    let count = ctx.store.of_symbol(frame.count);
    let rounds = ctx.store.fresh("rounds", Sort::Int);
    let zero = ctx.store.int(0i64);
    let mut single = encode::transition::TransitionFormula::identity(&mut ctx.store);
    let mut cases = Vec::new();
    for singles in 0..period {
        let in_rounds = ctx.store.scale(&Integer::from(period as i64), rounds);
        let singles_term = ctx.store.int(singles as i64);
        let all = ctx.store.add(in_rounds, singles_term);
        let mut parts = vec![single.guard, ctx.store.eq(count, all)];
        // The rounds start where the single iterations ended, and end where all iterations end.
        let mut map = ctx.renaming(&single);
        map.insert(round.count, rounds);
        let no_round = ctx.store.eq(rounds, zero);
        let mut same = Vec::new();
        for (&var, &symbol) in &frame.after {
            let after = ctx.store.of_symbol(symbol);
            map.insert(round.after[&var], after);
            let start = single.value(&mut ctx.store, &ctx.state, var);
            same.push(ctx.store.eq(start, after));
        }
        let same = ctx.store.and(&same);
        parts.push(ctx.store.implies(no_round, same));
        parts.push(ctx.store.substitute(facts, &map));
        cases.push(ctx.store.and(&parts));
        single = ctx.sequence(&single, &body.iteration);
    }
    let cases = ctx.store.or(&cases);
    let some = ctx.store.le(zero, rounds);
    ctx.store.and(&[some, cases])
}
