//! Cubes: the linear part of an implicant of the formula, around a model.
//!
//! # Invariants
//! - The rows hold at the point, and follow from literals that imply the formula; where `is_exact`
//!   does not hold, the literals say more than the rows.

use super::Abstraction;
use crate::eliminate::Elimination;
use crate::optimum::{Dictionary, Optimum};
use crate::vector::unit;
use crate::{Kind, Polyhedron, Row};
use base::Budget;
use logic::{
    Assignment, FunctionId, Integer, Interpretation, Node, Rational, SymbolId, TermId, TermStore,
    TermValue, implicant,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// How many models of other questions are worth a cube.
const FIRST: usize = 2;

/// A conjunction of rows over terms that are no sums.
pub(super) struct Cube {
    places: FxHashMap<TermId, usize>,
    rows: Vec<Row>,
    point: Vec<Integer>,
    /// Whether the rows imply the formula.
    is_exact: bool,
    /// After how many steps along a ray all divisibilities hold again.
    period: Integer,
    dictionary: Dictionary,
    /// The model that it is around.
    pub(super) model: usize,
}

/// How far a sum goes in a cube.
pub(super) enum Extent {
    /// At most to this integer; and whether there is a point of the formula where it does.
    To(Integer, bool),
    /// Beyond every value.
    Unbounded,
    /// Nobody knows.
    Unknown,
}

/// An assignment in which nothing lacks a value.
pub(super) struct Complete<'a> {
    pub(super) store: &'a TermStore,
    pub(super) values: &'a Assignment,
}

impl Interpretation for Complete<'_> {
    fn symbol(&self, symbol: SymbolId) -> Option<TermValue> {
        let value = self.values.symbol(symbol);
        value.or_else(|| Some(TermValue::zero(self.store.symbol(symbol).sort)))
    }

    fn apply(&self, function: FunctionId, arguments: &[TermValue]) -> Option<TermValue> {
        let value = self.values.apply(function, arguments);
        value.or_else(|| Some(TermValue::zero(self.store.function(function).result)))
    }
}

impl Abstraction<'_> {
    /// The cube around a model; its number.
    pub(super) fn cube(&mut self, model: usize) -> usize {
        let values = self.models[model].clone();
        let literals = implicant(self.store, self.formula, &BTreeSet::new(), &values);
        let cube = match literals {
            Some(literals) => Cube::of_literals(self.store, &literals, &values, model),
            None => None,
        };
        let cube = cube.unwrap_or_else(|| Cube::of_model(self.store, &values, model));
        self.cubes.push(cube);
        self.cubes.len() - 1
    }

    /// Makes cubes of the first models where there is no cube yet.
    pub(super) fn fill_cubes(&mut self) {
        if self.cubes.is_empty() {
            for model in 0..self.models.len().min(FIRST) {
                self.cube(model);
            }
        }
    }
}

impl Cube {
    fn of_literals(
        store: &TermStore,
        literals: &[TermId],
        values: &Assignment,
        model: usize,
    ) -> Option<Cube> {
        let mut places = FxHashMap::default();
        let mut point = Vec::new();
        let mut sums = Vec::new();
        let (mut is_exact, mut period) = (true, Integer::ONE);
        let complete = Complete { store, values };
        for &literal in literals {
            let (sum, kind, sign) = match *store.node(literal) {
                Node::AtMostZero(sum) => (sum, Kind::AtLeast, Integer::from(-1i64)),
                Node::IsZero(sum) => (sum, Kind::Equality, Integer::ONE),
                // Truth values that nothing else depends on.
                Node::Symbol(_) => continue,
                Node::Not(atom) if matches!(store.node(atom), Node::Symbol(_)) => continue,
                _ => {
                    period = period.lcm(&divisor(store, literal));
                    is_exact = false;
                    continue;
                }
            };
            let (constant, parts) = store.to_linear(sum);
            let mut entries = Vec::new();
            for (part, factor) in parts {
                let next = places.len();
                let place = *places.entry(part).or_insert(next);
                if place == next {
                    let value = store.evaluate_in(part, &complete)?;
                    point.push(value.as_int()?.clone());
                    is_exact &= matches!(store.node(part), Node::Symbol(_));
                }
                entries.push((place, &factor * &sign));
            }
            sums.push((entries, &constant * &sign, kind));
        }
        let rows = sums.into_iter().map(|(entries, constant, kind)| {
            let mut coefficients = vec![Integer::ZERO; point.len()];
            for (place, factor) in entries {
                coefficients[place] = factor;
            }
            Row {
                coefficients,
                constant,
                kind,
            }
        });
        let rows: Vec<Row> = rows.collect();
        let mut cube = Cube::of_rows(places, rows, point, model)?;
        (cube.is_exact, cube.period) = (is_exact, period);
        Some(cube)
    }

    /// Only the model.
    fn of_model(store: &mut TermStore, values: &Assignment, model: usize) -> Cube {
        let mut places = FxHashMap::default();
        let mut point = Vec::new();
        let mut symbols: Vec<_> = values.symbols.iter().collect();
        symbols.sort();
        for (&symbol, value) in symbols {
            let TermValue::Int(value) = value else {
                continue;
            };
            places.insert(store.of_symbol(symbol), point.len());
            point.push(value.clone());
        }
        let row =
            |(place, value): (usize, &Integer)| Row::equality(unit(point.len(), place), -value);
        let rows: Vec<Row> = point.iter().enumerate().map(row).collect();
        Cube::of_rows(places, rows, point.clone(), model).expect("a point should satisfy itself")
    }

