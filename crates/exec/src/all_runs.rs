//! Enumerates all runs of a program, as long as they are few: for programs that are decided by
//! them.
//!
//! A state of this machine is one of the program in which a value may be *unknown*: a byte that was
//! never written, a local without an initial value, the value of an unknown function, an address
//! seen as a number, an input of many bits. Inputs of few bits are tried with every value. If what
//! happens next depends on an unknown condition, the run *guesses*: both ways are followed. If it
//! depends on an unknown value otherwise (a store through an unknown address), nothing more can be
//! said.
//!
//! [`Machine`](crate::Machine) chooses where C leaves things open: memory starts as zeros, objects
//! have addresses. Here nothing is chosen, so that what holds for all enumerated runs holds for all
//! runs.
//!
//! # Invariants
//! - For every run of the program there is one here that takes the same path and whose values are
//!   those of the run or unknown, up to the end of the run: undefined behaviour ends a run. If an
//!   operation on unknown values may be undefined, the run here continues.
//! - A run that made no guess is one of the program whatever the unknown values are, as far as no
//!   operation on them is undefined.
//! - Runs that reach a state seen before are not followed again: their continuation has been or
//!   will be seen.
//! - The same program and options give the same answer, except for the time limit.

mod evaluate;
mod library;
mod memory;
mod state;
mod value;

use crate::Undefined;
use base::{Budget, Exhausted, Span};
use program::expr::{Constant, Type};
use program::ir::{LocationId, ProcId, Program, SiteId, SiteKind};
use rustc_hash::FxHashSet;
use state::{Layout, State, StepOutcome};

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Inputs of at most so many bits are tried with every value.
    pub bits: u8,
    /// Steps of all runs together: edges, and more for what is large.
    pub steps: u64,
}

/// All runs of a program, or as many as were made.
#[derive(Clone, Debug)]
pub struct AllRuns {
    /// What was found.
    pub found: RunsOutcome,
    /// Runs that came to an end, or to a state that was met before.
    pub runs: u64,
    /// Steps made.
    pub steps: u64,
    /// Places where a run became several.
    pub branched: u64,
    /// The inputs of the first runs that came to an end; sites that are not named take anything.
    pub samples: Vec<Vec<(SiteId, Constant)>>,
}

/// What the runs show.
#[derive(Clone, PartialEq, Debug)]
pub enum RunsOutcome {
    /// All of them were made, and none reaches an error location.
    NoViolation,
    /// This one reaches one; sites that are not named take anything.
    Violation {
        /// The error location.
        error: (ProcId, LocationId),
        /// The inputs that were chosen.
        inputs: Vec<(SiteId, Constant)>,
        /// Whether the run has guessed, so that the program may have no such run.
        guessed: bool,
    },
    /// Not all of them could be made.
    Stopped(Stopped),
}

/// Why not all runs could be made.
#[derive(Clone, PartialEq, Debug)]
pub enum Stopped {
    /// The steps were used up.
    Steps,
    /// The time was used up, or the run was cancelled.
    Budget(Exhausted),
    /// What happens depends on what is not known, or is no matter of this machine; in words.
    Lost(String, Span),
}

/// Why a run does not go on.
#[derive(Clone, Debug)]
enum Stop {
    /// Undefined behaviour: it is over.
    Undefined,
    /// See [`Stopped::Lost`].
    Lost(String),
}

impl From<Undefined> for Stop {
    fn from(_: Undefined) -> Stop {
        Stop::Undefined
    }
}

fn lost<T>(what: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Lost(what.into()))
}

/// Steps between two looks at the budget.
const SLICE: u64 = 1 << 12;
/// Steps that cost a unit of effort.
const STEPS_OF_A_UNIT: u64 = 8;
/// How many runs are kept as samples.
const SAMPLES: usize = 16;
/// Bytes of states that are kept to be met again.
const KEPT: u64 = 128 << 20;
/// States that wait to be followed.
const OPEN: usize = 10_000;
/// Bytes of a state that are compared or copied in the time of one step.
const BYTES_PER_STEP: u64 = 64;

