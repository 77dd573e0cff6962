//! Random programs get the verdicts of their runs: the short version of `cargo xtask verdicts`.

use std::path::PathBuf;
use std::time::Duration;
use verdicts::Options;

#[test]
fn random_programs_get_the_verdicts_of_their_runs() {
    let options = Options {
        count: 30,
        seed: 3,
        first: 0,
        timeout: Duration::from_secs(3),
        jobs: 2,
        cairn: PathBuf::from(env!("CARGO_BIN_EXE_cairn")),
        out: None,
        engine: None,
        progress: false,
    };
    let Some(report) = verdicts::run(&options).expect("the campaign should run") else {
        let required = std::env::var("CAIRN_REQUIRE").unwrap_or_default();
        let is_required = required
            .split(',')
            .any(|tool| tool == "all" || tool == "gcc");
        assert!(!is_required, "there is no gcc with sanitizers");
        eprintln!("skipped: there is no gcc with sanitizers");
        return;
    };
    assert!(report.is_clean(), "\n{}", report.text());
    // A slow machine decides less, but never nothing.
    assert!(
        report.decided() * 3 > report.checks(),
        "\n{}",
        report.text()
    );
}
