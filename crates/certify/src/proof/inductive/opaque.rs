//! Products and quotients of variables: integers about which some facts are known.
//!
//! # Invariants
//! - The facts hold for the exact result for all integers, so they may be asserted whether the
//!   operation is evaluated or not.

use super::bounds::Interval;
use super::obligation_context::{Effort, Opaque};
use super::value::Evaluation;
use logic::{Integer, TermId};

impl Evaluation<'_, '_> {
    /// The exact product.
    pub(super) fn opaque_product(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(&known) = self.context.known.get(&(Opaque::Product, a, b)) {
            return known;
        }
        let range = self
            .context
            .bounds_of(a)
            .product(&self.context.bounds_of(b));
        let product = self.context.opaque("$product", range);
        self.context.known.insert((Opaque::Product, a, b), product);
        self.say_of_product(a, b, product);
        if self.context.effort == Effort::Great {
            self.say_more_of_product(a, b, product);
        }
        product
    }

    /// Its sign, and that it is not smaller than its factors unless one is zero.
    fn say_of_product(&mut self, a: TermId, b: TermId, product: TermId) {
        let store = &mut *self.context.store;
        let zero = store.int(0i64);
        let mut facts = Vec::new();
        let (no_a, no_b) = (store.eq(a, zero), store.eq(b, zero));
        let (none, either) = (store.eq(product, zero), store.or(&[no_a, no_b]));
        facts.push(store.eq(none, either));
        for (a_up, b_up) in [(true, true), (true, false), (false, true), (false, false)] {
            let side = |store: &mut logic::TermStore, term, up| {
                if up {
                    store.lt(zero, term)
                } else {
                    store.lt(term, zero)
                }
            };
            let sides = [side(store, a, a_up), side(store, b, b_up)];
            let size = |store: &mut logic::TermStore, term, up| {
                if up { term } else { store.neg(term) }
            };
            let (size_a, size_b) = (size(store, a, a_up), size(store, b, b_up));
            let large = size(store, product, a_up == b_up);
            let large = [store.le(size_a, large), store.le(size_b, large)];
            let (sides, large) = (store.and(&sides), store.and(&large));
            facts.push(store.implies(sides, large));
        }
        self.context.facts(facts);
    }

    /// What divides a factor divides it, and its distances from the corners of the factors' box
    /// have the signs of these.
    fn say_more_of_product(&mut self, a: TermId, b: TermId, product: TermId) {
        let ranges = [self.context.bounds_of(a), self.context.bounds_of(b)];
        let store = &mut *self.context.store;
        let mut facts = Vec::new();
        for divisor in [2i64, 3, 4, 8].map(Integer::from) {
            let divided = [store.divides(&divisor, a), store.divides(&divisor, b)];
            let (some, whole) = (store.or(&divided), store.divides(&divisor, product));
            facts.push(store.implies(some, whole));
            if divisor == Integer::from(2i64) {
                facts.push(store.implies(whole, some));
            }
        }
        let ends = |range: &Interval| [(range.low.clone(), true), (range.high.clone(), false)];
        for (corner_a, is_low_a) in ends(&ranges[0]) {
            for (corner_b, is_low_b) in ends(&ranges[1]) {
                let (Some(x), Some(y)) = (&corner_a, &corner_b) else {
                    continue;
                };
                // (a - x) (b - y), multiplied out.
                let parts = [(product, Integer::ONE), (a, -y), (b, -x)];
                let distance = store.linear(&(x * y), &parts);
                let zero = store.int(0i64);
                facts.push(if is_low_a == is_low_b {
                    store.le(zero, distance)
                } else {
                    store.le(distance, zero)
                });
            }
        }
        self.context.facts(facts);
    }

    /// Quotient and remainder by a variable.
    pub(super) fn opaque_division(&mut self, a: TermId, b: TermId) -> (TermId, TermId) {
        let keys = [(Opaque::Quotient, a, b), (Opaque::Remainder, a, b)];
        if let (Some(&quotient), Some(&remainder)) = (
            self.context.known.get(&keys[0]),
            self.context.known.get(&keys[1]),
        ) {
            return (quotient, remainder);
        }
        // Neither is larger than the dividend, whatever its sign.
        let range = match self.context.bounds_of(a).both() {
            Some((low, high)) => {
                let size = low.abs().max(high.abs());
                Interval::new(-&size, size)
            }
            None => Interval::default(),
        };
        let quotient = self.context.opaque("$quotient", range.clone());
        let remainder = self.context.opaque("$remainder", range);
        self.context.known.insert(keys[0], quotient);
        self.context.known.insert(keys[1], remainder);
        let product = self.product(b, quotient);
        let zero = self.int(0);
        let store = &mut *self.context.store;
        let no_divisor = store.eq(b, zero);
        let sum = store.add(product, remainder);
        let mut facts = vec![store.eq(a, sum)];
        for up in [true, false] {
            // With the sign of the dividend.
            let (low, high) = if up { (zero, a) } else { (a, zero) };
            let side = store.le(low, high);
            let inside = [store.le(low, remainder), store.le(remainder, high)];
            let inside = store.and(&inside);
            facts.push(store.implies(side, inside));
            // Smaller than the divisor.
            let size = if up { b } else { store.neg(b) };
            let side = store.lt(zero, size);
            let mirrored = store.neg(remainder);
            let inside = [store.lt(remainder, size), store.lt(mirrored, size)];
            let inside = store.and(&inside);
            facts.push(store.implies(side, inside));
        }
        for fact in facts {
            let fact = self.context.store.or(&[no_divisor, fact]);
            self.context.fact(fact);
        }
        (quotient, remainder)
    }
}
