//! Transition formulas: relations between a state and the next.
//!
//! A formula is a map from the variables it writes to terms over the state before, and a guard.
//! Symbols that represent no variable are existentially quantified.
//!
//! # Paper
//! The representation and its two operations are those of the prototype of [fang2025software];
//! sequential composition substitutes, choice introduces a fresh symbol for every variable whose
//! terms differ.

use super::encoder::Encoder;
use super::on_variables::OnVariables;
use base::IdVec;
use logic::{IntType, SymbolId, TermId, TermStore};
use program::expr::Type;
use program::ir::*;
use program::pass::VarSet;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The symbols of a program's variables in the state before a step.
#[derive(Clone, Debug)]
pub struct State {
    symbols: IdVec<VarId, SymbolId>,
    vars: FxHashMap<SymbolId, VarId>,
}

impl State {
    /// Makes a symbol for every variable.
    pub fn new(program: &Program, store: &mut TermStore) -> Self {
        let names = program::text::Names::new(program);
        let symbols: IdVec<VarId, SymbolId> = (program.vars.iter_enumerated())
            .map(|(id, var)| store.new_symbol(&names.vars[id], var.ty.sort()))
            .collect();
        let vars = symbols
            .iter_enumerated()
            .map(|(var, symbol)| (*symbol, var));
        State {
            vars: vars.collect(),
            symbols,
        }
    }

    /// The symbol of a variable.
    pub fn symbol(&self, var: VarId) -> SymbolId {
        self.symbols[var]
    }

    /// The variable of a symbol.
    pub fn var(&self, symbol: SymbolId) -> Option<VarId> {
        self.vars.get(&symbol).copied()
    }

    /// What holds for some variables in every state: unsigned ones are in the range of their type.
    pub fn in_range(
        &self,
        program: &Program,
        store: &mut TermStore,
        vars: impl Iterator<Item = VarId>,
    ) -> TermId {
        let mut all = Vec::new();
        for var in vars {
            if let Type::Int(ty) = program.vars[var].ty
                && !ty.signed
            {
                let term = store.of_symbol(self.symbol(var));
                all.extend(in_type(store, term, ty));
            }
        }
        store.and(&all)
    }

    /// Values of variables, as terms for their symbols.
    pub fn substitution<'t>(
        &self,
        values: impl IntoIterator<Item = (&'t VarId, &'t TermId)>,
    ) -> Substitution {
        let values = values.into_iter();
        values
            .map(|(&var, &term)| (self.symbol(var), term))
            .collect()
    }
}

/// That a number is in the range of a type.
pub fn in_type(store: &mut TermStore, term: TermId, ty: IntType) -> [TermId; 2] {
    let (low, high) = (store.int(ty.min()), store.int(ty.max()));
    [store.le(low, term), store.le(term, high)]
}

/// Terms for symbols.
pub type Substitution = FxHashMap<SymbolId, TermId>;

/// A relation between a state and the next.
#[derive(Clone, PartialEq, Debug)]
pub struct TransitionFormula {
    /// The new values of the variables it writes; all others stay.
    pub map: BTreeMap<VarId, TermId>,
    /// Its guard.
    pub guard: TermId,
    /// Whether it is exact; otherwise it over-approximates. Signed overflow aside.
    pub exact: bool,
}

impl TransitionFormula {
    /// The identity.
    pub fn identity(store: &mut TermStore) -> Self {
        TransitionFormula::guarded(store.bool(true))
    }

    /// The identity, where a guard holds.
    pub fn guarded(guard: TermId) -> Self {
        TransitionFormula {
            map: BTreeMap::new(),
            guard,
            exact: true,
        }
    }

    /// What an op does; `None` for one that touches memory, calls, leaves the procedure or is not
    /// modelled.
    pub fn of_op(program: &Program, store: &mut TermStore, state: &State, op: &Op) -> Option<Self> {
        if is_opaque(op) {
            return None;
        }
        let encoder = Encoder::new(program, store, state);
        let (step, _) = Self::of_variables(program, encoder, op)?;
        Some(step)
    }

