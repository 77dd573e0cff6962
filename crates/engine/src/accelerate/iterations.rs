//! How many iterations a loop makes, as a term, and where that holds.

use super::finder::Finder;
use certify::replay::interpret::Interpreter;
use encode::transition::in_type;
use interpolate::eliminate;
use logic::{Integer, Node, SymbolId, TermId};
use program::expr::Type;
use program::ir::VarId;
use std::collections::{BTreeMap, BTreeSet};

/// So many terms for the number of iterations are tried.
const TERMS: usize = 3;

impl<'p> Finder<'p> {
    /// Terms for the number of iterations that are complete from a state on. `complete` is the
    /// formula of a complete iteration: its truth changes where one of its atoms does.
    pub(super) fn iterations(&mut self, complete: TermId, at: &Interpreter<'p>) -> Vec<TermId> {
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

    /// After how many iterations the truth of atoms changes.
    fn changes(&mut self, formula: TermId) -> Vec<TermId> {
        let mut changes = Vec::new();
        for part in self.known.store.below(&[formula]) {
            let (sum, is_equality) = match *self.known.store.node(part) {
                Node::AtMostZero(sum) => (sum, false),
                Node::IsZero(sum) => (sum, true),
                _ => continue,
            };
            let Some((rest, factor)) = self.linear_in_iteration(sum) else {
                continue;
            };
            let store = &mut self.known.store;
            let one = store.int(1i64);
            let size = factor.abs();
            // The atom is an equality or inequality of `iteration` and this quotient.
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

    /// A sum as a rest without the number of iterations, and its factor, which is not zero.
    fn linear_in_iteration(&mut self, sum: TermId) -> Option<(TermId, Integer)> {
        let iteration = self.known.store.of_symbol(self.known.iteration);
        let (constant, mut parts) = self.known.store.to_linear(sum);
        let place = parts.iter().position(|(part, _)| *part == iteration)?;
        let (_, factor) = parts.remove(place);
        let rest = self.known.store.linear(&constant, &parts);
        let symbols = self.known.store.symbols_of(&[rest]);
        (!symbols.contains(&self.known.iteration)).then_some((rest, factor))
    }

    /// Where so many iterations are all complete.
    pub(super) fn condition(&mut self, complete: TermId, iterations: TermId) -> Option<TermId> {
        let store = &mut self.known.store;
        let iteration = store.of_symbol(self.known.iteration);
        let among = [
            store.at_least(iteration, 0i64),
            store.lt(iteration, iterations),
        ];
        let among = store.and(&among);
        let condition = self.for_all(self.known.iteration, among, complete)?;
        (!self.is_large(condition)).then_some(condition)
    }

    /// That a formula holds for all values of a variable.
    pub(super) fn whatever(&mut self, var: VarId, formula: TermId) -> Option<TermId> {
        let symbol = self.state.symbol(var);
        let range = self.range(symbol);
        self.for_all(symbol, range, formula)
    }

    /// That a formula holds for all values of a symbol among some; for the values that variables
    /// may have.
    fn for_all(&mut self, symbol: SymbolId, among: TermId, formula: TermId) -> Option<TermId> {
        let fails = self.known.store.not(formula);
        let some_fails = self.known.store.and(&[among, fails]);
        let others = self.known.store.symbols_of(&[some_fails]).into_iter();
        let others = others.filter(|&other| other != symbol);
        let ranges: Vec<TermId> = others.map(|other| self.range(other)).collect();
        let budget = self.describing();
        let store = &mut self.known.store;
        self.solver.push();
        for range in ranges {
            self.solver.assert(store, range);
        }
        let gone = BTreeSet::from([symbol]);
        let found = eliminate(&mut self.solver, store, some_fails, &gone, &budget);
        self.solver.pop();
        let holds = store.not(found.ok()?);
        Some(store.simplify(holds))
    }

    /// That a variable has a value of its type.
    fn range(&mut self, symbol: SymbolId) -> TermId {
        let store = &mut self.known.store;
        let ty = self.state.var(symbol).map(|var| self.program.vars[var].ty);
        let Some(Type::Int(ty)) = ty else {
            return store.bool(true);
        };
        let own = store.of_symbol(symbol);
        let both = in_type(store, own, ty);
        store.and(&both)
    }
}
