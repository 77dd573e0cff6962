//! Vectors of integers, and sets of them in echelon form.

use logic::Integer;

/// Integers, one for each dimension.
pub(crate) type Vector = Vec<Integer>;

pub(crate) fn dot(a: &[Integer], b: &[Integer]) -> Integer {
    let mut sum = Integer::ZERO;
    for (x, y) in a.iter().zip(b) {
        if !x.is_zero() && !y.is_zero() {
            sum = &sum + &(x * y);
        }
    }
    sum
}

/// `x·a + y·b`, divided by what its entries have in common.
pub(crate) fn combine(x: &Integer, a: &[Integer], y: &Integer, b: &[Integer]) -> Vector {
    let entries = a.iter().zip(b);
    let mut sum: Vector = entries.map(|(p, q)| &(x * p) + &(y * q)).collect();
    normalise(&mut sum);
    sum
}

pub(crate) fn common_divisor(vector: &[Integer]) -> Integer {
    let mut gcd = Integer::ZERO;
    for entry in vector {
        if gcd.is_one() {
            break;
        }
        gcd = gcd.gcd(entry);
    }
    gcd
}

/// Divides by a number that divides all entries.
pub(crate) fn divide(vector: &mut [Integer], by: &Integer) {
    for entry in vector {
        if !entry.is_zero() {
            *entry = entry.div_floor(by);
        }
    }
}

/// Divides by what the entries have in common.
pub(crate) fn normalise(vector: &mut [Integer]) {
    let gcd = common_divisor(vector);
    if !gcd.is_zero() && !gcd.is_one() {
        divide(vector, &gcd);
    }
}

pub(crate) fn is_zero(vector: &[Integer]) -> bool {
    vector.iter().all(Integer::is_zero)
}

pub(crate) fn negated(vector: &[Integer]) -> Vector {
    vector.iter().map(|entry| -entry).collect()
}

pub(crate) fn unit(size: usize, place: usize) -> Vector {
    let mut vector = vec![Integer::ZERO; size];
    vector[place] = Integer::ONE;
    vector
}

/// A basis of a linear space. The first entry of a vector, the constant, comes last in the order.
///
/// # Invariants
/// - Sorted by pivots; a pivot is the first entry of its vector that is not zero, positive, and
///   alone in its column. So equal spaces have equal bases.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Echelon {
    rows: Vec<(usize, Vector)>,
}

impl Echelon {
    pub(crate) fn of<'a>(vectors: impl IntoIterator<Item = &'a Vector>) -> Echelon {
        let mut basis = Echelon::default();
        for vector in vectors {
            basis.insert(vector);
        }
        basis
    }

    pub(crate) fn vectors(&self) -> impl Iterator<Item = &Vector> {
        self.rows.iter().map(|(_, vector)| vector)
    }

    pub(crate) fn pivots(&self) -> impl Iterator<Item = usize> {
        self.rows.iter().map(|(pivot, _)| *pivot)
    }

    pub(crate) fn into_vectors(self) -> Vec<Vector> {
        self.rows.into_iter().map(|(_, vector)| vector).collect()
    }

    /// A positive multiple of the vector plus one of the space that is zero at all pivots.
    pub(crate) fn reduce(&self, vector: &[Integer]) -> Vector {
        let mut rest = vector.to_vec();
        for (pivot, row) in &self.rows {
            if !rest[*pivot].is_zero() {
                rest = combine(&row[*pivot], &rest, &-&rest[*pivot], row);
            }
        }
        normalise(&mut rest);
        rest
    }

    /// Adds a vector; false if it is in the space already.
    pub(crate) fn insert(&mut self, vector: &[Integer]) -> bool {
        let mut vector = self.reduce(vector);
        let order = (1..vector.len()).chain(0..vector.len().min(1));
        let Some(pivot) = order.into_iter().find(|&place| !vector[place].is_zero()) else {
            return false;
        };
        if vector[pivot].signum() < 0 {
            vector = negated(&vector);
        }
        for (_, row) in &mut self.rows {
            if !row[pivot].is_zero() {
                *row = combine(&vector[pivot], row, &-&row[pivot], &vector);
            }
        }
        let key = |pivot: usize| (pivot == 0, pivot);
        let place = (self.rows).partition_point(|(other, _)| key(*other) < key(pivot));
        self.rows.insert(place, (pivot, vector));
        true
    }

    /// A basis of what is orthogonal to the space.
    pub(crate) fn orthogonal(&self, size: usize) -> Vec<Vector> {
        let is_pivot = |place: usize| self.pivots().any(|pivot| pivot == place);
        let lcm = |at: Integer, (pivot, row): &(usize, Vector)| at.lcm(&row[*pivot]);
        let scale = self.rows.iter().fold(Integer::ONE, lcm);
        let free = (0..size).filter(|&place| !is_pivot(place));
        let solution = |place: usize| {
            let mut solution = vec![Integer::ZERO; size];
            solution[place] = scale.clone();
            for (pivot, row) in &self.rows {
                solution[*pivot] = &-&row[place] * &scale.div_floor(&row[*pivot]);
            }
            normalise(&mut solution);
            solution
        };
        free.map(solution).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(entries: &[i64]) -> Vector {
        entries.iter().map(|&entry| Integer::from(entry)).collect()
    }

    #[test]
    fn a_basis_and_its_complement() {
        let basis = Echelon::of(&[
            vector(&[1, 2, 3, 4]),
            vector(&[2, 4, 6, 8]),
            vector(&[0, 1, 1, 1]),
        ]);
        assert_eq!(basis.vectors().count(), 2);
        assert!(is_zero(&basis.reduce(&vector(&[1, 1, 2, 3]))));
        assert!(!is_zero(&basis.reduce(&vector(&[1, 0, 0, 0]))));
        let orthogonal = basis.orthogonal(4);
        assert_eq!(orthogonal.len(), 2);
        for row in basis.vectors() {
            assert!(orthogonal.iter().all(|other| dot(row, other).is_zero()));
        }
        let back = Echelon::of(&Echelon::of(&orthogonal).orthogonal(4));
        assert_eq!(back, basis);
    }
}
