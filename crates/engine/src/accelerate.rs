//! Runs a program on given inputs and leaps over long loops (loop acceleration).
//!
//! The run is executed step by step. Once a loop has been seen often enough, it is analysed: the
//! effect of one iteration from the current state (`effect`), its closed form over many iterations
//! (`closed_form`), the weakest precondition for an iteration to be complete (`iteration`), how
//! many iterations there are and where that holds (`iterations`). The result is a lemma, kept if
//! the checker of `certify` proves it, and the run continues after the iterations that it covers.
//! Inner loops come first, because they are seen first; an iteration of an outer loop is then
//! short.
//!
//! # Paper
//! The closed forms are those of guarded translations with resets, the simplest of the loops that
//! can be accelerated exactly; as in [kroening2013under] the result is a path to the error, not a
//! proof. If something wraps on which the loop depends, the lemma ends before that and the
//! iteration is executed step by step.
//!
//! # Invariants
//! - A returned trace has been followed with lemmas that hold. The judge checks them again.
//! - Work is bounded: steps, attempts at lemmas, and the time of each.

mod closed_form;
mod effect;
mod finder;
mod iteration;
mod iterations;

use base::{Budget, IdVec};
use certify::replay::REPLAY_LIMITS;
use certify::replay::interpret::{Interpreter, Leaps, Stop};
use certify::{LoopLemmas, Trace};
use exec::inputs::SiteInputs;
use exec::{End, Limits, Machine};
use finder::{Finder, LemmaOutcome};
use logic::TermStore;
use program::expr::Constant;
use program::ir::{LocationId, ProcId, Program, SiteId};
use program::pass::inline::{InlineLimit, Origins, inline_calls};
use program::pass::loops::{LoopId, LoopNest};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Steps of a run where nothing else is known about it, and as how many of them a leap counts.
pub const STEPS: usize = 1 << 20;
const LEAP: usize = 1 << 7;
/// A run of so many steps of the machine needs no lemmas.
const SHORT: u64 = 1 << 21;
/// How often a loop is passed before it is looked at.
const PATIENCE: usize = 24;
/// How often it is looked at in vain, and as how many of these a lemma that fails counts.
const ATTEMPTS: usize = 48;
const DOUBT: usize = 16;
/// Steps between two looks at the time.
const STRETCH: usize = 1 << 10;

/// Runs the program on these inputs, each site taking its own in order. The trace, if the run
/// reaches an error location; none if it ends otherwise, or cannot be followed that far.
pub fn run(program: &Program, inputs: &[(SiteId, Constant)], budget: &Budget) -> Option<Trace> {
    let machine = Machine::new(program);
    let prepared = Inlined::new(&machine);
    Accelerator::new(&prepared).run(inputs, STEPS, budget)
}

/// A program with its calls inlined and its loops found, and the machine that runs it as it is.
pub struct Inlined<'p> {
    machine: &'p Machine<'p>,
    limit: InlineLimit,
    inlined: Program,
    origins: Origins,
    nest: LoopNest,
}

impl<'p> Inlined<'p> {
    /// Inlines the calls and finds the loops.
    pub fn new(machine: &'p Machine<'p>) -> Self {
        let limit = InlineLimit::of(machine.program());
        let (inlined, origins) = inline_calls(machine.program(), limit);
        Inlined {
            machine,
            limit,
            nest: LoopNest::new(&inlined.procs[inlined.entry]),
            inlined,
            origins,
        }
    }
}

/// Makes runs of one program; the lemmas that it finds for one serve the next.
pub struct Accelerator<'p> {
    prepared: &'p Inlined<'p>,
    finder: Finder<'p>,
    /// How often a loop was passed without a leap, since the last lemma about it.
    passed: IdVec<LoopId, usize>,
    /// How often it was looked at in vain.
    failed: IdVec<LoopId, usize>,
    /// The lemmas that the present run has used.
    used: BTreeSet<usize>,
    budget: Budget,
}

impl<'p> Accelerator<'p> {
    /// One that knows nothing yet.
    pub fn new(prepared: &'p Inlined<'p>) -> Self {
        let loops = prepared.nest.loops.len();
        Accelerator {
            prepared,
            finder: Finder::new(&prepared.inlined, prepared.limit),
            passed: IdVec::filled(0, loops),
            failed: IdVec::filled(0, loops),
            used: BTreeSet::new(),
            budget: Budget::unlimited(),
        }
    }

