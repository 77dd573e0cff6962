//! Sums over terms that are not sums, and equalities solved for some of these.

use logic::sparse::Linear;
use logic::{Integer, TermId, TermStore};
use std::collections::BTreeMap;

/// A constant and multiples of terms.
pub(super) type Form = Linear<TermId, Integer>;

pub(super) fn form_of(store: &TermStore, term: TermId) -> Form {
    let (constant, parts) = store.to_linear(term);
    Form { constant, parts }
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
            let Some((term, factor)) = parts.find(|(_, factor)| factor.abs().is_one()).cloned()
            else {
                rest.push(form);
                continue;
            };
            form.remove(term);
            solutions.0.insert(term, form.scaled(&-&factor));
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
            let known = |(term, _): &&(TermId, Integer)| self.0.contains_key(term);
            let Some((term, factor)) = form.parts.iter().find(known).cloned() else {
                return form;
            };
            form.remove(term);
            form.add_multiple(&factor, &self.0[&term]);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (TermId, &Form)> {
        self.0.iter().map(|(&term, form)| (term, form))
    }
}
