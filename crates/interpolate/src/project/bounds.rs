//! The bounds and divisibilities of one variable, and what they say without it.

use super::row::{Relation, Row};
use super::{Var, VarRow};
use logic::Integer;
use logic::sparse::Signed;
use std::collections::BTreeMap;

/// The rows of a variable without equality.
#[derive(Default)]
pub(super) struct Sides {
    pub(super) lower: Vec<VarRow>,
    pub(super) upper: Vec<VarRow>,
    pub(super) divisible: Option<VarRow>,
    /// Whether the model chose one remainder of several.
    pub(super) is_chosen: bool,
}

impl Sides {
    /// After how many steps of the variable the divisibility holds again.
    pub(super) fn period(&self, var: Var) -> Integer {
        let row = self.divisible.as_ref();
        match row.map(|row| (&row.relation, row.factor(var))) {
            Some((Relation::DivisibleBy(divisor), factor)) => {
                divisor.div_floor(&divisor.gcd(&factor))
            }
            _ => Integer::ONE,
        }
    }

    /// That some value satisfies the divisibility.
    pub(super) fn solvable(&self, var: Var) -> Option<VarRow> {
        let mut row = self.divisible.clone()?;
        let Relation::DivisibleBy(divisor) = &row.relation else {
            return None;
        };
        let gcd = divisor.gcd(&row.factor(var));
        row.sum.remove(var);
        row.relation = Relation::DivisibleBy(gcd);
        row.normal()
    }

    /// Whether the bounds say no less than that there is a value.
    pub(super) fn is_exact(&self, var: Var) -> bool {
        let fine = |row: &VarRow| is_unit(&row.factor(var));
        let all = |rows: &[VarRow]| rows.iter().all(fine);
        if self.is_chosen {
            return false;
        }
        if self.period(var).is_one() && (all(&self.lower) || all(&self.upper)) {
            return true;
        }
        // What has no variable left, and holds, says nothing.
        let says_nothing =
            |row: &VarRow| row.sum.parts.is_empty() && row.sum.constant.signum() <= 0;
        self.all_pairs(var).iter().all(says_nothing)
    }

    /// That each lower bound is far enough below each upper bound.
    pub(super) fn all_pairs(&self, var: Var) -> Vec<VarRow> {
        let period = &self.period(var);
        let uppers = |lower| {
            self.upper
                .iter()
                .map(move |upper| apart(var, lower, upper, period))
        };
        self.lower.iter().flat_map(uppers).collect()
    }

    /// That one lower bound is the greatest and is far enough below each upper bound, or the same
    /// with one upper bound.
    pub(super) fn greatest(
        &self,
        var: Var,
        is_lower: bool,
        values: &BTreeMap<Var, Integer>,
    ) -> Vec<VarRow> {
        let period = &self.period(var);
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
        let weaker = others.map(|row| weaker(var, row, bound));
        let across = far.iter().map(|row| apart(var, bound, row, period));
        weaker.chain(across).collect()
    }
}

pub(super) fn is_unit(factor: &Integer) -> bool {
    factor.abs() == Integer::ONE
}

/// The bound, all of one side, that is nearest to the key's value; of equal ones, one that the key
/// cannot reach.
pub(super) fn tightest<'a, K: Copy + Ord, C: Signed>(
    key: K,
    rows: &'a [Row<K, C>],
    values: &BTreeMap<K, C>,
) -> Option<&'a Row<K, C>> {
    rows.iter().min_by(|a, b| {
        // The distance is minus the sum by the factor.
        let x = a.value(values).times(&b.factor(key).abs());
        let y = b.value(values).times(&a.factor(key).abs());
        let is_reached = |row: &Row<K, C>| row.relation != Relation::Below;
        y.cmp(&x).then(is_reached(a).cmp(&is_reached(b)))
    })
}

/// That a lower bound is not above an upper one, given in either order.
pub(super) fn between<K: Copy + Ord, C: Signed>(
    key: K,
    one: &Row<K, C>,
    other: &Row<K, C>,
) -> Row<K, C> {
    let is_strict = |row: &Row<K, C>| row.relation == Relation::Below;
    let mut row = one.combine(&other.factor(key).abs(), other, &one.factor(key).abs());
    row.relation = Relation::at_most(is_strict(one) || is_strict(other));
    row
}

/// That a bound is no tighter than another one of the same side.
pub(super) fn weaker<K: Copy + Ord, C: Signed>(
    key: K,
    row: &Row<K, C>,
    bound: &Row<K, C>,
) -> Row<K, C> {
    let is_strict = |row: &Row<K, C>| row.relation == Relation::Below;
    let times = row.factor(key).abs().negated();
    let mut weaker = row.combine(&bound.factor(key).abs(), bound, &times);
    weaker.relation = Relation::at_most(is_strict(row) && !is_strict(bound));
    weaker
}

/// The row with a key as an equality says, times the key's factor there.
pub(super) fn substituted<K: Copy + Ord, C: Signed>(
    key: K,
    row: &Row<K, C>,
    equality: &Row<K, C>,
) -> Row<K, C> {
    let (own, other) = (row.factor(key), equality.factor(key));
    let times = if other.signum() < 0 {
        own
    } else {
        own.negated()
    };
    row.combine(&other.abs(), equality, &times)
}

/// That there is a value between two bounds, one of either side, at each remainder modulo the
/// period.
fn apart(var: Var, one: &VarRow, other: &VarRow, period: &Integer) -> VarRow {
    let (a, b) = (one.factor(var).abs(), other.factor(var).abs());
    let mut row = between(var, one, other);
    let less = |factor: &Integer| &(factor * period) - &Integer::ONE;
    let gap = (&less(&a) * &less(&b)).div_ceil(period);
    row.sum.constant = &row.sum.constant + &gap;
    row
}

/// The other rows with a variable as an equality says, and that the equality has a solution.
pub(super) fn solved(var: Var, equality: &VarRow, others: &[VarRow]) -> Vec<VarRow> {
    let factor = equality.factor(var);
    let times = factor.abs();
    let rows = others.iter().map(|row| substituted(var, row, equality));
    let mut rows: Vec<VarRow> = rows.collect();
    for row in &mut rows {
        if let Relation::DivisibleBy(divisor) | Relation::NotDivisibleBy(divisor) =
            &mut row.relation
        {
            *divisor = &*divisor * &times;
        }
    }
    // times * x = rest
    let mut rest = equality.scale(&Integer::from(-i64::from(factor.signum())));
    rest.sum.remove(var);
    rest.relation = Relation::DivisibleBy(times);
    rows.push(rest);
    rows
}

/// Two divisibilities as one with the variable and one without.
///
/// `m | a*x + s` and `n | b*x + t`: with `d = p*a*n + q*b*m` the gcd, they are
/// `m*n | d*x + p*n*s + q*m*t` and `d | b*s - a*t`.
pub(super) fn merged(var: Var, first: &VarRow, second: &VarRow) -> (VarRow, VarRow) {
    let divisor = |row: &VarRow| match &row.relation {
        Relation::DivisibleBy(divisor) => divisor.clone(),
        _ => unreachable!("it should be a divisibility"),
    };
    let (m, n) = (divisor(first), divisor(second));
    let (a, b) = (first.factor(var), second.factor(var));
    let (gcd, p, q) = (&a * &n).extended_gcd(&(&b * &m));
    let mut both = first.combine(&(&p * &n), second, &(&q * &m));
    both.relation = Relation::DivisibleBy(&m * &n);
    let mut apart = first.combine(&b, second, &-&a);
    apart.relation = Relation::DivisibleBy(gcd);
    (both, apart)
}
