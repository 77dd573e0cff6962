//! Linear equalities modulo powers of two.
//!
//! An affine set over the integers modulo 2^64: a point and generators. It represents the relations
//! that survive the wrapping of machine integers: the result of an assignment that wraps at 2^w is
//! known modulo 2^w. Where the numbers are small, an equality modulo 2^64 is an equality.
//!
//! # Paper
//! [mullerolm2007analysis]. The generators are kept in the echelon form of [howell1986spans], so
//! that membership can be decided by reduction.
//!
//! # Invariants
//! - Each generator has a pivot, a power of two, left of which it is zero; pivots differ. The
//!   generators with zeros in the first columns span all elements that have zeros there.

mod equalities;
mod residue;
mod span;
#[cfg(test)]
mod tests;

pub(crate) use residue::Residue;

use program::ir::VarId;
use span::{Span, Vector, add_multiple, power};

/// An affine set over the integers modulo 2^64.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Modular {
    /// In order.
    vars: Vec<VarId>,
    point: Vector,
    span: Span,
}

/// An equality `Σ aᵢ·xᵢ + c ≡ 0` modulo 2^bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Equality {
    pub(crate) terms: Vec<(VarId, i64)>,
    pub(crate) constant: i64,
    pub(crate) bits: u32,
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
        let terms = residue.terms.iter();
        let places: Option<Vec<(usize, u64)>> = terms
            .map(|&(var, factor)| Some((self.position(var)?, factor)))
            .collect();
        let places = places?;
        // Most forms have few terms.
        let product = |vector: &Vector| {
            let parts = places
                .iter()
                .map(|&(at, factor)| vector[at].wrapping_mul(factor));
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
}
