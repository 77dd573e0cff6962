//! Path formulas: a path as a list of constraints, one for each step, in static single assignment
//! form.
//!
//! A step that writes a variable gives it a new symbol, so the formulas of two parts of a path
//! share exactly the symbols of the variables at the cut between them: formulas over shared
//! symbols, such as interpolants, are formulas over a state.
//!
//! # Invariants
//! - Before the first step a variable's symbol is that of [`State`].
//! - The symbol that the step at some position gives to a variable depends on nothing else, so
//!   paths with a common prefix have equal terms there.
//! - Quantified symbols of a step occur in its part only.
//! - If an unsigned variable is read before it is written, the part that reads it first constrains
//!   it to the range of its type.

use encode::Substitution;
use encode::encoder::Encoder;
use encode::transition::{State, TransitionFormula};
use logic::{Node, SymbolId, TermId, TermStore};
use program::expr::Expr;
use program::ir::{Program, Scope, VarId};
use program::pass::VarSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The step before the first: globals that are in `live` get their initial values.
pub fn initial(
    program: &Program,
    store: &mut TermStore,
    state: &State,
    live: &VarSet,
) -> TransitionFormula {
    let mut step = TransitionFormula::identity(store);
    for (var, row) in program.vars.iter_enumerated() {
        if row.scope == Scope::Global
            && live.contains(var)
            && let Some(value) = row.init
        {
            let mut encoder = Encoder::new(program, store, state);
            let term = encoder.expr(&Expr::Const(value));
            let (constraints, exact) = encoder.finish();
            step.map.insert(var, term);
            step.guard = store.and(&[step.guard, constraints]);
            step.exact &= exact;
        }
    }
    step
}

/// Builds path formulas for one program and keeps their symbols.
pub struct PathEncoder<'e> {
    program: &'e Program,
    state: State,
    /// What the step at a position gives to a variable.
    written: FxHashMap<(VarId, usize), SymbolId>,
    /// What stands for a quantified symbol at a position where it is not a variable's value.
    renamed: FxHashMap<(SymbolId, usize), TermId>,
    /// The variables of the symbols in `written`.
    vars: FxHashMap<SymbolId, VarId>,
}

/// The formula of a path, which can be extended and truncated at its end.
#[derive(Clone, Debug, Default)]
pub struct PathFormula {
    parts: Vec<TermId>,
    /// What stands for the quantified symbols of each step. Steps that share a symbol may differ
    /// in this: in one it is the value of a variable, in another it is not.
    quantified: Vec<Substitution>,
    /// The writes of each variable: after which step, and its symbol from there on.
    versions: BTreeMap<VarId, Vec<(usize, SymbolId)>>,
    /// The variables whose range has been asserted, and by which part.
    ranged: BTreeMap<VarId, usize>,
}

impl<'e> PathEncoder<'e> {
    /// An encoder of paths whose steps are over the symbols of a state.
    pub fn new(program: &'e Program, state: &State) -> Self {
        PathEncoder {
            program,
            state: state.clone(),
            written: FxHashMap::default(),
            renamed: FxHashMap::default(),
            vars: FxHashMap::default(),
        }
    }

