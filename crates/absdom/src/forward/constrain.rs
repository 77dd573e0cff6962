//! Linear forms in an element: their bounds, constraints on them, assignments of them.

use super::element::{Domain, Element, Limits};
use super::evaluate::Result;
use super::linear::{Linear, floor_bound};
use crate::modular::{Equality, Residue};
use crate::octagon::Form;
use crate::value::{INFINITE, Value, add_high};
use program::ir::VarId;

impl Element {
    /// The greatest value of a linear form.
    pub(super) fn high(&self, domain: &Domain, linear: &Linear) -> i128 {
        let mut total = linear.high;
        let mut open: Vec<(Form, i128, i128)> = Vec::with_capacity(linear.terms.len());
        for &(var, factor) in &linear.terms {
            let value = self.value(domain, var);
            let most = if factor > 0 {
                value.high()
            } else {
                -value.low()
            };
            open.push((Form::signed(var, factor), factor.abs(), most));
        }
        // Pairs whose sum has a better bound than they have one by one.
        for first in 0..open.len() {
            for second in first + 1..open.len() {
                let (a, times_a, most_a) = open[first];
                let (b, times_b, most_b) = open[second];
                let times = times_a.min(times_b);
                if times == 0 {
                    continue;
                }
                let Some(bound) = self.octagon.bound(a, b) else {
                    continue;
                };
                if bound < add_high(most_a, most_b) {
                    total = add_high(total, Value::point(bound).scale(times).high());
                    open[first].1 -= times;
                    open[second].1 -= times;
                }
            }
        }
        for (_, times, most) in open {
            if times > 0 {
                total = add_high(total, Value::point(most).scale(times).high());
            }
        }
        total
    }

    /// The values of a linear form.
    pub(super) fn range(&self, domain: &Domain, linear: &Linear) -> Option<Value> {
        let high = self.high(domain, linear);
        let low = match linear.times(-1) {
            Some(turned) => -self.high(domain, &turned),
            None => -INFINITE,
        };
        let mut sum = linear.constant();
        for &(var, factor) in &linear.terms {
            sum = sum.add(&self.value(domain, var).scale(factor));
        }
        let sum = sum.meet(&Value::interval(low, high)?)?;
        self.in_class(sum, &linear.residue())
    }

    /// Keeps the states where a linear form can be at most zero.
    pub(super) fn at_most_zero(&mut self, domain: &Domain, linear: &Linear) -> Option<()> {
        for index in 0..linear.terms.len() {
            let (rest, var, factor) = linear.without(index);
            // factor · x ≤ -rest
            let most = match rest.times(-1) {
                Some(turned) => self.high(domain, &turned),
                None => INFINITE,
            };
            if most >= INFINITE {
                continue;
            }
            let bound = floor_bound(most, factor.abs());
            let with = if factor > 0 {
                Value::interval(-INFINITE, bound)
            } else {
                Value::interval(-bound, INFINITE)
            };
            self.meet(domain, var, &with?)?;
        }
        if linear.terms.is_empty() && linear.low > 0 {
            return None;
        }
        for first in 0..linear.terms.len() {
            for second in first + 1..linear.terms.len() {
                self.relate(domain, linear, first, second)?;
            }
        }
        // Where it is always the same, that is an equality.
        if linear.terms.len() > 1
            && let Some(value) = self.range(domain, linear)?.as_point()
        {
            let apart = linear.residue().plus(&Residue::class(64, value), -1);
            self.modular.meet(&apart)?;
        }
        self.reduce(domain)
    }

    /// What `linear ≤ 0` says about two of its terms, given the range of the others.
    fn relate(
        &mut self,
        domain: &Domain,
        linear: &Linear,
        first: usize,
        second: usize,
    ) -> Option<()> {
        let (a, b) = (linear.terms[first], linear.terms[second]);
        if a.1.abs() != b.1.abs() {
            return Some(());
        }
        let mut rest = linear.clone();
        rest.terms.remove(second);
        rest.terms.remove(first);
        let Some(turned) = rest.times(-1) else {
            return Some(());
        };
        let most = self.high(domain, &turned);
        if most >= INFINITE {
            return Some(());
        }
        let [first, second] = [a, b].map(|(var, factor)| Form::signed(var, factor));
        self.octagon
            .bound_sum(first, second, floor_bound(most, a.1.abs()))
    }

