//! The part of a solver's assertions that Z3 has received, and the checks made there.
//!
//! Assumptions that are not literals are tracked: instead, a marker that implies them is assumed.
//! Markers live in a scope of their own on top of all others, which stays open for the next check
//! as long as nothing else happens.
//!
//! # Invariants
//! - Exactly the first `sent` assertions have been asserted; exactly the first `pushed` scopes have
//!   been opened, not counting the scope of the markers.

use crate::Answer;
use crate::translate::Translator;
use crate::z3::build::{Name, TermOperator, constant, operate};
use crate::z3::context::{Ast, Context, Error};
use crate::z3::engine::{Engine, SolverConfig};
use crate::z3::read::Z3Model;
use base::{Budget, Id};
use logic::{Node, Sort, TermId, TermStore};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How many marks a scope may have before a new one is opened.
const MARKS: usize = 256;
/// How many checks a session lives for: Z3 gathers things that only a new context is free of.
const CHECKS: usize = 20_000;

/// Z3's side of a solver.
pub(crate) struct Session {
    engine: Engine,
    translator: Translator,
    sent: usize,
    pushed: usize,
    marks: Option<Marks>,
    checks: usize,
}

/// The open scope of marks.
#[derive(Default)]
struct Marks {
    of: FxHashMap<TermId, Ast>,
    /// How many were made, for terms that are there no more as well.
    made: usize,
}

impl Session {
    /// Nothing told yet.
    pub(crate) fn new(config: SolverConfig) -> Result<Session, Error> {
        let context = Context::current()?;
        Ok(Session {
            engine: Engine::new(&context, config)?,
            translator: Translator::new(&context),
            sent: 0,
            pushed: 0,
            marks: None,
            checks: 0,
        })
    }

    /// Whether another one should take its place.
    pub(crate) fn is_spent(&self) -> bool {
        self.checks >= CHECKS || self.engine.context().is_lost()
    }

    /// Makes the next session start from a new context.
    pub(crate) fn retire(&self) {
        self.context().retire();
    }

    /// Tells Z3 what it does not know yet. `frames` has the first assertion of each scope.
    pub(crate) fn send(
        &mut self,
        store: &TermStore,
        asserted: &[TermId],
        frames: &[usize],
    ) -> Result<(), Error> {
        let kept = self.translator.refresh(store);
        if let Some(marks) = &mut self.marks {
            marks.of.retain(|term, _| term.index() < kept);
        }
        if self.sent < asserted.len() {
            self.close_marks()?;
        }
        while let Some(&term) = asserted.get(self.sent) {
            while frames
                .get(self.pushed)
                .is_some_and(|&first| first <= self.sent)
            {
                self.engine.push()?;
                self.pushed += 1;
            }
            let formula = self.translator.translate(store, term)?;
            self.engine.assert(&formula)?;
            self.sent += 1;
        }
        Ok(())
    }

    /// Goes back to `frames` scopes with `asserted` assertions.
    pub(crate) fn pop(&mut self, frames: usize, asserted: usize) -> Result<(), Error> {
        if self.pushed > frames {
            self.close_marks()?;
            self.engine.pop(self.pushed - frames)?;
            self.pushed = frames;
        }
        self.sent = self.sent.min(asserted);
        Ok(())
    }

    /// Asks Z3; after unsat also for the assumptions needed, as positions.
    pub(crate) fn check(
        &mut self,
        store: &TermStore,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<(Answer, Vec<usize>), Error> {
        self.checks += 1;
        let literals = self.literals(store, assumptions)?;
        let answer = self.engine.check(&literals, budget)?;
        let core = match answer {
            Answer::Unsat if !literals.is_empty() => self.engine.core(&literals)?,
            Answer::Unsat | Answer::Sat | Answer::Unknown(_) => Vec::new(),
        };
        Ok((answer, core))
    }

    /// After sat.
    pub(crate) fn model(&self) -> Result<Z3Model, Error> {
        self.engine.model()
    }

    /// Where it lives.
    pub(crate) fn context(&self) -> &Rc<Context> {
        self.engine.context()
    }

    /// Literals that stand for the assumptions.
    fn literals(&mut self, store: &TermStore, assumptions: &[TermId]) -> Result<Vec<Ast>, Error> {
        if let Some(marks) = &self.marks {
            let new = assumptions
                .iter()
                .filter(|term| !marks.of.contains_key(term));
            if marks.made > 0 && marks.made + new.count() > MARKS {
                self.close_marks()?;
            }
        }
        let literals = assumptions.iter().map(|&term| self.literal(store, term));
        literals.collect()
    }

    fn literal(&mut self, store: &TermStore, term: TermId) -> Result<Ast, Error> {
        if is_literal(store, term) {
            return self.translator.translate(store, term);
        }
        if self.marks.is_none() {
            self.engine.push()?;
        }
        let marks = self.marks.get_or_insert_default();
        if let Some(mark) = marks.of.get(&term) {
            return Ok(mark.clone());
        }
        let context = self.engine.context();
        let mark = constant(context, Name::Mark(marks.made), Sort::Bool)?;
        let formula = self.translator.translate(store, term)?;
        let tracked = operate(context, TermOperator::Implies, &[&mark, &formula])?;
        self.engine.assert(&tracked)?;
        marks.made += 1;
        marks.of.insert(term, mark.clone());
        Ok(mark)
    }

    fn close_marks(&mut self) -> Result<(), Error> {
        if self.marks.take().is_some() {
            self.engine.pop(1)?;
        }
        Ok(())
    }
}

/// Whether Z3 takes the term for an assumption as it is.
fn is_literal(store: &TermStore, term: TermId) -> bool {
    let is_symbol = |term: TermId| matches!(store.node(term), Node::Symbol(_));
    match store.node(term) {
        Node::Not(inner) => is_symbol(*inner),
        _ => is_symbol(term),
    }
}
