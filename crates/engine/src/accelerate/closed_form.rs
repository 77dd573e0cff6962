//! From the effect of one turn to that of many: counters and resets.
//!
//! A counter changes by the same number every turn. A reset has a value that depends on counters,
//! on other resets and on what stays only. What is neither is forgotten, if nobody reads it.

use super::effect::Effect;
use super::finder::Finder;
use certify::replay::interpret::Interpreter;
use logic::{Integer, Sort, TermId, TermValue};
use program::ir::VarId;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What is so after some turns, over the values at the start and the number of turns.
pub(super) struct ClosedForm {
    /// After that number.
    pub(super) before: Effect,
    /// After one more.
    pub(super) after: Effect,
    /// The variables of which nothing is said.
    pub(super) forgotten: BTreeSet<VarId>,
    /// What was taken from the state at hand: values of variables that stay.
    pub(super) given: Vec<TermId>,
}

impl<'p> Finder<'p> {
    /// The closed form of an effect; `None` if a variable that matters is neither a counter nor a
    /// reset.
    pub(super) fn closed_form(
        &mut self,
        mut effect: Effect,
        at: &Interpreter<'p>,
    ) -> Option<ClosedForm> {
        effect.retain(|&var, term| *term != self.known.store.of_symbol(self.state.symbol(var)));
        let mut form = ClosedForm {
            before: Effect::new(),
            after: Effect::new(),
            forgotten: BTreeSet::new(),
            given: Vec::new(),
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

    /// By how much a variable changes every turn, if that is always the same.
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
        let change = self.known.store.sub(term, own);
        let symbols = self.known.store.symbols_of(&[change]);
        let stays = |symbol| {
            let var = self.state.var(symbol);
            var.is_some_and(|var| !effect.contains_key(&var))
        };
        if !symbols.iter().all(|&symbol| stays(symbol)) {
            return None;
        }
        let TermValue::Int(step) = self.value(change, at, None)? else {
            return None;
        };
        if !symbols.is_empty() {
            let number = self.known.store.int(step.clone());
            form.given.push(self.known.store.eq(change, number));
        }
        Some(step)
    }

    fn count(&mut self, var: VarId, step: &Integer, form: &mut ClosedForm) {
        let store = &mut self.known.store;
        let own = store.of_symbol(self.state.symbol(var));
        let turn = store.of_symbol(self.known.turn);
        let parts = [(own, Integer::ONE), (turn, step.clone())];
        let before = store.linear(&Integer::ZERO, &parts);
        form.before.insert(var, before);
        form.after.insert(var, store.linear(step, &parts));
    }

    /// Whether a term speaks of what stays or has its closed form only.
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
        let turn = store.of_symbol(self.known.turn);
        let (one, zero) = (store.int(1i64), store.int(0i64));
        let last = store.sub(turn, one);
        let again = store.substitute(after, &FxHashMap::from_iter([(self.known.turn, last)]));
        let own = store.of_symbol(self.state.symbol(var));
        let none = store.eq(turn, zero);
        form.before.insert(var, store.ite(none, own, again));
        form.after.insert(var, after);
    }
}