    /// The formula of a path.
    pub fn path<'t>(
        &mut self,
        store: &mut TermStore,
        steps: impl IntoIterator<Item = &'t TransitionFormula>,
    ) -> PathFormula {
        let mut path = PathFormula::default();
        for step in steps {
            self.push(store, &mut path, step);
        }
        path
    }

    /// Adds a step to a path.
    pub fn push(
        &mut self,
        store: &mut TermStore,
        path: &mut PathFormula,
        step: &TransitionFormula,
    ) {
        let position = path.parts.len();
        let symbols = store.symbols_of(&step.terms());
        let mut new = FxHashMap::default();
        let mut read = Vec::new();
        for &symbol in &symbols {
            if let Some(var) = self.state.var(symbol) {
                new.insert(symbol, store.of_symbol(self.symbol_at(path, position, var)));
                read.push(var);
            }
        }
        let mut conjuncts = self.ranges(store, path, &read);
        let mut quantified = FxHashMap::default();
        let mut writes = Vec::new();
        for (&var, &term) in &step.map {
            let after = self.written(store, var, position);
            // A value that is just any becomes the variable itself.
            let own = match store.node(term) {
                Node::Symbol(symbol) if self.state.var(*symbol).is_none() => Some(*symbol),
                _ => None,
            };
            match own.filter(|symbol| !quantified.contains_key(symbol)) {
                Some(symbol) => {
                    quantified.insert(symbol, store.of_symbol(after));
                }
                None => writes.push((after, term)),
            }
            path.versions
                .entry(var)
                .or_default()
                .push((position + 1, after));
        }
        for &symbol in &symbols {
            if self.state.var(symbol).is_none() && !quantified.contains_key(&symbol) {
                quantified.insert(symbol, self.renamed(store, symbol, position));
            }
        }
        new.extend(&quantified);
        conjuncts.push(store.substitute(step.guard, &new));
        for (after, term) in writes {
            let term = store.substitute(term, &new);
            let after = store.of_symbol(after);
            conjuncts.push(store.eq(after, term));
        }
        path.parts.push(store.and(&conjuncts));
        path.quantified.push(quantified);
    }

    /// The range constraints of variables first read here.
    fn ranges(&self, store: &mut TermStore, path: &mut PathFormula, read: &[VarId]) -> Vec<TermId> {
        let mut conjuncts = Vec::new();
        for &var in read {
            let unwritten = path.versions.get(&var).is_none_or(Vec::is_empty);
            if unwritten && !path.ranged.contains_key(&var) {
                path.ranged.insert(var, path.parts.len());
                let vars = std::iter::once(var);
                conjuncts.push(self.state.in_range(self.program, store, vars));
            }
        }
        conjuncts
    }

    fn written(&mut self, store: &mut TermStore, var: VarId, position: usize) -> SymbolId {
        if let Some(symbol) = self.written.get(&(var, position)) {
            return *symbol;
        }
        let row = store.symbol(self.state.symbol(var)).clone();
        let symbol = store.new_symbol(&format!("{}@{}", row.name, position + 1), row.sort);
        self.written.insert((var, position), symbol);
        self.vars.insert(symbol, var);
        symbol
    }

    fn renamed(&mut self, store: &mut TermStore, symbol: SymbolId, position: usize) -> TermId {
        let known = self.renamed.entry((symbol, position));
        *known.or_insert_with(|| {
            let row = store.symbol(symbol).clone();
            store.fresh(&format!("{}?{}", row.name, position + 1), row.sort)
        })
    }

    /// The symbol of a variable after `cut` steps of a path.
    pub fn symbol_at(&self, path: &PathFormula, cut: usize, var: VarId) -> SymbolId {
        let versions = path.versions.get(&var).map_or(&[][..], Vec::as_slice);
        let older = versions.partition_point(|&(since, _)| since <= cut);
        match versions[..older].last() {
            Some((_, symbol)) => *symbol,
            None => self.state.symbol(var),
        }
    }

    /// The variable that a symbol of a path stands for; quantified ones stand for none.
    pub fn var(&self, symbol: SymbolId) -> Option<VarId> {
        self.vars
            .get(&symbol)
            .copied()
            .or_else(|| self.state.var(symbol))
    }

    /// A formula over the variables after `cut` steps, such as an interpolant, as one over the
    /// state; `None` if it mentions anything else.
    pub fn to_state(
        &self,
        store: &mut TermStore,
        path: &PathFormula,
        cut: usize,
        formula: TermId,
    ) -> Option<TermId> {
        let mut map = FxHashMap::default();
        for symbol in store.symbols_of(&[formula]) {
            let var = self.var(symbol)?;
            if self.symbol_at(path, cut, var) != symbol {
                return None;
            }
            map.insert(symbol, store.of_symbol(self.state.symbol(var)));
        }
        Some(store.substitute(formula, &map))
    }

    /// A formula over the state, such as a label, as one over the variables after `cut` steps.
    pub fn at_cut(
        &self,
        store: &mut TermStore,
        path: &PathFormula,
        cut: usize,
        formula: TermId,
    ) -> TermId {
        let mut map = FxHashMap::default();
        for symbol in store.symbols_of(&[formula]) {
            if let Some(var) = self.state.var(symbol) {
                let current = self.symbol_at(path, cut, var);
                map.insert(symbol, store.of_symbol(current));
            }
        }
        store.substitute(formula, &map)
    }
}

impl PathFormula {
    /// One formula for each step.
    pub fn parts(&self) -> &[TermId] {
        &self.parts
    }

    /// What stands for a quantified symbol of the step at a position.
    pub fn quantified_at(&self, symbol: SymbolId, position: usize) -> Option<TermId> {
        self.quantified.get(position)?.get(&symbol).copied()
    }

