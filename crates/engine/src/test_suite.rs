//! Test suites: for many targets in a program, tests for those that can be reached and a proof for
//! the rest.
//!
//! Some random runs cover what is easy to reach. The targets become error locations of a copy
//! ([`program::pass::goals`]). Lazy annotation reaches one after another and excludes the remaining
//! ones; another engine tries those it gives up on. Each run to a goal is repeated on the program
//! itself, to its end, and covers everything it reaches.
//!
//! # Invariants
//! - A goal is covered by a run of the machine, on the original program, that a compiled program
//!   reproduces as far as is known ([`Obstacles`]); if none does, it is only reached.
//! - A goal is unreachable by a checked proof about the copy in which the goals that the proof does
//!   not cover are closed.

mod fewest;
pub mod places;
mod random_runs;
mod stack;
mod visits;

use crate::goals::{Goal, GoalVerdict, decide_goals};
use crate::la::{self, Rest, Statistics};
use crate::{Engine, Options, Task};
use base::Budget;
use certify::{Outcome, Reason, Verdict, judge};
use exec::inputs::SiteInputs;
use exec::{End, Inputs, Limits, Machine, Run};
use fewest::fewest;
use program::expr::Constant;
use program::ir::{EdgeId, ProcId, Program, SiteId};
use program::pass::goals::{GoalPlace, WithGoals, close_goal, with_goals};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use visits::{Counted, Visits};

/// The steps of a test on the program itself.
const STEPS: u64 = 20_000_000;
/// How much of the effort lazy annotation may take where another engine is there to continue, in
/// percent.
const FIRST: u64 = 30;

/// Something that a test suite should get to: one of its places is enough.
pub type SuiteGoal = Vec<GoalPlace>;

/// A test.
#[derive(Clone, Debug)]
pub struct TestCase {
    /// The inputs that it takes, in order.
    pub inputs: Vec<(SiteId, Constant)>,
    /// The goals that it gets to.
    pub covers: BTreeSet<usize>,
    /// How its run ends.
    pub end: End,
    /// Why no compiled program reaches all of them on these inputs, if none does.
    pub obstacle: Option<String>,
}

/// What a compiled program cannot repeat.
pub struct Obstacles<'a> {
    /// Edges that none gets past, and why.
    pub edges: BTreeMap<(ProcId, EdgeId), String>,
    /// Why none makes a run with these inputs and this end, if so.
    pub of_run: &'a OfRun<'a>,
}

/// What keeps compiled programs from a run, by its inputs and its end.
pub type OfRun<'a> = dyn Fn(&[(SiteId, Constant)], &End) -> Option<String> + 'a;

impl Obstacles<'_> {
    /// None, for a suite that is not to be compiled.
    pub const NONE: Obstacles<'static> = Obstacles {
        edges: BTreeMap::new(),
        of_run: &|_, _| None,
    };
}

/// What became of a goal.
#[derive(Clone, Debug)]
pub enum GoalFate {
    /// This test gets there.
    Covered(usize),
    /// This test gets there on the machine, but no compiled program does on its inputs.
    Reached(usize),
    /// No run gets there; the proof was checked.
    Unreachable,
    /// Neither; and why.
    Open(Reason),
}

/// How far a suite is.
#[derive(Clone, Copy, Debug)]
pub struct SuiteProgress {
    /// The goals in all.
    pub goals: usize,
    /// Those that a test gets to, be it on the machine alone.
    pub covered: usize,
    /// The tests.
    pub tests: usize,
}

/// A test suite.
#[derive(Clone, Debug)]
pub struct TestSuite {
    /// The tests, none of which covers nothing that others do not.
    pub tests: Vec<TestCase>,
    /// What became of the goals, in the order that they were given in.
    pub fates: Vec<GoalFate>,
    /// What lazy annotation did.
    pub statistics: Statistics,
    /// How many goals were covered after so many backtracks.
    pub curve: Vec<(u64, usize)>,
}

/// How long the program is run at random.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RandomRuns {
    /// Not at all.
    None,
    /// For a glance.
    Few,
    /// For as long as the budget lasts.
    Many,
}

/// What a suite is asked to do.
pub struct SuiteTask<'a> {
    /// The program.
    pub program: &'a Program,
    /// What to get to.
    pub goals: &'a [SuiteGoal],
    /// Whether the program is run at random first.
    pub runs: RandomRuns,
    /// Whether lazy annotation begins then.
    pub annotates: bool,
    /// Who tries what is open after that.
    pub rest: Option<&'a dyn Engine>,
    /// How lazy annotation works.
    pub options: Options,
    /// Where random choices start from.
    pub seed: u64,
    /// What stands in the way of a compiled program.
    pub obstacles: &'a Obstacles<'a>,
}

