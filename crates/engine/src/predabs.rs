//! Lazy predicate abstraction: proves with predicates that it discovers where they are needed.
//!
//! Unwinds the program into a tree of abstract states: conjunctions of predicates, or their
//! negations, that are tracked at a location. When abstract states reach an error, the solver
//! decides whether the path is feasible. A feasible one is run and becomes a trace; for an
//! infeasible one, interpolants supply the missing predicates, location by location, and the
//! affected subtree is re-expanded. When no leaf is open, the disjunction of the abstract states of
//! a location is its invariant.
//!
//! # Paper
//! [henzinger2002lazy] for the search, [henzinger2004abstractions], sections 3 to 5, for predicates
//! from interpolants and for functions. We differ in these points. Vertices are cut points and
//! steps large blocks unless [`crate::Blocks`] says otherwise. Posts are Cartesian until an
//! interpolant is not a conjunction of literals; then they are Boolean at its location. A variable
//! is out of scope if no later step reads it.
//!
//! # Invariants
//! - The label of the root is what holds at the start (for a procedure: the abstract state in which
//!   it is called); that of another vertex follows from its parent's over their block. So labels
//!   need not be proved by refinement.
//! - A path to an error that formulas admit is closed only by a proof of infeasibility, never by
//!   tests that end elsewhere: these leave it undecided.

mod calls;
mod proof;
mod refine;
mod search;
#[cfg(test)]
mod tests;
mod trace;

use crate::driver::first_accepted;
use crate::{About, Engine, OptionName, Task, control_states, graph};
use absdom::Invariants;
use base::Budget;
use certify::{Outcome, Reason};
use exec::Machine;
use kit::prepared::{Prepared, analyses};
use program::ir::ProcId;
use search::Search;
use std::convert::Infallible;

/// The engine.
pub struct PredAbs {
    /// Whether it leaves programs alone that are not machines of many states.
    is_picky: bool,
}

/// For all programs.
pub static PREDABS: PredAbs = PredAbs { is_picky: false };

/// For machines of many states, to try before anything else.
pub static PREDABS_OF_MACHINES: PredAbs = PredAbs { is_picky: true };

impl Engine for PredAbs {
    fn about(&self) -> About {
        About {
            name: "predabs",
            summary: "unwinds the program into abstract states over predicates from interpolants",
            papers: &["henzinger2002lazy", "henzinger2004abstractions"],
        }
    }

    fn is_partial(&self) -> bool {
        self.is_picky
    }

    fn understands(&self, option: OptionName) -> bool {
        match option {
            OptionName::Predicates | OptionName::Invariants | OptionName::Blocks => !self.is_picky,
            OptionName::Summary | OptionName::Learn | OptionName::Time => false,
        }
    }

    fn run(&self, task: &Task, budget: &Budget) -> Outcome {
        if let Some(proof) = graph::proof(&task.program) {
            return Outcome::Safe(proof);
        }
        if self.is_picky && !control_states::has_many(&task.program) {
            let message = "no variable says which of many states the program is in";
            return Outcome::Unknown(Reason::gave_up(message));
        }
        let prepared = Prepared::with_undefined(&task.program);
        let (program, machine) = (&prepared.program, Machine::new(&prepared.program));
        if !task.options.invariants {
            let nothing = |proc| Invariants::nothing(program, proc);
            return decide(task, &prepared, &machine, &nothing, budget);
        }
        // Labels rest on the invariants, which need not all be in their formulas.
        let Ok(outcome) = first_accepted(task, budget, analyses(), |options| {
            let invariants = |proc| Invariants::new(program, proc, &options, budget);
            let outcome = decide(task, &prepared, &machine, &invariants, budget);
            Ok::<_, Infallible>(outcome)
        });
        outcome
    }
}

/// The outcome of a search that may rest on invariants.
fn decide(
    task: &Task,
    prepared: &Prepared,
    machine: &Machine,
    invariants: &dyn Fn(ProcId) -> Invariants,
    budget: &Budget,
) -> Outcome {
    let mut search = Search::new(task, prepared, machine, invariants, budget);
    let found = loop {
        match search.run() {
            Ok(found) => break found,
            Err(needed) if search.refine_encoding(&needed) => {}
            Err(_) => {
                let message = "a path leaves what the formulas describe again and again";
                break Some(Outcome::Unknown(Reason::internal(message)));
            }
        }
    };
    search.count();
    found.unwrap_or_else(|| search.complete())
}
