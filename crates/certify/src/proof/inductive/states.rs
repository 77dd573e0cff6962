//! States that paths lead to, and how they split and merge where paths part and join.
//!
//! # Invariants
//! - A run along the paths makes true the literals of exactly the states that it reaches.

use super::bounds::Interval;
use super::imported_proof::Slot;
use super::obligation_context::{ObligationContext, Values};
use logic::{Sort, TermId};
use std::collections::BTreeSet;

/// A state that paths lead to.
#[derive(Clone)]
pub(super) struct State {
    /// True if a run reaches it.
    pub(super) reach: TermId,
    pub(super) values: Values,
}

impl ObligationContext<'_> {
    /// A literal of a step that needs these conditions.
    pub(super) fn literal(&mut self, reach: TermId, conditions: &[TermId]) -> TermId {
        let all = self.store.and(conditions);
        match self.store.as_bool(all) {
            Some(true) => reach,
            Some(false) => all,
            None => {
                let literal = self.store.fresh("$taken", Sort::Bool);
                self.fact_if(literal, reach);
                for condition in self.store.conjuncts(all) {
                    self.fact_if(literal, condition);
                }
                literal
            }
        }
    }

    /// The merge of several states; only live values matter.
    pub(super) fn merge(&mut self, states: Vec<State>, live: &BTreeSet<Slot>) -> State {
        if states.len() <= 1 {
            let never = self.store.bool(false);
            return states.into_iter().next().unwrap_or(State {
                reach: never,
                values: Values::new(),
            });
        }
        let reach = self.store.fresh("$here", Sort::Bool);
        let ways: Vec<TermId> = states.iter().map(|state| state.reach).collect();
        let some = self.store.or(&ways);
        self.fact_if(reach, some);
        let slots: BTreeSet<Slot> = (states.iter())
            .flat_map(|state| state.values.keys().copied())
            .collect();
        let mut values = Values::new();
        for slot in slots {
            let all: Vec<TermId> = (states.iter())
                .map(|state| self.read(&state.values, slot))
                .collect();
            let value = self.join(&ways, &all, live.contains(&slot));
            values.insert(slot, value);
        }
        State { reach, values }
    }

    /// A value that equals that of each path taken; if it is dead, any.
    fn join(&mut self, ways: &[TermId], values: &[TermId], is_live: bool) -> TermId {
        if values.iter().all(|&value| value == values[0]) {
            return values[0];
        }
        let sort = self.store.sort(values[0]);
        let joined = self.store.fresh("$joined", sort);
        if !is_live {
            return joined;
        }
        if sort == Sort::Int {
            let mut hull: Option<Interval> = None;
            for &value in values {
                let range = self.bounds_of(value);
                hull = Some(hull.map_or(range.clone(), |hull| hull.hull(range)));
            }
            self.bounds.note(joined, hull.unwrap_or_default());
        }
        for (&way, &value) in ways.iter().zip(values) {
            let same = self.store.eq(joined, value);
            self.fact_if(way, same);
        }
        joined
    }
}
