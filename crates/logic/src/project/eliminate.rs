//! Eliminating one variable after the other from the rows.
//!
//! An equality is solved for the variable, times its factor, with a divisibility beside it: that
//! loses nothing. Neither does a variable without lower or without upper bounds. Otherwise each
//! lower bound `l <= a*x` is put against each upper bound `b*x <= u`: there is an `x` of the right
//! remainder modulo M in between if `a*u - b*l` is at least `(a*M-1)*(b*M-1)/M`, and only if,
//! where a or b and M are 1. If that does not hold in the model, `x` is set beside its greatest
//! lower or least upper bound as in the model, or, if it has few values, to its value.
//!
//! # Paper
//! The dark shadow is of [pugh1991omega], the test points are Cooper's, the choice by a model is
//! [komuravelli2014smt]'s.

use super::Projection;
use super::row::{Relation, Row, Var, extended_gcd};
use crate::Integer;
use std::collections::BTreeMap;

/// How well a variable can be eliminated, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ease {
    UnitEquality,
    Unbounded,
    Equality,
    UnitBounds,
    Other,
}

impl Projection<'_> {
    pub(super) fn eliminate_all(&mut self) {
        loop {
            self.tidy();
            let easiest = self.open.iter().min_by_key(|&&var| self.ease(var)).copied();
            let Some(var) = easiest else {
                return;
            };
            self.eliminate(var);
            self.open.remove(&var);
        }
    }

    /// Rows in normal form, only the tightest of parallel bounds, and no two bounds where an
    /// equality says it.
    fn tidy(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let mut bounds: BTreeMap<Vec<(Var, Integer)>, Row> = BTreeMap::new();
        for row in rows {
            debug_assert!(row.holds(&self.values), "a row should hold in the model");
            let Some(row) = row.normal() else {
                continue;
            };
            if row.relation != Relation::AtMostZero {
                if !self.rows.contains(&row) {
                    self.rows.push(row);
                }
                continue;
            }
            let key: Vec<(Var, Integer)> = row.parts.clone().into_iter().collect();
            match bounds.get_mut(&key) {
                Some(other) if other.constant >= row.constant => {}
                Some(other) => *other = row,
                None => {
                    bounds.insert(key, row);
                }
            }
        }
        for row in bounds.values() {
            let opposite = row.scale(&Integer::from(-1i64));
            let key: Vec<(Var, Integer)> = opposite.parts.clone().into_iter().collect();
            let tight = (bounds.get(&key)).is_some_and(|other| other.constant == opposite.constant);
            let mut row = row.clone();
            if tight {
                row.relation = Relation::IsZero;
                row = row.normal().expect("a bound should have a variable");
            }
            if !self.rows.contains(&row) {
                self.rows.push(row);
            }
        }
    }

    fn ease(&self, var: Var) -> (Ease, usize) {
        let (mut lower, mut upper, mut coarse) = (0, 0, false);
        let mut equality = None;
        for row in &self.rows {
            let factor = row.factor(var);
            if factor.is_zero() {
                continue;
            }
            match &row.relation {
                Relation::IsZero => {
                    let ease = if is_unit(&factor) {
                        Ease::UnitEquality
                    } else {
                        Ease::Equality
                    };
                    equality = Some(equality.map_or(ease, |other: Ease| other.min(ease)));
                }
                Relation::AtMostZero => {
                    coarse |= !is_unit(&factor);
                    *(if factor.signum() < 0 {
                        &mut lower
                    } else {
                        &mut upper
                    }) += 1;
                }
                Relation::DivisibleBy(_) | Relation::NotDivisibleBy(_) => coarse = true,
            }
        }
        let ease = match equality {
            Some(ease) => ease,
            None if lower == 0 || upper == 0 => Ease::Unbounded,
            None if coarse => Ease::Other,
            None => Ease::UnitBounds,
        };
        (ease, lower * upper)
    }

    fn eliminate(&mut self, var: Var) {
        let rows = std::mem::take(&mut self.rows);
        let (with, without): (Vec<Row>, Vec<Row>) = rows
            .into_iter()
            .partition(|row| row.parts.contains_key(&var));
        self.rows = without;
        let equalities = with.iter().filter(|row| row.relation == Relation::IsZero);
        if let Some(equality) = equalities.min_by_key(|row| row.factor(var).abs()).cloned() {
            let others: Vec<Row> = with.into_iter().filter(|row| *row != equality).collect();
            let new = solved(var, &equality, &others);
            self.rows.extend(new);
            return;
        }
        let mut sides = self.sides(var, with);
        let period = sides.period(var);
        let candidates = [
            sides.all_pairs(var, &period),
            sides.greatest(var, &period, true, &self.values),
            sides.greatest(var, &period, false, &self.values),
        ];
        let mut best: Option<Vec<Row>> = None;
        for candidate in candidates {
            if !candidate.iter().all(|row| row.holds(&self.values)) {
                continue;
            }
            let candidate: Vec<Row> = candidate.into_iter().filter_map(Row::normal).collect();
            if best
                .as_ref()
                .is_none_or(|best| candidate.len() < best.len())
            {
                best = Some(candidate);
            }
        }
        let new = match best {
            Some(mut rows) => {
                rows.extend(sides.solvable(var));
                rows
            }
            None => self.beside(var, &mut sides, &period),
        };
        self.rows.extend(new);
    }

    /// Sorts the rows of a variable. A row that says that it is not divisible becomes one that
    /// says which remainder there is; then the divisibilities become one.
    fn sides(&mut self, var: Var, rows: Vec<Row>) -> Sides {
        let mut sides = Sides::default();
        for mut row in rows {
            match &row.relation {
                Relation::IsZero => unreachable!("an equality should have been used"),
                Relation::AtMostZero if row.factor(var).signum() < 0 => sides.lower.push(row),
                Relation::AtMostZero => sides.upper.push(row),
                Relation::DivisibleBy(divisor) | Relation::NotDivisibleBy(divisor) => {
                    let divisor = divisor.clone();
                    let rest = row.value(&self.values).mod_floor(&divisor);
                    row.constant = &row.constant - &rest;
                    row.relation = Relation::DivisibleBy(divisor);
                    sides.divisible = Some(match sides.divisible.take() {
                        None => row,
                        Some(other) => {
                            let (both, apart) = merged(var, &other, &row);
                            self.rows.push(apart);
                            both
                        }
                    });
                }
            }
        }
        sides
    }

    /// Sets the variable beside its greatest lower or least upper bound, or to its value.
    fn beside(&self, var: Var, sides: &mut Sides, period: &Integer) -> Vec<Row> {
        let value = self.values[&var].clone();
        let mut choices: Vec<(Integer, Row)> = Vec::new();
        if let Some(count) = self.range(var, sides) {
            let constant = Row {
                relation: Relation::IsZero,
                constant: -&value,
                parts: BTreeMap::from([(var, Integer::ONE)]),
            };
            choices.push((count, constant));
        }
        for rows in [&sides.lower, &sides.upper] {
            let Some(bound) = tightest(var, rows, &self.values) else {
                continue;
            };
            // The row's sum is minus the distance from the bound, times the factor.
            let mut point = bound.clone();
            let cases = &bound.factor(var).abs() * period;
            let distance = -&bound.value(&self.values);
            point.constant = &point.constant + &distance.mod_floor(&cases);
            point.relation = Relation::IsZero;
            choices.push((cases, point));
        }
        let best = choices.into_iter().min_by(|a, b| a.0.cmp(&b.0));
        let (_, point) = best.expect("a variable should have bounds on both sides here");
        let others: Vec<Row> = sides.rows();
        solved(var, &point, &others)
    }

    /// How many values a variable has, if the constant bounds of other variables tell.
    fn range(&self, var: Var, sides: &Sides) -> Option<Integer> {
        let least = |row: &Row| {
            let mut sum = row.constant.clone();
            for (&other, factor) in row.parts.iter().filter(|(other, _)| **other != var) {
                sum = &sum + &(factor * &self.limit(other, factor.signum() > 0)?);
            }
            Some(sum)
        };
        // a*x + s <= 0 bounds x by the least value of s.
        let lower = sides
            .lower
            .iter()
            .filter_map(|row| Some(least(row)?.div_ceil(&-&row.factor(var))));
        let upper = sides
            .upper
            .iter()
            .filter_map(|row| Some((-&least(row)?).div_floor(&row.factor(var))));
        let (lower, upper) = (lower.max()?, upper.min()?);
        Some(&(&upper - &lower) + &Integer::ONE)
    }

    /// The least or greatest value of a variable that one constant bound tells.
    fn limit(&self, var: Var, is_least: bool) -> Option<Integer> {
        let rows = self.rows.iter().chain(&self.bounds);
        let rows = rows.filter(|row| row.parts.len() == 1 && row.relation == Relation::AtMostZero);
        let limits = rows.filter_map(|row| {
            let factor = row.parts.get(&var)?;
            match (factor.signum() < 0, is_least) {
                (true, true) => Some(row.constant.div_ceil(&-factor)),
                (false, false) => Some((-&row.constant).div_floor(factor)),
                (true, false) | (false, true) => None,
            }
        });
        if is_least { limits.max() } else { limits.min() }
    }
}

