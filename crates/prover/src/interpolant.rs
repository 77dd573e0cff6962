//! Interpolants, read off a proof.
//!
//! For a cut, every step gets a formula that follows from the inner parts unless an inner literal
//! of its clause holds, and that with the outer parts implies one of its outer literals. That of
//! the empty clause is the interpolant. An atom is inner if all parts that it belongs to are.
//!
//! # Paper
//! [henzinger2004abstractions], section 3: the interpolated sequents of HYP, COMB, CONTRA and RES.
//! We carry the formula without the disjunction of inner literals of their invariant 2.
//!
//! # Invariants
//! - The formulas along a sequence are chained, since a growing inner side only makes more atoms
//!   inner: the sums of COMB grow by what the next part adds.

use crate::PartSet;
use crate::linear::{Linear, VarId};
use crate::literal::{Atom, AtomId, Limit, Literal};
use crate::proof::{Because, Proof, Rule, Step, StepId};
use crate::table::{Meaning, Table};
use logic::{Integer, Rational, TermId, TermStore};
use rustc_hash::FxHashMap;

/// Reads formulas off a proof, for one cut.
pub struct Reader<'a> {
    /// Where the formulas are made.
    pub store: &'a mut TermStore,
    /// What the atoms of the proof mean.
    pub table: &'a Table,
    /// The inner side of the cut.
    pub inside: &'a PartSet,
}

