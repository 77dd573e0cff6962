//! Elements as terms.

use super::element::{Element, Limits};
use crate::octagon::Form;
use crate::value::{INFINITE, Value};
use encode::transition::State;
use logic::{Integer, Sort, TermId, TermStore};
use program::ir::VarId;

/// What an element says, as small facts. Bounds that a type has anyway are left out.
pub(super) fn facts(
    limits: &Limits,
    element: &Element,
    store: &mut TermStore,
    state: &State,
) -> Vec<TermId> {
    let mut facts = Vec::new();
    for &(var, value) in element.values() {
        let term = store.of_symbol(state.symbol(var));
        if store.sort(term) == Sort::Bool {
            match value.as_point() {
                Some(0) => facts.push(store.not(term)),
                Some(_) => facts.push(term),
                None => {}
            }
            continue;
        }
        value_facts(&value, &limits[var], store, term, &mut facts);
    }
    for (a, b, bound, is_equality) in element.octagon.facts() {
        let part = |form: Form, store: &mut TermStore| {
            let factor = Integer::from(if form.negative { -1i64 } else { 1 });
            (store.of_symbol(state.symbol(form.var)), factor)
        };
        let (a, b) = (part(a, store), part(b, store));
        let sum = store.linear(&Integer::from(-bound), &[a, b]);
        let zero = store.int(0i64);
        facts.push(if is_equality {
            store.eq(sum, zero)
        } else {
            store.le(sum, zero)
        });
    }
    for equality in element.modular.equalities() {
        if equality.terms.len() < 2 {
            continue;
        }
        let terms = equality.terms.iter();
        let parts: Vec<(TermId, Integer)> = terms
            .map(|&(var, factor)| (store.of_symbol(state.symbol(var)), Integer::from(factor)))
            .collect();
        let sum = store.linear(&Integer::from(equality.constant), &parts);
        let fact = if element.is_exact(limits, &equality) {
            store.equals(sum, 0i64)
        } else {
            store.divides(&Integer::power_of_two(equality.bits), sum)
        };
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    }
    facts
}

fn value_facts(
    value: &Value,
    limit: &Value,
    store: &mut TermStore,
    term: TermId,
    facts: &mut Vec<TermId>,
) {
    if let Some(point) = value.as_point() {
        facts.push(store.equals(term, point));
        return;
    }
    if value.low() > limit.low() && value.low() > -INFINITE {
        facts.push(store.at_least(term, value.low()));
    }
    if value.high() < limit.high() && value.high() < INFINITE {
        facts.push(store.at_most(term, value.high()));
    }
    let (modulus, rest) = value.congruence();
    if modulus > 1 {
        let rest = store.int(rest);
        let apart = store.sub(term, rest);
        facts.push(store.divides(&Integer::from(modulus), apart));
    }
}

/// The ranges of the types of some signed variables.
pub(super) fn signed_ranges(
    limits: &Limits,
    store: &mut TermStore,
    state: &State,
    vars: impl Iterator<Item = VarId>,
) -> Vec<TermId> {
    let mut facts = Vec::new();
    for var in vars {
        let limit = &limits[var];
        let is_signed = limit.low() < 0 && limit.low() > -INFINITE;
        if is_signed {
            let term = store.of_symbol(state.symbol(var));
            let (low, high) = (store.int(limit.low()), store.int(limit.high()));
            facts.extend([store.le(low, term), store.le(term, high)]);
        }
    }
    facts
}
