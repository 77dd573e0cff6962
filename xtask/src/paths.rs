//! The unsatisfiable path formulas of a program, as interpolation problems.

use crate::problem::Problem;
use crate::programs::{self, Source};
use crate::walk::{Grain, Graph};
use base::{Budget, Rng};
use encode::transition::State;
use kit::path_formula::{PathEncoder, initial};
use logic::{TermId, TermStore};
use program::pass::liveness::Liveness;
use program::pass::unbounded::unbounded;
use prover::Shape;
use smt::{Answer, Solver};
use std::collections::BTreeSet;
use std::time::Duration;

/// How to walk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walking {
    /// Whether integers are unbounded.
    pub(crate) unbounded: bool,
    /// The greatest number of times that a loop is taken.
    pub(crate) iterations: usize,
    /// How many paths of each grain a program may give.
    pub(crate) paths: usize,
    /// Where the lots start from.
    pub(crate) seed: u64,
}

/// What became of a program's paths.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Tally {
    /// Paths encoded.
    pub(crate) paths: usize,
    /// Those that can be taken.
    pub(crate) feasible: usize,
    /// Those of which Z3 does not say whether.
    pub(crate) unclear: usize,
}

/// Error locations of one program that are tried.
const ERRORS: usize = 4;
/// How long to look whether a prefix can be taken.
const PREFIX_LIMIT: Duration = Duration::from_secs(1);

/// All problems of a program.
pub(crate) fn problems(
    source: &Source,
    walking: &Walking,
) -> Result<(Vec<Problem>, Tally), String> {
    let mut program = programs::load(source)?;
    if walking.unbounded {
        program = unbounded(&program);
    }
    let liveness = Liveness::new(&program);
    let mut store = TermStore::new();
    let state = State::new(&program, &mut store);
    let procedure = &program.procs[program.entry];
    let live = liveness.live_at(program.entry, procedure.entry);
    let start = initial(&program, &mut store, &state, live);
    let stem = source
        .file
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let mut found = Vec::new();
    let mut tally = Tally::default();
    let mut seen: BTreeSet<Vec<TermId>> = BTreeSet::new();
    for grain in Grain::ALL {
        let graph = Graph::new(&program, &mut store, &state, &liveness, grain);
        let mut encoder = PathEncoder::new(&program, &state);
        let mut rng = Rng::new(walking.seed);
        let errors: Vec<_> = graph.errors.iter().copied().take(ERRORS).collect();
        let plans = (1..=walking.iterations)
            .flat_map(|iterations| errors.iter().map(move |at| (iterations, *at)));
        // By lot, so that a few paths are not all short ones.
        let mut plans: Vec<(u64, _)> = plans.map(|plan| (rng.bits(), plan)).collect();
        plans.sort();
        let mut count = 0;
        for (_, (iterations, error)) in plans {
            let Some(steps) = graph.path(&store, error, iterations, &mut rng) else {
                continue;
            };
            if count >= walking.paths {
                break;
            }
            let path = encoder.path(&mut store, std::iter::once(&start).chain(steps));
            let parts = path.parts();
            if !seen.insert(parts.to_vec()) {
                continue;
            }
            count += 1;
            tally.paths += 1;
            let shortest = match shortest_infeasible(&store, parts) {
                Ok(Some(shortest)) => shortest,
                Ok(None) => {
                    tally.feasible += 1;
                    continue;
                }
                Err(()) => {
                    tally.unclear += 1;
                    continue;
                }
            };
            // The prefix that is just too long, the whole path, and one between them.
            let lengths = [shortest, shortest.midpoint(parts.len()), parts.len()];
            for length in BTreeSet::from(lengths) {
                let prefix = &parts[..length];
                if length < 2 || (length != parts.len() && !seen.insert(prefix.to_vec())) {
                    continue;
                }
                found.push(Problem::new(
                    format!("{stem}-{}-{iterations}-{error}-{length}", grain.name()),
                    grain.name().to_owned(),
                    &store,
                    prefix,
                    Shape::sequence(length),
                ));
            }
        }
    }
    Ok((found, tally))
}

/// The length of the shortest prefix that cannot be taken; an error if Z3 does not say.
fn shortest_infeasible(store: &TermStore, parts: &[TermId]) -> Result<Option<usize>, ()> {
    let mut solver = Solver::new();
    for (index, &part) in parts.iter().enumerate() {
        solver.push();
        solver.assert(store, part);
        let budget = Budget::unlimited().with_timeout(PREFIX_LIMIT);
        match solver.check(store, &[], &budget) {
            Answer::Sat => {}
            Answer::Unsat => return Ok(Some(index + 1)),
            Answer::Unknown(_) => return Err(()),
        }
    }
    Ok(None)
}
