//! From a state at the head of a loop to a lemma about the loop.

use super::closed_form::ClosedForm;
use super::effect::Effect;
use base::{Budget, IdVec};
use certify::replay::interpret::Interpreter;
use certify::{LoopLemma, LoopLemmas};
use encode::encoder::Encoder;
use encode::transition::{State, in_type};
use logic::{Integer, SymbolId, TermId, TermStore, TermValue};
use program::expr::{BinaryOp, Expr, Type, UnaryOp};
use program::ir::{LocationId, Program, VarId};
use program::pass::inline::InlineLimit;
use program::pass::liveness::Liveness;
use program::pass::loops::{LoopId, LoopNest};
use smt::Solver;
use std::collections::BTreeSet;

/// The effort of describing a loop, and of checking a lemma about it.
const DESCRIBING: u64 = 300_000;
const CHECKING: u64 = 1_000_000;
/// So many lemmas are enough.
const LEMMAS: usize = 64;
/// Larger formulas are given up.
const SIZE: usize = 4000;

/// Finds lemmas about the loops of a program's entry procedure.
pub(super) struct Finder<'p> {
    pub(super) program: &'p Program,
    /// The lemmas that hold; also the home of all terms.
    pub(super) known: LoopLemmas,
    pub(super) state: State,
    /// The values at the start of many iterations, where `state` has those of the present.
    pub(super) at_start: IdVec<VarId, SymbolId>,
    pub(super) solver: Solver,
    pub(super) liveness: Liveness,
    /// Of the present run.
    pub(super) budget: Budget,
}

/// What came of the search for a lemma.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LemmaOutcome {
    /// A lemma that is of use here.
    Lemma,
    /// The loop makes no iterations from here on, or none that can be described.
    Nothing,
    /// Something that could not be shown, or not in time.
    Doubt,
}

/// A loop from one state on.
struct Description {
    head: LocationId,
    form: ClosedForm,
    /// When one more iteration is complete.
    complete: TermId,
    /// Terms for the number of iterations that are.
    iterations: Vec<TermId>,
    /// How many that is here.
    count: Integer,
    /// The lemmas about loops inside that it rests on.
    inner: Vec<usize>,
}

impl<'p> Finder<'p> {
    pub(super) fn new(program: &'p Program, inlined: InlineLimit) -> Self {
        let mut store = TermStore::new();
        let state = State::new(program, &mut store);
        let vars = program.vars.ids().map(|var| state.symbol(var)).collect();
        let rows = program.vars.iter();
        let at_start = rows.map(|row| store.new_symbol(&row.name, row.ty.sort()));
        let at_start = at_start.collect();
        let iteration = store.new_symbol("$iteration", logic::Sort::Int);
        Finder {
            program,
            state,
            at_start,
            known: LoopLemmas {
                inlined,
                store,
                vars,
                iteration,
                lemmas: Vec::new(),
            },
            solver: Solver::new(),
            liveness: Liveness::new(program),
            budget: Budget::unlimited(),
        }
    }

    /// Whether there is no room for another lemma.
    pub(super) fn is_full(&self) -> bool {
        self.known.lemmas.len() >= LEMMAS
    }

    /// Looks for a lemma about a loop that is of use in a state at its head, and keeps it.
    pub(super) fn find(
        &mut self,
        nest: &LoopNest,
        id: LoopId,
        at: &Interpreter<'p>,
    ) -> LemmaOutcome {
        if nest.loops[id].irreducible || self.is_full() {
            return LemmaOutcome::Nothing;
        }
        let Some(described) = self.describe(nest, id, at) else {
            return LemmaOutcome::Nothing;
        };
        match self.prove(described, at) {
            Some(()) => LemmaOutcome::Lemma,
            None => LemmaOutcome::Doubt,
        }
    }

    /// What the loop does from here on, if that can be said and is more than nothing. Counters
    /// wrap only where that gives more iterations: it makes all that depends on them hard to say.
    fn describe(
        &mut self,
        nest: &LoopNest,
        id: LoopId,
        at: &Interpreter<'p>,
    ) -> Option<Description> {
        let effect = self.effect(nest, id, at)?;
        let plain = self.describe_with(nest, id, &effect, &BTreeSet::new(), at)?;
        let wrapping = self.leaving(&plain.form, &plain.count, at);
        if !wrapping.is_empty()
            && let Some(longer) = self.describe_with(nest, id, &effect, &wrapping, at)
            && longer.count > plain.count
        {
            return Some(longer);
        }
        Some(plain)
    }

