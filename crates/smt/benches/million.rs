//! A million small queries, and how much memory the process has on the way.
//!
//! Every query makes new symbols and terms, which are released after it; scopes, assumptions,
//! models and cores all take part. The last nine lines should show about the same memory.
//!
//! `cargo bench -p cairn-smt --bench million`, with a number of queries after `--` if it is to be
//! another one.

#![allow(clippy::print_stdout, reason = "it reports to a person")]

use base::{Budget, Rng};
use logic::{Integer, Sort, TermId, TermStore};
use smt::{Answer, Solver};
use std::time::Instant;

/// Lines that are printed.
const LINES: usize = 10;

fn main() {
    let number = std::env::args().find_map(|word| word.parse().ok());
    let queries: usize = number.unwrap_or(1_000_000).max(LINES);
    let mut store = TermStore::new();
    let state: Vec<TermId> = (0..4).map(|_| store.fresh("v", Sort::Int)).collect();
    let mut solver = Solver::new();
    let zero = store.int(0i64);
    for &variable in &state {
        let formula = store.le(zero, variable);
        solver.assert(&store, formula);
    }
    let mut rng = Rng::new(1);
    let start = Instant::now();
    let mut sat = 0;
    println!("    queries       sat   resident   seconds");
    for query in 1..=queries {
        let mark = store.mark();
        sat += usize::from(ask(&mut store, &mut solver, &state, &mut rng, query));
        store.release(mark);
        if query % (queries / LINES) == 0 {
            let (seconds, memory) = (start.elapsed().as_secs_f64(), resident());
            println!("{query:11} {sat:9} {memory:7} MB {seconds:9.1}");
        }
    }
}

/// One query in a scope of its own, with terms that no other query has.
fn ask(
    store: &mut TermStore,
    solver: &mut Solver,
    state: &[TermId],
    rng: &mut Rng,
    number: usize,
) -> bool {
    let budget = Budget::unlimited();
    let new = store.fresh("new", Sort::Int);
    let (a, b) = (rng.pick(state), rng.pick(state));
    let number = store.int(number as i64);
    let parts = [(a, Integer::ONE), (b, Integer::from(rng.below(5) as i64))];
    let sum = store.linear(&Integer::from(rng.below(9) as i64), &parts);
    solver.push();
    let formula = store.eq(new, sum);
    solver.assert(store, formula);
    let limit = store.int(rng.below(12) as i64);
    let assumptions = [store.le(new, limit), store.lt(new, number)];
    let answer = solver.check(store, &assumptions, &budget);
    match &answer {
        Answer::Sat => assert!(rng.below(8) > 0 || solver.model().is_some()),
        Answer::Unsat => assert!(!solver.core().is_empty()),
        Answer::Unknown(why) => panic!("unknown: {why}"),
    }
    solver.pop();
    answer == Answer::Sat
}

/// The memory of the process that is really there, in megabytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
