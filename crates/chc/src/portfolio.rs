//! Several engines for clauses, one after the other, each with its share of the effort, and again
//! with more of it as long as there is time.

use crate::ClauseEngine;
use base::{Budget, Event};
use certify::clauses::{check_derivation, check_model};
use certify::{ClauseOutcome, Reason, ReasonKind, refused_answer};
use horn::System;

/// How many times the share of an engine grows from one round to the next.
const MORE: u64 = 12;

/// A strategy: engines, each with its share of the effort that is left.
pub struct ClausePortfolio {
    /// The name on the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// The engines, and of 100 parts of the effort left at most so many.
    pub parts: &'static [(&'static dyn ClauseEngine, u64)],
}

impl ClauseEngine for ClausePortfolio {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        self.summary
    }

    fn papers(&self) -> &'static [&'static str] {
        &[]
    }

    fn solve(&self, system: &System, budget: &Budget) -> ClauseOutcome {
        let mut first: Option<Reason> = None;
        let mut notes = Vec::new();
        let mut parts: Vec<(&dyn ClauseEngine, u64)> = self.parts.to_vec();
        // What is planned with is less than fits into the time of a quick machine: those that
        // their share ended get more.
        for round in 0.. {
            let mut ended: Vec<(&dyn ClauseEngine, u64)> = Vec::new();
            for (engine, share) in parts {
                if first.is_some() && budget.check().is_err() {
                    break;
                }
                budget.report(Event::Phase(format!("trying {}", engine.name())));
                let part = budget.share(share);
                let outcome = engine.solve(system, &part);
                match believed(system, outcome, budget) {
                    ClauseOutcome::Unknown(reason) => {
                        if part.check().is_err() {
                            ended.push((engine, share.saturating_mul(MORE)));
                        }
                        if round == 0 {
                            notes.push(format!("{}: {}", engine.name(), reason.message));
                        }
                        first.get_or_insert(reason);
                    }
                    answer @ (ClauseOutcome::Sat(_) | ClauseOutcome::Unsat(_)) => return answer,
                }
            }
            if ended.is_empty() || budget.check().is_err() {
                break;
            }
            parts = ended;
        }
        let kind = match (budget.check(), first) {
            (Err(limit), _) => limit.into(),
            (Ok(()), Some(reason)) => reason.kind,
            (Ok(()), None) => ReasonKind::GaveUp,
        };
        ClauseOutcome::Unknown(Reason::new(kind, notes.join("; ")))
    }
}

/// An answer whose certificate holds, so that another engine may go on where one does not.
fn believed(system: &System, outcome: ClauseOutcome, budget: &Budget) -> ClauseOutcome {
    let (answer, checked) = match &outcome {
        ClauseOutcome::Sat(model) => ("sat", check_model(system, model, budget)),
        ClauseOutcome::Unsat(derivation) => ("unsat", check_derivation(system, derivation)),
        ClauseOutcome::Unknown(_) => return outcome,
    };
    match checked {
        Ok(()) => outcome,
        Err(error) => ClauseOutcome::Unknown(refused_answer(answer, &error, budget)),
    }
}
