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
//! [`options`], convergence by covering in [`cover`]. We add convergence by heights ([`heights`]).
//!
//! # Invariants
//! - The labels of the unwinding contain all facts that its edges derive.

mod cover;
mod goal;
mod heights;
mod instance;
mod learn;
pub mod options;
mod search;
mod unwinding;

use crate::ClauseEngine;
use base::Budget;
use certify::ClauseOutcome;
use cover::{Ending, by_covering};
use heights::by_heights;
use horn::System;
use options::{Convergence, Options};
use search::Search;

/// Lazy annotation with some of its improvements.
pub struct Duality {
    name: &'static str,
    summary: &'static str,
    options: Options,
}

/// All of the paper.
pub static DUALITY: Duality = Duality {
    name: "duality",
    summary: "lazy annotation on clauses, linear or not: labels by interpolants, and covers",
    options: Options::FINAL,
};

/// The same, with convergence by heights.
pub static DUALITY_HEIGHTS: Duality = Duality {
    name: "duality-heights",
    summary: "the same, with one label for each relation and height of its derivations",
    options: Options::HEIGHTS,
};

impl ClauseEngine for Duality {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        self.summary
    }

    fn papers(&self) -> &'static [&'static str] {
        &["mcmillan2014lazy", "mcmillan2006lazy"]
    }

    fn solve(&self, system: &System, budget: &Budget) -> ClauseOutcome {
        let mut search = Search::new(system, self.options);
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
