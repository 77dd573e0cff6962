//! Goal by goal: some assertions of a program fail, some hold, one may be too hard.

#[path = "common/c.rs"]
mod c;

use base::Budget;
use base::place::Places;
use certify::{Outcome, Reason, ReasonKind, Replayed, Trace, Verdict, judge};
use engine::bmc::BMC;
use engine::finite::FINITE;
use engine::gps::{GPS, GPS_PAPER};
use engine::{About, Engine, Goal, GoalVerdict, Task, decide_goals};
use program::ir::LocationId;
use program::pass::errors::keep_errors;
use std::collections::{BTreeMap, BTreeSet};

/// Two of five fail, the third and the last.
const FIVE: &str = "
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void);
int twice(int x) {
  if (x > 7) reach_error();
  return 2 * x;
}
int main(void) {
  int n = __VERIFIER_nondet_uchar() & 7, s = 0;
  for (int i = 0; i < n; i++) s += 2;
  if (s > 14) reach_error();
  if (s == 12) reach_error();
  if (s != twice(n)) reach_error();
  if (n > 2 && s < 8) reach_error();
  return 0;
}";

/// What is expected of the goals of `main` and, first, of that of `twice`.
const EXPECTED: [(u32, &str); 5] = [
    (5, "safe"),
    (11, "safe"),
    (12, "unsafe"),
    (13, "safe"),
    (14, "unsafe"),
];

/// No goal is settled but by its own answer.
fn nothing_more(_: Goal, _: &Replayed) -> BTreeSet<Goal> {
    BTreeSet::new()
}

/// A task, and the line of each of its goals.
fn read(text: &str) -> (Task, BTreeMap<Goal, u32>) {
    let (task, sources) = c::task(text.as_bytes().to_vec());
    let places = Places::new(&sources);
    let line = |goal: Goal| {
        let location = &task.program.procs[goal.proc].locations[goal.location];
        let violation = location
            .error
            .as_ref()
            .expect("a goal is an error location");
        places.position(violation.span).expect("a place").line
    };
    let lines = Goal::all(&task.program).into_iter();
    let lines = lines.map(|goal| (goal, line(goal))).collect();
    (task, lines)
}

/// The verdicts by line. Every certificate is checked once more, against the program that it
/// should be about.
fn verdicts(engine: &dyn Engine, text: &str, budget: &Budget) -> Vec<(u32, &'static str)> {
    let (task, lines) = read(text);
    let goals: BTreeSet<Goal> = lines.keys().copied().collect();
    let found = decide_goals(
        engine,
        &task,
        &goals,
        budget,
        Budget::unlimited,
        nothing_more,
    );
    assert!(found.keys().eq(&goals), "an answer for each goal");
    let mut verdicts = Vec::new();
    for (goal, verdict) in &found {
        match verdict {
            GoalVerdict::Reached(replayed) => {
                assert!(replayed.is_of(&task.program));
                let error = (goal.proc, goal.location);
                assert_eq!(replayed.error, error);
                let inputs = replayed.run.inputs.clone();
                let trace = Trace::new(inputs, error);
                let again = judge(&task.program, Outcome::Unsafe(trace), &Budget::unlimited());
                assert!(matches!(again, Verdict::Unsafe(_)), "{again:?}");
            }
            GoalVerdict::Unreachable(proof) => {
                // It is about all goals that have the same proof, and about no others.
                let same = |other: &Goal| match &found[other] {
                    GoalVerdict::Unreachable(other) => std::sync::Arc::ptr_eq(proof, other),
                    GoalVerdict::Reached(_) | GoalVerdict::Open(_) => false,
                };
                let mut program = task.program.clone();
                keep_errors(&mut program, |proc, location| {
                    same(&Goal { proc, location })
                });
                assert!(proof.is_of(&program), "{goal:?}");
            }
            GoalVerdict::Open(_) => {}
        }
        verdicts.push((lines[goal], verdict.name()));
    }
    verdicts.sort_unstable();
    verdicts
}

#[test]
fn two_of_five_fail() {
    let engines: [&dyn Engine; 4] = [&GPS, &GPS_PAPER, &BMC, &FINITE];
    for engine in engines {
        let budget = Budget::unlimited().with_effort(200_000_000);
        let found = verdicts(engine, FIVE, &budget);
        assert_eq!(found, EXPECTED, "{}", engine.name());
    }
}

/// Spends all that it gets while a certain goal is asked for, and is good at the rest.
struct Stubborn {
    hard: Goal,
}

impl Engine for Stubborn {
    fn about(&self) -> About {
        About {
            name: "stubborn",
            summary: "does not let go",
            papers: &[],
        }
    }
    fn run(&self, task: &Task, budget: &Budget) -> Outcome {
        if Goal::all(&task.program).contains(&self.hard) {
            budget.spend(budget.effort_left().expect("a limit"));
            return Outcome::Unknown(Reason::new(ReasonKind::Effort, "not yet"));
        }
        FINITE.run(task, budget)
    }
}

#[test]
fn a_goal_that_takes_everything_leaves_the_others_be() {
    let budget = Budget::unlimited().with_effort(1_000_000_000);
    let (_, lines) = read(FIVE);
    let hard = lines.iter().find(|(_, line)| **line == 12);
    let hard = *hard.expect("the goal on line 12").0;
    let found = verdicts(&Stubborn { hard }, FIVE, &budget);
    let expected = EXPECTED.map(|(line, verdict)| match line {
        12 => (line, "unknown"),
        _ => (line, verdict),
    });
    assert_eq!(found, expected);
    assert_eq!(budget.effort_left(), Some(0), "it may have what is left");
}

/// Whether the loop ends with the right number is too hard, the rest is not.
const HARD: &str = "
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), h = 1, i = 0;
  if (n == 3) reach_error();
  while (i < n) {
    h = h * (h ^ i) + 2654435761u;
    i++;
  }
  if (i != n) reach_error();
  if (h * h == 3) reach_error();
  if (i == 5) reach_error();
  return 0;
}";

#[test]
fn what_is_too_hard_is_open() {
    let budget = Budget::unlimited().with_effort(30_000_000);
    let found = verdicts(&GPS, HARD, &budget);
    let expected = [(6, "unsafe"), (11, "safe"), (12, "unknown"), (13, "unsafe")];
    assert_eq!(found, expected);
}

#[test]
fn what_is_no_error_location_is_no_goal() {
    use base::Id;
    let (task, _) = read(FIVE);
    let goal = Goal {
        proc: task.program.entry,
        location: LocationId::from_index(0),
    };
    let budget = Budget::unlimited();
    let none = decide_goals(
        &FINITE,
        &task,
        &BTreeSet::new(),
        &budget,
        || budget.clone(),
        nothing_more,
    );
    assert!(none.is_empty());
    let goals = BTreeSet::from([goal]);
    let found = decide_goals(
        &FINITE,
        &task,
        &goals,
        &budget,
        || budget.clone(),
        nothing_more,
    );
    match &found[&goal] {
        GoalVerdict::Open(reason) => assert_eq!(reason.kind, ReasonKind::Internal),
        other => panic!("{other:?}"),
    }
}
