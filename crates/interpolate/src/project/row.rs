//! Literals as linear rows over variables.

use logic::sparse::Linear;
use logic::{Integer, Node, TermId, TermStore};
use std::collections::BTreeMap;

/// What a row is linear in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Var {
    /// A term that is no sum.
    Term(TermId),
    /// A quotient that projection has named, to be eliminated.
    Quotient(usize),
}

/// What a row says about its sum.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Relation {
    AtMostZero,
    IsZero,
    DivisibleBy(Integer),
    NotDivisibleBy(Integer),
}

/// A sum of multiples of variables, and what is said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Row {
    pub(super) relation: Relation,
    pub(super) sum: Linear<Var, Integer>,
}

impl Row {
    /// A row that says something about a term.
    pub(super) fn of_term(store: &TermStore, term: TermId, relation: Relation) -> Row {
        let (constant, parts) = store.to_linear(term);
        let parts = parts.into_iter();
        let parts = parts.map(|(part, factor)| (Var::Term(part), factor));
        let parts = parts.collect();
        Row {
            relation,
            sum: Linear { constant, parts },
        }
    }

    /// The row of a comparison or of a divisibility.
    pub(super) fn of_literal(store: &TermStore, literal: TermId) -> Option<Row> {
        match store.node(literal) {
            Node::AtMostZero(sum) => Some(Row::of_term(store, *sum, Relation::AtMostZero)),
            Node::IsZero(sum) => Some(Row::of_term(store, *sum, Relation::IsZero)),
            Node::Divides(divisor, sum) => {
                let relation = Relation::DivisibleBy(divisor.clone());
                Some(Row::of_term(store, *sum, relation))
            }
            Node::Not(atom) => {
                let mut row = Row::of_literal(store, *atom)?;
                let Relation::DivisibleBy(divisor) = row.relation else {
                    return None;
                };
                row.relation = Relation::NotDivisibleBy(divisor);
                Some(row)
            }
            _ => None,
        }
    }

    /// The sum as a term.
    pub(super) fn to_sum(&self, store: &mut TermStore) -> TermId {
        let parts = self.sum.parts.iter().map(|(var, factor)| match var {
            Var::Term(term) => (*term, factor.clone()),
            Var::Quotient(_) => unreachable!("a quotient should have been eliminated"),
        });
        store.linear(&self.sum.constant, &parts.collect::<Vec<_>>())
    }

    pub(super) fn to_term(&self, store: &mut TermStore) -> TermId {
        let sum = self.to_sum(store);
        let zero = store.int(0i64);
        match &self.relation {
            Relation::AtMostZero => store.le(sum, zero),
            Relation::IsZero => store.eq(sum, zero),
            Relation::DivisibleBy(divisor) => store.divides(divisor, sum),
            Relation::NotDivisibleBy(divisor) => {
                let divisible = store.divides(divisor, sum);
                store.not(divisible)
            }
        }
    }

    /// The factor of a variable.
    pub(super) fn factor(&self, var: Var) -> Integer {
        self.sum.factor(var)
    }

    /// The row's sum times a factor plus another sum times another, about which is said what is
    /// said here.
    pub(super) fn combine(&self, times: &Integer, other: &Row, other_times: &Integer) -> Row {
        let mut row = self.scale(times);
        row.sum.add_multiple(other_times, &other.sum);
        row
    }

    /// All factors and the constant times a number; not so the divisor.
    pub(super) fn scale(&self, times: &Integer) -> Row {
        Row {
            relation: self.relation.clone(),
            sum: self.sum.scaled(times),
        }
    }

    /// The row with a sum in the place of a variable.
    pub(super) fn substitute(&mut self, var: Var, sum: &Row) {
        if let Some(factor) = self.sum.remove(var) {
            self.sum.add_multiple(&factor, &sum.sum);
        }
    }

    /// The value of the sum.
    pub(super) fn value(&self, values: &BTreeMap<Var, Integer>) -> Integer {
        let value = self.sum.value(|var| values.get(&var).cloned());
        value.expect("every variable should have a value")
    }

    /// Whether it holds.
    pub(super) fn holds(&self, values: &BTreeMap<Var, Integer>) -> bool {
        let value = self.value(values);
        match &self.relation {
            Relation::AtMostZero => value.signum() <= 0,
            Relation::IsZero => value.is_zero(),
            Relation::DivisibleBy(divisor) => value.mod_floor(divisor).is_zero(),
            Relation::NotDivisibleBy(divisor) => !value.mod_floor(divisor).is_zero(),
        }
    }

    /// The row in a normal form; `None` if it says nothing.
    ///
    /// It holds for some values, so a row without variables says nothing.
    pub(super) fn normal(mut self) -> Option<Row> {
        if let Relation::DivisibleBy(divisor) | Relation::NotDivisibleBy(divisor) = &self.relation {
            let divisor = divisor.clone();
            return self.normal_divisible(&divisor);
        }
        let (_, first) = self.sum.parts.first()?;
        let negative = first.signum() < 0;
        let mut gcd = self.sum.common_divisor();
        self.sum.constant = match self.relation {
            Relation::AtMostZero => self.sum.constant.div_ceil(&gcd),
            Relation::IsZero | Relation::DivisibleBy(_) | Relation::NotDivisibleBy(_) => {
                gcd = if negative { -&gcd } else { gcd };
                self.sum.constant.div_floor(&gcd)
            }
        };
        self.sum.each_factor(|factor| factor.div_floor(&gcd));
        Some(self)
    }

    fn normal_divisible(mut self, divisor: &Integer) -> Option<Row> {
        self.sum.each_factor(|factor| factor.mod_floor(divisor));
        self.sum.constant = self.sum.constant.mod_floor(divisor);
        let gcd = self.sum.common_divisor().gcd(divisor);
        if !self.sum.constant.mod_floor(&gcd).is_zero() {
            // Never divisible; then that is what it says.
            return None;
        }
        let divisor = divisor.div_floor(&gcd);
        self.sum.constant = self.sum.constant.div_floor(&gcd);
        self.sum.each_factor(|factor| factor.div_floor(&gcd));
        // A first factor of 1 where that is possible.
        let (_, first) = self.sum.parts.first()?;
        let (gcd, inverse, _) = extended_gcd(first, &divisor);
        if gcd == Integer::ONE {
            self.sum
                .each_factor(|factor| (factor * &inverse).mod_floor(&divisor));
            self.sum.constant = (&self.sum.constant * &inverse).mod_floor(&divisor);
        }
        self.relation = match self.relation {
            Relation::NotDivisibleBy(_) => Relation::NotDivisibleBy(divisor),
            _ => Relation::DivisibleBy(divisor),
        };
        Some(self)
    }
}

/// The gcd of two numbers, and what to multiply them by to get it as their sum.
pub(super) fn extended_gcd(a: &Integer, b: &Integer) -> (Integer, Integer, Integer) {
    let (mut old, mut new) = (
        (a.clone(), Integer::ONE, Integer::ZERO),
        (b.clone(), Integer::ZERO, Integer::ONE),
    );
    while !new.0.is_zero() {
        let quotient = old.0.div_floor(&new.0);
        let step = |x: &Integer, y: &Integer| x - &(&quotient * y);
        let next = (
            step(&old.0, &new.0),
            step(&old.1, &new.1),
            step(&old.2, &new.2),
        );
        (old, new) = (new, next);
    }
    if old.0.signum() < 0 {
        return (-&old.0, -&old.1, -&old.2);
    }
    old
}