/// Makes a test suite. A certificate is checked within a budget of its own; `on_progress` is told
/// whenever goals are covered, with the test that does it.
pub fn make_suite(
    task: &SuiteTask<'_>,
    budget: &Budget,
    checking: impl Fn() -> Budget,
    on_progress: &mut dyn FnMut(&TestCase, SuiteProgress),
) -> TestSuite {
    let mut suite = Making::new(task, budget, on_progress);
    suite.run_at_random(task.runs);
    let statistics = match task.annotates && !(suite.has_only_run && task.rest.is_some()) {
        true => suite.annotate(&checking),
        false => Statistics::default(),
    };
    if let Some(engine) = task.rest {
        suite.try_rest(engine, &checking);
    }
    suite.finish(statistics)
}

/// A suite that is being made.
struct Making<'a> {
    task: &'a SuiteTask<'a>,
    budget: &'a Budget,
    on_progress: &'a mut dyn FnMut(&TestCase, SuiteProgress),
    copy: WithGoals,
    /// The goal of each error location of the copy.
    numbers: BTreeMap<Goal, usize>,
    machine: Machine<'a>,
    tests: Vec<TestCase>,
    /// The goals that tests get to, be it on the machine alone.
    covered: BTreeSet<usize>,
    /// Those to which a compiled program gets, too.
    repeated: BTreeSet<usize>,
    unreachable: BTreeSet<Goal>,
    reasons: BTreeMap<usize, Reason>,
    curve: Vec<(u64, usize)>,
    /// Whether the program takes no input, and its only run has ended.
    has_only_run: bool,
}

impl<'a> Making<'a> {
    fn new(
        task: &'a SuiteTask<'a>,
        budget: &'a Budget,
        on_progress: &'a mut dyn FnMut(&TestCase, SuiteProgress),
    ) -> Self {
        let goals = task.goals.iter().enumerate();
        let places =
            goals.flat_map(|(number, goal)| goal.iter().map(move |&place| (place, number)));
        let places: Vec<(GoalPlace, usize)> = places.collect();
        let copy = with_goals(task.program, &places);
        let errors = copy.errors.iter().zip(&places);
        let numbers = errors.map(|(&(proc, location), &(_, number))| {
            let goal = Goal { proc, location };
            (goal, number)
        });
        Making {
            numbers: numbers.collect(),
            task,
            budget,
            on_progress,
            copy,
            machine: Machine::new(task.program),
            tests: Vec::new(),
            covered: BTreeSet::new(),
            repeated: BTreeSet::new(),
            unreachable: BTreeSet::new(),
            reasons: BTreeMap::new(),
            curve: Vec::new(),
            has_only_run: false,
        }
    }

    /// The question whether goals can be reached.
    fn search(&self) -> Task {
        Task {
            seed: self.task.seed,
            options: self.task.options,
            ..Task::new(self.copy.program.clone())
        }
    }

    /// Lets lazy annotation reach what it can and exclude what is left.
    fn annotate(&mut self, checking: impl Fn() -> Budget) -> Statistics {
        if self.open_errors().is_empty() {
            return Statistics::default();
        }
        let budget = match self.task.rest {
            Some(_) => self.budget.share(FIRST),
            None => self.budget.clone(),
        };
        let mut search = self.search();
        for goal in self.covered_errors() {
            close_goal(&mut search.program, (goal.proc, goal.location));
        }
        let settled = la::settle(&search, &budget, &mut |trace, backtracks| {
            self.add(&trace.inputs);
            self.curve.push((backtracks, self.covered.len()));
            Some(self.covered_errors())
        });
        let reason = match settled.rest {
            Rest::Excluded(proof) => self.exclude(*proof, &settled.left, checking),
            Rest::Open(reason) => Some(reason),
        };
        self.leave(&settled.left, reason);
        settled.statistics
    }

    /// Runs the inputs of a trace of the copy on the program, and keeps the test if it covers
    /// anything new.
    fn add(&mut self, inputs: &[(SiteId, Constant)]) {
        let inputs = inputs.iter().filter(|row| row.0 != self.copy.choice);
        let inputs: Vec<(SiteId, Constant)> = inputs.copied().collect();
        let mut source = SiteInputs::new(self.task.program, &inputs);
        self.run_test(&mut source, STEPS);
    }

    /// Runs the program on inputs, and keeps the test if it covers anything new.
    fn run_test(&mut self, source: &mut dyn Inputs, steps: u64) {
        let taken = Cell::new(0);
        let mut visits = Visits::new(self.task.program, &self.task.obstacles.edges, &taken);
        let mut source = Counted {
            source,
            taken: &taken,
        };
        let limits = Limits {
            steps,
            ..certify::replay::REPLAY_LIMITS
        };
        let machine = &self.machine;
        let mut run = machine.run_watched(&mut source, &limits, self.budget, &mut visits);
        visits.end(&run);
        if matches!(run.end, End::OutOfBudget(_) | End::OutOfInputs) {
            // An endless run is a test as far as it gets to something new.
            run.inputs.truncate(visits.needed);
            run.end = End::OutOfInputs;
        }
        let of_run = self.task.obstacles.of_run;
        let is_new = !self
            .covers(|place| visits.has(place))
            .is_subset(&self.repeated);
        let whole = match is_new {
            true => of_run(&run.inputs, &run.end),
            false => None,
        };
        if whole.is_none() {
            let covers = self.covers(|place| visits.has_before(place));
            self.keep(covers, &run, None);
        }
        if let Some(obstacle) = whole.or_else(|| visits.obstacle().map(str::to_owned)) {
            let covers = self.covers(|place| visits.has(place));
            self.keep(covers, &run, Some(obstacle));
        }
    }

