//! Linear equalities modulo powers of two.
//!
//! An affine set over the integers modulo 2^64: a point and generators. It holds the relations that
//! survive the wrapping of machine integers: of an assignment that wraps at 2^w the result is known
//! modulo 2^w. Where the numbers are small, an equality modulo 2^64 is an equality.
//!
//! # Paper
//! [mullerolm2007analysis]. The generators are kept in the echelon form of [howell1986spans], so
//! that membership can be decided by reducing.
//!
//! # Invariants
//! - Each generator has a pivot, a power of two, left of which it is zero; pivots differ. The
//!   generators with zeros in the first columns span all elements that have zeros there.

#[cfg(test)]
mod tests;

use program::ir::VarId;

type Vector = Vec<u64>;

/// An affine set over the integers modulo 2^64.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Modular {
    /// In order.
    vars: Vec<VarId>,
    point: Vector,
    span: Span,
}

/// What some vectors generate: for each column the row that has its pivot there.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Span {
    rows: Vec<Option<Vector>>,
}

/// A linear form modulo 2^bits: factors of variables, and a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Residue {
    pub(crate) terms: Vec<(VarId, u64)>,
    pub(crate) constant: u64,
    pub(crate) bits: u32,
}

impl Residue {
    /// Nothing but a class: `rest` modulo 2^bits.
    pub(crate) fn class(bits: u32, rest: i128) -> Residue {
        Residue {
            terms: Vec::new(),
            constant: rest as u64,
            bits,
        }
    }

    pub(crate) fn var(var: VarId) -> Residue {
        Residue {
            terms: vec![(var, 1)],
            constant: 0,
            bits: 64,
        }
    }

    /// `self + other · factor`.
    pub(crate) fn plus(&self, other: &Residue, factor: i128) -> Residue {
        let factor = factor as u64;
        let gained = other.bits.saturating_add(factor.trailing_zeros()).min(64);
        let mut result = self.clone();
        result.bits = self.bits.min(gained);
        result.constant = self
            .constant
            .wrapping_add(other.constant.wrapping_mul(factor));
        for &(var, times) in &other.terms {
            let times = times.wrapping_mul(factor);
            match result.terms.iter_mut().find(|term| term.0 == var) {
                Some(term) => term.1 = term.1.wrapping_add(times),
                None => result.terms.push((var, times)),
            }
        }
        result.terms.retain(|term| term.1 != 0);
        result
    }

    /// `self · factor`.
    pub(crate) fn times(&self, factor: i128) -> Residue {
        Residue::class(64, 0).plus(self, factor)
    }

    /// Known only modulo a smaller power of two.
    pub(crate) fn within(mut self, bits: u32) -> Residue {
        self.bits = self.bits.min(bits);
        self
    }
}

/// An equality `Σ aᵢ·xᵢ + c ≡ 0` modulo 2^bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Equality {
    pub(crate) terms: Vec<(VarId, i64)>,
    pub(crate) constant: i64,
    pub(crate) bits: u32,
}

fn add_multiple(vector: &mut [u64], other: &[u64], factor: u64) {
    for (entry, more) in vector.iter_mut().zip(other) {
        *entry = entry.wrapping_add(more.wrapping_mul(factor));
    }
}

/// The inverse of an odd number, by doubling the bits that are right.
fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

/// 2^exponent, which is zero for 64.
fn power(exponent: u32) -> u64 {
    1u64.checked_shl(exponent).unwrap_or(0)
}

/// The factor that takes an entry to the power of two in it.
fn unit(entry: u64) -> u64 {
    inverse(entry >> entry.trailing_zeros())
}

impl Span {
    fn zero(columns: usize) -> Self {
        Span {
            rows: vec![None; columns],
        }
    }

    fn all(columns: usize) -> Self {
        let row = |column| {
            let mut row = vec![0; columns];
            row[column] = 1;
            Some(row)
        };
        Span {
            rows: (0..columns).map(row).collect(),
        }
    }

    fn rows(&self) -> impl Iterator<Item = &Vector> {
        self.rows.iter().flatten()
    }

