//! Sums over terms that are no sums, and equalities solved for some of these.

use logic::{Integer, TermId, TermStore};
use std::collections::BTreeMap;

/// A constant and multiples of terms; no factor is zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Form {
    pub(super) constant: Integer,
    pub(super) parts: BTreeMap<TermId, Integer>,
}

impl Form {
    pub(super) fn of_term(store: &TermStore, term: TermId) -> Form {
        let (constant, parts) = store.to_linear(term);
        Form {
            constant,
            parts: parts.into_iter().collect(),
        }
    }

    pub(super) fn add(&mut self, times: &Integer, other: &Form) {
        self.constant = &self.constant + &(times * &other.constant);
        for (&term, factor) in &other.parts {
            let old = self.parts.remove(&term).unwrap_or(Integer::ZERO);
            let new = &old + &(times * factor);
            if !new.is_zero() {
                self.parts.insert(term, new);
            }
        }
    }

    pub(super) fn scaled(&self, times: &Integer) -> Form {
        let mut form = Form {
            constant: Integer::ZERO,
            parts: BTreeMap::new(),
        };
        form.add(times, self);
        form
    }

    /// Its value, if those of its terms are known.
    pub(super) fn value(&self, of: impl Fn(TermId) -> Option<Integer>) -> Option<Integer> {
        let mut value = self.constant.clone();
        for (&term, factor) in &self.parts {
            value = &value + &(factor * &of(term)?);
        }
        Some(value)
    }
}

/// Terms that are sums of others.
///
/// # Invariants
/// - No solved term is part of a solution.
#[derive(Default)]
pub(super) struct Solutions(BTreeMap<TermId, Form>);

impl Solutions {
    /// Solves equalities, each that its form is zero, for terms whose factor is 1 or -1; also gives
    /// the equalities without one.
    pub(super) fn of(equalities: Vec<Form>) -> (Solutions, Vec<Form>) {
        // Later ones have no part that was solved before, but not the other way round.
        let mut solutions = Solutions::default();
        let mut order = Vec::new();
        let mut rest = Vec::new();
        for equality in equalities {
            let mut form = solutions.reduce(equality);
            // The last made is most likely one that stands for something.
            let mut parts = form.parts.iter().rev();
            let Some((&term, factor)) = parts.find(|(_, factor)| factor.abs().is_one()) else {
                rest.push(form);
                continue;
            };
            let sign = -factor;
            form.parts.remove(&term);
            solutions.0.insert(term, form.scaled(&sign));
            order.push(term);
        }
        for term in order.into_iter().rev() {
            if let Some(form) = solutions.0.remove(&term) {
                let form = solutions.reduce(form);
                solutions.0.insert(term, form);
            }
        }
        let rest = rest.into_iter().map(|form| solutions.reduce(form));
        let rest = rest.collect();
        (solutions, rest)
    }

    /// The form without solved terms.
    pub(super) fn reduce(&self, mut form: Form) -> Form {
        loop {
            let known = |(term, _): &(&TermId, &Integer)| self.0.contains_key(*term);
            let Some((&term, factor)) = form.parts.iter().find(known) else {
                return form;
            };
            let factor = factor.clone();
            form.parts.remove(&term);
            form.add(&factor, &self.0[&term]);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (TermId, &Form)> {
        self.0.iter().map(|(&term, form)| (term, form))
    }
}
