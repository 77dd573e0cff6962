//! Whether runs of the machine are inside of what summaries say: for tests and campaigns.
//!
//! The entry procedure is run on random inputs. Two states at the head of a loop, in one stay in
//! the loop, must be related by its summary; a state must satisfy the invariants of its location;
//! one of a run that ends in an error must satisfy the path-to-error summary there.
//!
//! # Invariants
//! - Nothing outside is left out but where a solver gives up, which is counted.
//! - A run is looked at until it does what has no formula. Where wrapping is left out, a step that
//!   may wrap ends the stay in every loop.

mod record;
pub mod texts;

use absdom::{Invariants, Options};
use base::Budget;
use encode::blocks::BlockEffect;
use encode::{Context, EncodingPrecision};
use exec::Machine;
use logic::{SymbolId, TermId};
use program::ir::{LocationId, Program};
use program::pass::loops::LoopId;
use record::{Recorded, Visit, record};
use rustc_hash::FxHashMap;
use smt::Answer;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use summary::closure::Level;
use summary::nest::LoopNestSummaries;
use summary::to_error::ToError;

/// What to sample.
#[derive(Clone, Debug)]
pub struct Sampling {
    /// Whether summaries describe wrapping.
    pub wraps: bool,
    /// The effort for each loop.
    pub level: Level,
    /// Runs of the program.
    pub runs: usize,
    /// Samples of a loop, and of a location, at most.
    pub samples: usize,
    /// Where random inputs start from.
    pub seed: u64,
    /// The time for making the summaries; what is found by then is looked at.
    pub time: Duration,
}

/// How many samples were inside, and which were not.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Runs that reached an error location.
    pub failing: usize,
    /// States that satisfy the invariants.
    pub states: usize,
    /// Pairs of states that satisfy the summary of a loop.
    pub pairs: usize,
    /// States before an error that satisfy the path-to-error summary.
    pub errors: usize,
    /// Samples that the solver did not decide.
    pub unknown: usize,
    /// Samples that are outside, in words.
    pub outside: Vec<String>,
}

impl Tally {
    /// The samples that are inside.
    pub fn inside(&self) -> usize {
        self.states + self.pairs + self.errors
    }

    /// Counts what another one counts, too.
    pub fn add(&mut self, other: Tally) {
        self.failing += other.failing;
        self.states += other.states;
        self.pairs += other.pairs;
        self.errors += other.errors;
        self.unknown += other.unknown;
        self.outside.extend(other.outside);
    }
}

/// The values that are known of a state, as terms.
type Known = Vec<(SymbolId, TermId)>;

/// Samples the entry procedure of a program.
pub fn sample(program: &Program, sampling: &Sampling) -> Tally {
    let budget = Budget::unlimited().with_timeout(sampling.time);
    let invariants = Invariants::new(program, program.entry, &Options::default(), &budget);
    let mut ctx = Context::new(program, &budget);
    let precision = EncodingPrecision {
        all_wraps: sampling.wraps,
        ..EncodingPrecision::default()
    };
    let mut nest = LoopNestSummaries::new(&mut ctx, program.entry, invariants, &precision);
    let machine = Machine::new(program);
    let mut samples = Samples::default();
    for run in 0..sampling.runs {
        let seed = sampling.seed.wrapping_add(run as u64);
        let recorded = record(&machine, &nest.cuts.graph, seed);
        samples.take(&mut ctx, &nest, &recorded, sampling.samples);
    }
    let mut tally = Tally {
        failing: samples.failing,
        ..Tally::default()
    };
    let stars: Vec<(LoopId, TermId)> = samples
        .pairs
        .keys()
        .map(|&id| (id, relation(&mut ctx, &mut nest, id, sampling.level)))
        .collect();
    let mut to_error = ToError::new(&nest, sampling.level);
    let mut ways = Vec::new();
    for &at in samples.before_errors.keys() {
        ways.push((at, to_error.from(&mut ctx, &mut nest, at, true)));
    }
    for (&at, states) in &samples.states {
        let formula = nest.invariant(&mut ctx, at);
        let name = format!("the invariant of {at}");
        tally.states += count(&mut ctx, &mut tally, formula, states, &name);
    }
    for (id, formula) in stars {
        let name = format!("the summary of {id} at {}", nest.cuts.loops.loops[id].head);
        tally.pairs += count(&mut ctx, &mut tally, formula, &samples.pairs[&id], &name);
    }
    for (at, formula) in ways {
        let name = format!("the path-to-error summary of {at}");
        let states = &samples.before_errors[&at];
        tally.errors += count(&mut ctx, &mut tally, formula, states, &name);
    }
    tally
}

/// The summary of a loop over the state before and, for the variables that matter at its head, the
/// symbols of [`after`].
fn relation(ctx: &mut Context, nest: &mut LoopNestSummaries, id: LoopId, level: Level) -> TermId {
    let star = nest.star(ctx, id, level);
    let mut parts = vec![star.step.guard];
    let live: Vec<_> = nest
        .cuts
        .live(nest.cuts.loops.loops[id].head)
        .iter()
        .collect();
    for var in live {
        let value = star.step.value(&mut ctx.store, &ctx.state, var);
        let symbol = after(ctx, ctx.state.symbol(var));
        let after = ctx.store.of_symbol(symbol);
        parts.push(ctx.store.eq(after, value));
    }
    ctx.store.and(&parts)
}

