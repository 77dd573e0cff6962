//! Bound propagation.
//!
//! A form and its variables bound each other: the bounds of all but one of them restrict that one.
//! Atoms that this decides are made true or false by a clause, and an integer that it fixes gets
//! the two atoms that say so, so that consequences can follow. Only the forms of the problem are
//! considered, not the rows of the simplex: their bounds are those of few parts.
//!
//! # Paper
//! [dutertre2006fast], section 4.3, propagates in the same way along the rows of the simplex.

use crate::delta::Delta;
use crate::linear::{Linear, VarId};
use crate::literal::{Atom, AtomId, Limit, Literal};
use crate::proof::Because;
use crate::refute::Prover;
use crate::search::ClauseId;
use crate::simplex::{Farkas, Side};
use crate::table::Meaning;
use base::IdVec;
use logic::Rational;
use std::collections::BTreeSet;

/// The forms to look at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agenda {
    /// The forms that each variable is in, and it itself if it is one.
    forms: IdVec<VarId, Vec<VarId>>,
    open: BTreeSet<VarId>,
    /// How many atoms were made.
    fixed: usize,
}

/// More atoms are not made for integers that are fixed.
const MOST_FIXED: usize = 20_000;

impl Agenda {
    /// Whether there is nothing to look at.
    pub(crate) fn is_idle(&self) -> bool {
        self.open.is_empty()
    }

    /// A new variable, and the form that it is if it is one.
    pub(crate) fn push(&mut self, form: Option<&Linear>) {
        let var = self.forms.push(Vec::new());
        if let Some(form) = form {
            for member in form.keys().chain([var]) {
                self.forms[member].push(var);
            }
            self.open.insert(var);
        }
    }

    /// The bounds of a variable changed.
    pub(crate) fn changed(&mut self, var: VarId) {
        self.open.extend(&self.forms[var]);
    }
}

/// A bound that follows.
struct Implied {
    var: VarId,
    side: Side,
    value: Delta,
}

