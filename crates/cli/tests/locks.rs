//! Programs with any number of locks: what it takes `predabs` to prove them, with predicates that are
//! tracked where they are needed and with predicates that are tracked everywhere.
//!
//! ```text
//! CAIRN_RECORD=1 cargo test -p cairn-cli --test locks
//! ```
//!
//! writes what it took to `docs/locks.csv`, and the picture `docs/locks.svg`.

mod harness;

use harness::{Scratch, json, parts, root, run};
use serde_json::Value;
use std::fmt::Write;

/// The effort after which a program counts as too much.
const MOST: &str = "4000000";

/// Each of some locks is held around a loop, or not: all of that is chosen first.
fn program(locks: usize) -> String {
    let mut text = "extern int __VERIFIER_nondet_int(void);\n\
                    extern void reach_error(void);\n\
                    int main(void) {\n"
        .to_owned();
    for lock in 0..locks {
        let _ = writeln!(
            text,
            "  int p{lock} = __VERIFIER_nondet_int(), lk{lock} = 0;"
        );
    }
    for lock in 0..locks {
        let _ = writeln!(
            text,
            "  if (p{lock}) lk{lock} = 1;\n  \
             while (__VERIFIER_nondet_int()) {{ }}\n  \
             if (p{lock}) {{ if (lk{lock} != 1) reach_error(); lk{lock} = 0; }}"
        );
    }
    text + "  return 0;\n}\n"
}

/// The example of the slides.
const LOCK: &str = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int L = 0, old, new = __VERIFIER_nondet_int();
  do {
    assert(L == 0);
    L = 1;
    old = new;
    if (__VERIFIER_nondet_int()) {
      L = 0;
      new++;
    }
  } while (new != old);
}
";

#[test]
fn the_lock_example_is_told_as_on_the_slides() {
    let scratch = Scratch::new("lock");
    let file = scratch.write("lock.c", LOCK);
    let told = [
        "explain",
        "--engine",
        "predabs",
        "--blocks",
        "edge",
        "--verbose",
        &file,
    ];
    let (code, stdout, _) = parts(&run(&told));
    assert_eq!(code, 0, "{stdout}");
    // The error right after the start, then with the lock held after an iteration, then the cover.
    let mut rest = stdout.as_str();
    for expected in [
        "(loop at line 5): L = 0 is tracked",
        "removed, to be found anew",
        "(error at line 6): false",
        "(cut at line 13): old = new is tracked",
        "removed, to be found anew",
        "(cut at line 13): old = new",
        "(loop at line 5): false",
        "(loop at line 5): L = 0",
        "(loop at line 5) is covered by",
        "Verdict: safe",
    ] {
        let Some(at) = rest.find(expected) else {
            panic!("no `{expected}` in {rest}");
        };
        rest = &rest[at + expected.len()..];
    }
    let tracked = stdout.lines().filter(|line| line.contains("is tracked"));
    assert!(
        tracked
            .into_iter()
            .all(|line| line.contains("L = 0") || line.contains("old = new"))
    );
    let (code, stdout, _) = parts(&run(&["dump", "unwinding", "--engine", "predabs", &file]));
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.contains("L = 0"), "{stdout}");
}

/// What it takes to prove a program, or nothing where it takes too much.
fn stats(scratch: &Scratch, locks: usize, scope: &str) -> Option<Value> {
    let file = scratch.write(&format!("locks_{locks}.c"), program(locks));
    let words = [
        "check",
        "--engine",
        "predabs",
        "--predicates",
        scope,
        "--effort",
        MOST,
        "--timeout",
        "300",
        "--json",
        &file,
    ];
    let document = json(&run(&words)).expect("a document");
    match document["verdict"].as_str() {
        Some("safe") => Some(document["stats"].clone()),
        Some("unknown") => None,
        other => panic!("{locks} locks, {scope}: {other:?}"),
    }
}

fn effort(stats: &Value) -> u64 {
    stats["effort"].as_u64().expect("an effort")
}

