//! How many turns a loop makes, as a term, and where that is right.

use super::finder::Finder;
use certify::replay::interpret::Interpreter;
use logic::{Integer, Node, TermId};
use program::expr::Type;
use smt::eliminate;
use std::collections::{BTreeMap, BTreeSet};

/// So many terms for the number of turns are tried.
const TERMS: usize = 3;

impl<'p> Finder<'p> {
    /// Terms for the number of turns that are complete from a state on. `complete` is the formula
    /// of a complete turn: its truth changes where one of its atoms does.
    pub(super) fn turns(&mut self, complete: TermId, at: &Interpreter<'p>) -> Vec<TermId> {
        let zero = Integer::ZERO;
        if self.truth(complete, at, Some(&zero)) != Some(true) {
            return Vec::new();
        }
        let mut changes: BTreeMap<Integer, BTreeSet<TermId>> = BTreeMap::new();
        for term in self.changes(complete) {
            if let Some(value) = self.number(term, at)
                && value.signum() > 0
            {
                changes.entry(value).or_default().insert(term);
            }
        }
        let incomplete = |value: &Integer| self.truth(complete, at, Some(value)) == Some(false);
        let Some((_, terms)) = changes.into_iter().find(|(value, _)| incomplete(value)) else {
            return Vec::new();
        };
        let mut terms: Vec<TermId> = terms.into_iter().collect();
        terms.sort_by_key(|&term| self.known.store.below(&[term]).len());
        terms.truncate(TERMS);
        terms
    }

    /// After how many turns the truth of atoms changes.
    fn changes(&mut self, formula: TermId) -> Vec<TermId> {
        let mut changes = Vec::new();
        for part in self.known.store.below(&[formula]) {
            let (sum, is_equality) = match *self.known.store.node(part) {
                Node::AtMostZero(sum) => (sum, false),
                Node::IsZero(sum) => (sum, true),
                _ => continue,
            };
            let Some((rest, factor)) = self.linear_in_turn(sum) else {
                continue;
            };
            let store = &mut self.known.store;
            let one = store.int(1i64);
            let size = factor.abs();
            // The atom is an equality or inequality of `turn` and this quotient.
            let rest = if factor.signum() > 0 {
                store.neg(rest)
            } else {
                rest
            };
            let down = store.div(rest, &size);
            let next = store.add(down, one);
            match (is_equality, factor.signum() > 0) {
                (true, _) => changes.extend([down, next]),
                (false, true) => changes.push(next),
                (false, false) => {
                    let mirrored = store.neg(rest);
                    let up = store.div(mirrored, &size);
                    changes.push(store.neg(up));
                }
            }
        }
        changes
    }

    /// A sum as a rest without the number of turns, and its factor, which is not zero.
    fn linear_in_turn(&mut self, sum: TermId) -> Option<(TermId, Integer)> {
        let turn = self.known.store.of_symbol(self.known.turn);
        let (constant, mut parts) = self.known.store.to_linear(sum);
        let place = parts.iter().position(|(part, _)| *part == turn)?;
        let (_, factor) = parts.remove(place);
        let rest = self.known.store.linear(&constant, &parts);
        let symbols = self.known.store.symbols_of(&[rest]);
        (!symbols.contains(&self.known.turn)).then_some((rest, factor))
    }

    /// Where so many turns are all complete.
    pub(super) fn condition(&mut self, complete: TermId, turns: TermId) -> Option<TermId> {
        let store = &mut self.known.store;
        let turn = store.of_symbol(self.known.turn);
        let zero = store.int(0i64);
        let incomplete = store.not(complete);
        let among = [store.le(zero, turn), store.lt(turn, turns), incomplete];
        let some_incomplete = store.and(&among);
        let ranges = self.ranges(some_incomplete);
        let budget = self.describing();
        let store = &mut self.known.store;
        self.solver.push();
        self.solver.assert(store, ranges);
        let gone = BTreeSet::from([self.known.turn]);
        let found = eliminate(&mut self.solver, store, some_incomplete, &gone, &budget);
        self.solver.pop();
        let condition = store.not(found.ok()?);
        let condition = store.simplify(condition);
        (!self.is_large(condition)).then_some(condition)
    }

    /// That variables have values of their types.
    fn ranges(&mut self, formula: TermId) -> TermId {
        let mut all = Vec::new();
        for symbol in self.known.store.symbols_of(&[formula]) {
            if let Some(var) = self.state.var(symbol)
                && let Type::Int(ty) = self.program.vars[var].ty
            {
                let store = &mut self.known.store;
                let own = store.of_symbol(symbol);
                let (low, high) = (store.int(ty.min()), store.int(ty.max()));
                all.extend([store.le(low, own), store.le(own, high)]);
            }
        }
        self.known.store.and(&all)
    }
}
