//! Binary integer operators as terms; see `encode` for what is exact.

use super::Encoder;
use logic::{IntType, Integer, TermId};
use program::expr::{BinaryOp, Expr, Type};

impl Encoder<'_> {
    pub(super) fn int_binary(&mut self, op: BinaryOp, ty: IntType, a: TermId, b: TermId) -> TermId {
        let constant = |encoder: &Self, term| encoder.store.as_int(term).cloned();
        let (left, right) = (constant(self, a), constant(self, b));
        self.only_defined(op, ty, a, b);
        let exact = match (op, left, right) {
            (BinaryOp::Add, _, _) => Some(self.store.add(a, b)),
            (BinaryOp::Sub, _, _) => Some(self.store.sub(a, b)),
            (BinaryOp::Mul, Some(factor), _) => Some(self.store.scale(&factor, b)),
            (BinaryOp::Mul, _, Some(factor)) => Some(self.store.scale(&factor, a)),
            (BinaryOp::Div, _, Some(divisor)) if !divisor.is_zero() => {
                Some(self.quotient(a, &divisor))
            }
            (BinaryOp::Rem, _, Some(divisor)) if !divisor.is_zero() => {
                let quotient = self.quotient(a, &divisor);
                let multiple = self.store.scale(&divisor, quotient);
                Some(self.store.sub(a, multiple))
            }
            (BinaryOp::Shl, _, Some(amount)) => {
                shift_factor(ty, &amount).map(|factor| self.store.scale(&factor, a))
            }
            (BinaryOp::Shr, _, Some(amount)) => {
                shift_factor(ty, &amount).map(|factor| self.store.div(a, &factor))
            }
            (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, Some(mask), _) => {
                self.bits(op, b, &mask)
            }
            (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, _, Some(mask)) => {
                self.bits(op, a, &mask)
            }
            (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, None, None) => self.of_bits(op, a, b),
            _ => None,
        };
        // The others stay in the range of their operands.
        let may_wrap = matches!(
            op,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl
        );
        match exact {
            Some(term) if may_wrap => self.arith(term, ty),
            Some(term) => term,
            None => self.unknown(Type::Int(ty)),
        }
    }

    /// What a run that continues says about the operands, the range of the result aside.
    fn only_defined(&mut self, op: BinaryOp, ty: IntType, a: TermId, b: TermId) {
        use BinaryOp::*;
        match op {
            Div | Rem => {
                let (zero, minus_one) = (self.store.int(0i64), self.store.int(-1i64));
                let is_divisor = self.store.ne(b, zero);
                self.assume(is_divisor);
                if ty.signed {
                    let overflows = [self.store.equals(a, ty.min()), self.store.eq(b, minus_one)];
                    let fits = self.store.not_all(&overflows);
                    self.assume(fits);
                }
            }
            Shl | Shr => {
                let zero = self.store.int(0i64);
                let width = self.store.int(i64::from(ty.bits));
                let amount = [self.store.le(zero, b), self.store.lt(b, width)];
                amount.into_iter().for_each(|bound| self.assume(bound));
                if op == Shl && ty.signed {
                    let is_positive = self.store.le(zero, a);
                    self.assume(is_positive);
                    self.nothing_lost(ty, a, b);
                }
            }
            Add | Sub | Mul | And | Or | Xor | Eq | Ne | Lt | Le | Gt | Ge | PtrDiff => {}
        }
    }

    /// A number that is shifted by at least so many bits has none in as many places at the top.
    fn nothing_lost(&mut self, ty: IntType, a: TermId, amount: TermId) {
        if self.store.as_int(amount).is_some() {
            // The range of the result says it.
            return;
        }
        let max = Integer::from(ty.max());
        for places in 1..u32::from(ty.bits) {
            let most = max.div_floor(&Integer::power_of_two(places));
            let (most, places) = (self.store.int(most), self.store.int(i64::from(places)));
            let (fewer, fits) = (self.store.lt(amount, places), self.store.le(a, most));
            let fact = self.store.or(&[fewer, fits]);
            self.assume(fact);
        }
    }

    /// The quotient by a constant that is not zero, towards zero.
    fn quotient(&mut self, a: TermId, divisor: &Integer) -> TermId {
        let size = divisor.abs();
        let down = self.store.div(a, &size);
        let is_positive = self.bounds_of(a).0.is_some_and(|low| low.signum() >= 0);
        let towards_zero = if is_positive {
            down
        } else {
            let negated = self.store.neg(a);
            let up = self.store.div(negated, &size);
            let up = self.store.neg(up);
            let at_least_zero = self.store.at_least(a, 0i64);
            self.store.ite(at_least_zero, down, up)
        };
        if divisor.signum() < 0 {
            return self.store.neg(towards_zero);
        }
        towards_zero
    }

    /// A bit operation on two numbers that are 0 or 1, most of all truth values.
    fn of_bits(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
        let (zero, one) = (self.store.int(0i64), self.store.int(1i64));
        for term in [a, b] {
            let (low, high) = self.bounds_of(term);
            if low.is_none_or(|low| low.signum() < 0) || high.is_none_or(|high| high > Integer::ONE)
            {
                return None;
            }
        }
        let (a, b) = (self.store.le(one, a), self.store.le(one, b));
        let is_one = match op {
            BinaryOp::And => self.store.and(&[a, b]),
            BinaryOp::Or => self.store.or(&[a, b]),
            BinaryOp::Xor => self.store.ne(a, b),
            _ => return None,
        };
        Some(self.store.ite(is_one, one, zero))
    }

    /// A bit operation with a constant: through `a & mask`, since `a | m = a + m - (a & m)` and
    /// `a ^ m = a + m - 2 (a & m)`, also for negative numbers in two's complement.
    fn bits(&mut self, op: BinaryOp, a: TermId, mask: &Integer) -> Option<TermId> {
        let common = if mask.signum() >= 0 {
            self.masked(a, mask)?
        } else {
            // `a & m = a - (a & ~m)`, and `~m` is not negative.
            let complement = &Integer::from(-1i64) - mask;
            let rest = self.masked(a, &complement)?;
            self.store.sub(a, rest)
        };
        let times = match op {
            BinaryOp::And => return Some(common),
            BinaryOp::Or => Integer::from(-1i64),
            BinaryOp::Xor => Integer::from(-2i64),
            _ => return None,
        };
        Some(
            self.store
                .linear(mask, &[(a, Integer::ONE), (common, times)]),
        )
    }

    /// `a & mask` for a mask that is not negative: each run of ones is a quotient's remainder.
    /// `None` for a mask of many runs, whose term would be large.
    fn masked(&mut self, a: TermId, mask: &Integer) -> Option<TermId> {
        const RUNS: usize = 4;
        let two = Integer::from(2i64);
        let mut rest = mask.clone();
        let (mut low, mut runs) = (0, Vec::new());
        while !rest.is_zero() {
            let mut length = 0;
            while rest.mod_floor(&two).is_zero() {
                rest = rest.div_floor(&two);
                low += 1;
            }
            while !rest.mod_floor(&two).is_zero() {
                rest = rest.div_floor(&two);
                length += 1;
            }
            runs.push((low, length));
            low += length;
        }
        if runs.len() > RUNS {
            return None;
        }
        let mut parts = Vec::new();
        for (low, length) in runs {
            let place = Integer::power_of_two(low);
            let shifted = self.store.div(a, &place);
            let bits = self.store.modulo(shifted, &Integer::power_of_two(length));
            parts.push((bits, place));
        }
        Some(self.store.linear(&Integer::ZERO, &parts))
    }

    pub(super) fn overflows(
        &mut self,
        op: BinaryOp,
        ty: IntType,
        left: &Expr,
        right: &Expr,
    ) -> TermId {
        let (a, b) = (self.expr(left), self.expr(right));
        let (min, max) = (self.store.int(ty.min()), self.store.int(ty.max()));
        let constant = |encoder: &Self, term| encoder.store.as_int(term).cloned();
        let result = match (op, constant(self, a), constant(self, b)) {
            (BinaryOp::Add, _, _) => self.store.add(a, b),
            (BinaryOp::Sub, _, _) => self.store.sub(a, b),
            (BinaryOp::Mul, Some(factor), _) => self.store.scale(&factor, b),
            (BinaryOp::Mul, _, Some(factor)) => self.store.scale(&factor, a),
            (BinaryOp::Div | BinaryOp::Rem, _, _) => {
                let minus_one = self.store.int(-1i64);
                let (least, turned) = (self.store.eq(a, min), self.store.eq(b, minus_one));
                return self.store.and(&[least, turned]);
            }
            (BinaryOp::Shl, _, Some(amount)) => match shift_factor(ty, &amount) {
                None => return self.store.bool(false),
                Some(factor) => {
                    let zero = self.store.int(0i64);
                    let negative = self.store.lt(a, zero);
                    let shifted = self.store.scale(&factor, a);
                    let lost = self.store.lt(max, shifted);
                    return self.store.or(&[negative, lost]);
                }
            },
            _ => return self.unknown(Type::Bool),
        };
        let (below, above) = (self.store.lt(result, min), self.store.lt(max, result));
        self.store.or(&[below, above])
    }
}

/// 2 to the amount, if the shift is defined.
fn shift_factor(ty: IntType, amount: &Integer) -> Option<Integer> {
    let amount = u32::try_from(amount.to_i128()?).ok()?;
    (amount < u32::from(ty.bits)).then(|| Integer::power_of_two(amount))
}
