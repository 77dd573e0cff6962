//! Octagons: conjunctions of `±x ± y ≤ c` over the integers.
//!
//! A matrix of bounds over the signed forms of the variables: form `2k` is `x_k`, form `2k + 1` is
//! `-x_k`, and the entry of two forms bounds their difference. Entries beyond ±2^60 are not kept.
//!
//! # Paper
//! [mine2006octagon]: the representation, strong closure, widening. The closure after one new
//! constraint takes quadratic time, as in [chawdhary2019incrementally], with the rounding of unary
//! bounds that makes it tight over the integers.
//!
//! # Invariants
//! - The matrix is coherent: `f - g` and `(-g) - (-f)` have the same bound.
//! - It is tightly closed but after [`Octagon::widen`], until [`Octagon::close`].

mod facts;
#[cfg(test)]
mod tests;

use program::ir::VarId;

/// No bound.
pub(crate) const NONE: i64 = i64::MAX;

/// Larger bounds are not kept.
const LARGEST: i64 = 1 << 60;

/// A signed form of a variable: `x` or `-x`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Form {
    pub(crate) var: VarId,
    pub(crate) negative: bool,
}

impl Form {
    /// `x`, or `-x` if the sign is negative.
    pub(crate) fn signed(var: VarId, sign: i128) -> Form {
        let negative = sign < 0;
        Form { var, negative }
    }
}

/// A conjunction of octagonal constraints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Octagon {
    /// In order.
    vars: Vec<VarId>,
    bounds: Vec<i64>,
}

/// The sum of two bounds.
fn plus(a: i64, b: i64) -> i64 {
    if a == NONE || b == NONE {
        return NONE;
    }
    let sum = a + b;
    if sum.abs() > LARGEST { NONE } else { sum }
}

/// A bound as an entry.
fn entry(bound: i128) -> i64 {
    match i64::try_from(bound) {
        Ok(bound) if (-LARGEST..=LARGEST).contains(&bound) => bound,
        _ => NONE,
    }
}

impl Octagon {
    /// No constraint on some variables, given in order.
    pub(crate) fn top(vars: Vec<VarId>) -> Self {
        let size = 2 * vars.len();
        let mut bounds = vec![NONE; size * size];
        for form in 0..size {
            bounds[form * size + form] = 0;
        }
        Octagon { vars, bounds }
    }

    pub(crate) fn vars(&self) -> &[VarId] {
        &self.vars
    }

    pub(crate) fn position(&self, var: VarId) -> Option<usize> {
        self.vars.binary_search(&var).ok()
    }

    fn size(&self) -> usize {
        2 * self.vars.len()
    }

    fn at(&self, row: usize, column: usize) -> i64 {
        self.bounds[row * self.size() + column]
    }

    /// The number of the form `x` or `-x`.
    fn number(&self, form: Form) -> Option<usize> {
        let position = self.position(form.var)?;
        Some(2 * position + usize::from(form.negative))
    }

    /// The upper bound of the sum of two forms of different variables, or of twice a form.
    pub(crate) fn bound(&self, a: Form, b: Form) -> Option<i128> {
        let (a, b) = (self.number(a)?, self.number(b)?);
        let bound = self.at(a, b ^ 1);
        (bound != NONE).then_some(i128::from(bound))
    }

    /// The bounds of a variable.
    pub(crate) fn interval(&self, position: usize) -> (Option<i128>, Option<i128>) {
        let half = |bound: i64| (bound != NONE).then(|| i128::from(bound).div_euclid(2));
        let (low, high) = (
            half(self.at(2 * position + 1, 2 * position)),
            half(self.at(2 * position, 2 * position + 1)),
        );
        (low.map(|low| -low), high)
    }

    /// Adds `form ≤ bound`; `None` if nothing is left.
    pub(crate) fn bound_form(&mut self, form: Form, bound: i128) -> Option<()> {
        let Some(number) = self.number(form) else {
            return Some(());
        };
        self.add(number, number ^ 1, entry(bound.saturating_mul(2)))
    }

    /// Adds `a + b ≤ bound` for forms of different variables; `None` if nothing is left.
    pub(crate) fn bound_sum(&mut self, a: Form, b: Form, bound: i128) -> Option<()> {
        let (Some(a), Some(b)) = (self.number(a), self.number(b)) else {
            return Some(());
        };
        self.add(a, b ^ 1, entry(bound))
    }

    /// Adds `row - column ≤ bound` to a closed matrix and closes it.
    fn add(&mut self, row: usize, column: usize, bound: i64) -> Option<()> {
        if bound >= self.at(row, column) {
            return Some(());
        }
        let size = self.size();
        let (opposite_row, opposite_column) = (row ^ 1, column ^ 1);
        let to_column = self.at(column, opposite_column);
        let to_row = self.at(opposite_row, row);
        // Ways from a form to the row, over the new constraint once or twice, to the column.
        let there = |from: usize| {
            let direct = plus(self.at(from, row), bound);
            let back = plus(self.at(from, opposite_column), bound);
            let over = plus(plus(back, to_row), bound);
            let other = plus(plus(direct, to_column), bound);
            (direct.min(over), back.min(other))
        };
        let ways: Vec<(i64, i64)> = (0..size).map(there).collect();
        let ends: Vec<(i64, i64)> = (0..size)
            .map(|to| (self.at(column, to), self.at(opposite_row, to)))
            .collect();
        for (from, &(direct, back)) in ways.iter().enumerate() {
            if direct == NONE && back == NONE {
                continue;
            }
            let line = &mut self.bounds[from * size..][..size];
            for (entry, end) in line.iter_mut().zip(&ends) {
                *entry = (*entry).min(plus(direct, end.0)).min(plus(back, end.1));
            }
        }
        self.tighten()
    }

