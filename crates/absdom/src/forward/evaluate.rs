//! What an expression may evaluate to in an element, in defined runs.
//!
//! Each subexpression gets a set of values and a linear form that it is equal to; the two are
//! reduced by each other at every step. A wrapping operation keeps its linear form where all
//! results wrap equally often.

use super::element::{Domain, Element, limit};
use super::linear::Linear;
use crate::modular::Residue;
use crate::value::{INFINITE, Value, range};
use logic::{IntType, Integer};
use program::expr::{BinaryOp, Constant, Expr, Type, UnaryOp};

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) struct Result {
    pub(super) linear: Linear,
    pub(super) value: Value,
    /// A linear form that it is equal to modulo a power of two.
    pub(super) residue: Residue,
}

impl Result {
    fn of(value: Value) -> Self {
        Result {
            linear: Linear::of_value(&value),
            value,
            residue: class(&value),
        }
    }
}

impl Element {
    /// The value of an expression; `None` if it is undefined in every state.
    pub(super) fn evaluate(&self, domain: &Domain, expr: &Expr) -> Option<Result> {
        let result = match expr {
            Expr::Const(constant) => Result::of(constant_value(*constant)),
            Expr::Var(var) if domain.is_tracked(*var) => Result {
                linear: Linear::var(*var),
                value: self.value(domain, *var),
                residue: Residue::var(*var),
            },
            Expr::Cast(to, operand) => self.cast(domain, *to, operand)?,
            Expr::Unary(op, ty, operand) => {
                let operand = self.evaluate(domain, operand)?;
                self.unary(domain, *op, *ty, operand)?
            }
            Expr::Binary(op, Type::Int(ty), left, right) => {
                let (a, b) = (self.evaluate(domain, left)?, self.evaluate(domain, right)?);
                if op.is_comparison() {
                    Result::of(self.comparison(domain, *op, &a, &b)?)
                } else {
                    self.arithmetic(domain, *op, *ty, &a, &b)?
                }
            }
            Expr::Binary(op, Type::Bool, left, right) => {
                let (a, b) = (self.evaluate(domain, left)?, self.evaluate(domain, right)?);
                Result::of(truth_of(*op, &a.value, &b.value))
            }
            Expr::Select(condition, then, otherwise) => {
                self.select(domain, condition, then, otherwise)?
            }
            Expr::Overflows(op, ty, left, right) => {
                let (a, b) = (self.evaluate(domain, left)?, self.evaluate(domain, right)?);
                Result::of(self.overflows(domain, *op, *ty, &a, &b))
            }
            Expr::Var(_)
            | Expr::Object(_)
            | Expr::Proc(_)
            | Expr::Load(..)
            | Expr::Offset(..)
            | Expr::Binary(..)
            | Expr::Valid { .. }
            | Expr::Freeable(_) => Result::of(limit(expr.ty(domain.program))),
        };
        Some(result)
    }

    fn cast(&self, domain: &Domain, to: Type, operand: &Expr) -> Option<Result> {
        let from = operand.ty(domain.program);
        match (from, to) {
            (Type::Bool, Type::Int(_)) => self.evaluate(domain, operand),
            (Type::Int(_), Type::Int(to)) => {
                let result = self.evaluate(domain, operand)?;
                self.wrapped(result, to)
            }
            (from, to) if from == to => self.evaluate(domain, operand),
            (_, to) => Some(Result::of(limit(to))),
        }
    }

    /// A linear form as the result of arithmetic in a type.
    fn result(
        &self,
        domain: &Domain,
        linear: Option<Linear>,
        value: Value,
        residue: Residue,
        ty: IntType,
    ) -> Option<Result> {
        let mut exact = match linear {
            Some(linear) => Result {
                value: value.meet(&self.range(domain, &linear)?)?,
                linear,
                residue,
            },
            None => Result {
                residue,
                ..Result::of(value)
            },
        };
        if !ty.signed {
            return self.wrapped(exact, ty);
        }
        exact.value = self.in_class(exact.value.defined(ty)?, &exact.residue)?;
        Some(exact)
    }

    fn unary(&self, domain: &Domain, op: UnaryOp, ty: Type, operand: Result) -> Option<Result> {
        match (op, ty) {
            (UnaryOp::Neg, Type::Int(int)) => {
                let linear = operand.linear.times(-1);
                let residue = operand.residue.times(-1);
                self.result(domain, linear, operand.value.neg(), residue, int)
            }
            // Its greatest value is beyond our bounds.
            (UnaryOp::Not, Type::Int(int)) if !int.signed && range(int).1 >= INFINITE => {
                Some(Result::of(limit(ty)))
            }
            (UnaryOp::Not, Type::Int(int)) => {
                let ones = if int.signed { -1 } else { range(int).1 };
                let linear = operand.linear.times(-1).map(|linear| linear.moved(ones));
                let value = operand.value.neg().add(&Value::point(ones));
                let residue = Residue::class(64, ones).plus(&operand.residue, -1);
                self.result(domain, linear, value, residue, int)
            }
            (UnaryOp::Not, Type::Bool) => Some(Result::of(not(&operand.value))),
            (UnaryOp::Popcount | UnaryOp::Clz | UnaryOp::Ctz, Type::Int(int)) => {
                Some(Result::of(Value::interval(0, i128::from(int.bits))?))
            }
            (UnaryOp::Neg | UnaryOp::Not, Type::Float(_) | Type::Ptr | Type::Bool)
            | (UnaryOp::Popcount | UnaryOp::Clz | UnaryOp::Ctz | UnaryOp::Bswap, _) => {
                Some(Result::of(limit(ty)))
            }
        }
    }

