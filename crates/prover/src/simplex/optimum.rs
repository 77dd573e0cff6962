//! The greatest value of a form within the bounds.
//!
//! A non-basic variable moves in the direction in which the form grows, until a bound stops it or a
//! basic variable that depends on it; then the two are exchanged. Each query starts from where the
//! last one ended.
//!
//! # Invariants
//! - All variables are within their bounds, before and after.

use super::{Side, Simplex};
use crate::delta::Delta;
use crate::linear::{Linear, VarId};
use logic::Rational;
use logic::sparse::add_multiple;

/// After so many moves for one question it is the first variable that moves, as Bland's rule has
/// it; before that, the one that the form grows with most.
const GREEDY: u64 = 50;

/// How far a form goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Optimum {
    /// To this value, which it has now.
    Value(Rational),
    /// Beyond every value, by what the variables grow by in a step; the others stay as they are.
    Unbounded(Vec<(VarId, Rational)>),
    /// It was stopped.
    Unknown,
}

/// What stops a variable that moves: after how far a way, which variable, and the row and the
/// bound of a basic one.
struct Stop {
    way: Delta,
    var: VarId,
    row: Option<usize>,
    bound: Delta,
}

impl<R: Copy> Simplex<R> {
    /// How far a form goes within all bounds, which hold now. May be stopped before every move.
    pub fn greatest(&mut self, form: &Linear, mut may_go_on: impl FnMut() -> bool) -> Optimum {
        debug_assert!(
            self.columns.iter().all(|column| column.broken().is_none()),
            "the bounds should hold"
        );
        let mut parts = self.expanded(form);
        for moves in 0.. {
            if !may_go_on() {
                break;
            }
            let Some((var, rises)) = self.improving(&parts, moves >= GREEDY) else {
                let value = form.value(|var| Some(self.columns[var].value.main.clone()));
                return Optimum::Value(value.expect("every variable should have a value"));
            };
            let Some(stop) = self.stop(var, rises) else {
                return Optimum::Unbounded(self.direction(var, rises));
            };
            let Some(row) = stop.row else {
                self.move_to(var, stop.bound);
                continue;
            };
            self.pivot_to(row, self.rows[row].place(var), stop.bound);
            let at = parts.binary_search_by_key(&var, |part| part.0);
            let (_, factor) = parts.remove(at.expect("what improves a form should be in it"));
            add_multiple(&mut parts, &factor, &self.rows[row].parts);
        }
        Optimum::Unknown
    }

    /// A variable that makes a sum of such grow, and whether it has to rise. One without bounds comes
    /// first: once it is basic, nothing stops it any more.
    fn improving(&self, parts: &[(VarId, Rational)], first: bool) -> Option<(VarId, bool)> {
        let able = parts.iter().filter(|(var, factor)| {
            let side = Side::ahead(factor.signum() > 0);
            self.columns[*var].has_room(side)
        });
        let is_free = |var: VarId| self.columns[var].bounds.iter().all(Option::is_none);
        let mut best: Option<&(VarId, Rational)> = None;
        for part in able {
            if is_free(part.0) {
                return Some((part.0, part.1.signum() > 0));
            }
            if best.is_none_or(|best| !first && part.1.abs() > best.1.abs()) {
                best = Some(part);
            }
        }
        best.map(|(var, factor)| (*var, factor.signum() > 0))
    }

    /// What stops a variable first when it rises, or falls.
    fn stop(&self, var: VarId, rises: bool) -> Option<Stop> {
        let own = (None, var, Rational::from(if rises { 1i64 } else { -1 }));
        let users = self.columns[var].users.iter().map(|&row| {
            let (basic, factor) = self.user(row, var, rises);
            (Some(row), basic, factor)
        });
        let stops = [own].into_iter().chain(users);
        let stops = stops.filter_map(|(row, var, speed)| {
            let column = &self.columns[var];
            let bound = column.bound(Side::ahead(speed.signum() > 0))?;
            let way = bound.value.minus(&column.value).times(&speed.inverse());
            let bound = bound.value.clone();
            Some(Stop {
                way,
                var,
                row,
                bound,
            })
        });
        stops.min_by(|a, b| a.way.cmp(&b.way).then(a.var.cmp(&b.var)))
    }

    /// How the variables move when one that is not basic rises, or falls.
    fn direction(&self, var: VarId, rises: bool) -> Vec<(VarId, Rational)> {
        let own = (var, Rational::from(if rises { 1i64 } else { -1 }));
        let users = self.columns[var].users.iter();
        let users = users.map(|&row| self.user(row, var, rises));
        [own].into_iter().chain(users).collect()
    }

    /// The basic variable of a row and what it grows by when one in it rises, or falls, by one.
    fn user(&self, row: usize, var: VarId, rises: bool) -> (VarId, Rational) {
        let row = &self.rows[row];
        let factor = &row.parts[row.place(var)].1;
        (row.basic, if rises { factor.clone() } else { -factor })
    }
}
