//! One element of the forward analysis: a value for each variable and an octagon, reduced.
//!
//! # Invariants
//! - `values` is ordered and contains no variable whose value is all of its type.
//! - Except after widening, the octagon is closed and neither part is stronger on a single variable
//!   than the other, as far as the octagon can express it.

use super::arithmetic::class;
use crate::modular::{Modular, Residue};
use crate::octagon::{Form, Octagon};
use crate::value::{INFINITE, Value};
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
    pub(super) modular: Modular,
}

impl Element {
    /// Any state, with relations among some variables to come.
    pub(super) fn top(domain: &Domain, pack: &[VarId]) -> Element {
        let mut element = Element {
            values: Vec::new(),
            octagon: Octagon::top(pack.to_vec()),
            modular: Modular::top(pack.to_vec()),
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

    pub(super) fn set(&mut self, domain: &Domain, var: VarId, value: Value) {
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
    pub(super) fn push_bounds(&mut self, var: VarId, value: &Value) -> Option<()> {
        if value.high() < INFINITE {
            self.octagon
                .bound_form(Form::signed(var, 1), value.high())?;
        }
        if value.low() > -INFINITE {
            self.octagon
                .bound_form(Form::signed(var, -1), -value.low())?;
        }
        Some(())
    }

    /// Tells the other parts the value of a variable.
    pub(super) fn push(&mut self, var: VarId, value: &Value) -> Option<()> {
        self.push_bounds(var, value)?;
        let class = class(value);
        let itself = Residue::var(var);
        if class.bits > 0
            && let Some((bits, _)) = self.modular.class(&itself)
            && bits < class.bits
        {
            self.modular.meet(&itself.plus(&class, -1))?;
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
                let new = self.in_class(new, &Residue::var(var))?;
                if new != old {
                    self.set(domain, var, new);
                    self.push(var, &new)?;
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
        self.modular.assign(var, &Residue::class(0, 0));
        self.set(domain, var, domain.limits[var]);
        let pushed = self.push(var, &domain.limits[var]);
        debug_assert!(pushed.is_some());
    }

    /// Relates one more variable to the others.
    pub(super) fn relate_also(&mut self, domain: &Domain, var: VarId) {
        let mut vars = self.octagon.vars().to_vec();
        if let Err(at) = vars.binary_search(&var) {
            vars.insert(at, var);
            self.relate_only(domain, &vars);
        }
    }

    /// Says something only of some variables, and relates only some of these.
    pub(super) fn restrict(&mut self, domain: &Domain, live: &VarSet, pack: &[VarId]) {
        self.values.retain(|row| live.contains(row.0));
        if self.octagon.vars() != pack {
            self.relate_only(domain, pack);
        }
    }

    /// Relates some variables, and no others.
    fn relate_only(&mut self, domain: &Domain, pack: &[VarId]) {
        let new: Vec<VarId> = (pack.iter().copied())
            .filter(|&var| self.octagon.position(var).is_none())
            .collect();
        self.octagon = self.octagon.over(pack);
        self.modular = self.modular.over(pack);
        for var in new {
            let value = self.value(domain, var);
            let pushed = self.push(var, &value);
            debug_assert!(pushed.is_some());
        }
    }

    pub(super) fn join(&self, domain: &Domain, other: &Element) -> Element {
        let mut result = Element {
            values: Vec::new(),
            octagon: self.octagon.join(&other.octagon),
            modular: self.modular.join(&other.modular),
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
            // There are only finitely many.
            modular: self.modular.join(&new.modular),
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
        other.values.iter().all(values)
            && self.octagon.implies(&other.octagon)
            && self.modular.is_subset(&other.modular)
    }

    /// The variables of which it says more than their type, with their values.
    pub(super) fn values(&self) -> &[(VarId, Value)] {
        &self.values
    }
}
