//! An exact, incremental simplex: bounds on variables and on linear forms of them.
//!
//! A form is a variable of its own with a row that defines it. Bounds come and go with the literals
//! that set them; when they are infeasible together, the conflict gives the Farkas coefficients
//! with which the literals add up to a contradiction. When they are feasible, [`optimum`] maximises
//! a form.
//!
//! # Paper
//! [dutertre2006fast], with Bland's rule only after many pivots in a row: before that, the entering
//! variable is the one in the fewest rows.
//!
//! # Invariants
//! - A basic variable is the sum of its row, in form and in value; a row has no basic variable.
//! - Non-basic variables are within their bounds.
//! - Every basic variable that may be out of its bounds is a suspect.

mod optimum;
#[cfg(test)]
mod tests;

pub use optimum::Optimum;

use crate::delta::Delta;
use crate::linear::{Linear, VarId};
use crate::literal::{Limit, Literal};
use base::IdVec;
use logic::Rational;
use logic::sparse::add_multiple;
use std::collections::BTreeSet;

/// Reasons whose inequalities `f <= b`, `f >= b` or `f = b`, taken as `f - b`, add up to a positive
/// number with these multiples: positive for an upper bound, negative for a lower one.
pub type Farkas<R = Literal> = Vec<(R, Rational)>;

/// After so many pivots in a row it is Bland's rule that chooses, so that there is an end to it.
const PATIENCE: u64 = 200;

/// The side of a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// It is the least value.
    Lower,
    /// It is the greatest value.
    Upper,
}

impl Side {
    /// The side of what is in the way of a variable that rises, or falls.
    pub fn ahead(rises: bool) -> Side {
        match rises {
            true => Side::Upper,
            false => Side::Lower,
        }
    }

    /// The other one.
    pub fn opposite(self) -> Side {
        match self {
            Side::Lower => Side::Upper,
            Side::Upper => Side::Lower,
        }
    }

    /// Whether a bound of this side excludes a value.
    pub fn excludes(self, bound: &Delta, value: &Delta) -> bool {
        match self {
            Side::Lower => value < bound,
            Side::Upper => value > bound,
        }
    }
}

#[derive(Clone, Debug)]
struct Bound<R> {
    value: Delta,
    reason: R,
}

/// The bounds of a variable and what sets them.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<'a, R = Literal> {
    /// The lower bound, except for what is infinitely small.
    pub low: &'a Rational,
    /// What sets it.
    pub lower: R,
    /// The upper bound, except for what is infinitely small.
    pub high: &'a Rational,
    /// What sets it.
    pub upper: R,
}

#[derive(Clone, Debug)]
struct Column<R> {
    value: Delta,
    /// By side.
    bounds: [Option<Bound<R>>; 2],
    /// The row that defines it, if it is basic.
    row: Option<usize>,
    /// The rows it occurs in, if it is not.
    users: BTreeSet<usize>,
}

impl<R> Column<R> {
    fn new(value: Delta, row: Option<usize>) -> Self {
        Column {
            value,
            bounds: [None, None],
            row,
            users: BTreeSet::new(),
        }
    }

    fn bound(&self, side: Side) -> Option<&Bound<R>> {
        self.bounds[side as usize].as_ref()
    }

    fn bound_mut(&mut self, side: Side) -> &mut Option<Bound<R>> {
        &mut self.bounds[side as usize]
    }

    /// The bound that excludes its value, if there is one.
    fn broken(&self) -> Option<(Side, &Bound<R>)> {
        [Side::Lower, Side::Upper].into_iter().find_map(|side| {
            let bound = self.bound(side)?;
            let is_broken = side.excludes(&bound.value, &self.value);
            is_broken.then_some((side, bound))
        })
    }

    /// Whether it can move to a side.
    fn has_room(&self, side: Side) -> bool {
        self.bound(side)
            .is_none_or(|bound| bound.value != self.value)
    }
}

#[derive(Clone, Debug)]
struct Row {
    basic: VarId,
    parts: Vec<(VarId, Rational)>,
}

impl Row {
    /// The place of a variable that occurs.
    fn place(&self, var: VarId) -> usize {
        let place = self.parts.binary_search_by_key(&var, |part| part.0);
        place.expect("a user should use the variable")
    }
}

/// Bounds, rows and values. What sets a bound, its reason, is of no concern here.
#[derive(Clone, Debug)]
pub struct Simplex<R = Literal> {
    columns: IdVec<VarId, Column<R>>,
    rows: Vec<Row>,
    /// The bounds there were before others were set.
    trail: Vec<(VarId, Side, Option<Bound<R>>)>,
    suspects: BTreeSet<VarId>,
    /// How many pivots were made.
    pub pivots: u64,
}

