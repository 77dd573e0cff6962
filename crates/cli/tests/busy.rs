//! The same answer on a busy machine and on an idle one: documents and certificates are compared,
//! without what says how long it took.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod harness;

use harness::{Scratch, cairn, files, json, root};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many programs are compared.
const PROGRAMS: usize = 10;

/// The document and the witness of a program.
fn answer(program: &Path, scratch: &Scratch) -> (serde_json::Value, String) {
    let witness = scratch.file("witness.yml");
    let output = cairn()
        .args(["check", "--json", "--timeout", "60", "--witness"])
        .arg(&witness)
        .arg(program)
        .output()
        .unwrap();
    let mut document = json(&output).unwrap_or_else(|error| panic!("{error}"));
    let stats = document["stats"].as_object_mut().unwrap();
    assert!(stats.remove("seconds").is_some());
    let witness = std::fs::read_to_string(&witness).unwrap_or_default();
    let same = witness
        .lines()
        .filter(|line| !line.contains("uuid:") && !line.contains("creation_time:"));
    (document, same.collect::<Vec<_>>().join("\n"))
}

/// Runs something beside threads that keep all cores busy.
fn beside_a_load<R>(work: impl FnOnce() -> R) -> R {
    let is_over = AtomicBool::new(false);
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..3 * cores {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let result = work();
        is_over.store(true, Ordering::Relaxed);
        result
    })
}

#[test]
fn a_load_changes_no_answer() {
    let scratch = Scratch::new("busy");
    let all = files(&root().join("tests/programs/power"), "c");
    let programs: Vec<_> = all.iter().step_by(all.len() / PROGRAMS).collect();
    assert!(programs.len() >= PROGRAMS);
    let mut certificates = 0;
    for program in programs {
        let idle = answer(program, &scratch);
        let busy = beside_a_load(|| answer(program, &scratch));
        assert_eq!(idle, busy, "{}", program.display());
        certificates += usize::from(!idle.1.is_empty());
    }
    assert!(certificates * 2 > PROGRAMS, "{certificates}");
}
