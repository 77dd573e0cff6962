//! Vacuous assertions: those that hold because no run reaches them.
//!
//! An assertion is reached where a run decides whether it fails: at the last condition before its
//! error location, which may have several branches in one line. Whether a run gets there is the
//! same question as for a test suite.
//!
//! # Invariants
//! - An assertion is called vacuous only with a checked proof, like what a suite calls unreachable.

use crate::goals::Goal;
use crate::test_suite::{GoalFate, Obstacles, RandomRuns, SuiteGoal, SuiteTask, make_suite};
use crate::{Options, Task};
use base::{Budget, Span};
use program::ir::{LocationId, Procedure};
use program::pass::goals::GoalPlace;
use std::collections::BTreeSet;

/// Which of some goals that no run reaches are vacuous, as far as the budget lets it be found out.
/// Whether two spans are in one line is asked for.
pub fn vacuous(
    task: &Task,
    goals: &BTreeSet<Goal>,
    is_one_line: &dyn Fn(Span, Span) -> bool,
    budget: &Budget,
    checking: impl Fn() -> Budget,
) -> BTreeSet<Goal> {
    let procs = &task.program.procs;
    let places = goals.iter().map(|goal| {
        let asked = asked_at(&procs[goal.proc], goal.location, is_one_line);
        let places = asked.into_iter();
        places
            .map(|at| GoalPlace::Location(goal.proc, at))
            .collect()
    });
    let places: Vec<SuiteGoal> = places.collect();
    let suite = SuiteTask {
        program: &task.program,
        goals: &places,
        runs: RandomRuns::Few,
        annotates: true,
        rest: None,
        options: Options::default(),
        seed: task.seed,
        obstacles: &Obstacles::NONE,
    };
    let suite = make_suite(&suite, budget, checking, &mut |_, _| {});
    let fates = goals.iter().zip(&suite.fates);
    let vacuous = fates.filter(|(_, fate)| matches!(fate, GoalFate::Unreachable));
    vacuous.map(|(&goal, _)| goal).collect()
}

/// The branches of the last condition in front of an error location; the entry, where there is none.
fn asked_at(
    procedure: &Procedure,
    error: LocationId,
    is_one_line: &dyn Fn(Span, Span) -> bool,
) -> BTreeSet<LocationId> {
    let incoming = procedure.incoming();
    let (mut asked, mut seen) = (BTreeSet::new(), BTreeSet::from([error]));
    // With the text of the condition, once there is one.
    let mut stack: Vec<(LocationId, Option<Span>)> = vec![(error, None)];
    while let Some((at, condition)) = stack.pop() {
        if at == procedure.entry && condition.is_none() {
            asked.insert(at);
        }
        for &edge in &incoming[at] {
            let row = &procedure.edges[edge];
            let is_branch = procedure.locations[row.source].out.len() > 1;
            let is_meant = condition.is_none_or(|condition| is_one_line(condition, row.span));
            if !is_meant || !seen.insert(row.source) {
                continue;
            }
            if is_branch {
                asked.insert(row.source);
            }
            let condition = condition.or(is_branch.then_some(row.span));
            stack.push((row.source, condition));
        }
    }
    asked
}
