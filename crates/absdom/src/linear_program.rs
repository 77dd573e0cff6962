//! Rows as bounds of the prover's simplex.

use base::Budget;
use interpolate::project::row::{Relation, Row};
use logic::{Integer, Rational};
use prover::linear::{Linear, VarId};
use prover::literal::Limit;
use prover::simplex::Simplex;

/// Whether rows over so many dimensions can hold together; none if the time is up.
pub(crate) fn is_consistent(
    dimension: usize,
    rows: impl IntoIterator<Item = Row<usize, Integer>>,
    budget: &Budget,
) -> Option<bool> {
    let mut simplex: Simplex<()> = Simplex::default();
    let vars: Vec<VarId> = (0..dimension)
        .map(|_| simplex.new_var(Rational::ZERO))
        .collect();
    for row in rows {
        if !constrain(&mut simplex, &row, |place| vars[place]) {
            return Some(false);
        }
    }
    match simplex.check(|_| go_on(budget)) {
        Err(_) => Some(false),
        Ok(()) => simplex.is_settled().then_some(true),
    }
}

/// Adds a comparison to a simplex, over variables in the order of its keys; false if that
/// contradicts a bound.
pub(crate) fn constrain<K: Copy + Ord>(
    simplex: &mut Simplex<()>,
    row: &Row<K, Integer>,
    var: impl Fn(K) -> VarId,
) -> bool {
    let parts = row.sum.parts.iter();
    let parts = parts.map(|(key, factor)| (var(*key), Rational::from(factor)));
    let form = Linear {
        constant: Rational::from(&row.sum.constant),
        parts: parts.collect(),
    };
    let bound = -&form.constant;
    let (var, bound, is_upper) = match &form.parts[..] {
        // A bound of a variable needs no row.
        [(var, factor)] => (*var, &bound / factor, factor.signum() > 0),
        _ => (simplex.define(&form), bound, true),
    };
    let limit = match row.relation {
        Relation::IsZero => Limit::Exactly(var, bound),
        Relation::AtMostZero if is_upper => Limit::Upper(var, bound, false),
        Relation::AtMostZero => Limit::Lower(var, bound, false),
        Relation::Below if is_upper => Limit::Upper(var, bound, true),
        Relation::Below => Limit::Lower(var, bound, true),
        Relation::DivisibleBy(_) | Relation::NotDivisibleBy(_) => {
            unreachable!("only comparisons should be constraints")
        }
    };
    simplex.assert(&limit, ()).is_ok()
}

/// Charges for a pivot; false if there is no time for it.
pub(crate) fn go_on(budget: &Budget) -> bool {
    budget.spend(1);
    budget.check().is_ok()
}