    /// As [`run`](fn@run), with at most so many steps.
    pub fn run(
        &mut self,
        inputs: &[(SiteId, Constant)],
        steps: usize,
        budget: &Budget,
    ) -> Option<Trace> {
        self.begin(budget);
        let Inlined {
            inlined, origins, ..
        } = self.prepared;
        let mut run = Interpreter::new(inlined, inputs);
        let mut work = 0;
        for step in 0.. {
            if step % STRETCH == 0 {
                self.budget.check().ok()?;
            }
            work += if self.leap(&mut run)? { LEAP } else { 1 };
            if work > steps {
                return None;
            }
            match run.step() {
                Ok(_) => {}
                Err(Stop::Error(at)) => {
                    let error = origins.locations[inlined.entry][at]?;
                    return Some(self.trace(run.taken(), error));
                }
                Err(Stop::Ended | Stop::Refused(_)) => return None,
            }
        }
        None
    }

    /// Forgets the run before, but not its lemmas, unless there is no room for new ones.
    fn begin(&mut self, budget: &Budget) {
        let Inlined { inlined, limit, .. } = self.prepared;
        if self.finder.is_full() {
            self.finder = Finder::new(inlined, *limit);
        }
        self.finder.budget = budget.clone();
        self.budget = budget.clone();
        self.passed.iter_mut().for_each(|count| *count = 0);
        self.failed.iter_mut().for_each(|count| *count = 0);
        self.used.clear();
    }

    /// The trace of a run that has reached an error location; with lemmas only if it is too long
    /// for the machine.
    fn trace(&self, inputs: &[(SiteId, Constant)], error: (ProcId, LocationId)) -> Trace {
        let machine = self.prepared.machine;
        let limits = Limits {
            steps: SHORT,
            ..REPLAY_LIMITS
        };
        let mut again = SiteInputs::new(machine.program(), inputs);
        let run = machine.run(&mut again, &limits, &self.budget);
        let is_short = run.end == End::Violated(error.0, error.1);
        Trace {
            inputs: inputs.to_vec(),
            error,
            lemmas: (!is_short).then(|| Box::new(self.lemmas())),
        }
    }

    /// At the head of a loop: leaps, if there is a lemma or one can be found. `None` if the run
    /// cannot continue.
    fn leap(&mut self, run: &mut Interpreter<'p>) -> Option<bool> {
        let nest = &self.prepared.nest;
        let Some(id) = nest.head_of(run.at()) else {
            return Some(false);
        };
        if self.leap_by_known(run)? {
            return Some(true);
        }
        self.passed[id] += 1;
        if self.passed[id] < PATIENCE || self.failed[id] >= ATTEMPTS {
            return Some(false);
        }
        match self.finder.find(nest, id, run) {
            LemmaOutcome::Lemma => {
                self.passed[id] = 0;
                return self.leap_by_known(run);
            }
            LemmaOutcome::Nothing => self.failed[id] += 1,
            LemmaOutcome::Doubt => self.failed[id] += DOUBT,
        }
        Some(false)
    }

    fn leap_by_known(&mut self, run: &mut Interpreter<'p>) -> Option<bool> {
        let known = &self.finder.known;
        if !known.lemmas.iter().any(|lemma| lemma.head == run.at()) {
            return Some(false);
        }
        let leapt = run.leap(&Leaps::new(known)).ok()?;
        self.used.extend(leapt.iter().map(|leapt| leapt.lemma));
        Some(leapt.is_some())
    }

    /// The lemmas that the last run has used and those that they use, in a store of their own.
    pub fn lemmas(&self) -> LoopLemmas {
        let known = &self.finder.known;
        let mut used = self.used.clone();
        for place in (0..known.lemmas.len()).rev() {
            if used.contains(&place) {
                used.extend(&known.lemmas[place].inner);
            }
        }
        let places: Vec<usize> = used.into_iter().collect();
        let moved = |place: &usize| places.binary_search(place).ok();
        let mut store = TermStore::new();
        let mut memo = FxHashMap::default();
        let vars = known.vars.iter();
        let vars = vars.map(|&symbol| store.counterpart(&known.store, symbol));
        let vars = vars.collect();
        let iteration = store.counterpart(&known.store, known.iteration);
        let mut lemmas = Vec::new();
        for &place in &places {
            let mut lemma = known.lemmas[place].clone();
            let mut copy = |term| store.copy(&known.store, term, &mut memo);
            lemma.condition = copy(lemma.condition);
            lemma.iterations = copy(lemma.iterations);
            lemma
                .closed_form
                .values_mut()
                .for_each(|term| *term = copy(*term));
            lemma.inner = lemma.inner.iter().filter_map(moved).collect();
            lemmas.push(lemma);
        }
        LoopLemmas {
            inlined: known.inlined,
            store,
            vars,
            iteration,
            lemmas,
        }
    }
}