impl<R> Default for Simplex<R> {
    fn default() -> Self {
        Simplex {
            columns: IdVec::default(),
            rows: Vec::new(),
            trail: Vec::new(),
            suspects: BTreeSet::new(),
            pivots: 0,
        }
    }
}

impl<R: Copy> Simplex<R> {
    /// A new variable without bounds, at a value for a start.
    pub fn new_var(&mut self, value: Rational) -> VarId {
        self.columns.push(Column::new(Delta::new(value), None))
    }

    /// A new variable that is always the value of a form; the form's constant is ignored.
    pub fn define(&mut self, form: &Linear) -> VarId {
        let row = self.rows.len();
        let parts = self.expanded(form);
        let mut value = Delta::default();
        for (var, coefficient) in &parts {
            value.add_multiple(coefficient, &self.columns[*var].value);
            self.columns[*var].users.insert(row);
        }
        let basic = self.columns.push(Column::new(value, Some(row)));
        self.rows.push(Row { basic, parts });
        basic
    }

    /// The parts of a form without basic variables.
    fn expanded(&self, form: &Linear) -> Vec<(VarId, Rational)> {
        let mut parts = Vec::new();
        for (var, coefficient) in &form.parts {
            match self.columns[*var].row {
                Some(row) => add_multiple(&mut parts, coefficient, &self.rows[row].parts),
                None => add_multiple(&mut parts, coefficient, &[(*var, Rational::ONE)]),
            }
        }
        parts
    }

    /// How many variables there are.
    pub(crate) fn len(&self) -> usize {
        self.columns.len()
    }

    /// The value of a variable.
    pub fn value(&self, var: VarId) -> &Delta {
        &self.columns[var].value
    }