#[test]
fn local_predicates_take_a_linear_number_of_posts_and_global_ones_an_exponential_effort() {
    let scratch = Scratch::new("locks");
    let mut posts = Vec::new();
    let local: Vec<(usize, u64)> = [5, 10, 20, 40]
        .into_iter()
        .map(|locks| {
            let stats = stats(&scratch, locks, "local").expect("a proof");
            let counters = &stats["counters"];
            // The two of its own lock.
            assert_eq!(counters["most_predicates_at_a_location"], 2, "{counters}");
            assert_eq!(counters["predicates"], 2 * locks as u64, "{counters}");
            posts.push(counters["posts"].as_u64().expect("a count"));
            (locks, effort(&stats))
        })
        .collect();
    let global: Vec<(usize, u64)> = [5, 6, 7, 8, 20]
        .into_iter()
        .filter_map(|locks| Some((locks, effort(&stats(&scratch, locks, "global")?))))
        .collect();
    let shown = format!("local {local:?}, global {global:?}");
    for pair in posts.windows(2) {
        // Twice the locks, twice the posts, and some slack.
        assert!(5 * pair[1] <= 11 * pair[0], "{posts:?}");
    }
    for pair in local.windows(2) {
        // Their paths are longer, too: each question costs a little more.
        assert!(pair[1].1 <= 4 * pair[0].1, "{shown}");
    }
    assert!(global.len() >= 3, "{shown}");
    assert!(global.iter().all(|&(locks, _)| locks < 20), "{shown}");
    let (first, last) = (global[0], global[global.len() - 1]);
    let doubled = (last.0 - first.0) as u32;
    assert!(last.1 > first.1 * 2u64.pow(doubled) / 2, "{shown}");
    if std::env::var_os("CAIRN_RECORD").is_some() {
        record(&[("local", local), ("global", global)]);
    }
}

/// Writes the figures and their picture.
fn record(curves: &[(&str, Vec<(usize, u64)>)]) {
    let mut table = "predicates,locks,effort\n".to_owned();
    let (width, height, margin) = (420.0, 260.0, 45.0);
    let across = |locks: usize| margin + (width - 2.0 * margin) * locks as f64 / 40.0;
    // From a thousand to a hundred million units.
    let up = |effort: f64| height - margin - (height - 2.0 * margin) * (effort.log10() - 3.0) / 5.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n\
         <title>Effort over the number of locks</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for exponent in 3..=8 {
        let y = up(10f64.powi(exponent));
        let (left, right) = (across(0), across(40));
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {y}H{right}\" stroke=\"#ddd\"/><text x=\"8\" y=\"{y}\">1e{exponent}</text>"
        );
    }
    for locks in [5, 10, 20, 40] {
        let (x, y) = (across(locks), height - margin + 16.0);
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{locks}</text>"
        );
    }
    let (middle, bottom) = (width / 2.0, height - 10.0);
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{bottom}\" text-anchor=\"middle\">locks</text>\n\
         <text x=\"8\" y=\"20\">effort</text>"
    );
    for ((name, points), colour) in curves.iter().zip(["#0072b2", "#d55e00"]) {
        let mut path = String::new();
        for &(locks, effort) in points {
            let _ = writeln!(table, "{name},{locks},{effort}");
            let letter = if path.is_empty() { 'M' } else { 'L' };
            let _ = write!(
                path,
                "{letter}{:.1} {:.1}",
                across(locks),
                up(effort as f64)
            );
        }
        let _ = writeln!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        );
        if let Some(&(locks, effort)) = points.last() {
            let (x, y) = (across(locks) - 30.0, up(effort as f64) - 8.0);
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{colour}\">{name}</text>"
            );
        }
    }
    svg.push_str("</svg>\n");
    let docs = root().join("docs");
    std::fs::write(docs.join("locks.csv"), table).expect("the table should be writable");
    std::fs::write(docs.join("locks.svg"), svg).expect("the picture should be writable");
}
