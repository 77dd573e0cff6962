//! Assertions made from what the runs saw: exactly true, or false on very few inputs.

use crate::syntax::{Program, Seen};
use crate::truth::Truth;
use crate::types::{Model, Ty};
use base::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// What is claimed of the variables of a probe, by their places in it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Claim {
    Within(usize, i128, i128),
    AtLeast(usize, i128),
    AtMost(usize, i128),
    Not(usize, i128),
    Remainder(usize, i128, i128),
    OneOf(usize, Vec<i128>),
    NotAbove(usize, usize),
    SumWithin(usize, usize, i128, i128),
    /// If the first has a value, the second has one.
    Implies(usize, i128, usize, i128),
}

/// A claim at a probe.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Assertion {
    pub(crate) probe: usize,
    pub(crate) claim: Claim,
    /// Whether some run violates it.
    pub(crate) fails: bool,
}

/// Probes with more states make claims that take too long to write.
const LISTED: usize = 6;

/// Some assertions that hold and some that fail, by lot.
pub(crate) fn make(
    program: &Program,
    truth: &Truth,
    model: Model,
    each: usize,
    rng: &mut Rng,
) -> Vec<Assertion> {
    let mut views: BTreeMap<usize, Vec<(Vec<i128>, usize)>> = BTreeMap::new();
    for state in &truth.states {
        let seen = &program.probes[state.probe];
        let values = seen.iter().zip(state.values);
        let values = values.map(|(seen, bits)| seen.ty.value(bits)).collect();
        views
            .entry(state.probe)
            .or_default()
            .push((values, state.runs));
    }
    let mut made: BTreeSet<Assertion> = BTreeSet::new();
    let probes: Vec<usize> = views.keys().copied().collect();
    if probes.is_empty() {
        return Vec::new();
    }
    let (mut held, mut failing) = (0, 0);
    for _ in 0..40 {
        let probe = rng.pick(&probes);
        let view = &views[&probe];
        let seen = &program.probes[probe];
        let Some(claim) = draw(seen, view, model, held < each, rng) else {
            continue;
        };
        let violated: usize = (view.iter())
            .filter(|(values, _)| !claim.holds(values))
            .map(|(_, runs)| runs)
            .sum();
        let assertion = Assertion {
            probe,
            claim,
            fails: violated > 0,
        };
        // What most runs violate is no test of a search.
        let wanted = match violated {
            0 => held < each,
            _ => failing < each && violated * 4 <= truth.runs.max(8),
        };
        if wanted && made.insert(assertion) {
            match violated {
                0 => held += 1,
                _ => failing += 1,
            }
        }
        if held == each && failing == each {
            break;
        }
    }
    made.into_iter().collect()
}

type View = [(Vec<i128>, usize)];

fn draw(seen: &[Seen], view: &View, model: Model, is_true: bool, rng: &mut Rng) -> Option<Claim> {
    if seen.is_empty() {
        return None;
    }
    let v = rng.below(seen.len());
    let w = rng.below(seen.len());
    let mut counts: BTreeMap<i128, usize> = BTreeMap::new();
    for (values, runs) in view {
        *counts.entry(values[v]).or_default() += runs;
    }
    let (low, high) = (*counts.keys().next()?, *counts.keys().next_back()?);
    let claim = match rng.below(9) {
        0 => Claim::Within(v, low, high),
        1 if is_true => Claim::AtMost(v, high),
        1 => Claim::AtMost(v, high - 1),
        2 if is_true => Claim::AtLeast(v, low),
        2 => Claim::AtLeast(v, low + 1),
        3 if is_true => Claim::Not(
            v,
            (low..high)
                .take(40)
                .find(|value| !counts.contains_key(value))?,
        ),
        3 => {
            let (&rarest, _) = counts.iter().min_by_key(|(_, runs)| **runs)?;
            Claim::Not(v, rarest)
        }
        4 => {
            let modulus = [2, 3, 4, 5, 8][rng.below(5)];
            let (&some, _) = counts.iter().max_by_key(|(_, runs)| **runs)?;
            Claim::Remainder(v, modulus, some % modulus)
        }
        5 if counts.len() <= LISTED => {
            let mut values: Vec<i128> = counts.keys().copied().collect();
            if !is_true && values.len() > 1 {
                let (rarest, _) = counts.iter().min_by_key(|(_, runs)| **runs)?;
                values.retain(|value| value != rarest);
            }
            Claim::OneOf(v, values)
        }
        6 if v != w && is_narrow(seen[v].ty, model) && is_narrow(seen[w].ty, model) => {
            Claim::NotAbove(v, w)
        }
        7 if v != w && is_narrow(seen[v].ty, model) && is_narrow(seen[w].ty, model) => {
            let sums = || view.iter().map(|(values, _)| values[v] + values[w]);
            let (low, high) = (sums().min()?, sums().max()?);
            Claim::SumWithin(v, w, low, high - i128::from(!is_true))
        }
        _ if v != w => {
            let (values, _) = &view[rng.below(view.len())];
            Claim::Implies(v, values[v], w, values[w])
        }
        _ => Claim::Within(v, low, high),
    };
    claim.is_in_range(seen, model).then_some(claim)
}

