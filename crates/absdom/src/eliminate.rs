//! Rows without some dimensions: those of a projection, or of a piece of it around a model.
//!
//! An equality is solved for a dimension; otherwise each lower bound is put against each upper
//! bound, as long as that makes few rows. After that a model decides: its greatest lower bound, or
//! its least upper bound, is put against all the others. Without a model, the rows of the
//! dimension are dropped.
//!
//! # Paper
//! Fourier's method with the choice by a model of [komuravelli2014smt], over the rationals.
//!
//! # Invariants
//! - With a model: the rows hold there, all the time.
//! - Without one: the rows hold in the projection.

use crate::row::{Kind, Row};
use crate::vector::combine;
use logic::Integer;
use std::collections::BTreeMap;

/// How many more rows an elimination may make than it removes.
const GROWTH: usize = 2;

/// What elimination goes by.
#[derive(Clone, Copy)]
pub(crate) struct Elimination<'a> {
    /// A point where the rows hold, if the result may be a piece of the projection.
    pub(crate) model: Option<&'a [Integer]>,
    /// Whether only points of integers matter.
    pub(crate) integers: bool,
}

impl Elimination<'_> {
    /// The rows without the dimensions to drop, whose coefficients are zero then.
    pub(crate) fn run(&self, rows: Vec<Row>, drop: &[usize]) -> Vec<Row> {
        let mut rows = self.tidy(rows);
        let mut open = drop.to_vec();
        while let Some(place) = easiest(&rows, &open) {
            let dimension = open.swap_remove(place);
            rows = self.tidy(self.without(rows, dimension));
        }
        rows
    }

    fn without(&self, rows: Vec<Row>, dimension: usize) -> Vec<Row> {
        let factor = |row: &Row| row.coefficients[dimension].clone();
        let is_equality = |row: &&Row| row.kind == Kind::Equality && !factor(row).is_zero();
        let solved = rows
            .iter()
            .filter(is_equality)
            .min_by_key(|row| factor(row).abs());
        if let Some(equality) = solved.cloned() {
            let others = rows.into_iter().filter(|row| *row != equality);
            return others
                .map(|row| substituted(row, &equality, dimension))
                .collect();
        }
        let (mut kept, touched): (Vec<Row>, Vec<Row>) =
            rows.into_iter().partition(|row| factor(row).is_zero());
        let (lower, upper): (Vec<Row>, Vec<Row>) =
            (touched.into_iter()).partition(|row| factor(row).signum() > 0);
        let few = lower.len() * upper.len() <= lower.len() + upper.len() + GROWTH;
        match self.model {
            _ if few => {
                for low in &lower {
                    kept.extend(upper.iter().map(|high| between(low, high, dimension)));
                }
            }
            None => {}
            Some(model) => {
                let (near, far) = match lower.len() <= upper.len() {
                    true => (&lower, &upper),
                    false => (&upper, &lower),
                };
                let bound = nearest(near, dimension, model);
                for other in near.iter().filter(|row| *row != bound) {
                    kept.push(weaker(other, bound, dimension));
                }
                kept.extend(far.iter().map(|other| between(bound, other, dimension)));
            }
        }
        kept
    }

    /// Rows in normal form, of parallel ones the tightest, and equalities where two say so.
    fn tidy(&self, rows: Vec<Row>) -> Vec<Row> {
        let mut bounds: BTreeMap<Vec<Integer>, Integer> = BTreeMap::new();
        let mut tidied = Vec::new();
        for row in rows {
            let row = match self.integers {
                true => row.tightened(),
                false => row.normal(),
            };
            if row.is_trivial() || tidied.contains(&row) {
                continue;
            }
            if row.is_contradiction() {
                return vec![row];
            }
            if row.kind == Kind::Equality {
                tidied.push(row);
                continue;
            }
            // Without integers, parallel rows may differ in scale: then both stay.
            let constant = bounds
                .entry(row.coefficients)
                .or_insert(row.constant.clone());
            if row.constant < *constant {
                *constant = row.constant;
            }
        }
        for (coefficients, constant) in &bounds {
            let opposite: Vec<Integer> = coefficients.iter().map(|factor| -factor).collect();
            let is_tight = bounds
                .get(&opposite)
                .is_some_and(|other| *other == -constant);
            let mut row = Row::at_least(coefficients.clone(), constant.clone());
            if is_tight {
                row = Row::equality(coefficients.clone(), constant.clone()).normal();
            }
            if !tidied.contains(&row) {
                tidied.push(row);
            }
        }
        tidied
    }
}

/// The place of the dimension to eliminate next: one with an equality, else with few new rows.
fn easiest(rows: &[Row], open: &[usize]) -> Option<usize> {
    let cost = |dimension: usize| {
        let (mut lower, mut upper) = (0i64, 0i64);
        let mut solved = None;
        for row in rows {
            let factor = &row.coefficients[dimension];
            match (row.kind, factor.signum()) {
                (_, 0) => {}
                (Kind::Equality, _) => {
                    let size = factor.abs();
                    solved = Some(solved.map_or(size.clone(), |other: Integer| other.min(size)));
                }
                (Kind::AtLeast, 1) => lower += 1,
                (Kind::AtLeast, _) => upper += 1,
            }
        }
        match solved {
            Some(size) => (0, size, 0),
            None => (1, Integer::ZERO, lower * upper - lower - upper),
        }
    };
    (0..open.len()).min_by_key(|&place| cost(open[place]))
}

/// The row with a dimension as an equality says.
fn substituted(row: Row, equality: &Row, dimension: usize) -> Row {
    let (own, other) = (
        &row.coefficients[dimension],
        &equality.coefficients[dimension],
    );
    if own.is_zero() {
        return row;
    }
    let sign = Integer::from(-i64::from(other.signum()));
    combined(&row, &other.abs(), equality, &(own * &sign))
}

/// That a lower and an upper bound, in either order, leave room.
fn between(a: &Row, b: &Row, dimension: usize) -> Row {
    let (x, y) = (&a.coefficients[dimension], &b.coefficients[dimension]);
    combined(a, &y.abs(), b, &x.abs())
}

/// That a bound is no tighter than another one of the same side.
fn weaker(other: &Row, bound: &Row, dimension: usize) -> Row {
    let (x, y) = (
        &other.coefficients[dimension],
        &bound.coefficients[dimension],
    );
    combined(other, &y.abs(), bound, &-&x.abs())
}

fn combined(a: &Row, x: &Integer, b: &Row, y: &Integer) -> Row {
    Row::of_vector(&combine(x, &a.to_vector(), y, &b.to_vector()), a.kind)
}

/// The bound that is nearest to the model.
fn nearest<'a>(rows: &'a [Row], dimension: usize, model: &[Integer]) -> &'a Row {
    let first = rows.iter().min_by(|a, b| {
        // The distance is the sum by the factor.
        let x = &a.integer_value(model) * &b.coefficients[dimension].abs();
        let y = &b.integer_value(model) * &a.coefficients[dimension].abs();
        x.cmp(&y)
    });
    first.expect("there should be a bound on either side")
}
