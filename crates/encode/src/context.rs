//! The shared context of queries about a program: the program, its terms, a solver, the remaining
//! time.

use crate::frames::{Frames, kept_locals};
use crate::transition::{State, Substitution, TransitionFormula};
use base::Budget;
use logic::{SymbolId, TermId, TermStore};
use program::ir::{ProcId, Program, VarId};
use program::pass::liveness::Liveness;
use smt::{Answer, Model, Solver};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The program, its terms, a solver and the time left.
pub struct Context<'p> {
    /// The program, with its calls inlined as far as possible.
    pub program: &'p Program,
    /// The store of all terms.
    pub store: TermStore,
    /// The symbols of the variables before a step.
    pub state: State,
    /// The solver for stand-alone queries.
    pub solver: Solver,
    /// The time left.
    pub budget: Budget,
    /// The values that contracts of its procedures are over.
    pub frames: Frames,
    /// Computed on first use, once for all procedures.
    liveness: OnceCell<Rc<Liveness>>,
}

impl<'p> Context<'p> {
    /// A context for a program.
    pub fn new(program: &'p Program, budget: &Budget) -> Self {
        let mut store = TermStore::new();
        let state = State::new(program, &mut store);
        Context {
            program,
            store,
            state,
            solver: Solver::new(),
            budget: budget.clone(),
            frames: Frames::new(),
            liveness: OnceCell::new(),
        }
    }

    /// A context for a program whose calls may be described by contracts.
    pub fn with_frames(program: &'p Program, frames: &Frames, budget: &Budget) -> Self {
        Context {
            frames: frames.clone(),
            ..Context::new(program, budget)
        }
    }

    /// The live variables at the locations of the program, contracts included.
    pub fn liveness(&self) -> Rc<Liveness> {
        let kept = |proc: ProcId| kept_locals(&self.frames, proc);
        let liveness = || Rc::new(Liveness::keeping(self.program, &kept));
        self.liveness.get_or_init(liveness).clone()
    }

    /// Evaluates a query and drops the terms and symbols that were created for it, so that the
    /// store does not grow with the number of queries. The answer must hold none of them.
    pub fn scratch<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.store.mark();
        let answer = ask(self);
        self.store.release(mark);
        answer
    }

    /// The term of a variable before a step.
    pub fn before(&mut self, var: VarId) -> TermId {
        self.store.of_symbol(self.state.symbol(var))
    }

    /// The formula that some variables are in the ranges of their types.
    pub fn in_range(&mut self, vars: impl IntoIterator<Item = VarId>) -> TermId {
        let vars = vars.into_iter();
        (self.state).in_range(self.program, &mut self.store, vars)
    }

    /// A formula over the state before a step, renamed to the state after it.
    pub fn after(&mut self, step: &TransitionFormula, formula: TermId) -> TermId {
        let map = self.renaming(step);
        self.store.substitute(formula, &map)
    }

    /// The values of the variables after a step, as a substitution.
    pub fn renaming(&self, step: &TransitionFormula) -> Substitution {
        self.state.substitution(&step.map)
    }

    /// A step restricted to states where a formula holds before it.
    pub fn assuming(&mut self, step: &TransitionFormula, formula: TermId) -> TransitionFormula {
        TransitionFormula {
            guard: self.store.and(&[step.guard, formula]),
            ..step.clone()
        }
    }

    /// Sequential composition of two steps; the quantified symbols of the second are renamed.
    pub fn sequence(
        &mut self,
        first: &TransitionFormula,
        next: &TransitionFormula,
    ) -> TransitionFormula {
        let next = next.renamed(&mut self.store, &self.state);
        first.then(&mut self.store, &self.state, &next)
    }

    /// Whether some formulas are jointly satisfiable.
    pub fn check(&mut self, formulas: &[TermId]) -> Answer {
        self.solver.push();
        for &formula in formulas {
            self.solver.assert(&self.store, formula);
        }
        let answer = self.solver.check(&self.store, &[], &self.budget);
        self.solver.pop();
        answer
    }

    /// A model of some formulas, if there is one; or why the solver answers unknown.
    pub fn model(&mut self, formulas: &[TermId]) -> Result<Option<Model>, String> {
        self.solver.model_of(&self.store, formulas, &self.budget)
    }

    /// Whether one formula is known to follow from another.
    pub fn entails(&mut self, premise: TermId, conclusion: TermId) -> bool {
        if self.store.as_bool(conclusion) == Some(true) {
            return true;
        }
        let negation = self.store.not(conclusion);
        self.check(&[premise, negation]) == Answer::Unsat
    }

    /// The variables that some formulas mention.
    pub fn vars_of(&self, formulas: &[TermId]) -> Vec<VarId> {
        let symbols = self.store.symbols_of(formulas).into_iter();
        symbols
            .filter_map(|symbol| self.state.var(symbol))
            .collect()
    }

    /// The symbols of a formula that are not variables.
    pub fn quantified(&self, formula: TermId) -> BTreeSet<SymbolId> {
        let mut symbols = self.store.symbols_of(&[formula]);
        symbols.retain(|&symbol| self.state.var(symbol).is_none());
        symbols
    }

    /// Whether a formula mentions only the variables before a step.
    pub fn is_of_state(&self, formula: TermId) -> bool {
        self.quantified(formula).is_empty()
    }
}
