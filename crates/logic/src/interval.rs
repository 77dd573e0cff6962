//! Bounds of integer terms from those of their parts.

use crate::{Integer, Node, TermId, TermStore};

/// The least and the greatest value, where known.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Interval {
    /// None is below it.
    pub low: Option<Integer>,
    /// None is above it.
    pub high: Option<Integer>,
}

impl Interval {
    /// The values between two, both included.
    pub fn new(low: Integer, high: Integer) -> Self {
        Interval {
            low: Some(low),
            high: Some(high),
        }
    }

    /// Whether it has no value that another one has not.
    pub fn is_within(&self, outer: &Interval) -> bool {
        let (low, high) = (self.low.as_ref(), self.high.as_ref());
        (outer.low.as_ref()).is_none_or(|least| low.is_some_and(|low| low >= least))
            && (outer.high.as_ref()).is_none_or(|most| high.is_some_and(|high| high <= most))
    }

    /// Both bounds.
    pub fn both(&self) -> Option<(&Integer, &Integer)> {
        Some((self.low.as_ref()?, self.high.as_ref()?))
    }

    /// The least one with the values of both.
    pub fn hull(self, other: Interval) -> Interval {
        let low = |a: Option<Integer>, b: Option<Integer>| Some(a?.min(b?));
        let high = |a: Option<Integer>, b: Option<Integer>| Some(a?.max(b?));
        Interval {
            low: low(self.low, other.low),
            high: high(self.high, other.high),
        }
    }

    /// The values of both.
    pub fn meet(self, other: Interval) -> Interval {
        let pick = |a: Option<Integer>,
                    b: Option<Integer>,
                    best: fn(Integer, Integer) -> Integer| match (a, b) {
            (Some(a), Some(b)) => Some(best(a, b)),
            (a, b) => a.or(b),
        };
        Interval {
            low: pick(self.low, other.low, Integer::max),
            high: pick(self.high, other.high, Integer::min),
        }
    }

    /// The multiples.
    pub fn times(self, factor: &Integer) -> Interval {
        let (low, high) = if factor.signum() < 0 {
            (self.high, self.low)
        } else {
            (self.low, self.high)
        };
        let times = |bound: Option<Integer>| bound.map(|bound| &bound * factor);
        Interval {
            low: times(low),
            high: times(high),
        }
    }

    /// The sums with values of another one.
    pub fn plus(self, other: Interval) -> Interval {
        let add = |a: Option<Integer>, b: Option<Integer>| Some(&a? + &b?);
        Interval {
            low: add(self.low, other.low),
            high: add(self.high, other.high),
        }
    }

    /// The interval of the products of two.
    pub fn product(&self, other: &Interval) -> Interval {
        let (Some((a, b)), Some((c, d))) = (self.both(), other.both()) else {
            return Interval::default();
        };
        let corners = [a * c, a * d, b * c, b * d];
        let (low, high) = (corners.iter().min(), corners.iter().max());
        Interval {
            low: low.cloned(),
            high: high.cloned(),
        }
    }
}

impl TermStore {
    /// The bounds of an integer term, given those of its parts; none of symbols, functions and cells.
    pub fn interval(&self, term: TermId, of: impl Fn(TermId) -> Interval) -> Interval {
        match self.node(term) {
            Node::Int(value) => Interval::new(value.clone(), value.clone()),
            Node::Sum(constant, parts) => {
                let mut sum = Interval::new(constant.clone(), constant.clone());
                for (part, factor) in parts {
                    sum = sum.plus(of(*part).times(factor));
                }
                sum
            }
            Node::Div(part, divisor) => {
                let Interval { low, high } = of(*part);
                Interval {
                    low: low.map(|low| low.div_floor(divisor)),
                    high: high.map(|high| high.div_floor(divisor)),
                }
            }
            Node::Mod(_, divisor) => Interval::new(Integer::ZERO, divisor - &Integer::ONE),
            Node::Ite(_, then, otherwise) => {
                let (then, otherwise) = (of(*then), of(*otherwise));
                then.hull(otherwise)
            }
            _ => Interval::default(),
        }
    }
}