/// The rows of a variable without equality.
#[derive(Default)]
struct Sides {
    lower: Vec<Row>,
    upper: Vec<Row>,
    divisible: Option<Row>,
}

impl Sides {
    fn rows(&self) -> Vec<Row> {
        let bounds = self.lower.iter().chain(&self.upper);
        bounds.chain(&self.divisible).cloned().collect()
    }

    /// After how many steps of the variable the divisibility holds again.
    fn period(&self, var: Var) -> Integer {
        match self
            .divisible
            .as_ref()
            .map(|row| (&row.relation, row.factor(var)))
        {
            Some((Relation::DivisibleBy(divisor), factor)) => {
                divisor.div_floor(&divisor.gcd(&factor))
            }
            _ => Integer::ONE,
        }
    }

    /// That some value satisfies the divisibility.
    fn solvable(&self, var: Var) -> Option<Row> {
        let mut row = self.divisible.clone()?;
        let Relation::DivisibleBy(divisor) = &row.relation else {
            return None;
        };
        let gcd = divisor.gcd(&row.factor(var));
        row.parts.remove(&var);
        row.relation = Relation::DivisibleBy(gcd);
        row.normal()
    }

    /// That each lower bound is far enough below each upper bound.
    fn all_pairs(&self, var: Var, period: &Integer) -> Vec<Row> {
        let uppers = |lower| {
            self.upper
                .iter()
                .map(move |upper| apart(var, lower, upper, period))
        };
        self.lower.iter().flat_map(uppers).collect()
    }

