//! Runs that leap over loops, against the machine where it can follow.

mod common;

use base::{Budget, Rng};
use certify::replay::interpret::{Interpreter, Leaps};
use certify::{LoopLemma, LoopLemmas, Trace, replay};
use common::program;
use engine::accelerate::{self, Accelerator, Inlined};
use exec::inputs::ZeroInputs;
use exec::{End, Limits, Machine};
use logic::TermStore;
use program::ir::Program;
use std::time::{Duration, Instant};

/// Two loops in one another over `x`, `y` and `z`, and an error inside, after, or in between.
struct Nested {
    ty: &'static str,
    outer: String,
    inner: String,
    /// Before the inner loop, in it, and after it.
    ops: [String; 3],
    error: String,
    /// Where the error is looked for: in the inner loop, in the outer one, after both.
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
fn two_loops_of_four_billion_iterations_take_no_time() {
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
    let leaps = replayed.leaps.iter().map(|leap| {
        let after = leap.after.iter().map(|(var, value)| {
            let value = program::values::show(*value);
            format!("{}={value}", program.vars[*var].name)
        });
        let after: Vec<String> = after.collect();
        let (iterations, before) = (&leap.iterations, leap.before);
        format!(
            "{iterations} iterations at visit {before} to {}",
            after.join(" ")
        )
    });
    let leaps: Vec<String> = leaps.collect();
    let expected = [
        "4294967288 iterations at visit 0 to x=4294967289 y=4294967295 z=4294967294",
        "4294967294 iterations at visit 0 to y=4294967294 z=4294967293",
    ];
    assert_eq!(leaps, expected);
}

/// Loops in one another that make at most some thousands of iterations.
fn small(rng: &mut Rng) -> Nested {
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
    let first = pick(&["y := 0T", "y := 0T", "y := x", "skip"]);
    Nested {
        ty,
        ops: [first, pick(&ops), pick(&ops)],
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
        place: rng.below(3),
    }
}

/// The machine can make these runs, so it must agree on every one.
#[test]
fn leaps_lead_where_the_machine_goes() {
    let mut rng = Rng::new(11);
    let (mut found, mut leapt) = (0, 0);
    for _ in 0..120 {
        let program = small(&mut rng).program();
        let machine = Machine::new(&program);
        let prepared = Inlined::new(&machine);
        let mut accelerator = Accelerator::new(&prepared);
        let Some(trace) = accelerator.run(&[], 100_000, &Budget::unlimited()) else {
            continue;
        };
        found += 1;
        assert!(trace.lemmas.is_none());
        replay(&program, &trace, &Budget::unlimited()).expect("the machine should agree");
        let again = accelerator.run(&[], 100_000, &Budget::unlimited());
        let again = again.expect("lemmas of the run before should lead there too");
        assert_eq!(again.error, trace.error);
        let lemmas = accelerator.lemmas();
        leapt += usize::from(!lemmas.lemmas.is_empty());
        let leaping = Trace {
            lemmas: Some(Box::new(lemmas)),
            ..trace
        };
        replay(&program, &leaping, &Budget::unlimited()).expect("the leaps should hold");
    }
    assert!(found > 20 && leapt > 10, "{found} found, {leapt} leapt");
}

/// Lemmas changed in one place are refused, or still say what the loops do.
#[test]
fn lemmas_that_are_accepted_are_right() {
    let mut rng = Rng::new(5);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..40 {
        let program = small(&mut rng).program();
        let machine = Machine::new(&program);
        let prepared = Inlined::new(&machine);
        let mut accelerator = Accelerator::new(&prepared);
        accelerator.run(&[], 20_000, &Budget::unlimited());
        let lemmas = accelerator.lemmas();
        for place in 0..lemmas.lemmas.len() {
            for mutant in mutants(&lemmas, place) {
                let budget = Budget::unlimited().with_timeout(Duration::from_millis(300));
                match mutant.check_from(place, &program, &budget) {
                    Ok(()) => {
                        accepted += 1;
                        follow(&program, &mutant, place);
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    let enough = accepted > 40 && refused > 40;
    assert!(enough, "{accepted} accepted, {refused} refused");
}

/// A lemma as it is, and changed in one place.
fn mutants(lemmas: &LoopLemmas, place: usize) -> Vec<LoopLemmas> {
    let mut all = vec![lemmas.clone()];
    let mut change = |what: &dyn Fn(&mut LoopLemma, &mut TermStore)| {
        let mut mutant = lemmas.clone();
        mutant.lemmas.truncate(place + 1);
        what(&mut mutant.lemmas[place], &mut mutant.store);
        all.push(mutant);
    };
    for step in [-1i64, 1] {
        change(&|lemma, store| {
            let step = store.int(step);
            lemma.iterations = store.add(lemma.iterations, step);
        });
    }
    change(&|lemma, store| lemma.condition = store.bool(true));
    change(&|lemma, store| lemma.condition = store.not(lemma.condition));
    change(&|lemma, _| lemma.inner.clear());
    let conjuncts = lemmas.store.conjuncts(lemmas.lemmas[place].condition);
    for &dropped in &conjuncts {
        change(&|lemma, store| {
            let rest: Vec<_> = (conjuncts.iter().copied())
                .filter(|&part| part != dropped)
                .collect();
            lemma.condition = store.and(&rest);
        });
    }
    for &var in lemmas.lemmas[place].closed_form.keys() {
        change(&|lemma, _| lemma.closed_form.retain(|&other, _| other != var));
        change(&|lemma, store| {
            let one = store.int(1i64);
            let form = lemma.closed_form[&var];
            lemma.closed_form.insert(var, store.add(form, one));
        });
    }
    all
}

/// Wherever a run may use a lemma, the loop does what it says.
fn follow(program: &Program, lemmas: &LoopLemmas, place: usize) {
    let mut alone = lemmas.clone();
    alone.lemmas = vec![lemmas.lemmas[place].clone()];
    let leaps = Leaps::new(&alone);
    let mut run = Interpreter::new(program, &[]);
    for _ in 0..3000 {
        let mut leaping = run.clone();
        if let Ok(Some(leapt)) = leaping.leap(&leaps)
            && let Some(mut left @ 0..1000) = leapt.iterations.to_i64()
        {
            let mut walking = run.clone();
            while left > 0 {
                walking.step().expect("an iteration should be complete");
                left -= i64::from(walking.at() == leaping.at());
            }
            for var in program.vars.ids() {
                assert_eq!(leaping.value(var), walking.value(var), "{var}");
            }
        }
        if run.step().is_err() {
            return;
        }
    }
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
