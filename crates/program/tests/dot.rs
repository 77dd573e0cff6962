//! Pictures of random programs.

use program::dot;
use program::ir::{Procedure, Program};
use program::pass::loops::LoopNest;
use testkit::random;

#[test]
fn quotes_are_balanced_and_every_location_stands_there() {
    for seed in 0..40 {
        let sample = random::program(seed, 20);
        let picture = dot::program(&sample, None);
        let unescaped = picture.replace("\\\\", "").replace("\\\"", "");
        assert!(
            unescaped
                .lines()
                .all(|line| line.matches('"').count() % 2 == 0)
        );
        assert_eq!(picture.matches('{').count(), picture.matches('}').count());
        for (proc, procedure) in sample.procs.iter_enumerated() {
            for location in procedure.locations.ids() {
                assert!(picture.contains(&format!("\n{proc}_{location} [label=")));
            }
        }
        let errors = sample.error_locations().count();
        assert_eq!(picture.matches("shape=octagon").count(), errors);
    }
}

#[test]
fn marks_loop_heads() {
    let heads = |sample: &Program| -> usize {
        let heads = |procedure: &Procedure| LoopNest::new(procedure).loops.len();
        sample.procs.iter().map(heads).sum()
    };
    let (seed, sample) = (0..)
        .map(|seed| (seed, random::program(seed, 30)))
        .find(|(_, sample)| heads(sample) > 1)
        .unwrap();
    let picture = dot::program(&sample, None);
    assert!(picture.starts_with("digraph \"program\""), "seed {seed}");
    assert_eq!(picture.matches("doublecircle").count(), heads(&sample));
}
