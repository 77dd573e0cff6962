//! Affine subspaces: what equalities describe.
//!
//! # Invariants
//! - The equalities are in echelon form, so equal subspaces are equal as `Eq`; the empty one has
//!   the one equality `1 = 0`.

use crate::row::{Kind, Row};
use crate::vector::{Echelon, Vector, unit};
use logic::Integer;

/// An affine subspace over the rationals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Affine {
    dimension: usize,
    equalities: Echelon,
}

impl Affine {
    /// The empty subspace.
    pub(crate) fn empty(dimension: usize) -> Affine {
        Affine {
            dimension,
            equalities: Echelon::of(&[unit(dimension + 1, 0)]),
        }
    }

    /// Where the equalities among some rows hold.
    pub(crate) fn of_rows(dimension: usize, rows: &[Row]) -> Affine {
        let mut affine = Affine {
            dimension,
            equalities: Echelon::default(),
        };
        for row in rows.iter().filter(|row| row.kind == Kind::Equality) {
            affine.add(row);
        }
        affine
    }

    /// The least subspace with some points in it.
    pub(crate) fn of_points<'a>(
        dimension: usize,
        points: impl IntoIterator<Item = &'a Vec<Integer>>,
    ) -> Affine {
        let lifted = |point: &Vec<Integer>| [&[Integer::ONE][..], point].concat();
        let points: Vec<Vector> = points.into_iter().map(lifted).collect();
        if points.is_empty() {
            return Affine::empty(dimension);
        }
        Affine::spanned(dimension, &Echelon::of(&points))
    }

    fn spanned(dimension: usize, span: &Echelon) -> Affine {
        Affine {
            dimension,
            equalities: Echelon::of(&span.orthogonal(dimension + 1)),
        }
    }

    /// The equalities, in echelon form.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let vectors = self.equalities.vectors();
        vectors
            .map(|vector| Row::of_vector(vector, Kind::Equality))
            .collect()
    }

    /// Whether it has no point.
    pub(crate) fn is_empty(&self) -> bool {
        self.equalities.pivots().any(|pivot| pivot == 0)
    }

    /// Goes to the part where an equality holds; false if that is all of it.
    pub(crate) fn add(&mut self, row: &Row) -> bool {
        debug_assert_eq!(row.kind, Kind::Equality, "only equalities are affine");
        let is_new = !self.is_empty() && self.equalities.insert(&row.to_vector());
        if is_new && self.is_empty() {
            *self = Affine::empty(self.dimension);
        }
        is_new
    }

    /// The least subspace with both in it.
    pub(crate) fn join(&self, other: &Affine) -> Affine {
        if self.is_empty() {
            return other.clone();
        }
        if other.is_empty() {
            return self.clone();
        }
        let size = self.dimension + 1;
        let (own, others) = (
            self.equalities.orthogonal(size),
            other.equalities.orthogonal(size),
        );
        Affine::spanned(self.dimension, &Echelon::of(own.iter().chain(&others)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(entries: &[i64]) -> Vec<Integer> {
        entries.iter().map(|&entry| Integer::from(entry)).collect()
    }

    fn equality(coefficients: &[i64], constant: i64) -> Row {
        Row::equality(point(coefficients), Integer::from(constant))
    }

    #[test]
    fn joins_points_to_a_line_and_a_plane() {
        let line = Affine::of_points(3, &[point(&[1, 2, 3]), point(&[2, 4, 4])]);
        assert_eq!(line.rows().len(), 2);
        let contains = |at: &[i64]| line.rows().iter().all(|row| row.holds_at(&point(at)));
        assert!(contains(&[3, 6, 5]) && !contains(&[3, 6, 6]));
        let other = Affine::of_points(3, &[point(&[0, 0, 0])]);
        let plane = line.join(&other);
        assert_eq!(plane.rows(), vec![equality(&[2, -1, 0], 0)]);
        assert_eq!(plane.join(&line), plane);
        assert_eq!(line.join(&Affine::empty(3)), line);
    }

    #[test]
    fn is_empty_where_equalities_contradict() {
        let mut affine = Affine::of_rows(2, &[equality(&[1, 1], -3)]);
        assert!(!affine.add(&equality(&[2, 2], -6)) && !affine.is_empty());
        assert!(affine.add(&equality(&[1, 1], 0)) && affine.is_empty());
        assert_eq!(affine, Affine::empty(2));
    }
}
