//! Atoms, literals and their arithmetic meaning.

use crate::delta::Delta;
use crate::linear::VarId;
use crate::simplex::Side;
use base::{Id, define_id};
use logic::{Rational, TermId};
use std::fmt;

define_id! {
    /// An atom of the prover.
    AtomId = "a";
}

/// An atom or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    /// The atom itself or its negation.
    pub fn new(atom: AtomId, positive: bool) -> Literal {
        Literal((atom.index() as u32) << 1 | u32::from(!positive))
    }

    /// The atom.
    pub fn atom(self) -> AtomId {
        AtomId::from_index((self.0 >> 1) as usize)
    }

    /// Whether it is not negated.
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// The opposite.
    pub fn negated(self) -> Literal {
        Literal(self.0 ^ 1)
    }

    /// A small number, different for every literal.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_positive() { "" } else { "!" };
        write!(f, "{sign}{:?}", self.atom())
    }
}

/// What an atom says.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Atom {
    /// A truth value of the problem.
    Truth(TermId),
    /// The name of a subformula, known to one part only.
    Name(usize),
    /// A number is at most, or below, a constant.
    AtMost {
        /// The number.
        var: VarId,
        /// The constant.
        bound: Rational,
        /// Whether the constant itself is excluded; never for integers.
        strict: bool,
    },
    /// A number is a constant.
    Equal {
        /// The number.
        var: VarId,
        /// The constant.
        bound: Rational,
    },
}

/// A limit that a literal sets for a number.
#[derive(Clone, PartialEq, Debug)]
pub enum Limit {
    /// At most this, or below it.
    Upper(VarId, Rational, bool),
    /// At least this, or above it.
    Lower(VarId, Rational, bool),
    /// Exactly this.
    Exactly(VarId, Rational),
    /// Anything but this.
    Except(VarId, Rational),
}

impl Limit {
    /// The number it limits.
    pub fn var(&self) -> VarId {
        match self {
            Limit::Upper(var, ..)
            | Limit::Lower(var, ..)
            | Limit::Exactly(var, _)
            | Limit::Except(var, _) => *var,
        }
    }

    /// Whether all it allows is below all that another limit of the same number allows.
    pub fn is_below(&self, other: &Limit) -> bool {
        match (self.end(Side::Upper), other.end(Side::Lower)) {
            (Some(high), Some(low)) => high < low,
            (None, _) | (_, None) => false,
        }
    }

    /// The bound that it sets on a side.
    pub fn end(&self, side: Side) -> Option<Delta> {
        // Just below or just above a strict bound, by the sign.
        let beside = |bound: &Rational, strict: bool, small: i64| {
            let (main, small) = (bound.clone(), if strict { small } else { 0 });
            let small = Rational::from(small);
            Some(Delta { main, small })
        };
        match (self, side) {
            (Limit::Upper(_, bound, strict), Side::Upper) => beside(bound, *strict, -1),
            (Limit::Lower(_, bound, strict), Side::Lower) => beside(bound, *strict, 1),
            (Limit::Exactly(_, bound), _) => Some(Delta::new(bound.clone())),
            (Limit::Upper(..), Side::Lower)
            | (Limit::Lower(..), Side::Upper)
            | (Limit::Except(..), _) => None,
        }
    }
}

impl Atom {
    /// What the atom or its negation says about a number; `None` for one about truth.
    pub fn limit(&self, positive: bool, is_int: impl Fn(VarId) -> bool) -> Option<Limit> {
        Some(match self {
            Atom::Truth(_) | Atom::Name(_) => return None,
            Atom::AtMost { var, bound, strict } => match positive {
                true => Limit::Upper(*var, bound.clone(), *strict),
                false if is_int(*var) => Limit::Lower(*var, bound + &Rational::ONE, false),
                false => Limit::Lower(*var, bound.clone(), !strict),
            },
            Atom::Equal { var, bound } => match positive {
                true => Limit::Exactly(*var, bound.clone()),
                false => Limit::Except(*var, bound.clone()),
            },
        })
    }
}
