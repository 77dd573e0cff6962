//! Loops that do different things in turn: several turns, taken as one, add something constant
//! although one turn does not.
//!
//! With a period p, k turns are k mod p single ones and then k div p rounds of p.
//!
//! # Invariants
//! - Facts are closed under a turn before: with p - 1 single turns it makes one more round, with
//!   fewer it is one more of them.

use super::differences::{differences, many};
use super::{Body, Frame, Level, Operator};
use crate::kit::Kit;
use logic::{Integer, Sort, TermId};

/// Recurrences on the differences of several turns.
pub struct Period;

/// Longer periods are not looked for.
const LONGEST: usize = 4;

impl Operator for Period {
    fn name(&self) -> &'static str {
        "period"
    }

    fn level(&self) -> Level {
        Level::Phases
    }

    fn facts(&self, kit: &mut Kit, body: &Body, frame: &Frame) -> Vec<TermId> {
        let (vars, terms) = differences(kit, body);
        let of_one = kit.abstraction(body.turn.guard).affine_hull(&terms);
        let mut rounds = body.clone();
        for period in 2..=LONGEST {
            rounds.turn = kit.sequence(&rounds.turn, &body.turn);
            let (_, terms) = differences(kit, &rounds);
            let rows = kit.abstraction(rounds.turn.guard).affine_hull(&terms);
            if rows.len() > of_one.len() && rows.iter().all(|row| !row.is_contradiction()) {
                let round = Frame::new(kit, &body.turn);
                let facts: Vec<TermId> = rows
                    .iter()
                    .map(|row| many(kit, &vars, &round, row))
                    .collect();
                let facts = kit.store.and(&facts);
                return vec![spread(kit, body, frame, (&round, facts), period)];
            }
        }
        Vec::new()
    }
}

/// What facts about rounds say about turns.
fn spread(
    kit: &mut Kit,
    body: &Body,
    frame: &Frame,
    (round, facts): (&Frame, TermId),
    period: usize,
) -> TermId {
    let count = kit.store.of_symbol(frame.count);
    let rounds = kit.store.fresh("rounds", Sort::Int);
    let zero = kit.store.int(0i64);
    let mut single = encode::transition::TransitionFormula::identity(&mut kit.store);
    let mut cases = Vec::new();
    for singles in 0..period {
        let in_rounds = kit.store.scale(&Integer::from(period as i64), rounds);
        let singles_term = kit.store.int(singles as i64);
        let all = kit.store.add(in_rounds, singles_term);
        let mut parts = vec![single.guard, kit.store.eq(count, all)];
        // The rounds start where the single turns ended, and end where all turns end.
        let mut map = kit.renaming(&single);
        map.insert(round.count, rounds);
        let no_round = kit.store.eq(rounds, zero);
        let mut same = Vec::new();
        for (&var, &symbol) in &frame.after {
            let after = kit.store.of_symbol(symbol);
            map.insert(round.after[&var], after);
            let start = single.value(&mut kit.store, &kit.state, var);
            same.push(kit.store.eq(start, after));
        }
        let same = kit.store.and(&same);
        parts.push(kit.store.implies(no_round, same));
        parts.push(kit.store.substitute(facts, &map));
        cases.push(kit.store.and(&parts));
        single = kit.sequence(&single, &body.turn);
    }
    let cases = kit.store.or(&cases);
    let some = kit.store.le(zero, rounds);
    kit.store.and(&[some, cases])
}
