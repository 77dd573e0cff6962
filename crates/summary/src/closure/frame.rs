//! The symbols that facts about many turns speak of.

use crate::kit::Kit;
use encode::transition::{TransitionFormula, sort};
use logic::{Sort, SymbolId, TermId};
use program::ir::VarId;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The symbols that facts about many turns speak of, besides those of the state before.
pub struct Frame {
    /// The variables after the turns.
    pub after: BTreeMap<VarId, SymbolId>,
    /// How many turns.
    pub count: SymbolId,
}

impl Frame {
    /// Fresh symbols for what a turn writes, and a count.
    pub fn new(kit: &mut Kit, turn: &TransitionFormula) -> Frame {
        let mut after = BTreeMap::new();
        for &var in turn.map.keys() {
            let row = &kit.program.vars[var];
            let name = format!("{}'", row.name);
            after.insert(var, kit.store.new_symbol(&name, sort(row.ty)));
        }
        Frame {
            after,
            count: kit.store.new_symbol("k", Sort::Int),
        }
    }

    /// What the variables are after the turns.
    pub(super) fn map(&self, kit: &mut Kit) -> BTreeMap<VarId, TermId> {
        let after = self.after.iter();
        after
            .map(|(&var, &symbol)| (var, kit.store.of_symbol(symbol)))
            .collect()
    }

    /// The state before, replaced by the state after.
    pub(super) fn states(&self, kit: &mut Kit) -> FxHashMap<SymbolId, TermId> {
        let map = self.map(kit).into_iter();
        map.map(|(var, term)| (kit.state.symbol(var), term))
            .collect()
    }

    /// That the state after is the state before.
    pub(super) fn unchanged(&self, kit: &mut Kit) -> TermId {
        let mut parts = Vec::new();
        for (var, after) in self.map(kit) {
            let before = kit.before(var);
            parts.push(kit.store.eq(after, before));
        }
        kit.store.and(&parts)
    }

    /// That there is no turn.
    pub(super) fn no_turn(&self, kit: &mut Kit) -> TermId {
        let (count, zero) = (kit.store.of_symbol(self.count), kit.store.int(0i64));
        let none = kit.store.eq(count, zero);
        let unchanged = self.unchanged(kit);
        kit.store.and(&[none, unchanged])
    }

    /// Facts of this frame, about another state after and another count, their quantified symbols
    /// renamed. They hold of at least one turn; of none nothing is said.
    pub(super) fn moved(
        &self,
        kit: &mut Kit,
        facts: TermId,
        other: &Frame,
        count: TermId,
    ) -> TermId {
        let mut map = FxHashMap::default();
        for (var, &symbol) in &self.after {
            map.insert(symbol, kit.store.of_symbol(other.after[var]));
        }
        map.insert(self.count, count);
        for symbol in kit.store.symbols_of(&[facts]) {
            if kit.state.var(symbol).is_none() && !map.contains_key(&symbol) {
                let row = kit.store.symbol(symbol).clone();
                map.insert(symbol, kit.store.fresh(&row.name, row.sort));
            }
        }
        let moved = kit.store.substitute(facts, &map);
        let zero = kit.store.int(0i64);
        let none = kit.store.le(count, zero);
        kit.store.or(&[none, moved])
    }
}
