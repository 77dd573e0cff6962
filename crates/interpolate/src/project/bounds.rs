//! The bounds and divisibilities of one variable, and what they say without it.

use super::row::{Relation, Row, Var, extended_gcd};
use logic::Integer;
use std::collections::BTreeMap;

/// The rows of a variable without equality.
#[derive(Default)]
pub(super) struct Sides {
    pub(super) lower: Vec<Row>,
    pub(super) upper: Vec<Row>,
    pub(super) divisible: Option<Row>,
    /// Whether the model chose one remainder of several.
    pub(super) is_chosen: bool,
}

impl Sides {
    pub(super) fn rows(&self) -> Vec<Row> {
        let bounds = self.lower.iter().chain(&self.upper);
        bounds.chain(&self.divisible).cloned().collect()
    }

    /// After how many steps of the variable the divisibility holds again.
    pub(super) fn period(&self, var: Var) -> Integer {
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
    pub(super) fn solvable(&self, var: Var) -> Option<Row> {
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
        let fine = |row: &Row| is_unit(&row.factor(var));
        let all = |rows: &[Row]| rows.iter().all(fine);
        if self.is_chosen {
            return false;
        }
        if self.period(var).is_one() && (all(&self.lower) || all(&self.upper)) {
            return true;
        }
        // What has no variable left, and holds, says nothing.
        let says_nothing = |row: &Row| row.sum.parts.is_empty() && row.sum.constant.signum() <= 0;
        self.all_pairs(var).iter().all(says_nothing)
    }

    /// That each lower bound is far enough below each upper bound.
    pub(super) fn all_pairs(&self, var: Var) -> Vec<Row> {
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
    ) -> Vec<Row> {
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

pub(super) fn is_unit(factor: &Integer) -> bool {
    factor.abs() == Integer::ONE
}

/// The bound that is nearest to the variable's value.
pub(super) fn tightest<'a>(
    var: Var,
    rows: &'a [Row],
    values: &BTreeMap<Var, Integer>,
) -> Option<&'a Row> {
    rows.iter().min_by(|a, b| {
        // The distance is minus the sum by the factor.
        let x = &a.value(values) * &b.factor(var).abs();
        let y = &b.value(values) * &a.factor(var).abs();
        y.cmp(&x)
    })
}

/// That there is a value between two bounds, at each remainder modulo the period.
pub(super) fn apart(var: Var, lower: &Row, upper: &Row, period: &Integer) -> Row {
    let (a, b) = (lower.factor(var).abs(), upper.factor(var));
    let mut row = lower.combine(&b, upper, &a);
    let less = |factor: &Integer| &(factor * period) - &Integer::ONE;
    let gap = (&less(&a) * &less(&b)).div_ceil(period);
    row.sum.constant = &row.sum.constant + &gap;
    row
}

/// The other rows with a variable as an equality says, and that the equality has a solution.
pub(super) fn solved(var: Var, equality: &Row, others: &[Row]) -> Vec<Row> {
    let factor = equality.factor(var);
    let times = factor.abs();
    // times * x = rest
    let mut rest = equality.scale(&Integer::from(-i64::from(factor.signum())));
    rest.sum.remove(var);
    let mut rows: Vec<Row> = Vec::new();
    for row in others {
        let factor = row.factor(var);
        let mut bare = row.clone();
        bare.sum.remove(var);
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
pub(super) fn merged(var: Var, first: &Row, second: &Row) -> (Row, Row) {
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
