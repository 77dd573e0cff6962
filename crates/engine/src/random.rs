//! Random testing: runs the program on many inputs and looks for a violation.
//!
//! First come the uniform runs (all zero, all one, all least, all greatest), then values drawn from
//! the boundaries of the types and the constants in the program. Inputs that lead somewhere new are
//! kept and mutated. It proves nothing, except that an error location which no path of the graph
//! reaches is unreachable; it finds shallow bugs, and is the baseline for the other engines.
//!
//! # Invariants
//! - The same task gives the same runs in the same order; only the time decides how many.

pub mod coverage;
pub mod plan;
pub mod undefined;
pub mod values;

use crate::hard_in_integers::{NOT_HARD, is_hard_in_integers};
use crate::{About, Engine, Task, accelerate, graph};
use base::{Budget, Event, Rng, Span};
use certify::{Outcome, Reason, Trace};
use coverage::Coverage;
use exec::{End, Limits, Machine, Run};
use kit::test_runner::test_limits;
use plan::{Plan, Taken, vary};
use program::ir::{LocationId, ProcId, Program, SiteId, SiteKind};
use std::collections::BTreeMap;
use values::{Extreme, Pool};

/// The engine.
pub struct Random {
    /// The effort after which it ends, for a quick look at programs about which formulas say
    /// little.
    glance: Option<u64>,
}

/// Runs for as long as it may.
pub static RANDOM: Random = Random { glance: None };

/// A few runs before anything else: many bugs need no more.
pub static RANDOM_FIRST: Random = Random {
    glance: Some(40_000),
};

/// A first look: bugs that involve products and bit operations are often shallow.
pub static RANDOM_GLANCE: Random = Random {
    glance: Some(200_000),
};

impl Engine for Random {
    fn about(&self) -> About {
        About {
            name: "random",
            summary: "runs the program on boundary values and random inputs, guided by coverage",
            papers: &[],
        }
    }

    fn is_partial(&self) -> bool {
        self.glance.is_some()
    }

    fn run(&self, task: &Task, budget: &Budget) -> Outcome {
        if let Some(proof) = graph::proof(&task.program) {
            return Outcome::Safe(proof);
        }
        if let Some(effort) = self.glance {
            if !is_hard_in_integers(&task.program) {
                return Outcome::Unknown(Reason::gave_up(NOT_HARD));
            }
            return Search::new(task).run(&budget.clone().with_effort(effort));
        }
        budget.report(Event::Phase("running the program at random".to_owned()));
        Search::new(task).run(budget)
    }
}

/// Steps of the first runs; the limit grows while runs reach it.
const FIRST_STEPS: u64 = 1 << 12;
/// Random runs between two adjustments of the step limit.
const ROUND: usize = 256;
/// How many of the first truncated runs are tried again, leaping over long loops.
const LEAPING: u64 = 4;
/// Inputs kept for mutation.
const CORPUS: usize = 512;
/// Longer input lists are not kept.
const KEPT_LENGTH: usize = 20_000;
/// Runs of a program without inputs that vary the initial bytes of objects.
const WITHOUT_INPUTS: u64 = 200;
/// Branch lines named in the answer.
const NAMED_BRANCHES: usize = 8;

struct Search<'t> {
    program: &'t Program,
    machine: Machine<'t>,
    pool: Pool,
    rng: Rng,
    coverage: Coverage,
    reachable: Vec<(ProcId, LocationId)>,
    corpus: Vec<Taken>,
    steps: u64,
    tally: Tally,
}

/// How the runs ended.
#[derive(Default)]
struct Tally {
    runs: u64,
    without_inputs: u64,
    cut: u64,
    unsupported: u64,
    first_unsupported: Option<(String, Span)>,
    /// Undefined behaviour: for each location, how often, and the first message.
    undefined: BTreeMap<Span, (u64, String)>,
}

/// What the search learns from one run.
enum RunOutcome {
    /// Nothing special.
    Go,
    /// It reached the step limit.
    Cut,
    /// It reached the step limit before it took any input.
    CutBlind,
    /// The search is over.
    Stop(Outcome),
}

impl<'t> Search<'t> {
    fn new(task: &'t Task) -> Self {
        let program = &task.program;
        let machine = Machine::new(program);
        Search {
            program,
            coverage: Coverage::new(&machine),
            machine,
            pool: Pool::harvest(program),
            rng: Rng::new(task.seed),
            reachable: graph::reached(program),
            corpus: Vec::new(),
            steps: FIRST_STEPS,
            tally: Tally::default(),
        }
    }

    fn run(mut self, budget: &Budget) -> Outcome {
        loop {
            let mut growth = 1;
            for iteration in 0..Extreme::ALL.len() + ROUND {
                match self.attempt(iteration, budget) {
                    RunOutcome::Go => {}
                    RunOutcome::Cut => growth = 2,
                    // Other inputs cannot change a run that has taken none.
                    RunOutcome::CutBlind => {
                        growth = 16;
                        break;
                    }
                    RunOutcome::Stop(outcome) => return outcome,
                }
            }
            if self.tally.unsupported == self.tally.runs
                && let Some((what, span)) = self.tally.first_unsupported.clone()
            {
                let reason = Reason::unsupported(what).at(span);
                return Outcome::Unknown(self.with_notes(reason));
            }
            self.steps = self.steps.saturating_mul(growth);
        }
    }

