//! k-induction in bit-vectors, for loops that do not terminate by themselves.
//!
//! Has the checker of proofs by unwinding ([`certify::Unwound`]) follow all paths of the program. A
//! loop that it cannot unwind completely is handled by induction from then on: its first
//! iterations, and an arbitrary one after k others. The forward analysis's invariants at the head
//! support it; those that the checker cannot show are dropped. If an iteration may fail, k grows.
//!
//! # Paper
//! [sheeran2000checking], [donaldson2011software]; [beyer2015boosting] for auxiliary invariants
//! from an analysis.
//!
//! # Invariants
//! - Has no encoding of its own: the proof is the check.

use crate::hard_in_integers::{NOT_HARD, is_hard_in_integers};
use crate::{About, Engine, Task};
use absdom::{Invariants, Options};
use base::Budget;
use certify::{Bounds, Fact, Induction, Obstacle, Outcome, Reason, UnwindOutcome, Unwound};
use program::ir::{LocationId, ProcId, Program, Scope, Var, VarId};
use program::pass::inline::InlineLimit;
use program::pass::inlined;

/// The engine, at some effort.
pub struct KInduction {
    bounds: Bounds,
    /// The values of k to try, in order.
    depths: &'static [u32],
    /// Whether it skips programs for which labels work as well, and say more.
    is_picky: bool,
}

/// A loop that terminates is unwound before it is considered for induction.
const BOUNDS: Bounds = Bounds {
    iterations: 256,
    depth: 32,
    steps: 30_000,
    terms: 200_000,
    questions: 16,
    question_effort: 200_000,
    effort: 20_000_000,
    search: false,
};

/// All depths.
pub static K_INDUCTION: KInduction = KInduction {
    bounds: BOUNDS,
    depths: &[1, 2, 4, 8],
    is_picky: false,
};

/// Programs that are hard to express in integers, and easy here.
pub static K_INDUCTION_GLANCE: KInduction = KInduction {
    bounds: Bounds {
        terms: 60_000,
        questions: 8,
        effort: 4_000_000,
        ..BOUNDS
    },
    depths: &[1, 2],
    is_picky: true,
};

impl Engine for KInduction {
    fn about(&self) -> About {
        About {
            name: "k-induction",
            summary: "unwinds the program, and does loops that do not end by induction over their iterations",
            papers: &[
                "sheeran2000checking",
                "donaldson2011software",
                "beyer2015boosting",
            ],
        }
    }

    fn is_partial(&self) -> bool {
        true
    }

    fn finds_violations(&self) -> bool {
        false
    }

    fn run(&self, task: &Task, budget: &Budget) -> Outcome {
        if let Some(proof) = crate::graph::proof(&task.program) {
            return Outcome::Safe(proof);
        }
        if self.is_picky && !is_hard_in_integers(&task.program) {
            return gave_up(NOT_HARD);
        }
        // What is lost is asked of the program as it is.
        let limit = (!task.program.asks_for_leaks()).then(InlineLimit::default);
        let inlined = limit.map(|limit| inlined(&task.program, limit));
        Search {
            task,
            budget,
            program: inlined.as_ref().unwrap_or(&task.program),
            proof: Unwound {
                inlined: limit,
                bounds: self.bounds.clone(),
                inductions: Vec::new(),
            },
        }
        .run(self.depths)
    }
}

/// The search for a proof by induction.
struct Search<'t> {
    task: &'t Task,
    budget: &'t Budget,
    /// The program that the proof is about.
    program: &'t Program,
    /// The next candidate.
    proof: Unwound,
}

impl Search<'_> {
    fn run(&mut self, depths: &[u32]) -> Outcome {
        let mut last = None;
        for &depth in depths {
            for induction in &mut self.proof.inductions {
                induction.depth = depth;
            }
            let obstacle = loop {
                match self.proof.unwind(&self.task.program, self.budget) {
                    UnwindOutcome::Complete(proof) => return Outcome::Proved(proof),
                    UnwindOutcome::Violated(_) => return gave_up("no induction shows a violation"),
                    UnwindOutcome::Open(obstacle) => {
                        if !self.drop_facts(&obstacle) && !self.add_loops(&obstacle, depth) {
                            break obstacle;
                        }
                    }
                }
            };
            let goes_on = obstacle.fails;
            last = Some(obstacle);
            if !goes_on {
                break;
            }
        }
        last.map_or_else(|| gave_up("no depth was tried"), |last| self.unknown(last))
    }

    /// Drops facts that may fail; returns whether there are any.
    fn drop_facts(&mut self, obstacle: &Obstacle) -> bool {
        let mut drops = false;
        for (at, induction) in self.proof.inductions.iter_mut().enumerate() {
            let mut facts = 0..;
            induction.facts.retain(|_| {
                let fact = facts.next().unwrap_or_default();
                let fails = obstacle.failing.contains(&(at, fact));
                drops |= fails;
                !fails
            });
        }
        drops
    }

    /// Handles by induction the loops that were not unwound completely; returns whether there are
    /// new ones.
    fn add_loops(&mut self, obstacle: &Obstacle, depth: u32) -> bool {
        let known = self.proof.inductions.len();
        for &(proc, head) in &obstacle.left {
            let is_head = |row: &Induction| (row.proc, row.head) == (proc, head);
            // An entry is that of a recursion, of which there is no induction.
            let is_entry = self.program.procs[proc].entry == head;
            if is_entry || self.proof.inductions.iter().any(is_head) {
                continue;
            }
            self.proof.inductions.push(Induction {
                proc,
                head,
                depth,
                facts: self.facts(proc, head),
            });
        }
        self.proof.inductions.len() > known
    }

    /// The ranges of variables at a loop head, from the forward analysis.
    fn facts(&self, proc: ProcId, head: LocationId) -> Vec<Fact> {
        let options = Options::default();
        let invariants = Invariants::new(self.program, proc, &options, self.budget);
        let vars = self.program.vars.iter_enumerated();
        let vars = vars.filter(|(_, var)| match var.scope {
            Scope::Global => true,
            Scope::Local(owner) => owner == proc,
        });
        let fact = |(var, row): (VarId, &Var)| {
            let ty = row.ty.int()?;
            let (least, greatest) = (ty.min().to_i128()?, ty.max().to_i128()?);
            let (low, high) = invariants.bounds(head, var);
            let low = low.and_then(|low| low.to_i128()).unwrap_or(least);
            let high = high.and_then(|high| high.to_i128()).unwrap_or(greatest);
            (least < low || high < greatest).then_some(Fact { var, low, high })
        };
        vars.filter_map(fact).collect()
    }

    fn unknown(&self, obstacle: Obstacle) -> Outcome {
        let message = format!("no induction was found: {}", obstacle.what);
        Outcome::Unknown(Reason::unfinished(message, self.budget).at(obstacle.span))
    }
}

fn gave_up(why: &str) -> Outcome {
    Outcome::Unknown(Reason::gave_up(why))
}