    /// The bounds of a variable that has one on each side.
    pub fn bounds(&self, var: VarId) -> Option<Bounds<'_, R>> {
        let (low, lower) = self.bound(var, Side::Lower)?;
        let (high, upper) = self.bound(var, Side::Upper)?;
        Some(Bounds {
            low: &low.main,
            lower,
            high: &high.main,
            upper,
        })
    }

    /// A bound of a variable and what sets it.
    pub(crate) fn bound(&self, var: VarId, side: Side) -> Option<(&Delta, R)> {
        let bound = self.columns[var].bound(side)?;
        Some((&bound.value, bound.reason))
    }

    /// Where the trail of bounds stands; see [`undo`](Self::undo).
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back the bounds set since a mark.
    pub fn undo(&mut self, mark: usize) {
        for (var, side, old) in self.trail.drain(mark..).rev() {
            *self.columns[var].bound_mut(side) = old;
        }
    }

    /// Sets the bounds that a limit stands for; one that excludes a number sets none.
    pub fn assert(&mut self, limit: &Limit, reason: R) -> Result<(), Farkas<R>> {
        for side in [Side::Upper, Side::Lower] {
            if let Some(value) = limit.end(side) {
                self.assert_bound(limit.var(), side, value, reason)?;
            }
        }
        Ok(())
    }

    fn assert_bound(
        &mut self,
        var: VarId,
        side: Side,
        value: Delta,
        reason: R,
    ) -> Result<(), Farkas<R>> {
        let column = &mut self.columns[var];
        if (column.bound(side)).is_some_and(|old| !side.excludes(&value, &old.value)) {
            return Ok(());
        }
        let other = column.bound(side.opposite());
        if let Some(other) = other.filter(|other| side.excludes(&value, &other.value)) {
            let (upper, lower) = match side {
                Side::Upper => (reason, other.reason),
                Side::Lower => (other.reason, reason),
            };
            return Err(vec![(upper, Rational::ONE), (lower, -&Rational::ONE)]);
        }
        let target = side.excludes(&value, &column.value).then(|| value.clone());
        let old = column.bound_mut(side).replace(Bound { value, reason });
        self.trail.push((var, side, old));
        match target {
            None => {}
            Some(_) if self.columns[var].row.is_some() => {
                self.suspects.insert(var);
            }
            Some(target) => self.move_to(var, target),
        }
        Ok(())
    }

    /// Moves a variable that is not basic.
    fn move_to(&mut self, var: VarId, target: Delta) {
        let by = target.minus(&self.columns[var].value);
        self.columns[var].value = target;
        self.shift_users(var, &by, None);
    }

    /// Moves the basic variables that depend on one that moved.
    fn shift_users(&mut self, var: VarId, by: &Delta, except: Option<usize>) {
        let users = std::mem::take(&mut self.columns[var].users);
        for &row in users.iter().filter(|&&row| Some(row) != except) {
            let row = &self.rows[row];
            let factor = &row.parts[row.place(var)].1;
            self.columns[row.basic].value.add_multiple(factor, by);
            self.suspects.insert(row.basic);
        }
        self.columns[var].users = users;
    }

    /// Finds values within all bounds, or says why there are none. May be stopped before every pivot,
    /// given how many were made; then some variables are out of their bounds.
    pub fn check(&mut self, may_go_on: impl Fn(u64) -> bool) -> Result<(), Farkas<R>> {
        let patience = self.pivots + PATIENCE;
        while let Some(&var) = self.suspects.first() {
            if !may_go_on(self.pivots) {
                break;
            }
            let column = &self.columns[var];
            let (Some(row), Some((side, bound))) = (column.row, column.broken()) else {
                self.suspects.pop_first();
                continue;
            };
            let (target, reason) = (bound.value.clone(), bound.reason);
            let rises = side == Side::Lower;
            match self.entering(row, rises, self.pivots > patience) {
                Some(entering) => self.pivot_to(row, entering, target),
                None => return Err(self.conflict(row, rises, reason)),
            }
        }
        Ok(())
    }

    /// Whether a check has ended with values within all bounds, and no bound was set since.
    pub fn is_settled(&self) -> bool {
        self.suspects.is_empty()
    }

    /// A variable of a row that can move so that the row's value rises, or falls: the first, or the
    /// one that changes the fewest other rows.
    fn entering(&self, row: usize, rises: bool, first: bool) -> Option<usize> {
        let free = |(var, coefficient): &(VarId, Rational)| {
            let side = Side::ahead((coefficient.signum() > 0) == rises);
            self.columns[*var].has_room(side)
        };
        let parts = self.rows[row].parts.iter().enumerate();
        let mut free = parts.filter(|(_, part)| free(part));
        let chosen = match first {
            true => free.next(),
            false => free.min_by_key(|(_, (var, _))| self.columns[*var].users.len()),
        };
        chosen.map(|(at, _)| at)
    }

    /// Why a row cannot rise, or fall, to the bound of its basic variable.
    fn conflict(&self, row: usize, rises: bool, reason: R) -> Farkas<R> {
        let sign = if rises {
            -&Rational::ONE
        } else {
            Rational::ONE
        };
        let mut farkas = vec![(reason, sign.clone())];
        for (var, coefficient) in &self.rows[row].parts {
            let side = Side::ahead((coefficient.signum() > 0) == rises);
            let bound = self.columns[*var].bound(side);
            let bound = bound.expect("a stuck variable should have a bound");
            farkas.push((bound.reason, -&(&sign * coefficient)));
        }
        farkas
    }

    /// Makes the basic variable of a row take a value by moving another one, which becomes basic.
    fn pivot_to(&mut self, row: usize, at: usize, target: Delta) {
        self.pivots += 1;
        let leaving = self.rows[row].basic;
        let (entering, coefficient) = self.rows[row].parts[at].clone();
        let inverse = &Rational::ONE / &coefficient;
        let by = target.minus(&self.columns[leaving].value).times(&inverse);
        self.columns[leaving].value = target;
        self.columns[entering]
            .value
            .add_multiple(&Rational::ONE, &by);
        self.shift_users(entering, &by, Some(row));
        self.pivot(row, at, entering, leaving, &inverse);
        self.suspects.insert(entering);
    }

    fn pivot(
        &mut self,
        row: usize,
        at: usize,
        entering: VarId,
        leaving: VarId,
        inverse: &Rational,
    ) {
        let mut parts = std::mem::take(&mut self.rows[row].parts);
        parts.remove(at);
        let minus = -inverse;
        for (var, coefficient) in &mut parts {
            *coefficient = &minus * coefficient;
            self.columns[*var].users.remove(&row);
        }
        let place = parts.partition_point(|part| part.0 < leaving);
        parts.insert(place, (leaving, inverse.clone()));
        for (var, _) in &parts {
            self.columns[*var].users.insert(row);
        }
        let mut users = std::mem::take(&mut self.columns[entering].users);
        users.remove(&row);
        for user in users {
            self.substitute(user, entering, &parts);
        }
        self.columns[entering].row = Some(row);
        self.columns[leaving].row = None;
        self.rows[row] = Row {
            basic: entering,
            parts,
        };
    }

    /// Puts the parts of a variable in its place in a row.
    fn substitute(&mut self, row: usize, var: VarId, by: &[(VarId, Rational)]) {
        let at = self.rows[row].place(var);
        let mut parts = std::mem::take(&mut self.rows[row].parts);
        let (_, factor) = parts.remove(at);
        add_multiple(&mut parts, &factor, by);
        for (var, _) in by {
            if parts.binary_search_by_key(var, |part| part.0).is_ok() {
                self.columns[*var].users.insert(row);
            } else {
                self.columns[*var].users.remove(&row);
            }
        }
        self.rows[row].parts = parts;
    }
}
