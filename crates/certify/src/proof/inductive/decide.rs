//! The order of the check, and the solver queries.

use super::graph::{Calls, Cuts};
use super::imported_proof::ImportedProof;
use super::obligation_context::{Effort, ObligationContext, Values};
use super::states::State;
use super::walk::{Obligation, Text, Walk};
use crate::{FailedObligation, ProofError};
use base::{Budget, Span};
use logic::{Node, TermId};
use program::ir::{LocationId, ProcId, Program};
use smt::{Answer, Solver};

/// The solver's effort for all claims of an obligation together, which is enough for most, and for
/// a single one at first: a better treatment of wraps helps more than solver effort.
const LITTLE: u64 = 100_000;
/// The solver's effort for a single claim at the end.
const GREAT: u64 = 20_000_000;

/// A label with more disjuncts than this is only checked as a whole.
const MOST_CASES: usize = 64;
/// Why a counterexample to a claim may be spurious.
const OPAQUE: &str = "the checker knows too little of products, quotients or bits of variables";

/// A proof being checked.
pub(super) struct Checker<'c> {
    program: &'c Program,
    given: ImportedProof,
    calls: &'c Calls,
    solver: Solver,
    budget: &'c Budget,
}

/// Where a walk starts.
#[derive(Clone, Copy)]
enum Start<'c> {
    /// The program starts; the paths have no edge.
    Program,
    /// At a cut location.
    Label(&'c Cuts<'c>, LocationId),
}

impl<'c> Checker<'c> {
    pub(super) fn new(
        program: &'c Program,
        given: ImportedProof,
        calls: &'c Calls,
        budget: &'c Budget,
    ) -> Self {
        Checker {
            program,
            given,
            calls,
            solver: Solver::of_checker(),
            budget,
        }
    }

    pub(super) fn check(&mut self) -> Result<(), ProofError> {
        self.paths(self.program.entry, Start::Program)?;
        for &proc in &self.calls.reachable {
            let cuts = self.cuts(proc);
            for source in cuts.sources() {
                self.paths(proc, Start::Label(&cuts, source))?;
            }
        }
        Ok(())
    }

    /// Checks the paths that start or end at one location; for an entry or exit also those with
    /// calls.
    pub(super) fn check_at(&mut self, proc: ProcId, at: LocationId) -> Result<(), ProofError> {
        let row = &self.program.procs[proc];
        let is_end = [row.entry, row.exit].contains(&at);
        if is_end && proc == self.program.entry {
            return self.check();
        }
        for &other in &self.calls.reachable {
            // Calls reach an entry, and continue after an exit.
            let calls = is_end && self.calls.callees(self.program, other).contains(&proc);
            if other != proc && !calls {
                continue;
            }
            let cuts = self.cuts(other);
            for source in cuts.sources() {
                if calls || source == at || cuts.next(source).contains(&at) {
                    self.paths(other, Start::Label(&cuts, source))?;
                }
            }
        }
        Ok(())
    }

    fn cuts(&self, proc: ProcId) -> Cuts<'c> {
        let labels = &self.given.labels;
        let is_labelled = |location| labels.contains_key(&(proc, location));
        Cuts::new(&self.program.procs[proc], &is_labelled)
    }

    /// Checks all obligations of the paths from one start: with little effort, with more, and then
    /// for each disjunct of the label separately.
    fn paths(&mut self, proc: ProcId, start: Start<'_>) -> Result<(), ProofError> {
        match self.paths_with(proc, start, Effort::Little, None) {
            (Err(ProofError::Undecided(..)), _) | (Err(ProofError::NotInductive(_)), true) => {}
            (result, _) => return result,
        }
        let (mut result, mut is_opaque) = self.paths_with(proc, start, Effort::Great, None);
        let cases = self.cases(proc, start);
        if result.is_err() && is_opaque && cases.len() > 1 {
            for case in cases {
                (result, is_opaque) = self.paths_with(proc, start, Effort::Great, Some(case));
                if result.is_err() {
                    break;
                }
            }
        }
        match result {
            Err(ProofError::NotInductive(step)) if is_opaque => {
                Err(ProofError::Undecided(step, OPAQUE.to_owned()))
            }
            result => result,
        }
    }

    /// A disjunction that covers the label of a start; what is variable in all of the disjuncts is
    /// often constant in each.
    fn cases(&self, proc: ProcId, start: Start<'_>) -> Vec<TermId> {
        let Start::Label(_, source) = start else {
            return Vec::new();
        };
        let label = self.given.labels.get(&(proc, source)).copied();
        let store = &self.given.store;
        let conjuncts = label.map_or(Vec::new(), |label| store.conjuncts(label));
        let mut choices = conjuncts.into_iter().filter_map(|conjunct| {
            let Node::Or(choices) = store.node(conjunct) else {
                return None;
            };
            (choices.len() <= MOST_CASES).then(|| choices.to_vec())
        });
        choices.next().unwrap_or_default()
    }

    /// The result, and whether there were opaque operations. With a disjunct, only for the states
    /// at the start in which it holds.
    fn paths_with(
        &mut self,
        proc: ProcId,
        start: Start<'_>,
        effort: Effort,
        case: Option<TermId>,
    ) -> (Result<(), ProofError>, bool) {
        let mark = self.given.store.mark();
        self.solver.push();
        let context = &mut ObligationContext::new(
            self.program,
            &mut self.given.store,
            &self.given.symbols,
            &mut self.solver,
            effort,
            self.budget,
        )
        .with_all_integers();
        let mut walk = Walk {
            context,
            ghosts: &self.given.ghosts,
            labels: &self.given.labels,
            calls: self.calls,
            proc,
            obligations: Vec::new(),
        };
        let from = walk.start(start, case);
        let obligations = std::mem::take(&mut walk.obligations);
        let result = (obligations.iter())
            .try_for_each(|obligation| decide(walk.context, proc, from, obligation));
        let is_opaque = walk.context.is_opaque;
        self.solver.pop();
        self.given.store.release(mark);
        (result, is_opaque)
    }
}

