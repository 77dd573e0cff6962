//! Eliminates reals from the literals of a cube.

use super::Stuck;
use super::relaxed::without;
use super::row::{Relation, Row};
use logic::sparse::Linear;
use logic::{Interpretation, Node, Rational, TermId, TermStore, TermValue};
use std::collections::BTreeMap;

/// The literals without real symbols, in the order given; all literals are about reals, and
/// contain the symbols in no other way than linearly.
pub(super) fn eliminate(
    store: &mut TermStore,
    literals: &[TermId],
    symbols: &[TermId],
    model: &dyn Interpretation,
) -> Result<Vec<TermId>, Stuck> {
    let rows = literals.iter().map(|&literal| row(store, literal));
    let mut rows: Vec<_> = rows.collect::<Option<_>>().ok_or(Stuck::NotAModel)?;
    let mut values = BTreeMap::new();
    for part in rows.iter().flat_map(|row| row.sum.keys()) {
        match store.evaluate_in(part, model) {
            Some(TermValue::Real(value)) => values.insert(part, value),
            _ => return Err(Stuck::NotAModel),
        };
    }
    for &symbol in symbols {
        rows = without(rows, symbol, &values);
    }
    Ok(rows.iter().map(|row| literal(store, row)).collect())
}

fn row(store: &TermStore, literal: TermId) -> Option<Row<TermId, Rational>> {
    let (sum, relation, factor) = match store.node(literal) {
        Node::Below(sum) => (*sum, Relation::Below, 1i64),
        Node::RealIsZero(sum) => (*sum, Relation::IsZero, 1),
        Node::Not(atom) => match store.node(*atom) {
            Node::Below(sum) => (*sum, Relation::AtMostZero, -1),
            _ => return None,
        },
        _ => return None,
    };
    let (constant, parts) = store.to_real_linear(sum);
    let sum = Linear { constant, parts }.scaled(&Rational::from(factor));
    Some(Row { relation, sum })
}

fn literal(store: &mut TermStore, row: &Row<TermId, Rational>) -> TermId {
    let sum = store.real_linear(&row.sum.constant, &row.sum.parts);
    let zero = store.real(0i64);
    match row.relation {
        Relation::AtMostZero => store.le(sum, zero),
        Relation::Below => store.lt(sum, zero),
        Relation::IsZero => store.eq(sum, zero),
        Relation::DivisibleBy(_) | Relation::NotDivisibleBy(_) => {
            unreachable!("reals should not be divided")
        }
    }
}