    /// An over-approximation of an op, by an encoder for the state before it: values read from
    /// memory are arbitrary, effects on memory are dropped, and what ends the run leads nowhere.
    /// Also the condition that nothing wraps, if the encoder leaves wrapping out. `None` for the
    /// call of a procedure and for unmodelled constructs.
    pub fn over_op(program: &Program, mut encoder: Encoder<'_>, op: &Op) -> Option<(Self, TermId)> {
        let mut guard = true;
        let mut map = BTreeMap::new();
        match op {
            Op::Assign(Place::Mem(ty, address), value) => {
                encoder.access(*ty, address);
                encoder.pass(value);
            }
            Op::Havoc(Place::Mem(ty, address), _) => encoder.access(*ty, address),
            Op::Return(value) => value.iter().for_each(|value| encoder.pass(value)),
            Op::Enter(_) | Op::Leave(_) => {}
            Op::Halt(_) => guard = false,
            Op::Call(call) => match &call.callee {
                Callee::Proc(_) | Callee::Pointer(_) => return None,
                Callee::Library(_) => {
                    call.args.iter().for_each(|arg| encoder.pass(arg));
                    if let Some(var) = call.result {
                        let row = &program.vars[var];
                        map.insert(var, encoder.any_value(&row.name, row.ty));
                    }
                }
            },
            Op::Unsupported(_) => return None,
            Op::Skip | Op::Assume(_) | Op::Assign(..) | Op::Havoc(..) => {
                return Self::of_variables(program, encoder, op);
            }
        }
        let ranges = encoder.ranges();
        let guard = encoder.store.bool(guard);
        let (constraints, _, store) = encoder.finish_in();
        let over = Self {
            map,
            guard: store.and(&[guard, constraints]),
            exact: matches!(op, Op::Halt(_) | Op::Return(_)),
        };
        Some((over, ranges))
    }

    /// The effect of an op on variables, and the condition that nothing wraps.
    fn of_variables(
        program: &Program,
        mut encoder: Encoder<'_>,
        op: &Op,
    ) -> Option<(Self, TermId)> {
        let mut condition = None;
        let mut written = None;
        match OnVariables::of(op)? {
            OnVariables::Assign(var, value) => written = Some((var, encoder.expr(value))),
            OnVariables::Havoc(var, _) => {
                let row = &program.vars[var];
                written = Some((var, encoder.any_value(&row.name, row.ty)));
            }
            OnVariables::Assume(assumed) => condition = Some(encoder.expr(assumed)),
            OnVariables::Skip => {}
        }
        let ranges = encoder.ranges();
        let (constraints, exact, store) = encoder.finish_in();
        let guard = match condition {
            Some(condition) => store.and(&[condition, constraints]),
            None => constraints,
        };
        let step = TransitionFormula {
            map: written.into_iter().collect(),
            guard,
            exact,
        };
        Some((step, ranges))
    }

    /// Where an op with this formula wraps, if the formula is valid only where nothing does:
    /// `ranges` says where that is. None if nothing can wrap.
    pub fn escape(
        &self,
        store: &mut TermStore,
        op: &Op,
        is_defined: bool,
        ranges: TermId,
    ) -> Option<Self> {
        if store.as_bool(ranges) == Some(true) {
            return None;
        }
        // What is computed from what does not wrap says nothing here: a condition, and whether the
        // op is defined.
        let wraps = store.not(ranges);
        Some(TransitionFormula::guarded(match op {
            Op::Assume(_) => wraps,
            _ if is_defined => wraps,
            _ => store.and(&[wraps, self.guard]),
        }))
    }

    /// Sequential composition: first this, then the next. The two share no quantified symbols; see
    /// [`renamed`](Self::renamed).
    pub fn then(&self, store: &mut TermStore, state: &State, next: &Self) -> Self {
        let next = next.substituted(store, &state.substitution(&self.map));
        let mut map = self.map.clone();
        map.extend(next.map);
        TransitionFormula {
            map,
            guard: store.and(&[self.guard, next.guard]),
            exact: self.exact && next.exact,
        }
    }

