//! The atoms and variables of a problem, with their meaning.
//!
//! # Invariants
//! - A form is normalised: integer coefficients without a common divisor, the first one positive.
//!   So bounds on the same form are bounds on the same variable.
//! - Everything that an atom or a variable is made of may be used in its parts.

use crate::PartSet;
use crate::linear::{Linear, VarId};
use crate::literal::{Atom, AtomId, Limit, Literal};
use base::IdVec;
use logic::{Integer, Rational, TermId};
use rustc_hash::FxHashMap;

/// What a variable stands for.
#[derive(Clone, PartialEq, Debug)]
pub enum Meaning {
    /// The value of a term.
    Term(TermId),
    /// The value of a form of other variables.
    Form(Linear),
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// What it stands for.
    pub meaning: Meaning,
    /// Whether it is an integer.
    pub is_int: bool,
    /// Where it can be mentioned.
    pub scope: PartSet,
}

/// Atoms and variables.
#[derive(Clone, Debug, Default)]
pub struct Table {
    atoms: IdVec<AtomId, Atom>,
    homes: IdVec<AtomId, PartSet>,
    ids: FxHashMap<Atom, AtomId>,
    vars: IdVec<VarId, Var>,
    /// The atoms about each variable.
    about: FxHashMap<VarId, Vec<AtomId>>,
    terms: FxHashMap<TermId, VarId>,
    forms: FxHashMap<Vec<(VarId, Rational)>, VarId>,
}

/// A literal, unless the truth is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Claim {
    /// True or false.
    Known(bool),
    /// Open.
    Open(Literal),
}

impl Claim {
    /// The opposite.
    pub fn negated(self) -> Claim {
        match self {
            Claim::Known(value) => Claim::Known(!value),
            Claim::Open(literal) => Claim::Open(literal.negated()),
        }
    }
}

impl Table {
    /// The atoms.
    pub fn atoms(&self) -> &IdVec<AtomId, Atom> {
        &self.atoms
    }

    /// The parts that an atom belongs to.
    pub fn home(&self, atom: AtomId) -> &PartSet {
        &self.homes[atom]
    }

    /// The atoms about a variable.
    pub fn about(&self, var: VarId) -> &[AtomId] {
        self.about.get(&var).map_or(&[], Vec::as_slice)
    }

    /// The variables.
    pub fn vars(&self) -> &IdVec<VarId, Var> {
        &self.vars
    }

    /// The variable of a term, if it has one.
    pub fn var_of(&self, term: TermId) -> Option<VarId> {
        self.terms.get(&term).copied()
    }

    /// A variable for a term that has none.
    pub fn new_var(&mut self, term: TermId, is_int: bool, scope: PartSet) -> VarId {
        let var = self.vars.push(Var {
            meaning: Meaning::Term(term),
            is_int,
            scope,
        });
        self.terms.insert(term, var);
        var
    }

    /// An atom, of a part too from now on if one is given.
    pub fn atom(&mut self, atom: Atom, part: Option<usize>) -> AtomId {
        let id = match self.ids.get(&atom) {
            Some(id) => *id,
            None => {
                let id = self.atoms.push(atom.clone());
                if let Atom::AtMost { var, .. } | Atom::Equal { var, .. } = atom {
                    self.about.entry(var).or_default().push(id);
                }
                self.homes.push(PartSet::default());
                self.ids.insert(atom, id);
                id
            }
        };
        if let Some(part) = part {
            self.homes[id].insert(part);
        }
        id
    }

    /// Makes an atom that has no part one of a part in which it can be mentioned.
    pub fn settle(&mut self, atom: AtomId, part: usize) {
        if self.homes[atom].first().is_none() {
            self.homes[atom].insert(part);
        }
    }

    /// What a literal says about a number.
    pub fn limit(&self, literal: Literal) -> Option<Limit> {
        let is_int = |var| self.vars[var].is_int;
        self.atoms[literal.atom()].limit(literal.is_positive(), is_int)
    }

    /// The expression, without the variables that stand for forms.
    pub fn expand(&self, var: VarId) -> Linear {
        match &self.vars[var].meaning {
            Meaning::Term(_) => Linear::of_key(var),
            Meaning::Form(form) => form.clone(),
        }
    }

    /// The variable that is a positive multiple of the parts of an expression, or of their
    /// negation, with the number that the expression was multiplied by.
    fn form(&mut self, linear: &Linear) -> (VarId, Rational) {
        let mut factor = linear.normaliser();
        if linear.parts[0].1.signum() < 0 {
            factor = -&factor;
        }
        let mut form = linear.clone();
        form.constant = Rational::ZERO;
        form.scale(&factor);
        if let [(var, coefficient)] = &form.parts[..]
            && coefficient.is_one()
        {
            return (*var, factor);
        }
        if let Some(var) = self.forms.get(&form.parts) {
            return (*var, factor);
        }
        let mut scope = self.vars[form.parts[0].0].scope.clone();
        let mut is_int = true;
        for (var, _) in &form.parts {
            scope.intersect(&self.vars[*var].scope);
            is_int &= self.vars[*var].is_int;
        }
        let var = self.vars.push(Var {
            meaning: Meaning::Form(form.clone()),
            is_int,
            scope,
        });
        self.forms.insert(form.parts, var);
        (var, factor)
    }

    /// That an expression is at most zero, or below it.
    pub fn at_most_zero(&mut self, linear: &Linear, strict: bool, part: Option<usize>) -> Claim {
        if linear.parts.is_empty() {
            let sign = linear.constant.signum();
            return Claim::Known(sign < 0 || (sign == 0 && !strict));
        }
        let (var, factor) = self.form(linear);
        let bound = -&(&factor * &linear.constant);
        let is_upper = factor.signum() > 0;
        // At least `bound` is not below it.
        let strict = strict == is_upper;
        let (bound, strict) = match self.vars[var].is_int {
            true if strict => (Rational::from(&bound.ceil() - &Integer::ONE), false),
            true => (Rational::from(bound.floor()), false),
            false => (bound, strict),
        };
        let atom = self.atom(Atom::AtMost { var, bound, strict }, part);
        Claim::Open(Literal::new(atom, is_upper))
    }

    /// That an expression is zero.
    pub fn is_zero(&mut self, linear: &Linear, part: Option<usize>) -> Claim {
        if linear.parts.is_empty() {
            return Claim::Known(linear.constant.is_zero());
        }
        let (var, factor) = self.form(linear);
        let bound = -&(&factor * &linear.constant);
        if self.vars[var].is_int && !bound.is_integer() {
            return Claim::Known(false);
        }
        let atom = self.atom(Atom::Equal { var, bound }, part);
        Claim::Open(Literal::new(atom, true))
    }
}
