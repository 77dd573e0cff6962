//! Sums, quotients and comparisons of integers.
//!
//! The comparisons and `add`, `sub`, `neg` and `scale` also take reals, which [`real`](crate::real)
//! then handles; all of them take two terms of the same sort.

use crate::sparse::{self, collected};
use crate::term::{Node, Sort, TermId, TermStore};
use crate::{Integer, Rational};

/// A constant and the multiples of terms that it is added to.
pub(crate) type Linear = sparse::Linear<TermId, Integer>;

impl TermStore {
    /// The sum of multiples.
    pub fn linear(&mut self, constant: &Integer, parts: &[(TermId, Integer)]) -> TermId {
        let mut sum = Linear::of_constant(constant.clone());
        for (part, factor) in parts {
            self.add_to(&mut sum, *part, factor);
        }
        sum.parts = collected(sum.parts);
        self.of_linear(sum)
    }

    /// The sum of numbers of one sort, or the first less the others.
    pub fn sum(&mut self, terms: &[TermId], minus: bool) -> TermId {
        let sign = |at: usize| if minus && at > 0 { -1i64 } else { 1 };
        let parts = terms.iter().enumerate().map(|(at, &term)| (term, sign(at)));
        if terms.iter().any(|&term| self.sort(term) == Sort::Real) {
            let parts: Vec<_> = parts.map(|(term, by)| (term, Rational::from(by))).collect();
            return self.real_linear(&Rational::ZERO, &parts);
        }
        let parts: Vec<_> = parts.map(|(term, by)| (term, Integer::from(by))).collect();
        self.linear(&Integer::ZERO, &parts)
    }

