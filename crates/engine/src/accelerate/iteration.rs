//! The weakest precondition for one more iteration to be complete and to follow the closed form, on
//! whichever path it takes.
//!
//! The formula is computed backwards from the loop head: before an edge, its condition and the
//! precondition of what follows must hold. Iterations in which something wraps, or that cannot be
//! expressed exactly, do not count.

use super::closed_form::ClosedForm;
use super::finder::Finder;
use encode::Substitution;
use encode::on_variables::OnVariables;
use logic::TermId;
use program::ir::{EdgeId, LocationId, VarId};
use program::pass::loops::{LoopId, LoopNest};
use rustc_hash::FxHashMap;
use smt::Answer;
use std::collections::BTreeSet;

/// Loops of more locations are not looked at.
const LOCATIONS: usize = 400;

/// The walk from the head back to the head.
struct Walk<'w, 'p> {
    finder: &'w mut Finder<'p>,
    nest: &'w LoopNest,
    id: LoopId,
    /// What is to hold at the end of the iteration.
    home: TermId,
    /// Variables that may wrap: nothing is asked of them here, the checker sees to them.
    wrapping: &'w BTreeSet<VarId>,
    done: FxHashMap<LocationId, TermId>,
    /// The locations on the current path.
    open: BTreeSet<LocationId>,
    /// The lemmas used for the loops inside.
    inner: Vec<usize>,
}

impl<'p> Finder<'p> {
    /// The formula, over the values at the start and the number of iterations made, and the lemmas
    /// about loops inside that it rests on.
    pub(super) fn complete(
        &mut self,
        nest: &LoopNest,
        id: LoopId,
        form: &ClosedForm,
    ) -> Option<(TermId, Vec<usize>)> {
        let row = &nest.loops[id];
        if row.body.len() > LOCATIONS {
            return None;
        }
        let home = self.home(nest, id, form);
        let mut walk = Walk {
            finder: self,
            nest,
            id,
            home,
            wrapping: &form.wrapping,
            done: FxHashMap::default(),
            open: BTreeSet::from([row.head]),
            inner: Vec::new(),
        };
        let iteration = walk.edges(row.head)?;
        let mut inner = walk.inner;
        inner.sort_unstable();
        if self.speaks_of(iteration, &form.forgotten) {
            return None;
        }
        let mut map = self.renaming(&form.before);
        for (var, &symbol) in self.at_start.iter_enumerated() {
            let own = self.known.store.of_symbol(self.state.symbol(var));
            map.insert(symbol, own);
        }
        let iteration = self.known.store.substitute(iteration, &map);
        Some((self.known.store.simplify(iteration), inner))
    }

    /// Whether a formula mentions one of some variables.
    fn speaks_of(&self, formula: TermId, vars: &BTreeSet<VarId>) -> bool {
        let symbols = self.known.store.symbols_of(&[formula]);
        vars.iter()
            .any(|&var| symbols.contains(&self.state.symbol(var)))
    }

    /// That every variable which the loop writes has the value of the closed form.
    fn home(&mut self, nest: &LoopNest, id: LoopId, form: &ClosedForm) -> TermId {
        let procedure = &self.program.procs[self.program.entry];
        let edges = nest.loops[id].body.iter();
        let edges = edges.flat_map(|&at| &procedure.locations[at].out);
        let written: BTreeSet<VarId> = edges
            .filter_map(|&edge| procedure.edges[edge].op.written())
            .filter(|var| !form.forgotten.contains(var) && !form.wrapping.contains(var))
            .collect();
        let at_start: Substitution = (self.at_start.iter_enumerated())
            .map(|(var, &symbol)| (self.state.symbol(var), self.known.store.of_symbol(symbol)))
            .collect();
        let mut all = Vec::new();
        for var in written {
            let symbol = self.state.symbol(var);
            let own = self.known.store.of_symbol(symbol);
            let expected = match form.after.get(&var) {
                Some(&after) => self.known.store.substitute(after, &at_start),
                None => at_start[&symbol],
            };
            all.push(self.known.store.eq(own, expected));
        }
        self.known.store.and(&all)
    }
}

