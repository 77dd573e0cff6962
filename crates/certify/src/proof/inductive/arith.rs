//! Operators on two integers.

use super::bounds::Interval;
use super::scene::Effort;
use super::value::Evaluation;
use logic::{IntType, Integer, TermId};
use program::expr::{BinaryOp, Type};

/// An operand with at most so many values is told apart by them, at each effort.
const FEW: i64 = 4;
const MORE: i64 = 16;

impl Evaluation<'_, '_> {
    pub(super) fn int_binary(&mut self, op: BinaryOp, ty: IntType, a: TermId, b: TermId) -> TermId {
        use BinaryOp::*;
        match op {
            Add => {
                let sum = self.scene.store.add(a, b);
                self.settle(sum, ty)
            }
            Sub => {
                let difference = self.scene.store.sub(a, b);
                self.settle(difference, ty)
            }
            Mul => {
                let product = self.product(a, b);
                self.settle(product, ty)
            }
            Div | Rem => {
                let result = self.divide(op, ty, a, b);
                self.defined(result, ty)
            }
            Shl | Shr => self.shift(op, ty, a, b),
            And | Or | Xor => {
                let result = self.bits(op, a, b);
                self.defined(result, ty)
            }
            Eq | Ne | Lt | Le | Gt | Ge | PtrDiff => self.any(Type::Int(ty)),
        }
    }

    /// Whether the exact result does not fit the signed type.
    pub(super) fn overflows(&mut self, op: BinaryOp, ty: IntType, a: TermId, b: TermId) -> TermId {
        use BinaryOp::*;
        let exact = match op {
            Add => self.scene.store.add(a, b),
            Sub => self.scene.store.sub(a, b),
            Mul => self.product(a, b),
            Div | Rem => {
                let (least, minus) = (self.scene.store.int(ty.min()), self.int(-1));
                let (is_least, is_minus) =
                    (self.scene.store.eq(a, least), self.scene.store.eq(b, minus));
                return self.scene.store.and(&[is_least, is_minus]);
            }
            Shl => return self.shift_overflows(ty, a, b),
            And | Or | Xor | Shr | Eq | Ne | Lt | Le | Gt | Ge | PtrDiff => {
                return self.any(Type::Bool);
            }
        };
        let fits = self.in_range(exact, ty);
        self.scene.store.not(fits)
    }

    pub(super) fn constant_of(&self, term: TermId) -> Option<Integer> {
        self.scene.store.as_int(term).cloned()
    }

    /// The values of a term, if they are few.
    pub(super) fn cases(&mut self, term: TermId) -> Option<Vec<Integer>> {
        let bounds = self.scene.bounds_of(term);
        let (low, high) = bounds.both()?;
        let count = (high - low).to_i64()?;
        let most = match self.scene.effort {
            Effort::Little => FEW,
            Effort::Great => MORE,
        };
        if !(0..most).contains(&count) {
            return None;
        }
        let value = |step| low + &Integer::from(step);
        Some((0..=count).map(value).collect())
    }

    /// The result for each of the values that a term has.
    pub(super) fn by_case(
        &mut self,
        term: TermId,
        values: Vec<Integer>,
        result: &mut dyn FnMut(&mut Self, &Integer) -> TermId,
    ) -> TermId {
        let mut all = None;
        for value in values.into_iter().rev() {
            let case = self.scene.store.int(value.clone());
            let is_this = self.scene.store.eq(term, case);
            let this = self.only_if(is_this, &mut |evaluation| result(evaluation, &value));
            all = Some(match all {
                None => this,
                Some(others) => self.scene.store.ite(is_this, this, others),
            });
        }
        all.expect("there should be a case")
    }

    /// The exact product.
    pub(super) fn product(&mut self, a: TermId, b: TermId) -> TermId {
        for (a, b) in [(a, b), (b, a)] {
            if let Some(factor) = self.constant_of(a) {
                return self.scene.store.scale(&factor, b);
            }
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Some(values) = self.cases(a) {
                return self.by_case(a, values, &mut |evaluation, factor| {
                    evaluation.scene.store.scale(factor, b)
                });
            }
        }
        let (times_a, a) = self.without_content(a);
        let (times_b, b) = self.without_content(b);
        let product = self.opaque_product(a.min(b), a.max(b));
        self.scene.store.scale(&(&times_a * &times_b), product)
    }

    /// What divides all of a sum, and the quotient.
    fn without_content(&mut self, term: TermId) -> (Integer, TermId) {
        let (constant, parts) = self.scene.store.to_linear(term);
        let content = (parts.iter()).fold(constant.abs(), |all, (_, factor)| all.gcd(factor));
        if content.is_zero() || content.is_one() {
            return (Integer::ONE, term);
        }
        let divided = |value: &Integer| value.div_floor(&content);
        let parts: Vec<_> = parts
            .iter()
            .map(|(part, factor)| (*part, divided(factor)))
            .collect();
        let quotient = self.scene.store.linear(&divided(&constant), &parts);
        (content, quotient)
    }

    fn divide(&mut self, op: BinaryOp, ty: IntType, a: TermId, b: TermId) -> TermId {
        let zero = self.int(0);
        let no_divisor = self.scene.store.eq(b, zero);
        let has_divisor = self.scene.store.not(no_divisor);
        self.assume(has_divisor);
        if ty.signed && !self.scene.holds_all_integers(Type::Int(ty)) {
            let overflows = self.overflows(op, ty, a, b);
            let fits = self.scene.store.not(overflows);
            self.assume(fits);
        }
        let of_constant = |evaluation: &mut Self, divisor: &Integer| {
            if divisor.is_zero() {
                // Not a run; any term does.
                return evaluation.int(0);
            }
            let quotient = evaluation.quotient(a, divisor);
            if op == BinaryOp::Div {
                return quotient;
            }
            let parts = [(a, Integer::ONE), (quotient, -divisor)];
            let rest = evaluation.scene.store.linear(&Integer::ZERO, &parts);
            let most = &divisor.abs() - &Integer::ONE;
            let is_positive = (evaluation.scene.bounds_of(a).low).is_some_and(|a| a.signum() >= 0);
            let least = if is_positive { Integer::ZERO } else { -&most };
            evaluation
                .scene
                .bounds
                .note(rest, Interval::new(least, most));
            rest
        };
        if let Some(divisor) = self.constant_of(b) {
            return of_constant(self, &divisor);
        }
        if let Some(values) = self.cases(b) {
            let mut of_constant = of_constant;
            return self.by_case(b, values, &mut of_constant);
        }
        let (quotient, remainder) = self.opaque_division(a, b);
        if op == BinaryOp::Div {
            quotient
        } else {
            remainder
        }
    }

    /// The quotient by a constant that is not zero, towards zero.
    fn quotient(&mut self, a: TermId, divisor: &Integer) -> TermId {
        let size = divisor.abs();
        let down = self.scene.store.div(a, &size);
        let low = self.scene.bounds_of(a).low;
        let towards_zero = if low.is_some_and(|low| low.signum() >= 0) {
            down
        } else {
            let mirrored = self.scene.store.neg(a);
            let up = self.scene.store.div(mirrored, &size);
            let up = self.scene.store.neg(up);
            let zero = self.int(0);
            let is_positive = self.scene.store.le(zero, a);
            self.scene.store.ite(is_positive, down, up)
        };
        if divisor.signum() < 0 {
            return self.scene.store.neg(towards_zero);
        }
        towards_zero
    }
}