    /// Takes steps off the end, down to `len` of them.
    pub fn truncate(&mut self, len: usize) {
        self.parts.truncate(len);
        self.quantified.truncate(len);
        for versions in self.versions.values_mut() {
            let kept = versions.partition_point(|&(since, _)| since <= len);
            versions.truncate(kept);
        }
        self.ranged.retain(|_, part| *part < len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Rng;
    use logic::{Integer, Sort, TermValue};
    use testkit::random;

    fn any(rng: &mut Rng, sort: Sort) -> TermValue {
        match sort {
            Sort::Bool => TermValue::Bool(rng.chance(50)),
            // In the range of every unsigned type.
            _ => TermValue::Int(Integer::from(rng.below(40) as i64)),
        }
    }

    fn steps(program: &Program, store: &mut TermStore, state: &State) -> Vec<TransitionFormula> {
        let edges = program.procs.iter().flat_map(|row| row.edges.iter());
        edges
            .filter_map(|edge| TransitionFormula::of_op(program, store, state, &edge.op))
            .collect()
    }

    /// A run of any steps, one after the other: each part holds if and only if its guard does.
    #[test]
    fn parts_say_what_the_steps_do() {
        let mut taken = 0;
        for seed in 0..60 {
            let program = random::program(seed, 20);
            let mut store = TermStore::new();
            let state = State::new(&program, &mut store);
            let all = steps(&program, &mut store, &state);
            let mut rng = Rng::new(seed);
            let chosen: Vec<_> = (0..12).map(|_| &all[rng.below(all.len())]).collect();
            let mut encoder = PathEncoder::new(&program, &state);
            let path = encoder.path(&mut store, chosen.iter().copied());

            let mut now: FxHashMap<SymbolId, TermValue> = FxHashMap::default();
            for var in program.vars.ids() {
                let symbol = state.symbol(var);
                let value = any(&mut rng, store.symbol(symbol).sort);
                now.insert(symbol, value);
            }
            let mut along = now.clone();
            for (position, step) in chosen.iter().enumerate() {
                let mut before = now.clone();
                for symbol in store.symbols_of(&step.terms()) {
                    if state.var(symbol).is_none() {
                        let value = any(&mut rng, store.symbol(symbol).sort);
                        if let Some(new) = path.quantified_at(symbol, position) {
                            let Node::Symbol(new) = *store.node(new) else {
                                panic!("it should be a symbol");
                            };
                            along.insert(new, value.clone());
                        }
                        before.insert(symbol, value);
                    }
                }
                let value_of = |symbol| before.get(&symbol).cloned();
                for (&var, &term) in &step.map {
                    let value = store
                        .evaluate(term, &value_of)
                        .expect("all should be known");
                    along.insert(encoder.symbol_at(&path, position + 1, var), value.clone());
                    now.insert(state.symbol(var), value);
                }
                let part = store.evaluate(path.parts()[position], &|at| along.get(&at).cloned());
                assert_eq!(part, store.evaluate(step.guard, &value_of), "seed {seed}");
                taken += usize::from(part == Some(TermValue::Bool(true)));
            }
        }
        assert!(taken > 300, "{taken}");
    }

    /// Where a symbol is a variable's value in one step, it need not be in another.
    #[test]
    fn steps_may_share_a_quantified_symbol() {
        let program = random::program(3, 20);
        let mut store = TermStore::new();
        let state = State::new(&program, &mut store);
        let is_int = |var: &VarId| store.symbol(state.symbol(*var)).sort == Sort::Int;
        let var = program.vars.ids().find(is_int).expect("an integer");
        let any = store.fresh("any", Sort::Int);
        let one = store.int(1i64);
        let mut to_any = TransitionFormula::identity(&mut store);
        to_any.map.insert(var, any);
        let mut to_less = TransitionFormula::identity(&mut store);
        to_less.map.insert(var, store.sub(any, one));
        let mut encoder = PathEncoder::new(&program, &state);
        encoder.path(&mut store, [&to_any]);
        let path = encoder.path(&mut store, [&to_less]);
        assert_eq!(store.as_bool(path.parts()[0]), None);
    }

    #[test]
    fn formulas_go_to_a_cut_and_back() {
        for seed in 0..20 {
            let program = random::program(seed, 20);
            let mut store = TermStore::new();
            let state = State::new(&program, &mut store);
            let all = steps(&program, &mut store, &state);
            let mut encoder = PathEncoder::new(&program, &state);
            let path = encoder.path(&mut store, &all);
            for step in &all {
                let symbols = store.symbols_of(&[step.guard]);
                let is_state = symbols.iter().all(|&symbol| state.var(symbol).is_some());
                let cut = all.len();
                let moved = encoder.at_cut(&mut store, &path, cut, step.guard);
                let back = encoder.to_state(&mut store, &path, cut, moved);
                assert_eq!(back, is_state.then_some(step.guard));
            }
        }
    }

    #[test]
    fn neighbours_share_the_state_between_them_and_beginnings_are_equal() {
        let program = random::program(3, 20);
        let mut store = TermStore::new();
        let state = State::new(&program, &mut store);
        let all = steps(&program, &mut store, &state);
        let mut encoder = PathEncoder::new(&program, &state);
        let path = encoder.path(&mut store, &all);
        for cut in 0..=all.len() {
            let (front, back) = path.parts().split_at(cut);
            let (front, back) = (store.symbols_of(front), store.symbols_of(back));
            for &symbol in front.intersection(&back) {
                let var = encoder.var(symbol).expect("it should stand for a variable");
                assert_eq!(encoder.symbol_at(&path, cut, var), symbol);
            }
            let mut shorter = path.clone();
            shorter.truncate(cut);
            let again = encoder.path(&mut store, &all[..cut]);
            assert_eq!(shorter.parts(), again.parts());
            for step in &all[cut..] {
                encoder.push(&mut store, &mut shorter, step);
            }
            assert_eq!(shorter.parts(), path.parts());
        }
    }
}
