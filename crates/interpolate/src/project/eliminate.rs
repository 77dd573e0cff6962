//! Eliminates one variable after the other from the rows.
//!
//! An equality is solved for the variable, times its factor, with an additional divisibility
//! constraint: that loses nothing. Neither does a variable without lower or without upper bounds.
//! Otherwise each lower bound `l <= a*x` is combined with each upper bound `b*x <= u`: there is an
//! `x` of the right remainder modulo M in between if `a*u - b*l` is at least `(a*M-1)*(b*M-1)/M`,
//! and only if, where a or b and M are 1. If that does not hold, but two bounds leave one value,
//! which is a quotient of terms that stay, then `x` is that. If it does not hold in the model, `x`
//! is set next to its greatest lower or least upper bound as in the model, or, if it has few
//! values, to its value.
//!
//! # Paper
//! The dark shadow is from [pugh1991omega], the test points are Cooper's, the choice by a model is
//! [komuravelli2014smt]'s.

use super::bounds::{Sides, merged, solved, tightest};
use super::order::FEW;
use super::row::{Relation, Row, tidy};
use super::{Projection, Var, VarRow};
use logic::sparse::Linear;
use logic::{Integer, TermStore};

impl Projection<'_> {
    pub(super) fn eliminate_all(&mut self, store: &mut TermStore) {
        self.tidy();
        while let Some(var) = self.easiest() {
            self.eliminate(store, var);
            self.open.remove(&var);
            self.tidy();
        }
    }

    fn tidy(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        debug_assert!(
            rows.iter().all(|row| row.holds(&self.values)),
            "a row should hold in the model"
        );
        self.rows = tidy(rows);
    }

    fn eliminate(&mut self, store: &mut TermStore, var: Var) {
        let rows = std::mem::take(&mut self.rows);
        let (with, without): (Vec<VarRow>, Vec<VarRow>) = rows
            .into_iter()
            .partition(|row| row.sum.coefficient(var).is_some());
        self.rows = without;
        let equalities = with.iter().filter(|row| row.relation == Relation::IsZero);
        if let Some(equality) = equalities.min_by_key(|row| row.factor(var).abs()).cloned() {
            let others: Vec<VarRow> = with.into_iter().filter(|row| *row != equality).collect();
            self.rows.extend(solved(var, &equality, &others));
            return;
        }
        let (sides, more) = self.sides(var, &with);
        if !sides.is_exact(var)
            && self.cases(var, &sides) > Integer::from(FEW)
            && let Some((upper, others)) = self.quotient(var, &with)
        {
            self.unname(store, var, &upper, others);
            return;
        }
        self.rows.extend(more);
        let new = match self.between(var, &sides) {
            Some(rows) => rows,
            None => self.beside(var, &sides),
        };
        self.rows.extend(new);
    }

    /// That there is a value between the bounds, in as few rows as possible; `None` if it takes
    /// more than the bounds to see that.
    fn between(&self, var: Var, sides: &Sides) -> Option<Vec<VarRow>> {
        let candidates = [
            sides.all_pairs(var),
            sides.greatest(var, true, &self.values),
            sides.greatest(var, false, &self.values),
        ];
        let hold = |rows: &Vec<VarRow>| rows.iter().all(|row| row.holds(&self.values));
        let normal = |rows: Vec<VarRow>| rows.into_iter().filter_map(Row::normal);
        let candidates = candidates.into_iter().filter(hold).map(normal);
        let mut rows: Vec<VarRow> = candidates.map(Iterator::collect).min_by_key(Vec::len)?;
        rows.extend(sides.solvable(var));
        Some(rows)
    }

    /// Sorts the rows of a variable. A row that says that it is not divisible becomes one that
    /// says which remainder there is; then the divisibilities become one and some without the
    /// variable.
    pub(super) fn sides(&self, var: Var, rows: &[VarRow]) -> (Sides, Vec<VarRow>) {
        let (mut sides, mut more) = (Sides::default(), Vec::new());
        for row in rows {
            match &row.relation {
                Relation::IsZero => unreachable!("an equality should have been used"),
                Relation::AtMostZero | Relation::Below if row.factor(var).signum() < 0 => {
                    sides.lower.push(row.clone());
                }
                Relation::AtMostZero | Relation::Below => sides.upper.push(row.clone()),
                Relation::DivisibleBy(divisor) | Relation::NotDivisibleBy(divisor) => {
                    let mut row = row.clone();
                    let rest = row.value(&self.values).mod_floor(divisor);
                    sides.is_chosen |= !rest.is_zero();
                    row.sum.constant = &row.sum.constant - &rest;
                    row.relation = Relation::DivisibleBy(divisor.clone());
                    sides.divisible = Some(match sides.divisible.take() {
                        None => row,
                        Some(other) => {
                            let (both, apart) = merged(var, &other, &row);
                            more.push(apart);
                            both
                        }
                    });
                }
            }
        }
        (sides, more)
    }

    /// If two bounds leave a variable one value, a quotient of terms that stay: the upper of them,
    /// and the rows that are left when that is the value.
    pub(super) fn quotient(&self, var: Var, rows: &[VarRow]) -> Option<(VarRow, Vec<VarRow>)> {
        let bounds = || {
            rows.iter()
                .filter(|row| row.relation == Relation::AtMostZero)
        };
        for upper in bounds().filter(|row| row.factor(var) > Integer::ONE) {
            let mut others = upper.sum.keys().filter(|other| *other != var);
            if others.any(|other| self.open.contains(&other)) {
                continue;
            }
            let gap = &upper.factor(var) - &Integer::ONE;
            let lower = bounds().find(|lower| {
                let both = upper.combine(&Integer::ONE, lower, &Integer::ONE);
                both.sum.parts.is_empty() && -&both.sum.constant <= gap
            });
            let Some(lower) = lower else {
                continue;
            };
            let width = -&(&upper.sum.constant + &lower.sum.constant);
            let says_nothing = |row: &&VarRow| *row == upper || (*row == lower && width == gap);
            let others = rows.iter().filter(|row| !says_nothing(row));
            return Some((upper.clone(), others.cloned().collect()));
        }
        None
    }

    /// Puts the quotient into the place of a variable that is one.
    fn unname(&mut self, store: &mut TermStore, var: Var, upper: &VarRow, others: Vec<VarRow>) {
        let divisor = upper.factor(var);
        let mut dividend = upper.sum.scaled(&Integer::from(-1i64));
        dividend.remove(var);
        let dividend = dividend.rekeyed(Var::term);
        let dividend = store.linear(&dividend.constant, &dividend.parts);
        let quotient = Var::Term(store.div(dividend, &divisor));
        self.values.insert(quotient, self.values[&var].clone());
        let sum = Linear::of_key(quotient);
        for mut row in others {
            row.substitute(var, &sum);
            self.rows.push(row);
        }
    }

    /// Sets the variable beside its greatest lower or least upper bound, or to its value.
    fn beside(&self, var: Var, sides: &Sides) -> Vec<VarRow> {
        let period = sides.period(var);
        let value = self.values[&var].clone();
        let mut choices: Vec<(Integer, VarRow)> = Vec::new();
        if let Some(count) = self.range(var, sides) {
            let mut constant = Row::is_zero(Linear::of_key(var));
            constant.sum.constant = -&value;
            choices.push((count, constant));
        }
        for rows in [&sides.lower, &sides.upper] {
            let Some(bound) = tightest(var, rows, &self.values) else {
                continue;
            };
            // The row's sum is minus the distance from the bound, times the factor.
            let mut point = bound.clone();
            let cases = &bound.factor(var).abs() * &period;
            let distance = -&bound.value(&self.values);
            point.sum.constant = &point.sum.constant + &distance.mod_floor(&cases);
            point.relation = Relation::IsZero;
            choices.push((cases, point));
        }
        let best = choices.into_iter().min_by(|a, b| a.0.cmp(&b.0));
        let (_, point) = best.expect("a variable should have bounds on both sides here");
        let bounds = sides.lower.iter().chain(&sides.upper);
        let others: Vec<VarRow> = bounds.chain(&sides.divisible).cloned().collect();
        solved(var, &point, &others)
    }
}