    fn of_rows(
        places: FxHashMap<TermId, usize>,
        rows: Vec<Row>,
        point: Vec<Integer>,
        model: usize,
    ) -> Option<Cube> {
        if !rows.iter().all(|row| row.holds_at(&point)) {
            return None;
        }
        let start: Vec<Rational> = point.iter().map(Rational::from).collect();
        let dictionary = Dictionary::at(&rows, &start);
        Some(Cube {
            places,
            rows,
            point,
            is_exact: true,
            period: Integer::ONE,
            dictionary,
            model,
        })
    }

    /// Integers for the symbols among its variables, if the sum has a greatest value there or grows
    /// for ever, and integers reach it. They satisfy the rows, but perhaps not the formula.
    pub(super) fn extreme(
        &mut self,
        store: &TermStore,
        sum: TermId,
        budget: &Budget,
    ) -> Vec<(SymbolId, Integer)> {
        let (_, parts) = store.to_linear(sum);
        let mut form = vec![Integer::ZERO; self.point.len()];
        let mut more = Vec::new();
        for (part, factor) in parts {
            match (self.places.get(&part), store.node(part)) {
                (Some(&place), _) => form[place] = factor,
                (None, &Node::Symbol(symbol)) => more.push((symbol, Integer::ONE)),
                (None, _) => {}
            }
        }
        let values: Option<Vec<Integer>> = match self.dictionary.greatest(&form, budget) {
            Optimum::Value(_) => {
                let vertex = self.dictionary.point();
                vertex
                    .iter()
                    .map(|value| value.to_integer().cloned())
                    .collect()
            }
            Optimum::Unbounded => self.dictionary.ray().map(|ray| {
                let step = |(at, by): (&Integer, &Integer)| at + &(by * &self.period);
                self.point.iter().zip(&ray).map(step).collect()
            }),
            Optimum::Unknown => None,
        };
        let Some(values) = values else {
            return more;
        };
        let mut places: Vec<(&TermId, &usize)> = self.places.iter().collect();
        places.sort();
        for (&term, &place) in places {
            if let Node::Symbol(symbol) = *store.node(term) {
                more.push((symbol, values[place].clone()));
            }
        }
        more
    }

    /// How far a sum goes in it.
    pub(super) fn greatest(&mut self, store: &TermStore, sum: TermId, budget: &Budget) -> Extent {
        let (constant, parts) = store.to_linear(sum);
        let mut form = vec![Integer::ZERO; self.point.len()];
        for (part, factor) in parts {
            match self.places.get(&part) {
                Some(&place) => form[place] = factor,
                // Nothing is said about it.
                None if matches!(store.node(part), Node::Symbol(_)) => return Extent::Unbounded,
                None => return Extent::Unknown,
            }
        }
        match self.dictionary.greatest(&form, budget) {
            Optimum::Value(value) => {
                let reached = self.is_exact && {
                    let vertex = self.dictionary.point();
                    vertex.iter().all(Rational::is_integer)
                };
                Extent::To(&value.floor() + &constant, reached)
            }
            Optimum::Unbounded => Extent::Unbounded,
            Optimum::Unknown => Extent::Unknown,
        }
    }

    /// A polyhedron that has the values of terms in the model, and of all points of a part of the
    /// cube around it.
    pub(super) fn piece(
        &self,
        store: &TermStore,
        values: &Assignment,
        terms: &[TermId],
    ) -> Polyhedron {
        let complete = Complete { store, values };
        let mut places = self.places.clone();
        let mut point = self.point.clone();
        let forms: Vec<_> = terms.iter().map(|&term| store.to_linear(term)).collect();
        for (part, _) in forms.iter().flat_map(|(_, parts)| parts) {
            let next = point.len();
            if *places.entry(*part).or_insert(next) == next {
                let value = store.evaluate_in(*part, &complete);
                let value = value.as_ref().and_then(TermValue::as_int).cloned();
                point.push(value.expect("an integer should have a value"));
            }
        }
        let (kept, size) = (terms.len(), terms.len() + point.len());
        let mut rows = Vec::with_capacity(self.rows.len() + kept);
        let mut whole: Vec<Integer> = Vec::with_capacity(size);
        for (place, (constant, parts)) in forms.iter().enumerate() {
            let mut row = Row::equality(unit(size, place), -constant);
            let mut value = constant.clone();
            for (part, factor) in parts {
                let at = places[part];
                row.coefficients[kept + at] = -factor;
                value = &value + &(factor * &point[at]);
            }
            rows.push(row);
            whole.push(value);
        }
        whole.extend(point);
        for row in &self.rows {
            let mut coefficients = vec![Integer::ZERO; kept];
            coefficients.extend_from_slice(&row.coefficients);
            coefficients.resize(size, Integer::ZERO);
            rows.push(Row {
                coefficients,
                ..row.clone()
            });
        }
        let elimination = Elimination {
            model: Some(&whole),
            integers: true,
        };
        let drop: Vec<usize> = (kept..size).collect();
        let rows = elimination.run(rows, &drop).into_iter().map(|mut row| {
            row.coefficients.truncate(kept);
            row
        });
        Polyhedron::of_rows(kept, rows)
    }
}

/// The divisor of a divisibility or of its negation; one for everything else.
fn divisor(store: &TermStore, literal: TermId) -> Integer {
    match store.node(literal) {
        Node::Divides(divisor, _) => divisor.clone(),
        Node::Not(atom) => divisor(store, *atom),
        _ => Integer::ONE,
    }
}
