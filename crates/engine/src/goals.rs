//! Goals: which of many error locations can be reached, with an answer for each.
//!
//! An engine answers for all error locations of a program together. Here the program is restricted
//! to the goals that are still open: a trace answers for the goal at which it ends, and a proof for
//! all of them at once. Inputs that reach a goal are mutated, since other goals are often near
//! (`nearby`). Answered goals are removed and the engine runs again. If it gives up on several
//! goals, each half of them is tried separately, so that one that cannot be decided does not affect
//! the others.
//!
//! Many goals together may be harder than all of them one by one, or not much harder than one of
//! them. So attempts come in rounds: each round gives every attempt more effort than the last one,
//! and splits the goals into smaller sets, down to single ones.
//!
//! A search starts over after each violation, including that of `gps`: its path-to-error summaries,
//! its slice of the program and its certificates are about the goals that it started with.
//!
//! # Invariants
//! - Nothing is believed without [`certify::judge()`]. A proof is about the program restricted to
//!   the goals that it answers for. A trace is replayed on the original program; one with leaps on
//!   the restricted program, whose loops its lemmas are about.
//! - An attempt has a share of the remaining effort: none takes what others need.

mod nearby;

use crate::{Engine, Task, decide};
use base::Budget;
use certify::{Checked, Outcome, Proof, Reason, ReasonKind, Replayed, Trace, Verdict, judge};
use nearby::nearby;
use program::expr::Constant;
use program::ir::{LocationId, ProcId, Program, SiteId};
use program::pass::errors::keep_errors;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// The divisor for the share of an attempt at several goals, besides those of other waiting sets:
/// what stays open will be split and tried again.
const SHARES: usize = 8;
/// The effort of an attempt in the first round, and the factor for the next round.
const FIRST_EFFORT: u64 = 2_000_000;
const GROWTH: u64 = 4;
/// The factor by which a round may split the goals into more sets than the one before.
const SPLIT: usize = 4;

/// An error location of a program, to be reached or to be proved unreachable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Goal {
    /// Its procedure.
    pub proc: ProcId,
    /// Its location.
    pub location: LocationId,
}

impl Goal {
    /// All goals of a program.
    pub fn all(program: &Program) -> BTreeSet<Goal> {
        let procs = program.procs.iter_enumerated();
        let goals = procs.flat_map(|(proc, procedure)| {
            let locations = procedure.locations.iter_enumerated();
            let errors = locations.filter(|(_, location)| location.error.is_some());
            errors.map(move |(location, _)| Goal { proc, location })
        });
        goals.collect()
    }
}

/// What is known about a goal.
#[derive(Clone, Debug)]
pub enum GoalVerdict {
    /// A run reaches it; its trace was replayed.
    Reached(Checked<Replayed>),
    /// No run reaches it. The proof was checked, and may answer for other goals too.
    Unreachable(Arc<Checked<Proof>>),
    /// Undecided, and why.
    Open(Reason),
}

impl GoalVerdict {
    /// Its one-word verdict, as for a [`Verdict`] on a program with this error location alone.
    pub fn name(&self) -> &'static str {
        match self {
            GoalVerdict::Unreachable(_) => "safe",
            GoalVerdict::Reached(_) => "unsafe",
            GoalVerdict::Open(_) => "unknown",
        }
    }
}

/// Has an engine decide each of some error locations of a task's program.
///
/// A certificate is checked within a separate budget, which starts when the engine has answered.
/// `on_reached` is called with violations as soon as they are checked, and returns which goals need
/// no answer any more.
pub fn decide_goals(
    engine: &dyn Engine,
    task: &Task,
    goals: &BTreeSet<Goal>,
    budget: &Budget,
    checking: impl Fn() -> Budget,
    mut on_reached: impl FnMut(Goal, &Replayed) -> BTreeSet<Goal>,
) -> BTreeMap<Goal, GoalVerdict> {
    let mut attempts = Attempts {
        engine,
        task,
        budget,
        on_reached: &mut on_reached,
        answered: BTreeMap::new(),
        needless: BTreeSet::new(),
        reasons: BTreeMap::new(),
    };
    let errors = Goal::all(&task.program);
    let open: BTreeSet<Goal> = goals.intersection(&errors).copied().collect();
    for &wrong in goals.difference(&errors) {
        let reason = Reason::internal("the goal is not an error location of the program");
        attempts.reasons.insert(wrong, reason);
    }
    let mut round = Round {
        effort: FIRST_EFFORT,
        smallest: open.len() / SPLIT,
    };
    let mut waiting = VecDeque::from([open]);
    // What the round leaves to the next.
    let mut left: VecDeque<BTreeSet<Goal>> = VecDeque::new();
    while budget.check().is_ok() {
        for open in waiting.iter_mut().chain(&mut left) {
            open.retain(|goal| !attempts.needless.contains(goal));
        }
        waiting.retain(|open| !open.is_empty());
        let Some(mut open) = waiting.pop_front() else {
            if left.is_empty() {
                break;
            }
            waiting = std::mem::take(&mut left);
            round = round.next();
            continue;
        };
        let others = waiting.len() + left.len();
        let Some(reason) = attempts.attempt(&mut open, others, &round, &checking) else {
            waiting.push_front(open);
            continue;
        };
        let is_spent = reason.kind == ReasonKind::Effort;
        if open.len() > 1 && (!is_spent || open.len() > round.smallest) {
            let middle = open.iter().nth(open.len() / 2).copied();
            let second = middle.map(|middle| open.split_off(&middle));
            waiting.push_back(open);
            waiting.extend(second);
        } else if is_spent && open.len() + others > 1 {
            // A single goal that is the last one had all that is left.
            left.push_back(open);
        }
    }
    attempts.verdicts(goals)
}

