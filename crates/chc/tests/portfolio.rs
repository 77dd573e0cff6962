//! Strategies of several engines: who gets which slice of the effort.

use base::Budget;
use certify::{ClauseOutcome, Reason, ReasonKind};
use chc::ClauseEngine;
use chc::portfolio::ClausePortfolio;
use engine::About;
use horn::{Model, System};
use std::sync::Mutex;

/// An engine that notes how much it may do, and ends in its way.
struct Noted {
    name: &'static str,
    ends_by_itself: bool,
    /// The effort with which it finds an answer.
    answers_with: u64,
    /// What it says otherwise.
    kind: ReasonKind,
    slices: Mutex<Vec<u64>>,
}

impl ClauseEngine for Noted {
    fn about(&self) -> About {
        About {
            name: self.name,
            summary: "for tests",
            papers: &[],
        }
    }

    fn solve(&self, system: &System, budget: &Budget) -> ClauseOutcome {
        let left = budget.effort_left().expect("a slice should have a limit");
        self.slices
            .lock()
            .expect("no test should have failed here")
            .push(left);
        if left >= self.answers_with {
            return ClauseOutcome::Sat(Box::new(Model::everything(system)));
        }
        if !self.ends_by_itself {
            budget.spend(left);
        }
        ClauseOutcome::Unknown(Reason::new(self.kind, "no idea"))
    }
}

const fn noted(name: &'static str, ends_by_itself: bool, answers_with: u64) -> Noted {
    Noted {
        name,
        ends_by_itself,
        answers_with,
        kind: ReasonKind::GaveUp,
        slices: Mutex::new(Vec::new()),
    }
}

#[test]
fn slices_grow_for_those_that_did_not_end_by_themselves() {
    static LOST: Noted = noted("lost", true, u64::MAX);
    static SLOW: Noted = noted("slow", false, 700);
    static STRATEGY: ClausePortfolio = ClausePortfolio {
        name: "strategy",
        summary: "for tests",
        linear: &[(&LOST, 1), (&SLOW, 1), (&SLOW, 2), (&LOST, 9)],
        branching: &[],
        arrays: &[],
    };
    let system = System::default();
    let budget = Budget::unlimited().with_effort(10_000);
    let outcome = STRATEGY.solve(&system, &budget);
    assert!(matches!(outcome, ClauseOutcome::Sat(_)), "{outcome:?}");
    let slices = |engine: &Noted| engine.slices.lock().map(|it| it.clone()).ok();
    assert_eq!(slices(&LOST), Some(vec![100]));
    assert_eq!(slices(&SLOW), Some(vec![100, 200, 400, 800]));
}

#[test]
fn ends_where_no_engine_goes_on_or_the_effort_is_spent() {
    static LOST: Noted = noted("lost", true, u64::MAX);
    static SLOW: Noted = noted("slow", false, u64::MAX);
    static DEAR: Noted = Noted {
        name: "dear",
        ends_by_itself: true,
        answers_with: u64::MAX,
        kind: ReasonKind::Effort,
        slices: Mutex::new(Vec::new()),
    };
    static GIVES_UP: ClausePortfolio = ClausePortfolio {
        name: "strategy",
        summary: "for tests",
        linear: &[(&LOST, 50)],
        branching: &[],
        arrays: &[],
    };
    static GOES_ON: ClausePortfolio = ClausePortfolio {
        linear: &[(&LOST, 50), (&SLOW, 50)],
        ..GIVES_UP
    };
    static REFUSES: ClausePortfolio = ClausePortfolio {
        linear: &[(&DEAR, 50)],
        ..GIVES_UP
    };
    for (strategy, kind, message) in [
        (&GIVES_UP, ReasonKind::GaveUp, "lost: no idea"),
        (&REFUSES, ReasonKind::Effort, "dear: no idea"),
        (&GOES_ON, ReasonKind::Effort, "lost: no idea; slow: no idea"),
    ] {
        let budget = Budget::unlimited().with_effort(10_000);
        let ClauseOutcome::Unknown(reason) = strategy.solve(&System::default(), &budget) else {
            panic!("there should be no answer");
        };
        assert_eq!((reason.kind, &reason.message[..]), (kind, message));
    }
}