    /// The goals of which a run reached a place.
    fn covers(&self, has: impl Fn(GoalPlace) -> bool) -> BTreeSet<usize> {
        let goals = self.task.goals.iter().enumerate();
        let covers = goals.filter(|(_, goal)| goal.iter().any(|&place| has(place)));
        covers.map(|(number, _)| number).collect()
    }

    /// Keeps a run as a test, if it covers anything new.
    fn keep(&mut self, covers: BTreeSet<usize>, run: &Run, obstacle: Option<String>) {
        let before = match obstacle {
            Some(_) => &self.covered,
            None => &self.repeated,
        };
        if covers.is_subset(before) {
            return;
        }
        self.covered.extend(&covers);
        if obstacle.is_none() {
            self.repeated.extend(&covers);
        }
        self.tests.push(TestCase {
            inputs: run.inputs.clone(),
            covers,
            end: run.end.clone(),
            obstacle,
        });
        let progress = SuiteProgress {
            goals: self.task.goals.len(),
            covered: self.covered.len(),
            tests: self.tests.len(),
        };
        if let Some(test) = self.tests.last() {
            (self.on_progress)(test, progress);
        }
    }

    /// The error locations of the goals that are covered.
    fn covered_errors(&self) -> BTreeSet<Goal> {
        let numbers = self.numbers.iter();
        let covered = numbers.filter(|(_, number)| self.covered.contains(number));
        covered.map(|(&goal, _)| goal).collect()
    }

    /// The error locations that are neither reached nor excluded.
    fn open_errors(&self) -> BTreeSet<Goal> {
        let closed = &self.covered_errors() | &self.unreachable;
        let goals = self.numbers.keys().copied();
        goals.filter(|goal| !closed.contains(goal)).collect()
    }

    /// Checks a proof that no goal is reached but those that are covered and those left. Why it is
    /// not believed, if it is not.
    fn exclude(
        &mut self,
        proof: certify::Proof,
        left: &BTreeMap<Goal, Reason>,
        checking: impl Fn() -> Budget,
    ) -> Option<Reason> {
        let mut excluded = self.open_errors();
        excluded.retain(|goal| !left.contains_key(goal));
        let mut program = self.copy.program.clone();
        for goal in self.numbers.keys().filter(|goal| !excluded.contains(goal)) {
            close_goal(&mut program, (goal.proc, goal.location));
        }
        match judge(&program, Outcome::Safe(proof), &checking()) {
            Verdict::Safe(_) => {
                self.unreachable.extend(excluded);
                None
            }
            Verdict::Unsafe(_) => unreachable!("a proof should not become a violation"),
            Verdict::Unknown(reason) => Some(reason),
        }
    }

    /// Notes why goals are open.
    fn leave(&mut self, left: &BTreeMap<Goal, Reason>, reason: Option<Reason>) {
        for goal in self.open_errors() {
            if let Some(reason) = left.get(&goal).or(reason.as_ref()) {
                self.reasons.insert(self.numbers[&goal], reason.clone());
            }
        }
    }

    /// Lets another engine try what is open.
    fn try_rest(&mut self, engine: &dyn Engine, checking: impl Fn() -> Budget) {
        let open = self.open_errors();
        if open.is_empty() || self.budget.check().is_err() {
            return;
        }
        let budget = self.budget.clone();
        let task = self.search();
        let verdicts = decide_goals(engine, &task, &open, &budget, checking, |_, replayed| {
            self.add(&replayed.run.inputs);
            self.covered_errors()
        });
        for (goal, verdict) in verdicts {
            match verdict {
                GoalVerdict::Reached(_) => {}
                GoalVerdict::Unreachable(_) => {
                    self.unreachable.insert(goal);
                }
                GoalVerdict::Open(reason) => {
                    self.reasons.insert(self.numbers[&goal], reason);
                }
            }
        }
    }

    /// The suite, without tests that cover nothing that others do not.
    fn finish(mut self, statistics: Statistics) -> TestSuite {
        let tests = fewest(std::mem::take(&mut self.tests));
        let open = self.open_errors();
        let open: BTreeSet<usize> = open.iter().map(|goal| self.numbers[goal]).collect();
        let fates = (0..self.task.goals.len()).map(|number| {
            let test = tests.iter().position(|test| test.covers.contains(&number));
            match test {
                Some(test) if tests[test].obstacle.is_some() => GoalFate::Reached(test),
                Some(test) => GoalFate::Covered(test),
                None if open.contains(&number) => {
                    let reason = self.reasons.remove(&number);
                    let none = || Reason::gave_up("it was not tried");
                    GoalFate::Open(reason.unwrap_or_else(none))
                }
                None => GoalFate::Unreachable,
            }
        });
        TestSuite {
            fates: fates.collect(),
            tests,
            statistics,
            curve: self.curve,
        }
    }
}
