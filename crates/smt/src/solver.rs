//! The incremental solver over our terms.
//!
//! Assertions are recorded lazily; Z3 receives them when it is queried. Before that, the answer may
//! be known locally: a constant, or a cached model that fits. Models are read only when a caller
//! wants them, since that takes Z3 as long as another check.
//!
//! A solver is for the terms of one store. A term that it holds must not be released before it is
//! popped.
//!
//! # Invariants
//! - `frames` is sorted and none of it is beyond the assertions.
//! - A core is a subset of the assumptions of the last check.

use crate::model_cache::ModelCache;
use crate::session::Session;
use crate::z3::context::{Context, Error, PANIC, caught};
use crate::z3::engine::{Arithmetic, SolverConfig};
use crate::{Model, QueryLog};
use base::Budget;
use logic::{TermId, TermStore};
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

/// The most effort of a check before another configuration is tried.
const FIRST: u64 = 250_000;

/// The other configurations, in order, and the effort of each. The cost of a query varies by orders
/// of magnitude with arbitrary choices and with earlier queries; few queries are hard for all
/// configurations.
const OTHERS: [(SolverConfig, u64); 6] = [
    (other(Arithmetic::Older, 0), 250_000),
    (other(Arithmetic::Usual, 1), 250_000),
    (other(Arithmetic::Older, 2), 1_000_000),
    (other(Arithmetic::Usual, 3), 1_000_000),
    (other(Arithmetic::Older, 4), 4_000_000),
    (other(Arithmetic::Usual, 5), 4_000_000),
];

const fn other(arithmetic: Arithmetic, seed: u32) -> SolverConfig {
    SolverConfig { arithmetic, seed }
}

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// The solver answers unknown, and why.
    Unknown(String),
}

/// An incremental solver.
#[derive(Default)]
pub struct Solver {
    asserted: Vec<TermId>,
    /// The first assertion of each open scope.
    frames: Vec<usize>,
    session: Option<Session>,
    cache: ModelCache,
    is_forgetful: bool,
    /// Whether Z3's last answer was sat and its model can still be read.
    is_readable: bool,
    /// How many assertions the last check had.
    checked: usize,
    model: OnceCell<Rc<Model>>,
    core: Vec<TermId>,
    log: Option<Arc<QueryLog>>,
}

/// Lets solvers that this thread makes from now on share nothing with those before: what Z3 finds
/// depends on what else is in its context.
pub fn start_afresh() {
    Context::retire_current();
}

impl Solver {
    /// A solver without assertions. Its queries are logged if [`QueryLog::install`] says so.
    pub fn new() -> Solver {
        Solver {
            log: QueryLog::installed(),
            ..Solver::default()
        }
    }

    /// A solver that checks what others claim: its queries are also logged if
    /// [`QueryLog::install_for_checkers`] says so.
    pub fn of_checker() -> Solver {
        Solver {
            log: QueryLog::of_checkers(),
            ..Solver::default()
        }
    }

    /// This solver, with its queries logged there.
    pub fn with_log(mut self, log: Arc<QueryLog>) -> Solver {
        self.log = Some(log);
        self
    }

    /// This solver, asking Z3 every time: models of earlier checks are not tried.
    pub fn without_cache(mut self) -> Solver {
        self.is_forgetful = true;
        self
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.frames.push(self.asserted.len());
    }

    /// Closes the last scope and drops what was asserted in it.
    pub fn pop(&mut self) {
        self.keep_model();
        let asserted = self.frames.pop().expect("a scope should be open");
        self.asserted.truncate(asserted);
        self.cache.pop(asserted);
        let frames = self.frames.len();
        if let Some(session) = &mut self.session
            && session.pop(frames, asserted).is_err()
        {
            self.session = None;
        }
    }

    /// A model in which some formulas hold too, if there is one; or why the solver answers unknown.
    pub fn model_of(
        &mut self,
        store: &TermStore,
        formulas: &[TermId],
        budget: &Budget,
    ) -> Result<Option<Model>, String> {
        self.push();
        for &formula in formulas {
            self.assert(store, formula);
        }
        let answer = self.check(store, &[], budget);
        let model = self.model().cloned();
        self.pop();
        match answer {
            Answer::Unsat => Ok(None),
            Answer::Sat => model.map(Some).ok_or("a model cannot be read".to_owned()),
            Answer::Unknown(why) => Err(why),
        }
    }

