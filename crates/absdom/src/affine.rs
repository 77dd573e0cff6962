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
pub struct Affine {
    dimension: usize,
    equalities: Echelon,
}

impl Affine {
    /// The whole space.
    pub fn universe(dimension: usize) -> Affine {
        Affine {
            dimension,
            equalities: Echelon::default(),
        }
    }

    /// The empty subspace.
    pub fn empty(dimension: usize) -> Affine {
        Affine {
            dimension,
            equalities: Echelon::of(&[unit(dimension + 1, 0)]),
        }
    }

    /// Where the equalities among some rows hold.
    pub fn of_rows(dimension: usize, rows: &[Row]) -> Affine {
        let mut affine = Affine::universe(dimension);
        for row in rows.iter().filter(|row| row.kind == Kind::Equality) {
            affine.add(row);
        }
        affine
    }

    /// The least subspace with some points in it.
    pub fn of_points<'a>(
        dimension: usize,
        points: impl IntoIterator<Item = &'a Vec<Integer>>,
    ) -> Affine {
        let lifted = |point: &Vec<Integer>| -> Vector {
            [Integer::ONE]
                .into_iter()
                .chain(point.iter().cloned())
                .collect()
        };
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

    /// How many dimensions the space around it has.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The equalities, in echelon form.
    pub fn rows(&self) -> Vec<Row> {
        let vectors = self.equalities.vectors();
        vectors
            .map(|vector| Row::of_vector(vector, Kind::Equality))
            .collect()
    }

    /// Whether it has no point.
    pub fn is_empty(&self) -> bool {
        self.equalities.pivots().any(|pivot| pivot == 0)
    }

    /// Goes to the part where an equality holds; false if that is all of it.
    pub fn add(&mut self, row: &Row) -> bool {
        debug_assert_eq!(row.kind, Kind::Equality, "only equalities are affine");
        let is_new = !self.is_empty() && self.equalities.insert(&row.to_vector());
        if is_new && self.is_empty() {
            *self = Affine::empty(self.dimension);
        }
        is_new
    }

    /// The points in both.
    pub fn intersect(&self, other: &Affine) -> Affine {
        let mut both = self.clone();
        for row in other.rows() {
            both.add(&row);
        }
        both
    }

    /// The least subspace with both in it.
    pub fn join(&self, other: &Affine) -> Affine {
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

    /// Whether an equality holds everywhere in it.
    pub fn entails(&self, row: &Row) -> bool {
        self.is_empty() || self.equalities.contains(&row.to_vector())
    }

    /// Whether another subspace is within it.
    pub fn includes(&self, other: &Affine) -> bool {
        other.is_empty()
            || self
                .equalities
                .vectors()
                .all(|row| other.equalities.contains(row))
    }

    /// Whether a point of integers is in it.
    pub fn contains_at(&self, point: &[Integer]) -> bool {
        self.rows().iter().all(|row| row.holds_at(point))
    }

    /// The subspace in some of its dimensions, in the order given.
    pub fn project(&self, keep: &[usize]) -> Affine {
        if self.is_empty() {
            return Affine::empty(keep.len());
        }
        let pick = |vector: &Vector| -> Vector {
            let entries = keep.iter().map(|&place| vector[place + 1].clone());
            [vector[0].clone()].into_iter().chain(entries).collect()
        };
        let span = self.equalities.orthogonal(self.dimension + 1);
        let picked: Vec<Vector> = span.iter().map(pick).collect();
        Affine::spanned(keep.len(), &Echelon::of(&picked))
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
        assert!(line.contains_at(&point(&[3, 6, 5])) && !line.contains_at(&point(&[3, 6, 6])));
        let other = Affine::of_points(3, &[point(&[0, 0, 0])]);
        let plane = line.join(&other);
        assert_eq!(plane.rows(), vec![equality(&[2, -1, 0], 0)]);
        assert!(plane.includes(&line) && plane.includes(&other) && !line.includes(&plane));
        assert_eq!(plane.project(&[2, 0]), Affine::universe(2));
        assert_eq!(plane.project(&[1, 0]).rows(), vec![equality(&[1, -2], 0)]);
        assert_eq!(line.join(&Affine::empty(3)), line);
    }

    #[test]
    fn is_empty_where_equalities_contradict() {
        let mut affine = Affine::of_rows(2, &[equality(&[1, 1], -3)]);
        assert!(!affine.add(&equality(&[2, 2], -6)) && !affine.is_empty());
        assert!(affine.add(&equality(&[1, 1], 0)) && affine.is_empty());
        assert_eq!(affine, Affine::empty(2));
        assert!(affine.entails(&equality(&[1, 0], 5)));
    }
}
