//! The order of the check, and the questions to the solver.

use super::given::Given;
use super::graph::{Calls, Cuts};
use super::scene::{Effort, Scene, Values};
use super::states::State;
use super::walk::{Obligation, Text, Walk};
use crate::{ProofError, Step};
use base::{Budget, Span};
use logic::TermId;
use program::ir::{LocationId, ProcId, Program};
use smt::{Answer, Solver};
use std::time::Duration;

/// How long all claims of an obligation together may take, and one alone, at each effort.
const TOGETHER: Duration = Duration::from_secs(2);
const ALONE: Duration = Duration::from_secs(1);
const ALONE_AT_LAST: Duration = Duration::from_secs(20);

/// A proof being checked.
pub(super) struct Checker<'c> {
    program: &'c Program,
    given: Given,
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
        given: Given,
        calls: &'c Calls,
        budget: &'c Budget,
    ) -> Self {
        Checker {
            program,
            given,
            calls,
            solver: Solver::new(),
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

    /// Checks the paths that start or end at one location.
    pub(super) fn check_at(&mut self, proc: ProcId, at: LocationId) -> Result<(), ProofError> {
        // Calls come to an entry.
        if at == self.program.procs[proc].entry {
            return self.check();
        }
        if !self.calls.reachable.contains(&proc) {
            return Ok(());
        }
        let cuts = self.cuts(proc);
        for source in cuts.sources() {
            if source == at || cuts.next(source).contains(&at) {
                self.paths(proc, Start::Label(&cuts, source))?;
            }
        }
        Ok(())
    }

    fn cuts(&self, proc: ProcId) -> Cuts<'c> {
        let labels = &self.given.labels;
        let is_labelled = |location| labels.contains_key(&(proc, location));
        Cuts::new(&self.program.procs[proc], &is_labelled)
    }

    /// Checks everything that is to be shown of the paths from one start.
    fn paths(&mut self, proc: ProcId, start: Start<'_>) -> Result<(), ProofError> {
        match self.paths_with(proc, start, Effort::Little) {
            (Err(ProofError::Undecided(..)), _) | (Err(ProofError::NotInductive(_)), true) => {
                self.paths_with(proc, start, Effort::Great).0
            }
            (result, _) => result,
        }
    }

    /// The result, and whether there were operations of which not all is known.
    fn paths_with(
        &mut self,
        proc: ProcId,
        start: Start<'_>,
        effort: Effort,
    ) -> (Result<(), ProofError>, bool) {
        let mark = self.given.store.mark();
        self.solver.push();
        let scene = &mut Scene::new(
            self.program,
            &mut self.given.store,
            &self.given.symbols,
            &mut self.solver,
            effort,
            self.budget,
        )
        .with_all_integers();
        let mut walk = Walk {
            scene,
            ghosts: &self.given.ghosts,
            labels: &self.given.labels,
            calls: self.calls,
            proc,
            obligations: Vec::new(),
        };
        let from = walk.start(start);
        let obligations = std::mem::take(&mut walk.obligations);
        let result = (obligations.iter())
            .try_for_each(|obligation| decide(walk.scene, proc, from, obligation));
        let is_opaque = walk.scene.is_opaque;
        self.solver.pop();
        self.given.store.release(mark);
        (result, is_opaque)
    }
}

impl Walk<'_, '_> {
    /// Goes along all paths from a start, and says where that is.
    fn start(&mut self, start: Start<'_>) -> LocationId {
        let entry = self.scene.program.procs[self.proc].entry;
        match start {
            Start::Program => {
                let state = self.initial(true);
                self.arrive(entry, None, &state);
                entry
            }
            Start::Label(cuts, source) => {
                let state = if source == entry && !cuts.is_entry_entered {
                    // Whoever is here has just begun.
                    let is_main = self.proc == self.scene.program.entry;
                    self.initial(is_main && !self.calls.called.contains(&self.proc))
                } else {
                    let reach = self.scene.store.bool(true);
                    let values = Values::new();
                    State { reach, values }
                };
                if let Some(&label) = self.labels.get(&(self.proc, source)) {
                    self.assert_label(label, &state);
                }
                self.region(cuts, source, state);
                source
            }
        }
    }

    fn assert_label(&mut self, label: TermId, state: &State) {
        let label = self.scene.in_state(&state.values, label);
        for conjunct in self.scene.store.conjuncts(label) {
            self.scene.bounds.note_conjunct(self.scene.store, conjunct);
        }
        self.scene.fact(label);
    }
}

/// Asks for all claims together, then for each alone.
pub(super) fn decide(
    scene: &mut Scene<'_>,
    proc: ProcId,
    from: LocationId,
    obligation: &Obligation,
) -> Result<(), ProofError> {
    let formulas: Vec<TermId> = obligation
        .claims
        .iter()
        .map(|claim| claim.formula)
        .collect();
    let all = scene.store.and(&formulas);
    let together = ask(scene, obligation, all, TOGETHER);
    if together == Answer::Unsat {
        return Ok(());
    }
    let alone = match scene.effort {
        Effort::Little => ALONE,
        Effort::Great => ALONE_AT_LAST,
    };
    for claim in &obligation.claims {
        let step = |scene: &Scene<'_>, example| {
            Box::new(Step {
                proc,
                from,
                to: obligation.at,
                claim: match claim.text {
                    Text::Formula(term) => scene.store.readable(term),
                    Text::Words(words) => words.to_owned(),
                },
                example,
                span: span(scene.program, proc, obligation),
            })
        };
        match ask(scene, obligation, claim.formula, alone) {
            Answer::Unsat => {}
            Answer::Sat => {
                let example = scene.example().unwrap_or_default();
                return Err(ProofError::NotInductive(step(scene, example)));
            }
            Answer::Unknown(why) => {
                return Err(ProofError::Undecided(step(scene, String::new()), why));
            }
        }
    }
    Ok(())
}

/// Whether there is a run that breaks a claim.
fn ask(scene: &mut Scene<'_>, obligation: &Obligation, claim: TermId, limit: Duration) -> Answer {
    let broken = scene.store.not(claim);
    let budget = scene.budget.clone().with_timeout(limit);
    (scene.solver).check(scene.store, &[obligation.reach, broken], &budget)
}

fn span(program: &Program, proc: ProcId, obligation: &Obligation) -> Span {
    let procedure = &program.procs[proc];
    match obligation.edge {
        Some(edge) => procedure.edges[edge].span,
        None => procedure.span,
    }
}
