//! Greatest and least values of terms.
//!
//! Integers are searched for: ever larger steps while there are models, then halving. Z3's own
//! optimiser takes longer even where it is quick and now and then does not end, so it is asked only
//! about reals, and whether what went very far is unbounded.

use crate::session::Session;
use crate::z3::build::{Step, integer, step};
use crate::z3::context::{Ast, Error};
use crate::z3::engine::Verdict;
use crate::z3::optimise::{Extreme, optimise};
use crate::{Answer, Model, Solver};
use base::Budget;
use logic::{Integer, Sort, TermId, TermStore, TermValue};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A step of this length, as a power of two, looks like there is no end.
const FAR: u32 = 70;

/// How far a term goes.
#[derive(Clone, PartialEq, Debug)]
pub enum Bound {
    /// To this value, as in this model.
    Value(TermValue, Model),
    /// Beyond every value.
    Unbounded,
    /// The assertions have no model.
    Inconsistent,
    /// Nobody knows; why.
    Unknown(String),
}

/// Where the search goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

impl Solver {
    /// The greatest value of a linear term where the assertions hold.
    pub fn greatest(&mut self, store: &TermStore, term: TermId, budget: &Budget) -> Bound {
        self.bound(store, term, Direction::Up, budget)
    }

    /// The least value of a linear term where the assertions hold.
    pub fn least(&mut self, store: &TermStore, term: TermId, budget: &Budget) -> Bound {
        self.bound(store, term, Direction::Down, budget)
    }

    fn bound(
        &mut self,
        store: &TermStore,
        term: TermId,
        direction: Direction,
        budget: &Budget,
    ) -> Bound {
        match self.check(store, &[], budget) {
            Answer::Sat => {}
            Answer::Unsat => return Bound::Inconsistent,
            Answer::Unknown(why) => return Bound::Unknown(why),
        }
        let asked = catch_unwind(AssertUnwindSafe(|| match store.sort(term) {
            Sort::Int => self.search(store, term, direction, budget),
            Sort::Real | Sort::Bool | Sort::Array => {
                self.ask_optimiser(store, term, direction, budget)
            }
        }));
        match asked {
            Ok(Ok(bound)) => bound,
            Ok(Err(error)) => {
                self.forget_session();
                Bound::Unknown(error)
            }
            Err(_) => {
                self.forget_session();
                Bound::Unknown("a panic in the solver".into())
            }
        }
    }

    fn search(
        &mut self,
        store: &TermStore,
        term: TermId,
        direction: Direction,
        budget: &Budget,
    ) -> Result<Bound, Error> {
        let mut model = self.model().cloned().ok_or("the model cannot be read")?;
        let mut best = reached(store, &model, term)?;
        let session = self.session(store)?;
        let objective = session.translated(store, &[term])?.remove(0);
        // The distances from the best value at which there may still be a model.
        let (mut stride, mut room) = (Integer::ONE, None);
        while room != Some(Integer::ZERO) {
            let distance = match &room {
                None => stride.clone(),
                Some(room) => room.div_ceil(&Integer::from(2i64)),
            };
            let target = direction.beyond(&best, &distance);
            let wanted = direction.at_least(session, &objective, &target)?;
            match session.check_with(&wanted, budget)? {
                (Verdict::Sat, better) => {
                    let better = better.ok_or("sat without a model")?;
                    model = Model::of_z3(&better)?;
                    let next = reached(store, &model, term)?;
                    let gain = (&next - &best).abs();
                    room = room.map(|room| &room - &gain);
                    best = next;
                    stride = &stride + &stride;
                }
                (Verdict::Unsat, _) => room = Some(&distance - &Integer::ONE),
                (Verdict::Unknown(why), _) => return Ok(Bound::Unknown(why)),
            }
            if room.is_none() && stride > Integer::power_of_two(FAR) {
                return self.ask_optimiser(store, term, direction, budget);
            }
        }
        Ok(Bound::Value(TermValue::Int(best), model))
    }

    fn ask_optimiser(
        &mut self,
        store: &TermStore,
        term: TermId,
        direction: Direction,
        budget: &Budget,
    ) -> Result<Bound, Error> {
        let asserted = self.asserted().to_vec();
        let session = self.session(store)?;
        let formulas = session.translated(store, &asserted)?;
        let objective = session.translated(store, &[term])?.remove(0);
        let up = direction == Direction::Up;
        Ok(
            match optimise(session.context(), &formulas, &objective, up, budget)? {
                Extreme::Value(value, model) => Bound::Value(value, Model::of_z3(&model)?),
                Extreme::Unbounded => Bound::Unbounded,
                Extreme::Unsat => Bound::Inconsistent,
                Extreme::Unknown(why) => Bound::Unknown(why),
            },
        )
    }
}

impl Direction {
    fn beyond(self, value: &Integer, distance: &Integer) -> Integer {
        match self {
            Direction::Up => value + distance,
            Direction::Down => value - distance,
        }
    }

    /// That the objective goes as far as the target.
    fn at_least(self, session: &Session, objective: &Ast, target: &Integer) -> Result<Ast, Error> {
        let context = session.context();
        let target = integer(context, target)?;
        match self {
            Direction::Up => step(context, Step::AtMost, &[&target, objective]),
            Direction::Down => step(context, Step::AtMost, &[objective, &target]),
        }
    }
}

fn reached(store: &TermStore, model: &Model, term: TermId) -> Result<Integer, Error> {
    match model.evaluate(store, term) {
        TermValue::Int(value) => Ok(value),
        TermValue::Bool(_) | TermValue::Real(_) | TermValue::Array(_) => {
            Err("only numbers have bounds".into())
        }
    }
}
