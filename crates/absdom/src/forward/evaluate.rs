//! The possible values of an expression in an element, in defined runs.
//!
//! Each subexpression gets a set of values and a linear form that it is equal to; the two are
//! reduced by each other at every step. A wrapping operation keeps its linear form if all results
//! wrap equally often.

use super::arithmetic::class;
use super::element::{Domain, Element, limit};
use super::linear::Linear;
use crate::modular::Residue;
use crate::value::Value;
use logic::{IntType, Integer};
use program::expr::{BinaryOp, Constant, Expr, Type};

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) struct Result {
    pub(super) linear: Linear,
    pub(super) value: Value,
    /// A linear form that it is equal to modulo a power of two.
    pub(super) residue: Residue,
}

impl Result {
    pub(super) fn of(value: Value) -> Self {
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
        use Expr::*;
        let result = match expr {
            Const(constant) => Result::of(constant_value(*constant)),
            Var(var) if domain.is_tracked(*var) => Result {
                linear: Linear::var(*var),
                value: self.value(domain, *var),
                residue: Residue::var(*var),
            },
            Cast(to, operand) => self.cast(domain, *to, operand)?,
            Unary(op, ty, operand) => {
                let operand = self.evaluate(domain, operand)?;
                self.unary(domain, *op, *ty, operand)?
            }
            Binary(op, Type::Int(ty), left, right) => {
                let (a, b) = (self.evaluate(domain, left)?, self.evaluate(domain, right)?);
                if op.is_comparison() {
                    Result::of(self.comparison(domain, *op, &a, &b)?)
                } else {
                    self.arithmetic(domain, *op, *ty, &a, &b)?
                }
            }
            Binary(op, Type::Bool, left, right) => {
                let (a, b) = (self.evaluate(domain, left)?, self.evaluate(domain, right)?);
                Result::of(truth_of(*op, &a.value, &b.value))
            }
            Select(condition, then, otherwise) => {
                self.select(domain, condition, then, otherwise)?
            }
            Overflows(op, ty, left, right) => {
                let (a, b) = (self.evaluate(domain, left)?, self.evaluate(domain, right)?);
                Result::of(self.overflows(domain, *op, *ty, &a, &b))
            }
            Var(_) | Object(_) | Proc(_) | Load(..) | Offset(..) | Binary(..) | Valid(..)
            | Freeable(_) => Result::of(limit(expr.ty(domain.program))),
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
        let can = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
        let exact = can.then(|| self.exact(op, ty, a, b)).flatten();
        let Some((linear, value)) = exact else {
            return Value::BOOL;
        };
        let value = match linear.and_then(|linear| self.range(domain, &linear)) {
            Some(range) => value.meet(&range).unwrap_or(value),
            None => value,
        };
        decided(value.defined(ty).is_none(), value.fits(ty))
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

pub(super) fn not(value: &Value) -> Value {
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