    /// Choice: this or the other. Variables not in `live` are unconstrained afterwards.
    pub fn or(
        &self,
        program: &Program,
        store: &mut TermStore,
        state: &State,
        other: &Self,
        live: &VarSet,
    ) -> Self {
        let mut map = BTreeMap::new();
        // Common conjuncts of the guards, above all those before the branch, are kept once.
        let (mut left, mut right) = (store.conjuncts(self.guard), store.conjuncts(other.guard));
        let (all_left, all_right) = (
            BTreeSet::from_iter(left.clone()),
            BTreeSet::from_iter(right.clone()),
        );
        let common: Vec<TermId> = all_left.intersection(&all_right).copied().collect();
        left.retain(|part| !all_right.contains(part));
        right.retain(|part| !all_left.contains(part));
        for &var in self.map.keys().chain(other.map.keys()) {
            if map.contains_key(&var) {
                continue;
            }
            let (a, b) = (
                self.value(store, state, var),
                other.value(store, state, var),
            );
            if a == b {
                map.insert(var, a);
                continue;
            }
            let row = &program.vars[var];
            let joined = store.fresh(&row.name, row.ty.sort());
            if live.contains(var) {
                left.push(store.eq(joined, a));
                right.push(store.eq(joined, b));
            }
            map.insert(var, joined);
        }
        let (left, right) = (store.and(&left), store.and(&right));
        let either = store.or(&[left, right]);
        let guard = store.and(&[&common[..], &[either]].concat());
        TransitionFormula {
            map,
            guard,
            exact: self.exact && other.exact,
        }
    }

    /// Forgets the variables that are not live.
    pub fn forget_dead(&mut self, program: &Program, store: &mut TermStore, live: &VarSet) {
        for (&var, term) in &mut self.map {
            if !live.contains(var) {
                let row = &program.vars[var];
                *term = store.fresh(&row.name, row.ty.sort());
            }
        }
    }

    /// The value of a variable afterwards.
    pub fn value(&self, store: &mut TermStore, state: &State, var: VarId) -> TermId {
        match self.map.get(&var) {
            Some(term) => *term,
            None => store.of_symbol(state.symbol(var)),
        }
    }

    /// A copy with fresh quantified symbols, for a second use in one path.
    pub fn renamed(&self, store: &mut TermStore, state: &State) -> Self {
        let mut fresh = FxHashMap::default();
        for symbol in store.symbols_of(&self.terms()) {
            if state.var(symbol).is_none() {
                fresh.insert(symbol, store.fresh_like(symbol));
            }
        }
        self.substituted(store, &fresh)
    }

    /// The new values, in the order of their variables, and the guard.
    pub fn terms(&self) -> Vec<TermId> {
        self.map.values().copied().chain([self.guard]).collect()
    }

    /// A copy with terms in place of symbols.
    pub fn substituted(&self, store: &mut TermStore, by: &Substitution) -> Self {
        let mut terms = store.substitute_all(&self.terms(), by);
        let guard = terms.pop().expect("the guard should be the last term");
        TransitionFormula {
            map: self.map.keys().copied().zip(terms).collect(),
            guard,
            exact: self.exact,
        }
    }

    /// As one formula over the state before and the symbols `next` of the state after, for the
    /// variables it writes.
    pub fn formula(&self, store: &mut TermStore, next: &dyn Fn(VarId) -> SymbolId) -> TermId {
        let mut parts = vec![self.guard];
        for (&var, &term) in &self.map {
            let after = store.of_symbol(next(var));
            parts.push(store.eq(after, term));
        }
        store.and(&parts)
    }
}

/// Whether an op has no transition formula.
pub fn is_opaque(op: &Op) -> bool {
    OnVariables::of(op).is_none() || op.exprs().into_iter().any(|expr| expr.reads_memory())
}

/// The size of a formula, for display and budgets: distinct terms.
pub fn size(store: &TermStore, formula: &TransitionFormula) -> usize {
    store.below(&formula.terms()).len()
}
