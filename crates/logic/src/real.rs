//! Sums and comparisons of reals.
//!
//! A comparison in which every part is an integer taken as a real becomes one of integers.

use crate::sparse::collected;
use crate::term::{Node, Sort, TermId, TermStore};
use crate::{Integer, Rational};

/// A constant and the multiples of terms that it is added to.
type RealLinear = (Rational, Vec<(TermId, Rational)>);

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
        let mut sum: RealLinear = (constant.clone(), Vec::new());
        for (part, factor) in parts {
            self.add_to_real(&mut sum, *part, factor);
        }
        self.of_real_linear((sum.0, collected(sum.1)))
    }

    pub(crate) fn real_add(&mut self, a: TermId, b: TermId) -> TermId {
        self.real_linear(&Rational::ZERO, &[(a, Rational::ONE), (b, Rational::ONE)])
    }

    pub(crate) fn real_sub(&mut self, a: TermId, b: TermId) -> TermId {
        let minus = Rational::from(-1i64);
        self.real_linear(&Rational::ZERO, &[(a, Rational::ONE), (b, minus)])
    }

    /// A multiple of a real.
    pub fn real_scale(&mut self, factor: &Rational, a: TermId) -> TermId {
        self.real_linear(&Rational::ZERO, &[(a, factor.clone())])
    }

    fn add_to_real(&self, sum: &mut RealLinear, term: TermId, factor: &Rational) {
        match self.node(term) {
            Node::Real(value) => sum.0 = &sum.0 + &(value * factor),
            Node::RealSum(constant, parts) => {
                sum.0 = &sum.0 + &(constant * factor);
                let scaled = parts.iter().map(|(part, times)| (*part, times * factor));
                sum.1.extend(scaled);
            }
            _ => sum.1.push((term, factor.clone())),
        }
    }

    fn of_real_linear(&mut self, (constant, parts): RealLinear) -> TermId {
        match &parts[..] {
            [] => self.intern(Node::Real(constant)),
            [(part, factor)] if constant.is_zero() && factor.is_one() => *part,
            _ => self.intern(Node::RealSum(constant, parts.into())),
        }
    }

    /// The constant and the multiples that a real term is the sum of.
    pub fn to_real_linear(&self, term: TermId) -> (Rational, Vec<(TermId, Rational)>) {
        let mut sum = (Rational::ZERO, Vec::new());
        self.add_to_real(&mut sum, term, &Rational::ONE);
        sum
    }

    /// `a < b`.
    pub(crate) fn real_below(&mut self, a: TermId, b: TermId) -> TermId {
        let difference = self.real_sub(a, b);
        let sum = self.to_real_linear(difference);
        if sum.1.is_empty() {
            return self.bool(sum.0.signum() < 0);
        }
        let sum = scaled_to_integers(sum);
        if let Some(integers) = self.as_integers(&sum) {
            // An integer is below -c if it is at most -floor(c) - 1.
            let constant = &sum.0.floor() + &Integer::ONE;
            let sum = self.linear(&constant, &integers);
            let zero = self.int(0i64);
            return self.le(sum, zero);
        }
        let sum = self.of_real_linear(sum);
        self.intern(Node::Below(sum))
    }

    pub(crate) fn real_eq(&mut self, a: TermId, b: TermId) -> TermId {
        let difference = self.real_sub(a, b);
        let sum = self.to_real_linear(difference);
        if sum.1.is_empty() {
            return self.bool(sum.0.is_zero());
        }
        let mut sum = scaled_to_integers(sum);
        if let Some(integers) = self.as_integers(&sum) {
            let Some(constant) = sum.0.to_integer() else {
                return self.bool(false);
            };
            let sum = self.linear(constant, &integers);
            let zero = self.int(0i64);
            return self.eq(sum, zero);
        }
        if sum.1[0].1.signum() < 0 {
            sum = multiplied(sum, &Rational::from(-1i64));
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
        sum.1.iter().map(integer).collect()
    }

    /// An integer term and a positive constant whose quotient a real term is, if it is made of
    /// integers only.
    pub fn to_fraction(&mut self, a: TermId) -> Option<(TermId, Integer)> {
        let sum = self.to_real_linear(a);
        let common = (sum.1.iter()).fold(sum.0.denominator().clone(), |common, (_, factor)| {
            common.lcm(factor.denominator())
        });
        let sum = multiplied(sum, &Rational::from(&common));
        let integers = self.as_integers(&sum)?;
        Some((self.linear(&sum.0.floor(), &integers), common))
    }
}

/// A positive multiple with integers without a common divisor as factors.
fn scaled_to_integers(sum: RealLinear) -> RealLinear {
    let denominators = (sum.1.iter()).fold(Integer::ONE, |common, (_, factor)| {
        common.lcm(factor.denominator())
    });
    let sum = multiplied(sum, &Rational::from(denominators));
    let gcd = (sum.1.iter()).fold(Integer::ZERO, |gcd, (_, factor)| {
        gcd.gcd(factor.numerator())
    });
    if gcd.is_one() {
        return sum;
    }
    multiplied(sum, &Rational::from(gcd).inverse())
}

fn multiplied((constant, parts): RealLinear, by: &Rational) -> RealLinear {
    if by.is_one() {
        return (constant, parts);
    }
    let multiply = |(part, factor): (TermId, Rational)| (part, &factor * by);
    (&constant * by, parts.into_iter().map(multiply).collect())
}
