//! Which variable to eliminate next.

use super::bounds::{Sides, is_unit};
use super::row::Relation;
use super::{Projection, Var, VarRow};
use logic::Integer;

/// As many cases are better than a quotient in the result: solvers are slow on these.
pub(super) const FEW: i64 = 32;

/// How well a variable can be eliminated, best first; all but the last lose nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ease {
    UnitEquality,
    Unbounded,
    Equality,
    UnitBounds,
    Quotient,
    Lossy,
}

impl Projection<'_> {
    /// The variable that is easiest to eliminate.
    pub(super) fn easiest(&self) -> Option<Var> {
        self.open.iter().copied().min_by_key(|&var| self.ease(var))
    }

    /// The ease and what tells variables of the same ease apart.
    fn ease(&self, var: Var) -> (Ease, Integer) {
        let rows: Vec<VarRow> = (self.rows.iter())
            .filter(|row| row.sum.coefficient(var).is_some())
            .cloned()
            .collect();
        let equalities = rows.iter().filter(|row| row.relation == Relation::IsZero);
        if let Some(factor) = equalities.map(|row| row.factor(var).abs()).min() {
            let ease = if is_unit(&factor) {
                Ease::UnitEquality
            } else {
                Ease::Equality
            };
            return (ease, factor);
        }
        let (sides, _) = self.sides(var, &rows);
        let pairs = Integer::from((sides.lower.len() * sides.upper.len()) as i64);
        if pairs.is_zero() {
            return (Ease::Unbounded, pairs);
        }
        if sides.is_exact(var) {
            return (Ease::UnitBounds, pairs);
        }
        let cases = self.cases(var, &sides);
        if cases > Integer::from(FEW) && self.quotient(var, &rows).is_some() {
            return (Ease::Quotient, pairs);
        }
        // A quotient may still become one of terms that stay.
        match var {
            Var::Term(_) => (Ease::Lossy, cases),
            Var::Quotient(_) => (Ease::Lossy, &cases * &Integer::from(4i64)),
        }
    }

    /// How many values have to be told apart at most.
    pub(super) fn cases(&self, var: Var, sides: &Sides) -> Integer {
        let period = sides.period(var);
        let bounds = sides.lower.iter().chain(&sides.upper);
        let beside = bounds.map(|row| &row.factor(var).abs() * &period).min();
        let beside = beside.unwrap_or(Integer::ONE);
        match self.range(var, sides) {
            Some(count) => count.min(beside),
            None => beside,
        }
    }

    /// How many values a variable has, if the constant bounds of other variables tell.
    pub(super) fn range(&self, var: Var, sides: &Sides) -> Option<Integer> {
        let least = |row: &VarRow| {
            let mut sum = row.sum.constant.clone();
            for (other, factor) in row.sum.parts.iter().filter(|(other, _)| *other != var) {
                sum = &sum + &(factor * &self.limit(*other, factor.signum() > 0)?);
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
        let rows =
            rows.filter(|row| row.sum.parts.len() == 1 && row.relation == Relation::AtMostZero);
        let limits = rows.filter_map(|row| {
            let factor = row.sum.coefficient(var)?;
            match (factor.signum() < 0, is_least) {
                (true, true) => Some(row.sum.constant.div_ceil(&-factor)),
                (false, false) => Some((-&row.sum.constant).div_floor(factor)),
                (true, false) | (false, true) => None,
            }
        });
        if is_least { limits.max() } else { limits.min() }
    }
}
