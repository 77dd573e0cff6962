//! Cubes: the linear part of an implicant of the formula, around a model.
//!
//! Equalities are solved first where that takes no fractions, so that the dimensions are few.
//!
//! # Invariants
//! - The rows hold at the point, and follow from literals that imply the formula; where `is_exact`
//!   does not hold, the literals say more than the rows.

use super::Abstraction;
use super::form::{Form, Solutions, form_of};
use crate::optimum::{Dictionary, Optimum};
use crate::{Kind, Row};
use base::Budget;
use logic::{
    Assignment, FunctionId, Integer, Interpretation, Node, Rational, SymbolId, TermId, TermStore,
    TermValue, implicant,
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// How many models of other questions are worth a cube.
const FIRST: usize = 2;

/// A quotient with no more values than that is split by them.
const FEW: i64 = 4;

/// A conjunction of rows over terms that are no sums.
pub(super) struct Cube {
    /// Terms that equalities determine.
    solutions: Solutions,
    /// The dimensions of the rows: the other terms.
    places: BTreeMap<TermId, usize>,
    pub(super) rows: Vec<Row>,
    /// The values of these in the model.
    pub(super) point: Vec<Integer>,
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
        let (formula, values) = (self.formula(), self.models[model].clone());
        let literals = implicant(self.store, formula, &BTreeSet::new(), &values);
        let cube = literals.and_then(|literals| {
            let cube = Cube::of_literals(self.store, &literals, &values, model)?;
            self.split(cube, literals, &values)
        });
        let cube = cube.unwrap_or_else(|| Cube::of_model(self.store, &values, model));
        self.cubes.push(cube);
        self.cubes.len() - 1
    }

    /// The part of a cube where quotients with few values are as in the model. Between these values
    /// the rows would allow what no integers do: a sum that wraps by half.
    fn split(
        &mut self,
        mut cube: Cube,
        mut literals: Vec<TermId>,
        values: &Assignment,
    ) -> Option<Cube> {
        let known = literals.len();
        for &quotient in &self.quotients {
            let negated = self.store.neg(quotient);
            let high = cube.greatest(self.store, quotient, &self.budget);
            let low = cube.greatest(self.store, negated, &self.budget);
            if let (Extent::To(high, _), Extent::To(low, _)) = (high, low)
                && &high + &low < Integer::from(FEW)
            {
                let value = numbers(self.store, &[quotient], values)?.remove(0);
                let value = self.store.int(value);
                literals.push(self.store.eq(quotient, value));
            }
        }
        if literals.len() > known {
            cube = Cube::of_literals(self.store, &literals, values, cube.model)?;
        }
        Some(cube)
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
        let (mut equalities, mut inequalities) = (Vec::new(), Vec::new());
        let (mut is_exact, mut period) = (true, Integer::ONE);
        for &literal in literals {
            match *store.node(literal) {
                Node::AtMostZero(sum) => inequalities.push(form_of(store, sum)),
                Node::IsZero(sum) => equalities.push(form_of(store, sum)),
                // Truth values that nothing else depends on.
                Node::Symbol(_) => {}
                Node::Not(atom) if matches!(store.node(atom), Node::Symbol(_)) => {}
                _ => {
                    period = period.lcm(&divisor(store, literal));
                    is_exact = false;
                }
            }
        }
        let all = equalities.iter().chain(&inequalities);
        let all: BTreeSet<TermId> = all.flat_map(|form| form.keys()).collect();
        is_exact &= all
            .iter()
            .all(|&term| matches!(store.node(term), Node::Symbol(_)));
        let (solutions, rest) = Solutions::of(equalities);
        let minus = Integer::from(-1i64);
        let inequalities = inequalities.into_iter();
        let rows: Vec<(Form, Kind)> = (rest.into_iter().map(|form| (form, Kind::Equality)))
            .chain(inequalities.map(|form| (solutions.reduce(form).scaled(&minus), Kind::AtLeast)))
            .collect();
        let mut cube = Cube::of_forms(store, solutions, &rows, values, model)?;
        (cube.is_exact, cube.period) = (is_exact, period);
        Some(cube)
    }

    /// Only the model.
    fn of_model(store: &mut TermStore, values: &Assignment, model: usize) -> Cube {
        let mut symbols: Vec<_> = values.symbols.iter().collect();
        symbols.sort();
        let equalities = symbols.into_iter().filter_map(|(&symbol, value)| {
            let constant = -value.as_int()?;
            let parts = vec![(store.of_symbol(symbol), Integer::ONE)];
            Some(Form { constant, parts })
        });
        let (solutions, _) = Solutions::of(equalities.collect());
        let cube = Cube::of_forms(store, solutions, &[], values, model);
        cube.expect("a cube without rows should be one")
    }

    fn of_forms(
        store: &TermStore,
        solutions: Solutions,
        forms: &[(Form, Kind)],
        values: &Assignment,
        model: usize,
    ) -> Option<Cube> {
        let free: BTreeSet<TermId> = forms.iter().flat_map(|(form, _)| form.keys()).collect();
        let free: Vec<TermId> = free.into_iter().collect();
        let point = numbers(store, &free, values)?;
        let places: BTreeMap<TermId, usize> = free.iter().copied().zip(0..).collect();
        let row = |(form, kind): &(Form, Kind)| {
            let mut coefficients = vec![Integer::ZERO; free.len()];
            for (term, factor) in &form.parts {
                coefficients[places[term]] = factor.clone();
            }
            let constant = form.constant.clone();
            let kind = *kind;
            Row {
                coefficients,
                constant,
                kind,
            }
            .tightened()
        };
        let mut rows: Vec<Row> = forms
            .iter()
            .map(row)
            .filter(|row| !row.is_trivial())
            .collect();
        rows.sort();
        rows.dedup();
        if !rows.iter().all(|row| row.holds_at(&point)) {
            return None;
        }
        let start: Vec<Rational> = point.iter().map(Rational::from).collect();
        Some(Cube {
            dictionary: Dictionary::at(&rows, &start),
            solutions,
            places,
            rows,
            point,
            is_exact: true,
            period: Integer::ONE,
            model,
        })
    }

    /// A sum over the dimensions of the cube, as far as it speaks about them, and the rest.
    pub(super) fn form(&self, store: &TermStore, sum: TermId) -> (Vec<Integer>, Form) {
        let mut rest = self.solutions.reduce(form_of(store, sum));
        let mut form = vec![Integer::ZERO; self.point.len()];
        rest.parts
            .retain(|(term, factor)| match self.places.get(term) {
                Some(&place) => {
                    form[place] = factor.clone();
                    false
                }
                None => true,
            });
        (form, rest)
    }

    /// Values of symbols where the sum is greatest, if it is so at integers, or where it is greater
    /// than in the model. They satisfy the rows, but perhaps not the formula.
    pub(super) fn extreme(
        &mut self,
        store: &TermStore,
        sum: TermId,
        budget: &Budget,
    ) -> Vec<(SymbolId, Integer)> {
        let (form, rest) = self.form(store, sum);
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
        let values = values.unwrap_or_else(|| self.point.clone());
        let mut all: Vec<(TermId, Integer)> = Vec::new();
        // Nothing is said about the rest; one is as good as any value.
        all.extend(rest.keys().map(|term| (term, Integer::ONE)));
        all.extend(
            self.places
                .iter()
                .map(|(&term, &place)| (term, values[place].clone())),
        );
        let known: FxHashMap<TermId, Integer> = all.iter().cloned().collect();
        for (term, form) in self.solutions.iter() {
            if let Some(value) = form.value(|term| known.get(&term).cloned()) {
                all.push((term, value));
            }
        }
        let symbol = |(term, value)| match *store.node(term) {
            Node::Symbol(symbol) => Some((symbol, value)),
            _ => None,
        };
        all.into_iter().filter_map(symbol).collect()
    }

    /// How far a sum goes in it.
    pub(super) fn greatest(&mut self, store: &TermStore, sum: TermId, budget: &Budget) -> Extent {
        let (form, rest) = self.form(store, sum);
        if !rest.parts.is_empty() {
            // Nothing is said about it.
            let mut terms = rest.keys();
            let are_symbols = terms.all(|term| matches!(store.node(term), Node::Symbol(_)));
            return if are_symbols {
                Extent::Unbounded
            } else {
                Extent::Unknown
            };
        }
        match self.dictionary.greatest(&form, budget) {
            Optimum::Value(value) => {
                let reached =
                    self.is_exact && self.dictionary.point().iter().all(Rational::is_integer);
                Extent::To(&value.floor() + &rest.constant, reached)
            }
            Optimum::Unbounded => Extent::Unbounded,
            Optimum::Unknown => Extent::Unknown,
        }
    }
}

/// The values of terms in a model.
pub(super) fn numbers(
    store: &TermStore,
    terms: &[TermId],
    values: &Assignment,
) -> Option<Vec<Integer>> {
    let all = store.evaluate_all_in(terms, &Complete { store, values });
    let number = |term: &TermId| all[term].as_ref()?.as_int().cloned();
    terms.iter().map(number).collect()
}

/// The divisor of a divisibility or of its negation; one for everything else.
fn divisor(store: &TermStore, literal: TermId) -> Integer {
    match store.node(literal) {
        Node::Divides(divisor, _) => divisor.clone(),
        Node::Not(atom) => divisor(store, *atom),
        _ => Integer::ONE,
    }
}
