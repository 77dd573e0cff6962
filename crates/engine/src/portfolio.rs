//! Engines one after another, each with its share of the effort. What is left at the end goes to
//! the engine that was expected to decide, if its share was too small.
//!
//! # Invariants
//! - Which engine decides does not depend on the machine's load, except at the time limit.
//! - The first verdict counts. If there is none, the reason is that of the first engine that is not
//!   partial, which is the one that was expected to decide, with a note of what the engines after
//!   it said and the first location that they name.
//! - A bug of ours in one engine, be it a panic or a proof that fails its check, stops no other. If
//!   there is no verdict, it is the reason.

use crate::driver::guarded;
use crate::{About, Engine, OptionName, Task};
use base::{Budget, Event, Span};
use certify::{Outcome, Reason, ReasonKind};

/// A portfolio: engines, each with its share of the remaining effort.
pub struct SequentialPortfolio {
    /// The name on the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// The engines, each with its maximal share of the remaining effort, in percent.
    pub parts: &'static [(&'static dyn Engine, u64)],
}

impl Engine for SequentialPortfolio {
    fn about(&self) -> About {
        About {
            name: self.name,
            summary: self.summary,
            papers: &[],
        }
    }

    fn finds_violations(&self) -> bool {
        self.parts
            .iter()
            .any(|(engine, _)| engine.finds_violations())
    }

    fn understands(&self, option: OptionName) -> bool {
        let mut engines = self.parts.iter().map(|(engine, _)| engine);
        engines.any(|engine| engine.understands(option))
    }

    fn run(&self, task: &Task, budget: &Budget) -> Outcome {
        let mut main: Option<(&dyn Engine, Reason)> = None;
        let mut others: Vec<(&dyn Engine, Reason)> = Vec::new();
        for (index, &(engine, share)) in self.parts.iter().enumerate() {
            if main.is_some() && budget.check().is_err() {
                break;
            }
            let is_last = index + 1 == self.parts.len();
            let budget = match &main {
                Some((_, reason)) if is_last && !wants_more(reason) => budget.clone(),
                _ => budget.share(share),
            };
            let reason = match attempt(engine, task, &budget) {
                Outcome::Unknown(reason) => reason,
                verdict @ (Outcome::Safe(_) | Outcome::Proved(_) | Outcome::Unsafe(_)) => {
                    return verdict;
                }
            };
            if engine.is_partial() && reason.kind != ReasonKind::Internal {
                continue;
            }
            match main {
                None => main = Some((engine, reason)),
                Some(_) => others.push((engine, reason)),
            }
        }
        let (engine, mut reason) = main.expect("there should be an engine");
        if wants_more(&reason) {
            match budget.check().map(|()| attempt(engine, task, budget)) {
                Ok(Outcome::Unknown(more)) => reason = more,
                Ok(verdict @ (Outcome::Safe(_) | Outcome::Proved(_) | Outcome::Unsafe(_))) => {
                    return verdict;
                }
                // A share is no limit that the user knows.
                Err(limit) => reason.kind = limit.into(),
            }
        }
        let reason =
            (others.into_iter()).fold(reason, |first, (engine, next)| both(engine, first, next));
        Outcome::Unknown(reason)
    }
}

fn attempt(engine: &dyn Engine, task: &Task, budget: &Budget) -> Outcome {
    budget.report(Event::Phase(engine.name().to_owned()));
    let outcome = guarded(engine.name(), || engine.run(task, budget));
    match outcome.unwrap_or_else(Outcome::Unknown) {
        Outcome::Unknown(reason) => Outcome::Unknown(named(engine, reason)),
        verdict @ (Outcome::Safe(_) | Outcome::Proved(_) | Outcome::Unsafe(_)) => verdict,
    }
}

/// Whether an engine had to stop only because its share was spent.
fn wants_more(reason: &Reason) -> bool {
    reason.kind == ReasonKind::Effort
}

/// An internal error, with the name of the engine that caused it.
fn named(engine: &dyn Engine, reason: Reason) -> Reason {
    match reason.kind {
        ReasonKind::Internal => {
            let note = format!("this was engine `{}`", engine.name());
            reason.note(Span::NONE, note)
        }
        ReasonKind::Timeout
        | ReasonKind::Effort
        | ReasonKind::Memory
        | ReasonKind::Cancelled
        | ReasonKind::GaveUp
        | ReasonKind::Unsupported => reason,
    }
}

