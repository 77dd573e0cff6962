//! What is known along the paths from one label: the solver's facts, bounds, and values that stand
//! for operations without a linear meaning.
//!
//! # Invariants
//! - Every defined run along the paths gives values to all symbols such that all facts hold: a fact
//!   is about a state's types, about an opaque operation's exact result, or is guarded by the
//!   literal of the edge that it belongs to.

use super::bounds::{Bounds, Interval, of_type};
use super::imported_proof::{Slot, Symbols};
use base::Budget;
use logic::{IntType, Integer, Sort, TermId, TermStore};
use program::expr::{Constant, Type};
use program::ir::{Program, VarId};
use rustc_hash::FxHashMap;
use smt::{Answer, Solver};
use std::collections::{BTreeMap, BTreeSet};

/// How precisely non-linear operations are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effort {
    /// Bounds tell whether something wraps; opaque operations have few facts.
    Little,
    /// The solver decides whether something wraps; opaque operations have more facts, and more
    /// cases are distinguished.
    Great,
}

/// The effort of the solver for one wrap.
const ASKING: u64 = 200_000;

/// The values that differ from those at the start of the paths.
pub(super) type Values = BTreeMap<Slot, TermId>;

/// The paths from one label.
pub(super) struct ObligationContext<'s> {
    pub(super) program: &'s Program,
    pub(super) store: &'s mut TermStore,
    pub(super) solver: &'s mut Solver,
    pub(super) budget: &'s Budget,
    pub(super) effort: Effort,
    pub(super) bounds: Bounds,
    /// Whether signed integers of 128 bits may have any value.
    all_integers: bool,
    /// The terms of the values at the start.
    symbols: &'s Symbols,
    touched: BTreeSet<VarId>,
    /// The opaque operations by their operands.
    pub(super) known: FxHashMap<(Opaque, TermId, TermId), TermId>,
    /// Whether there are any.
    pub(super) is_opaque: bool,
}

/// Operations that are not linear.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Opaque {
    Product,
    Quotient,
    Remainder,
    And,
}

impl<'s> ObligationContext<'s> {
    pub(super) fn new(
        program: &'s Program,
        store: &'s mut TermStore,
        symbols: &'s Symbols,
        solver: &'s mut Solver,
        effort: Effort,
        budget: &'s Budget,
    ) -> Self {
        ObligationContext {
            program,
            store,
            solver,
            budget,
            effort,
            bounds: Bounds::default(),
            all_integers: false,
            symbols,
            touched: BTreeSet::new(),
            known: FxHashMap::default(),
            is_opaque: false,
        }
    }

    /// This context, with signed integers of 128 bits that may have any value. What holds then
    /// holds of all defined runs, and of the runs that `program::pass::unbounded` is about; but a
    /// run need not be defined.
    pub(super) fn with_all_integers(mut self) -> Self {
        self.all_integers = true;
        self
    }

    /// Whether any integer is a value of a type.
    pub(super) fn holds_all_integers(&self, ty: Type) -> bool {
        self.all_integers && ty == Type::Int(IntType::signed(128))
    }

    /// Asserts a fact.
    pub(super) fn fact(&mut self, fact: TermId) {
        self.solver.assert(self.store, fact);
    }

    /// Asserts some facts.
    pub(super) fn facts(&mut self, facts: impl IntoIterator<Item = TermId>) {
        facts.into_iter().for_each(|fact| self.fact(fact));
    }

    /// Asserts a fact guarded by a literal.
    pub(super) fn fact_if(&mut self, literal: TermId, fact: TermId) {
        let fact = self.store.implies(literal, fact);
        self.fact(fact);
    }

    /// The value of a slot.
    pub(super) fn read(&mut self, values: &Values, slot: Slot) -> TermId {
        if let Some(&value) = values.get(&slot) {
            return value;
        }
        let term = self.symbols.terms[&slot];
        if let Slot::Var(var) = slot
            && self.touched.insert(var)
        {
            let ty = self.program.vars[var].ty;
            self.constrain(term, ty);
        }
        term
    }

