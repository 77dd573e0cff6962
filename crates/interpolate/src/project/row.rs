//! Linear rows: constraints on a sum of multiples of keys.
//!
//! The keys are terms, or names that an elimination introduces; the factors are integers, or
//! rationals where reals are eliminated.

use logic::sparse::{Linear, Signed};
use logic::{Integer, Node, TermId, TermStore};
use std::collections::BTreeMap;

/// What a row says about its sum.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Relation {
    /// It is at most zero.
    AtMostZero,
    /// It is below zero: only of reals.
    Below,
    /// It is zero.
    IsZero,
    /// It is a multiple of a number: only of integers.
    DivisibleBy(Integer),
    /// It is not a multiple of a number: only of integers.
    NotDivisibleBy(Integer),
}

impl Relation {
    /// That a sum is at most zero, or below it.
    pub(super) fn at_most(strict: bool) -> Relation {
        match strict {
            true => Relation::Below,
            false => Relation::AtMostZero,
        }
    }
}

/// A sum of multiples of keys, and what is said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row<K, C> {
    /// What is said.
    pub relation: Relation,
    /// About which sum.
    pub sum: Linear<K, C>,
}

impl<K: Copy + Ord, C: Signed> Row<K, C> {
    /// That a sum is zero.
    pub fn is_zero(sum: Linear<K, C>) -> Self {
        let relation = Relation::IsZero;
        Row { relation, sum }
    }

    /// Over other keys, which are in the same order.
    pub fn rekeyed<L>(&self, key: impl Fn(K) -> L) -> Row<L, C> {
        Row {
            relation: self.relation.clone(),
            sum: self.sum.rekeyed(key),
        }
    }

    /// The factor of a key.
    pub(super) fn factor(&self, key: K) -> C {
        self.sum.factor(key)
    }

    /// The row's sum times a factor plus another sum times another, about which is said what is
    /// said here.
    pub(super) fn combine(&self, times: &C, other: &Self, other_times: &C) -> Self {
        let mut row = self.scale(times);
        row.sum.add_multiple(other_times, &other.sum);
        row
    }

    /// All factors and the constant times a number; not so the divisor.
    pub(super) fn scale(&self, times: &C) -> Self {
        Row {
            relation: self.relation.clone(),
            sum: self.sum.scaled(times),
        }
    }

    /// The row with a sum in place of a key.
    pub(super) fn substitute(&mut self, key: K, sum: &Linear<K, C>) {
        if let Some(factor) = self.sum.remove(key) {
            self.sum.add_multiple(&factor, sum);
        }
    }

    /// The value of the sum.
    pub(super) fn value(&self, values: &BTreeMap<K, C>) -> C {
        let value = self.sum.value(|key| values.get(&key).cloned());
        value.expect("every key should have a value")
    }
}

impl Row<TermId, Integer> {
    /// A row that says something about a term.
    pub(super) fn of_term(store: &TermStore, term: TermId, relation: Relation) -> Self {
        let (constant, parts) = store.to_linear(term);
        let sum = Linear { constant, parts };
        Row { relation, sum }
    }

    /// The row of a comparison or of a divisibility.
    pub fn of_literal(store: &TermStore, literal: TermId) -> Option<Self> {
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

    pub(super) fn to_term(&self, store: &mut TermStore) -> TermId {
        let sum = store.linear(&self.sum.constant, &self.sum.parts);
        let zero = store.int(0i64);
        match &self.relation {
            Relation::AtMostZero => store.le(sum, zero),
            Relation::Below => store.lt(sum, zero),
            Relation::IsZero => store.eq(sum, zero),
            Relation::DivisibleBy(divisor) => store.divides(divisor, sum),
            Relation::NotDivisibleBy(divisor) => {
                let divisible = store.divides(divisor, sum);
                store.not(divisible)
            }
        }
    }
}

impl<K: Copy + Ord> Row<K, Integer> {
    /// Whether it holds.
    pub fn holds(&self, values: &BTreeMap<K, Integer>) -> bool {
        let value = self.value(values);
        match &self.relation {
            Relation::AtMostZero => value.signum() <= 0,
            Relation::Below => value.signum() < 0,
            Relation::IsZero => value.is_zero(),
            Relation::DivisibleBy(divisor) => value.mod_floor(divisor).is_zero(),
            Relation::NotDivisibleBy(divisor) => !value.mod_floor(divisor).is_zero(),
        }
    }

    /// The row in a normal form; `None` if it says nothing.
    ///
    /// It holds for some values, so a row without keys says nothing.
    pub fn normal(mut self) -> Option<Self> {
        let (_, first) = self.sum.parts.first()?;
        let negative = first.signum() < 0;
        let mut gcd = self.sum.common_divisor();
        self.sum.constant = match &self.relation {
            Relation::AtMostZero | Relation::Below => self.sum.constant.div_ceil(&gcd),
            Relation::IsZero => {
                gcd = if negative { -&gcd } else { gcd };
                self.sum.constant.div_floor(&gcd)
            }
            Relation::DivisibleBy(divisor) | Relation::NotDivisibleBy(divisor) => {
                let divisor = divisor.clone();
                return self.normal_divisible(divisor);
            }
        };
        self.sum.each_factor(|factor| factor.div_floor(&gcd));
        Some(self)
    }

    fn normal_divisible(mut self, mut divisor: Integer) -> Option<Self> {
        // One that is never divisible says just that.
        self.sum = self.sum.residue(&mut divisor)?;
        if self.sum.parts.is_empty() {
            return None;
        }
        self.relation = match self.relation {
            Relation::NotDivisibleBy(_) => Relation::NotDivisibleBy(divisor),
            _ => Relation::DivisibleBy(divisor),
        };
        Some(self)
    }
}

/// Rows in normal form, only the tightest of parallel bounds, and no two bounds where an equality
/// says it.
pub fn tidy<K: Copy + Ord>(rows: Vec<Row<K, Integer>>) -> Vec<Row<K, Integer>> {
    let mut tidied = Vec::new();
    let mut bounds: BTreeMap<Vec<(K, Integer)>, Integer> = BTreeMap::new();
    for row in rows.into_iter().filter_map(Row::normal) {
        if row.relation != Relation::AtMostZero {
            if !tidied.contains(&row) {
                tidied.push(row);
            }
            continue;
        }
        let Linear { constant, parts } = row.sum;
        let tightest = bounds.entry(parts).or_insert_with(|| constant.clone());
        if constant > *tightest {
            *tightest = constant;
        }
    }
    for (parts, constant) in &bounds {
        let opposite: Vec<(K, Integer)> = parts.iter().map(|(key, it)| (*key, -it)).collect();
        let sum = Linear {
            constant: constant.clone(),
            parts: parts.clone(),
        };
        let mut row = Row {
            relation: Relation::AtMostZero,
            sum,
        };
        if bounds.get(&opposite) == Some(&-constant) {
            row.relation = Relation::IsZero;
            row = row.normal().expect("a bound should have a key");
        }
        if !tidied.contains(&row) {
            tidied.push(row);
        }
    }
    tidied
}
