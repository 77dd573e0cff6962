//! Lattices: the congruences that the values of terms satisfy.
//!
//! The differences of the models so far generate a lattice. In coordinates in which it is diagonal,
//! each number on the diagonal that is neither zero nor one is the modulus of a congruence; the
//! zeros are equalities. The solver is asked for a model that violates one, which refines the
//! lattice.

use super::{Abstraction, ModelAnswer};
use crate::vector::{dot, unit};
use logic::{Integer, TermId, TermStore};
use std::fmt;

/// How many models may be asked for beyond those that the affine hull takes.
const MODELS: usize = 60;

/// That `coefficients·x` and `remainder` have the same rest modulo `modulus`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Congruence {
    /// One for each dimension, at least zero and below the modulus.
    pub coefficients: Vec<Integer>,
    /// At least zero and below the modulus.
    pub remainder: Integer,
    /// At least two.
    pub modulus: Integer,
}

impl Congruence {
    /// Congruences, independent of each other, that hold at all of some points, as far as
    /// equalities do not say as much.
    pub fn of_points(points: &[Vec<Integer>]) -> Vec<Congruence> {
        let first = points.first();
        first.map_or(Vec::new(), |first| congruences(first, points))
    }

    /// The congruence as a formula over terms.
    pub fn to_term(&self, store: &mut TermStore, terms: &[TermId]) -> TermId {
        let parts = terms.iter().copied().zip(self.coefficients.iter().cloned());
        let sum = store.linear(&-&self.remainder, &parts.collect::<Vec<_>>());
        store.divides(&self.modulus, sum)
    }
}

impl fmt::Display for Congruence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum = crate::Row::equality(self.coefficients.clone(), -&self.remainder).to_string();
        write!(f, "{} (mod {})", sum.replace(" = ", " == "), self.modulus)
    }
}

impl Abstraction<'_> {
    /// Congruences, independent of each other, that describe the least coset of a lattice with all
    /// values of the terms in it, as far as equalities do not. Fewer where the solver gives up.
    pub fn lattice(&mut self, terms: &[TermId]) -> Vec<Congruence> {
        let terms = self.prepared(terms);
        // Models in all directions there are.
        let _ = self.affine_hull(&terms);
        self.sample(&terms);
        let mut points = self.points(&terms);
        let Some(first) = points.first().cloned() else {
            return Vec::new();
        };
        let mut left = MODELS;
        loop {
            let congruences = congruences(&first, &points);
            let facts: Vec<TermId> = (congruences.iter())
                .map(|congruence| congruence.to_term(self.store, &terms))
                .collect();
            let broken = self.store.not_all(&facts);
            if self.store.as_bool(broken) == Some(false) {
                return congruences;
            }
            let found = match left {
                0 => ModelAnswer::Unknown,
                _ => self.model_where(broken),
            };
            left = left.saturating_sub(1);
            match found {
                ModelAnswer::Nothing => return congruences,
                ModelAnswer::Model(model) => points.push(self.point(&terms, model)),
                ModelAnswer::Unknown => return self.entailed(congruences, &facts),
            }
        }
    }
}

/// The congruences that all points satisfy.
pub(super) fn congruences(first: &[Integer], points: &[Vec<Integer>]) -> Vec<Congruence> {
    let difference = |point: &Vec<Integer>| -> Vec<Integer> {
        point.iter().zip(first).map(|(a, b)| a - b).collect()
    };
    let mut rows: Vec<Vec<Integer>> = points.iter().map(difference).collect();
    let size = first.len();
    let forms = diagonal(&mut rows, size);
    let congruence = |(form, modulus): (Vec<Integer>, Integer)| {
        let coefficients: Vec<Integer> = form
            .iter()
            .map(|factor| factor.mod_floor(&modulus))
            .collect();
        let remainder = dot(&coefficients, first).mod_floor(&modulus);
        Congruence {
            coefficients,
            remainder,
            modulus,
        }
    };
    let two = Integer::from(2i64);
    let proper = forms.into_iter().filter(|(_, modulus)| *modulus >= two);
    proper.map(congruence).collect()
}

/// Makes the rows diagonal by steps that keep the lattice, in other coordinates; returns each
/// coordinate as a sum of the old ones, and its entry on the diagonal.
fn diagonal(rows: &mut Vec<Vec<Integer>>, size: usize) -> Vec<(Vec<Integer>, Integer)> {
    // The new coordinates, as columns of factors of the old ones.
    let mut forms: Vec<Vec<Integer>> = (0..size).map(|place| unit(size, place)).collect();
    let mut moduli: Vec<Integer> = Vec::new();
    while moduli.len() < size {
        let done = moduli.len();
        rows.retain(|row| row[done..].iter().any(|entry| !entry.is_zero()));
        let entries = rows.iter().enumerate().flat_map(|(at, row)| {
            let entries = row.iter().enumerate().skip(done);
            entries.map(move |(column, entry)| (entry.abs(), at, column))
        });
        let least = entries.filter(|(size, _, _)| !size.is_zero()).min();
        let Some((_, at, column)) = least else {
            break;
        };
        forms.swap(done, column);
        for row in rows.iter_mut() {
            row.swap(done, column);
        }
        let pivot = rows[at].clone();
        let mut is_alone = true;
        // The other rows, below the pivot.
        for (other, row) in rows.iter_mut().enumerate() {
            if other != at && !row[done].is_zero() {
                let times = row[done].div_floor(&pivot[done]);
                for (entry, by) in row.iter_mut().zip(&pivot).skip(done) {
                    *entry = &*entry - &(&times * by);
                }
                is_alone &= row[done].is_zero();
            }
        }
        // The other columns, beside the pivot: a new coordinate takes up the old one.
        for place in done + 1..size {
            if pivot[place].is_zero() {
                continue;
            }
            let times = pivot[place].div_floor(&pivot[done]);
            for row in rows.iter_mut() {
                row[place] = &row[place] - &(&times * &row[done]);
            }
            let by = forms[done].clone();
            for (factor, by) in forms[place].iter_mut().zip(&by) {
                *factor = &*factor - &(&times * by);
            }
            is_alone &= rows[at][place].is_zero();
        }
        if is_alone {
            moduli.push(rows.swap_remove(at)[done].abs());
        }
    }
    moduli.resize(size, Integer::ZERO);
    forms.into_iter().zip(moduli).collect()
}