/// Makes all runs of a program.
pub fn all_runs(program: &Program, options: &Options, budget: &Budget) -> AllRuns {
    let layout = Layout::new(program);
    let mut search = Search {
        layout: &layout,
        options,
        met: FxHashSet::default(),
        kept: 0,
        frontier: Vec::new(),
        look: 0,
        charged: 0,
        made: AllRuns {
            found: RunsOutcome::NoViolation,
            runs: 0,
            steps: 0,
            branched: 0,
            samples: Vec::new(),
        },
    };
    if let Err(found) = search.run(budget) {
        search.made.found = found;
    }
    search.charge(budget);
    search.made
}

/// A run, as far as it was made.
#[derive(Clone)]
struct Path {
    state: State,
    inputs: Vec<(SiteId, Constant)>,
    guessed: bool,
    /// When its state was last compared with those met before.
    compared: u64,
}

/// What is still to be followed.
enum Open {
    Path(Path),
    /// The path stands before an input, of which the values from this number on are to be tried.
    Input(Path, SiteId, u64),
}

struct Search<'p> {
    layout: &'p Layout<'p>,
    options: &'p Options,
    met: FxHashSet<State>,
    kept: u64,
    frontier: Vec<Open>,
    /// When to look at the budget.
    look: u64,
    /// The steps that were charged for.
    charged: u64,
    made: AllRuns,
}