    /// A term over slots, in a state.
    pub(super) fn in_state(&mut self, values: &Values, term: TermId) -> TermId {
        self.with(term, &mut |context, slot| context.read(values, slot))
    }

    /// A term over slots with values for them.
    pub(super) fn with(
        &mut self,
        term: TermId,
        value: &mut dyn FnMut(&mut Self, Slot) -> TermId,
    ) -> TermId {
        let mut map = FxHashMap::default();
        for symbol in self.store.symbols_of(&[term]) {
            let slot = self.symbols.slots[&symbol];
            let value = value(self, slot);
            map.insert(symbol, value);
        }
        self.store.substitute(term, &map)
    }

    /// The slots that a term is about.
    pub(super) fn slots_of(&self, term: TermId) -> impl Iterator<Item = Slot> {
        let symbols = self.store.symbols_of(&[term]).into_iter();
        symbols.map(|symbol| self.symbols.slots[&symbol])
    }

    /// A constant, if it has an exact term.
    pub(super) fn constant(&mut self, constant: Constant) -> Option<TermId> {
        match constant {
            Constant::Bool(value) => Some(self.store.bool(value)),
            Constant::Int(value) => Some(self.store.int(value)),
            Constant::Null => Some(self.store.int(0i64)),
            Constant::Float(..) => None,
        }
    }

    /// Any value of a type.
    pub(super) fn any(&mut self, name: &str, ty: Type) -> TermId {
        let term = self.store.fresh(name, ty.sort());
        self.constrain(term, ty);
        term
    }

    /// A term is a value of a type.
    pub(super) fn constrain(&mut self, term: TermId, ty: Type) {
        let range = of_type(ty);
        if !self.holds_all_integers(ty)
            && let Some((low, high)) = range.both()
        {
            let fact = self.between(low, term, high);
            self.fact(fact);
            self.bounds.note(term, range);
        }
    }

    /// An integer about which only facts are known.
    pub(super) fn opaque(&mut self, name: &str, range: Interval) -> TermId {
        self.is_opaque = true;
        let term = self.store.fresh(name, Sort::Int);
        if let Some(low) = &range.low {
            let fact = self.store.at_least(term, low.clone());
            self.fact(fact);
        }
        if let Some(high) = &range.high {
            let fact = self.store.at_most(term, high.clone());
            self.fact(fact);
        }
        self.bounds.note(term, range);
        term
    }

    /// Records what the conjuncts of a formula that holds say about single symbols.
    pub(super) fn note_bounds(&mut self, formula: TermId) {
        for conjunct in self.store.conjuncts(formula) {
            self.bounds.note_conjunct(self.store, conjunct);
        }
    }

    pub(super) fn bounds_of(&mut self, term: TermId) -> Interval {
        self.bounds.of(self.store, term)
    }

    /// `low <= term <= high`.
    pub(super) fn between(&mut self, low: &Integer, term: TermId, high: &Integer) -> TermId {
        let (low, high) = (self.store.int(low.clone()), self.store.int(high.clone()));
        let (above, below) = (self.store.le(low, term), self.store.le(term, high));
        self.store.and(&[above, below])
    }

    /// After a check with a model: the values at the start of the paths, of some variables.
    pub(super) fn example(&self) -> Option<String> {
        /// A counterexample with more values than this is hard to read.
        const MOST: usize = 12;
        let model = self.solver.model()?;
        let values = self.touched.iter().take(MOST).map(|&var| {
            let value = model.evaluate(self.store, self.symbols.terms[&Slot::Var(var)]);
            format!("{} = {}", self.program.vars[var].name, value.smtlib())
        });
        Some(values.collect::<Vec<_>>().join(", "))
    }

    /// Whether the solver shows that a formula follows from others.
    pub(super) fn is_implied(&mut self, by: &[TermId], claim: TermId) -> bool {
        let budget = self.budget.clone().with_effort(ASKING);
        let negated = self.store.not(claim);
        let assumptions: Vec<TermId> = by.iter().copied().chain([negated]).collect();
        match self.solver.check(self.store, &assumptions, &budget) {
            Answer::Unsat => true,
            Answer::Sat | Answer::Unknown(_) => false,
        }
    }
}