    /// `a + b`.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.sum(&[a, b], false)
    }

    /// `a - b`.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.sum(&[a, b], true)
    }

    /// `-a`.
    pub fn neg(&mut self, a: TermId) -> TermId {
        self.scale(&Integer::from(-1i64), a)
    }

    /// A multiple.
    pub fn scale(&mut self, factor: &Integer, a: TermId) -> TermId {
        if self.sort(a) == Sort::Real {
            return self.real_scale(&Rational::from(factor), a);
        }
        self.linear(&Integer::ZERO, &[(a, factor.clone())])
    }

    fn add_to(&self, sum: &mut Linear, term: TermId, factor: &Integer) {
        match self.node(term) {
            Node::Int(value) => sum.constant = &sum.constant + &(value * factor),
            Node::Sum(constant, parts) => {
                sum.constant = &sum.constant + &(constant * factor);
                let scaled = parts.iter().map(|(part, times)| (*part, times * factor));
                sum.parts.extend(scaled);
            }
            _ => sum.parts.push((term, factor.clone())),
        }
    }

    /// The sum, if there is such a term; makes none.
    pub(crate) fn known_linear(&self, Linear { constant, parts }: Linear) -> Option<TermId> {
        match &parts[..] {
            [] => self.known(&Node::Int(constant)),
            [(part, factor)] if constant.is_zero() && factor.is_one() => Some(*part),
            _ => self.known(&Node::Sum(constant, parts.into())),
        }
    }

    fn of_linear(&mut self, Linear { constant, parts }: Linear) -> TermId {
        match &parts[..] {
            [] => self.intern(Node::Int(constant)),
            [(part, factor)] if constant.is_zero() && factor.is_one() => *part,
            _ => self.intern(Node::Sum(constant, parts.into())),
        }
    }

    /// The constant and the multiples that a term is the sum of.
    pub fn to_linear(&self, term: TermId) -> (Integer, Vec<(TermId, Integer)>) {
        let Linear { constant, parts } = self.sum_of(term);
        (constant, parts)
    }

    /// The same as a linear expression.
    pub(crate) fn sum_of(&self, term: TermId) -> Linear {
        let mut sum = Linear::of_constant(Integer::ZERO);
        self.add_to(&mut sum, term, &Integer::ONE);
        sum
    }

    /// The quotient by a positive constant, rounded down.
    pub fn div(&mut self, a: TermId, divisor: &Integer) -> TermId {
        debug_assert!(divisor.signum() > 0, "a divisor should be positive");
        if let Some(value) = self.as_int(a) {
            let value = value.div_floor(divisor);
            return self.int(value);
        }
        if *divisor == Integer::ONE {
            return a;
        }
        self.intern(Node::Div(a, divisor.clone()))
    }

    /// What remains of a division by a positive constant, at least zero.
    pub fn modulo(&mut self, a: TermId, divisor: &Integer) -> TermId {
        debug_assert!(divisor.signum() > 0, "a divisor should be positive");
        if let Some(value) = self.as_int(a) {
            let value = value.mod_floor(divisor);
            return self.int(value);
        }
        if *divisor == Integer::ONE {
            return self.int(0i64);
        }
        // Multiples of the divisor do not count.
        let (constant, parts) = self.to_linear(a);
        let reduced = parts
            .into_iter()
            .map(|(part, times)| (part, times.mod_floor(divisor)));
        let rest = self.linear(&constant.mod_floor(divisor), &reduced.collect::<Vec<_>>());
        match self.node(rest) {
            Node::Int(value) => {
                let value = value.mod_floor(divisor);
                self.int(value)
            }
            Node::Mod(_, other) if other == divisor => rest,
            _ => self.intern(Node::Mod(rest, divisor.clone())),
        }
    }

    /// For a sum of a constant and a multiple of a choice between two constants: the condition,
    /// and the two values.
    fn choice(&self, sum: &Linear) -> Option<(TermId, Integer, Integer)> {
        let [(part, factor)] = &sum.parts[..] else {
            return None;
        };
        let Node::Ite(condition, then, otherwise) = self.node(*part) else {
            return None;
        };
        let value = |term| Some(&(self.as_int(term)? * factor) + &sum.constant);
        Some((*condition, value(*then)?, value(*otherwise)?))
    }

    /// `a <= b`.
    pub fn le(&mut self, a: TermId, b: TermId) -> TermId {
        if self.sort(a) == Sort::Real {
            let below = self.real_below(b, a);
            return self.not(below);
        }
        let difference = self.sub(a, b);
        let mut sum = self.sum_of(difference);
        if sum.parts.is_empty() {
            return self.bool(sum.constant.signum() <= 0);
        }
        if let Some((condition, then, otherwise)) = self.choice(&sum) {
            let then = self.bool(then.signum() <= 0);
            let otherwise = self.bool(otherwise.signum() <= 0);
            return self.ite(condition, then, otherwise);
        }
        let gcd = sum.common_divisor();
        sum.constant = sum.constant.div_ceil(&gcd);
        sum.each_factor(|factor| factor.div_floor(&gcd));
        if let [(part, factor)] = &sum.parts[..]
            && let Node::Mod(inner, divisor) = self.node(*part)
        {
            let (inner, divisor, upwards) = (*inner, divisor.clone(), factor.signum() > 0);
            if let Some(decided) = self.bounded_remainder(inner, &divisor, &sum.constant, upwards) {
                return decided;
            }
        }
        let sum = self.of_linear(sum);
        self.intern(Node::AtMostZero(sum))
    }

    /// `a < b`.
    pub fn lt(&mut self, a: TermId, b: TermId) -> TermId {
        if self.sort(a) == Sort::Real {
            return self.real_below(a, b);
        }
        let one = self.int(1i64);
        let next = self.add(a, one);
        self.le(next, b)
    }

    /// `a >= least`, for integers.
    pub fn at_least(&mut self, a: TermId, least: impl Into<Integer>) -> TermId {
        let least = self.int(least);
        self.le(least, a)
    }

    /// `a <= most`, for integers.
    pub fn at_most(&mut self, a: TermId, most: impl Into<Integer>) -> TermId {
        let most = self.int(most);
        self.le(a, most)
    }

    /// `a = value`, for integers.
    pub fn equals(&mut self, a: TermId, value: impl Into<Integer>) -> TermId {
        let value = self.int(value);
        self.eq(a, value)
    }

    /// `a != b`, of any sort.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// `a = b`, of any sort.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        debug_assert_eq!(self.sort(a), self.sort(b), "only like terms compare");
        match self.sort(a) {
            Sort::Bool => {
                let (not_a, not_b) = (self.not(a), self.not(b));
                let (forth, back) = (self.or(&[not_a, b]), self.or(&[not_b, a]));
                self.and(&[forth, back])
            }
            Sort::Int => self.int_eq(a, b),
            Sort::Real => self.real_eq(a, b),
            Sort::Array => self.array_eq(a, b),
        }
    }

    fn int_eq(&mut self, a: TermId, b: TermId) -> TermId {
        let difference = self.sub(a, b);
        let mut sum = self.sum_of(difference);
        if let Some((condition, then, otherwise)) = self.choice(&sum) {
            let (then, otherwise) = (self.bool(then.is_zero()), self.bool(otherwise.is_zero()));
            return self.ite(condition, then, otherwise);
        }
        let Some((_, first)) = sum.parts.first() else {
            return self.bool(sum.constant.is_zero());
        };
        let mut gcd = sum.common_divisor();
        if !sum.constant.mod_floor(&gcd).is_zero() {
            return self.bool(false);
        }
        if first.signum() < 0 {
            gcd = -&gcd;
        }
        sum.constant = sum.constant.div_floor(&gcd);
        sum.each_factor(|factor| factor.div_floor(&gcd));
        if let [(part, _)] = &sum.parts[..]
            && let Node::Mod(inner, divisor) = self.node(*part)
        {
            let (inner, divisor) = (*inner, divisor.clone());
            return self.remainder_is(inner, &divisor, &-&sum.constant);
        }
        let sum = self.of_linear(sum);
        self.intern(Node::IsZero(sum))
    }

    /// Whether `a` is a multiple of a positive constant.
    pub fn divides(&mut self, divisor: &Integer, a: TermId) -> TermId {
        debug_assert!(divisor.signum() > 0, "a divisor should be positive");
        let (mut a, mut divisor) = (a, divisor.clone());
        loop {
            let Some(sum) = self.sum_of(a).residue(&mut divisor) else {
                return self.bool(false);
            };
            if sum.parts.is_empty() {
                return self.bool(sum.constant.is_zero());
            }
            // What t mod km leaves is what t leaves, as far as multiples of k go.
            let inner = |part: &TermId| match self.node(*part) {
                Node::Mod(inner, other) if other.mod_floor(&divisor).is_zero() => Some(*inner),
                _ => None,
            };
            if sum.keys().all(|part| inner(&part).is_none()) {
                let sum = self.of_linear(sum);
                return self.intern(Node::Divides(divisor, sum));
            }
            let parts: Vec<_> = (sum.parts.iter())
                .map(|(part, factor)| (inner(part).unwrap_or(*part), factor.clone()))
                .collect();
            a = self.linear(&sum.constant, &parts);
        }
    }

    /// What `a - b` leaves when divided, if that is the same whatever the symbols are.
    pub(crate) fn constant_residue(
        &self,
        a: TermId,
        b: TermId,
        divisor: &Integer,
    ) -> Option<Integer> {
        let mut sum = self.sum_of(a);
        self.add_to(&mut sum, b, &Integer::from(-1i64));
        sum.parts = collected(sum.parts);
        sum.reduce(divisor);
        sum.parts.is_empty().then_some(sum.constant)
    }

    /// Whether a division of `a` leaves `rest`.
    fn remainder_is(&mut self, a: TermId, divisor: &Integer, rest: &Integer) -> TermId {
        if rest.signum() < 0 || rest >= divisor {
            return self.bool(false);
        }
        let difference = self.linear(&-rest, &[(a, Integer::ONE)]);
        self.divides(divisor, difference)
    }

    /// Whether `a mod divisor + constant <= 0`, or `constant <= a mod divisor` unless `upwards`,
    /// where that is decided or is a divisibility.
    fn bounded_remainder(
        &mut self,
        a: TermId,
        divisor: &Integer,
        constant: &Integer,
        upwards: bool,
    ) -> Option<TermId> {
        let last = divisor - &Integer::ONE;
        // The remainder is at most `most`, or it is not.
        let most = if upwards {
            -constant
        } else {
            constant - &Integer::ONE
        };
        if most.signum() < 0 || most >= last {
            return Some(self.bool((most.signum() < 0) != upwards));
        }
        let at_most = if most.is_zero() {
            self.remainder_is(a, divisor, &Integer::ZERO)
        } else if &most + &Integer::ONE == last {
            let is_last = self.remainder_is(a, divisor, &last);
            self.not(is_last)
        } else {
            return None;
        };
        Some(if upwards { at_most } else { self.not(at_most) })
    }
}
