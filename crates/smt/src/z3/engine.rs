//! One of Z3's solvers: scopes, assertions, checks under markers.
//!
//! We use the "simple" solver: it is several times cheaper to create than the one that chooses
//! among tactics, and with scopes both do the same.
//!
//! A check is first made inline with a small limit on its effort, which suffices for almost all.
//! Harder ones continue in [`effort`](super::effort), where they can be stopped.

use super::context::{Ast, Context, Counted, Error, text};
use super::effort::{Lent, guarded};
use super::read::Z3Model;
use crate::Answer;
use base::Budget;
use std::ffi::CStr;
use std::rc::Rc;
use z3_sys::*;

/// The effort on the spot, in Z3's units: some tens of milliseconds.
const SMALL_EFFORT: u32 = 10_000;
const NO_LIMIT: u32 = 0;
/// Z3 counts for a unit of effort, in bit-vectors: what it counts there is small.
const COUNTS_OF_A_UNIT: u64 = 8;

/// How Z3 goes about a question. Where it is lost one way it may not be another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SolverConfig {
    pub(crate) arithmetic: Arithmetic,
    /// What its random choices start from.
    pub(crate) seed: u32,
}

impl SolverConfig {
    /// What it does by itself.
    pub(crate) const USUAL: SolverConfig = SolverConfig {
        arithmetic: Arithmetic::Usual,
        seed: 0,
    };
}

/// Which of Z3's procedures for arithmetic to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arithmetic {
    /// What it takes by itself.
    Usual,
    /// The one it had before.
    Older,
}

/// A solver of Z3's.
pub(crate) struct Engine {
    solver: Counted<Z3_solver>,
    counts_of_a_unit: u64,
}

impl Engine {
    /// A solver without assertions.
    pub(crate) fn new(context: &Rc<Context>, config: SolverConfig) -> Result<Engine, Error> {
        // SAFETY: the context is alive.
        let solver = Counted::new(context, unsafe { Z3_mk_simple_solver(context.raw()) })?;
        let engine = Engine {
            solver,
            counts_of_a_unit: 1,
        };
        match config.arithmetic {
            Arithmetic::Usual => {}
            Arithmetic::Older => engine.set(c"arith.solver", 2)?,
        }
        if config.seed != 0 {
            engine.set(c"random_seed", config.seed)?;
        }
        engine.limit_effort(SMALL_EFFORT)?;
        Ok(engine)
    }

    /// A solver without assertions that charges a unit for so many of Z3's counts.
    pub(super) fn with_unit(context: &Rc<Context>, counts: u64) -> Result<Engine, Error> {
        let mut engine = Engine::new(context, SolverConfig::USUAL)?;
        engine.counts_of_a_unit = counts;
        Ok(engine)
    }

    /// A solver of bit-vectors without assertions.
    pub(crate) fn for_bits(context: &Rc<Context>, has_floats: bool) -> Result<Engine, Error> {
        let raw = context.raw();
        let logic = if has_floats { c"QF_FPBV" } else { c"QF_BV" };
        // SAFETY: the context is alive, and the symbol lives in it.
        let solver = unsafe {
            let logic = context.made(Z3_mk_string_symbol(raw, logic.as_ptr()))?;
            Counted::new(context, Z3_mk_solver_for_logic(raw, logic))?
        };
        Ok(Engine {
            solver,
            counts_of_a_unit: COUNTS_OF_A_UNIT,
        })
    }

    /// Where it lives.
    pub(crate) fn context(&self) -> &Rc<Context> {
        self.solver.context()
    }

    fn limit_effort(&self, limit: u32) -> Result<(), Error> {
        self.set(c"rlimit", limit)
    }

    fn set(&self, name: &CStr, value: u32) -> Result<(), Error> {
        let context = self.context();
        let raw = context.raw();
        // SAFETY: the context is alive; name and parameters live in it.
        unsafe {
            let params = Counted::new(context, Z3_mk_params(raw))?;
            let name = context.made(Z3_mk_string_symbol(raw, name.as_ptr()))?;
            Z3_params_set_uint(raw, params.raw(), name, value);
            Z3_solver_set_params(raw, self.solver.raw(), params.raw());
        }
        context.done()
    }

