//! Random problems: every answer is checked by a solver state of its own.

use super::*;
use logic::random;
use std::time::Duration;

#[test]
fn random_problems_have_interpolants_that_check() {
    let mut interpolator = Interpolator::new(Layers::ALL);
    let (mut solved, mut unknown) = (0, Vec::new());
    for seed in 0..200 {
        let mut store = TermStore::new();
        let problem = random::problem(&mut store, seed, &random::Options::default());
        let shape = Shape::tree(&problem.parents).expect("the parts should be in order");
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(10));
        let parts = &problem.parts;
        match interpolator.interpolate(&mut store, parts, &shape, &budget) {
            Interpolation::Interpolants(interpolants) => {
                solved += 1;
                let checked = verify(&mut store, parts, &shape, &interpolants, &budget);
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
    assert!(solved > 150, "only {solved} were inconsistent");
    assert_eq!(unknown, [], "of 200");
}
