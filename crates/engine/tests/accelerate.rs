//! Runs that leap over loops, against the machine where it can follow.

use base::{Budget, Diagnostics, Rng, SourceMap};
use certify::{Trace, replay};
use engine::accelerate;
use exec::inputs::ZeroInputs;
use exec::{End, Limits, Machine};
use program::ir::Program;
use std::time::{Duration, Instant};

fn program(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources
        .add("test", text.as_bytes().to_vec())
        .expect("a short text should fit");
    let mut diagnostics = Diagnostics::new();
    let program = program::text::read(&sources, file, &mut diagnostics);
    program.unwrap_or_else(|| panic!("{text}\n{:?}", diagnostics.iter().collect::<Vec<_>>()))
}

/// Two loops in one another over `x`, `y` and `z`, and an error inside, behind, or in between.
struct Nested {
    ty: &'static str,
    outer: String,
    inner: String,
    /// Before the inner loop, in it, and behind it.
    ops: [String; 3],
    error: String,
    /// Where the error is looked for: in the inner loop, in the outer one, behind both.
    place: usize,
}

impl Nested {
    fn program(&self) -> Program {
        let Nested {
            ty, outer, inner, ..
        } = self;
        let [before, inside, behind] = &self.ops;
        let check = |place: usize, next: &str| match place == self.place {
            true => format!(
                "assume {error} -> l15\n assume !({error}) -> {next}",
                error = self.error
            ),
            false => format!("skip -> {next}"),
        };
        let mut edge = 0;
        let text = format!(
            "l0:\n x := 1{ty} -> l2\n l2:\n y := 0{ty} -> l3\n l3:\n z := 0{ty} -> l4\n \
             l4:\n assume {outer} -> l5\n assume !({outer}) -> l12\n \
             l5:\n {before} -> l6\n \
             l6:\n assume {inner} -> l7\n assume !({inner}) -> l10\n \
             l7:\n {} \n l8:\n {inside} -> l9\n l9:\n y := y + 1{ty} -> l6\n \
             l10:\n {}\n l11:\n {behind} -> l14\n l14:\n x := x + 1{ty} -> l4\n \
             l12:\n {}\n l13:\n return -> l1\n l15: error assertion \"found\"\n l1:",
            check(0, "l8"),
            check(1, "l11"),
            check(2, "l13"),
        );
        let numbered = text.lines().map(|line| {
            let line = line.trim();
            if !line.contains("->") {
                return line.to_owned();
            }
            edge += 1;
            format!("e{}: {line}", edge - 1)
        });
        let body: Vec<String> = numbered.collect();
        program(&format!(
            "program ptr 8 entry main\n proc p0 main() entry l0 exit l1 {{\n \
             local v0 x: {ty}\n local v1 y: {ty}\n local v2 z: {ty}\n {}\n}}",
            body.join("\n")
        ))
    }
}

fn run(program: &Program) -> Option<Trace> {
    accelerate::run(program, &[], &Budget::unlimited())
}

#[test]
fn two_loops_of_four_billion_turns_take_no_time() {
    let nested = Nested {
        ty: "u32",
        outer: "x < 4294967290u32".into(),
        inner: "y < 4294967295u32".into(),
        ops: ["y := 0u32".into(), "z := y".into(), "skip".into()],
        error: "(x == 4294967289u32) & (y == 4294967294u32)".into(),
        place: 0,
    };
    let program = nested.program();
    let start = Instant::now();
    let trace = run(&program).expect("the error should be found");
    let replayed = replay(&program, &trace, &Budget::unlimited()).expect("the trace should hold");
    assert!(start.elapsed() < Duration::from_secs(5));
    let leaps: Vec<String> = (replayed.leaps.iter())
        .map(|leap| leap.turns.to_string())
        .collect();
    assert_eq!(leaps, ["4294967288", "4294967294"]);
}

/// The machine can make these runs, so it must agree on every one.
#[test]
fn leaps_lead_where_the_machine_goes() {
    let mut rng = Rng::new(11);
    let (mut found, mut leapt) = (0, 0);
    for _ in 0..150 {
        let ty = ["u8", "i8", "u16", "i32"][rng.below(4)];
        let mut pick = |choices: &[&str]| choices[rng.below(choices.len())].replace('T', ty);
        let ops = [
            "skip",
            "z := z + 1T",
            "z := y",
            "z := x",
            "y := 0T",
            "y := x",
            "z := z + 2T",
            "z := x + y",
            "x := x + 1T",
            "z := 3T",
            "y := y + 1T",
            "z := z - 1T",
            "z := x - y",
            "z := (x % 3T) + y",
        ];
        let ops = [
            pick(&["y := 0T", "y := 0T", "y := x", "skip"]),
            pick(&ops),
            pick(&ops),
        ];
        let nested = Nested {
            ty,
            outer: pick(&["x < 100T", "x != 90T", "x <= 120T", "(x < 50T) | (z < 70T)"]),
            inner: pick(&[
                "y < 60T",
                "y < x",
                "(y < 100T) & (y != x)",
                "y != 70T",
                "(y + x) < 90T",
            ]),
            error: pick(&[
                "(x == 80T) & (y == 50T)",
                "z == 60T",
                "z > 100T",
                "x == 99T",
                "(x - y) == 7T",
                "(x == y) & (z > 20T)",
                "(z % 7T) == 6T",
            ]),
            ops,
            place: rng.below(3),
        };
        let program = nested.program();
        let Some(mut trace) = run(&program) else {
            continue;
        };
        found += 1;
        leapt += usize::from(trace.lemmas.is_some());
        replay(&program, &trace, &Budget::unlimited()).expect("the trace should hold");
        trace.lemmas = None;
        replay(&program, &trace, &Budget::unlimited()).expect("the machine should agree");
    }
    assert!(
        found > 25 && leapt > 20,
        "{found} found, {leapt} with leaps"
    );
}

/// Where nothing is violated nothing is found, and that soon.
#[test]
fn gives_up_soon() {
    let endless = Nested {
        ty: "u64",
        outer: "x != 0u64".into(),
        inner: "(y * y) < 4000000000000000000u64".into(),
        ops: [
            "y := x & 7u64".into(),
            "z := z * 3u64".into(),
            "z := z / x".into(),
        ],
        error: "z == 5u64".into(),
        place: 2,
    };
    let program = endless.program();
    let start = Instant::now();
    assert!(run(&program).is_none());
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
    let limits = Limits {
        steps: 10_000,
        memory: 1 << 20,
        depth: 10,
    };
    let run = Machine::new(&program).run(&mut ZeroInputs, &limits, &Budget::unlimited());
    assert!(matches!(run.end, End::OutOfBudget(_)));
}
