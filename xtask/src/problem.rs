//! Interpolation problems that stand on their own, and their text.

use base::Budget;
use logic::{SymbolId, TermId, TermStore};
use prover::Shape;
use rustc_hash::FxHashMap;
use smt::{Answer, Solver};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;
use testkit::problems::{self as random, Options};

/// How long to look whether a problem is one.
const FILTER_LIMIT: Duration = Duration::from_secs(2);

/// Formulas that are inconsistent together.
pub(crate) struct Problem {
    /// What it is called; good for a file.
    pub(crate) name: String,
    /// What it is counted under.
    pub(crate) family: String,
    /// Owns its terms, and no others.
    pub(crate) store: TermStore,
    /// The formulas; the last is the root.
    pub(crate) parts: Vec<TermId>,
    /// How they hang together.
    pub(crate) shape: Shape,
}

/// What became of a seed.
pub(crate) enum Drawn {
    /// A problem.
    Problem(Box<Problem>),
    /// The parts are consistent.
    Consistent,
    /// Z3 does not say.
    Unclear,
}

impl Problem {
    /// A problem of terms of another store.
    pub(crate) fn new(
        name: String,
        family: String,
        from: &TermStore,
        parts: &[TermId],
        shape: Shape,
    ) -> Problem {
        let mut store = TermStore::new();
        let mut memo = FxHashMap::default();
        let parts = parts.iter();
        let parts = parts
            .map(|&part| store.copy(from, part, &mut memo))
            .collect();
        Problem {
            name,
            family,
            store,
            parts,
            shape,
        }
    }

    /// The random problem of a seed, if it is one.
    pub(crate) fn random(seed: u64, options: &Options) -> Drawn {
        let mut store = TermStore::new();
        let problem = random::problem(&mut store, seed, options);
        let shape = Shape::tree(&problem.parents).expect("the parts should be in order");
        match is_consistent(&store, &problem.parts) {
            Answer::Sat => Drawn::Consistent,
            Answer::Unknown(_) => Drawn::Unclear,
            Answer::Unsat => Drawn::Problem(Box::new(Problem {
                name: format!("random-{seed}"),
                family: problem.kind.name().to_owned(),
                store,
                parts: problem.parts,
                shape,
            })),
        }
    }

    /// The symbols of the cut above a part.
    pub(crate) fn shared(&self, cut: usize) -> BTreeSet<SymbolId> {
        let side = |inside: bool| {
            let parts = (0..self.parts.len())
                .filter(|&part| self.shape.is_inside(cut, part) == inside)
                .map(|part| self.parts[part]);
            self.store.symbols_of(&parts.collect::<Vec<_>>())
        };
        side(true).intersection(&side(false)).copied().collect()
    }

    /// The commands that declare what the parts mention.
    pub(crate) fn declarations(&self) -> String {
        let query = self.store.smtlib_query(&self.parts);
        let lines = query.lines().filter(|line| line.starts_with("(declare"));
        lines.fold(String::new(), |text, line| text + line + "\n")
    }

    /// A script that asks for the interpolants.
    pub(crate) fn script(&self) -> String {
        let mut text = String::from("(set-option :produce-interpolants true)\n(set-logic ALL)\n");
        text += &self.declarations();
        for (index, &part) in self.parts.iter().enumerate() {
            let formula = self.store.smtlib(part);
            // A string takes any text.
            let _ = writeln!(text, "(assert (! {formula} :named part{index}))");
        }
        let order = self.order(self.parts.len() - 1);
        text + &format!("(check-sat)\n(get-interpolants {order})\n")
    }

    /// The names of the parts below one and of itself: all branches but the first in parentheses.
    fn order(&self, part: usize) -> String {
        let mut text = String::new();
        for (index, child) in self.shape.children(part).enumerate() {
            let below = self.order(child);
            text += &if index == 0 {
                format!("{below} ")
            } else {
                format!("({below}) ")
            };
        }
        text + &format!("part{part}")
    }
}

fn is_consistent(store: &TermStore, parts: &[TermId]) -> Answer {
    let mut solver = Solver::new();
    for &part in parts {
        solver.assert(store, part);
    }
    solver.check(store, &[], &Budget::unlimited().with_timeout(FILTER_LIMIT))
}
