//! An exact, incremental simplex: bounds on variables and on linear forms of them.
//!
//! A form is a variable of its own with a row that defines it. Bounds come and go with the
//! literals that set them; when they cannot be met together, the conflict says with which
//! multiples the literals add up to a contradiction.
//!
//! # Paper
//! [dutertre2006fast], with Bland's rule only after many pivots in a row: before that, the variable
//! that enters is the one in the fewest rows.
//!
//! # Invariants
//! - A basic variable is the sum of its row, in form and in value; a row has no basic variable.
//! - Variables that are not basic are within their bounds.
//! - Every basic variable that may be out of its bounds is a suspect.

use crate::delta::Delta;
use crate::linear::{Linear, VarId};
use crate::literal::{Limit, Literal};
use base::IdVec;
use logic::Rational;
use logic::sparse::add_multiple;
use std::collections::BTreeSet;

/// Literals whose inequalities `f <= b`, `f >= b` or `f = b`, taken as `f - b`, add up to a positive
/// number with these multiples: positive for an upper bound, negative for a lower one.
pub type Farkas = Vec<(Literal, Rational)>;

/// After so many pivots in a row it is Bland's rule that chooses, so that there is an end to it.
const PATIENCE: u64 = 200;

#[derive(Clone, Debug)]
struct Bound {
    value: Delta,
    reason: Literal,
}

/// The bounds of a variable and the literals that set them.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<'a> {
    /// The lower bound, but for what is infinitely small.
    pub low: &'a Rational,
    /// What sets it.
    pub lower: Literal,
    /// The upper bound, but for what is infinitely small.
    pub high: &'a Rational,
    /// What sets it.
    pub upper: Literal,
}

#[derive(Clone, Debug, Default)]
struct Column {
    value: Delta,
    lower: Option<Bound>,
    upper: Option<Bound>,
    /// The row that defines it, if it is basic.
    row: Option<usize>,
    /// The rows it occurs in, if it is not.
    users: BTreeSet<usize>,
}

#[derive(Clone, Debug)]
struct Row {
    basic: VarId,
    parts: Vec<(VarId, Rational)>,
}

#[derive(Clone, Debug)]
enum Undo {
    Lower(VarId, Option<Bound>),
    Upper(VarId, Option<Bound>),
}

/// Bounds, rows and values.
#[derive(Clone, Debug, Default)]
pub struct Simplex {
    columns: IdVec<VarId, Column>,
    rows: Vec<Row>,
    trail: Vec<Undo>,
    suspects: BTreeSet<VarId>,
    /// How many pivots were made.
    pub pivots: u64,
}

impl Simplex {
    /// A new variable, at zero and without bounds.
    pub fn new_var(&mut self) -> VarId {
        self.columns.push(Column::default())
    }

    /// A new variable that is always the value of a form; the form's constant is ignored.
    pub fn define(&mut self, form: &Linear) -> VarId {
        let mut parts = Vec::new();
        let mut value = Delta::default();
        for (var, coefficient) in &form.parts {
            value.add_multiple(coefficient, &self.columns[*var].value);
            match self.columns[*var].row {
                Some(row) => add_multiple(&mut parts, coefficient, &self.rows[row].parts),
                None => add_multiple(&mut parts, coefficient, &[(*var, Rational::ONE)]),
            }
        }
        let row = self.rows.len();
        for (var, _) in &parts {
            self.columns[*var].users.insert(row);
        }
        let basic = self.columns.push(Column {
            value,
            row: Some(row),
            ..Column::default()
        });
        self.rows.push(Row { basic, parts });
        basic
    }

    /// How many variables there are.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The value of a variable.
    pub fn value(&self, var: VarId) -> &Delta {
        &self.columns[var].value
    }