impl Reader<'_> {
    /// The interpolant of a proof of the empty clause whose steps are given in order.
    pub fn interpolant(&mut self, proof: &Proof, needed: &[StepId]) -> TermId {
        let mut formulas: FxHashMap<StepId, TermId> = FxHashMap::default();
        let mut last = self.store.bool(true);
        for &id in needed {
            last = self.formula(&proof.steps()[id], &formulas);
            formulas.insert(id, last);
        }
        last
    }

    /// The formula of a step, given those of the steps before it.
    pub fn formula(&mut self, step: &Step, formulas: &FxHashMap<StepId, TermId>) -> TermId {
        match &step.rule {
            Rule::Hyp { part } if self.inside.contains(*part) => self.outer(&step.clause),
            Rule::Hyp { .. } => self.store.bool(true),
            Rule::Contra(because) => self.contradiction(&step.clause, because),
            Rule::Res { first, others } => {
                let mut formula = formulas[first];
                for (atom, other) in others {
                    let both = [formula, formulas[other]];
                    formula = if self.is_inner(*atom) {
                        self.store.or(&both)
                    } else {
                        self.store.and(&both)
                    };
                }
                formula
            }
        }
    }

    /// Whether an atom is on the inner side.
    pub fn is_inner(&self, atom: AtomId) -> bool {
        self.table.home(atom).is_subset(self.inside)
    }

    /// What the inner ones of contradicting literals say to the outer ones.
    fn contradiction(&mut self, clause: &[Literal], because: &Because) -> TermId {
        let inner = clause.iter().filter(|it| self.is_inner(it.atom())).count();
        if inner == 0 || inner == clause.len() {
            return self.store.bool(inner == 0);
        }
        match because {
            Because::Farkas(farkas) => {
                let inner = farkas.iter().filter(|(it, _)| self.is_inner(it.atom()));
                let (sum, strict) = sum(self.table, inner);
                self.at_most_zero(sum, strict)
            }
            Because::Lattice(farkas) => self.whole(farkas, true),
            Because::Residue { multiples, bounds } => self.residue(multiples, bounds),
            Because::Sides => self.said(clause),
            Because::Congruence(result) if self.is_inner(result.atom()) => self.outer(clause),
            Because::Congruence(_) => self.said(clause),
        }
    }

    /// The conjunction of the negated inner literals of a clause.
    fn said(&mut self, clause: &[Literal]) -> TermId {
        let inner = clause.iter().filter(|it| self.is_inner(it.atom()));
        let inner: Vec<Literal> = inner.copied().collect();
        let said: Vec<TermId> = inner.iter().map(|it| self.literal(it.negated())).collect();
        self.store.and(&said)
    }

    /// The disjunction of the outer literals of a clause.
    fn outer(&mut self, clause: &[Literal]) -> TermId {
        let outer = clause.iter().filter(|it| !self.is_inner(it.atom()));
        let outer: Vec<Literal> = outer.copied().collect();
        self.clause(&outer)
    }

    /// A clause as a formula.
    pub fn clause(&mut self, clause: &[Literal]) -> TermId {
        let literals: Vec<TermId> = clause.iter().map(|&it| self.literal(it)).collect();
        self.store.or(&literals)
    }

    /// That the sum of inner, or outer, equalities is whole. Variables of that side alone have
    /// whole multiples and do not matter.
    fn whole(&mut self, farkas: &[(Literal, Rational)], inner: bool) -> TermId {
        let side = farkas
            .iter()
            .filter(|(it, _)| self.is_inner(it.atom()) == inner);
        let (mut sum, _) = sum(self.table, side);
        sum.parts.retain(|(var, _)| {
            let scope = &self.table.vars()[*var].scope;
            match inner {
                true => !scope.is_subset(self.inside),
                false => scope.meets(self.inside),
            }
        });
        let divisor = denominators(&sum);
        sum.scale(&Rational::from(&divisor));
        let (term, _) = self.linear(sum);
        self.store.divides(&divisor, term)
    }

    /// The side that knows the bounds is told the residue by the other one.
    fn residue(&mut self, multiples: &[(Literal, Rational)], bounds: &[Literal]) -> TermId {
        if bounds.iter().all(|it| self.is_inner(it.atom())) {
            let whole = self.whole(multiples, false);
            return self.store.not(whole);
        }
        let inner = bounds.iter().filter(|it| self.is_inner(it.atom()));
        let inner: Vec<Literal> = inner.copied().collect();
        let mut said: Vec<TermId> = inner.iter().map(|&it| self.literal(it)).collect();
        said.push(self.whole(multiples, true));
        self.store.and(&said)
    }

    /// A literal as a formula.
    pub fn literal(&mut self, literal: Literal) -> TermId {
        let atom = match &self.table.atoms()[literal.atom()] {
            Atom::Truth(term) => *term,
            Atom::Name(_) => unreachable!("a name should not leave its part"),
            Atom::AtMost { var, bound, strict } => {
                let mut linear = self.table.expand(*var);
                linear.constant = -bound;
                self.at_most_zero(linear, *strict)
            }
            Atom::Equal { var, bound } => {
                let mut linear = self.table.expand(*var);
                linear.constant = -bound;
                let (term, zero) = self.linear(linear);
                self.store.eq(term, zero)
            }
        };
        if literal.is_positive() {
            atom
        } else {
            self.store.not(atom)
        }
    }

    fn at_most_zero(&mut self, linear: Linear, strict: bool) -> TermId {
        let (term, zero) = self.linear(linear);
        if strict {
            self.store.lt(term, zero)
        } else {
            self.store.le(term, zero)
        }
    }

    /// A multiple of an expression as a term, and zero.
    fn linear(&mut self, mut linear: Linear) -> (TermId, TermId) {
        linear.scale(&Rational::from(denominators(&linear)));
        let is_int = |(var, _): &(VarId, Rational)| self.table.vars()[*var].is_int;
        let all_int = linear.parts.iter().all(is_int);
        let parts = linear.parts.iter().map(|(var, coefficient)| {
            let Meaning::Term(term) = self.table.vars()[*var].meaning else {
                unreachable!("forms should be expanded");
            };
            (term, coefficient)
        });
        if all_int {
            let parts = parts.map(|(term, it)| (term, it.numerator().clone()));
            let parts: Vec<_> = parts.collect();
            let term = self.store.linear(linear.constant.numerator(), &parts);
            return (term, self.store.int(0i64));
        }
        let parts = parts.map(|(term, it)| (self.store.to_real(term), it.clone()));
        let parts: Vec<_> = parts.collect();
        let term = self.store.real_linear(&linear.constant, &parts);
        (term, self.store.real(Rational::ZERO))
    }
}

/// The number that makes all coefficients and the constant whole.
fn denominators(linear: &Linear) -> Integer {
    let start = linear.constant.denominator().clone();
    let parts = linear.parts.iter();
    parts.fold(start, |all, (_, it)| all.lcm(it.denominator()))
}

/// The sum of multiples of inequalities, each as an expression that is at most zero, and whether
/// one of them is strict.
pub(crate) fn sum<'f>(
    table: &Table,
    inequalities: impl Iterator<Item = &'f (Literal, Rational)>,
) -> (Linear, bool) {
    let mut sum = Linear::of_constant(Rational::ZERO);
    let mut any_strict = false;
    for (literal, multiple) in inequalities {
        let limit = table.limit(*literal);
        let (var, bound) = match limit.expect("only bounds should be added up") {
            Limit::Upper(var, bound, strict) | Limit::Lower(var, bound, strict) => {
                any_strict |= strict;
                (var, bound)
            }
            Limit::Exactly(var, bound) | Limit::Except(var, bound) => (var, bound),
        };
        let mut difference = table.expand(var);
        difference.constant = -&bound;
        sum.add_multiple(multiple, &difference);
    }
    (sum, any_strict)
}