    /// How many scopes are open.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Asserts a formula in the last scope.
    pub fn assert(&mut self, store: &TermStore, formula: TermId) {
        if store.as_bool(formula) != Some(true) {
            self.asserted.push(formula);
        }
    }

    /// The assertions.
    pub fn asserted(&self) -> &[TermId] {
        &self.asserted
    }

    /// Whether the assertions have a model in which the assumptions hold as well.
    pub fn check(&mut self, store: &TermStore, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.keep_model();
        self.model = OnceCell::new();
        self.core.clear();
        let answer = match self.answer_locally(store, assumptions) {
            Some(answer) => answer,
            None => self.ask(store, assumptions, budget),
        };
        if let Some(log) = &self.log {
            log.check(store, &self.asserted, assumptions, &answer, &self.core);
        }
        answer
    }

    /// After [`Answer::Sat`], until a scope is closed: the model. None if it cannot be read.
    pub fn model(&self) -> Option<&Model> {
        if self.model.get().is_none() && self.is_readable {
            let model = self.session.as_ref()?.model().ok()?;
            let model = Model::of_z3(&model).ok()?;
            return Some(self.model.get_or_init(|| Rc::new(model)));
        }
        self.model.get().map(Rc::as_ref)
    }

    /// After [`Answer::Unsat`]: assumptions that are inconsistent with the assertions.
    pub fn core(&self) -> &[TermId] {
        &self.core
    }

    /// The answer if Z3 need not be queried.
    fn answer_locally(&mut self, store: &TermStore, assumptions: &[TermId]) -> Option<Answer> {
        let is_false = |term: &&TermId| store.as_bool(**term) == Some(false);
        if self.asserted.iter().any(|term| is_false(&term)) {
            return Some(Answer::Unsat);
        }
        if let Some(&term) = assumptions.iter().find(is_false) {
            self.core.push(term);
            return Some(Answer::Unsat);
        }
        if self.is_forgetful {
            return None;
        }
        let model = self.cache.find(store, &self.asserted, assumptions)?;
        self.model = OnceCell::from(model);
        Some(Answer::Sat)
    }

    /// Z3's answer.
    fn ask(&mut self, store: &TermStore, assumptions: &[TermId], budget: &Budget) -> Answer {
        if let Err(exhausted) = budget.check() {
            return Answer::Unknown(exhausted.describe().into());
        }
        let asked = caught(PANIC, || self.ask_session(store, assumptions, budget));
        asked.unwrap_or_else(|error| {
            // The state of Z3 is unclear by now: start afresh next time.
            self.session = None;
            Answer::Unknown(error)
        })
    }

