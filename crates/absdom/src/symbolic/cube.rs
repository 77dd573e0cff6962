//! Cubes: the linear part of an implicant of the formula, around a model.
//!
//! Equalities are solved first where that takes no fractions, so that there are few dimensions.
//!
//! # Invariants
//! - The rows hold at the point, and follow from literals that imply the formula; if `is_exact` is
//!   false, the literals say more than the rows.

use super::Abstraction;
use super::form::{Form, Solutions, form_of};
use crate::linear_program::{constrain, go_on};
use base::{Budget, Id};
use interpolate::project::row::{Relation, Row, tidy};
use logic::{
    Assignment, FunctionId, Integer, Interpretation, Node, Rational, SymbolId, TermId, TermStore,
    TermValue, implicant,
};
use prover::linear::{Linear, VarId};
use prover::simplex::{Optimum, Simplex};
use std::collections::{BTreeMap, BTreeSet};

/// How many models of other questions are worth a cube.
const FIRST: usize = 2;

/// A quotient with no more values than that is split by them.
const FEW: i64 = 4;

/// A conjunction of rows over terms that are not sums.
pub(super) struct Cube {
    /// Terms that equalities determine.
    pub(super) solutions: Solutions,
    pub(super) rows: Vec<Row<TermId, Integer>>,
    /// The values of their terms in the model.
    pub(super) point: BTreeMap<TermId, Integer>,
    /// Whether the rows imply the formula.
    is_exact: bool,
    /// After how many steps along a ray all divisibilities hold again.
    period: Integer,
    /// The rows as bounds, and the variables of their terms.
    simplex: Simplex<()>,
    places: BTreeMap<TermId, VarId>,
    /// The model that it is around.
    pub(super) model: usize,
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
            if let (Some((high, _)), Some((low, _))) = (high, low)
                && &high + &low < Integer::from(FEW)
            {
                let value = numbers(self.store, &[quotient], values)?.remove(0);
                literals.push(self.store.equals(quotient, value));
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
            match Row::of_literal(store, literal) {
                Some(row) => match row.relation {
                    Relation::IsZero => equalities.push(row.sum),
                    Relation::AtMostZero | Relation::Below => inequalities.push(row.sum),
                    Relation::DivisibleBy(divisor) | Relation::NotDivisibleBy(divisor) => {
                        period = period.lcm(&divisor);
                        is_exact = false;
                    }
                },
                // Truth values that nothing else depends on make no difference.
                None => is_exact &= is_truth(store, literal),
            }
        }
        let all = equalities.iter().chain(&inequalities);
        let all: BTreeSet<TermId> = all.flat_map(|form| form.keys()).collect();
        is_exact &= all
            .iter()
            .all(|&term| matches!(store.node(term), Node::Symbol(_)));
        let (solutions, rest) = Solutions::of(equalities);
        let inequalities = inequalities.into_iter().map(|form| Row {
            relation: Relation::AtMostZero,
            sum: solutions.reduce(form),
        });
        let rows = rest.into_iter().map(Row::is_zero).chain(inequalities);
        let rows: Vec<_> = rows.collect();
        let mut cube = Cube::of_rows(store, solutions, rows, values, model)?;
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
        let cube = Cube::of_rows(store, solutions, Vec::new(), values, model);
        cube.expect("a cube without rows should be one")
    }

    /// None if a row does not hold in the model.
    fn of_rows(
        store: &TermStore,
        solutions: Solutions,
        rows: Vec<Row<TermId, Integer>>,
        values: &Assignment,
        model: usize,
    ) -> Option<Cube> {
        let terms: BTreeSet<TermId> = rows.iter().flat_map(|row| row.sum.keys()).collect();
        let terms: Vec<TermId> = terms.into_iter().collect();
        let numbers = numbers(store, &terms, values)?;
        let point: BTreeMap<TermId, Integer> = terms.into_iter().zip(numbers).collect();
        if !rows.iter().all(|row| row.holds(&point)) {
            return None;
        }
        let rows = tidy(rows);
        let mut simplex = Simplex::default();
        let start = |(&term, value): (&TermId, &Integer)| (term, simplex.new_var(value.into()));
        let places: BTreeMap<TermId, VarId> = point.iter().map(start).collect();
        for row in &rows {
            let consistent = constrain(&mut simplex, row, |term| places[&term]);
            debug_assert!(consistent, "rows that hold should not be inconsistent");
        }
        Some(Cube {
            solutions,
            rows,
            point,
            is_exact: true,
            period: Integer::ONE,
            simplex,
            places,
            model,
        })
    }

    /// A sum over the terms of the cube's rows, as far as it speaks about them, and the rest.
    fn form(&self, store: &TermStore, sum: TermId) -> (Linear, Form) {
        let mut rest = self.solutions.reduce(form_of(store, sum));
        let mut form = Linear::of_constant(Rational::ZERO);
        rest.parts.retain(|(term, factor)| {
            let place = self.places.get(term);
            let part = place.map(|&var| (var, Rational::from(factor)));
            form.parts.extend(part);
            place.is_none()
        });
        (form, rest)
    }

    /// The present vertex, if it is one of integers.
    fn vertex(&self) -> Option<BTreeMap<TermId, Integer>> {
        let places = self.places.iter();
        let value = |&var| self.simplex.value(var).main.to_integer().cloned();
        places
            .map(|(&term, var)| Some((term, value(var)?)))
            .collect()
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
        let values = match self.simplex.greatest(&form, || go_on(budget)) {
            Optimum::Value(_) => self.vertex(),
            Optimum::Unbounded(direction) => Some(self.step(direction)),
            Optimum::Unknown => None,
        };
        let mut all = values.unwrap_or_else(|| self.point.clone());
        // Nothing is said about the rest; one is as good as any value.
        all.extend(rest.keys().map(|term| (term, Integer::ONE)));
        let solved = |(term, form): (TermId, &Form)| {
            Some((term, form.value(|term| all.get(&term).cloned())?))
        };
        let solved: Vec<(TermId, Integer)> = self.solutions.iter().filter_map(solved).collect();
        let symbol = |(term, value)| match *store.node(term) {
            Node::Symbol(symbol) => Some((symbol, value)),
            _ => None,
        };
        all.into_iter().chain(solved).filter_map(symbol).collect()
    }

    /// The point after a step in a direction that ends at integers where divisibilities hold again.
    fn step(&self, parts: Vec<(VarId, Rational)>) -> BTreeMap<TermId, Integer> {
        let constant = Rational::ZERO;
        let mut direction = Linear { constant, parts };
        let is_term = |var: VarId| var.index() < self.places.len();
        direction.parts.retain(|(var, _)| is_term(*var));
        direction.parts.sort_by_key(|(var, _)| *var);
        let direction = direction.scaled(&direction.normaliser());
        let step = |((&term, at), &var): ((&TermId, &Integer), &VarId)| {
            let by = direction.factor(var).floor();
            (term, at + &(&by * &self.period))
        };
        let vars = self.places.values();
        self.point.iter().zip(vars).map(step).collect()
    }

    /// How far a sum goes in it: at most to this integer, and whether there is a point of the
    /// formula where it does; none if it goes beyond every value, or if that is not known.
    pub(super) fn greatest(
        &mut self,
        store: &TermStore,
        sum: TermId,
        budget: &Budget,
    ) -> Option<(Integer, bool)> {
        let (form, rest) = self.form(store, sum);
        if !rest.parts.is_empty() {
            // Nothing is said about it.
            return None;
        }
        match self.simplex.greatest(&form, || go_on(budget)) {
            Optimum::Value(value) => {
                let reached = self.is_exact && self.vertex().is_some();
                Some((&value.floor() + &rest.constant, reached))
            }
            Optimum::Unbounded(_) | Optimum::Unknown => None,
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

/// Whether a literal is a truth value or its negation.
fn is_truth(store: &TermStore, literal: TermId) -> bool {
    match *store.node(literal) {
        Node::Symbol(_) => true,
        Node::Not(atom) => matches!(store.node(atom), Node::Symbol(_)),
        _ => false,
    }
}
