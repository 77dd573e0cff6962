//! Modules over the integers modulo 2^64: what some vectors generate.

pub(super) type Vector = Vec<u64>;

/// What some vectors generate: for each column the row that has its pivot there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Span {
    rows: Vec<Option<Vector>>,
}

pub(super) fn add_multiple(vector: &mut [u64], other: &[u64], factor: u64) {
    for (entry, more) in vector.iter_mut().zip(other) {
        *entry = entry.wrapping_add(more.wrapping_mul(factor));
    }
}

/// The inverse of an odd number, by doubling the bits that are right.
pub(super) fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

/// 2^exponent, which is zero for 64.
pub(super) fn power(exponent: u32) -> u64 {
    1u64.checked_shl(exponent).unwrap_or(0)
}

/// The factor that takes an entry to the power of two in it.
pub(super) fn unit(entry: u64) -> u64 {
    inverse(entry >> entry.trailing_zeros())
}

impl Span {
    pub(super) fn zero(columns: usize) -> Self {
        Span {
            rows: vec![None; columns],
        }
    }

    pub(super) fn all(columns: usize) -> Self {
        let row = |column| {
            let mut row = vec![0; columns];
            row[column] = 1;
            Some(row)
        };
        Span {
            rows: (0..columns).map(row).collect(),
        }
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &Vector> {
        self.rows.iter().flatten()
    }

    pub(super) fn insert(&mut self, vector: Vector) {
        let mut open = vec![vector];
        while let Some(mut vector) = open.pop() {
            for column in 0..self.rows.len() {
                let entry = vector[column];
                if entry == 0 {
                    continue;
                }
                let zeros = entry.trailing_zeros();
                let old = match self.rows[column].take() {
                    Some(row) if row[column].trailing_zeros() <= zeros => {
                        let factor = (entry >> row[column].trailing_zeros()).wrapping_neg();
                        add_multiple(&mut vector, &row, factor);
                        self.rows[column] = Some(row);
                        continue;
                    }
                    other => other,
                };
                let factor = unit(entry);
                vector
                    .iter_mut()
                    .for_each(|entry| *entry = entry.wrapping_mul(factor));
                // What is left of it where the pivot vanishes.
                let rest: Vector = vector
                    .iter()
                    .map(|entry| entry.wrapping_mul(power(64 - zeros)))
                    .collect();
                if zeros > 0 {
                    open.push(rest);
                }
                self.rows[column] = Some(vector);
                open.extend(old);
                vector = Vec::new();
                break;
            }
            debug_assert!(vector.iter().all(|&entry| entry == 0));
        }
    }

    /// Takes away what the rows can take away.
    pub(super) fn reduce(&self, vector: &mut Vector) {
        for (column, row) in self.rows.iter().enumerate() {
            if let Some(row) = row {
                let zeros = row[column].trailing_zeros();
                let factor = (vector[column] >> zeros).wrapping_neg();
                add_multiple(vector, row, factor);
            }
        }
    }

    /// The rows with the columns of their pivots.
    pub(super) fn pivots(&self) -> impl Iterator<Item = (usize, &Vector)> {
        let rows = self.rows.iter().enumerate();
        rows.filter_map(|(column, row)| Some((column, row.as_ref()?)))
    }

    /// Makes the entries after a column small where rows have their pivots.
    pub(super) fn shorten(&self, vector: &mut Vector, column: usize) {
        for (pivot, row) in self.pivots().filter(|(pivot, _)| *pivot > column) {
            let zeros = row[pivot].trailing_zeros();
            // Rounded, so that what is left is the remainder next to zero.
            let half = power(zeros) / 2;
            let times = (vector[pivot].wrapping_add(half) as i64) >> zeros;
            add_multiple(vector, row, (times as u64).wrapping_neg());
        }
    }

    pub(super) fn contains(&self, mut vector: Vector) -> bool {
        self.reduce(&mut vector);
        vector.iter().all(|&entry| entry == 0)
    }

    /// Keeps the elements whose product with a vector is zero, and moves a point by an element so
    /// that its product becomes zero; false if none does that.
    pub(super) fn annihilate(&mut self, form: &[u64], constant: u64, point: &mut Vector) -> bool {
        let product = |vector: &Vector| {
            let parts = vector.iter().zip(form).map(|(a, b)| a.wrapping_mul(*b));
            parts.fold(0u64, u64::wrapping_add)
        };
        let mut rows: Vec<Vector> = self.rows().cloned().collect();
        let wanted = product(point).wrapping_add(constant);
        let Some(best) = (0..rows.len()).min_by_key(|&row| product(&rows[row]).trailing_zeros())
        else {
            return wanted == 0;
        };
        let pivot = rows.swap_remove(best);
        let value = product(&pivot);
        let zeros = value.trailing_zeros();
        if wanted.trailing_zeros() < zeros {
            return false;
        }
        if value == 0 {
            return true;
        }
        let back = unit(value);
        let cancel = |vector: &mut Vector, amount: u64| {
            let factor = (amount >> zeros).wrapping_mul(back).wrapping_neg();
            add_multiple(vector, &pivot, factor);
        };
        cancel(point, wanted);
        *self = Span::zero(self.rows.len());
        for mut row in rows {
            let amount = product(&row);
            cancel(&mut row, amount);
            self.insert(row);
        }
        let rest = power(64 - zeros);
        self.insert(pivot.iter().map(|entry| entry.wrapping_mul(rest)).collect());
        true
    }
}
