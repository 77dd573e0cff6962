//! Traces that leap over iterations of loops by lemmas, and forged ones, which are refused.

mod common;

use base::{Budget, Id};
use certify::replay::interpret::{Interpreter, Leaps};
use certify::{LoopLemma, LoopLemmas, Outcome, ReplayError, Trace, Verdict, judge, replay};
use common::{empty, main_of};
use logic::{Integer, Sort};
use program::ir::{LocationId, Program};
use program::pass::inline::InlineLimit;

/// `for (x = 0; x < m; x++) { for (y = 0; y < m; y++) if (x == y && y == m - 1) error; }` where m
/// is 2^32 - 3; the inner loop's head is l4, the outer one's l2.
fn nested() -> Program {
    main_of(
        "local v0 x: u32\n local v1 y: u32\n local v2 m: u32",
        r#"l0:
             e0: m := 4294967293u32 -> l9
           l9:
             e1: x := 0u32 -> l2
           l2:
             e2: assume x < m -> l3
             e3: assume x >= m -> l10
           l10:
             e11: return -> l1
           l3:
             e4: y := 0u32 -> l4
           l4:
             e5: assume y < m -> l5
             e6: assume y >= m -> l7
           l5:
             e7: assume (x == y) & (y == (m - 1u32)) -> l8
             e8: assume !((x == y) & (y == (m - 1u32))) -> l6
           l6:
             e9: y := y + 1u32 -> l4
           l7:
             e10: x := x + 1u32 -> l2
           l8: error assertion "deep"
           l1:"#,
    )
}

