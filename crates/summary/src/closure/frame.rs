//! The symbols that facts about many iterations are over.

use encode::Context;
use encode::Substitution;
use encode::transition::TransitionFormula;
use logic::{Sort, SymbolId, TermId};
use program::ir::VarId;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The symbols that facts about many iterations mention, besides those of the state before.
pub struct Frame {
    /// The variables after the iterations.
    pub after: BTreeMap<VarId, SymbolId>,
    /// How many iterations.
    pub count: SymbolId,
}

impl Frame {
    /// Fresh symbols for what an iteration writes, and a count.
    pub fn new(ctx: &mut Context, iteration: &TransitionFormula) -> Frame {
        let mut after = BTreeMap::new();
        for &var in iteration.map.keys() {
            let row = &ctx.program.vars[var];
            let name = format!("{}'", row.name);
            after.insert(var, ctx.store.new_symbol(&name, row.ty.sort()));
        }
        Frame {
            after,
            count: ctx.store.new_symbol("k", Sort::Int),
        }
    }

    /// What the variables are after the iterations.
    pub(super) fn map(&self, ctx: &mut Context) -> BTreeMap<VarId, TermId> {
        let after = self.after.iter();
        after
            .map(|(&var, &symbol)| (var, ctx.store.of_symbol(symbol)))
            .collect()
    }

    /// The state before, replaced by the state after.
    pub(super) fn states(&self, ctx: &mut Context) -> Substitution {
        let map = self.map(ctx);
        ctx.state.substitution(&map)
    }

    /// That the state after is the state before.
    pub(super) fn unchanged(&self, ctx: &mut Context) -> TermId {
        let mut parts = Vec::new();
        for (var, after) in self.map(ctx) {
            let before = ctx.before(var);
            parts.push(ctx.store.eq(after, before));
        }
        ctx.store.and(&parts)
    }

    /// That there is no iteration.
    pub(super) fn no_iteration(&self, ctx: &mut Context) -> TermId {
        let (count, zero) = (ctx.store.of_symbol(self.count), ctx.store.int(0i64));
        let none = ctx.store.eq(count, zero);
        let unchanged = self.unchanged(ctx);
        ctx.store.and(&[none, unchanged])
    }

    /// Facts of this frame, about another state after and another count, their quantified symbols
    /// renamed. They hold of at least one iteration; of none nothing is said.
    pub(super) fn moved(
        &self,
        ctx: &mut Context,
        facts: TermId,
        other: &Frame,
        count: TermId,
    ) -> TermId {
        let mut map = FxHashMap::default();
        for (var, &symbol) in &self.after {
            map.insert(symbol, ctx.store.of_symbol(other.after[var]));
        }
        map.insert(self.count, count);
        for symbol in ctx.store.symbols_of(&[facts]) {
            if ctx.state.var(symbol).is_none() && !map.contains_key(&symbol) {
                map.insert(symbol, ctx.store.fresh_like(symbol));
            }
        }
        let moved = ctx.store.substitute(facts, &map);
        let none = ctx.store.at_most(count, 0i64);
        ctx.store.or(&[none, moved])
    }
}