    /// One run: extreme values in the first iterations, then fresh inputs or a mutation of kept
    /// ones.
    fn attempt(&mut self, iteration: usize, budget: &Budget) -> RunOutcome {
        let script;
        let seed = Rng::new(self.rng.bits());
        let mut steps = self.steps;
        let mut plan = if let Some(&extreme) = Extreme::ALL.get(iteration) {
            if iteration == 0 {
                // One run goes far ahead: a long loop may come before everything else.
                steps = steps.saturating_mul(ROUND as u64);
            }
            Plan::extreme(&self.pool, extreme)
        } else {
            // Most runs stay short, so that one endless loop does not eat the time.
            steps >>= 4 * self.rng.below(3);
            script = vary(&self.pool, &mut self.rng, &self.corpus);
            Plan::scripted(&self.pool, seed, &script)
        };
        let limits = test_limits(steps.max(FIRST_STEPS));
        let branches = &mut self.coverage.branches;
        let run = self
            .machine
            .run_covering(&mut plan, &limits, budget, branches);
        self.digest(run, &limits, budget)
    }

    /// Learns from a run.
    fn digest(&mut self, run: Run, limits: &Limits, budget: &Budget) -> RunOutcome {
        self.tally.runs += 1;
        if self.tally.runs % 64 == 1 {
            budget.report(Event::Progress {
                what: "runs",
                done: self.tally.runs,
            });
        }
        let new = self.coverage.end_run();
        if new {
            let mut again = Plan::exact(&self.pool, &run.inputs);
            let edges = &mut self.coverage.edges;
            self.machine.run_watched(&mut again, limits, budget, edges);
        }
        if let End::Violated(proc, location) = run.end {
            return RunOutcome::Stop(Outcome::Unsafe(Trace::new(run.inputs, (proc, location))));
        }
        if let Err(limit) = budget.check() {
            let reason = Reason::new(
                limit.into(),
                format!("no violation in {} runs", self.tally.runs),
            );
            return RunOutcome::Stop(Outcome::Unknown(self.with_notes(reason)));
        }
        let mut useful = new;
        let mut step = RunOutcome::Go;
        match &run.end {
            End::OutOfBudget(_) => {
                self.tally.cut += 1;
                if self.tally.cut <= LEAPING
                    && let Some(trace) = accelerate::run(self.program, &run.inputs, budget)
                {
                    return RunOutcome::Stop(Outcome::Unsafe(trace));
                }
                step = if run.inputs.is_empty() {
                    RunOutcome::CutBlind
                } else {
                    RunOutcome::Cut
                };
            }
            End::Undefined(undefined) => {
                useful = false;
                let entry = self.tally.undefined.entry(run.span);
                entry.or_insert((0, undefined.message.clone())).0 += 1;
            }
            End::Unsupported(what) => {
                self.tally.unsupported += 1;
                let first = &mut self.tally.first_unsupported;
                first.get_or_insert_with(|| (what.clone(), run.span));
            }
            End::Exited(_) | End::Aborted | End::Blocked | End::OutOfInputs => {}
            End::Violated(..) => {}
        }
        if matches!(step, RunOutcome::Go) && self.is_over(&run) {
            return RunOutcome::Stop(self.only_run(&run));
        }
        if useful && run.inputs.len() <= KEPT_LENGTH {
            if self.corpus.len() < CORPUS {
                self.corpus.push(run.inputs);
            } else {
                let victim = self.rng.below(CORPUS);
                self.corpus[victim] = run.inputs;
            }
        }
        step
    }

    /// Whether no other run is possible, or only runs that vary the initial bytes of objects, and
    /// enough of these were made.
    fn is_over(&mut self, run: &Run) -> bool {
        let kind = |site: SiteId| self.program.sites[site].kind;
        if run
            .inputs
            .iter()
            .any(|&(site, _)| kind(site) != SiteKind::Contents)
        {
            return false;
        }
        self.tally.without_inputs += 1;
        let mut sites = self.program.sites.iter();
        let has_contents = sites.any(|site| site.kind == SiteKind::Contents);
        !has_contents || self.tally.without_inputs > WITHOUT_INPUTS
    }

    /// A run that took no input is the program's only one.
    fn only_run(&self, run: &Run) -> Outcome {
        let reason = match &run.end {
            End::Unsupported(what) => Reason::unsupported(what.clone()),
            End::Undefined(undefined) => Reason::gave_up(format!(
                "the only run of the program meets undefined behaviour: {}",
                undefined.message
            )),
            End::Exited(_)
            | End::Aborted
            | End::Blocked
            | End::OutOfInputs
            | End::OutOfBudget(_)
            | End::Violated(..) => Reason::gave_up(
                "the program takes no input but what memory holds and its runs violate nothing, \
                 which this engine cannot prove",
            ),
        };
        Outcome::Unknown(reason.at(match run.end {
            End::Unsupported(_) | End::Undefined(_) => run.span,
            _ => Span::NONE,
        }))
    }

    /// Adds what was reached and what was encountered.
    fn with_notes(&self, mut reason: Reason) -> Reason {
        let tally = &self.tally;
        let summary = self.coverage.summary(self.program, &self.reachable);
        reason = reason.note(Span::NONE, format!("{} runs reached {summary}", tally.runs));
        if tally.cut > 0 {
            let text = format!("{} runs were cut short by the step limit", tally.cut);
            reason = reason.note(Span::NONE, text);
        }
        for (&span, (count, message)) in tally.undefined.iter().take(NAMED_BRANCHES) {
            let text = format!("{count} runs ended in undefined behaviour here: {message}");
            reason = reason.note(span, text);
        }
        if let Some((what, span)) = &tally.first_unsupported {
            let text = format!(
                "{} runs met what is not modelled: {what}",
                tally.unsupported
            );
            reason = reason.note(*span, text);
        }
        for &span in summary.missed.iter().take(NAMED_BRANCHES) {
            reason = reason.note(span, "no run took a branch here");
        }
        reason
    }
}