    fn ask_session(
        &mut self,
        store: &TermStore,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<Answer, Error> {
        self.checked = self.asserted.len();
        let session = fresh(&mut self.session)?;
        session.send(store, &self.asserted, &self.frames)?;
        let first = slice(budget, FIRST);
        let (mut answer, mut core) = session.check(store, assumptions, &first)?;
        if matches!(answer, Answer::Unknown(_)) && budget.check().is_ok() {
            (answer, core) = self.retry_portfolio(store, assumptions, budget)?;
        }
        match &answer {
            Answer::Sat => {
                self.is_readable = true;
                if !self.is_forgetful && self.cache.pays() {
                    let satisfies = |model: &Model| {
                        let mut all = self.asserted.iter().chain(assumptions);
                        all.all(|&term| model.satisfies(store, term))
                    };
                    let model = self.model();
                    debug_assert!(
                        model.is_none_or(satisfies),
                        "a model should satisfy the query"
                    );
                }
            }
            Answer::Unsat => {
                let needed = core.iter().map(|&place| assumptions[place]);
                self.core.extend(needed);
            }
            Answer::Unknown(_) => {}
        }
        Ok(answer)
    }

    /// Retries with other configurations, the last of them with all the remaining time.
    fn retry_portfolio(
        &mut self,
        store: &TermStore,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<(Answer, Vec<usize>), Error> {
        for (config, most) in OTHERS {
            let answer = self.check_fresh(store, assumptions, config, &slice(budget, most))?;
            let is_unknown = matches!(answer.0, Answer::Unknown(_));
            if !is_unknown || budget.check().is_err() {
                return Ok(answer);
            }
        }
        self.check_fresh(store, assumptions, SolverConfig::USUAL, budget)
    }

    /// The answer of a fresh session that has seen only this query.
    fn check_fresh(
        &mut self,
        store: &TermStore,
        assumptions: &[TermId],
        config: SolverConfig,
        budget: &Budget,
    ) -> Result<(Answer, Vec<usize>), Error> {
        let mut other = Session::new(config)?;
        other.send(store, &self.asserted, &self.frames)?;
        let (answer, core) = other.check(store, assumptions, budget)?;
        match &answer {
            // That session ends here, so the model is read at once.
            Answer::Sat => {
                self.model = OnceCell::from(Rc::new(Model::of_z3(&other.model()?)?));
            }
            // Its call may still be running: no more of these.
            Answer::Unknown(why) if other.is_spent() => return Err(why.clone()),
            Answer::Unsat | Answer::Unknown(_) => {}
        }
        Ok((answer, core))
    }

    /// Caches the model of the last check, if it was read; it can no longer be read.
    fn keep_model(&mut self) {
        if self.is_readable
            && let Some(model) = self.model.get()
        {
            self.cache.add(model.clone(), self.checked);
        }
        self.is_readable = false;
    }
}

/// A quarter of the remaining budget, and no more than `most`.
fn slice(budget: &Budget, most: u64) -> Budget {
    budget.share(25).with_effort(most)
}

/// The session, or a new one if there is none or it is spent.
fn fresh(session: &mut Option<Session>) -> Result<&mut Session, Error> {
    if let Some(spent) = session.take_if(|session| session.is_spent()) {
        spent.retire();
    }
    match session {
        Some(session) => Ok(session),
        None => Ok(session.insert(Session::new(SolverConfig::USUAL)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::Sort;

    /// A store, and formulas that say that two numbers add up to 10 and that the first is larger.
    fn sums() -> (TermStore, [TermId; 2]) {
        let mut store = TermStore::new();
        let [x, y] = ["x", "y"].map(|name| store.fresh(name, Sort::Int));
        let (sum, ten) = (store.add(x, y), store.int(10i64));
        let formulas = [store.eq(sum, ten), store.lt(y, x)];
        (store, formulas)
    }

    #[test]
    fn every_configuration_gives_the_same_answers() {
        let (mut store, [sum, larger]) = sums();
        let both = store.and(&[sum, larger]);
        let neither = store.not(both);
        let unlimited = Budget::unlimited();
        let others = OTHERS.map(|(config, _)| config);
        for config in others.into_iter().chain([SolverConfig::USUAL]) {
            for (asserted, expected) in [
                (vec![sum, larger], Answer::Sat),
                (vec![sum, larger, neither], Answer::Unsat),
            ] {
                let mut session = Session::new(config).expect("Z3 should know the configuration");
                session
                    .send(&store, &asserted, &[])
                    .expect("Z3 should listen");
                let checked = session.check(&store, &[], &unlimited);
                assert_eq!(checked, Ok((expected, vec![])), "{config:?}");
            }
        }
    }

    /// Another opinion has a model and a core like the first.
    #[test]
    fn another_opinion_is_as_good() {
        let (mut store, [sum, larger]) = sums();
        let smaller = store.not(larger);
        let unlimited = Budget::unlimited();
        let mut solver = Solver::new();
        solver.assert(&store, sum);
        let asked = solver.retry_portfolio(&store, &[larger], &unlimited);
        assert_eq!(asked, Ok((Answer::Sat, vec![])));
        let model = solver.model.get().expect("the model should be there");
        assert!(model.satisfies(&store, sum) && model.satisfies(&store, larger));
        let asked = solver.retry_portfolio(&store, &[sum, larger, smaller], &unlimited);
        assert_eq!(asked, Ok((Answer::Unsat, vec![1, 2])));
    }
}