impl Search<'_> {
    fn run(&mut self, budget: &Budget) -> Result<(), RunsOutcome> {
        let state = State::new(self.layout);
        let state = state.map_err(|stop| stopped(stop, Span::NONE))?;
        self.frontier.push(Open::Path(Path {
            state,
            inputs: Vec::new(),
            guessed: false,
            compared: 0,
        }));
        while let Some(open) = self.frontier.pop() {
            match open {
                Open::Path(mut path) => {
                    while self.goes_on(&mut path)? {
                        self.look_at_limits(budget)?;
                    }
                }
                Open::Input(path, site, value) => self.try_input(path, site, value)?,
            }
            self.look_at_limits(budget)?;
        }
        Ok(())
    }

    fn charge(&mut self, budget: &Budget) {
        let units = (self.made.steps - self.charged) / STEPS_OF_A_UNIT;
        budget.spend(units);
        self.charged += units * STEPS_OF_A_UNIT;
    }

    fn look_at_limits(&mut self, budget: &Budget) -> Result<(), RunsOutcome> {
        if self.made.steps >= self.options.steps {
            return Err(RunsOutcome::Stopped(Stopped::Steps));
        }
        if self.made.steps >= self.look {
            self.look = self.made.steps + SLICE;
            self.charge(budget);
            let limit = budget.check();
            limit.map_err(|limit| RunsOutcome::Stopped(Stopped::Budget(limit)))?;
        }
        Ok(())
    }

    /// Makes a step of a path; false if it has ended, or become others.
    fn goes_on(&mut self, path: &mut Path) -> Result<bool, RunsOutcome> {
        self.made.steps += 1;
        let is_kept = self.is_due(path);
        if is_kept && self.was_met(path) {
            self.made.runs += 1;
            return Ok(false);
        }
        let (proc, at) = path.state.at();
        if self.layout.program.procs[proc].locations[at]
            .error
            .is_some()
        {
            return Err(RunsOutcome::Violation {
                error: (proc, at),
                inputs: std::mem::take(&mut path.inputs),
                guessed: path.guessed,
            });
        }
        match path.state.step(self.layout) {
            Ok(StepOutcome::Done(bytes)) => {
                self.made.steps += bytes / BYTES_PER_STEP;
                Ok(true)
            }
            Ok(StepOutcome::Ended) => Ok(self.ended(path)),
            Ok(StepOutcome::Input(site)) if self.is_tried(site) => {
                self.branch(path)?;
                let open = Open::Input(path.clone(), site, 0);
                self.frontier.push(open);
                Ok(false)
            }
            Ok(StepOutcome::Input(site)) => {
                let taken = path.state.input(self.layout, site, None);
                self.after(path, taken)
            }
            Ok(StepOutcome::Guess(ways)) => {
                self.branch(path)?;
                path.guessed = true;
                // Unless it has just been put there.
                if !is_kept && self.was_met(path) {
                    self.made.runs += 1;
                    return Ok(false);
                }
                for edge in ways.into_iter().rev() {
                    let mut way = path.clone();
                    way.state.take(self.layout, edge);
                    self.frontier.push(Open::Path(way));
                }
                Ok(false)
            }
            Err(stop) => self.after(path, Err(stop)),
        }
    }

    /// Tries a value of an input, and leaves the next one for later.
    fn try_input(&mut self, path: Path, site: SiteId, number: u64) -> Result<(), RunsOutcome> {
        let Some(value) = nth_value(self.layout.program.sites[site].ty, number) else {
            return Ok(());
        };
        self.made.steps += self.cost_of(&path);
        let mut next = path.clone();
        self.frontier.push(Open::Input(path, site, number + 1));
        next.inputs.push((site, value));
        let state = &mut next.state;
        let taken = state.input(self.layout, site, Some(value));
        if self.after(&next, taken)? {
            self.frontier.push(Open::Path(next));
        }
        Ok(())
    }

    /// Counts that a path becomes several.
    fn branch(&mut self, path: &Path) -> Result<(), RunsOutcome> {
        self.made.branched += 1;
        self.made.steps += self.cost_of(path);
        match self.frontier.len() {
            0..=OPEN => Ok(()),
            _ => {
                let span = path.state.span(self.layout);
                Err(stopped(Stop::Lost("too many runs".to_owned()), span))
            }
        }
    }

    /// Whether a path goes on after a step.
    fn after(&mut self, path: &Path, step: Result<(), Stop>) -> Result<bool, RunsOutcome> {
        match step {
            Ok(()) => Ok(true),
            Err(Stop::Undefined) => Ok(self.ended(path)),
            Err(stop) => Err(stopped(stop, path.state.span(self.layout))),
        }
    }

    /// A run has ended: it does not go on.
    fn ended(&mut self, path: &Path) -> bool {
        self.made.runs += 1;
        if self.made.samples.len() < SAMPLES {
            self.made.samples.push(path.inputs.clone());
        }
        false
    }

    /// Whether every value of an input is tried.
    fn is_tried(&self, site: SiteId) -> bool {
        let site = &self.layout.program.sites[site];
        // A local without a value need not have any that lasts.
        site.kind != SiteKind::Uninitialized
            && width(site.ty).is_some_and(|width| width <= self.options.bits)
    }

    /// What it takes to copy or compare a path, in steps.
    fn cost_of(&self, path: &Path) -> u64 {
        (path.state.size() + 16 * path.inputs.len() as u64) / BYTES_PER_STEP + 1
    }

    /// Whether it is time to look whether a state was met: where paths join, and as often as
    /// costs no more than the steps themselves.
    fn is_due(&self, path: &Path) -> bool {
        let at = path.state.at();
        self.layout.is_join(at)
            && self.made.steps.saturating_sub(path.compared) >= 4 * self.cost_of(path)
    }

    /// Whether the state was met before; from now on it was.
    fn was_met(&mut self, path: &mut Path) -> bool {
        path.compared = self.made.steps;
        if self.met.contains(&path.state) {
            return true;
        }
        let size = path.state.size();
        if self.kept + size <= KEPT {
            self.kept += size;
            self.met.insert(path.state.clone());
        }
        false
    }
}

fn stopped(stop: Stop, span: Span) -> RunsOutcome {
    let what = match stop {
        Stop::Lost(what) => what,
        Stop::Undefined => "undefined behaviour before the start".to_owned(),
    };
    RunsOutcome::Stopped(Stopped::Lost(what, span))
}

/// The bits of an input, if there is a number for each of its values.
fn width(ty: Type) -> Option<u8> {
    match ty {
        Type::Bool => Some(1),
        Type::Int(ty) => Some(ty.bits),
        Type::Float(_) | Type::Ptr => None,
    }
}

/// The values of a type, in order.
fn nth_value(ty: Type, number: u64) -> Option<Constant> {
    let width = width(ty)?;
    if u128::from(number) >> width != 0 {
        return None;
    }
    Some(match ty {
        Type::Bool => Constant::Bool(number == 1),
        Type::Int(ty) => Constant::Int(logic::IntValue::from_bits(ty, number.into())),
        Type::Float(_) | Type::Ptr => return None,
    })
}
