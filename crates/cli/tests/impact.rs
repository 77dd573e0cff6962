//! `impact` as people see it: the lock example of the slides in words, as a tree, on a page and in
//! numbers.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod harness;

use harness::{Scratch, json, parts, root, run};

const EDGES: [&str; 4] = ["--engine", "impact", "--blocks", "edge"];

/// A command about the lock example, edge by edge; what it prints.
fn on_lock(words: &[&str]) -> String {
    let lock = root().join("examples/lock.c");
    let words = [words, &EDGES, &[lock.to_str().unwrap()]].concat();
    let (code, stdout, stderr) = parts(&run(&words));
    assert_eq!(code, 0, "{stdout}{stderr}");
    stdout
}

/// An equality the one way and the other is the same label.
fn plain(label: &str) -> String {
    match label.split_once(" = ") {
        Some((one, other)) if other < one => format!("{other} = {one}"),
        Some(_) | None => label.to_owned(),
    }
}

/// The labels of the slides, vertex by vertex below the start: how deep, where, what holds. On the
/// way without `unlock` it is `new = old` up to the test of the loop, which cannot come out then;
/// on the other one it is `L = 0`, with which the head of the loop is covered.
const SLIDES: &[(usize, &str, &str)] = &[
    (1, "cut at line 9", "true"),
    (2, "cut at line 10", "L = 0"),
    (3, "cut at line 10", "L = 0"),
    (4, "loop at line 11", "L = 0"),
    (5, "cut at line 12", "true"),
    (6, "cut at line 13", "true"),
    (7, "cut at line 14", "new = old"),
    (8, "cut at line 15", "new = old"),
    (9, "cut at line 19", "new = old"),
    (10, "loop at line 11, covered by u4", "false"),
    (10, "end at line 19, dead end", "true"),
    (9, "cut at line 15", "true"),
    (10, "cut at line 16", "L = 0"),
    (11, "cut at line 19", "L = 0"),
    (12, "loop at line 11, covered by u4", "L = 0"),
    (12, "end at line 19, dead end", "true"),
    (5, "error at line 12, dead end", "false"),
];

#[test]
fn the_lock_has_the_labels_of_the_slides() {
    let stdout = on_lock(&["dump", "unwinding"]);
    let rows = stdout.lines().skip(1).map(|line| {
        let depth = (line.len() - line.trim_start().len()) / 2;
        let (name, label) = line.trim().split_once(": ").unwrap();
        let (_, place) = name.split_once(' ').unwrap();
        (depth, place.to_owned(), plain(label))
    });
    let slides = SLIDES.iter().map(|&(depth, place, label)| {
        let label = plain(label);
        (depth, place.to_owned(), label)
    });
    assert_eq!(rows.collect::<Vec<_>>(), slides.collect::<Vec<_>>());
}

#[test]
fn the_lock_is_explained() {
    let stdout = on_lock(&["explain"]);
    let told = [
        "from u4 (loop at line 11) on: u5 (cut at line 12), u6 (error at line 12)",
        "dead end  u6 (error at line 12): no error can be reached from here",
        "at u4 (loop at line 11): L = 0",
        "is covered by u4 (loop at line 11)",
        "Verdict: safe",
    ];
    let places = told.map(|words| stdout.find(words));
    assert!(places.iter().all(Option::is_some), "{stdout}");
    assert!(places.is_sorted(), "{places:?}\n{stdout}");
}

#[test]
fn a_page_has_the_picture() {
    let scratch = Scratch::new("impact-page");
    let page = scratch.file("page.html");
    on_lock(&["check", "--html", page.to_str().unwrap()]);
    let page = std::fs::read_to_string(page).unwrap();
    for words in [
        r#""kind":"error","label":["false"],"fate":"dead end""#,
        r#""coverer":4"#,
        "L = 0",
    ] {
        assert!(page.contains(words), "no {words}");
    }
}

#[test]
fn what_it_did_is_counted() {
    let document: serde_json::Value = serde_json::from_str(&on_lock(&["check", "--json"])).unwrap();
    let counters = &document["stats"]["counters"];
    assert_eq!(counters["vertices"], SLIDES.len());
    // One error; the first way back to the head is refuted, the second one kept, for a cover.
    assert_eq!(counters["refinements"], 1, "{counters}");
    assert_eq!(counters["covers"], 2, "{counters}");
    assert_eq!(counters["forced_covers_held"], 2, "{counters}");
    let tried = counters["forced_covers_tried"].as_u64().unwrap();
    assert!((2..10).contains(&tried), "{counters}");
}

#[test]
fn options_are_for_engines_that_have_them() {
    let lock = root().join("examples/lock.c");
    let lock = lock.to_str().unwrap();
    let words = [
        "check",
        "--json",
        "--engine",
        "impact",
        "--invariants",
        lock,
    ];
    assert_eq!(json(&run(&words)).unwrap()["verdict"], "safe");
    let words = [
        "dump",
        "unwinding",
        "--engine",
        "gps",
        "--blocks",
        "edge",
        lock,
    ];
    let (code, _, stderr) = parts(&run(&words));
    assert_eq!(code, 2);
    assert!(stderr.contains("means nothing to engine `gps`"), "{stderr}");
}