    /// Sets a variable to what an expression evaluates to.
    pub(super) fn assign(&mut self, domain: &Domain, var: VarId, result: &Result) -> Option<()> {
        let (linear, value) = (&result.linear, &result.value);
        if self.octagon.position(var).is_some() {
            match linear.terms[..] {
                [(other, factor @ (1 | -1))] if self.octagon.position(other).is_some() => {
                    let form = Form::signed(other, factor);
                    self.octagon.assign(var, form, linear.low, linear.high);
                }
                [] => self.octagon.forget(var),
                _ => self.assign_sum(domain, var, linear)?,
            }
        }
        // The bounds above were those of the old state.
        self.modular.assign(var, &result.residue);
        let value = value.meet(&domain.limits[var])?;
        self.set(domain, var, value);
        self.push(var, &value)?;
        self.reduce(domain)
    }

    /// The octagon after an assignment that it cannot express: the best bounds on the new value
    /// with each variable, computed in the old state.
    fn assign_sum(&mut self, domain: &Domain, var: VarId, linear: &Linear) -> Option<()> {
        let mut bounds = Vec::new();
        let range = self.range(domain, linear)?;
        for &other in self.octagon.vars() {
            if other == var {
                continue;
            }
            for (sign, factor) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let sum = linear.times(sign)?.plus(&Linear::var(other), factor)?;
                let forms = (Form::signed(var, sign), Form::signed(other, factor));
                bounds.push((forms, self.high(domain, &sum)));
            }
        }
        self.octagon.forget(var);
        self.push_bounds(var, &range)?;
        for ((a, b), bound) in bounds {
            if bound < INFINITE {
                self.octagon.bound_sum(a, b, bound)?;
            }
        }
        Some(())
    }

    /// Carries bounds through the equalities among several variables.
    pub(super) fn propagate(&mut self, domain: &Domain) -> Option<()> {
        const TERMS: usize = 4;
        for equality in self.modular.equalities() {
            let many = (2..=TERMS).contains(&equality.terms.len());
            let linear = Linear::of_equality(&equality);
            if many && self.is_exact(&domain.limits, &equality) {
                self.at_most_zero(domain, &linear)?;
                if let Some(turned) = linear.times(-1) {
                    self.at_most_zero(domain, &turned)?;
                }
                if linear.terms.len() == 2 {
                    self.substitute(domain, &linear)?;
                }
            }
        }
        Some(())
    }

    /// What the bounds on the sum or difference of two variables say together with an equality
    /// of the two: each is eliminated.
    fn substitute(&mut self, domain: &Domain, equality: &Linear) -> Option<()> {
        for (index, &(x, factor)) in equality.terms.iter().enumerate() {
            for (other, &(y, _)) in equality.terms.iter().enumerate() {
                if index == other {
                    continue;
                }
                for (sign_x, sign_y) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                    let (a, b) = (Form::signed(x, sign_x), Form::signed(y, sign_y));
                    let Some(bound) = self.octagon.bound(a, b) else {
                        continue;
                    };
                    // sign_x·x + sign_y·y - bound ≤ 0, |factor| times, without x.
                    let combined = Linear::var(x)
                        .times(sign_x)
                        .and_then(|sum| sum.plus(&Linear::var(y), sign_y))
                        .and_then(|sum| sum.moved(-bound).times(factor.abs()))
                        .and_then(|sum| sum.plus(equality, -sign_x * factor.signum()));
                    if let Some(combined) = combined {
                        self.at_most_zero(domain, &combined)?;
                    }
                }
            }
        }
        Some(())
    }

    /// Whether an equality modulo a power of two can only hold if it holds exactly.
    pub(super) fn is_exact(&self, limits: &Limits, equality: &Equality) -> bool {
        let mut sum = Value::point(i128::from(equality.constant));
        for &(var, factor) in &equality.terms {
            sum = sum.add(&self.value_in(limits, var).scale(i128::from(factor)));
        }
        let window = 1i128 << equality.bits;
        sum.low() > -window && sum.high() < window
    }
}
