//! Reports that no search has led to, to try everything that a page can show.

use base::{Position, Rng};
use report::Answer;
use report::answer::{Assigned, Covered, Event, Input, Loop, Note, SourceFile, Step, Vertex};
use report::place::Place;

/// What a program's text may try to do to a page.
pub(crate) const HOSTILE: &str = "/* </script><script>window.broken = 1</script><img src=x onerror='window.broken = 2'> <!-- \u{2028} */";

const LINES: &[&str] = &[
    "int twice(int x) {",
    "  return x + x;",
    "}",
    HOSTILE,
    "int main(void) {",
    "  int n = __VERIFIER_nondet_int(), sum = 0;",
    "  for (int i = 0; i < n; i++)",
    "    sum = twice(i);",
    "  assert(sum != 6);",
    "}",
];

fn place(line: u32) -> Option<Place> {
    let text = LINES[line as usize - 1];
    let start = text.len() - text.trim_start().len();
    let position = Position {
        file: "folder/sample.c".into(),
        line,
        column: start as u32 + 1,
    };
    let source = base::place::SourceExcerpt {
        position,
        text: text.to_owned(),
        range: start..text.len(),
    };
    Some(Place {
        source,
        file: Some(0),
    })
}

fn assigned(name: &str, value: i64, matters: bool) -> Assigned {
    Assigned {
        name: name.to_owned(),
        value: value.to_string(),
        matters,
        is_global: false,
    }
}

fn step(line: u32, function: &str, depth: usize, values: Vec<Assigned>) -> Step {
    Step {
        place: place(line),
        function: function.to_owned(),
        depth,
        indent: depth,
        values,
        matters: true,
        ..Step::default()
    }
}

fn steps() -> Vec<Step> {
    let mut steps = vec![step(
        6,
        "main",
        0,
        vec![assigned("n", 4, true), assigned("sum", 0, false)],
    )];
    for iteration in [1, 4] {
        let i = iteration - 1;
        steps.push(Step {
            iteration: Some(iteration as u64),
            skipped: if iteration == 4 { 2 } else { 0 },
            ..step(7, "main", 0, vec![assigned("i", i, true)])
        });
        steps.push(step(8, "main", 0, Vec::new()));
        steps.push(Step {
            arguments: Some(vec![assigned("x", i, true)]),
            ..step(2, "twice", 1, Vec::new())
        });
        steps.push(step(8, "main", 0, vec![assigned("sum", 2 * i, true)]));
    }
    steps.push(step(9, "main", 0, Vec::new()));
    steps
}

fn loops() -> Vec<Loop> {
    vec![Loop {
        place: place(7),
        function: "main".to_owned(),
        invariant: vec!["0 <= i".to_owned(), "sum <= 2 * i".to_owned()],
        intro: "any number of iterations:".to_owned(),
        always: vec!["n' == n".to_owned()],
        summary: vec![vec!["i' >= i".to_owned()], vec!["i' == i".to_owned()]],
        exact: true,
    }]
}

/// A chain of a loop's heads, each with an exit that is a dead end; the last head is covered.
fn unwinding() -> Vec<Vertex> {
    let vertex = |parent, line, kind: &'static str, fate: &'static str, label: &[&str]| Vertex {
        parent,
        place: place(line),
        kind,
        label: label.iter().map(|&conjunct| conjunct.to_owned()).collect(),
        fate,
        ..Vertex::default()
    };
    let mut covered = vertex(Some(3), 7, "loop", "open", &["0 <= i", HOSTILE]);
    covered.coverer = Some(1);
    vec![
        vertex(None, 5, "root", "expanded", &[]),
        vertex(Some(0), 7, "loop", "expanded", &["0 <= i"]),
        vertex(Some(1), 9, "error", "dead end", &["sum <= 4"]),
        vertex(Some(1), 7, "loop", "expanded", &["1 <= i"]),
        vertex(Some(3), 9, "error", "failed", &[]),
        covered,
    ]
}

fn story() -> Vec<Event> {
    let event = |kind: &'static str, text: &str, line, vertices: &[usize]| Event {
        kind,
        text: text.to_owned(),
        place: place(line),
        vertices: vertices.to_vec(),
        facts: vec!["0 <= i".to_owned()],
    };
    vec![
        event(
            "summary",
            "The loop was summed up, with `i` growing.",
            7,
            &[],
        ),
        event("test", "A test took two iterations.", 8, &[1, 3]),
        event("cover", "u5 is covered by u1.", 7, &[5, 1]),
    ]
}

/// A small report with something in every part.
pub(crate) fn small() -> Answer {
    Answer {
        tool: "cairn".to_owned(),
        command: format!("cairn check {HOSTILE}"),
        verdict: "unsafe",
        headline: format!("assertion failed: `sum != 6` {HOSTILE}"),
        place: place(9),
        notes: vec![Note {
            text: HOSTILE.to_owned(),
            place: place(7),
        }],
        help: vec!["more time: `--timeout 2m`".to_owned()],
        operands: vec![Note {
            text: "sum = 6".to_owned(),
            place: place(9),
        }],
        assumptions: vec!["`malloc` never fails".to_owned(), HOSTILE.to_owned()],
        files: vec![SourceFile {
            name: "folder/sample.c".to_owned(),
            lines: LINES.iter().map(|&line| line.to_owned()).collect(),
        }],
        inputs: vec![Input {
            name: "__VERIFIER_nondet_int".to_owned(),
            kind: "nondet",
            value: "4".to_owned(),
            place: place(6),
            ..Input::default()
        }],
        steps: steps(),
        coverage: [(2, 4), (6, 1), (7, 5), (8, 4), (9, 1), (10, 0)]
            .map(|(line, count)| Covered {
                file: 0,
                line,
                count,
            })
            .to_vec(),
        covered_by: "the failing run".to_owned(),
        loops: loops(),
        unwinding: unwinding(),
        story: story(),
        statistics: vec![("Vertices".to_owned(), "6".to_owned())],
        timings: vec![("Reading".to_owned(), 0.25), ("Deciding".to_owned(), 0.75)],
        ..Answer::default()
    }
}

/// The same with an unwinding of many vertices, deep and wide, and a long story.
pub(crate) fn large(vertices: usize) -> Answer {
    let mut random = Rng::new(7);
    let mut unwinding = vec![Vertex {
        kind: "root",
        fate: "expanded",
        ..Vertex::default()
    }];
    for at in 1..vertices {
        let reach = if at % 3 == 0 { 4 } else { 400_usize };
        let parent = at - 1 - random.below(reach.min(at));
        unwinding[parent].fate = "expanded";
        unwinding[parent].coverer = None;
        let is_covered = at % 11 == 0 && parent > 0;
        unwinding.push(Vertex {
            parent: Some(parent),
            place: place(7),
            kind: "loop",
            label: vec![format!("i <= {at}"), "0 <= i".to_owned()],
            fate: if at % 5 == 0 { "dead end" } else { "open" },
            coverer: is_covered.then_some(parent / 2),
            ..Vertex::default()
        });
    }
    let story: Vec<Event> = story().into_iter().cycle().take(5000).collect();
    Answer {
        unwinding,
        story,
        ..small()
    }
}
