//! Bounds of integer terms from those of their symbols.

use logic::{Integer, Node, Sort, TermId, TermStore};
use program::expr::Type;
use rustc_hash::FxHashMap;

/// The least and the greatest value, where known.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Interval {
    pub(super) low: Option<Integer>,
    pub(super) high: Option<Integer>,
}

impl Interval {
    pub(super) fn new(low: Integer, high: Integer) -> Self {
        Interval {
            low: Some(low),
            high: Some(high),
        }
    }

    /// The values of a type; nothing is known of those of addresses and floats.
    pub(super) fn of_type(ty: Type) -> Self {
        match ty {
            Type::Int(ty) => Interval::new(ty.min().into(), ty.max().into()),
            Type::Bool | Type::Float(_) | Type::Ptr => Interval::default(),
        }
    }

    pub(super) fn is_within(&self, outer: &Interval) -> bool {
        let low = match (&self.low, &outer.low) {
            (_, None) => true,
            (Some(low), Some(least)) => low >= least,
            (None, Some(_)) => false,
        };
        let high = match (&self.high, &outer.high) {
            (_, None) => true,
            (Some(high), Some(most)) => high <= most,
            (None, Some(_)) => false,
        };
        low && high
    }

    /// Both bounds.
    pub(super) fn both(&self) -> Option<(&Integer, &Integer)> {
        Some((self.low.as_ref()?, self.high.as_ref()?))
    }

    pub(super) fn hull(self, other: Interval) -> Interval {
        let low = |a: Option<Integer>, b: Option<Integer>| Some(a?.min(b?));
        let high = |a: Option<Integer>, b: Option<Integer>| Some(a?.max(b?));
        Interval {
            low: low(self.low, other.low),
            high: high(self.high, other.high),
        }
    }

    fn meet(self, other: Interval) -> Interval {
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

    fn times(self, factor: &Integer) -> Interval {
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

    fn plus(self, other: Interval) -> Interval {
        let add = |a: Option<Integer>, b: Option<Integer>| Some(&a? + &b?);
        Interval {
            low: add(self.low, other.low),
            high: add(self.high, other.high),
        }
    }

    /// The interval of the products of two.
    pub(super) fn product(&self, other: &Interval) -> Interval {
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

/// The bounds of terms.
#[derive(Default)]
pub(super) struct Bounds {
    known: FxHashMap<TermId, Interval>,
}

impl Bounds {
    /// Notes what is known of a term. Later notes narrow, until somebody asked for it.
    pub(super) fn note(&mut self, term: TermId, interval: Interval) {
        let known = self.known.remove(&term).unwrap_or_default();
        self.known.insert(term, known.meet(interval));
    }

    /// Notes what a conjunct says of a single symbol.
    pub(super) fn note_conjunct(&mut self, store: &TermStore, conjunct: TermId) {
        let (sum, is_equal) = match store.node(conjunct) {
            Node::AtMostZero(sum) => (*sum, false),
            Node::IsZero(sum) => (*sum, true),
            _ => return,
        };
        let (constant, parts) = store.to_linear(sum);
        let [(part, factor)] = &parts[..] else {
            return;
        };
        if !matches!(store.node(*part), Node::Symbol(_)) {
            return;
        }
        // factor * part <= -constant; an equality has a solution, or no state is left anyway.
        let size = factor.abs();
        let (up, down) = if factor.signum() > 0 {
            (-&constant, -&constant)
        } else {
            (constant.clone(), constant.clone())
        };
        let high = Some(up.div_floor(&size));
        let low = Some(down.div_ceil(&size));
        let interval = match (is_equal, factor.signum() > 0) {
            (true, _) => Interval { low, high },
            (false, true) => Interval { low: None, high },
            (false, false) => Interval { low, high: None },
        };
        self.note(*part, interval);
    }

    /// The bounds of an integer term.
    pub(super) fn of(&mut self, store: &TermStore, term: TermId) -> Interval {
        let mut open = vec![term];
        while let Some(&at) = open.last() {
            if self.known.contains_key(&at) {
                open.pop();
                continue;
            }
            let parts = store.parts(at).into_iter();
            let before = open.len();
            open.extend(
                parts.filter(|part| {
                    store.sort(*part) == Sort::Int && !self.known.contains_key(part)
                }),
            );
            if open.len() == before {
                let interval = self.of_step(store, at);
                self.known.insert(at, interval);
                open.pop();
            }
        }
        self.known[&term].clone()
    }

    fn of_step(&self, store: &TermStore, term: TermId) -> Interval {
        match store.node(term) {
            Node::Int(value) => Interval::new(value.clone(), value.clone()),
            Node::Sum(constant, parts) => {
                let mut sum = Interval::new(constant.clone(), constant.clone());
                for (part, factor) in parts {
                    sum = sum.plus(self.known[part].clone().times(factor));
                }
                sum
            }
            Node::Div(part, divisor) => {
                let Interval { low, high } = self.known[part].clone();
                Interval {
                    low: low.map(|low| low.div_floor(divisor)),
                    high: high.map(|high| high.div_floor(divisor)),
                }
            }
            Node::Mod(_, divisor) => Interval::new(Integer::ZERO, divisor - &Integer::ONE),
            Node::Ite(_, then, otherwise) => {
                let (then, otherwise) = (self.known[then].clone(), self.known[otherwise].clone());
                then.hull(otherwise)
            }
            _ => Interval::default(),
        }
    }
}