    /// That one lower bound is the greatest and is far enough below each upper bound, or the same
    /// with one upper bound.
    fn greatest(
        &self,
        var: Var,
        period: &Integer,
        is_lower: bool,
        values: &BTreeMap<Var, Integer>,
    ) -> Vec<Row> {
        let (near, far) = if is_lower {
            (&self.lower, &self.upper)
        } else {
            (&self.upper, &self.lower)
        };
        if far.is_empty() {
            return Vec::new();
        }
        let Some(bound) = tightest(var, near, values) else {
            return Vec::new();
        };
        let others = near.iter().filter(|row| *row != bound);
        let weaker = others
            .map(|row| row.combine(&bound.factor(var).abs(), bound, &-&row.factor(var).abs()));
        let across = far.iter().map(|row| {
            if is_lower {
                apart(var, bound, row, period)
            } else {
                apart(var, row, bound, period)
            }
        });
        weaker.chain(across).collect()
    }
}

fn is_unit(factor: &Integer) -> bool {
    factor.abs() == Integer::ONE
}

/// The bound that is nearest to the variable's value.
fn tightest<'a>(var: Var, rows: &'a [Row], values: &BTreeMap<Var, Integer>) -> Option<&'a Row> {
    rows.iter().min_by(|a, b| {
        // The distance is minus the sum by the factor.
        let x = &a.value(values) * &b.factor(var).abs();
        let y = &b.value(values) * &a.factor(var).abs();
        y.cmp(&x)
    })
}

/// That there is a value between two bounds, at each remainder modulo the period.
fn apart(var: Var, lower: &Row, upper: &Row, period: &Integer) -> Row {
    let (a, b) = (lower.factor(var).abs(), upper.factor(var));
    let mut row = lower.combine(&b, upper, &a);
    let less = |factor: &Integer| &(factor * period) - &Integer::ONE;
    let gap = (&less(&a) * &less(&b)).div_ceil(period);
    row.constant = &row.constant + &gap;
    row
}

/// The other rows with a variable as an equality says, and that the equality has a solution.
fn solved(var: Var, equality: &Row, others: &[Row]) -> Vec<Row> {
    let factor = equality.factor(var);
    let times = factor.abs();
    // times * x = rest
    let mut rest = equality.scale(&Integer::from(-i64::from(factor.signum())));
    rest.parts.remove(&var);
    let mut rows: Vec<Row> = Vec::new();
    for row in others {
        let factor = row.factor(var);
        let mut bare = row.clone();
        bare.parts.remove(&var);
        let mut row = bare.combine(&times, &rest, &factor);
        if let Relation::DivisibleBy(divisor) | Relation::NotDivisibleBy(divisor) =
            &mut row.relation
        {
            *divisor = &*divisor * &times;
        }
        rows.push(row);
    }
    rest.relation = Relation::DivisibleBy(times);
    rows.push(rest);
    rows
}

/// Two divisibilities as one with the variable and one without.
///
/// `m | a*x + s` and `n | b*x + t`: with `d = p*a*n + q*b*m` the gcd, they are
/// `m*n | d*x + p*n*s + q*m*t` and `d | b*s - a*t`.
fn merged(var: Var, first: &Row, second: &Row) -> (Row, Row) {
    let divisor = |row: &Row| match &row.relation {
        Relation::DivisibleBy(divisor) => divisor.clone(),
        _ => unreachable!("it should be a divisibility"),
    };
    let (m, n) = (divisor(first), divisor(second));
    let (a, b) = (first.factor(var), second.factor(var));
    let (gcd, p, q) = extended_gcd(&(&a * &n), &(&b * &m));
    let mut both = first.combine(&(&p * &n), second, &(&q * &m));
    both.relation = Relation::DivisibleBy(&m * &n);
    let mut apart = first.combine(&b, second, &-&a);
    apart.relation = Relation::DivisibleBy(gcd);
    (both, apart)
}
