//! Summary-guided search: proves and refutes at once.
//!
//! Unwinds the program into a tree of paths. From the end of a path it runs a test that may reach
//! an error according to the path-to-error summary. If the summary excludes that, the path is a
//! dead end, and the interpolants between it and the summary become labels of its vertices. The
//! search ends with a failing test, or when every leaf is a dead end or covered.
//!
//! # Paper
//! [fang2025software]: figure 4 is `explore`, figure 5 `search`, figure 6 `cover` and `refine`. We
//! differ in these points. Vertices are cut points and edges large blocks; tests run on the machine
//! and only their prefixes enter the tree, so that one endless test does not block the others; gas
//! serves the choice of inputs only; coverers need not be ancestors. A proof consists of labels for
//! the loop heads, so the summaries at dead ends are turned into labels too. Additions to the paper
//! are summaries from the root before the search (loop by loop if there are many), forward
//! invariants, and leaps: [`GPS_PAPER`] is without these.
//!
//! # Invariants
//! - Arithmetic is encoded as simply as possible ([`encode::EncodingPrecision`]). If a path needs
//!   more, the blocks concerned are re-encoded, and the search continues.
//! - A slice of the effort is fuel: the next one continues where the last one stopped.
//! - Calls that are not inlined are blocks by contracts ([`Called`]): tests go through them, and
//!   the labels of the procedures come with the contracts.
//! - Operations that may be undefined, but compute nothing relevant, are left out ([`Prepared`])
//!   until a run is found that they end before an error; then all of them are restored.
//! - A path to an error that formulas admit is closed only by a proof of infeasibility, never by
//!   tests that end elsewhere: these leave it undecided.

mod directed;
mod explore;
mod gas;
mod guide;
mod proof;
mod search;
mod summarise;
#[cfg(test)]
mod tests;

use crate::accelerate::{self, Accelerator, Inlined};
use crate::contract_prover::Called;
use crate::{About, Engine, Journal, OptionName, Task, graph};
use absdom::{Invariants, Options};
use base::Budget;
use certify::{Outcome, Reason, ReasonKind, Trace};
use exec::Machine;
use kit::cells::with_cells;
use kit::prepared::{Prepared, Removed, analyses};
use kit::products::with_tracked_products;
use program::expr::Constant;
use program::ir::{Program, SiteId, VarId};
use program::pass::inline::InlineLimit;
use search::{Search, SearchOutcome};
use std::cell::{OnceCell, RefCell};
use summary::{Level, Style};

/// The effort of the first slice of a search, and the factor for the next one: search and summaries
/// complement each other.
const FIRST_SLICE: u64 = 4_000_000;
const GROWTH: u64 = 4;
/// The share of the effort for proofs by contracts, in percent.
const BY_CONTRACTS: u64 = 75;
/// The share of the effort for a rewritten program, in percent.
const REWRITTEN: u64 = 50;

/// The engine, in one of its variants.
pub struct Gps {
    name: &'static str,
    summary: &'static str,
    config: Config,
}

/// The features of a variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// Path-to-error summaries identify dead ends and direct the tests.
    pub summaries: bool,
    /// Summaries of increasing strength are tried from the root before the search; otherwise the
    /// search has the strongest from the start.
    pub summaries_first: bool,
    /// Invariants of a forward analysis strengthen formulas, summaries and labels.
    pub forward_invariants: bool,
    /// The choice of inputs is bounded by gas.
    pub gas: bool,
    /// Vertices may be covered.
    pub covers: bool,
    /// Runs too long for the machine leap over loop iterations.
    pub leaps: bool,
    /// A program with arrays is first searched with distinguished cells ([`kit::cells`]), one with
    /// products of variables with a variable for each product ([`kit::products`]), then as it is.
    pub rewrites: bool,
}

/// All of it.
pub const GPS: Gps = Gps {
    name: "gps",
    summary: "searches with tests that summaries direct; proves and refutes at once",
    config: Config {
        summaries: true,
        summaries_first: true,
        forward_invariants: true,
        gas: true,
        covers: true,
        leaps: true,
        rewrites: true,
    },
};

/// Without rewritten programs.
pub static GPS_AS_GIVEN: Gps = Gps {
    config: Config {
        rewrites: false,
        ..GPS.config
    },
    ..GPS
};

/// The search of the paper's figures 4 to 6, without what we add to it.
pub const GPS_PAPER: Gps = Gps {
    name: "gps-paper",
    summary: "the search of the paper: no summaries first, no forward invariants, no leaps",
    config: Config {
        summaries_first: false,
        forward_invariants: false,
        leaps: false,
        rewrites: false,
        ..GPS.config
    },
};

/// Without covers: proves only what the summaries of finitely many paths show.
pub const GPS_LITE: Gps = Gps {
    name: "gps-lite",
    summary: "gps without covers: tests and dead ends only",
    config: Config {
        covers: false,
        ..GPS.config
    },
};

