//! Random problems: every answer is checked by a separate solver state.

use super::*;
use prover::Shape;
use std::time::Duration;
use testkit::problems as random;

/// How many of some random problems were solved, and which were not.
fn solve(layers: Layers, seeds: std::ops::Range<u64>) -> (usize, Vec<(u64, String)>) {
    let mut interpolator = Interpolator::new(layers);
    let (mut solved, mut unknown) = (0, Vec::new());
    for seed in seeds {
        let mut store = TermStore::new();
        let problem = random::problem(&mut store, seed, &random::Options::default());
        let shape = Shape::tree(&problem.parents).expect("the parts should be in order");
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(10));
        let parts = &problem.parts;
        match interpolator.interpolate(&mut store, shape.of(parts), &budget) {
            Interpolation::Interpolants(interpolants) => {
                solved += 1;
                let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
                let checked = verify(&mut store, shape.of(parts), &interpolants, &budget);
                assert_eq!(checked, Ok(()), "seed {seed}");
            }
            Interpolation::Consistent(model) => {
                for &part in parts {
                    assert!(model.satisfies(&store, part), "seed {seed}");
                }
            }
            Interpolation::Unknown(reason) => unknown.push((seed, reason)),
        }
    }
    (solved, unknown)
}

#[test]
fn random_problems_have_interpolants_that_check() {
    let (solved, unknown) = solve(Layers::ALL, 0..150);
    assert!(solved > 110, "only {solved} were inconsistent");
    assert_eq!(unknown, [], "of 150");
}

/// Every layer by itself; what it cannot do it says.
#[test]
fn every_layer_can_be_used_alone() {
    let none = Layers {
        proof: false,
        core: false,
        cubes: false,
        generalise: false,
    };
    let proof = Layers {
        proof: true,
        ..none
    };
    let core = Layers { core: true, ..none };
    let cubes = Layers {
        cubes: true,
        ..none
    };
    for layers in [proof, core, cubes] {
        let (solved, _) = solve(layers, 1000..1030);
        assert!(solved > 20, "{layers:?} solved only {solved}");
    }
    let (solved, _) = solve(none, 1000..1030);
    assert_eq!(solved, 0);
}

/// Figure 2 of Abstractions from Proofs: the labels are its predicates.
#[test]
fn the_trace_of_a_counter_has_its_predicates() {
    let mut store = TermStore::new();
    let names = ["x1", "ctr0", "ctr1", "y2", "m0"];
    let [x, ctr0, ctr1, y, m] = names.map(|name| store.fresh(name, logic::Sort::Int));
    let one = store.int(1i64);
    let (next, after_m) = (store.add(ctr0, one), store.add(m, one));
    let differs = store.eq(y, after_m);
    let parts = [
        store.eq(x, ctr0),
        store.eq(ctr1, next),
        store.eq(y, ctr1),
        store.eq(x, m),
        store.not(differs),
    ];
    let (before_ctr, before_y) = (store.sub(ctr1, one), store.sub(y, one));
    let expected = [
        store.eq(x, ctr0),
        store.eq(x, before_ctr),
        store.eq(x, before_y),
        store.eq(y, after_m),
    ];
    let mut interpolator = Interpolator::new(Layers::ALL);
    let shape = Shape::sequence(5);
    match interpolator.interpolate(&mut store, shape.of(&parts), &Budget::unlimited()) {
        Interpolation::Interpolants(found) => assert_eq!(found, expected),
        other => panic!("{other:?}"),
    }
}
