//! Models of state machines: which values of arguments occur together.
//!
//! An argument of few values is control: a program counter, a mode, a flag. Relations are split by
//! these, and for each part we find which values its other arguments may have together.

use super::classes::{At, Classes};
use super::{Reduced, unchanged};
use base::Budget;
use certify::ClauseOutcome;
use horn::{Model, System};

/// A model, if what values occur together contradicts the queries.
pub fn model_by_control(system: &System, budget: &Budget) -> Option<Model> {
    budget.check().ok()?;
    let mut system = system.clone();
    let single = Classes::of(&mut system, At::One, budget)?;
    if single.contradict_queries(&mut system, budget) {
        return Some(single.model(&mut system));
    }
    let mut split = unchanged(&system);
    split.split_by_control(&single, budget);
    let classes = Classes::of(&mut split.system, At::Two, budget)?;
    if !classes.contradict_queries(&mut split.system, budget) {
        return None;
    }
    let model = classes.model(&mut split.system);
    match split.back(ClauseOutcome::Sat(Box::new(model)), budget) {
        ClauseOutcome::Sat(model) => Some(*model),
        ClauseOutcome::Unsat(_) | ClauseOutcome::Unknown(_) => None,
    }
}

impl Reduced<'_> {
    /// Splits relations by as many of their control arguments as there may be, those of many values
    /// first.
    fn split_by_control(&mut self, single: &Classes, budget: &Budget) {
        let mut control = single.control();
        loop {
            let places = control.iter().map(|(&relation, own)| {
                let own = own.iter().map(|argument| argument.place);
                (relation, own.collect())
            });
            let Some(wide) = self.split_at(&places.collect(), budget) else {
                return;
            };
            let Some(own) = control.get_mut(&wide) else {
                return;
            };
            let least = own.iter().map(|argument| argument.values).min();
            if let Some(at) = own.iter().rposition(|it| Some(it.values) == least) {
                own.remove(at);
            }
            control.retain(|_, own| !own.is_empty());
        }
    }
}
