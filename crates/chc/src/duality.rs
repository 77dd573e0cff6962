//! Lazy annotation on Horn clauses: a search for derivations that learns why there are none.
//!
//! An unwinding has instances of relations, labelled with what is known of their facts. A query is
//! resolved backwards with the clauses of these instances; decisions narrow the goal on the way.
//! Where labels contradict the goal, an interpolant between the last clause and the rest of the
//! goal strengthens a label, and the search goes back. Where the labels of the unwinding contain
//! what they derive, they are a model.
//!
//! # Paper
//! [mcmillan2014lazy]: the search of figure 1 in [`search`], the improvements of section 4 as
//! [`options`], convergence by covering in [`cover`]. We add facts that are known before or were
//! derived on the way, goals that are one clause with a context, convergence by heights
//! ([`heights`]) and, along linear clauses, by induction ([`induct`], [`inductive_goals`]). State
//! machines may need no search ([`model_by_control`]).
//!
//! # Invariants
//! - The labels of the unwinding contain all facts that its edges derive.

mod conflict;
mod cover;
mod derived;
mod goal;
mod heights;
mod induct;
mod inductive_goals;
mod instance;
mod labels;
mod learn;
pub mod options;
mod search;
mod unwinding;

use crate::ClauseEngine;
use crate::reduce::{model_by_control, with_facts};
use base::Budget;
use certify::ClauseOutcome;
use cover::{Ending, by_covering};
use engine::About;
use heights::by_heights;
use horn::System;
use options::{Convergence, Options};
use search::Search;

/// How much effort goes into facts at first: in percent where effort is limited, and elsewhere in
/// units.
const SEEDING: (u64, u64) = (20, 8_000_000);
/// The same for what values of control arguments occur together along linear clauses, which is
/// enough or of no use. In a slice of a portfolio there is none: that has a slice for this.
const CONTROL: (u64, u64) = (0, 8_000_000);

/// Lazy annotation with some of its improvements.
pub struct Duality {
    name: &'static str,
    summary: &'static str,
    options: Options,
}

/// No improvement: interpolants one step at a time.
pub static DUALITY_MARK_I: Duality = Duality {
    name: "duality-mark1",
    summary: "duality as the paper's Mark I: interpolants one step at a time",
    options: Options {
        decisions: false,
        generalises: false,
        scores: false,
        jumps: false,
        propagates: false,
        reuses: false,
        seeds: false,
        convergence: Convergence::Covering,
    },
};

/// With decisions.
pub static DUALITY_MARK_II: Duality = Duality {
    name: "duality-mark2",
    summary: "Mark II: Mark I with decisions",
    options: Options {
        decisions: true,
        ..DUALITY_MARK_I.options
    },
};

/// With generalised interpolants too.
pub static DUALITY_MARK_III: Duality = Duality {
    name: "duality-mark3",
    summary: "Mark III: Mark II with generalised interpolants",
    options: Options {
        generalises: true,
        ..DUALITY_MARK_II.options
    },
};

/// With scores of clauses too.
pub static DUALITY_MARK_IV: Duality = Duality {
    name: "duality-mark4",
    summary: "Mark IV: Mark III with scores of clauses",
    options: Options {
        scores: true,
        ..DUALITY_MARK_III.options
    },
};

/// With back-jumping too.
pub static DUALITY_MARK_V: Duality = Duality {
    name: "duality-mark5",
    summary: "Mark V: Mark IV with back-jumping",
    options: Options {
        jumps: true,
        ..DUALITY_MARK_IV.options
    },
};

/// With eager propagation too: all of the paper.
pub static DUALITY_FINAL: Duality = Duality {
    name: "duality-final",
    summary: "all of the paper: Mark V with eager propagation, without facts known before",
    options: Options {
        propagates: true,
        ..DUALITY_MARK_V.options
    },
};

/// All of the paper, with facts: derived ones, and those of abstract interpretation.
pub static DUALITY: Duality = Duality {
    name: "duality",
    summary: "lazy annotation on clauses, linear or not: labels by interpolants, and covers",
    options: Options {
        reuses: true,
        seeds: true,
        ..DUALITY_FINAL.options
    },
};

/// The same, with convergence by heights.
pub static DUALITY_HEIGHTS: Duality = Duality {
    name: "duality-heights",
    summary: "duality with one label for each relation and height of its derivations",
    options: Options {
        convergence: Convergence::Heights,
        ..DUALITY.options
    },
};

impl ClauseEngine for Duality {
    fn about(&self) -> About {
        About {
            name: self.name,
            summary: self.summary,
            papers: &["mcmillan2014lazy", "mcmillan2006lazy", "bradley2011sat"],
        }
    }

    fn solve(&self, system: &System, budget: &Budget) -> ClauseOutcome {
        let budget = &budget.clone().unplanned();
        // What is not needed is said, too.
        for counter in ["duality resolutions", "duality depth"] {
            budget.counters().add(counter, 0);
        }
        if !self.options.seeds {
            return self.annotate(system, budget);
        }
        if system.is_linear()
            && let Some(model) = model_by_control(system, &budget.part(CONTROL))
        {
            return ClauseOutcome::Sat(Box::new(model));
        }
        let known = with_facts(system, &budget.part(SEEDING));
        let outcome = self.annotate(&known.system, budget);
        known.back(outcome, budget)
    }
}

impl Duality {
    fn annotate(&self, system: &System, budget: &Budget) -> ClauseOutcome {
        let mut search = Search::new(system, self.options, budget);
        let ending = match self.options.convergence {
            Convergence::Covering => by_covering(&mut search, budget),
            Convergence::Heights => by_heights(&mut search, budget),
        };
        match ending {
            Ok(Ending::Model(model)) => ClauseOutcome::Sat(Box::new(model)),
            Ok(Ending::Derivation(derivation)) => ClauseOutcome::Unsat(derivation),
            Err(reason) => ClauseOutcome::Unknown(reason),
        }
    }
}