    /// Rounds unary bounds and combines them in pairs; `None` if nothing is left.
    fn tighten(&mut self) -> Option<()> {
        let size = self.size();
        let mut halves = Vec::with_capacity(size);
        for form in 0..size {
            let bound = &mut self.bounds[form * size + (form ^ 1)];
            if *bound != NONE {
                *bound -= bound.rem_euclid(2);
            }
            halves.push(if *bound == NONE { NONE } else { *bound / 2 });
        }
        for form in (0..size).step_by(2) {
            if plus(halves[form], halves[form + 1]) < 0 {
                return None;
            }
        }
        for row in 0..size {
            if self.at(row, row) < 0 {
                return None;
            }
            let half = halves[row];
            if half == NONE {
                continue;
            }
            for column in 0..size {
                let entry = &mut self.bounds[row * size + column];
                *entry = (*entry).min(plus(half, halves[column ^ 1]));
            }
        }
        Some(())
    }

    /// Closes the matrix; `None` if nothing is left.
    pub(crate) fn close(&mut self) -> Option<()> {
        let size = self.size();
        for via in 0..size {
            let through: Vec<i64> = self.bounds[via * size..][..size].to_vec();
            for row in 0..size {
                let first = self.at(row, via);
                if first == NONE {
                    continue;
                }
                let line = &mut self.bounds[row * size..][..size];
                for (entry, &second) in line.iter_mut().zip(&through) {
                    *entry = (*entry).min(plus(first, second));
                }
            }
        }
        self.tighten()
    }

    /// Says nothing of a variable any more.
    pub(crate) fn forget(&mut self, var: VarId) {
        let Some(position) = self.position(var) else {
            return;
        };
        let size = self.size();
        for form in [2 * position, 2 * position + 1] {
            for other in 0..size {
                if other != form {
                    self.bounds[form * size + other] = NONE;
                    self.bounds[other * size + form] = NONE;
                }
            }
        }
    }

    /// `var := form + c` for some `c` between two bounds; the form may be of the variable itself.
    pub(crate) fn assign(&mut self, var: VarId, form: Form, low: i128, high: i128) {
        let (Some(position), Some(from)) = (self.position(var), self.number(form)) else {
            return self.forget(var);
        };
        let size = self.size();
        let (up, down) = (entry(high), entry(-low));
        let (new, turned) = (2 * position, 2 * position + 1);
        let is_other = |other: &usize| other / 2 != position;
        // Bounds of ±form against the others, and of twice the form.
        let others: Vec<(usize, i64, i64)> = (0..size)
            .filter(is_other)
            .map(|other| (other, self.at(from, other), self.at(from ^ 1, other)))
            .collect();
        let (twice, twice_turned) = (self.at(from, from ^ 1), self.at(from ^ 1, from));
        self.forget(var);
        for (other, above, below) in others {
            let (above, below) = (plus(above, up), plus(below, down));
            self.bounds[new * size + other] = above;
            self.bounds[(other ^ 1) * size + turned] = above;
            self.bounds[turned * size + other] = below;
            self.bounds[(other ^ 1) * size + new] = below;
        }
        self.bounds[new * size + turned] = plus(plus(twice, up), up);
        self.bounds[turned * size + new] = plus(plus(twice_turned, down), down);
    }

    /// Over other variables, given in order: forgets those that are not there, and says nothing of
    /// new ones.
    pub(crate) fn over(&self, vars: &[VarId]) -> Octagon {
        if self.vars == vars {
            return self.clone();
        }
        let mut result = Octagon::top(vars.to_vec());
        let kept: Vec<(usize, usize)> = (vars.iter().enumerate())
            .filter_map(|(new, &var)| Some((self.position(var)?, new)))
            .collect();
        let size = result.size();
        for &(old_row, row) in &kept {
            for &(old_column, column) in &kept {
                for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    result.bounds[(2 * row + a) * size + 2 * column + b] =
                        self.at(2 * old_row + a, 2 * old_column + b);
                }
            }
        }
        result
    }

    /// Whether this (closed) implies the other, over the same variables.
    pub(crate) fn implies(&self, other: &Octagon) -> bool {
        debug_assert_eq!(self.vars, other.vars);
        self.bounds
            .iter()
            .zip(&other.bounds)
            .all(|(ours, theirs)| ours <= theirs)
    }

    /// The least octagon that holds both, closed ones over the same variables.
    pub(crate) fn join(&self, other: &Octagon) -> Octagon {
        debug_assert_eq!(self.vars, other.vars);
        let pairs = self.bounds.iter().zip(&other.bounds);
        Octagon {
            vars: self.vars.clone(),
            bounds: pairs.map(|(a, b)| *a.max(b)).collect(),
        }
    }

    /// Holds both; what grew goes to the next of the thresholds (in order) or is dropped. Only the
    /// second is closed.
    pub(crate) fn widen(&self, new: &Octagon, thresholds: &[i128]) -> Octagon {
        debug_assert_eq!(self.vars, new.vars);
        let mut result = self.clone();
        let size = self.size();
        for (index, (entry, &new)) in result.bounds.iter_mut().zip(&new.bounds).enumerate() {
            if new <= *entry {
                continue;
            }
            let is_unary = index / size == (index % size) ^ 1;
            let factor = if is_unary { 2 } else { 1 };
            let wanted = i128::from(new).div_euclid(factor) + i128::from(new).rem_euclid(factor);
            let next = thresholds.partition_point(|&at| at < wanted);
            *entry = match thresholds.get(next) {
                Some(&threshold) if new != NONE => self::entry(threshold * factor),
                Some(_) | None => NONE,
            };
        }
        result
    }
}
