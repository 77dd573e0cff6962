//! Arrays, from step to step.

use super::super::verify;
use super::*;
use logic::Sort;
use prover::Shape;

/// Two writes one after the other; what the first wrote is still there.
#[test]
fn writes_to_arrays_are_told_from_step_to_step() {
    let mut store = TermStore::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| store.fresh(name, Sort::Array));
    let [i, j, v, w] = ["i", "j", "v", "w"].map(|name| store.fresh(name, Sort::Int));
    let (first, second) = (store.store(a, i, v), store.store(b, j, w));
    let apart = store.lt(i, j);
    let step = store.eq(c, second);
    let read = store.select(c, i);
    let kept = store.eq(read, v);
    let parts = [
        store.eq(b, first),
        store.and(&[step, apart]),
        store.not(kept),
    ];
    let (shape, budget) = (Shape::sequence(3), Budget::unlimited());
    let labels = interpolate(&mut store, shape.of(&parts), &budget).expect("reads should do");
    assert_eq!(
        verify(&mut store, shape.of(&parts), &labels, &budget),
        Ok(())
    );
    let read = store.select(b, i);
    assert_eq!(labels, [store.eq(read, v), kept]);
}