    fn arithmetic(
        &self,
        domain: &Domain,
        op: BinaryOp,
        ty: IntType,
        a: &Result,
        b: &Result,
    ) -> Option<Result> {
        let (linear, value) = self.exact(op, ty, a, b)?;
        let residue = residue(op, a, b, &value);
        self.result(domain, linear, value, residue, ty)
    }

    /// The exact result of an operation, before it wraps or overflows.
    fn exact(
        &self,
        op: BinaryOp,
        ty: IntType,
        a: &Result,
        b: &Result,
    ) -> Option<(Option<Linear>, Value)> {
        let exact = match op {
            BinaryOp::Add => (a.linear.plus(&b.linear, 1), a.value.add(&b.value)),
            BinaryOp::Sub => (a.linear.plus(&b.linear, -1), a.value.sub(&b.value)),
            BinaryOp::Mul => {
                let linear = match (a.value.as_point(), b.value.as_point()) {
                    (Some(factor), _) => b.linear.times(factor),
                    (_, Some(factor)) => a.linear.times(factor),
                    (None, None) => None,
                };
                (linear, a.value.mul(&b.value))
            }
            BinaryOp::Div => {
                let same = (b.value.as_point() == Some(1)).then(|| a.linear.clone());
                (same, a.value.div(&b.value)?)
            }
            BinaryOp::Rem => {
                let value = a.value.rem(&b.value)?;
                let unchanged = value == a.value && never_reduces(&a.value, &b.value);
                (unchanged.then(|| a.linear.clone()), value)
            }
            BinaryOp::And => (None, a.value.and(&b.value, ty)),
            BinaryOp::Or => (None, a.value.or_xor(&b.value, ty, true)),
            BinaryOp::Xor => (None, a.value.or_xor(&b.value, ty, false)),
            BinaryOp::Shl => {
                let linear = match b.value.as_point() {
                    Some(amount @ 0..62) => a.linear.times(1 << amount),
                    Some(_) | None => None,
                };
                (linear, a.value.shl(&b.value, ty))
            }
            BinaryOp::Shr => (None, a.value.shr(&b.value, ty)),
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::PtrDiff => (None, Value::of_type(ty)),
        };
        Some(exact)
    }

    /// The truth values of a comparison.
    fn comparison(&self, domain: &Domain, op: BinaryOp, a: &Result, b: &Result) -> Option<Value> {
        let apart = self.difference(domain, a, b)?;
        let (low, high) = (apart.low(), apart.high());
        let (always, never) = match op {
            BinaryOp::Eq => (apart.as_point() == Some(0), !apart.contains(0)),
            BinaryOp::Ne => (!apart.contains(0), apart.as_point() == Some(0)),
            BinaryOp::Lt => (high < 0, low >= 0),
            BinaryOp::Le => (high <= 0, low > 0),
            BinaryOp::Gt => (low > 0, high <= 0),
            BinaryOp::Ge => (low >= 0, high < 0),
            _ => (false, false),
        };
        Some(decided(always, never))
    }

    /// The values of `a - b`.
    pub(super) fn difference(&self, domain: &Domain, a: &Result, b: &Result) -> Option<Value> {
        let apart = a.value.sub(&b.value);
        let apart = self.in_class(apart, &a.residue.plus(&b.residue, -1))?;
        match a.linear.plus(&b.linear, -1) {
            Some(linear) => apart.meet(&self.range(domain, &linear)?),
            None => Some(apart),
        }
    }

    fn select(
        &self,
        domain: &Domain,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
    ) -> Option<Result> {
        self.evaluate(domain, condition)?;
        let branch = |truth, value: &Expr| {
            let mut branch = self.clone();
            branch.assume(domain, condition, truth)?;
            branch.evaluate(domain, value)
        };
        let (a, b) = match (branch(true, then), branch(false, otherwise)) {
            (Some(a), Some(b)) => (a, b),
            (one, other) => return one.or(other),
        };
        let value = a.value.join(&b.value);
        let residue = if a.residue == b.residue {
            a.residue
        } else {
            class(&value)
        };
        if a.linear.terms != b.linear.terms {
            return Some(Result {
                residue,
                ..Result::of(value)
            });
        }
        let linear = Linear {
            terms: a.linear.terms,
            low: a.linear.low.min(b.linear.low),
            high: a.linear.high.max(b.linear.high),
        };
        Some(Result {
            linear,
            value,
            residue,
        })
    }