impl Prover<'_> {
    /// Decides atoms by what bounds imply; a clause that is false, if there is one.
    pub(crate) fn tighten(&mut self) -> Option<ClauseId> {
        while let Some(form) = self.agenda.open.pop_first() {
            let implied = self.implied(form);
            for bound in &implied {
                let (level, known) = (self.search.level(), self.search.trail().len());
                let conflict = self.decide(form, bound);
                let has_grown = self.search.trail().len() > known;
                if conflict.is_some() || level > self.search.level() || has_grown {
                    self.agenda.open.insert(form);
                    return conflict;
                }
            }
            if let Some(bound) = self.fixed(&implied) {
                self.agenda.open.insert(form);
                return self.decide(form, &bound);
            }
        }
        None
    }

    /// Tells the other atoms about a number what a limit says about them.
    pub(crate) fn imply(&mut self, literal: Literal, limit: &Limit) -> Option<ClauseId> {
        let about = self.table.about(limit.var());
        let open = about.iter().map(|&atom| Literal::new(atom, true));
        let open: Vec<Literal> = open.filter(|&it| self.search.value(it).is_none()).collect();
        for refuted in open.iter().flat_map(|it| [*it, it.negated()]) {
            let Some(other) = self.table.limit(refuted) else {
                continue;
            };
            let (upper, lower) = match (limit.is_below(&other), other.is_below(limit)) {
                (true, _) => (literal, refuted),
                (_, true) => (refuted, literal),
                (false, false) => continue,
            };
            let conflict =
                self.contradiction(vec![(upper, Rational::ONE), (lower, -&Rational::ONE)]);
            if conflict.is_some() {
                return conflict;
            }
        }
        if self.tightens {
            return self.equal(limit.var());
        }
        None
    }

    /// Tells the atom that says that a number is what its bounds make it.
    fn equal(&mut self, var: VarId) -> Option<ClauseId> {
        let bounds = self.simplex.bounds(var)?;
        if bounds.low != bounds.high {
            return None;
        }
        let value = bounds.low.clone();
        let (lower, upper) = (bounds.lower, bounds.upper);
        let is_equal = |atom: &&AtomId| match &self.table.atoms()[**atom] {
            Atom::Equal { bound, .. } => *bound == value,
            Atom::AtMost { .. } | Atom::Truth(_) | Atom::Name(_) => false,
        };
        let equal = *self.table.about(var).iter().find(is_equal)?;
        let equal = Literal::new(equal, true);
        if self.search.value(equal).is_some() || !self.table.vars()[var].is_int {
            return None;
        }
        let clause = self.sides_of(equal, var, &value);
        self.sync();
        let (below, above) = (clause[1], clause[2]);
        for (refuted, reason, sign) in [(below, lower, 1i64), (above, upper, -1i64)] {
            if self.search.value(refuted).is_none() {
                let sign = Rational::from(sign);
                let farkas = vec![(refuted, sign.clone()), (reason, -&sign)];
                if let Some(conflict) = self.contradiction(farkas) {
                    return Some(conflict);
                }
            }
        }
        self.lemma(clause, Because::Sides)
    }

    /// The bounds that a form and its variables give each other and that are better than those they
    /// have.
    fn implied(&self, form: VarId) -> Vec<Implied> {
        let Meaning::Form(members) = &self.table.vars()[form].meaning else {
            return Vec::new();
        };
        // Together they are zero.
        let minus = -&Rational::ONE;
        let row =
            || std::iter::once((form, &minus)).chain(members.parts.iter().map(|(v, c)| (*v, c)));
        let mut found = Vec::new();
        for rises in [true, false] {
            let side = |coefficient: &Rational| Side::ahead((coefficient.signum() > 0) == rises);
            let mut total = Delta::default();
            let mut missing = None;
            let mut count = 0;
            for (var, coefficient) in row() {
                match self.simplex.bound(var, side(coefficient)) {
                    Some((bound, _)) => total.add_multiple(coefficient, bound),
                    None => {
                        count += 1;
                        missing = Some(var);
                    }
                }
            }
            if count > 1 {
                continue;
            }
            for (var, coefficient) in row().filter(|(var, _)| missing.is_none_or(|it| it == *var)) {
                let mut rest = total.clone();
                if let Some((bound, _)) = self.simplex.bound(var, side(coefficient)) {
                    rest.add_multiple(&-coefficient, bound);
                }
                let side = side(coefficient).opposite();
                let value = rest.times(&-&(&Rational::ONE / coefficient));
                let value = self.rounded(var, side, value);
                let old = self.simplex.bound(var, side);
                if old.is_none_or(|(old, _)| side.excludes(&value, old)) {
                    found.push(Implied { var, side, value });
                }
            }
        }
        found
    }

    /// An integer is at most what is below a bound and at least what is above it.
    fn rounded(&self, var: VarId, side: Side, value: Delta) -> Delta {
        if !self.table.vars()[var].is_int {
            return value;
        }
        let whole = match side {
            Side::Lower => value.main.ceil(),
            Side::Upper => value.main.floor(),
        };
        Delta::new(Rational::from(whole))
    }

    /// Tells atoms what an implied bound says about them.
    fn decide(&mut self, form: VarId, implied: &Implied) -> Option<ClauseId> {
        let opposite = implied.side.opposite();
        if let Some((bound, reason)) = self.simplex.bound(implied.var, opposite)
            && implied.side.excludes(&implied.value, bound)
        {
            let farkas = self.reasons(form, implied, reason);
            return self.contradiction(farkas);
        }
        let level = self.search.level();
        for atom in self.table.about(implied.var).to_vec() {
            let literal = Literal::new(atom, true);
            if self.search.value(literal).is_some() {
                continue;
            }
            let refuted = [literal, literal.negated()].into_iter().find(|&it| {
                let end = self.table.limit(it).and_then(|limit| limit.end(opposite));
                end.is_some_and(|end| implied.side.excludes(&implied.value, &end))
            });
            if let Some(refuted) = refuted {
                let farkas = self.reasons(form, implied, refuted);
                let conflict = self.contradiction(farkas);
                if conflict.is_some() || self.search.level() < level {
                    return conflict;
                }
            }
        }
        None
    }

    /// The bounds that imply a bound of a variable of a form, with a literal that they refute.
    fn reasons(&self, form: VarId, implied: &Implied, refuted: Literal) -> Farkas {
        let Meaning::Form(members) = &self.table.vars()[form].meaning else {
            unreachable!("only forms should imply bounds");
        };
        let own = match implied.var == form {
            true => -&Rational::ONE,
            false => members
                .coefficient(implied.var)
                .expect("it should be a member")
                .clone(),
        };
        let sign = match implied.side {
            Side::Lower => Rational::ONE,
            Side::Upper => -&Rational::ONE,
        };
        let factor = &sign / &own;
        let minus = -&Rational::ONE;
        let row = std::iter::once((form, &minus));
        let row = row.chain(members.parts.iter().map(|(var, it)| (*var, it)));
        let mut farkas = vec![(refuted, sign)];
        for (var, coefficient) in row.filter(|(var, _)| *var != implied.var) {
            let multiple = &factor * coefficient;
            let side = Side::ahead(multiple.signum() > 0);
            let (_, reason) = self
                .simplex
                .bound(var, side)
                .expect("the bound was just used");
            farkas.push((reason, multiple));
        }
        farkas
    }

    /// A bound that, with those that are implied or known, fixes an integer. It has an atom from now
    /// on.
    fn fixed(&mut self, implied: &[Implied]) -> Option<Implied> {
        if self.agenda.fixed >= MOST_FIXED {
            return None;
        }
        let (var, side, value) = implied.iter().find_map(|it| {
            let row = &self.table.vars()[it.var];
            let opposite = |other: &&Implied| other.var == it.var && other.side != it.side;
            let other = match implied.iter().find(opposite) {
                Some(other) => &other.value,
                None => self.simplex.bound(it.var, it.side.opposite())?.0,
            };
            let is_fixed = row.is_int && *other == it.value && row.scope.first().is_some();
            is_fixed.then(|| (it.var, it.side, it.value.clone()))
        })?;
        let bound = match side {
            Side::Lower => &value.main - &Rational::ONE,
            Side::Upper => value.main.clone(),
        };
        let strict = false;
        let atom = self.table.atom(Atom::AtMost { var, bound, strict }, None);
        let part = self.table.vars()[var].scope.first();
        self.table.settle(atom, part.unwrap_or(0));
        self.sync();
        self.agenda.fixed += 1;
        Some(Implied { var, side, value })
    }
}
