//! One question about one formula, with a solver of its own.

use super::{Abstraction, Bounds, Congruence, Limits};
use crate::{Polyhedron, Row};
use base::Budget;
use logic::{TermId, TermStore};

/// All affine equalities among terms that a formula entails; see [`Abstraction::affine_hull`].
pub fn affine_hull(
    store: &mut TermStore,
    formula: TermId,
    terms: &[TermId],
    budget: &Budget,
) -> Vec<Row> {
    Abstraction::new(store, formula, budget).affine_hull(terms)
}

/// The least and the greatest value of each term; see [`Abstraction::bounds`].
pub fn bounds(
    store: &mut TermStore,
    formula: TermId,
    terms: &[TermId],
    budget: &Budget,
) -> Option<Vec<Bounds>> {
    Abstraction::new(store, formula, budget).bounds(terms)
}

/// Bounds of terms and of their differences; see [`Abstraction::zone_bounds`].
pub fn zone_bounds(
    store: &mut TermStore,
    formula: TermId,
    terms: &[TermId],
    budget: &Budget,
) -> Vec<Row> {
    Abstraction::new(store, formula, budget).zone_bounds(terms)
}

/// Bounds of terms, of their differences and sums; see [`Abstraction::octagon_bounds`].
pub fn octagon_bounds(
    store: &mut TermStore,
    formula: TermId,
    terms: &[TermId],
    budget: &Budget,
) -> Vec<Row> {
    Abstraction::new(store, formula, budget).octagon_bounds(terms)
}

/// The convex hull of the values of terms; see [`Abstraction::convex_hull`].
pub fn convex_hull(
    store: &mut TermStore,
    formula: TermId,
    terms: &[TermId],
    limits: Limits,
    budget: &Budget,
) -> Polyhedron {
    Abstraction::new(store, formula, budget).convex_hull(terms, limits)
}

/// The congruences of the values of terms; see [`Abstraction::lattice`].
pub fn lattice(
    store: &mut TermStore,
    formula: TermId,
    terms: &[TermId],
    budget: &Budget,
) -> Vec<Congruence> {
    Abstraction::new(store, formula, budget).lattice(terms)
}
