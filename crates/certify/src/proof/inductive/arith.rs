//! Operators on two integers.

use super::bounds::Interval;
use super::obligation_context::Effort;
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
                let sum = self.context.store.add(a, b);
                self.settle(sum, ty)
            }
            Sub => {
                let difference = self.context.store.sub(a, b);
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
            Add => self.context.store.add(a, b),
            Sub => self.context.store.sub(a, b),
            Mul => self.product(a, b),
            Div | Rem => {
                let (least, minus) = (self.context.store.int(ty.min()), self.int(-1));
                let (is_least, is_minus) = (
                    self.context.store.eq(a, least),
                    self.context.store.eq(b, minus),
                );
                return self.context.store.and(&[is_least, is_minus]);
            }
            Shl => return self.shift_overflows(ty, a, b),
            And | Or | Xor | Shr | Eq | Ne | Lt | Le | Gt | Ge | PtrDiff => {
                return self.any(Type::Bool);
            }
        };
        let fits = self.in_range(exact, ty);
        self.context.store.not(fits)
    }

    pub(super) fn constant_of(&self, term: TermId) -> Option<Integer> {
        self.context.store.as_int(term).cloned()
    }

    /// The values of a term, if they are few.
    pub(super) fn cases(&mut self, term: TermId) -> Option<Vec<Integer>> {
        let bounds = self.context.bounds_of(term);
        let (low, high) = bounds.both()?;
        let count = (high - low).to_i64()?;
        let most = match self.context.effort {
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
            let is_this = self.context.store.equals(term, value.clone());
            let this = self.only_if(is_this, &mut |evaluation| result(evaluation, &value));
            all = Some(match all {
                None => this,
                Some(others) => self.context.store.ite(is_this, this, others),
            });
        }
        all.expect("there should be a case")
    }

    /// The exact product.
    pub(super) fn product(&mut self, a: TermId, b: TermId) -> TermId {
        for (a, b) in [(a, b), (b, a)] {
            if let Some(factor) = self.constant_of(a) {
                return self.context.store.scale(&factor, b);
            }
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Some(values) = self.cases(a) {
                return self.by_case(a, values, &mut |evaluation, factor| {
                    evaluation.context.store.scale(factor, b)
                });
            }
        }
        let (times_a, a) = self.without_content(a);
        let (times_b, b) = self.without_content(b);
        let product = self.opaque_product(a.min(b), a.max(b));
        self.context.store.scale(&(&times_a * &times_b), product)
    }

    /// What divides all of a sum, and the quotient.
    fn without_content(&mut self, term: TermId) -> (Integer, TermId) {
        let (constant, parts) = self.context.store.to_linear(term);
        let content = (parts.iter()).fold(constant.abs(), |all, (_, factor)| all.gcd(factor));
        if content.is_zero() || content.is_one() {
            return (Integer::ONE, term);
        }
        let divided = |value: &Integer| value.div_floor(&content);
        let parts: Vec<_> = parts
            .iter()
            .map(|(part, factor)| (*part, divided(factor)))
            .collect();
        let quotient = self.context.store.linear(&divided(&constant), &parts);
        (content, quotient)
    }

    fn divide(&mut self, op: BinaryOp, ty: IntType, a: TermId, b: TermId) -> TermId {
        let zero = self.int(0);
        let has_divisor = self.context.store.ne(b, zero);
        self.assume(has_divisor);
        if ty.signed && !self.context.holds_all_integers(Type::Int(ty)) {
            let overflows = self.overflows(op, ty, a, b);
            let fits = self.context.store.not(overflows);
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
            let rest = evaluation.context.store.linear(&Integer::ZERO, &parts);
            let most = &divisor.abs() - &Integer::ONE;
            let is_positive =
                (evaluation.context.bounds_of(a).low).is_some_and(|a| a.signum() >= 0);
            let least = if is_positive { Integer::ZERO } else { -&most };
            evaluation
                .context
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
        let down = self.context.store.div(a, &size);
        let low = self.context.bounds_of(a).low;
        let towards_zero = if low.is_some_and(|low| low.signum() >= 0) {
            down
        } else {
            let mirrored = self.context.store.neg(a);
            let up = self.context.store.div(mirrored, &size);
            let up = self.context.store.neg(up);
            let zero = self.int(0);
            let is_positive = self.context.store.le(zero, a);
            self.context.store.ite(is_positive, down, up)
        };
        if divisor.signum() < 0 {
            return self.context.store.neg(towards_zero);
        }
        towards_zero
    }
}
