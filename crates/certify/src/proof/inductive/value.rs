//! Expressions of the IR as terms over the integers, for defined evaluations.
//!
//! The exact result of a signed operation is assumed to fit its type, a divisor not to be zero, a
//! shift amount to be below the width, an address not to be null or plainly outside its object:
//! elsewhere there is no run. Arithmetic on unsigned types and conversions wrap. Products and bit
//! operations of variables are opaque, with a few facts; memory contents, addresses and
//! floating-point numbers may be any value of their type. Addresses stand for their numbers, those
//! of procedures for numbers that nothing else has, so only their equality is exact.
//!
//! # Invariants
//! - An operand that is not evaluated, in a `Select`, assumes nothing.

use super::bounds::{Interval, of_type};
use super::imported_proof::Slot;
use super::obligation_context::{Effort, ObligationContext, Values};
use logic::{IntType, Integer, TermId};
use program::expr::{BinaryOp, Expr, Type, UnaryOp};

/// Evaluates expressions in one state.
pub(super) struct Evaluation<'e, 's> {
    pub(super) context: &'e mut ObligationContext<'s>,
    values: &'e Values,
    /// When the expression is evaluated at all.
    reach: TermId,
    /// The conditions under which the current subexpression is evaluated.
    under: Vec<TermId>,
    /// What holds in a defined evaluation.
    assumed: Vec<TermId>,
}

impl<'e, 's> Evaluation<'e, 's> {
    pub(super) fn new(
        context: &'e mut ObligationContext<'s>,
        values: &'e Values,
        reach: TermId,
    ) -> Self {
        Evaluation {
            context,
            values,
            reach,
            under: Vec::new(),
            assumed: Vec::new(),
        }
    }

    /// What was assumed.
    pub(super) fn finish(self) -> Vec<TermId> {
        self.assumed
    }

    /// The value of an expression: a truth value for a `Bool`, else an integer.
    pub(super) fn value(&mut self, expr: &Expr) -> TermId {
        match expr {
            Expr::Const(constant) => {
                let term = self.context.constant(*constant);
                term.unwrap_or_else(|| self.any(constant.ty()))
            }
            Expr::Var(var) => self.context.read(self.values, Slot::Var(*var)),
            Expr::Proc(proc) => self.int(proc.address_number()),
            Expr::Object(_) => {
                let address = self.any(Type::Ptr);
                let zero = self.int(0);
                let fact = self.context.store.ne(address, zero);
                self.context.fact(fact);
                address
            }
            Expr::Unary(op, ty, operand) => self.unary(*op, *ty, operand),
            Expr::Binary(op, ty, left, right) => self.binary(*op, *ty, left, right),
            Expr::Cast(to, operand) => self.cast(*to, operand),
            Expr::Select(condition, then, otherwise) => self.select(condition, then, otherwise),
            Expr::Overflows(op, ty, left, right) => {
                let (a, b) = (self.value(left), self.value(right));
                self.overflows(*op, *ty, a, b)
            }
            Expr::Load(ty, address) => {
                self.access(*ty, address);
                self.any(*ty)
            }
            Expr::Offset(address, bytes) => {
                self.value(address);
                self.value(bytes);
                self.any(Type::Ptr)
            }
            Expr::Valid(address, bytes, _) => {
                self.value(address);
                self.value(bytes);
                self.any(Type::Bool)
            }
            Expr::Freeable(address) => {
                self.value(address);
                self.any(Type::Bool)
            }
        }
    }

    /// An address at which a value is read or written: not null, and inside its object where
    /// that can be seen.
    pub(super) fn access(&mut self, ty: Type, address: &Expr) {
        let program = self.context.program;
        let (object, offset) = match address {
            Expr::Object(object) => (Some(*object), self.int(0)),
            Expr::Offset(base, bytes) if let Expr::Object(object) = **base => {
                (Some(object), self.value(bytes))
            }
            _ => (None, self.value(address)),
        };
        let fact = match object {
            Some(object) => {
                let size = i128::from(program.objects[object].size);
                let last = size - i128::from(ty.bytes(program.pointer_bytes));
                self.context
                    .between(&Integer::ZERO, offset, &Integer::from(last))
            }
            None => {
                let zero = self.int(0);
                self.context.store.ne(offset, zero)
            }
        };
        self.assume(fact);
    }

