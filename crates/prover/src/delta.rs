//! Numbers with an infinitesimal part, so that a strict bound is a bound.

use logic::Rational;
use std::cmp::Ordering;

/// A number plus a multiple of something positive but below every number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Delta {
    /// The number.
    pub main: Rational,
    /// How many of the infinitely small ones.
    pub small: Rational,
}

impl Delta {
    /// A plain number.
    pub fn new(main: Rational) -> Delta {
        Delta {
            main,
            small: Rational::ZERO,
        }
    }

    /// The difference from another one.
    pub fn minus(&self, other: &Delta) -> Delta {
        Delta {
            main: &self.main - &other.main,
            small: &self.small - &other.small,
        }
    }

    /// Adds a multiple of another one.
    pub fn add_multiple(&mut self, factor: &Rational, other: &Delta) {
        self.main = &self.main + &(factor * &other.main);
        if !other.small.is_zero() {
            self.small = &self.small + &(factor * &other.small);
        }
    }

    /// A multiple.
    pub fn times(&self, factor: &Rational) -> Delta {
        Delta {
            main: factor * &self.main,
            small: factor * &self.small,
        }
    }

    /// How it compares with a plain number.
    pub fn compare(&self, number: &Rational) -> Ordering {
        let main = self.main.cmp(number);
        main.then_with(|| self.small.cmp(&Rational::ZERO))
    }
}
