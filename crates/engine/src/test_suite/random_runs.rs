//! Random runs: what is easy to reach needs no search, and code after many iterations can be
//! reached by running where no path could be followed that far.
//!
//! The runs are those of the engine `random`: uniform ones, values from the program, mutations of
//! inputs that led somewhere new. Here none of them ends the search.
//!
//! # Invariants
//! - Only the effort determines how many runs there are, so the same program has the same tests.

use super::{Making, RandomRuns};
use crate::random::coverage::Coverage;
use crate::random::plan::{Plan, Taken, vary};
use crate::random::values::{Extreme, Pool};
use base::{Budget, Rng};
use exec::inputs::SiteInputs;
use exec::{End, Inputs, Machine, Run};
use kit::test_runner::test_limits;
use program::expr::{Constant, Type};
use program::ir::SiteId;

/// How much of the effort a glance takes, in percent.
const GLANCE: u64 = 5;
/// How much of it a run may take that asks for no input.
const ONLY: u64 = 25;
/// How much of a glance a run may take that asks for hardly any.
const PLAIN: u64 = 20;
/// So many inputs are hardly any.
const HARDLY_ANY: usize = 64;
/// How many runs a glance has at most: what they do not find is looked for.
const FEW: u64 = 2_000;
/// Steps of the first runs; the limit grows while runs meet it.
const FIRST_STEPS: u64 = 1 << 12;
/// Runs between two looks at the step limit.
const ROUND: u64 = 256;
/// A test with more inputs is of little use, and takes long to write.
const MOST_INPUTS: usize = 120_000;
/// Inputs kept to vary.
const CORPUS: usize = 512;
/// Longer inputs are not varied.
const KEPT_LENGTH: usize = 20_000;

impl Making<'_> {
    /// Runs the program at random.
    pub(super) fn run_at_random(&mut self, runs: RandomRuns) {
        let (budget, most) = match runs {
            RandomRuns::None => return,
            RandomRuns::Few => (self.budget.share(GLANCE), FEW),
            RandomRuns::Many => (self.budget.clone(), u64::MAX),
        };
        let mut runner = Runner {
            pool: Pool::harvest(self.task.program),
            rng: Rng::new(self.task.seed),
            coverage: Coverage::new(&self.machine),
            corpus: Vec::new(),
            made: 0,
            steps: FIRST_STEPS,
            is_cut: false,
        };
        while runner.made < most
            && self.covered.len() < self.task.goals.len()
            && budget.check().is_ok()
        {
            let mut run = runner.run(&self.machine, &budget);
            self.watch(&mut runner, &run);
            if is_cut(&run) && runner.is_plain() && run.inputs.len() <= HARDLY_ANY {
                // Other inputs cannot change a run that has taken none.
                let budget = match run.inputs.is_empty() {
                    true => self.budget.share(ONLY),
                    false => budget.share(PLAIN),
                };
                run = runner.run_on(&self.machine, &run.inputs, &budget);
                self.watch(&mut runner, &run);
            }
            if run.inputs.is_empty() {
                self.has_only_run = !is_cut(&run);
                return;
            }
        }
    }

    /// Makes a run again as a test, if it shows anything new.
    fn watch(&mut self, runner: &mut Runner, run: &Run) {
        if runner.learn(run) {
            // Watched, a run may have more steps than otherwise.
            let steps = match is_cut(run) {
                true => run.steps,
                false => u64::MAX,
            };
            let mut inputs = SiteInputs::new(self.task.program, &run.inputs);
            self.run_test(&mut inputs, steps);
        }
    }
}

/// Whether a run was longer than it might be, or wanted more inputs.
fn is_cut(run: &Run) -> bool {
    matches!(run.end, End::OutOfBudget(_) | End::OutOfInputs)
}

/// What makes the runs.
struct Runner {
    pool: Pool,
    rng: Rng,
    coverage: Coverage,
    corpus: Vec<Taken>,
    /// The runs that were made.
    made: u64,
    /// How long they may be.
    steps: u64,
    /// Whether one was longer since that was said.
    is_cut: bool,
}

impl Runner {
    /// The next run.
    fn run(&mut self, machine: &Machine<'_>, budget: &Budget) -> Run {
        let iteration = self.made % ROUND;
        self.made += 1;
        if iteration == 0 && std::mem::take(&mut self.is_cut) {
            self.steps = self.steps.saturating_mul(2);
        }
        let seed = Rng::new(self.rng.bits());
        let extreme = usize::try_from(iteration).ok();
        let extreme = extreme.and_then(|index| Extreme::ALL.get(index));
        let script;
        let mut steps = self.steps;
        let plan = if let Some(&extreme) = extreme {
            // These go far ahead: a long loop may come before everything else.
            steps = steps.saturating_mul(ROUND);
            Plan::extreme(&self.pool, extreme)
        } else {
            script = vary(&self.pool, &mut self.rng, &self.corpus);
            Plan::scripted(&self.pool, seed, &script)
        };
        let left = MOST_INPUTS;
        let (mut inputs, limits) = (Short { plan, left }, test_limits(steps));
        let branches = &mut self.coverage.branches;
        machine.run_covering(&mut inputs, &limits, budget, branches)
    }

    /// Whether the last run was a plain one.
    fn is_plain(&self) -> bool {
        (self.made.wrapping_sub(1)) % ROUND < Extreme::ALL.len() as u64
    }

    /// The run on some inputs, for as long as the budget lasts.
    fn run_on(
        &mut self,
        machine: &Machine<'_>,
        inputs: &[(SiteId, Constant)],
        budget: &Budget,
    ) -> Run {
        let branches = &mut self.coverage.branches;
        let mut inputs = SiteInputs::new(machine.program(), inputs);
        machine.run_covering(&mut inputs, &test_limits(u64::MAX), budget, branches)
    }

    /// Whether a run shows anything new; then its inputs are kept to be varied.
    fn learn(&mut self, run: &Run) -> bool {
        self.is_cut |= is_cut(run);
        let is_new = self.coverage.end_run();
        if is_new && run.inputs.len() <= KEPT_LENGTH {
            if self.corpus.len() == CORPUS {
                let victim = self.rng.below(CORPUS);
                self.corpus.swap_remove(victim);
            }
            self.corpus.push(run.inputs.clone());
        }
        is_new
    }
}

/// Inputs that end after so many.
struct Short<'a> {
    plan: Plan<'a>,
    left: usize,
}

impl Inputs for Short<'_> {
    fn next(&mut self, site: SiteId, ty: Type) -> Option<Constant> {
        self.left = self.left.checked_sub(1)?;
        self.plan.next(site, ty)
    }
}
