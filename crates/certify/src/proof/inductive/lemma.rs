//! Lemmas about loops with more iterations than a machine could execute, and their checker.
//!
//! A lemma says: from every state at the head of a loop in which its condition holds and its number
//! of iterations is at least one, the loop makes that many iterations, whatever inputs it takes,
//! and is then at its head in the state given by the closed form. It is shown by induction over the
//! iterations: the closed form after no iteration is the initial state, and one iteration leads
//! from the closed form after `k` iterations to that after `k + 1`, for every `k` below their
//! number. An iteration is walked with the encoding of the proofs by labels (`iteration`), but what
//! that assumes of a defined run must be shown here, and that no other path is taken.
//!
//! # Invariants
//! - A lemma may use those before it for inner loops, and no others.
//! - No lemma makes the checker panic; a solver's "unknown" proves no lemma.

mod iteration;
mod region;

use self::iteration::{Iteration, Part};
use self::region::Region;
use super::decide::decide;
use super::imported_proof::{Named, Scope, Slot, Symbols, TermImporter, malformed};
use super::obligation_context::{Effort, ObligationContext};
use crate::ProofError;
use base::{Budget, IdVec};
use logic::{Sort, SymbolId, TermId, TermStore};
use program::ir::{LocationId, Program, VarId};
use program::pass::inline::InlineLimit;
use program::pass::loops::LoopNest;
use smt::Solver;
use std::collections::{BTreeMap, BTreeSet};

/// Lemmas about loops of the entry procedure, inner loops first.
#[derive(Clone, Debug)]
pub struct LoopLemmas {
    /// They are about the program with calls inlined up to this limit.
    pub inlined: InlineLimit,
    /// The store of all terms.
    pub store: TermStore,
    /// The symbol of each variable of that program: of sort `Bool` for a `Bool`, else `Int`.
    pub vars: IdVec<VarId, SymbolId>,
    /// The symbol of the number of iterations made, in closed forms.
    pub iteration: SymbolId,
    /// The lemmas; each may use those before it.
    pub lemmas: Vec<LoopLemma>,
}

/// The effect of many iterations of a loop.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopLemma {
    /// The head of the loop.
    pub head: LocationId,
    /// Where it may be used: a formula over the variables at the head.
    pub condition: TermId,
    /// How many iterations it is about, over the variables. Below one, it says nothing.
    pub iterations: TermId,
    /// The values of variables after some iterations, over the variables at the start and the
    /// number of iterations made. The others stay as they are, except for the forgotten ones.
    pub closed_form: BTreeMap<VarId, TermId>,
    /// Variables that may have any value afterwards.
    pub forgotten: BTreeSet<VarId>,
    /// The lemmas used for inner loops, by their indices; of those for one loop, the first whose
    /// condition holds.
    pub inner: Vec<usize>,
}

/// A lemma as the checker sees it.
struct GivenLemma {
    head: LocationId,
    condition: TermId,
    iterations: TermId,
    closed_form: BTreeMap<VarId, TermId>,
    forgotten: BTreeSet<VarId>,
    inner: Vec<usize>,
}

impl LoopLemmas {
    /// Checks all lemmas, each with the help of those before it. `program` has its calls inlined.
    pub fn check(&self, program: &Program, budget: &Budget) -> Result<(), ProofError> {
        self.check_from(0, program, budget)
    }

    /// Checks the lemmas from one on, for a caller that has checked those before it.
    pub fn check_from(
        &self,
        first: usize,
        program: &Program,
        budget: &Budget,
    ) -> Result<(), ProofError> {
        let (store, symbols, given) = self.import(program)?;
        let mut checker = Checker {
            program,
            nest: LoopNest::new(&program.procs[program.entry]),
            store,
            symbols,
            given,
            solver: Solver::of_checker(),
            budget,
        };
        (first..self.lemmas.len()).try_for_each(|place| checker.lemma(place))
    }

    /// Validates the lemmas and imports them into the checker's own store.
    fn import(
        &self,
        program: &Program,
    ) -> Result<(TermStore, Symbols, Vec<GivenLemma>), ProofError> {
        let proc = program.entry;
        let iteration = Named {
            name: "$iteration",
            symbol: self.iteration,
            proc,
            sort: Sort::Int,
        };
        let named = BTreeMap::from([(Slot::Ghost(0), iteration)]);
        let mut importer = TermImporter::new(program, &self.store, &self.vars, named)?;
        let mut given = Vec::new();
        for (place, lemma) in self.lemmas.iter().enumerate() {
            if let Some(later) = lemma.inner.iter().find(|&&inner| inner >= place) {
                return malformed(format!("lemma {place} uses lemma {later}"));
            }
            let mut written = lemma.closed_form.keys().chain(&lemma.forgotten);
            if let Some(var) = written.find(|&&var| program.vars.get(var).is_none()) {
                return malformed(format!("{var} is no variable"));
            }
            let mut closed_form = BTreeMap::new();
            for (&var, &term) in &lemma.closed_form {
                let sort = program.vars[var].ty.sort();
                closed_form.insert(var, importer.import(term, sort, proc, Scope::Ghosts)?);
            }
            given.push(GivenLemma {
                head: lemma.head,
                condition: importer.import(lemma.condition, Sort::Bool, proc, Scope::Variables)?,
                iterations: importer.import(lemma.iterations, Sort::Int, proc, Scope::Variables)?,
                closed_form,
                forgotten: lemma.forgotten.clone(),
                inner: lemma.inner.clone(),
            });
        }
        let (store, symbols) = importer.finish();
        Ok((store, symbols, given))
    }
}

/// Lemmas being checked.
struct Checker<'c> {
    program: &'c Program,
    nest: LoopNest,
    store: TermStore,
    symbols: Symbols,
    given: Vec<GivenLemma>,
    solver: Solver,
    budget: &'c Budget,
}

impl Checker<'_> {
    fn lemma(&mut self, place: usize) -> Result<(), ProofError> {
        let procedure = &self.program.procs[self.program.entry];
        let head = self.given[place].head;
        let known = procedure.locations.get(head).is_some();
        let Some(id) = known.then(|| self.nest.head_of(head)).flatten() else {
            return malformed(format!("{head} is not the head of a loop"));
        };
        let region = Region::new(procedure, head, &|at| self.nest.contains(id, at));
        for part in [Part::Base, Part::Step] {
            match self.part(place, part, &region, Effort::Little) {
                (Err(ProofError::Undecided(..)), _) | (Err(ProofError::NotInductive(_)), true) => {
                    self.part(place, part, &region, Effort::Great).0?;
                }
                (result, _) => result?,
            }
        }
        Ok(())
    }

    /// The result, and whether there were opaque operations.
    fn part(
        &mut self,
        place: usize,
        part: Part,
        region: &Region<'_>,
        effort: Effort,
    ) -> (Result<(), ProofError>, bool) {
        let mark = self.store.mark();
        self.solver.push();
        let context = &mut ObligationContext::new(
            self.program,
            &mut self.store,
            &self.symbols,
            &mut self.solver,
            effort,
            self.budget,
        );
        let obligations = Iteration::new(context, &self.given, place).obligations(part, region);
        let (proc, head) = (self.program.entry, self.given[place].head);
        let result =
            (obligations.iter()).try_for_each(|obligation| decide(context, proc, head, obligation));
        let is_opaque = context.is_opaque;
        self.solver.pop();
        self.store.release(mark);
        (result, is_opaque)
    }
}