/// Without gas.
pub const GPS_NOGAS: Gps = Gps {
    name: "gps-nogas",
    summary: "gps without gas in the choice of inputs",
    config: Config {
        gas: false,
        ..GPS.config
    },
};

/// Without gas and without summaries.
pub const GPS_NOGAS_NOSUM: Gps = Gps {
    name: "gps-nogas-nosum",
    summary: "gps without gas and without summaries: tests, interpolants and covers",
    config: Config {
        gas: false,
        summaries: false,
        ..GPS.config
    },
};

impl Engine for Gps {
    fn about(&self) -> About {
        About {
            name: self.name,
            summary: self.summary,
            papers: &["fang2025software", "mcmillan2006lazy"],
        }
    }

    fn understands(&self, option: OptionName) -> bool {
        option == OptionName::Summary && self.config.summaries
    }

    fn run(&self, task: &Task, budget: &Budget) -> Outcome {
        for rewrite in [with_cells, with_tracked_products] {
            let rewritten = (self.config.rewrites).then(|| rewrite(&task.program));
            let Some(rewritten) = rewritten.flatten() else {
                continue;
            };
            let budget = budget.share(REWRITTEN);
            let outcome = self.run_on(&task.on(rewritten.program.clone()), &budget);
            match rewritten.outcome(&task.program, outcome, &budget) {
                Outcome::Unknown(_) => {}
                verdict @ (Outcome::Safe(_) | Outcome::Proved(_) | Outcome::Unsafe(_)) => {
                    return verdict;
                }
            }
        }
        self.run_on(task, budget)
    }
}

impl Gps {
    /// The outcome for the original program.
    fn run_on(&self, task: &Task, budget: &Budget) -> Outcome {
        if let Some(proof) = graph::proof(&task.program) {
            return Outcome::Safe(proof);
        }
        let machine = Machine::new(&task.program);
        let (inlined, accelerator) = (OnceCell::new(), RefCell::new(None));
        let leap = |inputs: &[(SiteId, Constant)], budget: &Budget| {
            let inlined = inlined.get_or_init(|| Inlined::new(&machine));
            let mut accelerator = accelerator.borrow_mut();
            let accelerator = accelerator.get_or_insert_with(|| Accelerator::new(inlined));
            accelerator.run(inputs, accelerate::STEPS, budget)
        };
        let given = GivenRuns {
            machine: &machine,
            leap: &leap,
        };
        let limit = InlineLimit::of(&task.program);
        Prepared::restoring(&task.program, limit, |prepared| {
            self.decide(task, given, prepared, budget)
        })
    }

    /// The outcome for a prepared program.
    fn decide(
        &self,
        task: &Task,
        given: GivenRuns<'_>,
        prepared: &Prepared,
        budget: &Budget,
    ) -> Result<Outcome, Removed> {
        let program = &prepared.program;
        let machine = Machine::new(program);
        let mut refused: Option<Reason> = None;
        let mut why = match prepared.has_undefined {
            true => "undefined behaviour that was left out ends a run before an error",
            false => "",
        };
        for options in analyses() {
            let shared = SearchContext {
                original: &task.program,
                given,
                prepared,
                machine: &machine,
                invariants: self.config.invariants(program, &options, budget),
                style: task.options.summary,
                budget,
                journal: task.journal.as_deref(),
                why,
                leapt: RefCell::new(Vec::new()),
                with_gas: OnceCell::new(),
            };
            match shared.decide(self.config)? {
                Decided::Outcome(Outcome::Unknown(reason)) => {
                    return Ok(Outcome::Unknown(refused.unwrap_or(reason)));
                }
                Decided::Outcome(outcome) => return Ok(outcome),
                Decided::Refused(reason) => {
                    why = "a proof that rests on forward invariants fails its check";
                    refused = Some(reason);
                }
            }
        }
        Ok(Outcome::Unknown(refused.expect(
            "there should have been a proof, if not a good one",
        )))
    }
}

impl Config {
    /// The strength of the summaries that a search starts with.
    fn first_level(&self) -> Level {
        match self.summaries_first {
            true => Level::ALL[0],
            false => Level::ALL[Level::ALL.len() - 1],
        }
    }

    /// The invariants at the locations of a program, if the variant uses them.
    fn invariants(&self, program: &Program, options: &Options, budget: &Budget) -> Invariants {
        match self.forward_invariants {
            true => Invariants::new(program, program.entry, options, budget),
            false => Invariants::nothing(program, program.entry),
        }
    }
}

/// The result of a search.
enum Decided {
    Outcome(Outcome),
    /// A proof that fails its check, and what the check says.
    Refused(Reason),
}

/// Follows a run that is too long for the machine, by leaping.
type Leap<'a> = dyn Fn(&[(SiteId, Constant)], &Budget) -> Option<Trace> + 'a;

