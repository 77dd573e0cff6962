//! Several engines for clauses: slices of the effort in the order that a portfolio lists, short
//! ones first, repeated with more effort as long as there is time.
//!
//! An engine starts from scratch in each of its slices, with a solver that has seen nothing before.
//! One that stopped by itself, without an answer and with less than half of its slice, gets no
//! further one; those that spent more may have divided it among their parts, and get further with
//! more.

use crate::ClauseEngine;
use crate::reduce::has_arrays;
use base::{Budget, Event};
use certify::clauses::{check_derivation, check_model};
use certify::{ClauseOutcome, Reason, ReasonKind, refused_answer};
use engine::About;
use horn::System;
use std::collections::BTreeSet;

/// How many times longer slices are when all were made once more.
const MORE: u64 = 4;

/// A strategy: slices of the effort, each for an engine.
pub struct ClausePortfolio {
    /// The name on the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// The slices for clauses with at most one relation in a body.
    pub linear: &'static [Slice],
    /// The slices for clauses of which some have several.
    pub branching: &'static [Slice],
    /// The slices for clauses with arrays.
    pub arrays: &'static [Slice],
}

/// A slice: an engine, and of 100 parts of the effort that is planned with at most so many.
pub type Slice = (&'static dyn ClauseEngine, u64);

impl ClauseEngine for ClausePortfolio {
    fn about(&self) -> About {
        About {
            name: self.name,
            summary: self.summary,
            papers: &[],
        }
    }

    fn solve(&self, system: &System, budget: &Budget) -> ClauseOutcome {
        let whole = budget.share(100).effort_left();
        let mut reasons: Vec<(&'static str, Reason)> = Vec::new();
        let mut done: BTreeSet<&'static str> = BTreeSet::new();
        let slices = match (has_arrays(system), system.is_linear()) {
            (true, _) => self.arrays,
            (false, true) => self.linear,
            (false, false) => self.branching,
        };
        let names: BTreeSet<&'static str> = slices.iter().map(|slice| slice.0.name()).collect();
        // What is planned with is less than fits into the time of a quick machine: after the last
        // slice the same are made again, longer.
        let mut more: u64 = 1;
        while done.len() < names.len() {
            let round = budget.effort();
            for &(engine, share) in slices {
                if done.contains(engine.name()) {
                    continue;
                }
                if !reasons.is_empty() && budget.check().is_err() {
                    return unknown(&reasons, budget);
                }
                budget.report(Event::Phase(format!("trying {}", engine.name())));
                let slice = slice(budget, whole, share.saturating_mul(more));
                smt::start_afresh();
                let outcome = engine.solve(system, &slice);
                budget.spend(slice.effort());
                match believed(system, outcome, budget) {
                    ClauseOutcome::Unknown(reason) => {
                        let left = slice.effort_left();
                        let is_cheap = left.is_none_or(|left| slice.effort() < left);
                        if is_cheap && reason.kind.limit().is_none() {
                            done.insert(engine.name());
                        }
                        if reasons.iter().all(|(name, _)| *name != engine.name()) {
                            reasons.push((engine.name(), reason));
                        }
                    }
                    answer @ (ClauseOutcome::Sat(_) | ClauseOutcome::Unsat(_)) => return answer,
                }
            }
            if whole.is_none() || budget.effort() == round {
                break;
            }
            more = more.saturating_mul(MORE);
        }
        unknown(&reasons, budget)
    }
}

/// The budget of a slice: of 100 parts of the whole effort so many, if that is limited. It counts by
/// itself, so that an engine does in it what it does alone with that effort, whatever came before.
fn slice(budget: &Budget, whole: Option<u64>, share: u64) -> Budget {
    let own = budget.uncharged();
    let Some(units) = whole else {
        return own;
    };
    let units = units.saturating_mul(share) / 100;
    let left = budget.effort_left();
    own.with_effort(left.map_or(units, |left| units.min(left)))
}

/// What no engine knows, with what each said first.
fn unknown(reasons: &[(&'static str, Reason)], budget: &Budget) -> ClauseOutcome {
    let kind = match (budget.check(), reasons.first()) {
        (Err(limit), _) => limit.into(),
        (Ok(()), Some((_, reason))) => reason.kind,
        (Ok(()), None) => ReasonKind::GaveUp,
    };
    let notes = (reasons.iter()).map(|(name, reason)| format!("{name}: {}", reason.message));
    let notes: Vec<String> = notes.collect();
    ClauseOutcome::Unknown(Reason::new(kind, notes.join("; ")))
}

/// An answer whose certificate holds, so that another engine may continue where one does not.
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