    /// Any value of a type.
    pub(super) fn any(&mut self, ty: Type) -> TermId {
        self.context.any("$any", ty)
    }

    /// Assumes something about the subexpression being evaluated.
    pub(super) fn assume(&mut self, fact: TermId) {
        let under = self.context.store.and(&self.under);
        let fact = self.context.store.implies(under, fact);
        if self.context.store.as_bool(fact) != Some(true) {
            self.assumed.push(fact);
        }
    }

    pub(super) fn int(&mut self, value: i64) -> TermId {
        self.context.store.int(value)
    }

    /// An exact result in a type: wrapped, or assumed to fit.
    pub(super) fn settle(&mut self, exact: TermId, ty: IntType) -> TermId {
        if ty.signed {
            self.defined(exact, ty)
        } else {
            self.wrap(exact, ty)
        }
    }

    /// A result that is a value of its type wherever it is defined.
    pub(super) fn defined(&mut self, exact: TermId, ty: IntType) -> TermId {
        if !self.context.holds_all_integers(Type::Int(ty)) && !self.fits(exact, ty) {
            let range = self.in_range(exact, ty);
            self.assume(range);
        }
        exact
    }

    /// Whether the bounds show that a term is a value of a type.
    fn fits(&mut self, term: TermId, ty: IntType) -> bool {
        let range = of_type(Type::Int(ty));
        self.context.bounds_of(term).is_within(&range)
    }

    pub(super) fn in_range(&mut self, term: TermId, ty: IntType) -> TermId {
        let (min, max) = (Integer::from(ty.min()), Integer::from(ty.max()));
        self.context.between(&min, term, &max)
    }

    /// The value of a type that is equal modulo 2^w.
    pub(super) fn wrap(&mut self, term: TermId, ty: IntType) -> TermId {
        /// With fewer ways to wrap than this, a choice is easier than a remainder.
        const WAYS: i64 = 3;
        if self.fits(term, ty) {
            return term;
        }
        if self.context.effort == Effort::Great {
            let range = self.in_range(term, ty);
            let mut by = vec![self.reach];
            by.extend(self.under.iter().chain(&self.assumed));
            if self.context.is_implied(&by, range) {
                return term;
            }
        }
        let modulus = Integer::power_of_two(u32::from(ty.bits));
        let min = Integer::from(ty.min());
        let times = |bound: &Integer| (bound - &min).div_floor(&modulus);
        if let Some((low, high)) = self.context.bounds_of(term).both()
            && let Some(ways @ 0..WAYS) = (&times(high) - &times(low)).to_i64()
        {
            return self.wrap_in_few_ways(term, ty, &times(low), ways);
        }
        let shifted = self.context.store.linear(&-&min, &[(term, Integer::ONE)]);
        let rest = self.context.store.modulo(shifted, &modulus);
        self.context.store.linear(&min, &[(rest, Integer::ONE)])
    }

    /// A term from which 2^w is to be subtracted `first` times, or up to `more` times more.
    fn wrap_in_few_ways(
        &mut self,
        term: TermId,
        ty: IntType,
        first: &Integer,
        more: i64,
    ) -> TermId {
        let modulus = Integer::power_of_two(u32::from(ty.bits));
        let max = Integer::from(ty.max());
        let mut result = None;
        for way in (0..=more).rev() {
            let moved = &modulus * &(first + &Integer::from(way));
            let this = (self.context.store).linear(&-&moved, &[(term, Integer::ONE)]);
            result = Some(match result {
                None => this,
                Some(others) => {
                    let is_this = self.context.store.at_most(term, &max + &moved);
                    self.context.store.ite(is_this, this, others)
                }
            });
        }
        let result = result.expect("there should be a way");
        let range = of_type(Type::Int(ty));
        self.context.bounds.note(result, range);
        result
    }

    /// Evaluates something that is only evaluated under a condition.
    pub(super) fn only_if(
        &mut self,
        condition: TermId,
        evaluate: &mut dyn FnMut(&mut Self) -> TermId,
    ) -> TermId {
        self.under.push(condition);
        let value = evaluate(self);
        self.under.pop();
        value
    }