/// Runs of the original program: set up once for all searches.
#[derive(Clone, Copy)]
struct GivenRuns<'a> {
    machine: &'a Machine<'a>,
    leap: &'a Leap<'a>,
}

/// What all searches for one answer share.
struct SearchContext<'a> {
    /// The original program, and its runs.
    original: &'a Program,
    given: GivenRuns<'a>,
    prepared: &'a Prepared,
    machine: &'a Machine<'a>,
    invariants: Invariants,
    /// How paths to errors are summarised.
    style: Style,
    budget: &'a Budget,
    journal: Option<&'a Journal>,
    /// Why there is another search, if there was one before.
    why: &'static str,
    /// The inputs of runs that were followed by leaping and reached no error.
    leapt: RefCell<Vec<Vec<(SiteId, Constant)>>>,
    /// The prepared program with gas, once it is needed, and what the gas is.
    with_gas: OnceCell<(Program, VarId)>,
}

impl SearchContext<'_> {
    fn with_gas(&self) -> &(Program, VarId) {
        self.with_gas
            .get_or_init(|| gas::with_gas(&self.prepared.program))
    }

    /// The search, slice after slice of the effort.
    fn decide(&self, config: Config) -> Result<Decided, Removed> {
        if let Some(journal) = self.journal {
            journal.begin(self.why);
        }
        let called = match self.called(config) {
            Some(called) if called.is_safe() => return Ok(self.by_contracts(called)),
            called => called,
        };
        let config = Config {
            // The program with gas has other contracts.
            gas: config.gas && called.is_none(),
            ..config
        };
        let mut search = self.search(config, called);
        // The same with summaries, while one without them has its slice.
        let mut waiting: Option<Search<'_>> = None;
        let mut slice = FIRST_SLICE;
        let mut first: Option<Reason> = None;
        let outcome = loop {
            match search.go_on(slice) {
                SearchOutcome::Proof(proof) => break Outcome::Proved(proof),
                SearchOutcome::Labels(labels) => match search.prove(labels) {
                    Ok(proof) => break Outcome::Proved(proof),
                    Err(reason) => return Ok(Decided::Refused(reason)),
                },
                SearchOutcome::Trace(trace) => break Outcome::Unsafe(trace),
                SearchOutcome::Removed => return Err(Removed),
                // Summaries that exclude every error are no proof yet; labels may come from paths.
                SearchOutcome::NoLabels(reason)
                    if search.config.summaries
                        && self.prepared.frames.is_empty()
                        && self.may_go_on(&reason) =>
                {
                    let config = Config {
                        summaries: false,
                        ..config
                    };
                    let without = self.search(config, None);
                    waiting = Some(std::mem::replace(&mut search, without));
                    first = Some(reason);
                }
                SearchOutcome::NoLabels(_) | SearchOutcome::Nothing(_)
                    if waiting.is_some() && self.budget.check().is_ok() =>
                {
                    slice = slice.saturating_mul(GROWTH);
                    search = waiting.take().unwrap_or(search);
                }
                SearchOutcome::Nothing(reason) if self.may_go_on(&reason) => {
                    slice = slice.saturating_mul(GROWTH);
                }
                SearchOutcome::NoLabels(reason)
                    if search.config.summaries && self.budget.check().is_ok() =>
                {
                    search.drop_summaries();
                    slice = u64::MAX;
                    first = Some(reason);
                }
                SearchOutcome::NoLabels(reason) | SearchOutcome::Nothing(reason) => {
                    break Outcome::Unknown(first.unwrap_or(reason));
                }
            }
        };
        Ok(Decided::Outcome(outcome))
    }

    /// Contracts of the procedures that are still called, if any are.
    fn called(&self, config: Config) -> Option<Called<'_>> {
        if self.prepared.frames.is_empty() {
            return None;
        }
        let budget = self.budget.share(BY_CONTRACTS);
        Some(Called::new(self.prepared, &budget, config.summaries))
    }

    /// The proof by contracts that admit no error.
    fn by_contracts(&self, called: Called) -> Decided {
        let proof = match called.proof(self.prepared) {
            Ok(proof) => proof,
            Err(reason) => return Decided::Outcome(Outcome::Unknown(*reason)),
        };
        match proof.checked(self.original, self.budget) {
            Ok(proof) => Decided::Outcome(Outcome::Proved(proof)),
            Err(error) => Decided::Refused(certify::refused(&error, self.budget)),
        }
    }

    fn search<'s>(&'s self, config: Config, called: Option<Called<'s>>) -> Search<'s> {
        let mut search = Search::new(self, config, called);
        search.describe_start();
        search
    }

    /// Whether a search ended only because its slice of the effort was spent.
    fn may_go_on(&self, reason: &Reason) -> bool {
        reason.kind == ReasonKind::Effort && self.budget.check().is_ok()
    }
}
