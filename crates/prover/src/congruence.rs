//! Functions: equal arguments, equal results.
//!
//! Two applications that some part can mention together give a clause of that part. Two that are
//! too far apart need a term between them: if `f(a)` is inner and `f(b)` outer on a cut, and `a`
//! equals `b`, then there is a shared term `u` that both are equal to, and `f(u)` is a third
//! application that both sides can mention. Such terms are read off a refutation that was allowed
//! to mention both at once: the inner sum of the contradiction that shows `a <= b` says that
//! `a <= u`.
//!
//! # Paper
//! [yorsh2005combination]: equalities between the two sides split into equalities with shared
//! terms.

use crate::PartSet;
use crate::encode::{Application, Callee};
use crate::interpolant::sum;
use crate::linear::{Linear, VarId};
use crate::literal::{Atom, Literal};
use crate::proof::{Because, Rule, Step};
use crate::refute::Refutation;
use crate::shape::Shape;
use crate::simplex::{Farkas, Simplex};
use crate::table::{Claim, Meaning, Table};
use logic::{Rational, TermId, TermStore};
use std::collections::{BTreeMap, BTreeSet};

/// Two applications of the same function, by number.
pub type Pair = (usize, usize);

/// Pairs of applications to equal arguments that have different results now: those that some part
/// can mention, and the others.
pub fn violated(
    applications: &[Application],
    table: &Table,
    simplex: &Simplex,
) -> (Vec<Pair>, Vec<Pair>) {
    let mut groups: BTreeMap<(Callee, Option<Vec<Rational>>), Vec<usize>> = BTreeMap::new();
    let value = |it: &Linear| it.value(|var| Some(simplex.value(var).main.clone()));
    for (number, application) in applications.iter().enumerate() {
        let values = application.arguments.iter().map(value);
        let key = (application.callee, values.collect());
        groups.entry(key).or_default().push(number);
    }
    let (mut near, mut far) = (Vec::new(), Vec::new());
    for group in groups.values() {
        for (at, &first) in group.iter().enumerate() {
            for &second in &group[at + 1..] {
                let [a, b] = [first, second].map(|it| applications[it].result);
                if simplex.value(a) == simplex.value(b) {
                    continue;
                }
                match common_part(table, a, b) {
                    Some(_) => near.push((first, second)),
                    None => far.push((first, second)),
                }
            }
        }
    }
    (near, far)
}

fn common_part(table: &Table, a: VarId, b: VarId) -> Option<usize> {
    let mut common = table.vars()[a].scope.clone();
    common.intersect(&table.vars()[b].scope);
    common.first()
}

/// The clause that says that two applications to equal arguments have equal results, with the
/// literal about the results. Its new atoms belong to a part that can mention both, if there is
/// one.
pub fn clause(
    first: &Application,
    second: &Application,
    table: &mut Table,
) -> (Vec<Literal>, Literal) {
    let part = common_part(table, first.result, second.result);
    let mut equal = |a: &Linear, b: &Linear| {
        let mut difference = a.clone();
        difference.add_multiple(&Rational::from(-1i64), b);
        let claim = table.is_zero(&difference, None);
        if let (Claim::Open(literal), Some(part)) = (claim, part) {
            table.settle(literal.atom(), part);
        }
        claim
    };
    let mut literals = Vec::new();
    for (a, b) in first.arguments.iter().zip(&second.arguments) {
        if let Claim::Open(literal) = equal(a, b) {
            literals.push(literal.negated());
        }
    }
    let results = [first, second].map(|it| Linear::of_key(it.result));
    let result = match equal(&results[0], &results[1]) {
        Claim::Open(literal) => literal,
        Claim::Known(_) => unreachable!("different applications should have different variables"),
    };
    literals.push(result);
    (literals, result)
}

/// Applications to shared terms that are between applications that are too far apart, as terms.
pub fn between(
    store: &mut TermStore,
    refutation: &Refutation,
    applications: &[Application],
    pairs: &[Pair],
    shape: &Shape,
) -> BTreeSet<TermId> {
    let table = &refutation.table;
    let needed = refutation.proof.needed(refutation.root);
    let steps = needed.iter().map(|&step| &refutation.proof.steps()[step]);
    let sums: Vec<&Farkas> = steps.filter_map(far_sum(table)).collect();
    let mut found = BTreeSet::new();
    for &(first, second) in pairs {
        for cut in 0..shape.len() - 1 {
            let inside = PartSet::from_iter(shape.first_below(cut)..=cut);
            let is_inner = |it: usize| {
                table.vars()[applications[it].result]
                    .scope
                    .is_subset(&inside)
            };
            let (inner, outer) = match (is_inner(first), is_inner(second)) {
                (true, false) => (first, second),
                (false, true) => (second, first),
                _ => continue,
            };
            let mut cut = Cut {
                store,
                table,
                inside: &inside,
                sums: &sums,
            };
            found.extend(cut.applications(&applications[inner], &applications[outer]));
        }
    }
    found
}