/// A lemma in words: head, condition, iterations, closed form by variable, inner lemmas.
type Row<'t> = (usize, &'t str, &'t str, &'t [(usize, &'t str)], &'t [usize]);

/// The lemmas of [`nested`]: the inner loop to its end and to the error, the outer one.
const LEMMAS: [Row<'static>; 3] = [
    (
        4,
        "(and (<= y m) (>= m 1) (not (= x (- m 1))))",
        "(- m y)",
        &[(1, "(+ y k)")],
        &[],
    ),
    (4, "(>= m 1)", "(- (- m 1) y)", &[(1, "(+ y k)")], &[]),
    (
        2,
        "(>= m 1)",
        "(- (- m 1) x)",
        &[(0, "(+ x k)"), (1, "(ite (= k 0) y m)")],
        &[0],
    ),
];

fn lemmas(program: &Program, rows: &[Row<'_>]) -> LoopLemmas {
    let mut proof = empty(program);
    let iteration = proof.store.new_symbol("k", Sort::Int);
    let mut read = |text: &str| {
        logic::read::term(&mut proof.store, text).unwrap_or_else(|why| panic!("{text}: {why:?}"))
    };
    let lemmas = rows
        .iter()
        .map(|&(head, condition, iterations, form, inner)| {
            let form = form.iter();
            LoopLemma {
                head: LocationId::from_index(head),
                condition: read(condition),
                iterations: read(iterations),
                closed_form: form
                    .map(|&(var, term)| (program::ir::VarId::from_index(var), read(term)))
                    .collect(),
                forgotten: Default::default(),
                inner: inner.to_vec(),
            }
        });
    let lemmas = lemmas.collect();
    LoopLemmas {
        inlined: InlineLimit::default(),
        store: proof.store,
        vars: proof.vars,
        iteration,
        lemmas,
    }
}

fn trace(program: &Program, lemmas: LoopLemmas) -> Trace {
    let (proc, location, _) =
        (program.error_locations().next()).expect("there should be an error location");
    Trace {
        inputs: Vec::new(),
        error: (proc, location),
        lemmas: Some(Box::new(lemmas)),
    }
}

fn refused(program: &Program, rows: &[Row<'_>]) -> ReplayError {
    let trace = trace(program, lemmas(program, rows));
    let error = replay(program, &trace, &Budget::unlimited());
    let error = error.expect_err("a forged trace should be refused");
    let verdict = judge(program, Outcome::Unsafe(trace), &Budget::unlimited());
    assert_eq!(verdict.name(), "unknown");
    error
}

#[test]
fn a_run_of_eighteen_quintillion_iterations_is_confirmed() {
    let program = nested();
    let trace = trace(&program, lemmas(&program, &LEMMAS));
    let replayed = replay(&program, &trace, &Budget::unlimited()).unwrap();
    let iterations: Vec<&Integer> = replayed.leaps.iter().map(|leap| &leap.iterations).collect();
    let most = Integer::from(4_294_967_292i64);
    assert_eq!(iterations, [&most, &most]);
    assert!(replayed.run.steps < 30, "{}", replayed.run.steps);
    assert_eq!(replayed.violation.message, "deep");
    let verdict = judge(&program, Outcome::Unsafe(trace), &Budget::unlimited());
    assert!(matches!(verdict, Verdict::Unsafe(_)));
}

#[test]
fn forged_lemmas_are_refused() {
    let program = nested();
    let [whole, to_error, outer] = LEMMAS;
    type Change = fn(&mut [Row<'static>; 3]);
    let changes: [(Change, &str); 12] = [
        // One iteration too many: into the error, out of the loop.
        (|rows| rows[1].2 = "(- m y)", "l5"),
        (|rows| rows[0].2 = "(+ (- m y) 1)", "l4"),
        (|rows| rows[2].2 = "(- m x)", "l"),
        // A condition that holds where the loop runs into the error.
        (|rows| rows[0].1 = "(and (<= y m) (>= m 1))", "l5"),
        // Closed forms that are wrong at the start, on the way, at the end of a loop inside.
        (|rows| rows[1].3 = &[(1, "(+ y k 1)")], "closed form"),
        (
            |rows| rows[1].3 = &[(1, "(+ y (* 2 k))")],
            "does not follow",
        ),
        (|rows| rows[1].3 = &[], "closed form"),
        (
            |rows| rows[2].3 = &[(0, "(+ x k)"), (1, "(ite (= k 0) y (- m 1))")],
            "closed form",
        ),
        (|rows| rows[2].3 = &[(0, "(+ x k)")], "closed form"),
        // Lemmas inside: none, one that comes later, one that stops before the end.
        (|rows| rows[2].4 = &[], "no loop inside"),
        (|rows| rows.swap(0, 2), "uses lemma"),
        (|rows| rows[2].4 = &[1], "no loop inside"),
    ];
    for (change, expected) in changes {
        let mut rows = [whole, to_error, outer];
        change(&mut rows);
        match refused(&program, &rows) {
            ReplayError::LemmaFails(error) => {
                let text = error.to_string();
                assert!(text.contains(expected), "{rows:?}: {text}");
            }
            other => panic!("{rows:?}: {other}"),
        }
    }
}

#[test]
fn malformed_lemmas_are_refused() {
    let program = nested();
    let rows: [(Row<'_>, &str); 5] = [
        ((3, "true", "1", &[], &[]), "not the head"),
        ((77, "true", "1", &[], &[]), "not the head"),
        ((4, "(= k 0)", "1", &[], &[]), "means nothing"),
        ((4, "true", "k", &[], &[]), "means nothing"),
        ((4, "true", "1", &[(9, "k")], &[]), "no variable"),
    ];
    for (row, expected) in rows {
        let error = refused(&program, &[row]).to_string();
        assert!(error.contains(expected), "{row:?}: {error}");
    }
}

#[test]
fn a_trace_must_reach_its_error() {
    // The lemma of the loop inside alone leads on, but the rest is not there in its time.
    let program = nested();
    let mut trace = trace(&program, lemmas(&program, &LEMMAS));
    trace.error.1 = program.procs[program.entry].entry;
    let error = replay(&program, &trace, &Budget::unlimited()).unwrap_err();
    assert!(matches!(error, ReplayError::NoSuchError(..)), "{error}");
    // A run that ends before.
    let short = main_of(
        "local v0 x: u32\n local v1 y: u32\n local v2 m: u32",
        r#"l0:
             e0: x := 0u32 -> l2
           l2:
             e1: assume x < 1000u32 -> l3
             e2: assume x >= 1000u32 -> l4
           l3:
             e3: x := x + 1u32 -> l2
           l4:
             e4: assume x == 999u32 -> l5
             e5: assume x != 999u32 -> l6
           l6:
             e6: return -> l1
           l5: error assertion "never"
           l1:"#,
    );
    let row: Row<'_> = (2, "true", "(- 1000 x)", &[(0, "(+ x k)")], &[]);
    assert_eq!(refused(&short, &[row]), ReplayError::EndedElsewhere(None));
}

/// Loops whose iterations are not all defined, take inputs, or touch what lemmas do not mention.
#[test]
fn iterations_must_be_defined() {
    let body = |op: &str, bound: &str| {
        main_of(
            "local v0 x: i32\n local v1 y: i32\n local v2 z: u8",
            &format!(
                r#"l0:
                     e0: x := 0i32 -> l2
                   l2:
                     e1: assume x < {bound} -> l3
                     e2: assume x >= {bound} -> l6
                   l6:
                     e5: return -> l1
                   l3:
                     e3: {op} -> l4
                   l4:
                     e4: x := x + 1i32 -> l2
                   l5: error assertion "never"
                   l1:"#
            ),
        )
    };
    let row: Row<'_> = (2, "(<= 0 x)", "(- 2147483647 x)", &[(0, "(+ x k)")], &[]);
    let whole = "2147483647i32";
    let holds = |program: &Program, row: Row<'_>| {
        let lemmas = lemmas(program, &[row]);
        lemmas.check(program, &Budget::unlimited()).is_ok()
    };
    assert!(holds(&body("skip", whole), row));
    // An input may be any number: the lemma must forget it, and so must the run that continues with
    // it.
    assert!(!holds(&body("havoc y n0", whole), row));
    let havoc = body("havoc y n0", whole);
    let mut forgetting = lemmas(&havoc, &[row]);
    let y = program::ir::VarId::from_index(1);
    forgetting.lemmas[0].forgotten.insert(y);
    assert!(forgetting.check(&havoc, &Budget::unlimited()).is_ok());
    let mut run = Interpreter::new(&havoc, &[]);
    run.step().expect("the first step should be an assignment");
    let leapt = run.leap(&Leaps::new(&forgetting));
    assert!(leapt.is_ok_and(|leapt| leapt.is_some()));
    assert_eq!(run.value(y), None);
    forgetting.lemmas[0].iterations = forgetting.store.int(1i64 << 31);
    assert!(forgetting.check(&havoc, &Budget::unlimited()).is_err());
    // Overflow, a division by zero, a wrapped counter.
    let undefined = ["y := x + 1i32", "y := 5i32 / (x - 7i32)"];
    for op in undefined {
        let form: Row<'_> = (row.0, row.1, row.2, &[(0, "(+ x k)"), (1, "y")], &[]);
        assert!(!holds(&body(op, whole), form), "{op}");
    }
    let wrapped: Row<'_> = (row.0, row.1, row.2, &[(0, "(+ x k)"), (2, "(+ z k)")], &[]);
    assert!(!holds(&body("z := z + 1u8", whole), wrapped));
    let exact: Row<'_> = (
        row.0,
        row.1,
        row.2,
        &[(0, "(+ x k)"), (2, "(mod (+ z k) 256)")],
        &[],
    );
    assert!(holds(&body("z := z + 1u8", whole), exact));
}
