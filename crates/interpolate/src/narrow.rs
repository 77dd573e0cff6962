//! The stretch of a sequence that is inconsistent by itself.
//!
//! A long path often fails for a short reason, and for several. Before the stretch interpolants are
//! true, after it false, and the proof is about less. The shortest stretch at the end is looked for
//! first: what fails there fails however one came to it.

use base::Budget;
use logic::{TermId, TermStore};
use prover::{Answer, Limits, Problem, Shape, refute};

/// Enough to see whether a stretch will do; one that takes more is not worth it.
const LIMITS: Limits = Limits {
    conflicts: 50,
    splits: 10,
    pivots: 1_000,
};

/// Parts that are inconsistent if the given ones are, without some of those at either end. Trees
/// stay as they are.
pub fn narrowed(
    store: &mut TermStore,
    Problem { parts, shape }: Problem<'_>,
    budget: &Budget,
) -> Vec<TermId> {
    if !shape.is_sequence() {
        return parts.to_vec();
    }
    let mut fails = |stretch: &[TermId]| {
        let shape = Shape::sequence(stretch.len());
        let answer = refute(store, shape.of(stretch), LIMITS, budget);
        matches!(answer, Answer::Refuted(_))
    };
    let first = parts.len() - least(parts.len(), |count| fails(&parts[parts.len() - count..]));
    let rest = &parts[first..];
    let end = first + least(rest.len(), |count| fails(&rest[..count]));
    let nothing = store.bool(true);
    let is_needed = |part: usize| (first..end).contains(&part);
    let kept = parts.iter().enumerate();
    kept.map(|(at, &part)| if is_needed(at) { part } else { nothing })
        .collect()
}

/// The least number that passes a test which all numbers from there to `most` pass; `most` itself is
/// not tried. Small numbers are tried first, since they are cheap.
fn least(most: usize, mut passes: impl FnMut(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, most);
    let mut reach = 1;
    while high - low > 1 {
        let middle = (low + reach).min((low + high) / 2);
        if passes(middle) {
            high = middle;
            reach = most;
        } else {
            low = middle;
            reach *= 2;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::Sort;

    #[test]
    fn the_least_is_found_with_small_tries_first() {
        for most in 1..40 {
            for least_one in 1..=most {
                let mut tried = Vec::new();
                let found = least(most, |number| {
                    tried.push(number);
                    number >= least_one
                });
                assert_eq!(found, least_one, "of {most}");
                let largest = tried.iter().max().copied().unwrap_or(0);
                assert!(
                    largest < 2 * least_one.max(1) + 1,
                    "{tried:?} for {least_one}"
                );
            }
        }
    }

    #[test]
    fn what_fails_for_a_short_reason_is_narrowed_to_it() {
        let mut store = TermStore::new();
        let names = ["x", "y", "z", "w"];
        let [x, y, z, w] = names.map(|name| store.fresh(name, Sort::Int));
        let zero = store.int(0i64);
        let parts = [
            store.lt(zero, x),
            store.lt(x, zero),
            store.lt(zero, y),
            store.lt(y, z),
            store.lt(z, zero),
            store.lt(w, z),
        ];
        let nothing = store.bool(true);
        let shape = Shape::sequence(parts.len());
        let narrow = narrowed(&mut store, shape.of(&parts), &Budget::unlimited());
        let expected = [nothing, nothing, parts[2], parts[3], parts[4], nothing];
        assert_eq!(narrow, expected);
    }

    #[test]
    fn what_has_a_model_stays() {
        let mut store = TermStore::new();
        let x = store.fresh("x", Sort::Int);
        let zero = store.int(0i64);
        let parts = [store.lt(zero, x), store.le(zero, x), store.le(zero, x)];
        let shape = Shape::sequence(parts.len());
        let narrow = narrowed(&mut store, shape.of(&parts), &Budget::unlimited());
        assert_eq!(narrow, parts);
    }
}