    fn select(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr) -> TermId {
        let condition = self.value(condition);
        match self.context.store.as_bool(condition) {
            Some(true) => return self.value(then),
            Some(false) => return self.value(otherwise),
            None => {}
        }
        let then = self.only_if(condition, &mut |evaluation| evaluation.value(then));
        let negated = self.context.store.not(condition);
        let otherwise = self.only_if(negated, &mut |evaluation| evaluation.value(otherwise));
        self.context.store.ite(condition, then, otherwise)
    }

    fn cast(&mut self, to: Type, operand: &Expr) -> TermId {
        let from = operand.ty(self.context.program);
        let term = self.value(operand);
        let is_zero = |evaluation: &Self| {
            let value = evaluation.context.store.as_int(term);
            value.is_some_and(Integer::is_zero)
        };
        match (from, to) {
            (Type::Bool, Type::Int(_)) => {
                let (one, zero) = (self.int(1), self.int(0));
                self.context.store.ite(term, one, zero)
            }
            (Type::Int(_), Type::Int(to)) => self.wrap(term, to),
            (Type::Int(_), Type::Ptr) | (Type::Ptr, Type::Int(_)) if is_zero(self) => term,
            (from, to) if from == to => term,
            (_, to) => self.any(to),
        }
    }

    fn unary(&mut self, op: UnaryOp, ty: Type, operand: &Expr) -> TermId {
        let term = self.value(operand);
        let (op, int) = match (op, ty) {
            (UnaryOp::Not, Type::Bool) => return self.context.store.not(term),
            (_, Type::Bool | Type::Float(_) | Type::Ptr) => return self.any(ty),
            (op, Type::Int(int)) => (op, int),
        };
        let width = Integer::from(i64::from(int.bits));
        match op {
            UnaryOp::Neg => {
                let negated = self.context.store.neg(term);
                self.settle(negated, int)
            }
            UnaryOp::Not => {
                let ones = if int.signed {
                    Integer::from(-1i64)
                } else {
                    int.max().into()
                };
                let minus = Integer::from(-1i64);
                self.context.store.linear(&ones, &[(term, minus)])
            }
            UnaryOp::Popcount => {
                let range = Interval::new(Integer::ZERO, width);
                let ones = self.context.opaque("$ones", range);
                // No more than the number itself, which is not negative, and none if it is zero.
                let zero = self.int(0);
                let store = &mut *self.context.store;
                let (none, empty) = (store.eq(ones, zero), store.eq(term, zero));
                let facts = [store.eq(none, empty), store.le(ones, term)];
                facts.into_iter().for_each(|fact| self.assume(fact));
                ones
            }
            UnaryOp::Clz | UnaryOp::Ctz => {
                let zero = self.int(0);
                let nonzero = self.context.store.ne(term, zero);
                self.assume(nonzero);
                let range = Interval::new(Integer::ZERO, &width - &Integer::ONE);
                self.context.opaque("$zeros", range)
            }
            UnaryOp::Bswap => self.any(ty),
        }
    }

    fn binary(&mut self, op: BinaryOp, ty: Type, left: &Expr, right: &Expr) -> TermId {
        let (a, b) = (self.value(left), self.value(right));
        match ty {
            Type::Int(int) if !op.is_comparison() => self.int_binary(op, int, a, b),
            Type::Bool => self.connect(op, a, b),
            Type::Int(_) => self.compare(op, a, b),
            Type::Ptr if matches!(op, BinaryOp::Eq | BinaryOp::Ne) => self.compare(op, a, b),
            Type::Ptr | Type::Float(_) if op.is_comparison() => self.any(Type::Bool),
            Type::Ptr => self.any(Type::Int(self.context.program.offset_type())),
            Type::Float(_) => self.any(ty),
        }
    }

    fn connect(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let store = &mut self.context.store;
        match op {
            BinaryOp::And => store.and(&[a, b]),
            BinaryOp::Or => store.or(&[a, b]),
            BinaryOp::Eq => store.eq(a, b),
            BinaryOp::Xor | BinaryOp::Ne => store.ne(a, b),
            _ => self.any(Type::Bool),
        }
    }

    fn compare(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let store = &mut self.context.store;
        match op {
            BinaryOp::Eq => store.eq(a, b),
            BinaryOp::Ne => store.ne(a, b),
            BinaryOp::Lt => store.lt(a, b),
            BinaryOp::Le => store.le(a, b),
            BinaryOp::Gt => store.lt(b, a),
            BinaryOp::Ge => store.le(b, a),
            _ => self.any(Type::Bool),
        }
    }
}
