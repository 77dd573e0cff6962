//! Conditions: restricts an element to the states where an expression holds.
//!
//! Comparisons become linear constraints; the implied constraint on an operand is also propagated
//! down through remainders, masks, conversions and choices.

use super::element::{Domain, Element};
use super::evaluate::Result;
use crate::value::{INFINITE, Value, gcd};
use program::expr::{BinaryOp, Expr, Type, UnaryOp};

impl Element {
    /// Keeps the states where a condition is true, or false; `None` if there are none.
    pub(super) fn assume(&mut self, domain: &Domain, condition: &Expr, truth: bool) -> Option<()> {
        use Expr::*;
        match condition {
            Var(var) => {
                let value = Value::point(i128::from(truth));
                self.meet(domain, *var, &value)
            }
            Unary(UnaryOp::Not, Type::Bool, operand) => self.assume(domain, operand, !truth),
            Binary(op, Type::Bool, left, right) => {
                self.assume_truths(domain, *op, left, right, truth)
            }
            Binary(op, Type::Int(_), left, right) => {
                let op = if truth { Some(*op) } else { op.negated() };
                match op {
                    Some(op) => self.assume_comparison(domain, op, left, right),
                    None => Some(()),
                }
            }
            Select(choice, then, otherwise) => self.become_either(domain, |case, holds| {
                case.assume(domain, choice, holds)?;
                case.assume(domain, if holds { then } else { otherwise }, truth)
            }),
            Const(_) | Overflows(..) | Object(_) | Proc(_) | Load(..) | Unary(..) | Binary(..)
            | Offset(..) | Cast(..) | Valid(..) | Freeable(_) => {
                let value = self.evaluate(domain, condition)?.value;
                value.contains(i128::from(truth)).then_some(())
            }
        }
    }

    /// Becomes what is left in one of two cases.
    fn become_either(
        &mut self,
        domain: &Domain,
        restrict: impl Fn(&mut Element, bool) -> Option<()>,
    ) -> Option<()> {
        let case = |which: bool| {
            let mut case = self.clone();
            restrict(&mut case, which).map(|()| case)
        };
        *self = match (case(true), case(false)) {
            (Some(a), Some(b)) => a.join(domain, &b),
            (one, other) => one.or(other)?,
        };
        Some(())
    }

    fn assume_truths(
        &mut self,
        domain: &Domain,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        truth: bool,
    ) -> Option<()> {
        let both = match op {
            BinaryOp::And => truth,
            BinaryOp::Or => !truth,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Xor => {
                let equal = truth == (op == BinaryOp::Eq);
                return self.become_either(domain, |case, value| {
                    case.assume(domain, left, value)?;
                    case.assume(domain, right, value == equal)
                });
            }
            _ => return Some(()),
        };
        if both {
            // The second may help the first.
            self.assume(domain, left, truth)?;
            self.assume(domain, right, truth)?;
            return self.assume(domain, left, truth);
        }
        // Both are evaluated.
        self.evaluate(domain, left)?;
        self.evaluate(domain, right)?;
        self.become_either(domain, |case, is_left| {
            case.assume(domain, if is_left { left } else { right }, truth)
        })
    }

    fn assume_comparison(
        &mut self,
        domain: &Domain,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
    ) -> Option<()> {
        let (a, b) = (self.evaluate(domain, left)?, self.evaluate(domain, right)?);
        let apart = self.difference(domain, &a, &b)?;
        let wanted = match op {
            BinaryOp::Eq => apart.meet(&Value::point(0))?,
            BinaryOp::Ne => without(&apart, 0)?,
            BinaryOp::Lt => apart.meet(&Value::interval(-INFINITE, -1)?)?,
            BinaryOp::Le => apart.meet(&Value::interval(-INFINITE, 0)?)?,
            BinaryOp::Gt => apart.meet(&Value::interval(1, INFINITE)?)?,
            BinaryOp::Ge => apart.meet(&Value::interval(0, INFINITE)?)?,
            _ => apart,
        };
        if wanted == apart {
            return Some(());
        }
        self.within(domain, &a, &b, &wanted)?;
        if op == BinaryOp::Eq {
            self.modular.meet(&a.residue.plus(&b.residue, -1))?;
        }
        // a = b + apart
        let to_left = a.value.meet(&b.value.add(&wanted))?;
        let to_right = b.value.meet(&a.value.sub(&wanted))?;
        let to_left = match (op, b.value.as_point()) {
            (BinaryOp::Ne, Some(value)) => without(&to_left, value)?,
            _ => to_left,
        };
        self.refine(domain, left, &to_left)?;
        self.refine(domain, right, &to_right)?;
        self.reduce(domain)
    }

