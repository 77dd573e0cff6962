//! Lazy abstraction with interpolants: labels an unwinding and covers what repeats.
//!
//! Unwinds the program into a tree. A feasible path to an error is run and becomes a trace; an
//! infeasible one gives labels to its vertices, and the error the label `false`. A leaf is covered
//! if labels allow it or can be strengthened to. When every error is labelled `false` and no leaf
//! is open, the unwinding is safe and complete, and the labels of the loop heads are the proof.
//!
//! # Paper
//! [mcmillan2006lazy]: `run` of [`search`] is UNWIND, with CLOSE and FORCE-COVER before EXPAND and
//! REFINE. We differ in these points. Steps are large blocks, unless single edges are requested.
//! Labels are sets of conjuncts, which are shown one by one for a cover. Feasible paths are run
//! before they are believed, and arithmetic is encoded as simply as paths allow. Calls that are not
//! inlined are steps by contracts.
//!
//! # Invariants
//! - An error that formulas admit but the machine does not reach leaves its path undecided.
//! - With forward invariants ([`OptionName::Invariants`]) a step from a loop head starts only in
//!   states that these admit, so labels need not repeat them.

mod search;

use crate::contract_prover::Called;
use crate::driver::first_accepted;
use crate::{About, Engine, OptionName, Task, graph};
use absdom::Invariants;
use base::Budget;
use certify::Outcome;
use exec::Machine;
use kit::prepared::{Prepared, Removed, analyses};
use program::pass::inline::InlineLimit;
use search::Search;

/// The share of the effort for proofs by contracts, in percent.
const BY_CONTRACTS: u64 = 60;

/// The engine.
pub struct Impact;

impl Engine for Impact {
    fn about(&self) -> About {
        About {
            name: "impact",
            summary: "unwinds the program, labels it by interpolants and covers what repeats",
            papers: &["mcmillan2006lazy"],
        }
    }

    fn understands(&self, option: OptionName) -> bool {
        matches!(option, OptionName::Blocks | OptionName::Invariants)
    }

    fn run(&self, task: &Task, budget: &Budget) -> Outcome {
        if let Some(proof) = graph::proof(&task.program) {
            return Outcome::Safe(proof);
        }
        let limit = InlineLimit::of(&task.program);
        Prepared::restoring(&task.program, limit, |prepared| {
            let question = Question {
                task,
                prepared,
                budget,
            };
            question.decide()
        })
    }
}

/// A prepared program, and how it is to be decided.
struct Question<'q> {
    task: &'q Task,
    prepared: &'q Prepared,
    budget: &'q Budget,
}

impl Question<'_> {
    /// The outcome, with fewer and fewer invariants as long as a proof that uses them fails its
    /// check.
    fn decide(&self) -> Result<Outcome, Removed> {
        let program = &self.prepared.program;
        let mut why = match self.prepared.has_undefined {
            true => "undefined behaviour that was left out ends a run before an error",
            false => "",
        };
        let with_invariants = analyses().map(Some);
        let ways = with_invariants.into_iter().chain([None]);
        let ways = ways.filter(|way| way.is_none() || self.task.options.invariants);
        first_accepted(self.task, self.budget, ways, |options| {
            if let Some(journal) = &self.task.journal {
                journal.begin(why);
            }
            why = "a proof that rests on forward invariants fails its check";
            let invariants = match options {
                Some(options) => Invariants::new(program, program.entry, &options, self.budget),
                None => Invariants::nothing(program, program.entry),
            };
            self.decide_knowing(invariants)
        })
    }

    /// The outcome given some invariants; a proof is not checked yet.
    fn decide_knowing(&self, invariants: Invariants) -> Result<Outcome, Removed> {
        let budget = self.budget.share(BY_CONTRACTS);
        let has_calls = !self.prepared.frames.is_empty();
        let called = match has_calls.then(|| Called::new(self.prepared, &budget, true)) {
            Some(called) if called.is_safe() => {
                let proof = called.proof(self.prepared);
                return Ok(proof.map_or_else(|reason| Outcome::Unknown(*reason), Outcome::Safe));
            }
            called => called,
        };
        let machine = Machine::new(&self.prepared.program);
        Search::new(self, &machine, invariants, called).decide()
    }
}
