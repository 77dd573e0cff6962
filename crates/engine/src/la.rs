//! Lazy annotation: tests for the goals that can be reached, labels for the rest.
//!
//! Follows one path at a time in symbolic states. Where it gets stuck, it learns why: a label of
//! the step, and, when all steps of a location are blocked, of the location. Where a label holds no
//! goal is reachable, so later paths are blocked there. When a goal is reached symbolically, the
//! machine runs the inputs, and the goal is settled. When the start is blocked, the labels are an
//! inductive invariant that excludes the remaining goals.
//!
//! # Paper
//! [mcmillan2010lazy]: `search` is figure 2 (IntraLA), `strengthen` figure 3. Steps are basic
//! blocks, as in its section 3. Calls are inlined where possible; the rest, above all recursion,
//! has negative summaries as in section 2.3 (InterLA, `calls`). We differ in these points.
//! Locations from which the graph leads to no open goal are labelled at once. A label is first
//! looked for in what blocks the successor state, and found by interpolation if that is not enough.
//! The time to live decreases at loop heads, except for loops that are seen to terminate soon, and
//! in recursive calls.
//!
//! # Invariants
//! - No verdict rests on it: a goal is reached when the machine says so, and labels are checked.
//! - Without learning nothing is proved.

mod blocked;
mod bounded;
mod calls;
mod conjuncts;
mod goals;
mod graph;
mod labels;
mod learn;
mod prove;
mod runs;
mod search;
mod states;
mod strengthen;
#[cfg(test)]
mod tests;

use crate::goals::Goal;
use crate::{About, Engine, OptionName, Task};
use base::Budget;
use certify::{Outcome, Proof, Reason, Trace};
use exec::Machine;
use graph::{Graph, Layout, PointId};
use kit::Context;
use kit::prepared::{Prepared, Removed};
use logic::TermId;
use program::ir::{Program, Violation};
use program::pass::callgraph::CallGraph;
use program::pass::inline::InlineLimit;
use program::pass::inlined;
use runs::Runs;
use search::{Search, Stop};
use smt::Answer;
use std::collections::{BTreeMap, BTreeSet};

/// The time to live of the second exploration; the first has none to spare.
const SECOND: i64 = 1;
/// How many edges a program may have with its calls inlined: paths are followed one by one, so that
/// a large program is no harder than a small one.
const LARGE: usize = 60_000;
/// The longest time to live.
const LONGEST: i64 = 1 << 20;

/// The engine.
pub struct LazyAnnotation;

impl Engine for LazyAnnotation {
    fn about(&self) -> About {
        About {
            name: "la",
            summary: "follows paths in symbolic states and labels what leads to no goal (lazy annotation)",
            papers: &["mcmillan2010lazy"],
        }
    }

    fn is_partial(&self) -> bool {
        true
    }

    fn understands(&self, option: OptionName) -> bool {
        use OptionName::*;
        matches!(option, Learn | Blocks | Time)
    }

    fn run(&self, task: &Task, budget: &Budget) -> Outcome {
        if let Some(proof) = crate::graph::proof(&task.program) {
            return Outcome::Safe(proof);
        }
        let mut found = None;
        let settled = settle(task, budget, &mut |trace, _| {
            found = Some(trace);
            None
        });
        let left = settled.left.into_values().next();
        match (found, left, settled.rest) {
            (Some(trace), ..) => Outcome::Unsafe(trace),
            // The proof mentions the other goals only.
            (None, Some(reason), _) => Outcome::Unknown(reason),
            (None, None, Rest::Excluded(proof)) => Outcome::Safe(*proof),
            (None, None, Rest::Open(reason)) => Outcome::Unknown(reason),
        }
    }
}

/// What a search has done.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// How often it went another way from a state from which it had gone one before.
    pub backtracks: u64,
    /// Steps taken.
    pub decisions: u64,
    /// Labels learned for steps.
    pub learned: u64,
    /// Labels that are left at the end.
    pub labels: usize,
    /// Tests that reached a goal which was open.
    pub tests: u64,
}

/// What became of the error locations of a program.
pub struct Settled {
    /// Why single goals were given up.
    pub left: BTreeMap<Goal, Reason>,
    /// What is known about the goals that were neither reached nor given up.
    pub rest: Rest,
    /// What was done.
    pub statistics: Statistics,
}

/// What is known about the goals that were not reached.
pub enum Rest {
    /// A proof, not checked yet, that none of them can be; that is, of the program in which the
    /// others are closed.
    Excluded(Box<Proof>),
    /// Nothing, and why.
    Open(Reason),
}

/// Takes a trace to a goal, and how often the search went back before, and says which goals are
/// settled by it, that one among them; none to stop.
pub type OnTrace<'a> = dyn FnMut(Trace, u64) -> Option<BTreeSet<Goal>> + 'a;

/// Reaches the error locations of a task's program one after another, as far as they can be, and
/// excludes the rest.
pub fn settle(task: &Task, budget: &Budget, on_trace: &mut OnTrace<'_>) -> Settled {
    let limit = InlineLimit {
        edges: LARGE,
        ..InlineLimit::default()
    };
    Prepared::restoring(&task.program, limit, |prepared| {
        attempt(task, prepared, budget, on_trace)
    })
}

