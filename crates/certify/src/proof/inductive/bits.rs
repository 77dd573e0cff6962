//! Shifts and bit operations.
//!
//! Integers are taken as two's complement numbers of any length; then `a | b = a + b - (a & b)`
//! and `a ^ b = a + b - 2 (a & b)` hold for all of them, and only `a & b` is left to describe.

use super::bounds::{Interval, of_type};
use super::obligation_context::{Effort, Opaque};
use super::value::Evaluation;
use logic::{IntType, Integer, TermId};
use program::expr::{BinaryOp, Type};

/// A mask with more runs of ones than this, at each effort, is as opaque as a variable.
const FEW: usize = 8;
const MORE: usize = 64;

/// Numbers of so many bits stay so when they are combined.
const WIDTHS: [u32; 9] = [1, 2, 3, 4, 7, 8, 16, 31, 32];

impl Evaluation<'_, '_> {
    pub(super) fn bits(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let common = self.common_bits(a, b);
        let times = match op {
            BinaryOp::Or => -1i64,
            BinaryOp::Xor => -2,
            _ => return common,
        };
        let one = Integer::ONE;
        let parts = [(a, one.clone()), (b, one), (common, Integer::from(times))];
        let result = self.context.store.linear(&Integer::ZERO, &parts);
        // Bits that neither operand has are not in the result.
        let ranges = [self.context.bounds_of(a), self.context.bounds_of(b)];
        if let Some(most) = all_ones(&ranges) {
            let range = self.context.between(&Integer::ZERO, result, &most);
            self.context.fact(range);
            let range = Interval::new(Integer::ZERO, most);
            self.context.bounds.note(result, range);
        } else if self.context.effort == Effort::Great {
            self.say_of_width(a, b, result);
        }
        result
    }

    /// The same where bounds do not show which bits the operands have.
    fn say_of_width(&mut self, a: TermId, b: TermId, result: TermId) {
        for width in WIDTHS {
            let most = &Integer::power_of_two(width) - &Integer::ONE;
            let [a, b, result] =
                [a, b, result].map(|term| self.context.between(&Integer::ZERO, term, &most));
            let both = self.context.store.and(&[a, b]);
            let fact = self.context.store.implies(both, result);
            self.context.fact(fact);
        }
    }

    /// `a & b`.
    fn common_bits(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return a;
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Some(mask) = self.constant_of(a)
                && let Some(term) = self.masked(b, &mask)
            {
                return term;
            }
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Some(masks) = self.cases(a) {
                return self.by_case(a, masks, &mut |evaluation, mask| {
                    let term = evaluation.masked(b, mask);
                    term.unwrap_or_else(|| {
                        let mask = evaluation.context.store.int(mask.clone());
                        evaluation.opaque_and(mask, b)
                    })
                });
            }
        }
        self.opaque_and(a, b)
    }

    /// `a & mask`; `None` for a mask of many runs.
    fn masked(&mut self, a: TermId, mask: &Integer) -> Option<TermId> {
        if mask.signum() < 0 {
            // `~mask` is not negative.
            let rest = self.masked(a, &(&Integer::from(-1i64) - mask))?;
            return Some(self.context.store.sub(a, rest));
        }
        let runs = runs_of(mask);
        let most = match self.context.effort {
            Effort::Little => FEW,
            Effort::Great => MORE,
        };
        if runs.len() > most {
            return None;
        }
        let mut parts = Vec::new();
        for (first, length) in runs {
            let place = Integer::power_of_two(first);
            let shifted = self.context.store.div(a, &place);
            let run = Integer::power_of_two(length);
            // Where nothing is above the run there is nothing to cut off.
            let all = Interval::new(Integer::ZERO, &run - &Integer::ONE);
            let bits = if self.context.bounds_of(shifted).is_within(&all) {
                shifted
            } else {
                self.context.store.modulo(shifted, &run)
            };
            parts.push((bits, place));
        }
        Some(self.context.store.linear(&Integer::ZERO, &parts))
    }

    fn opaque_and(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = (a.min(b), a.max(b));
        if let Some(&known) = self.context.known.get(&(Opaque::And, a, b)) {
            return known;
        }
        let range = and_range(self.context.bounds_of(a), self.context.bounds_of(b));
        let common = self.context.opaque("$and", range);
        self.context.known.insert((Opaque::And, a, b), common);
        let zero = self.int(0);
        let store = &mut *self.context.store;
        let negative = [store.lt(a, zero), store.lt(b, zero)];
        let (both, result) = (store.and(&negative), store.lt(common, zero));
        let same = store.eq(a, b);
        let is_a = store.eq(common, a);
        let mut facts = vec![store.eq(both, result), store.implies(same, is_a)];
        for (mask, other) in [(a, b), (b, a)] {
            // A mask that is not negative bounds the result, one that is takes bits away.
            let (positive, at_most) = (store.le(zero, mask), store.le(common, mask));
            facts.push(store.implies(positive, at_most));
            let (negative, at_most) = (store.lt(mask, zero), store.le(common, other));
            facts.push(store.implies(negative, at_most));
        }
        self.context.facts(facts);
        common
    }

    pub(super) fn shift(&mut self, op: BinaryOp, ty: IntType, a: TermId, amount: TermId) -> TermId {
        let last = Integer::from(i64::from(ty.bits) - 1);
        let is_amount = self.context.between(&Integer::ZERO, amount, &last);
        self.assume(is_amount);
        if let Some(amount) = self.constant_of(amount) {
            return self.shift_by(op, ty, a, &amount);
        }
        if let Some(amounts) = self.amounts(ty, amount) {
            return self.by_case(amount, amounts, &mut |evaluation, amount| {
                evaluation.shift_by(op, ty, a, amount)
            });
        }
        let range = of_type(Type::Int(ty));
        let result = self.context.opaque("$shifted", range);
        let store = &mut *self.context.store;
        let zero = store.int(0i64);
        let (unmoved, same) = (store.eq(amount, zero), store.eq(result, a));
        let fact = store.implies(unmoved, same);
        self.assume(fact);
        let store = &mut *self.context.store;
        let no_bits = store.eq(a, zero);
        let is_zero = store.eq(result, zero);
        let mut facts = vec![store.implies(no_bits, is_zero)];
        if op == BinaryOp::Shr {
            for up in [true, false] {
                let (low, high) = if up { (zero, a) } else { (a, zero) };
                let side = store.le(low, high);
                let inside = [store.le(low, result), store.le(result, high)];
                let inside = store.and(&inside);
                facts.push(store.implies(side, inside));
            }
            let (negative, stays) = (store.lt(a, zero), store.lt(result, zero));
            facts.push(store.implies(negative, stays));
        } else if ty.signed {
            facts.extend([store.le(zero, a), store.le(a, result)]);
        }
        for fact in facts {
            self.assume(fact);
        }
        result
    }

    /// The amounts by which a shift may be, if they are to be told apart.
    fn amounts(&mut self, ty: IntType, amount: TermId) -> Option<Vec<Integer>> {
        let cases = self.cases(amount);
        cases.or_else(|| match self.context.effort {
            Effort::Little => None,
            Effort::Great => Some((0..i64::from(ty.bits)).map(Integer::from).collect()),
        })
    }

    fn shift_by(&mut self, op: BinaryOp, ty: IntType, a: TermId, amount: &Integer) -> TermId {
        let Some(factor) = factor(ty, amount) else {
            // Not a run; any term does.
            return self.int(0);
        };
        if op == BinaryOp::Shr {
            return self.context.store.div(a, &factor);
        }
        if ty.signed {
            let zero = self.int(0);
            let positive = self.context.store.le(zero, a);
            self.assume(positive);
        }
        let shifted = self.context.store.scale(&factor, a);
        self.settle(shifted, ty)
    }

    /// Whether a signed left shift loses something; false where its amount is none.
    pub(super) fn shift_overflows(&mut self, ty: IntType, a: TermId, amount: TermId) -> TermId {
        if let Some(amount) = self.constant_of(amount) {
            return self.shift_overflows_by(ty, a, &amount);
        }
        let Some(amounts) = self.amounts(ty, amount) else {
            self.context.is_opaque = true;
            return self.any(Type::Bool);
        };
        let last = Integer::from(i64::from(ty.bits) - 1);
        let is_amount = self.context.between(&Integer::ZERO, amount, &last);
        let overflows = self.by_case(amount, amounts, &mut |evaluation, amount| {
            evaluation.shift_overflows_by(ty, a, amount)
        });
        self.context.store.and(&[is_amount, overflows])
    }

    fn shift_overflows_by(&mut self, ty: IntType, a: TermId, amount: &Integer) -> TermId {
        let Some(factor) = factor(ty, amount) else {
            return self.context.store.bool(false);
        };
        let (zero, most) = (self.int(0), self.context.store.int(ty.max()));
        let shifted = self.context.store.scale(&factor, a);
        let lost = [
            self.context.store.lt(a, zero),
            self.context.store.lt(most, shifted),
        ];
        self.context.store.or(&lost)
    }
}