    /// Keeps the states where `a - b` can be one of some values.
    fn within(&mut self, domain: &Domain, a: &Result, b: &Result, wanted: &Value) -> Option<()> {
        let Some(apart) = a.linear.plus(&b.linear, -1) else {
            return Some(());
        };
        if wanted.high() < INFINITE {
            self.at_most_zero(domain, &apart.clone().moved(-wanted.high()))?;
        }
        if wanted.low() > -INFINITE
            && let Some(turned) = apart.times(-1)
        {
            self.at_most_zero(domain, &turned.moved(wanted.low()))?;
        }
        // Congruences go to the variables with factor one.
        for index in 0..apart.terms.len() {
            let (rest, var, factor) = apart.without(index);
            if factor.abs() == 1 {
                let rest = self.range(domain, &rest)?;
                let others = wanted.sub(&rest).scale(factor);
                self.meet(domain, var, &others)?;
            }
        }
        Some(())
    }

    /// Keeps the states where an integer expression has one of some values.
    fn refine(&mut self, domain: &Domain, expr: &Expr, wanted: &Value) -> Option<()> {
        use Expr::*;
        match expr {
            Var(var) if domain.is_tracked(*var) => self.meet(domain, *var, wanted),
            Cast(Type::Int(to), operand) => match operand.ty(domain.program) {
                Type::Bool => self.refine_truth(domain, operand, wanted),
                Type::Int(_) => {
                    let value = self.evaluate(domain, operand)?.value;
                    if value.fits(*to) {
                        return self.refine(domain, operand, wanted);
                    }
                    let window = 1i128 << to.bits.min(90);
                    self.refine(domain, operand, &class(wanted, window)?)
                }
                Type::Float(_) | Type::Ptr => Some(()),
            },
            Binary(BinaryOp::Rem, Type::Int(_), operand, divisor) => {
                match self.evaluate(domain, divisor)?.value.as_point() {
                    Some(divisor) if divisor != 0 => {
                        self.refine_remainder(domain, operand, divisor, wanted)
                    }
                    Some(_) | None => Some(()),
                }
            }
            Binary(BinaryOp::And, Type::Int(_), operand, mask) => {
                match self.evaluate(domain, mask)?.value.as_point() {
                    Some(mask) if mask > 0 && mask < 1 << 90 && mask & (mask + 1) == 0 => {
                        self.refine(domain, operand, &class(wanted, mask + 1)?)
                    }
                    Some(_) | None => Some(()),
                }
            }
            Select(choice, then, otherwise) => self.become_either(domain, |case, truth| {
                let value = if truth { then } else { otherwise };
                case.assume(domain, choice, truth)?;
                case.refine(domain, value, wanted)?;
                case.evaluate(domain, value)?.value.meet(wanted)?;
                Some(())
            }),
            Binary(op, ..) if op.is_comparison() => self.refine_truth(domain, expr, wanted),
            Var(_) | Const(_) | Object(_) | Proc(_) | Load(..) | Unary(..) | Binary(..)
            | Offset(..) | Cast(..) | Overflows(..) | Valid(..) | Freeable(_) => Some(()),
        }
    }

    fn refine_truth(&mut self, domain: &Domain, expr: &Expr, wanted: &Value) -> Option<()> {
        match wanted.meet(&Value::BOOL)?.as_point() {
            Some(truth) => self.assume(domain, expr, truth == 1),
            None => Some(()),
        }
    }

    /// `operand % divisor` is one of some values: the operand is in their classes.
    fn refine_remainder(
        &mut self,
        domain: &Domain,
        operand: &Expr,
        divisor: i128,
        wanted: &Value,
    ) -> Option<()> {
        let mut value = class(wanted, divisor)?;
        if wanted.low() > 0 {
            value = value.meet(&Value::interval(wanted.low(), INFINITE)?)?;
        }
        if wanted.high() < 0 {
            value = value.meet(&Value::interval(-INFINITE, wanted.high())?)?;
        }
        self.refine(domain, operand, &value)
    }
}

/// All that is equal to one of some values modulo a number.
fn class(values: &Value, modulus: i128) -> Option<Value> {
    let (own, rest) = values.congruence();
    Value::new(-INFINITE, INFINITE, gcd(own, modulus), rest)
}

/// Without one element, where an interval and a congruence can say it.
fn without(value: &Value, element: i128) -> Option<Value> {
    if !value.contains(element) {
        return Some(*value);
    }
    let (modulus, rest) = value.congruence();
    let (low, high) = (value.low(), value.high());
    match modulus {
        0 => None,
        _ if low == element => Value::new(low + 1, high, modulus, rest),
        _ if high == element => Value::new(low, high - 1, modulus, rest),
        // Of three elements the middle one.
        _ if high - element == modulus && element - low == modulus => {
            Value::new(low, high, 2 * modulus, low)
        }
        _ => Some(*value),
    }
}