impl Walk<'_, '_> {
    /// Walks along all paths from a start, and returns where that is.
    fn start(&mut self, start: Start<'_>, case: Option<TermId>) -> LocationId {
        let entry = self.context.program.procs[self.proc].entry;
        match start {
            Start::Program => {
                let state = self.initial(true);
                self.arrive(entry, None, &state);
                entry
            }
            Start::Label(cuts, source) => {
                let state = if source == entry && !cuts.is_entry_entered {
                    // A run that is here has just started.
                    let is_main = self.proc == self.context.program.entry;
                    self.initial(is_main && !self.calls.called.contains(&self.proc))
                } else {
                    let reach = self.context.store.bool(true);
                    let values = Values::new();
                    State { reach, values }
                };
                let label = self.labels.get(&(self.proc, source)).copied();
                for formula in label.into_iter().chain(case) {
                    self.assert_label(formula, &state);
                }
                self.region(cuts, source, state);
                source
            }
        }
    }

    fn assert_label(&mut self, label: TermId, state: &State) {
        let label = self.context.in_state(&state.values, label);
        self.context.note_bounds(label);
        self.context.fact(label);
    }
}

/// Queries all claims together, then each alone.
pub(super) fn decide(
    context: &mut ObligationContext<'_>,
    proc: ProcId,
    from: LocationId,
    obligation: &Obligation,
) -> Result<(), ProofError> {
    let formulas: Vec<TermId> = obligation
        .claims
        .iter()
        .map(|claim| claim.formula)
        .collect();
    let all = context.store.and(&formulas);
    let together = ask(context, obligation, all, LITTLE);
    if together == Answer::Unsat {
        return Ok(());
    }
    let alone = match context.effort {
        Effort::Little => LITTLE,
        Effort::Great => GREAT,
    };
    for claim in &obligation.claims {
        let step = |context: &ObligationContext<'_>, example| {
            Box::new(FailedObligation {
                proc,
                from,
                to: obligation.at,
                claim: match claim.text {
                    Text::Formula(term) => context.store.readable(term),
                    Text::Words(words) => words.to_owned(),
                },
                example,
                span: span(context.program, proc, obligation),
            })
        };
        match ask(context, obligation, claim.formula, alone) {
            Answer::Unsat => {}
            Answer::Sat => {
                let example = context.example().unwrap_or_default();
                return Err(ProofError::NotInductive(step(context, example)));
            }
            Answer::Unknown(why) => {
                return Err(ProofError::Undecided(step(context, String::new()), why));
            }
        }
    }
    Ok(())
}

/// Whether there is a run that violates a claim.
fn ask(
    context: &mut ObligationContext<'_>,
    obligation: &Obligation,
    claim: TermId,
    limit: u64,
) -> Answer {
    let broken = context.store.not(claim);
    let budget = context.budget.clone().with_effort(limit);
    (context.solver).check(context.store, &[obligation.reach, broken], &budget)
}

fn span(program: &Program, proc: ProcId, obligation: &Obligation) -> Span {
    let procedure = &program.procs[proc];
    match obligation.edge {
        Some(edge) => procedure.edges[edge].span,
        None => procedure.span,
    }
}
