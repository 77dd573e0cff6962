//! Bounds of integer terms from those of their symbols.

pub(super) use logic::interval::Interval;
use logic::{Node, Sort, TermId, TermStore};
use program::expr::Type;
use rustc_hash::FxHashMap;

/// The values of a type; nothing is known about those of addresses and floats.
pub(super) fn of_type(ty: Type) -> Interval {
    match ty {
        Type::Int(ty) => Interval::new(ty.min().into(), ty.max().into()),
        Type::Bool | Type::Float(_) | Type::Ptr => Interval::default(),
    }
}

/// The bounds of terms.
#[derive(Default)]
pub(super) struct Bounds {
    known: FxHashMap<TermId, Interval>,
}

impl Bounds {
    /// Records what is known about a term. Later records narrow, until it is queried.
    pub(super) fn note(&mut self, term: TermId, interval: Interval) {
        let known = self.known.remove(&term).unwrap_or_default();
        self.known.insert(term, known.meet(interval));
    }

    /// Records what a conjunct says about a single symbol.
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
                let interval = store.interval(at, |part| self.known[&part].clone());
                self.known.insert(at, interval);
                open.pop();
            }
        }
        self.known[&term].clone()
    }
}
