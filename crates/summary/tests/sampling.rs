//! Runs of the machine are inside what summaries say. `cargo xtask summaries` is the long form.

mod common;

use common::prepared;
use sampling::{Sampling, Tally, sample, texts};
use std::time::Duration;
use summary::Level;

fn sampling(wraps: bool) -> Sampling {
    Sampling {
        wraps,
        level: Level::Phases,
        runs: 8,
        samples: 12,
        seed: 0,
        time: Duration::from_secs(2),
    }
}

fn check(wraps: bool) -> Tally {
    let mut all = Tally::default();
    for seed in 0..6 {
        let text = texts::loops(seed);
        let tally = sample(&prepared(&text), &sampling(wraps));
        assert!(
            tally.outside.is_empty(),
            "seed {seed}:\n{text}{}",
            tally.outside.join("\n")
        );
        all.add(tally);
    }
    all
}

#[test]
fn runs_that_wrap_are_inside() {
    let tally = check(true);
    assert!(tally.pairs > 30 && tally.errors > 10, "{tally:?}");
    assert!(tally.unknown * 20 < tally.inside(), "{tally:?}");
}

#[test]
fn runs_that_do_not_wrap_are_inside() {
    let tally = check(false);
    assert!(tally.pairs > 30 && tally.errors > 10, "{tally:?}");
    assert!(tally.unknown * 20 < tally.inside(), "{tally:?}");
}