    fn overflows(
        &self,
        domain: &Domain,
        op: BinaryOp,
        ty: IntType,
        a: &Result,
        b: &Result,
    ) -> Value {
        if !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) {
            return Value::BOOL;
        }
        let Some((linear, value)) = self.exact(op, ty, a, b) else {
            return Value::BOOL;
        };
        let value = match linear.and_then(|linear| self.range(domain, &linear)) {
            Some(range) => value.meet(&range).unwrap_or(value),
            None => value,
        };
        decided(value.defined(ty).is_none(), value.fits(ty))
    }
}

/// Whether `a % b` is always `a`: it is then smaller than every divisor.
fn never_reduces(a: &Value, b: &Value) -> bool {
    let smallest = if b.low() > 0 {
        b.low()
    } else if b.high() < 0 {
        -b.high()
    } else {
        1
    };
    a.high() < smallest && a.low() > -smallest
}

/// The class of some values modulo a power of two.
pub(super) fn class(value: &Value) -> Residue {
    match value.congruence() {
        (0, rest) => Residue::class(64, rest),
        (modulus, rest) => Residue::class(modulus.trailing_zeros().min(64), rest),
    }
}

/// What the result of an operation is equal to modulo a power of two, before it wraps.
fn residue(op: BinaryOp, a: &Result, b: &Result, value: &Value) -> Residue {
    match (op, a.value.as_point(), b.value.as_point()) {
        (BinaryOp::Add, _, _) => a.residue.plus(&b.residue, 1),
        (BinaryOp::Sub, _, _) => a.residue.plus(&b.residue, -1),
        (BinaryOp::Mul, Some(factor), _) => b.residue.times(factor),
        (BinaryOp::Mul, _, Some(factor)) => a.residue.times(factor),
        (BinaryOp::Shl, _, Some(amount @ 0..64)) => a.residue.times(1 << amount),
        // The lowest bits stay.
        (BinaryOp::Rem, _, Some(divisor)) if divisor % 2 == 0 && divisor != 0 => {
            a.residue.clone().within(divisor.trailing_zeros())
        }
        (BinaryOp::And, _, Some(mask)) if mask % 2 != 0 => {
            a.residue.clone().within(mask.trailing_ones())
        }
        _ => class(value),
    }
}

impl Element {
    /// A result brought into a type.
    fn wrapped(&self, mut result: Result, ty: IntType) -> Option<Result> {
        if result.value.fits(ty) {
            result.value = self.in_class(result.value, &result.residue)?;
            return Some(result);
        }
        let value = result.value.wrap(ty);
        // All of it moved by the same multiple of 2^w?
        let (old, new) = (&result.value, &value);
        let shift = new.low() - old.low();
        let window = 1i128 << ty.bits.min(100);
        let is_shift = old.low() > -INFINITE && old.high() < INFINITE && shift % window == 0;
        if is_shift && old.high() + shift == new.high() {
            let moved = Residue::class(64, shift);
            return Some(Result {
                linear: result.linear.moved(shift),
                value,
                residue: result.residue.plus(&moved, 1),
            });
        }
        let residue = result.residue.within(u32::from(ty.bits));
        let value = self.in_class(value, &residue)?;
        Some(Result {
            residue,
            ..Result::of(value)
        })
    }

    /// The values that are in the class of a linear form.
    pub(super) fn in_class(&self, value: Value, residue: &Residue) -> Option<Value> {
        if residue.bits == 0 {
            return Some(value);
        }
        match self.modular.class(residue) {
            Some((bits, rest)) => {
                Value::new(-INFINITE, INFINITE, 1 << bits, i128::from(rest))?.meet(&value)
            }
            None => Some(value),
        }
    }
}

fn constant_value(constant: Constant) -> Value {
    match constant {
        Constant::Bool(value) => Value::point(i128::from(value)),
        Constant::Int(value) => match Integer::from(value).to_i128() {
            Some(value) => Value::point(value),
            None => Value::of_type(constant.ty().int().unwrap_or(IntType::I64)),
        },
        Constant::Float(..) | Constant::Null => Value::ANY,
    }
}

fn decided(always: bool, never: bool) -> Value {
    match (always, never) {
        (true, _) => Value::point(1),
        (_, true) => Value::point(0),
        (false, false) => Value::BOOL,
    }
}

fn not(value: &Value) -> Value {
    value.neg().add(&Value::point(1))
}

/// An operation on truth values.
fn truth_of(op: BinaryOp, a: &Value, b: &Value) -> Value {
    let (a, b) = (a.as_point(), b.as_point());
    match op {
        BinaryOp::And => decided(a == Some(1) && b == Some(1), a == Some(0) || b == Some(0)),
        BinaryOp::Or => decided(a == Some(1) || b == Some(1), a == Some(0) && b == Some(0)),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Xor => match (a, b) {
            (Some(a), Some(b)) => Value::point(i128::from((a == b) == (op == BinaryOp::Eq))),
            _ => Value::BOOL,
        },
        _ => Value::BOOL,
    }
}
