//! Inductions that hold, inductions that do not, and all of them against the machine.

use super::order::places;
use super::tests::ask_for_leaks;
use super::*;
use base::{Id, Rng};
use exec::{End, Inputs, Limits, Machine};
use program::expr::{BinaryOp, Expr};
use program::ir::{Op, Place, Procedure, Property, Violation};

const SMALL: Bounds = Bounds {
    iterations: 20,
    depth: 8,
    steps: 2_000,
    terms: 30_000,
    questions: 6,
    question_effort: 20_000,
    effort: 2_000_000,
    search: false,
};

/// `for (i = 0;; i = next) assert(claim);` with `i` of 8 bits; its head.
fn forever(next: impl Fn(Expr) -> Expr, claim: impl Fn(Expr) -> Expr) -> (Program, LocationId) {
    let mut program = Program::new(8);
    let main = program.procs.next_id();
    let mut procedure = Procedure::new("main", None, Span::NONE);
    let error = procedure.add_error(Violation {
        property: Property::Assertion,
        message: "wrong".to_owned(),
        span: Span::NONE,
    });
    let [head, body] = [(); 2].map(|()| procedure.add_location(Span::NONE));
    let i = program.add_local(main, "i", Type::Int(IntType::U8), Span::NONE);
    let assign = |value| Op::Assign(Place::Var(i), value);
    let entry = procedure.entry;
    let zero = Expr::int(IntType::U8, 0);
    procedure.add_edge(entry, head, assign(zero), Span::NONE);
    procedure.add_branch(head, claim(Expr::Var(i)), body, error, Span::NONE);
    procedure.add_edge(body, head, assign(next(Expr::Var(i))), Span::NONE);
    program.procs.push(procedure);
    (program, head)
}

fn arith(op: BinaryOp, a: Expr, b: i128) -> Expr {
    Expr::arith(op, IntType::U8, a, Expr::int(IntType::U8, b))
}

/// What an unwinding with an induction shows.
fn inducted(
    (program, head): &(Program, LocationId),
    depth: u32,
    range: Option<(i128, i128)>,
) -> UnwindOutcome {
    let fact = range.map(|(low, high)| Fact {
        var: VarId::from_index(0),
        low,
        high,
    });
    let induction = Induction {
        proc: program.entry,
        head: *head,
        depth,
        facts: fact.into_iter().collect(),
    };
    let proof = Unwound {
        inductions: vec![induction],
        ..Unwound::whole(SMALL)
    };
    let shown = proof.unwind(program, &Budget::unlimited());
    let checked = proof.check(program, &Budget::unlimited());
    assert_eq!(checked.is_ok(), matches!(shown, UnwindOutcome::Complete(_)));
    shown
}

fn is_proof(shown: &UnwindOutcome) -> bool {
    matches!(shown, UnwindOutcome::Complete(_))
}

#[test]
fn what_an_iteration_keeps_is_proved() {
    let even = |i| arith(BinaryOp::Eq, arith(BinaryOp::And, i, 1), 0);
    let by_two = forever(|i| arith(BinaryOp::Add, i, 2), even);
    assert!(is_proof(&inducted(&by_two, 1, None)));
    let by_one = forever(|i| arith(BinaryOp::Add, i, 1), even);
    assert!(!is_proof(&inducted(&by_one, 1, None)));
}

/// Counts 0, 1, 2 and again: 5 is never come to, but from 4, so that one iteration is too few.
#[test]
fn depth_proves_what_one_iteration_does_not() {
    let next = |i: Expr| {
        let is_two = arith(BinaryOp::Eq, i.clone(), 2);
        let next = arith(BinaryOp::Add, i, 1);
        Expr::Select(is_two.into(), Expr::int(IntType::U8, 0).into(), next.into())
    };
    let task = forever(next, |i| {
        let [four, five] = [4, 5].map(|wrong| arith(BinaryOp::Ne, i.clone(), wrong));
        Expr::Select(four.into(), five.into(), Expr::bool(false).into())
    });
    // 3 comes to 4, which is wrong, and nothing but 255 steps from above come to 3.
    assert!(!is_proof(&inducted(&task, 1, None)));
    assert!(is_proof(&inducted(&task, 1, Some((0, 2)))));
    let UnwindOutcome::Open(obstacle) = inducted(&task, 1, Some((0, 1))) else {
        panic!("2 is come to");
    };
    assert!(obstacle.fails);
    assert_eq!(obstacle.failing, [(0, 0)]);
    // 7 is come to from 6 alone, and 6 from nothing: after two iterations it is not come to.
    let next = |i: Expr| {
        let is_six = arith(BinaryOp::Eq, i.clone(), 6);
        let seven = Expr::int(IntType::U8, 7);
        let low = arith(BinaryOp::And, arith(BinaryOp::Add, i, 1), 1);
        Expr::Select(is_six.into(), seven.into(), low.into())
    };
    let task = forever(next, |i| arith(BinaryOp::Ne, i, 7));
    assert!(!is_proof(&inducted(&task, 1, None)));
    assert!(is_proof(&inducted(&task, 2, None)));
}

