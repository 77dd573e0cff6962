//! Goals near a reached one: mutations of its inputs often lead to others, which then need no
//! search of their own.

use super::Goal;
use crate::random::plan::{Plan, Taken, mutate};
use crate::random::values::Pool;
use base::{Budget, Rng};
use certify::Trace;
use exec::{End, Machine};
use kit::test_runner::test_limits;
use program::expr::Constant;
use program::ir::{Program, SiteId};
use std::collections::BTreeSet;

/// One of so many inputs is varied in any case.
const EARLY: usize = 4;
/// The steps of a run.
const STEPS: u64 = 1 << 16;
/// So many runs that reach nothing new are enough.
const IDLE: usize = 20_000;

/// Runs the program on variations of inputs that reach a goal, and returns the traces to other
/// goals, of those that are open.
pub(super) fn nearby(
    program: &Program,
    inputs: &[(SiteId, Constant)],
    open: &BTreeSet<Goal>,
    seed: u64,
    budget: &Budget,
) -> Vec<Trace> {
    let machine = Machine::new(program);
    let pool = Pool::harvest(program);
    let mut rng = Rng::new(seed);
    let mut corpus: Vec<Taken> = vec![inputs.to_vec()];
    let mut found = Vec::new();
    let mut left = open.clone();
    let mut idle = 0;
    while !left.is_empty() && idle < IDLE && budget.check().is_ok() {
        idle += 1;
        let base = rng.below(corpus.len());
        let mut script = mutate(&pool, &mut rng, &corpus[base]);
        // The first inputs often say how many there are of something.
        let early = rng.below(EARLY);
        if let Some((_, value)) = script.get_mut(early) {
            *value = pool.near(&mut rng, *value);
        }
        let seed = Rng::new(rng.bits());
        let mut plan = Plan::scripted(&pool, seed, &script);
        let run = machine.run(&mut plan, &test_limits(STEPS), budget);
        if let End::Violated(proc, location) = run.end
            && left.remove(&Goal { proc, location })
        {
            found.push(Trace::new(run.inputs.clone(), (proc, location)));
            corpus.push(run.inputs);
            idle = 0;
        }
    }
    found
}
