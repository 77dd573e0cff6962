//! One element of the forward analysis: a value for each variable and an octagon, reduced.
//!
//! # Invariants
//! - `values` is in order and holds no variable whose value is all of its type.
//! - But after widening, the octagon is closed and neither part says more of a single variable
//!   than the other does, as far as the octagon can say it.

use super::linear::{Linear, floor_bound};
use crate::octagon::{Form, Octagon};
use crate::value::{INFINITE, Value, add_high};
use base::IdVec;
use program::expr::Type;
use program::ir::{Program, VarId};
use program::pass::VarSet;

/// What stays the same in an analysis.
pub(super) struct Domain<'p> {
    pub(super) program: &'p Program,
    /// All that a variable may be.
    pub(super) limits: Limits,
}

/// All that each variable may be.
pub(super) type Limits = IdVec<VarId, Value>;

impl<'p> Domain<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Domain {
            program,
            limits: limits(program),
        }
    }

    /// Whether a variable is an integer or a truth value.
    pub(super) fn is_tracked(&self, var: VarId) -> bool {
        matches!(self.program.vars[var].ty, Type::Int(_) | Type::Bool)
    }
}

pub(super) fn limits(program: &Program) -> Limits {
    program.vars.iter().map(|var| limit(var.ty)).collect()
}

