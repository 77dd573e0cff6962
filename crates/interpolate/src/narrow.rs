//! The segment of a sequence that is inconsistent by itself.
//!
//! A long path is often infeasible for a short reason, and for several. Before the segment
//! interpolants are true, after it false, and the proof is smaller. The shortest suffix is looked
//! for first: it is infeasible regardless of the path that leads to it.

use base::Budget;
use logic::{TermId, TermStore};
use prover::{Answer, Limits, Problem, Shape, refute};
use std::ops::Range;

/// Enough to see whether a segment will do; one that takes more is not worth it.
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
    let stretch = failing_stretch(parts.len(), |tried| {
        let shape = Shape::sequence(tried.len());
        let answer = refute(store, shape.of(&parts[tried.clone()]), LIMITS, budget);
        let Answer::Refuted(refutation) = answer else {
            return None;
        };
        let (first, last) = refutation.parts()?;
        Some(tried.start + first..tried.start + last + 1)
    });
    let nothing = store.bool(true);
    let kept = parts.iter().enumerate();
    kept.map(|(at, &part)| if stretch.contains(&at) { part } else { nothing })
        .collect()
}

/// The segment of so many parts that begins latest, and ends earliest from there, of those that
/// fail. `fails` tries one, and has the segment of it that its proof is about. The whole is said to
/// fail; if that is not found, it stays.
fn failing_stretch(
    count: usize,
    mut fails: impl FnMut(Range<usize>) -> Option<Range<usize>>,
) -> Range<usize> {
    // Short ends are cheap.
    let (mut found, mut passed) = (None, 0);
    while found.is_none() && passed < count {
        let length = (2 * passed).clamp(1, count);
        found = fails(count - length..count);
        if found.is_none() {
            passed = length;
        }
    }
    let mut stretch = found.unwrap_or(0..count);
    greatest(stretch.start, count - passed.min(count - 1), |start| {
        stretch = fails(start..count)?;
        Some(stretch.start)
    });
    let start = stretch.start;
    let left_out = greatest(count - stretch.end, count - start, |left_out| {
        Some(count - fails(start..count - left_out)?.end)
    });
    start..count - left_out
}

/// The greatest number below a limit that passes a test, which all smaller ones pass too: `known`
/// does, and the test has a number that is as large as the one it is given and passes. Those next
/// to what is known are tried first, since a proof mostly shows how far one can go.
fn greatest(
    mut known: usize,
    mut limit: usize,
    mut passes: impl FnMut(usize) -> Option<usize>,
) -> usize {
    let mut step = 1;
    while limit - known > 1 {
        let tried = known + step.min((limit - known) / 2);
        match passes(tried) {
            Some(passed) => (known, step) = (passed, 2 * step),
            None => (limit, step) = (tried, 1),
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::Sort;

    #[test]
    fn the_stretch_that_begins_last_is_found_with_short_tries() {
        for count in 1..30usize {
            for start in 0..count {
                for end in start + 1..=count {
                    let mut longest = 0;
                    let found = failing_stretch(count, |tried| {
                        longest = longest.max(tried.len());
                        let fails = tried.start <= start && end <= tried.end;
                        // A proof may be about more than the least.
                        let spare = tried.end.min(end + 2);
                        fails.then(|| tried.start.max(start.saturating_sub(1))..spare)
                    });
                    assert_eq!(found, start..end, "of {count}");
                    assert!(
                        longest <= 2 * (count - start),
                        "{longest} for {start} of {count}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_proof_about_all_is_taken_at_its_word() {
        let mut tries = 0;
        let found = failing_stretch(1000, |tried| {
            tries += 1;
            (tried == (0..1000)).then_some(tried)
        });
        assert_eq!(found, 0..1000);
        assert!(tries < 15, "{tries} tries");
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
