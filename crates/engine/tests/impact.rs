//! The engine that `docs/add-an-engine.md` quotes: on programs of `tests/programs` it says what their
//! headers say, with proofs and traces that are checked, in every configuration.

#[path = "common/c.rs"]
mod c;

use base::Budget;
use certify::Verdict;
use cfront::preprocess::{Preprocess, load};
use engine::impact::Impact;
use engine::{Blocks, Options, Task, decide};
use std::path::Path;
use std::time::Duration;

/// The programs, below `tests/programs`.
const PROGRAMS: &[&str] = &[
    "control/break_leaves_inner_loop.c",
    "control/switch_falls_through.c",
    "inputs/combination_lock.c",
    "integers/unsigned_wraps.c",
    "power/congruence/pairs_leave_nothing.c",
    "power/counting/never_below_the_start.c",
    "power/counting/two_readers_same_pace.c",
    "power/counting/limit_reached_from_an_input.c",
    "power/disjunctions/one_of_three_rooms.c",
    "power/functions/minimum_by_calls.c",
    "power/keys/two_wards.c",
    "power/locks/lock_and_unlock.c",
    "power/locks/semaphore_of_three.c",
    "power/machines/traffic_light.c",
    "power/related/difference_of_inputs.c",
    "power/relations/sorted_pair.c",
    "power/resets/day_of_the_week.c",
    "power/sequences/release_without_hold.c",
    "power/wraps/unsigned_never_negative.c",
];

fn task(path: &Path, options: Options) -> Task {
    let text = load(path, &Preprocess::default()).expect("the program should be there");
    Task {
        options,
        ..c::task(text).0
    }
}

/// What the header of a program expects.
fn expected(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("the program should be there");
    let mut lines = text.lines();
    let line = lines.find_map(|line| line.strip_prefix("// expect: "));
    let words = line.expect("the program should say what to expect");
    words
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_owned()
}

fn verdict(path: &Path, options: Options) -> String {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
    let checking = || Budget::unlimited().with_timeout(Duration::from_secs(20));
    match decide(&Impact, &task(path, options), &budget, checking) {
        Verdict::Safe(_) => "safe".to_owned(),
        Verdict::Unsafe(_) => "unsafe".to_owned(),
        Verdict::Unknown(reason) => format!("unknown: {}", reason.message),
    }
}

/// Large blocks, single edges, and large blocks with invariants.
fn configurations() -> [Options; 3] {
    let large = Options::default();
    let edges = Options {
        blocks: Blocks::Edge,
        ..large
    };
    let known = Options {
        invariants: true,
        ..large
    };
    [large, edges, known]
}

#[test]
fn decides_programs_as_their_headers_say() {
    interpolate::verify_all();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut problems = Vec::new();
    for program in PROGRAMS {
        let path = folder.join(program);
        let expected = expected(&path);
        for options in configurations() {
            let found = verdict(&path, options);
            if found != expected {
                problems.push(format!("{program}, {options:?}: {expected}, not {found}"));
            }
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// What the document quotes is the code that was compiled.
#[test]
fn the_document_quotes_the_engine() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(folder.join("../../docs/add-an-engine.md"));
    let text = text.expect("the document should be there");
    let (_, section) = text
        .split_once("## 5. An engine on the kit")
        .expect("the section should be there");
    let plain = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let code = plain(include_str!("../src/impact/search.rs"));
    let quotes: Vec<&str> = section.split("```rust\n").skip(1).collect();
    assert!(quotes.len() >= 5, "{}", quotes.len());
    for quote in quotes {
        let (quote, _) = quote.split_once("```").expect("a quote should end");
        let quote = plain(quote);
        assert!(
            code.contains(quote.trim_end()),
            "not in the engine:\n{quote}"
        );
    }
}