/// The symbol for the value after of the variable with a symbol.
fn after(ctx: &mut Context, symbol: SymbolId) -> SymbolId {
    let row = ctx.store.symbol(symbol).clone();
    let name = format!("{} after", row.name);
    match ctx.store.named(&name) {
        Some(logic::Named::Symbol(symbol)) => symbol,
        _ => ctx.store.new_symbol(&name, row.sort),
    }
}

/// How many of some samples can satisfy a formula; notes the others.
fn count(
    ctx: &mut Context,
    tally: &mut Tally,
    formula: TermId,
    samples: &BTreeSet<Known>,
    name: &str,
) -> usize {
    let mut inside = 0;
    for known in samples {
        let map: FxHashMap<SymbolId, TermId> = known.iter().copied().collect();
        let rest = ctx.store.substitute(formula, &map);
        ctx.budget = Budget::unlimited().with_timeout(Duration::from_secs(2));
        let answer = match ctx.store.as_bool(rest) {
            Some(true) => Answer::Sat,
            Some(false) => Answer::Unsat,
            None => ctx.check(&[rest]),
        };
        match answer {
            Answer::Sat => inside += 1,
            Answer::Unknown(_) => tally.unknown += 1,
            Answer::Unsat => {
                let shown = known.iter().map(|&(symbol, value)| {
                    let name = &ctx.store.symbol(symbol).name;
                    format!("{name} = {}", ctx.store.readable(value))
                });
                let shown: Vec<String> = shown.collect();
                tally.outside.push(format!("{name}: {}", shown.join(", ")));
            }
        }
    }
    inside
}

/// States and pairs of states, each once.
#[derive(Default)]
struct Samples {
    failing: usize,
    states: BTreeMap<LocationId, BTreeSet<Known>>,
    pairs: BTreeMap<LoopId, BTreeSet<Known>>,
    before_errors: BTreeMap<LocationId, BTreeSet<Known>>,
}

impl Samples {
    fn take(
        &mut self,
        ctx: &mut Context,
        nest: &LoopNestSummaries,
        recorded: &Recorded,
        most: usize,
    ) {
        let fails = recorded
            .error
            .is_some_and(|at| nest.cuts.errors.contains(&at));
        self.failing += usize::from(fails);
        // The stays in loops: the state at the first visit of the head, and at the last one.
        let mut stays: BTreeMap<LoopId, (Known, Known)> = BTreeMap::new();
        for visit in &recorded.visits {
            let at = visit.at;
            let now = known(ctx, visit);
            if fails && !nest.cuts.errors.contains(&at) {
                put(&mut self.before_errors, at, now.clone(), most);
            }
            stays.retain(|&id, _| nest.cuts.loops.contains(id, at));
            if let Some(id) = nest.cuts.loops.head_of(at) {
                let stay = stays
                    .entry(id)
                    .or_insert_with(|| (now.clone(), now.clone()));
                let starts = [stay.0.clone(), std::mem::replace(&mut stay.1, now.clone())];
                let live = nest.cuts.live(at);
                for mut pair in starts {
                    for &(symbol, value) in &now {
                        let var = ctx.state.var(symbol);
                        if var.is_some_and(|var| live.contains(var)) {
                            pair.push((after(ctx, symbol), value));
                        }
                    }
                    put(&mut self.pairs, id, pair, most);
                }
            }
            if may_escape(ctx, nest, at, &now) {
                stays.clear();
            }
            put(&mut self.states, at, now, most);
        }
    }
}

fn put<K: Ord>(into: &mut BTreeMap<K, BTreeSet<Known>>, key: K, known: Known, most: usize) {
    let set = into.entry(key).or_default();
    if set.len() < most {
        set.insert(known);
    }
}

/// The values of a visit as terms.
fn known(ctx: &mut Context, visit: &Visit) -> Known {
    let mut known = Vec::new();
    for &(var, value) in &visit.values {
        known.push((ctx.state.symbol(var), record::term(ctx, value)));
    }
    known
}

/// Whether something may wrap on the way from a location, as far as that is not described.
fn may_escape(ctx: &mut Context, nest: &LoopNestSummaries, at: LocationId, now: &Known) -> bool {
    let map: FxHashMap<SymbolId, TermId> = now.iter().copied().collect();
    nest.cuts.blocks_from(at).any(|block| match &block.step {
        BlockEffect::OutsideEncoding(step) | BlockEffect::CalleeFails(step) => {
            let wraps = ctx.store.substitute(step.guard, &map);
            ctx.store.as_bool(wraps) != Some(false) && ctx.check(&[wraps]) != Answer::Unsat
        }
        BlockEffect::Formula(_) | BlockEffect::Opaque(_) => false,
    })
}
