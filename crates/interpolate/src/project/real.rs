//! Eliminating reals from the literals of a cube.
//!
//! Like [`eliminate`](super::eliminate), but nothing has to be divisible: an equality is solved,
//! and of bounds it is enough that each lower one is below each upper one.

use super::Stuck;
use logic::sparse::Linear;
use logic::{Interpretation, Node, Rational, TermId, TermStore, TermValue};
use std::collections::BTreeMap;

/// What a row says about its sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    AtMostZero,
    Below,
    IsZero,
}

/// A sum of multiples of terms, and what is said about it.
#[derive(Clone, PartialEq, Debug)]
struct Row {
    relation: Relation,
    sum: Linear<TermId, Rational>,
}

/// The literals without real symbols, in the order given; all literals are about reals, and
/// contain the symbols in no other way than linearly.
pub(super) fn eliminate(
    store: &mut TermStore,
    literals: &[TermId],
    symbols: &[TermId],
    model: &dyn Interpretation,
) -> Result<Vec<TermId>, Stuck> {
    let rows = literals
        .iter()
        .map(|&literal| Row::of_literal(store, literal));
    let mut rows: Vec<Row> = rows.collect::<Option<_>>().ok_or(Stuck::NotAModel)?;
    let mut values = BTreeMap::new();
    for row in &rows {
        for part in row.sum.keys() {
            match store.evaluate_in(part, model) {
                Some(TermValue::Real(value)) => values.insert(part, value),
                _ => return Err(Stuck::NotAModel),
            };
        }
    }
    for &symbol in symbols {
        let (with, without) = rows
            .into_iter()
            .partition(|row| row.sum.coefficient(symbol).is_some());
        rows = without;
        rows.extend(without_symbol(with, symbol, &values));
    }
    Ok(rows.iter().map(|row| row.to_term(store)).collect())
}

impl Row {
    fn of_literal(store: &TermStore, literal: TermId) -> Option<Row> {
        let (sum, relation, negate) = match store.node(literal) {
            Node::Below(sum) => (*sum, Relation::Below, false),
            Node::RealIsZero(sum) => (*sum, Relation::IsZero, false),
            Node::Not(atom) => match store.node(*atom) {
                Node::Below(sum) => (*sum, Relation::AtMostZero, true),
                _ => return None,
            },
            _ => return None,
        };
        let (constant, parts) = store.to_real_linear(sum);
        let sum = Linear { constant, parts };
        let row = Row { relation, sum };
        let minus = Rational::from(-1i64);
        Some(if negate { row.scale(&minus) } else { row })
    }

    fn to_term(&self, store: &mut TermStore) -> TermId {
        let sum = store.real_linear(&self.sum.constant, &self.sum.parts);
        let zero = store.real(0i64);
        match self.relation {
            Relation::AtMostZero => store.le(sum, zero),
            Relation::Below => store.lt(sum, zero),
            Relation::IsZero => store.eq(sum, zero),
        }
    }

    fn factor(&self, part: TermId) -> Rational {
        self.sum.factor(part)
    }

    fn scale(&self, times: &Rational) -> Row {
        Row {
            relation: self.relation,
            sum: self.sum.scaled(times),
        }
    }

    /// The sum of this and a multiple of another row's sum.
    fn plus(&self, other: &Row, times: &Rational, relation: Relation) -> Row {
        let mut sum = self.sum.clone();
        sum.add_multiple(times, &other.sum);
        Row { relation, sum }
    }

    fn value(&self, values: &BTreeMap<TermId, Rational>) -> Rational {
        let value = self.sum.value(|part| values.get(&part).cloned());
        value.expect("every part should have a value")
    }

    /// The row with the symbol's factor 1 or -1.
    fn unit(&self, symbol: TermId) -> Row {
        self.scale(&self.factor(symbol).abs().inverse())
    }
}

fn without_symbol(rows: Vec<Row>, symbol: TermId, values: &BTreeMap<TermId, Rational>) -> Vec<Row> {
    if let Some(equality) = rows.iter().find(|row| row.relation == Relation::IsZero) {
        let unit = equality.scale(&equality.factor(symbol).inverse());
        let others = rows.iter().filter(|row| *row != equality);
        let solved = others.map(|row| row.plus(&unit, &-&row.factor(symbol), row.relation));
        return solved.collect();
    }
    let (lower, upper): (Vec<Row>, Vec<Row>) = (rows.iter())
        .map(|row| row.unit(symbol))
        .partition(|row| row.factor(symbol).signum() < 0);
    if lower.is_empty() || upper.is_empty() {
        return Vec::new();
    }
    if lower.len() * upper.len() < lower.len() + upper.len() {
        let pairs = lower
            .iter()
            .flat_map(|low| upper.iter().map(|high| apart(low, high)));
        return pairs.collect();
    }
    // The greatest lower bound; of equal ones, one that the symbol cannot reach.
    let key = |row: &&Row| (row.value(values), row.relation == Relation::Below);
    let greatest = lower.iter().max_by(|a, b| key(a).cmp(&key(b)));
    let greatest = greatest.expect("there should be a lower bound");
    let weaker = lower.iter().filter(|row| *row != greatest).map(|row| {
        let strict = row.relation == Relation::Below && greatest.relation != Relation::Below;
        let relation = if strict {
            Relation::Below
        } else {
            Relation::AtMostZero
        };
        row.plus(greatest, &Rational::from(-1i64), relation)
    });
    weaker
        .chain(upper.iter().map(|high| apart(greatest, high)))
        .collect()
}

/// That there is a value between two bounds.
fn apart(lower: &Row, upper: &Row) -> Row {
    let strict = lower.relation == Relation::Below || upper.relation == Relation::Below;
    let relation = if strict {
        Relation::Below
    } else {
        Relation::AtMostZero
    };
    lower.plus(upper, &Rational::ONE, relation)
}
