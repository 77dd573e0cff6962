//! Elimination over the rationals, without divisibility.
//!
//! An equality is solved for a key; otherwise each lower bound is combined with each upper bound,
//! as long as that creates few rows. After that a model decides: its greatest lower bound, or its
//! least upper bound, is combined with all the others.
//!
//! # Paper
//! Fourier-Motzkin elimination with the choice by a model of [komuravelli2014smt].
//!
//! # Invariants
//! - The rows hold in the model at all times.

use super::bounds::{between, substituted, tightest, weaker};
use super::row::{Relation, Row, tidy};
use logic::Integer;
use logic::sparse::Signed;
use std::collections::BTreeMap;

/// How many more rows an elimination may make than it removes.
const GROWTH: usize = 2;

/// Comparisons of integers without some keys. They hold in the model, and imply that rational
/// values of these keys exist, or values that miss an integer by rounding.
pub fn relaxed<K: Copy + Ord>(
    rows: Vec<Row<K, Integer>>,
    mut open: Vec<K>,
    values: &BTreeMap<K, Integer>,
) -> Vec<Row<K, Integer>> {
    let mut rows = tidy(rows);
    while let Some(place) = (0..open.len()).min_by_key(|&place| cost(&rows, open[place])) {
        rows = tidy(without(rows, open.swap_remove(place), values));
    }
    rows
}

/// What it costs to eliminate a key: equalities first, else by how many rows there are after it.
fn cost<K: Copy + Ord>(rows: &[Row<K, Integer>], key: K) -> (bool, Integer, i64) {
    let (mut lower, mut upper) = (0i64, 0i64);
    let mut solved: Option<Integer> = None;
    for row in rows {
        let Some(factor) = row.sum.coefficient(key) else {
            continue;
        };
        match row.relation == Relation::IsZero {
            true => {
                let size = factor.abs();
                solved = Some(solved.map_or(size.clone(), |other| other.min(size)));
            }
            false if factor.signum() < 0 => lower += 1,
            false => upper += 1,
        }
    }
    match solved {
        Some(size) => (false, size, 0),
        None => (true, Integer::ZERO, lower * upper - lower - upper),
    }
}

/// The rows, all of them comparisons, without a key.
pub(super) fn without<K: Copy + Ord, C: Signed>(
    rows: Vec<Row<K, C>>,
    key: K,
    values: &BTreeMap<K, C>,
) -> Vec<Row<K, C>> {
    let (touched, mut kept): (Vec<_>, Vec<_>) =
        (rows.into_iter()).partition(|row| row.sum.coefficient(key).is_some());
    let equalities = touched
        .iter()
        .filter(|row| row.relation == Relation::IsZero);
    if let Some(equality) = equalities.min_by_key(|row| row.factor(key).abs()) {
        let others = touched.iter().filter(|row| *row != equality);
        kept.extend(others.map(|row| substituted(key, row, equality)));
        return kept;
    }
    let (lower, upper): (Vec<_>, Vec<_>) =
        (touched.into_iter()).partition(|row| row.factor(key).signum() < 0);
    if lower.len() * upper.len() <= lower.len() + upper.len() + GROWTH {
        for low in &lower {
            kept.extend(upper.iter().map(|high| between(key, low, high)));
        }
        return kept;
    }
    let (near, far) = match lower.len() <= upper.len() {
        true => (&lower, &upper),
        false => (&upper, &lower),
    };
    let bound = tightest(key, near, values).expect("there should be a bound on either side");
    let others = near.iter().filter(|row| *row != bound);
    kept.extend(others.map(|row| weaker(key, row, bound)));
    kept.extend(far.iter().map(|row| between(key, bound, row)));
    kept
}
