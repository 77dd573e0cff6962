//! States that runs pass through must not be outside of what the forward analysis claims.

use crate::programs::{self, Source};
use crate::{number, parallel};
use absdom::{Invariants, Options};
use base::{Budget, Id};
use encode::transition::State;
use exec::{Limits, Machine};
use logic::{SymbolId, TermId, TermStore, TermValue};
use program::expr::Constant;
use program::ir::Program;
use std::path::Path;
use std::time::{Duration, Instant};
use testkit::sample::{Sample, sample};

/// What was seen of one program.
#[derive(Default)]
struct Tally {
    checked: usize,
    outside: Vec<String>,
    /// How long the analysis took.
    time: Duration,
    /// Error locations, and those that the analysis shows never to be reached.
    errors: usize,
    refuted: usize,
}

/// `samples DIR… [--count N] [--seed S]`: checks about N states, spread over the programs of the
/// folders, and N of random programs.
pub(crate) fn run(args: &[String]) -> Result<bool, String> {
    let count = number(args, "--count", 100_000)? as usize;
    let seed = number(args, "--seed", 0)?;
    let mut jobs: Vec<(String, Option<Source>)> = Vec::new();
    let folders = args.iter().take_while(|arg| !arg.starts_with("--"));
    for folder in folders {
        let found = programs::collect(Path::new(folder))?;
        jobs.extend(
            found
                .into_iter()
                .map(|source| (source.file.display().to_string(), Some(source))),
        );
    }
    let share = count.div_ceil(jobs.len().max(1));
    jobs.extend((0..200).map(|random| (format!("random program {}", seed + random), None)));
    let numbered: Vec<(usize, (String, Option<Source>))> = jobs.into_iter().enumerate().collect();
    let results = parallel(&numbered, |(at, (_, source))| match source {
        Some(source) => {
            let program = programs::load(source)?;
            Ok(check(&program, share, seed))
        }
        None => {
            let program = testkit::random::program(seed + *at as u64, 30);
            Ok(check(&program, count.div_ceil(200), seed))
        }
    });
    let mut all = Tally::default();
    let mut slowest = (Duration::ZERO, String::new());
    for ((_, (name, _)), result) in numbered.iter().zip(results) {
        let tally = match result {
            Ok(tally) => tally,
            Err(reason) => {
                let reason: String = reason;
                println!("skipped {name}: {reason}");
                continue;
            }
        };
        for outside in &tally.outside {
            println!("outside: {name}: {outside}");
        }
        all.checked += tally.checked;
        all.errors += tally.errors;
        all.refuted += tally.refuted;
        all.time += tally.time;
        all.outside.extend(tally.outside);
        if tally.time > slowest.0 {
            slowest = (tally.time, name.clone());
        }
    }
    println!(
        "states checked: {}, outside: {}",
        all.checked,
        all.outside.len()
    );
    println!(
        "error locations: {}, never reached: {}",
        all.errors, all.refuted
    );
    println!(
        "analysis: {:?} in all, slowest {:?}: {}",
        all.time, slowest.0, slowest.1
    );
    Ok(all.outside.is_empty())
}

/// Checks about so many states of a program.
fn check(program: &Program, count: usize, seed: u64) -> Tally {
    const RUNS: u64 = 500;
    let mut tally = Tally::default();
    let mut store = TermStore::new();
    let state = State::new(program, &mut store);
    let budget = Budget::unlimited();
    let mut formulas: Vec<Vec<TermId>> = Vec::new();
    for (proc, procedure) in program.procs.iter_enumerated() {
        let begin = Instant::now();
        let invariants = Invariants::new(program, proc, &Options::default(), &budget);
        tally.time += begin.elapsed();
        for (at, location) in procedure.locations.iter_enumerated() {
            if location.error.is_some() {
                tally.errors += 1;
                tally.refuted += usize::from(!invariants.is_reachable(at));
            }
        }
        let locations = procedure.locations.ids();
        let formula = |at| invariants.formula(at, &mut store, &state);
        formulas.push(locations.map(formula).collect());
    }
    let machine = Machine::new(program);
    let limits = Limits {
        steps: 2000,
        memory: 1 << 22,
        depth: 50,
    };
    for run in 0..RUNS {
        if tally.checked >= count {
            break;
        }
        sample(
            &machine,
            seed + run,
            &limits,
            &budget,
            &mut |sample: &Sample| {
                let formula = formulas[sample.proc.index()][sample.at.index()];
                let value = |symbol: SymbolId| match sample.values[state.var(symbol)?]? {
                    Constant::Int(value) => Some(TermValue::Int(value.into())),
                    Constant::Bool(value) => Some(TermValue::Bool(value)),
                    Constant::Float(..) | Constant::Null => None,
                };
                let Some(holds) = store.evaluate(formula, &value) else {
                    return;
                };
                tally.checked += 1;
                if holds.as_bool() != Some(true) && tally.outside.len() < 5 {
                    let (proc, at) = (sample.proc, sample.at);
                    let shown = store.readable(formula);
                    tally
                        .outside
                        .push(format!("run {run}, {proc} at {at}: {shown}"));
                }
            },
        );
    }
    tally
}
