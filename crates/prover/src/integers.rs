//! Integer variables with fractional values.
//!
//! The simplex knows nothing about integrality. When a value is fractional, the equalities that
//! currently hold may have no integer solution, or leave an integer only values outside its bounds.
//! Otherwise the search branches on a bound.

use crate::lattice::{Lattice, Multiples};
use crate::linear::VarId;
use crate::literal::{Atom, Literal};
use crate::proof::Because;
use crate::refute::{Next, Prover};
use crate::simplex::Bounds;
use crate::table::Meaning;
use base::Id;
use logic::{Integer, Node, Rational};

/// A remainder by more than this says little that a person or a solver can use: splitting is tried
/// first, this often.
const COARSE: i64 = 1024;
const PLAIN: u64 = 50;

/// Ranges up to this width have few values.
const NARROW: i128 = 64;

impl Prover<'_> {
    /// An integer that is not whole: a contradiction of equalities, or a guess.
    pub(crate) fn integers(&mut self) -> Option<Next> {
        let broken = self.broken();
        if broken.is_empty() {
            return None;
        }
        if let Some(next) = self.lattice() {
            return Some(next);
        }
        self.splits += 1;
        let (var, bound) = self.split(&broken);
        let bound = Rational::from(bound);
        let strict = false;
        let atom = self.table.atom(Atom::AtMost { var, bound, strict }, None);
        let part = self.table.vars()[var].scope.first();
        self.table.settle(atom, part.unwrap_or(0));
        self.sync();
        Some(Next::Search)
    }

    /// The integers that are not whole.
    fn broken(&self) -> Vec<VarId> {
        let vars = self.table.vars().iter_enumerated();
        let broken = vars.filter(|(var, row)| {
            let is_term = matches!(row.meaning, Meaning::Term(_));
            is_term && row.is_int && !self.simplex.value(*var).main.is_integer()
        });
        broken.map(|(var, _)| var).collect()
    }

    /// An integer to guess about, and the bound to guess. What has few values comes first: when it
    /// is fixed, equalities may contradict each other. Without bounds there may be no end to it.
    fn split(&self, broken: &[VarId]) -> (VarId, Integer) {
        if self.splits > PLAIN / 2
            && let Some(split) = self.split_early()
        {
            return split;
        }
        let below = |var: VarId| self.simplex.value(var).main.floor();
        if let Some((_, var)) = broken.iter().filter_map(|&var| self.narrow(var)).min() {
            return (var, below(var));
        }
        let kinds = |is: fn(&Node) -> bool| {
            let vars = self.table.vars().iter_enumerated();
            vars.filter(move |(_, row)| {
                matches!(row.meaning, Meaning::Term(term) if is(self.store.node(term)))
            })
        };
        let rests = kinds(|node| matches!(node, Node::Mod(..)));
        if let Some((_, var)) = rests.filter_map(|(var, _)| self.narrow(var)).min() {
            return (var, self.below_top(var));
        }
        let mut quotients = kinds(|node| matches!(node, Node::Div(..)));
        let quotient = quotients.find(|(var, _)| broken.contains(var));
        let var = quotient.map_or(broken[0], |(var, _)| var);
        (var, below(var))
    }

    /// An integer with few values that the first parts mention: what computes follows from those.
    fn split_early(&self) -> Option<(VarId, Integer)> {
        let vars = self.table.vars().iter_enumerated();
        let terms = vars.filter(|(_, row)| row.is_int && matches!(row.meaning, Meaning::Term(_)));
        let narrow = terms.filter_map(|(var, row)| {
            let narrow = self.narrow(var)?;
            Some((row.scope.first()?, narrow))
        });
        let (_, (_, var)) = narrow.min()?;
        Some((var, self.below_top(var)))
    }

    /// The distance of a number's bounds, and it, if it has few values and more than one.
    fn narrow(&self, var: VarId) -> Option<(i128, VarId)> {
        let Bounds { low, high, .. } = self.simplex.bounds(var)?;
        let width = (high - low).to_integer()?.to_i128()?;
        (0 < width && width <= NARROW).then_some((width, var))
    }

    /// The value of a number rounded down, or what is below it if it is the upper bound.
    fn below_top(&self, var: VarId) -> Integer {
        let value = self.simplex.value(var).main.floor();
        let bounds = self.simplex.bounds(var);
        match bounds.is_some_and(|it| it.high.to_integer() == Some(&value)) {
            true => &value - &Integer::ONE,
            false => value,
        }
    }

    /// A contradiction between the equalities that hold now, or of them with an integer's bounds.
    fn lattice(&mut self) -> Option<Next> {
        let mut fixed = Vec::new();
        let mut equations = Vec::new();
        for (var, row) in self.table.vars().iter_enumerated() {
            if let Some(bounds) = self.simplex.bounds(var)
                && row.is_int
                && bounds.low == bounds.high
            {
                let mut equation = self.table.expand(var);
                equation.constant = -bounds.low;
                equations.push(equation);
                fixed.push((var, bounds.low.clone(), bounds.lower, bounds.upper));
            }
        }
        let fresh = VarId::from_index(self.table.vars().len());
        if let Ok(lattice) = Lattice::solve(&equations, fresh, false) {
            self.excluded(&lattice)?;
        }
        let (multiples, bounds) = match Lattice::solve(&equations, fresh, true) {
            Err(multiples) => (multiples, Vec::new()),
            Ok(lattice) => self.excluded(&lattice)?,
        };
        let modulus = multiples.iter().map(|(_, it)| it.denominator()).max();
        if self.splits < PLAIN && modulus.is_some_and(|it| *it > Integer::from(COARSE)) {
            return None;
        }
        let mut farkas = Vec::new();
        for (number, multiple) in multiples {
            let (var, value, lower, upper) = fixed[number].clone();
            let equal = Atom::Equal { var, bound: value };
            match self.equality(equal, lower, upper) {
                Ok(literal) => farkas.push((literal, multiple)),
                Err(next) => return Some(next),
            }
        }
        let literals = farkas.iter().map(|(literal, _)| literal);
        let clause = literals.chain(&bounds).map(|it| it.negated()).collect();
        let because = match bounds.is_empty() {
            true => Because::Lattice(farkas),
            false => Because::Residue {
                multiples: farkas,
                bounds,
            },
        };
        let conflict = self.lemma(clause, because);
        Self::after_lemma(conflict)
    }

    /// An integer of which solved equalities leave only values outside its bounds: the multiples of
    /// the equalities that say so, and the bounds.
    fn excluded(&self, lattice: &Lattice) -> Option<(Multiples, Vec<Literal>)> {
        self.table.vars().iter_enumerated().find_map(|(var, row)| {
            let bounds = self.simplex.bounds(var)?;
            if !row.is_int || bounds.low == bounds.high {
                return None;
            }
            let residue = lattice.residue(&self.table.expand(var))?;
            let (low, high) = (bounds.low.ceil(), bounds.high.floor());
            let first = &low + &(&residue.rest - &low).mod_floor(&residue.modulus);
            let is_excluded = first > high;
            is_excluded.then(|| (residue.multiples, vec![bounds.lower, bounds.upper]))
        })
    }

    /// The literal that says that a number is a constant, which two literals imply; if it does not
    /// hold yet, the clause that makes it hold is added.
    fn equality(&mut self, equal: Atom, lower: Literal, upper: Literal) -> Result<Literal, Next> {
        if lower == upper {
            return Ok(lower);
        }
        let part = self.table.home(lower.atom()).first();
        let atom = self.table.atom(equal, None);
        self.table.settle(atom, part.unwrap_or(0));
        self.sync();
        let literal = Literal::new(atom, true);
        if self.search.value(literal) == Some(true) {
            return Ok(literal);
        }
        let clause = vec![literal, lower.negated(), upper.negated()];
        let conflict = self.lemma(clause, Because::Sides);
        Err(conflict.map_or(Next::Search, Next::Conflict))
    }
}