fn attempt(
    task: &Task,
    prepared: &Prepared,
    budget: &Budget,
    on_trace: &mut OnTrace<'_>,
) -> Result<Settled, Removed> {
    let goals = GoalTable::new(&task.program, &prepared.program);
    let (given, machine) = (Machine::new(&task.program), Machine::new(&prepared.program));
    let mut reached = BTreeSet::new();
    let mut sink = |trace: Trace, backtracks: u64| {
        reached.extend(on_trace(trace, backtracks)?);
        Some(goals.copies(&reached))
    };
    let mut ctx = prepared.context(budget);
    let bounded = bounded::bounded_loops(&mut ctx);
    let inlined = inlined(&task.program, prepared.limit());
    let layout = Layout {
        blocks: task.options.blocks,
        time: task.options.time,
        is_bounded: &|proc, head| bounded.contains(&(proc, head)),
    };
    let graph = Graph::new(&mut ctx, inlined, &layout);
    let runs = Runs {
        given: &given,
        prepared: &machine,
        has_undefined: prepared.has_undefined,
        sink: &mut sink,
    };
    let mut search = Search::new(ctx, graph, runs, task.options.learn);
    let end = search.run();
    let left = goals.reasons(&search.reasons());
    search.statistics.labels = search.labels.len();
    let statistics = std::mem::take(&mut search.statistics);
    let rest = match end {
        Err(Stop::Removed) => return Err(Removed),
        // What is left has no copy where calls lead to.
        Err(Stop::Enough) if search.open.is_empty() && goals.has_uncalled() => {
            search.label_all();
            search.prove(prepared)
        }
        Err(Stop::Enough) => Rest::Open(Reason::gave_up("no goal is left")),
        Err(Stop::Limit(reason)) => Rest::Open(reason),
        Ok(()) => search.prove(prepared),
    };
    Ok(Settled {
        left,
        rest,
        statistics,
    })
}

impl<'s> Search<'s> {
    /// Explores with more and more time to live, until all goals are settled.
    fn run(&mut self) -> Result<(), Stop> {
        let mut time = 0;
        loop {
            self.is_cut_short = false;
            self.skipped = None;
            self.explore(time)?;
            if self.is_proved() {
                return Ok(());
            }
            if !self.is_cut_short {
                return Err(Stop::Limit(self.skipped.take().unwrap_or_else(|| {
                    Reason::gave_up("all paths were explored, but nothing was learned")
                })));
            }
            if self.strengthen() {
                return Ok(());
            }
            self.invariants = self.conjunctions();
            if self.invariants.is_some() {
                return Ok(());
            }
            time = (time * 2).max(SECOND);
            if time > LONGEST {
                let message = "some loop goes on for longer than it was followed";
                return Err(Stop::Limit(Reason::gave_up(message)));
            }
        }
    }

    /// Why goals were given up.
    fn reasons(&self) -> BTreeMap<Goal, Reason> {
        let left = self.left.iter();
        let left = left.map(|(&at, reason)| (self.goal(at), reason.clone()));
        left.collect()
    }

    fn goal(&self, at: PointId) -> Goal {
        let (proc, location) = self.graph.points[at];
        Goal { proc, location }
    }
}

/// Which error locations of the prepared program are copies of which of the original program: they
/// have the same violation.
struct GoalTable {
    goals: BTreeMap<Goal, usize>,
    /// The kind of violation of each error location that calls may lead to.
    copies: BTreeMap<Goal, usize>,
}

impl GoalTable {
    fn new(given: &Program, prepared: &Program) -> GoalTable {
        let mut kinds: Vec<&Violation> = Vec::new();
        let mut numbered =
            |(proc, location, violation)| (Goal { proc, location }, kind(&mut kinds, violation));
        let goals = given.error_locations().map(&mut numbered).collect();
        let called = CallGraph::new(prepared).reachable(prepared);
        let copies = prepared
            .error_locations()
            .filter(|(proc, ..)| called[*proc]);
        let copies = copies.map(&mut numbered).collect();
        GoalTable { goals, copies }
    }

    /// Whether some goal has no copy.
    fn has_uncalled(&self) -> bool {
        let copied: BTreeSet<usize> = self.copies.values().copied().collect();
        self.goals.values().any(|kind| !copied.contains(kind))
    }

    /// The copies all of whose goals are settled.
    fn copies(&self, settled: &BTreeSet<Goal>) -> BTreeSet<Goal> {
        let open = self
            .goals
            .iter()
            .filter(|(goal, _)| !settled.contains(goal));
        let open: BTreeSet<usize> = open.map(|(_, &kind)| kind).collect();
        let copies = self.copies.iter();
        let settled = copies.filter(|(_, kind)| !open.contains(kind));
        settled.map(|(&at, _)| at).collect()
    }

    /// Reasons of copies as reasons of goals.
    fn reasons(&self, left: &BTreeMap<Goal, Reason>) -> BTreeMap<Goal, Reason> {
        let mut reasons = BTreeMap::new();
        for (at, reason) in left {
            let kind = self.copies.get(at);
            let goals = self.goals.iter().filter(|(_, other)| Some(*other) == kind);
            reasons.extend(goals.map(|(&goal, _)| (goal, reason.clone())));
        }
        reasons
    }
}

/// The number of a violation.
fn kind<'v>(kinds: &mut Vec<&'v Violation>, violation: &'v Violation) -> usize {
    let known = kinds.iter().position(|&other| other == violation);
    known.unwrap_or_else(|| {
        kinds.push(violation);
        kinds.len() - 1
    })
}

/// Whether some formulas can hold together, with the effort of one question.
fn check(ctx: &mut Context, formulas: &[TermId]) -> Answer {
    kit::path_solver::asking(ctx, |ctx| ctx.check(formulas))
}
