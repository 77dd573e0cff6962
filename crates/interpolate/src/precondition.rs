//! Replaces large interpolants by the weakest ones (weakest preconditions) where those are smaller.
//!
//! The weakest interpolant of a cut says what the step above it needs: that no values of the
//! symbols local to that step make it fail. Where equalities determine all such values, as
//! assignments do, it is obtained by substitution. Proofs that go through many cases say much more
//! than that.
//!
//! # Invariants
//! - What replaces an interpolant follows from it, so the step below still holds; the step above
//!   holds by construction.

use logic::{TermId, TermStore};
use prover::Problem;

/// Replaces interpolants with more atoms than `most`, where something smaller is found.
pub fn weaken(
    store: &mut TermStore,
    problem: Problem<'_>,
    interpolants: &mut [TermId],
    most: usize,
) {
    // What is weaker above may have a smaller precondition.
    for cut in (0..interpolants.len()).rev() {
        let old = interpolants[cut];
        if store.atoms(old).len() <= most {
            continue;
        }
        let size = |store: &TermStore, term: TermId| store.below(&[term]).len();
        if let Some(new) = precondition(store, problem, interpolants, cut)
            && size(store, new) < size(store, old)
        {
            interpolants[cut] = new;
        }
    }
}

/// The weakest formula over what is known inside a cut that makes the step above it hold; `None` if
/// equalities do not fix what is not known inside.
fn precondition(
    store: &mut TermStore,
    Problem { parts, shape }: Problem<'_>,
    interpolants: &[TermId],
    cut: usize,
) -> Option<TermId> {
    let parent = shape.parent(cut)?;
    let mut step = vec![parts[parent]];
    let beside = shape.children(parent).filter(|&child| child != cut);
    step.extend(beside.map(|child| interpolants[child]));
    if let Some(&above) = interpolants.get(parent) {
        step.push(store.not(above));
    }
    let step = store.and(&step);
    let inside = &parts[shape.first_below(cut)..=cut];
    let (symbols, functions) = (store.symbols_of(inside), store.functions_of(inside));
    let unknown = &store.symbols_of(&[step]) - &symbols;
    let fails = store.solved(step, &unknown);
    let is_known = store.symbols_of(&[fails]).is_subset(&symbols)
        && store.functions_of(&[fails]).is_subset(&functions);
    if !is_known {
        return None;
    }
    let holds = store.not(fails);
    Some(store.simplify(holds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify;
    use base::Budget;
    use logic::Sort;
    use prover::Shape;

    /// Numbers that are counted up and doubled; what is said about them is put together of cases.
    #[test]
    fn what_an_assignment_needs_replaces_many_cases() {
        let mut store = TermStore::new();
        let names = ["x0", "x1", "x2"];
        let [x0, x1, x2] = names.map(|name| store.fresh(name, Sort::Int));
        let [zero, one, nine, ten] = [0i64, 1, 9, 10].map(|value| store.int(value));
        let (next, twice) = (store.add(x0, one), store.add(x1, x1));
        let start = [store.le(zero, x0), store.le(x0, nine)];
        let twenty = store.add(ten, ten);
        let above = store.lt(twenty, x2);
        let parts = [
            store.and(&start),
            store.eq(x1, next),
            store.eq(x2, twice),
            above,
        ];
        let below = |store: &mut TermStore, term: TermId, from: i64| {
            let cases = (from..from + 10).map(|value| {
                let value = store.int(value);
                store.eq(term, value)
            });
            let cases: Vec<TermId> = cases.collect();
            store.or(&cases)
        };
        let mut labels = [
            below(&mut store, x0, 0),
            below(&mut store, x1, 1),
            store.not(above),
        ];
        let shape = Shape::sequence(4);
        weaken(&mut store, shape.of(&parts), &mut labels, 3);
        let expected = [store.le(x0, nine), store.le(x1, ten), labels[2]];
        assert_eq!(labels, expected);
        let checked = verify(&mut store, shape.of(&parts), &labels, &Budget::unlimited());
        assert_eq!(checked, Ok(()));
    }

    #[test]
    fn a_branch_counts_on_the_one_beside_it() {
        let mut store = TermStore::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| store.fresh(name, Sort::Int));
        let [zero, two, four] = [0i64, 2, 4].map(|value| store.int(value));
        let some = [zero, two].map(|value| store.eq(y, value));
        let sum = store.add(x, y);
        let root = [store.eq(z, sum), store.lt(four, z)];
        let parts = [store.eq(x, two), store.or(&some), store.and(&root)];
        let shape = Shape::tree(&[2, 2]).expect("it should be in order");
        let mut labels = [parts[0], parts[1]];
        weaken(&mut store, shape.of(&parts), &mut labels, 1);
        assert_eq!(labels, [parts[0], store.le(y, two)]);
        let checked = verify(&mut store, shape.of(&parts), &labels, &Budget::unlimited());
        assert_eq!(checked, Ok(()));
    }

    #[test]
    fn what_no_equality_fixes_stays() {
        let mut store = TermStore::new();
        let [x, y] = ["x", "y"].map(|name| store.fresh(name, Sort::Int));
        let zero = store.int(0i64);
        let parts = [store.lt(zero, x), store.lt(x, y), store.lt(y, zero)];
        let mut labels = [parts[0], store.lt(zero, y)];
        let before = labels;
        weaken(&mut store, Shape::sequence(3).of(&parts), &mut labels, 0);
        assert_eq!(labels, before);
    }
}
