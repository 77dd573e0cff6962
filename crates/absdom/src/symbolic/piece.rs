//! Projected cubes: a cube in the dimensions of given terms, around its model.

use super::cube::{Cube, numbers};
use super::form::{Form, form_of};
use crate::{Polyhedron, Row};
use interpolate::project::relaxed;
use interpolate::project::row;
use logic::{Assignment, Integer, TermId, TermStore};
use std::collections::{BTreeMap, BTreeSet};

/// What the rows of a piece are about while it is made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// A term of the cube, to be eliminated.
    Inner(TermId),
    /// A dimension of the piece.
    Kept(usize),
}

impl Cube {
    /// A polyhedron that has the values of terms in the model, and of all points of a part of the
    /// cube around it.
    pub(super) fn piece(
        &self,
        store: &TermStore,
        values: &Assignment,
        terms: &[TermId],
    ) -> Polyhedron {
        let forms = terms
            .iter()
            .map(|&term| self.solutions.reduce(form_of(store, term)));
        let forms: Vec<Form> = forms.collect();
        let inner: BTreeSet<TermId> = (self.point.keys().copied())
            .chain(forms.iter().flat_map(|form| form.keys()))
            .collect();
        let inner: Vec<TermId> = inner.into_iter().collect();
        let numbers = numbers(store, &inner, values).expect("an integer should have a value");
        let inner: Vec<Key> = inner.into_iter().map(Key::Inner).collect();
        let mut point: BTreeMap<Key, Integer> = inner.iter().copied().zip(numbers).collect();
        let rows = self.rows.iter().map(|row| row.rekeyed(Key::Inner));
        let mut rows: Vec<row::Row<Key, Integer>> = rows.collect();
        for (place, form) in forms.iter().enumerate() {
            let mut sum = form.rekeyed(Key::Inner);
            let value = sum.value(|key| point.get(&key).cloned());
            point.insert(
                Key::Kept(place),
                value.expect("every term should have a value"),
            );
            sum.parts.push((Key::Kept(place), Integer::from(-1i64)));
            rows.push(row::Row::is_zero(sum));
        }
        let rows = relaxed(rows, inner, &point).into_iter().map(|row| {
            let dimension = |key| match key {
                Key::Kept(place) => place,
                Key::Inner(_) => unreachable!("an inner term should have been eliminated"),
            };
            Row::of_sparse(terms.len(), &row.rekeyed(dimension))
        });
        Polyhedron::of_rows(terms.len(), rows)
    }
}