    fn insert(&mut self, vector: Vector) {
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
    fn reduce(&self, vector: &mut Vector) {
        for (column, row) in self.rows.iter().enumerate() {
            if let Some(row) = row {
                let zeros = row[column].trailing_zeros();
                let factor = (vector[column] >> zeros).wrapping_neg();
                add_multiple(vector, row, factor);
            }
        }
    }

    fn contains(&self, mut vector: Vector) -> bool {
        self.reduce(&mut vector);
        vector.iter().all(|&entry| entry == 0)
    }

    /// Keeps the elements whose product with a vector is zero, and moves a point by an element so
    /// that its product becomes zero; false if none does that.
    fn annihilate(&mut self, form: &[u64], constant: u64, point: &mut Vector) -> bool {
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

impl Modular {
    /// All values of some variables, given in order.
    pub(crate) fn top(vars: Vec<VarId>) -> Self {
        Modular {
            point: vec![0; vars.len()],
            span: Span::all(vars.len()),
            vars,
        }
    }

    fn position(&self, var: VarId) -> Option<usize> {
        self.vars.binary_search(&var).ok()
    }

    fn form(&self, residue: &Residue) -> Option<Vector> {
        let mut form = vec![0; self.vars.len()];
        for &(var, factor) in &residue.terms {
            form[self.position(var)?] = factor;
        }
        Some(form)
    }

    /// What a linear form is equal to, and modulo which power of two.
    pub(crate) fn class(&self, residue: &Residue) -> Option<(u32, u64)> {
        let form = self.form(residue)?;
        let product = |vector: &Vector| {
            let parts = vector.iter().zip(&form).map(|(a, b)| a.wrapping_mul(*b));
            parts.fold(0u64, u64::wrapping_add)
        };
        let bits = self.span.rows().map(|row| product(row).trailing_zeros());
        let bits = bits.min().unwrap_or(64).min(residue.bits);
        Some((bits, product(&self.point).wrapping_add(residue.constant)))
    }

    /// Keeps what makes a linear form zero modulo its power of two; `None` if nothing is left.
    pub(crate) fn meet(&mut self, residue: &Residue) -> Option<()> {
        let scale = power(64 - residue.bits);
        if let Some(mut form) = self.form(residue) {
            form.iter_mut()
                .for_each(|entry| *entry = entry.wrapping_mul(scale));
            let constant = residue.constant.wrapping_mul(scale);
            if !self.span.annihilate(&form, constant, &mut self.point) {
                return None;
            }
            self.normalise();
        }
        Some(())
    }

    /// Sets a variable to a linear form, as far as that is known.
    pub(crate) fn assign(&mut self, var: VarId, residue: &Residue) {
        let Some(position) = self.position(var) else {
            return;
        };
        let (form, bits) = match self.form(residue) {
            Some(form) => (form, residue.bits),
            None => (vec![0; self.vars.len()], 0),
        };
        let product = |vector: &Vector| {
            let parts = vector.iter().zip(&form).map(|(a, b)| a.wrapping_mul(*b));
            parts.fold(0u64, u64::wrapping_add)
        };
        let value = product(&self.point).wrapping_add(residue.constant);
        let mut span = Span::zero(self.vars.len());
        for row in self.span.rows() {
            let mut row = row.clone();
            row[position] = product(&row);
            span.insert(row);
        }
        let mut free = vec![0; self.vars.len()];
        free[position] = power(bits);
        span.insert(free);
        self.point[position] = value;
        self.span = span;
        self.normalise();
    }

    /// Over other variables, given in order; new ones have any value.
    pub(crate) fn over(&self, vars: &[VarId]) -> Modular {
        if self.vars == vars {
            return self.clone();
        }
        let from: Vec<Option<usize>> = vars.iter().map(|&var| self.position(var)).collect();
        let pick = |vector: &Vector| -> Vector {
            from.iter()
                .map(|at| at.map_or(0, |at| vector[at]))
                .collect()
        };
        let mut span = Span::zero(vars.len());
        for row in self.span.rows() {
            span.insert(pick(row));
        }
        for (position, _) in from.iter().enumerate().filter(|(_, at)| at.is_none()) {
            let mut free = vec![0; vars.len()];
            free[position] = 1;
            span.insert(free);
        }
        let mut result = Modular {
            vars: vars.to_vec(),
            point: pick(&self.point),
            span,
        };
        result.normalise();
        result
    }

    pub(crate) fn join(&self, other: &Modular) -> Modular {
        debug_assert_eq!(self.vars, other.vars);
        let mut result = self.clone();
        for row in other.span.rows() {
            result.span.insert(row.clone());
        }
        let mut apart = other.point.clone();
        add_multiple(&mut apart, &self.point, u64::MAX);
        result.span.insert(apart);
        result.normalise();
        result
    }

    pub(crate) fn is_subset(&self, other: &Modular) -> bool {
        debug_assert_eq!(self.vars, other.vars);
        let mut apart = self.point.clone();
        add_multiple(&mut apart, &other.point, u64::MAX);
        other.span.contains(apart) && self.span.rows().all(|row| other.span.contains(row.clone()))
    }

    /// Keeps the numbers of the point small.
    fn normalise(&mut self) {
        self.span.reduce(&mut self.point);
    }

    /// The equalities that hold, each with small factors where there are some.
    pub(crate) fn equalities(&self) -> Vec<Equality> {
        let columns = self.vars.len();
        // A constant stands in the last column.
        let mut holds = Span::all(columns + 1);
        let mut nothing = vec![0; columns + 1];
        for row in self.span.rows() {
            let form: Vector = row.iter().copied().chain([0]).collect();
            holds.annihilate(&form, 0, &mut nothing);
        }
        let form: Vector = self.point.iter().copied().chain([1]).collect();
        holds.annihilate(&form, 0, &mut nothing);
        holds.rows().filter_map(|row| self.small(row)).collect()
    }

    /// An equality with small factors.
    fn small(&self, row: &Vector) -> Option<Equality> {
        const LARGEST: i64 = 1 << 20;
        let (constant, factors) = row.split_last()?;
        let zeros = factors.iter().map(|entry| entry.trailing_zeros()).min()?;
        if zeros == 64 {
            return None;
        }
        let bits = 64 - zeros;
        let signed = |entry: u64| (((entry >> zeros) << zeros) as i64) >> zeros;
        let mut best: Option<(i64, Vec<i64>, i64)> = None;
        for &entry in factors {
            if entry == 0 || entry.trailing_zeros() != zeros {
                continue;
            }
            for times in [1u64, 3, 5, 7, 9, 11] {
                let scale = unit(entry).wrapping_mul(times);
                let scaled: Vec<i64> = factors
                    .iter()
                    .map(|factor| signed(factor.wrapping_mul(scale)))
                    .collect();
                let most = scaled.iter().map(|factor| factor.saturating_abs()).max()?;
                if best.as_ref().is_none_or(|best| most < best.0) {
                    best = Some((most, scaled, signed(constant.wrapping_mul(scale))));
                }
            }
        }
        let (most, factors, constant) = best?;
        if most > LARGEST {
            return None;
        }
        let terms = self
            .vars
            .iter()
            .copied()
            .zip(factors)
            .filter(|term| term.1 != 0);
        Some(Equality {
            terms: terms.collect(),
            constant,
            bits,
        })
    }
}