/// All values of a type.
pub(super) fn limit(ty: Type) -> Value {
    match ty {
        Type::Bool => Value::BOOL,
        Type::Int(ty) => Value::of_type(ty),
        Type::Float(_) | Type::Ptr => Value::ANY,
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Element {
    values: Vec<(VarId, Value)>,
    pub(super) octagon: Octagon,
}

impl Element {
    /// Any state, with relations among some variables to come.
    pub(super) fn top(domain: &Domain, pack: &[VarId]) -> Element {
        let mut element = Element {
            values: Vec::new(),
            octagon: Octagon::top(pack.to_vec()),
        };
        let reduced = element.reduce(domain);
        debug_assert!(reduced.is_some());
        element
    }

    pub(super) fn value(&self, domain: &Domain, var: VarId) -> Value {
        self.value_in(&domain.limits, var)
    }

    pub(super) fn value_in(&self, limits: &Limits, var: VarId) -> Value {
        match self.values.binary_search_by_key(&var, |row| row.0) {
            Ok(at) => self.values[at].1,
            Err(_) => limits[var],
        }
    }

    fn set(&mut self, domain: &Domain, var: VarId, value: Value) {
        let is_limit = domain.limits[var].is_subset(&value);
        match self.values.binary_search_by_key(&var, |row| row.0) {
            Ok(at) if is_limit => {
                self.values.remove(at);
            }
            Ok(at) => self.values[at].1 = value,
            Err(_) if is_limit => {}
            Err(at) => self.values.insert(at, (var, value)),
        }
    }

    /// Keeps the states where a variable has one of some values; `None` if there are none.
    pub(super) fn meet(&mut self, domain: &Domain, var: VarId, with: &Value) -> Option<()> {
        let old = self.value(domain, var);
        let new = old.meet(with)?;
        if new != old {
            self.set(domain, var, new);
            self.push(var, &new)?;
        }
        Some(())
    }

    /// Tells the octagon the bounds of a variable.
    fn push(&mut self, var: VarId, value: &Value) -> Option<()> {
        if value.high() < INFINITE {
            self.octagon.bound_form(plain(var), value.high())?;
        }
        if value.low() > -INFINITE {
            self.octagon.bound_form(negated(var), -value.low())?;
        }
        Some(())
    }

    /// Carries bounds from each part to the other; `None` if no state is left.
    pub(super) fn reduce(&mut self, domain: &Domain) -> Option<()> {
        const ROUNDS: usize = 3;
        for _ in 0..ROUNDS {
            let mut stable = true;
            for position in 0..self.octagon.vars().len() {
                let var = self.octagon.vars()[position];
                let (low, high) = self.octagon.interval(position);
                let bounds = (low.unwrap_or(-INFINITE), high.unwrap_or(INFINITE));
                let old = self.value(domain, var);
                let new = old.meet(&Value::interval(bounds.0, bounds.1)?)?;
                if new != old {
                    self.set(domain, var, new);
                }
                if new.low() > bounds.0 || new.high() < bounds.1 {
                    self.push(var, &new)?;
                    // Beyond what the octagon keeps there is nothing to wait for.
                    stable &= self.octagon.interval(position) == (low, high);
                }
            }
            if stable {
                break;
            }
        }
        Some(())
    }

    /// Closes after widening; `None` if no state is left.
    pub(super) fn close(&mut self, domain: &Domain) -> Option<()> {
        self.octagon.close()?;
        self.reduce(domain)
    }

    /// Says nothing of a variable but its type.
    pub(super) fn forget(&mut self, domain: &Domain, var: VarId) {
        self.octagon.forget(var);
        self.set(domain, var, domain.limits[var]);
        let pushed = self.push(var, &domain.limits[var]);
        debug_assert!(pushed.is_some());
    }

    /// Relates one more variable to the others.
    pub(super) fn relate_also(&mut self, domain: &Domain, var: VarId) {
        let mut vars = self.octagon.vars().to_vec();
        if let Err(at) = vars.binary_search(&var) {
            vars.insert(at, var);
            self.octagon = self.octagon.over(&vars);
            let value = self.value(domain, var);
            let pushed = self.push(var, &value);
            debug_assert!(pushed.is_some());
        }
    }

    /// Says something only of some variables, and relates only some of these.
    pub(super) fn restrict(&mut self, domain: &Domain, live: &VarSet, pack: &[VarId]) {
        self.values.retain(|row| live.contains(row.0));
        if self.octagon.vars() != pack {
            let new: Vec<VarId> = (pack.iter().copied())
                .filter(|&var| self.octagon.position(var).is_none())
                .collect();
            self.octagon = self.octagon.over(pack);
            for var in new {
                let value = self.value(domain, var);
                let pushed = self.push(var, &value);
                debug_assert!(pushed.is_some());
            }
        }
    }

    pub(super) fn join(&self, domain: &Domain, other: &Element) -> Element {
        let mut result = Element {
            values: Vec::new(),
            octagon: self.octagon.join(&other.octagon),
        };
        for &(var, value) in &self.values {
            result.set(domain, var, value.join(&other.value(domain, var)));
        }
        result
    }

    /// Holds both, and ends every growing chain. Only the second is reduced.
    pub(super) fn widen(&self, domain: &Domain, new: &Element, thresholds: &[i128]) -> Element {
        let mut result = Element {
            values: Vec::new(),
            octagon: self.octagon.widen(&new.octagon, thresholds),
        };
        for &(var, value) in &self.values {
            let new = new.value(domain, var);
            let wide = value.widen(&new, thresholds, &domain.limits[var]);
            result.set(domain, var, wide);
        }
        result
    }

    /// Whether every state of this (reduced) is one of the other.
    pub(super) fn is_subset(&self, domain: &Domain, other: &Element) -> bool {
        let values = |row: &(VarId, Value)| self.value(domain, row.0).is_subset(&row.1);
        other.values.iter().all(values) && self.octagon.implies(&other.octagon)
    }

    /// The variables of which it says more than their type, with their values.
    pub(super) fn values(&self) -> &[(VarId, Value)] {
        &self.values
    }

    /// The greatest value of a linear form.
    pub(super) fn high(&self, domain: &Domain, linear: &Linear) -> i128 {
        let mut total = linear.high;
        let mut open: Vec<(Form, i128, i128)> = Vec::with_capacity(linear.terms.len());
        for &(var, factor) in &linear.terms {
            let value = self.value(domain, var);
            let (form, most) = if factor > 0 {
                (plain(var), value.high())
            } else {
                (negated(var), -value.low())
            };
            open.push((form, factor.abs(), most));
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
                let most = if most >= INFINITE {
                    INFINITE
                } else {
                    Value::point(most).scale(times).high()
                };
                total = add_high(total, most);
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
        sum.meet(&Value::interval(low, high)?)
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
        self.reduce(domain)
    }

    /// What `linear ≤ 0` says of two of its terms, given the range of the others.
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
        let form = |(var, factor): (VarId, i128)| Form {
            var,
            negative: factor < 0,
        };
        self.octagon
            .bound_sum(form(a), form(b), floor_bound(most, a.1.abs()))
    }

    /// Sets a variable to a value, and to a linear form where there is one.
    pub(super) fn assign(
        &mut self,
        domain: &Domain,
        var: VarId,
        linear: &Linear,
        value: &Value,
    ) -> Option<()> {
        if self.octagon.position(var).is_some() {
            match linear.terms[..] {
                [(other, factor @ (1 | -1))] if self.octagon.position(other).is_some() => {
                    let form = Form {
                        var: other,
                        negative: factor < 0,
                    };
                    self.octagon.assign(var, form, linear.low, linear.high);
                }
                [] => self.octagon.forget(var),
                _ => self.assign_sum(domain, var, linear)?,
            }
        }
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
                let form = |var, sign| Form {
                    var,
                    negative: sign < 0,
                };
                bounds.push((
                    form(var, sign),
                    form(other, factor),
                    self.high(domain, &sum),
                ));
            }
        }
        self.octagon.forget(var);
        self.push(var, &range)?;
        for (a, b, bound) in bounds {
            if bound < INFINITE {
                self.octagon.bound_sum(a, b, bound)?;
            }
        }
        Some(())
    }
}

pub(super) fn plain(var: VarId) -> Form {
    Form {
        var,
        negative: false,
    }
}

pub(super) fn negated(var: VarId) -> Form {
    Form {
        var,
        negative: true,
    }
}