/// The multiples of a contradiction that mentions what no part can mention.
fn far_sum<'p>(table: &Table) -> impl Fn(&'p Step) -> Option<&'p Farkas> {
    |step| match &step.rule {
        Rule::Contra(Because::Farkas(farkas)) => {
            let is_far = |(it, _): &(Literal, Rational)| table.home(it.atom()).first().is_none();
            farkas.iter().any(is_far).then_some(farkas)
        }
        Rule::Contra(_) | Rule::Hyp { .. } | Rule::Res { .. } => None,
    }
}

/// A cut between two applications.
struct Cut<'a> {
    store: &'a mut TermStore,
    table: &'a Table,
    inside: &'a PartSet,
    sums: &'a [&'a Farkas],
}

impl Cut<'_> {
    /// The function of an inner and an outer application, applied to shared terms that are equal to
    /// the arguments of both.
    fn applications(&mut self, inner: &Application, outer: &Application) -> Vec<TermId> {
        let mut all: Vec<Vec<TermId>> = vec![Vec::new()];
        for (a, b) in inner.arguments.iter().zip(&outer.arguments) {
            let shared = self.shared(a, b);
            let longer = all.iter().flat_map(|start| {
                let terms = shared.iter();
                terms.map(|&term| [&start[..], &[term]].concat())
            });
            all = longer.collect();
        }
        let apply = |arguments: Vec<TermId>| match inner.callee {
            Callee::Function(function) => self.store.apply(function, &arguments),
            Callee::Array(array) => self.store.select(array, arguments[0]),
        };
        all.into_iter().map(apply).collect()
    }

    /// Shared terms that an inner and an outer argument may both be equal to.
    fn shared(&mut self, a: &Linear, b: &Linear) -> Vec<TermId> {
        let mut found: Vec<Linear> = Vec::new();
        found.extend([a, b].into_iter().filter(|it| self.is_shared(it)).cloned());
        for farkas in self.sums {
            found.extend(self.bound_in(farkas, a, b));
        }
        let terms: BTreeSet<TermId> = found.into_iter().filter_map(|it| self.term(&it)).collect();
        terms.into_iter().collect()
    }

    /// If a contradiction mentions the difference of two arguments: what its inner side says that
    /// the inner argument is bounded by.
    fn bound_in(&self, farkas: &Farkas, a: &Linear, b: &Linear) -> Option<Linear> {
        let mut difference = a.clone();
        difference.add_multiple(&Rational::from(-1i64), b);
        let (first, coefficient) = difference.parts.first()?;
        let is_far = |it: &Literal| self.table.home(it.atom()).first().is_none();
        let (far, multiple) = farkas.iter().find(|(it, _)| is_far(it))?;
        let var = match &self.table.atoms()[far.atom()] {
            Atom::AtMost { var, .. } | Atom::Equal { var, .. } => *var,
            Atom::Truth(_) | Atom::Name(_) => return None,
        };
        let form = self.table.expand(var);
        // How often the difference is in the sum.
        let times = &(multiple * form.coefficient(*first)?) / coefficient;
        difference.scale(&(&times / multiple));
        if difference.parts != form.parts {
            return None;
        }
        let is_inner =
            |it: &Literal| !is_far(it) && self.table.home(it.atom()).is_subset(self.inside);
        let (mut bound, _) = sum(self.table, farkas.iter().filter(|(it, _)| is_inner(it)));
        bound.scale(&(&Rational::ONE / &times));
        bound.add_multiple(&Rational::ONE, a);
        self.is_shared(&bound).then_some(bound)
    }

    /// Whether both sides can mention all variables.
    fn is_shared(&self, linear: &Linear) -> bool {
        linear.parts.iter().all(|(var, _)| {
            let scope = &self.table.vars()[*var].scope;
            scope.meets(self.inside) && !scope.is_subset(self.inside)
        })
    }

    /// An expression as a term, if its coefficients and its constant are whole where they must be.
    fn term(&mut self, linear: &Linear) -> Option<TermId> {
        let mut parts = Vec::new();
        let mut is_int = true;
        for (var, coefficient) in &linear.parts {
            let row = &self.table.vars()[*var];
            let Meaning::Term(term) = row.meaning else {
                return None;
            };
            is_int &= row.is_int;
            parts.push((term, coefficient.clone()));
        }
        if !is_int {
            return Some(self.store.real_linear(&linear.constant, &parts));
        }
        let whole = parts
            .iter()
            .map(|(term, it)| Some((*term, it.to_integer()?.clone())));
        let whole: Option<Vec<_>> = whole.collect();
        let constant = linear.constant.to_integer()?;
        Some(self.store.linear(constant, &whole?))
    }
}