    fn describe_with(
        &mut self,
        nest: &LoopNest,
        id: LoopId,
        effect: &Effect,
        wrapping: &BTreeSet<VarId>,
        at: &Interpreter<'p>,
    ) -> Option<Description> {
        let form = self.closed_form(effect.clone(), wrapping, at)?;
        let (complete, inner) = self.complete(nest, id, &form)?;
        let iterations = self.iterations(complete, at);
        Some(Description {
            head: nest.loops[id].head,
            count: self.number(*iterations.first()?, at)?,
            form,
            complete,
            iterations,
            inner,
        })
    }

    /// Finds out where a description is right, and has the lemma checked.
    fn prove(&mut self, described: Description, at: &Interpreter<'p>) -> Option<()> {
        let Description {
            head,
            form,
            complete,
            iterations,
            inner,
            ..
        } = described;
        for iterations in iterations {
            let Some(condition) = self.condition(complete, iterations) else {
                continue;
            };
            let condition = (form.given.iter())
                .fold(condition, |all, &given| self.known.store.and(&[all, given]));
            if self.truth(condition, at, None) != Some(true) {
                continue;
            }
            let place = self.known.lemmas.len();
            self.known.lemmas.push(LoopLemma {
                head,
                condition,
                iterations,
                closed_form: form.before.clone(),
                forgotten: form.forgotten.clone(),
                inner: inner.clone(),
            });
            let budget = self.budget.clone().with_effort(CHECKING);
            if self.known.check_from(place, self.program, &budget).is_ok() {
                return Some(());
            }
            self.known.lemmas.pop();
        }
        None
    }

    /// The budget for questions about one loop.
    pub(super) fn describing(&self) -> Budget {
        self.budget.clone().with_effort(DESCRIBING)
    }

    /// Whether a formula has grown beyond use.
    pub(super) fn is_large(&self, term: TermId) -> bool {
        self.known.store.below(&[term]).len() > SIZE
    }

    /// The value of an expression, and where it is defined and nothing in it wraps. `None` if it
    /// has no exact term.
    pub(super) fn encode(&mut self, expr: &Expr) -> Option<(TermId, TermId)> {
        let store = &mut self.known.store;
        let mut encoder = Encoder::new(self.program, store, &self.state);
        encoder = encoder.without_wrapping();
        let value = encoder.expr(expr);
        let mut signed = Vec::new();
        expr.visit(&mut |part| match part {
            Expr::Unary(UnaryOp::Neg, Type::Int(ty), _)
            | Expr::Binary(
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl,
                Type::Int(ty),
                ..,
            ) if ty.signed => signed.push((encoder.expr(part), *ty)),
            _ => {}
        });
        let ranges = encoder.ranges();
        let (_, exact) = encoder.finish();
        let mut all = vec![ranges];
        for (term, ty) in signed {
            all.extend(in_type(store, term, ty));
        }
        exact.then(|| (value, store.and(&all)))
    }

    /// The value of a term in a run's state, and after some iterations.
    pub(super) fn value(
        &self,
        term: TermId,
        at: &Interpreter<'p>,
        iterations: Option<&Integer>,
    ) -> Option<TermValue> {
        self.known.store.evaluate(term, &|symbol| {
            if symbol == self.known.iteration {
                return iterations.cloned().map(TermValue::Int);
            }
            at.value(self.state.var(symbol)?)?.term_value()
        })
    }

    /// The truth of a formula there.
    pub(super) fn truth(
        &self,
        formula: TermId,
        at: &Interpreter<'p>,
        iterations: Option<&Integer>,
    ) -> Option<bool> {
        self.value(formula, at, iterations)?.as_bool()
    }

    /// The number that a term is there.
    pub(super) fn number(&self, term: TermId, at: &Interpreter<'p>) -> Option<Integer> {
        self.value(term, at, None)?.as_int().cloned()
    }
}
