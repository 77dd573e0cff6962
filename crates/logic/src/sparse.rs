//! Linear expressions: a constant and multiples of keys, with integers or rationals.
//!
//! # Invariants
//! - The parts are sorted by key and no factor is zero.

use crate::{Integer, Rational};
use std::cmp::Ordering;

/// A number that keys are multiplied by.
pub trait Coefficient: Clone {
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// Whether it is zero.
    fn is_zero(&self) -> bool;
    /// `self + a * b`.
    fn plus_product(&self, a: &Self, b: &Self) -> Self;
    /// `self * other`.
    fn times(&self, other: &Self) -> Self;
}

/// A number with a sign.
pub trait Signed: Coefficient + Ord {
    /// -1, 0 or 1.
    fn signum(&self) -> i32;
    /// The distance from zero.
    fn abs(&self) -> Self;
    /// `-self`.
    fn negated(&self) -> Self;
}

macro_rules! coefficients {
    ($($number:ident)*) => {$(
        impl Coefficient for $number {
            const ZERO: Self = $number::ZERO;
            const ONE: Self = $number::ONE;

            fn is_zero(&self) -> bool {
                $number::is_zero(self)
            }

            fn plus_product(&self, a: &Self, b: &Self) -> Self {
                self + &(a * b)
            }

            fn times(&self, other: &Self) -> Self {
                self * other
            }
        }

        impl Signed for $number {
            fn signum(&self) -> i32 {
                $number::signum(self)
            }

            fn abs(&self) -> Self {
                $number::abs(self)
            }

            fn negated(&self) -> Self {
                -self
            }
        }
    )*};
}

coefficients! { Integer Rational }

/// A constant and multiples of keys.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Linear<K, C> {
    /// The constant.
    pub constant: C,
    /// The keys with their factors.
    pub parts: Vec<(K, C)>,
}

impl<K: Copy + Ord, C: Coefficient> Linear<K, C> {
    /// A constant.
    pub fn of_constant(constant: C) -> Self {
        let parts = Vec::new();
        Linear { constant, parts }
    }

    /// A key.
    pub fn of_key(key: K) -> Self {
        let parts = vec![(key, C::ONE)];
        Linear {
            constant: C::ZERO,
            parts,
        }
    }

    /// The keys.
    pub fn keys(&self) -> impl Iterator<Item = K> {
        self.parts.iter().map(|part| part.0)
    }

    /// Over other keys, which are in the same order.
    pub fn rekeyed<L>(&self, key: impl Fn(K) -> L) -> Linear<L, C> {
        let parts = self.parts.iter();
        Linear {
            constant: self.constant.clone(),
            parts: parts.map(|(old, it)| (key(*old), it.clone())).collect(),
        }
    }

    fn place(&self, key: K) -> Option<usize> {
        self.parts.binary_search_by_key(&key, |part| part.0).ok()
    }

    /// The factor of a key that occurs.
    pub fn coefficient(&self, key: K) -> Option<&C> {
        self.place(key).map(|at| &self.parts[at].1)
    }

    /// The factor of a key, which may be zero.
    pub fn factor(&self, key: K) -> C {
        self.coefficient(key).cloned().unwrap_or(C::ZERO)
    }

    /// Removes a key; returns its factor if it occurs.
    pub fn remove(&mut self, key: K) -> Option<C> {
        self.place(key).map(|at| self.parts.remove(at).1)
    }

    /// Adds a multiple of another expression.
    pub fn add_multiple(&mut self, factor: &C, other: &Self) {
        if factor.is_zero() {
            return;
        }
        self.constant = self.constant.plus_product(factor, &other.constant);
        add_multiple(&mut self.parts, factor, &other.parts);
    }

    /// Multiplies by a number.
    pub fn scale(&mut self, times: &C) {
        self.constant = self.constant.times(times);
        self.each_factor(|factor| factor.times(times));
    }

    /// A multiple.
    pub fn scaled(&self, times: &C) -> Self {
        let mut scaled = self.clone();
        scaled.scale(times);
        scaled
    }