    /// The bounds of a variable that has one on each side.
    pub fn bounds(&self, var: VarId) -> Option<Bounds<'_>> {
        let column = &self.columns[var];
        let (lower, upper) = (column.lower.as_ref()?, column.upper.as_ref()?);
        Some(Bounds {
            low: &lower.value.main,
            lower: lower.reason,
            high: &upper.value.main,
            upper: upper.reason,
        })
    }

    /// The lower bound of a variable and the literal that sets it.
    pub(crate) fn lower(&self, var: VarId) -> Option<(&Delta, Literal)> {
        let bound = self.columns[var].lower.as_ref()?;
        Some((&bound.value, bound.reason))
    }

    /// The upper bound of a variable and the literal that sets it.
    pub(crate) fn upper(&self, var: VarId) -> Option<(&Delta, Literal)> {
        let bound = self.columns[var].upper.as_ref()?;
        Some((&bound.value, bound.reason))
    }

    /// Where the trail of bounds stands; see [`undo`](Self::undo).
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back the bounds set since a mark.
    pub fn undo(&mut self, mark: usize) {
        for undo in self.trail.drain(mark..).rev() {
            match undo {
                Undo::Lower(var, old) => self.columns[var].lower = old,
                Undo::Upper(var, old) => self.columns[var].upper = old,
            }
        }
    }

    /// Sets the bounds that a literal stands for; one that excludes a number sets none.
    pub fn assert(&mut self, limit: &Limit, reason: Literal) -> Result<(), Farkas> {
        let one = Rational::ONE;
        match limit {
            Limit::Upper(var, bound, strict) => {
                let small = if *strict { -&one } else { Rational::ZERO };
                self.assert_upper(*var, Delta::beside(bound.clone(), small), reason)
            }
            Limit::Lower(var, bound, strict) => {
                let small = if *strict { one } else { Rational::ZERO };
                self.assert_lower(*var, Delta::beside(bound.clone(), small), reason)
            }
            Limit::Exactly(var, bound) => {
                self.assert_upper(*var, Delta::new(bound.clone()), reason)?;
                self.assert_lower(*var, Delta::new(bound.clone()), reason)
            }
            Limit::Except(..) => Ok(()),
        }
    }

    fn assert_upper(&mut self, var: VarId, value: Delta, reason: Literal) -> Result<(), Farkas> {
        let column = &mut self.columns[var];
        if (column.upper.as_ref()).is_some_and(|old| old.value <= value) {
            return Ok(());
        }
        if let Some(lower) = column.lower.as_ref().filter(|lower| lower.value > value) {
            return Err(vec![
                (reason, Rational::ONE),
                (lower.reason, -&Rational::ONE),
            ]);
        }
        let moves = column.value > value;
        let bound = Bound { value, reason };
        let target = bound.value.clone();
        let old = column.upper.replace(bound);
        self.trail.push(Undo::Upper(var, old));
        self.settle(var, moves, target);
        Ok(())
    }

    fn assert_lower(&mut self, var: VarId, value: Delta, reason: Literal) -> Result<(), Farkas> {
        let column = &mut self.columns[var];
        if (column.lower.as_ref()).is_some_and(|old| old.value >= value) {
            return Ok(());
        }
        if let Some(upper) = column.upper.as_ref().filter(|upper| upper.value < value) {
            return Err(vec![
                (upper.reason, Rational::ONE),
                (reason, -&Rational::ONE),
            ]);
        }
        let moves = column.value < value;
        let bound = Bound { value, reason };
        let target = bound.value.clone();
        let old = column.lower.replace(bound);
        self.trail.push(Undo::Lower(var, old));
        self.settle(var, moves, target);
        Ok(())
    }

    /// After a new bound: a variable that is not basic moves to it, a basic one is a suspect.
    fn settle(&mut self, var: VarId, moves: bool, target: Delta) {
        if !moves {
            return;
        }
        if self.columns[var].row.is_some() {
            self.suspects.insert(var);
            return;
        }
        let by = target.minus(&self.columns[var].value);
        self.columns[var].value = target;
        self.shift_users(var, &by, None);
    }

    /// Moves the basic variables that depend on one that moved.
    fn shift_users(&mut self, var: VarId, by: &Delta, except: Option<usize>) {
        let users = std::mem::take(&mut self.columns[var].users);
        for &row in users.iter().filter(|&&row| Some(row) != except) {
            let Row { basic, parts } = &self.rows[row];
            let at = parts.binary_search_by_key(&var, |part| part.0);
            let at = at.expect("a user should use the variable");
            self.columns[*basic].value.add_multiple(&parts[at].1, by);
            self.suspects.insert(*basic);
        }
        self.columns[var].users = users;
    }

    /// Finds values within all bounds, or says why there are none. May be stopped before every pivot,
    /// given how many were made; then some variables are out of their bounds.
    pub fn check(&mut self, may_go_on: impl Fn(u64) -> bool) -> Result<(), Farkas> {
        let patience = self.pivots + PATIENCE;
        while let Some(&var) = self.suspects.first() {
            if !may_go_on(self.pivots) {
                break;
            }
            let column = &self.columns[var];
            let row = column.row.filter(|_| !self.is_within(var));
            let Some(row) = row else {
                self.suspects.pop_first();
                continue;
            };
            let lower = column.lower.as_ref();
            let below = lower.filter(|bound| column.value < bound.value);
            let rises = below.is_some();
            let Some(bound) = below.or(column.upper.as_ref()) else {
                continue;
            };
            let (target, reason) = (bound.value.clone(), bound.reason);
            match self.entering(row, rises, self.pivots > patience) {
                Some(entering) => self.pivot_to(row, entering, target),
                None => return Err(self.conflict(row, rises, reason)),
            }
        }
        Ok(())
    }

    fn is_within(&self, var: VarId) -> bool {
        let Column {
            value,
            lower,
            upper,
            ..
        } = &self.columns[var];
        lower.as_ref().is_none_or(|bound| bound.value <= *value)
            && upper.as_ref().is_none_or(|bound| *value <= bound.value)
    }

    /// A variable of a row that can move so that the row's value rises, or falls: the first, or the
    /// one that changes the fewest other rows.
    fn entering(&self, row: usize, rises: bool, first: bool) -> Option<usize> {
        let free = |(var, coefficient): &(VarId, Rational)| {
            let column = &self.columns[*var];
            let bound = if (coefficient.signum() > 0) == rises {
                &column.upper
            } else {
                &column.lower
            };
            bound
                .as_ref()
                .is_none_or(|bound| bound.value != column.value)
        };
        let mut parts = self.rows[row].parts.iter().enumerate();
        if first {
            return parts.find(|(_, part)| free(part)).map(|(at, _)| at);
        }
        let free = parts.filter(|(_, part)| free(part));
        let least = free.min_by_key(|(_, (var, _))| self.columns[*var].users.len());
        least.map(|(at, _)| at)
    }

    /// Why a row cannot rise, or fall, to the bound of its basic variable.
    fn conflict(&self, row: usize, rises: bool, reason: Literal) -> Farkas {
        let sign = if rises {
            -&Rational::ONE
        } else {
            Rational::ONE
        };
        let mut farkas = vec![(reason, sign.clone())];
        for (var, coefficient) in &self.rows[row].parts {
            let column = &self.columns[*var];
            let bound = if (coefficient.signum() > 0) == rises {
                &column.upper
            } else {
                &column.lower
            };
            let bound = bound
                .as_ref()
                .expect("a stuck variable should have a bound");
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
        let mut parts = std::mem::take(&mut self.rows[row].parts);
        let at = parts.binary_search_by_key(&var, |part| part.0);
        let at = at.expect("a user should use the variable");
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
