//! From the effect of one iteration to that of many: counters and resets.
//!
//! A counter changes by the same number in every iteration, up to wrapping. A reset has a value
//! that depends only on counters, on other resets and on loop constants. A variable that is neither
//! is dropped, if it is not read.

use super::effect::Effect;
use super::finder::Finder;
use certify::replay::interpret::Interpreter;
use logic::{Integer, Node, Sort, TermId};
use program::expr::Type;
use program::ir::VarId;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What is so after some iterations, over the values at the start and the number of iterations.
#[derive(Default)]
pub(super) struct ClosedForm {
    /// After that number.
    pub(super) before: Effect,
    /// After one more.
    pub(super) after: Effect,
    /// Counters of an unsigned type that may wrap on the way.
    pub(super) wrapping: BTreeSet<VarId>,
    /// The variables of which nothing is said.
    pub(super) forgotten: BTreeSet<VarId>,
    /// What was taken from the state at hand: values of variables that stay.
    pub(super) given: Vec<TermId>,
}

impl<'p> Finder<'p> {
    /// The closed form of an effect; `None` if a variable that matters is neither a counter nor a
    /// reset. Some counters are to wrap.
    pub(super) fn closed_form(
        &mut self,
        mut effect: Effect,
        wrapping: &BTreeSet<VarId>,
        at: &Interpreter<'p>,
    ) -> Option<ClosedForm> {
        effect.retain(|&var, term| *term != self.known.store.of_symbol(self.state.symbol(var)));
        let mut form = ClosedForm {
            wrapping: wrapping.clone(),
            ..ClosedForm::default()
        };
        for (&var, &term) in &effect {
            if let Some(step) = self.step(var, term, &effect, &mut form, at) {
                self.count(var, &step, &mut form);
            }
        }
        let open = |finder: &Self, form: &ClosedForm| {
            let mut open = effect
                .iter()
                .filter(|(var, _)| !form.before.contains_key(var));
            let next = open.find(|&(_, &term)| finder.is_solved(term, &effect, form));
            next.map(|(&var, &term)| (var, term))
        };
        while let Some((var, term)) = open(self, &form) {
            self.reset(var, term, &mut form);
        }
        let unsolved = effect.keys().filter(|var| !form.before.contains_key(var));
        form.forgotten = unsolved.copied().collect();
        let live = self.liveness.live_at(self.program.entry, at.at());
        let is_dead = form.forgotten.iter().all(|&var| !live.contains(var));
        is_dead.then_some(form)
    }

    /// By how much a variable changes every iteration, if that is always the same.
    fn step(
        &mut self,
        var: VarId,
        term: TermId,
        effect: &Effect,
        form: &mut ClosedForm,
        at: &Interpreter<'p>,
    ) -> Option<Integer> {
        if self.known.store.sort(term) != Sort::Int {
            return None;
        }
        let own = self.known.store.of_symbol(self.state.symbol(var));
        let (exact, wraps) = match self.known.store.node(term) {
            Node::Mod(exact, by) if Some(by) == self.modulus(var).as_ref() => (*exact, true),
            _ => (term, false),
        };
        let change = self.known.store.sub(exact, own);
        let symbols = self.known.store.symbols_of(&[change]);
        let stays = |symbol| {
            let var = self.state.var(symbol);
            var.is_some_and(|var| !effect.contains_key(&var))
        };
        if !symbols.iter().all(|&symbol| stays(symbol)) {
            return None;
        }
        let step = self.number(change, at)?;
        if !symbols.is_empty() {
            form.given
                .push(self.known.store.equals(change, step.clone()));
        }
        if wraps {
            form.wrapping.insert(var);
        }
        Some(step)
    }

    fn count(&mut self, var: VarId, step: &Integer, form: &mut ClosedForm) {
        let modulus = self.modulus(var).filter(|_| form.wrapping.contains(&var));
        let store = &mut self.known.store;
        let own = store.of_symbol(self.state.symbol(var));
        let iteration = store.of_symbol(self.known.iteration);
        let parts = [(own, Integer::ONE), (iteration, step.clone())];
        let mut before = store.linear(&Integer::ZERO, &parts);
        let mut after = store.linear(step, &parts);
        if let Some(modulus) = modulus {
            before = store.modulo(before, &modulus);
            after = store.modulo(after, &modulus);
        }
        form.before.insert(var, before);
        form.after.insert(var, after);
    }

    /// What an unsigned variable wraps by.
    fn modulus(&self, var: VarId) -> Option<Integer> {
        match self.program.vars[var].ty {
            Type::Int(ty) if !ty.signed => Some(Integer::power_of_two(u32::from(ty.bits))),
            _ => None,
        }
    }

    /// The counters of an unsigned type that leave it after a number of iterations.
    pub(super) fn leaving(
        &self,
        form: &ClosedForm,
        iterations: &Integer,
        at: &Interpreter<'p>,
    ) -> BTreeSet<VarId> {
        let leaves = |(&var, &after): (&VarId, &TermId)| {
            let modulus = self.modulus(var)?;
            let value = self.value(after, at, Some(iterations))?;
            let value = value.as_int()?;
            (value.signum() < 0 || *value >= modulus).then_some(var)
        };
        form.after.iter().filter_map(leaves).collect()
    }

    /// Whether a term mentions what stays or has its closed form only.
    fn is_solved(&self, term: TermId, effect: &Effect, form: &ClosedForm) -> bool {
        let symbols = self.known.store.symbols_of(&[term]);
        symbols.into_iter().all(|symbol| {
            let var = self.state.var(symbol);
            var.is_some_and(|var| !effect.contains_key(&var) || form.before.contains_key(&var))
        })
    }

    fn reset(&mut self, var: VarId, term: TermId, form: &mut ClosedForm) {
        let map = self.renaming(&form.before);
        let store = &mut self.known.store;
        let after = store.substitute(term, &map);
        let iteration = store.of_symbol(self.known.iteration);
        let (one, zero) = (store.int(1i64), store.int(0i64));
        let last = store.sub(iteration, one);
        let again = store.substitute(after, &FxHashMap::from_iter([(self.known.iteration, last)]));
        let own = store.of_symbol(self.state.symbol(var));
        let none = store.eq(iteration, zero);
        form.before.insert(var, store.ite(none, own, again));
        form.after.insert(var, after);
    }
}
