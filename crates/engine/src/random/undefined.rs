//! Undefined behaviour that a few plain runs encounter. A proof covers runs up to there, which is
//! little if all of them encounter it, so the user should be told.

use super::plan::Plan;
use super::values::{Extreme, Pool};
use base::{Budget, Rng, Span};
use exec::{End, Machine};
use kit::test_runner::test_limits;
use program::ir::Program;

/// Random runs, after the plain ones.
const RUNS: usize = 32;
/// Steps of each.
const STEPS: u64 = 1 << 16;

/// Where the first of a few runs that does so ends in undefined behaviour, and in which.
pub fn undefined(program: &Program, seed: u64, budget: &Budget) -> Option<(Span, String)> {
    let machine = Machine::new(program);
    let pool = Pool::harvest(program);
    let mut rng = Rng::new(seed);
    let plain = Extreme::ALL
        .iter()
        .map(|&extreme| Plan::extreme(&pool, extreme));
    let others = (0..RUNS).map(|_| Plan::fresh(&pool, Rng::new(rng.bits())));
    for mut plan in plain.chain(others) {
        let run = machine.run(&mut plan, &test_limits(STEPS), budget);
        if let End::Undefined(undefined) = run.end {
            return Some((run.span, undefined.message));
        }
        let is_only_run = run.inputs.is_empty();
        if is_only_run || budget.check().is_err() {
            return None;
        }
    }
    None
}
