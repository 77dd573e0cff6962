//! Summary-guided search: proves and refutes at once.
//!
//! Unwinds the program into a tree of paths. From the end of a path a test is run that the
//! path-to-error summary says may reach an error. Where the summary excludes that, the path is a
//! dead end, and the interpolants between it and the summary become labels of its vertices. The
//! search ends with a failing test, or when every leaf is a dead end or covered.
//!
//! # Paper
//! [fang2025software]: figure 4 is `explore`, figure 5 `search`, figure 6 `cover` and `refine`.
//! We differ in these points. Vertices are cut points and steps large blocks; tests run on the
//! machine and only their beginnings enter the tree, so that one endless test starves nobody; gas
//! serves the choice of inputs only; coverers need not be ancestors. A proof is labels for the
//! heads of loops, so the summaries behind dead ends are turned into labels too.
//!
//! # Invariants
//! - Arithmetic is described as simply as it can be ([`Detail`]). A search that meets a path on
//!   which that is too simple ends, and the next one knows better.

mod cover;
mod directed;
mod explore;
mod gas;
mod guide;
mod proof;
mod reason;
mod record;
mod search;
mod summarise;
mod test_run;

use crate::prepared::{Prepared, analyses};
use crate::{Engine, Journal, Task, graph};
use absdom::Invariants;
use base::Budget;
use certify::{Outcome, Proof, Reason, ReasonKind};
use exec::Machine;
use program::expr::Constant;
use program::ir::{Program, SiteId, VarId};
use search::{Found, Search};
use std::cell::{OnceCell, RefCell};
use std::time::Duration;
use summary::{Detail, Kit, Nest};

/// The time of the first search, and how much longer the next one may take: what summaries do not
/// show the search may, and the other way round.
const FIRST_SLICE: Duration = Duration::from_secs(4);
const GROWTH: u32 = 4;

/// The engine, in one of its variants.
pub struct Gps {
    name: &'static str,
    summary: &'static str,
    config: Config,
}

/// What a variant has of the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// Path-to-error summaries say what is a dead end and direct the tests.
    pub summaries: bool,
    /// The choice of inputs is bounded by gas.
    pub gas: bool,
    /// Vertices may be covered.
    pub covers: bool,
}

/// All of it.
pub const GPS: Gps = Gps {
    name: "gps",
    summary: "searches with tests that summaries direct; proves and refutes at once",
    config: Config {
        summaries: true,
        gas: true,
        covers: true,
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
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        self.summary
    }

    fn papers(&self) -> &'static [&'static str] {
        &["fang2025software", "mcmillan2006lazy"]
    }

    fn run(&self, task: &Task, budget: &Budget) -> Outcome {
        if let Some(proof) = graph::proof(&task.program) {
            return Outcome::Safe(proof);
        }
        let prepared = Prepared::new(&task.program);
        let machine = Machine::new(&prepared.program);
        let mut refused = None;
        for options in analyses() {
            let program = &prepared.program;
            let invariants = Invariants::new(program, program.entry, &options, budget);
            let arena = Arena {
                original: &task.program,
                prepared: &prepared,
                machine: &machine,
                invariants,
                budget,
                journal: task.journal.as_deref(),
                leapt: RefCell::new(Vec::new()),
                with_gas: OnceCell::new(),
            };
            match arena.decide(self.config) {
                Outcome::Safe(proof) if proof.check(&task.program, budget).is_ok() => {
                    return Outcome::Safe(proof);
                }
                Outcome::Safe(proof) => refused = Some(proof),
                Outcome::Unsafe(trace) => return Outcome::Unsafe(trace),
                Outcome::Unknown(reason) => {
                    return refused.map_or(Outcome::Unknown(reason), Outcome::Safe);
                }
            }
        }
        // A proof that does not hold is a bug of ours, and is to be seen as one.
        Outcome::Safe(refused.unwrap_or_else(Proof::default))
    }
}

/// What all searches for one answer share.
struct Arena<'a> {
    /// The program as it was given.
    original: &'a Program,
    prepared: &'a Prepared,
    machine: &'a Machine<'a>,
    invariants: Invariants,
    budget: &'a Budget,
    journal: Option<&'a Journal>,
    /// The inputs of runs that were followed by leaps, to no error.
    leapt: RefCell<Vec<Vec<(SiteId, Constant)>>>,
    /// The prepared program with gas, once it is needed, and what the gas is.
    with_gas: OnceCell<(Program, VarId)>,
}

impl Arena<'_> {
    fn with_gas(&self) -> &(Program, VarId) {
        self.with_gas
            .get_or_init(|| gas::with_gas(&self.prepared.program))
    }

    /// Searches, each time with what the last search showed to be needed, or with more time.
    fn decide(&self, mut config: Config) -> Outcome {
        let mut detail = Detail::default();
        let mut first: Option<Reason> = None;
        let mut slice = FIRST_SLICE;
        let mut why = "";
        loop {
            if let Some(journal) = self.journal {
                journal.begin(why);
            }
            let budget = self.budget.clone().with_timeout(slice);
            let mut kit = Kit::new(&self.prepared.program, &budget);
            let proc = self.prepared.program.entry;
            let nest = Nest::new(&mut kit, proc, self.invariants.clone(), &detail);
            let state = kit.state.clone();
            let search = Search::new(self, config, &detail, budget, (kit, nest), &state);
            match search.run() {
                Found::Proof(proof) => return Outcome::Safe(proof),
                Found::Trace(trace) => return Outcome::Unsafe(trace),
                Found::TooSimple(more) if detail.extend(&more) => {
                    why = "a path needs arithmetic that was described too simply";
                }
                Found::TooSimple(_) => {
                    let message = "a path leaves what the formulas describe again and again";
                    return Outcome::Unknown(Reason::internal(message));
                }
                Found::Nothing(reason) if self.may_go_on(&reason) => {
                    why = "its slice of the time was over";
                    slice *= GROWTH;
                }
                // Summaries that exclude every error are no proof yet; labels may come from paths.
                Found::NoLabels(reason) if config.summaries && self.budget.check().is_ok() => {
                    why = "summaries exclude every error, but give no invariants; paths may";
                    config.summaries = false;
                    slice = slice.max(self.budget.remaining().unwrap_or(slice));
                    first = Some(reason);
                }
                Found::NoLabels(reason) | Found::Nothing(reason) => {
                    return Outcome::Unknown(first.unwrap_or(reason));
                }
            }
        }
    }

    /// Whether a search ended only because its slice of the time did.
    fn may_go_on(&self, reason: &Reason) -> bool {
        reason.kind == ReasonKind::Timeout && self.budget.check().is_ok()
    }
}