/// The limits of the attempts of a round.
struct Round {
    effort: u64,
    /// Sets of at most this many goals are not split further.
    smallest: usize,
}

impl Round {
    fn next(self) -> Round {
        Round {
            effort: self.effort.saturating_mul(GROWTH),
            smallest: self.smallest / SPLIT,
        }
    }

    /// The budget of an attempt at a set of goals, from what is left for it and for other waiting
    /// sets.
    fn budget(&self, left: &Budget, goals: usize, others: usize) -> Budget {
        let shares = match goals {
            1 => others + 1,
            _ => others + SHARES,
        };
        if shares == 1 {
            return left.clone();
        }
        let share = left.share((100 / shares as u64).max(1));
        share.with_effort(self.effort)
    }
}

/// What all attempts share.
struct Attempts<'a> {
    engine: &'a dyn Engine,
    task: &'a Task,
    budget: &'a Budget,
    on_reached: &'a mut dyn FnMut(Goal, &Replayed) -> BTreeSet<Goal>,
    answered: BTreeMap<Goal, GoalVerdict>,
    /// Goals that no longer need an answer.
    needless: BTreeSet<Goal>,
    /// Why a goal was left open in the last attempt at it.
    reasons: BTreeMap<Goal, Reason>,
}

impl Attempts<'_> {
    /// Has the engine try the open goals while other sets wait, and removes those that it answers
    /// for. Returns the reason, if there are none.
    fn attempt(
        &mut self,
        open: &mut BTreeSet<Goal>,
        others: usize,
        round: &Round,
        checking: impl Fn() -> Budget,
    ) -> Option<Reason> {
        let task = restricted(self.task, open);
        let budget = round.budget(self.budget, open.len(), others);
        let verdict = match decide(self.engine, &task, &budget, &checking) {
            Verdict::Unsafe(replayed) if replayed.leaps.is_empty() => {
                let trace = Trace::new(replayed.run.inputs.clone(), replayed.error);
                judge(&self.task.program, Outcome::Unsafe(trace), &checking())
            }
            verdict @ (Verdict::Safe(_) | Verdict::Unsafe(_) | Verdict::Unknown(_)) => verdict,
        };
        let reason = match verdict {
            Verdict::Safe(proof) => {
                let proof = Arc::new(proof);
                for goal in std::mem::take(open) {
                    let verdict = GoalVerdict::Unreachable(Arc::clone(&proof));
                    self.answered.insert(goal, verdict);
                }
                return None;
            }
            Verdict::Unsafe(replayed) => {
                let has_leaps = !replayed.leaps.is_empty();
                let inputs = replayed.run.inputs.clone();
                self.reached(open, replayed);
                if !has_leaps && !open.is_empty() {
                    self.vary(open, &inputs, checking);
                }
                return None;
            }
            Verdict::Unknown(reason) => reason,
        };
        for &goal in open.iter() {
            self.reasons.insert(goal, reason.clone());
        }
        Some(reason)
    }

    /// A goal is reached.
    fn reached(&mut self, open: &mut BTreeSet<Goal>, replayed: Checked<Replayed>) {
        let goal = at(&replayed);
        open.remove(&goal);
        let needless = (self.on_reached)(goal, &replayed);
        open.retain(|goal| !needless.contains(goal));
        self.needless.extend(needless);
        self.answered.insert(goal, GoalVerdict::Reached(replayed));
    }

    /// Looks for goals near a reached one, with no more effort than was spent so far.
    fn vary(
        &mut self,
        open: &mut BTreeSet<Goal>,
        inputs: &[(SiteId, Constant)],
        checking: impl Fn() -> Budget,
    ) {
        let program = &self.task.program;
        let budget = self.budget.clone().with_effort(self.budget.effort());
        let found = nearby(program, inputs, open, self.task.seed, &budget);
        for trace in found {
            if let Verdict::Unsafe(replayed) = judge(program, Outcome::Unsafe(trace), &checking())
                && open.contains(&at(&replayed))
            {
                self.reached(open, replayed);
            }
        }
    }

    /// The results for the goals.
    fn verdicts(mut self, goals: &BTreeSet<Goal>) -> BTreeMap<Goal, GoalVerdict> {
        let kind = ReasonKind::unfinished(self.budget);
        for &goal in goals {
            let reason = self.reasons.remove(&goal);
            let is_needless = self.needless.contains(&goal);
            self.answered.entry(goal).or_insert_with(|| {
                let none = || match is_needless {
                    true => Reason::gave_up("it was not tried to the end"),
                    false => Reason::new(kind, "the budget ended before it was tried"),
                };
                GoalVerdict::Open(reason.unwrap_or_else(none))
            });
        }
        self.answered
    }
}

/// The goal at which a run ends.
fn at(replayed: &Replayed) -> Goal {
    let (proc, location) = replayed.error;
    Goal { proc, location }
}

/// The task, with the open goals as its only error locations.
fn restricted(task: &Task, open: &BTreeSet<Goal>) -> Task {
    let mut program = task.program.clone();
    keep_errors(&mut program, |proc, location| {
        open.contains(&Goal { proc, location })
    });
    Task {
        journal: task.journal.clone(),
        ..task.on(program)
    }
}