/// Whether sums and comparisons of such types can be made in `long long`.
fn is_narrow(ty: Ty, model: Model) -> bool {
    ty.bits(model) <= 32
}

impl Claim {
    /// Whether it holds of the values of a probe.
    pub(crate) fn holds(&self, values: &[i128]) -> bool {
        match self {
            Claim::Within(v, low, high) => (low..=high).contains(&&values[*v]),
            Claim::AtLeast(v, low) => values[*v] >= *low,
            Claim::AtMost(v, high) => values[*v] <= *high,
            Claim::Not(v, value) => values[*v] != *value,
            // As C has it: towards zero.
            Claim::Remainder(v, modulus, rest) => values[*v] % modulus == *rest,
            Claim::OneOf(v, list) => list.contains(&values[*v]),
            Claim::NotAbove(v, w) => values[*v] <= values[*w],
            Claim::SumWithin(v, w, low, high) => (low..=high).contains(&&(values[*v] + values[*w])),
            Claim::Implies(v, a, w, b) => values[*v] != *a || values[*w] == *b,
        }
    }

    /// Whether its constants are values of the variables' types.
    fn is_in_range(&self, seen: &[Seen], model: Model) -> bool {
        let fits = |v: usize, value: i128| {
            let (low, high) = seen[v].ty.range(model);
            (low..=high).contains(&value)
        };
        match self {
            Claim::Within(v, low, high) => fits(*v, *low) && fits(*v, *high),
            Claim::AtLeast(v, value) | Claim::AtMost(v, value) | Claim::Not(v, value) => {
                fits(*v, *value)
            }
            Claim::Remainder(v, modulus, rest) => fits(*v, *modulus) && fits(*v, *rest),
            Claim::OneOf(v, list) => list.iter().all(|value| fits(*v, *value)),
            Claim::NotAbove(..) | Claim::SumWithin(..) => true,
            Claim::Implies(v, a, w, b) => fits(*v, *a) && fits(*w, *b),
        }
    }

    /// As C.
    pub(crate) fn text(&self, seen: &[Seen]) -> String {
        let name = |v: usize| &*seen[v].text;
        let constant = |v: usize, value: i128| seen[v].ty.constant(value);
        match self {
            Claim::Within(v, low, high) => format!(
                "{0} >= {1} && {0} <= {2}",
                name(*v),
                constant(*v, *low),
                constant(*v, *high)
            ),
            Claim::AtLeast(v, low) => format!("{} >= {}", name(*v), constant(*v, *low)),
            Claim::AtMost(v, high) => format!("{} <= {}", name(*v), constant(*v, *high)),
            Claim::Not(v, value) => format!("{} != {}", name(*v), constant(*v, *value)),
            Claim::Remainder(v, modulus, rest) => format!(
                "{} % {} == {}",
                name(*v),
                constant(*v, *modulus),
                constant(*v, *rest)
            ),
            Claim::OneOf(v, list) => {
                let equal = |value: &i128| format!("{} == {}", name(*v), constant(*v, *value));
                list.iter().map(equal).collect::<Vec<_>>().join(" || ")
            }
            Claim::NotAbove(v, w) => format!("(long long){} <= {}", name(*v), name(*w)),
            Claim::SumWithin(v, w, low, high) => {
                let sum = format!("(long long){} + {}", name(*v), name(*w));
                let [low, high] = [low, high].map(|value| Ty::LongLong.constant(*value));
                format!("{sum} >= {low} && {sum} <= {high}")
            }
            Claim::Implies(v, a, w, b) => format!(
                "{} != {} || {} == {}",
                name(*v),
                constant(*v, *a),
                name(*w),
                constant(*w, *b)
            ),
        }
    }
}