/// The reasons of engines before, and that of the next one.
fn both(engine: &dyn Engine, mut first: Reason, mut next: Reason) -> Reason {
    let is_mistake = |reason: &Reason| reason.kind == ReasonKind::Internal;
    if is_mistake(&next) && !is_mistake(&first) {
        next.notes.push((first.message, Span::NONE));
        next.notes.append(&mut first.notes);
        return next;
    }
    let note = format!("{}: {}", engine.name(), next.message);
    first.notes.push((note, Span::NONE));
    let mut notes = next.notes.into_iter();
    let placed = notes.find(|(_, span)| *span != Span::NONE);
    first.notes.extend(placed);
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::tests::Says;
    use certify::Proof;
    use std::time::Duration;

    type Parts = &'static [(&'static dyn Engine, u64)];

    fn gives_up(_: &Budget) -> Outcome {
        Outcome::Unknown(Reason::gave_up("too hard"))
    }

    const HERE: Span = Span { lo: 3, hi: 4 };

    fn gives_up_here(_: &Budget) -> Outcome {
        let reason = Reason::gave_up("too hard");
        let reason = reason.note(Span::NONE, "somewhere").note(HERE, "here");
        Outcome::Unknown(reason.note(HERE, "and here"))
    }

    fn run(parts: Parts, budget: &Budget) -> Outcome {
        let strategy = SequentialPortfolio {
            name: "both",
            summary: "",
            parts,
        };
        let task = Task::new(crate::graph::tests::program_with_error());
        strategy.run(&task, budget)
    }

    #[test]
    fn the_first_verdict_counts() {
        let parts: Parts = &[
            (&Says("a", gives_up), 50),
            (&Says("b", |_| Outcome::Safe(Proof::default())), 50),
            (&Says("c", |_| panic!("it should not be asked")), 100),
        ];
        let outcome = run(parts, &Budget::unlimited());
        assert!(matches!(outcome, Outcome::Safe(_)));
    }

    fn fails(_: &Budget) -> Outcome {
        Outcome::Unknown(Reason::internal("its proof does not hold"))
    }

    #[test]
    fn a_mistake_of_one_stops_no_other() {
        let parts: Parts = &[
            (&Says("a", fails), 50),
            (&Says("b", |_| panic!("a table should not be empty")), 50),
            (&Says("c", |_| Outcome::Safe(Proof::default())), 50),
        ];
        let outcome = run(parts, &Budget::unlimited());
        assert!(matches!(outcome, Outcome::Safe(_)));
    }

    #[test]
    fn a_mistake_is_the_reason_wherever_it_happened() {
        let cases: [Parts; 2] = [
            &[(&Says("a", gives_up_here), 50), (&Says("b", fails), 50)],
            &[(&Says("b", fails), 50), (&Says("a", gives_up_here), 50)],
        ];
        for parts in cases {
            let Outcome::Unknown(reason) = run(parts, &Budget::unlimited()) else {
                panic!("no engine decided");
            };
            assert_eq!(reason.kind, ReasonKind::Internal);
            assert_eq!(reason.message, "its proof does not hold");
            let says = |part: &str| reason.notes.iter().any(|(note, _)| note.contains(part));
            assert!(says("engine `b`") && says("too hard"), "{:?}", reason.notes);
        }
    }

    /// Says that its share was spent, unless there was no limit.
    fn needs_more(budget: &Budget) -> Outcome {
        match budget.effort_left() {
            Some(_) => Outcome::Unknown(Reason::new(ReasonKind::Effort, "the share is spent")),
            None => Outcome::Safe(Proof::default()),
        }
    }

    const SLOW: Parts = &[(&Says("slow", needs_more), 80), (&Says("b", gives_up), 100)];

    #[test]
    fn what_is_left_goes_to_the_one_that_needs_more() {
        let limited = Budget::unlimited().with_timeout(Duration::from_secs(60));
        assert!(matches!(run(SLOW, &limited), Outcome::Safe(_)));
    }

    #[test]
    fn a_limit_is_that_of_the_whole() {
        let over = Budget::unlimited().with_timeout(Duration::ZERO);
        let Outcome::Unknown(reason) = run(SLOW, &over) else {
            panic!("no engine decided");
        };
        assert_eq!(reason.kind, ReasonKind::Timeout);
    }

    #[test]
    fn the_first_reason_stands_for_all() {
        let parts: Parts = &[(&Says("a", gives_up), 50), (&Says("b", gives_up_here), 50)];
        let Outcome::Unknown(reason) = run(parts, &Budget::unlimited()) else {
            panic!("no engine decided");
        };
        assert_eq!(reason.message, "too hard");
        let notes = [("b: too hard", Span::NONE), ("here", HERE)];
        assert_eq!(reason.notes, notes.map(|(note, at)| (note.to_owned(), at)));
    }
}