/// A violation behind the first iterations is one whatever the depth and the facts.
#[test]
fn a_late_violation_is_no_proof() {
    let task = forever(
        |i| arith(BinaryOp::Add, i, 1),
        |i| arith(BinaryOp::Ne, i, 200),
    );
    for depth in [0, 1, 2, 5, 1 << 31, u32::MAX] {
        for range in [None, Some((0, 199)), Some((0, 200)), Some((0, 255))] {
            let shown = inducted(&task, depth, range);
            assert!(!is_proof(&shown), "{depth} {range:?}");
        }
    }
}

/// Any values.
struct Random(Rng);

impl Inputs for Random {
    fn next(&mut self, _: SiteId, ty: Type) -> Option<Constant> {
        Some(match ty {
            Type::Ptr => Constant::Null,
            _ => testkit::random::constant(&mut self.0, ty),
        })
    }
}

/// A program of a seed with at most one error location, so that some have none that is reached.
fn with_one_error(seed: u64, rng: &mut Rng) -> Program {
    let mut program = testkit::random::program(seed, 8);
    let errors: Vec<_> = (program.procs.iter_enumerated())
        .flat_map(|(proc, row)| {
            let locations = row.locations.iter_enumerated();
            let failing = locations.filter(|(_, location)| location.error.is_some());
            failing.map(move |(at, _)| (proc, at))
        })
        .collect();
    let kept = rng.below(errors.len().max(1));
    for (index, (proc, at)) in errors.into_iter().enumerate() {
        if index != kept {
            program.procs[proc].locations[at].error = None;
        }
    }
    program
}

/// All loops of random programs by induction: where that is a proof, no run fails.
#[test]
fn no_run_fails_where_all_loops_are_done_by_induction() {
    let (mut proofs, mut violated) = (0, 0);
    let limits = Limits {
        steps: 20_000,
        memory: 1 << 20,
        depth: 50,
    };
    for seed in 0..160 {
        let mut rng = Rng::new(seed);
        let program = with_one_error(seed, &mut rng);
        let depth = 1 + rng.below(3) as u32;
        let heads = program.procs.iter_enumerated().flat_map(|(proc, row)| {
            let places = places(row);
            let loops = places.iter().flat_map(|place| place.loops.clone());
            let heads: std::collections::BTreeSet<_> = loops.map(|(_, head)| head).collect();
            heads.into_iter().map(move |head| (proc, head))
        });
        let induction = |(proc, head)| Induction {
            proc,
            head,
            depth,
            facts: Vec::new(),
        };
        let proof = Unwound {
            inductions: heads.map(induction).collect(),
            ..Unwound::whole(SMALL)
        };
        if proof.inductions.is_empty() {
            continue;
        }
        let is_proof = is_proof(&proof.unwind(&program, &Budget::unlimited()));
        proofs += usize::from(is_proof);
        let machine = Machine::new(&program);
        let fails = (0..30).any(|run| {
            let mut inputs = Random(Rng::new(seed * 1_000 + run));
            let run = machine.run(&mut inputs, &limits, &Budget::unlimited());
            matches!(run.end, End::Violated(..))
        });
        violated += usize::from(fails);
        assert!(!(fails && is_proof), "seed {seed}");
    }
    assert!(proofs > 8, "only {proofs} proofs");
    assert!(violated > 8, "only {violated} programs fail");
}

/// In a program with calls inlined the variables of a callee that has returned would still hold what
/// is lost.
#[test]
fn leaks_are_not_asked_about_with_calls_inlined() {
    let (mut program, head) = forever(|i| i, |_| Expr::bool(true));
    let main = &mut program.procs[ProcId::from_index(0)];
    let exit = main.exit;
    main.add_edge(head, exit, Op::Return(None), Span::NONE);
    let proof = Unwound {
        inlined: Some(InlineLimit::default()),
        ..Unwound::whole(SMALL)
    };
    ask_for_leaks(&mut program);
    let UnwindOutcome::Open(obstacle) = proof.unwind(&program, &Budget::unlimited()) else {
        panic!("nothing should be shown");
    };
    assert!(obstacle.what.contains("leaks"), "{obstacle:?}");
}
