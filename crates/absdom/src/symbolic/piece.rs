//! Pieces: a cube in the dimensions of given terms, around its model.

use super::cube::{Cube, numbers};
use super::form::Form;
use crate::eliminate::Elimination;
use crate::vector::{dot, unit};
use crate::{Polyhedron, Row};
use logic::{Assignment, Integer, TermId, TermStore};
use std::collections::BTreeSet;

impl Cube {
    /// A polyhedron that has the values of terms in the model, and of all points of a part of the
    /// cube around it.
    pub(super) fn piece(
        &self,
        store: &TermStore,
        values: &Assignment,
        terms: &[TermId],
    ) -> Polyhedron {
        let forms: Vec<(Vec<Integer>, Form)> =
            terms.iter().map(|&term| self.form(store, term)).collect();
        let more: BTreeSet<TermId> = forms.iter().flat_map(|(_, rest)| rest.keys()).collect();
        let more: Vec<TermId> = more.into_iter().collect();
        let mut point = self.point.clone();
        point.extend(numbers(store, &more, values).expect("an integer should have a value"));
        let (kept, known) = (terms.len(), self.point.len());
        let size = kept + point.len();
        let mut rows = Vec::with_capacity(self.rows.len() + kept);
        let mut whole: Vec<Integer> = Vec::with_capacity(size);
        for (place, (form, rest)) in forms.iter().enumerate() {
            let mut row = Row::equality(unit(size, place), -&rest.constant);
            let others = more
                .iter()
                .map(|term| rest.coefficient(*term).unwrap_or(&Integer::ZERO));
            for (at, factor) in form.iter().chain(others).enumerate() {
                row.coefficients[kept + at] = -factor;
            }
            let value = -&dot(&row.coefficients[kept..], &point);
            whole.push(&value + &rest.constant);
            rows.push(row);
        }
        whole.extend(point);
        for row in &self.rows {
            let mut coefficients = vec![Integer::ZERO; size];
            coefficients[kept..kept + known].clone_from_slice(&row.coefficients);
            rows.push(Row {
                coefficients,
                ..row.clone()
            });
        }
        let elimination = Elimination {
            model: Some(&whole),
            integers: true,
        };
        let drop: Vec<usize> = (kept..size).collect();
        let rows = elimination.run(rows, &drop).into_iter().map(|mut row| {
            row.coefficients.truncate(kept);
            row
        });
        Polyhedron::of_rows(kept, rows)
    }
}