    /// Changes every factor.
    pub fn each_factor(&mut self, change: impl Fn(&C) -> C) {
        for (_, factor) in &mut self.parts {
            *factor = change(factor);
        }
        self.parts.retain(|(_, factor)| !factor.is_zero());
    }

    /// Its value, if those of its keys are known.
    pub fn value(&self, of: impl Fn(K) -> Option<C>) -> Option<C> {
        let mut parts = self.parts.iter();
        parts.try_fold(self.constant.clone(), |sum, (key, factor)| {
            Some(sum.plus_product(factor, &of(*key)?))
        })
    }
}

impl<K: Copy + Ord> Linear<K, Integer> {
    /// What divides all factors; zero for a constant.
    pub fn common_divisor(&self) -> Integer {
        let parts = self.parts.iter();
        parts.fold(Integer::ZERO, |gcd, (_, factor)| gcd.gcd(factor))
    }

    /// Takes all numbers modulo a divisor.
    pub fn reduce(&mut self, divisor: &Integer) {
        self.constant = self.constant.mod_floor(divisor);
        self.each_factor(|factor| factor.mod_floor(divisor));
    }

    /// The normal form of a sum of which only the multiples of the divisor matter; the divisor gets
    /// smaller where all factors share a divisor with it. `None` if the sum is never a multiple.
    pub fn residue(mut self, divisor: &mut Integer) -> Option<Self> {
        let gcd = self.common_divisor().gcd(divisor);
        if !self.constant.mod_floor(&gcd).is_zero() {
            return None;
        }
        *divisor = divisor.div_floor(&gcd);
        self.constant = self.constant.div_floor(&gcd);
        self.each_factor(|factor| factor.div_floor(&gcd));
        self.reduce(divisor);
        // The first factor becomes one where a multiple of the sum can make it so.
        if let Some((_, first)) = self.parts.first()
            && let Some(inverse) = first.inverse_modulo(divisor)
        {
            self.scale(&inverse);
            self.reduce(divisor);
        }
        Some(self)
    }
}

impl<K: Copy + Ord> Linear<K, Rational> {
    /// The positive number that makes the factors whole and without a common divisor; one for a
    /// constant.
    pub fn normaliser(&self) -> Rational {
        let (mut numerators, mut denominators) = (Integer::ZERO, Integer::ONE);
        for (_, factor) in &self.parts {
            numerators = numerators.gcd(factor.numerator());
            denominators = denominators.lcm(factor.denominator());
        }
        if numerators.is_zero() {
            return Rational::ONE;
        }
        Rational::new(denominators, numerators)
    }
}

/// Adds a multiple of sorted parts to sorted parts.
pub fn add_multiple<K: Copy + Ord, C: Coefficient>(
    parts: &mut Vec<(K, C)>,
    factor: &C,
    other: &[(K, C)],
) {
    let mut merged = Vec::with_capacity(parts.len() + other.len());
    let mut mine = std::mem::take(parts).into_iter().peekable();
    for (key, coefficient) in other {
        while let Some(part) = mine.next_if(|part| part.0 < *key) {
            merged.push(part);
        }
        let sum = match mine.peek().map(|part| part.0.cmp(key)) {
            Some(Ordering::Equal) => {
                let (_, old) = mine.next().expect("a part was just seen");
                old.plus_product(factor, coefficient)
            }
            _ => factor.times(coefficient),
        };
        if !sum.is_zero() {
            merged.push((*key, sum));
        }
    }
    merged.extend(mine);
    *parts = merged;
}

/// Parts sorted by key, each key once, no zero.
pub fn collected<K: Copy + Ord, C: Coefficient>(mut parts: Vec<(K, C)>) -> Vec<(K, C)> {
    parts.sort_by_key(|(key, _)| *key);
    let mut merged: Vec<(K, C)> = Vec::new();
    for (key, factor) in parts {
        match merged.last_mut() {
            Some((last, sum)) if *last == key => *sum = sum.plus_product(&factor, &C::ONE),
            _ => merged.push((key, factor)),
        }
    }
    merged.retain(|(_, factor)| !factor.is_zero());
    merged
}