impl Walk<'_, '_> {
    /// What must hold at a location, of the values there. `None` if that is too much.
    fn from(&mut self, at: LocationId) -> Option<TermId> {
        if at == self.nest.loops[self.id].head {
            return Some(self.home);
        }
        if let Some(&done) = self.done.get(&at) {
            return Some(done);
        }
        if !self.nest.contains(self.id, at) || !self.open.insert(at) {
            return Some(self.finder.known.store.bool(false));
        }
        let by_hand = self.edges(at)?;
        let formula = self.leap(at, by_hand);
        self.open.remove(&at);
        self.done.insert(at, formula);
        (!self.finder.is_large(formula)).then_some(formula)
    }

    fn edges(&mut self, at: LocationId) -> Option<TermId> {
        let program = self.finder.program;
        let edges = &program.procs[program.entry].locations[at].out;
        let ways = edges.iter().map(|&edge| self.edge(edge));
        let ways: Vec<TermId> = ways.collect::<Option<_>>()?;
        Some(self.finder.known.store.or(&ways))
    }

    fn edge(&mut self, id: EdgeId) -> Option<TermId> {
        let program = self.finder.program;
        let edge = &program.procs[program.entry].edges[id];
        let behind = self.from(edge.target)?;
        let never = self.finder.known.store.bool(false);
        if behind == never {
            return Some(never);
        }
        let Some(op) = OnVariables::of(&edge.op) else {
            return Some(never);
        };
        Some(match op {
            OnVariables::Skip => behind,
            OnVariables::Assume(condition) => match self.finder.encode(condition) {
                Some((truth, defined)) => self.finder.known.store.and(&[truth, defined, behind]),
                None => never,
            },
            OnVariables::Assign(var, _) if self.wrapping.contains(&var) => {
                let is_read = self.finder.speaks_of(behind, &BTreeSet::from([var]));
                if is_read { never } else { behind }
            }
            OnVariables::Assign(var, value) => match self.finder.encode(value) {
                Some((value, defined)) => {
                    let symbol = self.finder.state.symbol(var);
                    let map = FxHashMap::from_iter([(symbol, value)]);
                    let store = &mut self.finder.known.store;
                    let behind = store.substitute(behind, &map);
                    store.and(&[defined, behind])
                }
                None => never,
            },
            OnVariables::Havoc(var, _) => {
                if self.finder.speaks_of(behind, &BTreeSet::from([var])) {
                    self.finder.whatever(var, behind)?
                } else {
                    behind
                }
            }
        })
    }

    /// At the head of a loop inside: by the first usable lemma after which the iteration can be
    /// complete, else by hand.
    fn leap(&mut self, at: LocationId, by_hand: TermId) -> TermId {
        let lemmas = self.finder.known.lemmas.iter().enumerate();
        let here: Vec<usize> = lemmas
            .filter(|(_, lemma)| lemma.head == at)
            .map(|(place, _)| place)
            .collect();
        let mut formula = by_hand;
        for place in here.into_iter().rev() {
            let lemma = self.finder.known.lemmas[place].clone();
            if self.finder.speaks_of(by_hand, &lemma.forgotten) {
                continue;
            }
            let after = self.finder.after_lemma(place);
            let map = self.finder.renaming(&after);
            let store = &mut self.finder.known.store;
            let some = store.at_least(lemma.iterations, 1i64);
            let usable = store.and(&[lemma.condition, some]);
            let behind = store.substitute(by_hand, &map);
            let complete = store.and(&[usable, behind]);
            let budget = self.finder.describing();
            let store = &mut self.finder.known.store;
            if self.finder.solver.check(store, &[complete], &budget) != Answer::Unsat {
                formula = store.ite(usable, behind, formula);
                self.inner.push(place);
            }
        }
        formula
    }
}