    /// Opens a scope.
    pub(crate) fn push(&self) -> Result<(), Error> {
        // SAFETY: solver and context are alive, here and below.
        unsafe { Z3_solver_push(self.context().raw(), self.solver.raw()) };
        self.context().done()
    }

    /// Closes scopes.
    pub(crate) fn pop(&self, count: usize) -> Result<(), Error> {
        // SAFETY: see `push`.
        unsafe { Z3_solver_pop(self.context().raw(), self.solver.raw(), count as u32) };
        self.context().done()
    }

    /// Asserts a formula.
    pub(crate) fn assert(&self, formula: &Ast) -> Result<(), Error> {
        // SAFETY: see `push`; the solver keeps the formula itself.
        unsafe { Z3_solver_assert(self.context().raw(), self.solver.raw(), formula.raw()) };
        self.context().done()
    }

    /// Whether the assertions have a model in which the literals hold.
    pub(crate) fn check(&self, literals: &[Ast], budget: &Budget) -> Result<Answer, Error> {
        let raw: Vec<Z3_ast> = literals.iter().map(Ast::raw).collect();
        // SAFETY: see `push`; the caller holds the literals.
        let answer = unsafe { check(self.context().raw(), self.solver.raw(), &raw) };
        let verdict = self.answer(answer)?;
        self.charge(budget)?;
        match verdict {
            Answer::Sat | Answer::Unsat => Ok(verdict),
            Answer::Unknown(why) if is_limit(&why) => self.check_long(raw, budget),
            Answer::Unknown(_) => Ok(verdict),
        }
    }

    /// The same with as much effort as the budget gives.
    fn check_long(&self, literals: Vec<Z3_ast>, budget: &Budget) -> Result<Answer, Error> {
        if let Err(exhausted) = budget.check() {
            return Ok(Answer::Unknown(exhausted.describe().into()));
        }
        let left = budget.effort_left();
        self.limit_effort(left.map_or(NO_LIMIT, |left| left.try_into().unwrap_or(u32::MAX)))?;
        let answer = match self.guarded_check(literals, budget) {
            Ok(answer) => answer,
            Err(why) => return Ok(Answer::Unknown(why)),
        };
        let verdict = self.answer(answer)?;
        self.charge(budget)?;
        self.limit_effort(SMALL_EFFORT)?;
        Ok(match (verdict, budget.check()) {
            // Z3 says "canceled" to both.
            (Answer::Unknown(_), Err(exhausted)) => Answer::Unknown(exhausted.describe().into()),
            (verdict, _) => verdict,
        })
    }

    /// The same with so much effort, in Z3's units, and no more than the budget gives.
    pub(crate) fn check_within(
        &self,
        literals: &[Ast],
        effort: u32,
        budget: &Budget,
    ) -> Result<Answer, Error> {
        if let Err(exhausted) = budget.check() {
            return Ok(Answer::Unknown(exhausted.describe().into()));
        }
        let left = budget.effort_left().unwrap_or(u64::MAX);
        let left = left.saturating_mul(self.counts_of_a_unit);
        self.limit_effort(effort.min(left.try_into().unwrap_or(u32::MAX)))?;
        let literals: Vec<Z3_ast> = literals.iter().map(Ast::raw).collect();
        match self.guarded_check(literals, budget) {
            Ok(answer) => {
                let verdict = self.answer(answer)?;
                self.charge(budget)?;
                Ok(verdict)
            }
            Err(why) => Ok(Answer::Unknown(why)),
        }
    }

