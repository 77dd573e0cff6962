//! Linear clauses as a program, for the program engines.
//!
//! A relation becomes a location with a variable for each argument, a clause a path from the
//! location of its body to that of its head, or to the error location ([`translate`]). Integers are
//! unbounded, as in `program::pass::unbounded`. The labels of a proof translate back to a model,
//! the inputs of a trace to a derivation ([`back`]).
//!
//! # Invariants
//! - A run of the program to its error location takes the clauses of a derivation, with the values
//!   of their variables.
//! - What the program cannot express (arrays, reals, numbers beyond 128 bits) is a reason, never
//!   dropped.

pub mod back;
mod expression;
pub mod translate;

use crate::ClauseEngine;
use crate::reduce;
use base::Budget;
use certify::{ClauseOutcome, Outcome, Proof, Reason, ReasonKind};
use engine::{About, Engine, Task};
use horn::System;
use program::ir::Program;
use translate::translate;

/// What analyses do at an edge, for each variable, in units and in all.
const LOOKS: u64 = 400;

/// An engine of programs, on linear clauses.
pub struct OnProgram {
    summary: &'static str,
    engine: &'static dyn Engine,
    /// Whether cases of loops are tried where clauses as they are are not solved.
    cases: bool,
}

/// Summary-guided search.
pub static GPS: OnProgram = OnProgram {
    summary: "linear clauses as a program, solved by gps",
    engine: &engine::gps::GPS,
    cases: false,
};

/// Summaries alone.
pub static CRA: OnProgram = OnProgram {
    summary: "linear clauses as a program, solved by cra; finds no derivations",
    engine: &engine::cra::Cra,
    cases: true,
};

/// Labels by interpolants.
pub static IMPACT: OnProgram = OnProgram {
    summary: "linear clauses as a program, solved by impact",
    engine: &engine::impact::Impact,
    cases: false,
};

/// Predicates from interpolants.
pub static PREDABS: OnProgram = OnProgram {
    summary: "linear clauses as a program, solved by predabs",
    engine: &engine::predabs::PREDABS,
    cases: false,
};

/// Lazy annotation of a program.
pub static LA: OnProgram = OnProgram {
    summary: "linear clauses as a program, solved by la",
    engine: &engine::la::LazyAnnotation,
    cases: false,
};

impl ClauseEngine for OnProgram {
    fn about(&self) -> About {
        About {
            summary: self.summary,
            ..self.engine.about()
        }
    }

    fn solve(&self, system: &System, budget: &Budget) -> ClauseOutcome {
        let split = reduce::split(system, budget);
        let mut outcome = self.solve_split(&split.system, budget);
        if self.cases
            && matches!(outcome, ClauseOutcome::Unknown(_))
            && let Some(cases) = reduce::cases(&split.system, budget)
        {
            outcome = cases.back(self.solve_split(&cases.system, budget), budget);
        }
        split.back(outcome, budget)
    }
}

impl OnProgram {
    fn solve_split(&self, system: &System, budget: &Budget) -> ClauseOutcome {
        let automaton = match translate(system) {
            Ok(automaton) => automaton,
            Err(why) => {
                let message = format!("no program says what these clauses do: {why}");
                return ClauseOutcome::Unknown(Reason::unsupported(message));
            }
        };
        let cost = cost(system, &automaton.program);
        if budget.effort_left().is_some_and(|left| left < cost) {
            let message = "a program of these clauses is too large for the effort left";
            return ClauseOutcome::Unknown(Reason::new(ReasonKind::Effort, message));
        }
        let task = Task::new(automaton.program.clone());
        let outcome = self.engine.run(&task, budget);
        let model = |proof: &Proof| {
            let model = back::model(system, &automaton, proof, budget)?;
            Ok(ClauseOutcome::Sat(Box::new(model)))
        };
        let found = match outcome {
            Outcome::Safe(proof) => model(&proof),
            Outcome::Proved(proof) => model(&proof),
            Outcome::Unsafe(trace) => {
                back::derivation(system, &automaton, &trace, budget).map(ClauseOutcome::Unsat)
            }
            Outcome::Unknown(reason) => Ok(ClauseOutcome::Unknown(reason)),
        };
        found.unwrap_or_else(|why| {
            let message = format!("the program was decided, but not its clauses: {why}");
            ClauseOutcome::Unknown(Reason::unfinished(message, budget))
        })
    }
}

/// What analyses of a program cost, about: they go through all of its edges with values of the
/// variables that are live there, and charge little for it.
fn cost(system: &System, program: &Program) -> u64 {
    let edges: usize = program.procs.iter().map(|proc| proc.edges.len()).sum();
    let widths = system.relations.iter().map(|relation| relation.sorts.len());
    let looks = edges.saturating_mul(widths.max().unwrap_or_default());
    LOOKS.saturating_mul(looks as u64)
}