/// The runs of ones of a number that is not negative: the first bit and how many.
fn runs_of(mask: &Integer) -> Vec<(u32, u32)> {
    let two = Integer::from(2i64);
    let (mut rest, mut at) = (mask.clone(), 0);
    let mut runs: Vec<(u32, u32)> = Vec::new();
    while !rest.is_zero() {
        if !rest.mod_floor(&two).is_zero() {
            match runs.last_mut() {
                Some((first, length)) if *first + *length == at => *length += 1,
                Some(_) | None => runs.push((at, 1)),
            }
        }
        rest = rest.div_floor(&two);
        at += 1;
    }
    runs
}

/// For numbers that are not negative: ones on all bits that they may have.
fn all_ones(ranges: &[Interval; 2]) -> Option<Integer> {
    let mut ones = Integer::ZERO;
    for range in ranges {
        let (low, high) = range.both()?;
        if low.signum() < 0 {
            return None;
        }
        while ones < *high {
            ones = &(&ones + &ones) + &Integer::ONE;
        }
    }
    Some(ones)
}

/// The range of `a & b`.
fn and_range(a: Interval, b: Interval) -> Interval {
    let is_positive = |of: &Interval| of.low.as_ref().is_some_and(|low| low.signum() >= 0);
    match (is_positive(&a), is_positive(&b)) {
        (false, false) => {}
        (_, first) => {
            // A mask that is not negative bounds the result.
            let (mask, other) = if first { (b, a) } else { (a, b) };
            let high = if is_positive(&other) && other.high < mask.high && other.high.is_some() {
                other.high
            } else {
                mask.high
            };
            let low = Some(Integer::ZERO);
            return Interval { low, high };
        }
    }
    // That of a mask that is not negative, or what the other takes bits away from.
    let high = (a.high.zip(b.high)).map(|(a, b)| a.max(b).max(Integer::ZERO));
    let low = a.low.zip(b.low).map(|(a, b)| {
        let mut power = Integer::ONE;
        while -&power > a || -&power > b {
            power = &power + &power;
        }
        -&power
    });
    Interval { low, high }
}

/// 2 to the amount, if the shift is defined.
fn factor(ty: IntType, amount: &Integer) -> Option<Integer> {
    let amount = u32::try_from(amount.to_i64()?).ok()?;
    (amount < u32::from(ty.bits)).then(|| Integer::power_of_two(amount))
}