    /// A check that can be stopped, on a thread of its own.
    fn guarded_check(&self, literals: Vec<Z3_ast>, budget: &Budget) -> Result<Z3_lbool, String> {
        let (context, solver) = (self.context().raw(), self.solver.raw());
        let lent = Lent::new((context, solver, literals));
        let call = move || {
            let (context, solver, literals) = lent.take();
            // SAFETY: the caller waits, or gives the context up with all that lives in it.
            unsafe { check(context, solver, &literals) }
        };
        // SAFETY: this call is made for another thread than the one that checks.
        let interrupt = || unsafe { Z3_solver_interrupt(context, solver) };
        guarded(self.context(), budget, interrupt, call)
    }

    /// Charges for what Z3 has done in this context since the last time, in its own units.
    pub(super) fn charge(&self, budget: &Budget) -> Result<(), Error> {
        let context = self.context();
        let raw = context.raw();
        // SAFETY: see `push`; the statistics are held while they are read.
        unsafe {
            let statistics = Z3_solver_get_statistics(raw, self.solver.raw());
            let statistics = Counted::new(context, statistics)?;
            let count =
                count_of(&statistics, c"rlimit count").ok_or("Z3 does not say what it did")?;
            budget.spend(context.counted(count) / self.counts_of_a_unit);
            Ok(())
        }
    }

    fn answer(&self, answer: Z3_lbool) -> Result<Answer, Error> {
        Ok(match answer {
            Z3_L_TRUE => Answer::Sat,
            Z3_L_FALSE => Answer::Unsat,
            _ => {
                if let Some(error) = self.context().error() {
                    return Ok(Answer::Unknown(error));
                }
                // SAFETY: see `push`.
                Answer::Unknown(text(unsafe {
                    Z3_solver_get_reason_unknown(self.context().raw(), self.solver.raw())
                }))
            }
        })
    }

    /// After unsat: which of the literals of the check were needed, as positions.
    pub(crate) fn core(&self, literals: &[Ast]) -> Result<Vec<usize>, Error> {
        let context = self.context();
        let raw = context.raw();
        // SAFETY: the vector is held while it is read, and its members with it.
        unsafe {
            let core = Z3_solver_get_unsat_core(raw, self.solver.raw());
            let core = Counted::new(context, core)?;
            let size = Z3_ast_vector_size(raw, core.raw());
            let mut places = Vec::with_capacity(size as usize);
            for index in 0..size {
                let member = context.made(Z3_ast_vector_get(raw, core.raw(), index))?;
                let place = literals.iter().position(|literal| literal.raw() == member);
                places.push(place.ok_or("a core with a stranger in it")?);
            }
            places.sort_unstable();
            places.dedup();
            Ok(places)
        }
    }

    /// After sat: the model.
    pub(crate) fn model(&self) -> Result<Z3Model, Error> {
        // SAFETY: see `push`.
        let model = unsafe { Z3_solver_get_model(self.context().raw(), self.solver.raw()) };
        Ok(Z3Model::new(Counted::new(self.context(), model)?))
    }
}

/// # Safety
/// All of it lives in the context and no other thread uses it.
unsafe fn check(context: Z3_context, solver: Z3_solver, literals: &[Z3_ast]) -> Z3_lbool {
    // SAFETY: as the caller says.
    unsafe {
        Z3_solver_check_assumptions(context, solver, literals.len() as u32, literals.as_ptr())
    }
}

/// Whether more effort may help.
fn is_limit(reason: &str) -> bool {
    reason.contains("resource") || reason.contains("cancel")
}

/// One of Z3's counts, if it is there.
pub(super) fn count_of(statistics: &Counted<Z3_stats>, name: &CStr) -> Option<u32> {
    let (raw, statistics) = (statistics.context().raw(), statistics.raw());
    // SAFETY: the statistics are held; their keys live as long as they do.
    unsafe {
        let is_named =
            |index: &u32| CStr::from_ptr(Z3_stats_get_key(raw, statistics, *index)) == name;
        let index = (0..Z3_stats_size(raw, statistics)).find(is_named)?;
        Some(Z3_stats_get_uint_value(raw, statistics, index))
    }
}
