//! Sums and comparisons of reals.
//!
//! A comparison in which every part is an integer converted to a real becomes one of integers.

use crate::sparse::{self, collected};
use crate::term::{Node, Sort, TermId, TermStore};
use crate::{Integer, Rational};

/// A constant and the multiples of terms that it is added to.
type RealLinear = sparse::Linear<TermId, Rational>;

impl TermStore {
    /// A real number.
    pub fn real(&mut self, value: impl Into<Rational>) -> TermId {
        self.intern(Node::Real(value.into()))
    }

    /// The real number, if the term is one.
    pub fn as_real(&self, term: TermId) -> Option<&Rational> {
        match self.node(term) {
            Node::Real(value) => Some(value),
            _ => None,
        }
    }

    /// An integer as a real; a real stays as it is.
    pub fn to_real(&mut self, a: TermId) -> TermId {
        if self.sort(a) == Sort::Real {
            return a;
        }
        let (constant, parts) = self.to_linear(a);
        let parts: Vec<_> = (parts.into_iter())
            .map(|(part, factor)| (self.intern(Node::ToReal(part)), Rational::from(factor)))
            .collect();
        self.real_linear(&Rational::from(constant), &parts)
    }

    /// The sum of multiples of reals.
    pub fn real_linear(&mut self, constant: &Rational, parts: &[(TermId, Rational)]) -> TermId {
        let mut sum = RealLinear::of_constant(constant.clone());
        for (part, factor) in parts {
            self.add_to_real(&mut sum, *part, factor);
        }
        sum.parts = collected(sum.parts);
        self.of_real_linear(sum)
    }

    /// A multiple of a real.
    pub fn real_scale(&mut self, factor: &Rational, a: TermId) -> TermId {
        self.real_linear(&Rational::ZERO, &[(a, factor.clone())])
    }

    fn add_to_real(&self, sum: &mut RealLinear, term: TermId, factor: &Rational) {
        match self.node(term) {
            Node::Real(value) => sum.constant = &sum.constant + &(value * factor),
            Node::RealSum(constant, parts) => {
                sum.constant = &sum.constant + &(constant * factor);
                let scaled = parts.iter().map(|(part, times)| (*part, times * factor));
                sum.parts.extend(scaled);
            }
            _ => sum.parts.push((term, factor.clone())),
        }
    }

    fn of_real_linear(&mut self, RealLinear { constant, parts }: RealLinear) -> TermId {
        match &parts[..] {
            [] => self.intern(Node::Real(constant)),
            [(part, factor)] if constant.is_zero() && factor.is_one() => *part,
            _ => self.intern(Node::RealSum(constant, parts.into())),
        }
    }

    /// The constant and the multiples that a real term is the sum of.
    pub fn to_real_linear(&self, term: TermId) -> (Rational, Vec<(TermId, Rational)>) {
        let RealLinear { constant, parts } = self.real_sum_of(term);
        (constant, parts)
    }

    fn real_sum_of(&self, term: TermId) -> RealLinear {
        let mut sum = RealLinear::of_constant(Rational::ZERO);
        self.add_to_real(&mut sum, term, &Rational::ONE);
        sum
    }

    /// `a < b`.
    pub(crate) fn real_below(&mut self, a: TermId, b: TermId) -> TermId {
        let difference = self.sub(a, b);
        let mut sum = self.real_sum_of(difference);
        if sum.parts.is_empty() {
            return self.bool(sum.constant.signum() < 0);
        }
        sum.scale(&sum.normaliser());
        if let Some(integers) = self.as_integers(&sum) {
            // An integer is below -c if it is at most -floor(c) - 1.
            let constant = &sum.constant.floor() + &Integer::ONE;
            let sum = self.linear(&constant, &integers);
            return self.at_most(sum, 0i64);
        }
        let sum = self.of_real_linear(sum);
        self.intern(Node::Below(sum))
    }

    pub(crate) fn real_eq(&mut self, a: TermId, b: TermId) -> TermId {
        let difference = self.sub(a, b);
        let mut sum = self.real_sum_of(difference);
        if sum.parts.is_empty() {
            return self.bool(sum.constant.is_zero());
        }
        sum.scale(&sum.normaliser());
        if let Some(integers) = self.as_integers(&sum) {
            let Some(constant) = sum.constant.to_integer() else {
                return self.bool(false);
            };
            let sum = self.linear(constant, &integers);
            return self.equals(sum, 0i64);
        }
        if sum.parts[0].1.signum() < 0 {
            sum.scale(&Rational::from(-1i64));
        }
        let sum = self.of_real_linear(sum);
        self.intern(Node::RealIsZero(sum))
    }

    /// The multiples of integers, if all parts are integers taken as reals.
    fn as_integers(&self, sum: &RealLinear) -> Option<Vec<(TermId, Integer)>> {
        let integer = |(part, factor): &(TermId, Rational)| match self.node(*part) {
            Node::ToReal(inner) => Some((*inner, factor.to_integer()?.clone())),
            _ => None,
        };
        sum.parts.iter().map(integer).collect()
    }

    /// An integer term and a positive constant whose quotient a real term is, if it is made of
    /// integers only.
    pub fn to_fraction(&mut self, a: TermId) -> Option<(TermId, Integer)> {
        let mut sum = self.real_sum_of(a);
        let common = (sum.parts.iter())
            .fold(sum.constant.denominator().clone(), |common, (_, factor)| {
                common.lcm(factor.denominator())
            });
        sum.scale(&Rational::from(&common));
        let integers = self.as_integers(&sum)?;
        Some((self.linear(&sum.constant.floor(), &integers), common))
    }
}
