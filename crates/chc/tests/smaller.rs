//! Engines that make simpler clauses for another: what they find holds of the clauses as they were.

use base::{Budget, IdVec, Rng, SourceMap};
use certify::clauses::check_model;
use certify::judge_clauses;
use chc::ClauseEngine;
use chc::cells::Cells;
use chc::cells::abstraction::{Instances, abstracted};
use chc::complete::complete_by;
use chc::components::Components;
use chc::duality::DUALITY_HEIGHTS;
use chc::spacer::SPACER;
use horn::{Definition, System};
use logic::Sort;

static CELLS: [Cells; 3] = [
    cells("one", Instances::One),
    cells("read", Instances::Read),
    cells("each", Instances::Each),
];

static COMPONENTS: Components = Components {
    name: "components",
    summary: "",
    engine: &DUALITY_HEIGHTS,
};

const fn cells(name: &'static str, instances: Instances) -> Cells {
    Cells {
        name,
        summary: "",
        instances,
        engine: &DUALITY_HEIGHTS,
    }
}

fn system(text: &str) -> System {
    let mut sources = SourceMap::new();
    let file = sources
        .add("test.smt2", text.as_bytes().to_vec())
        .expect("the text should fit");
    horn::read(sources.file(file)).expect("the text should be clauses")
}

/// The answer about the clauses; a certificate that does not hold is a failure.
fn answer(engine: &dyn ClauseEngine, system: &System) -> &'static str {
    let budget = Budget::unlimited().with_effort(1_000_000);
    let outcome = engine.solve(system, &budget);
    let is_unknown = matches!(outcome, certify::ClauseOutcome::Unknown(_));
    let verdict = judge_clauses(system, outcome, &Budget::unlimited());
    let is_believed = is_unknown || verdict.answer() != "unknown";
    assert!(is_believed, "{}: {verdict:?}", engine.name());
    verdict.answer()
}

const ARRAY: &str = "(Array Int Int)";

/// Three arrays at offsets of their own, filled side by side: the third is the sum of the others.
fn sums(wrong: &str) -> System {
    system(&format!(
        "(declare-fun p (Int Int {ARRAY} {ARRAY} {ARRAY}) Bool)
        (assert (forall ((n Int) (a {ARRAY}) (b {ARRAY}) (c {ARRAY})) (p 0 n a b c)))
        (assert (forall ((i Int) (n Int) (a {ARRAY}) (b {ARRAY}) (c {ARRAY}) (v Int) (w Int))
            (=> (and (p i n a b c) (< i n))
                (p (+ i 1) n (store a i v) (store b (+ i 7) w) (store c (+ i 9) (+ v w {wrong}))))))
        (assert (forall ((i Int) (n Int) (a {ARRAY}) (b {ARRAY}) (c {ARRAY}) (j Int))
            (=> (and (p i n a b c) (>= i n) (<= 0 j) (< j n)
                     (not (= (select c (+ j 9)) (+ (select a j) (select b (+ j 7)))))) false)))"
    ))
}

#[test]
fn arrays_may_have_indices_of_their_own() {
    let (right, wrong) = (sums("0"), sums("1"));
    assert_eq!(answer(&CELLS[2], &right), "sat");
    assert_eq!(answer(&CELLS[0], &right), "unknown");
    for engine in &CELLS {
        assert_ne!(answer(engine, &wrong), "sat", "{}", engine.name());
    }
    assert_eq!(answer(&CELLS[2], &wrong), "unsat");
}

#[test]
fn no_array_is_left_and_linear_clauses_stay_linear() {
    let system = sums("0");
    for instances in [Instances::One, Instances::Read, Instances::Each] {
        let cells = abstracted(&system, instances).system;
        for clause in cells.clauses.iter() {
            let terms = cells.store.below(&clause.terms());
            assert!(
                terms
                    .iter()
                    .all(|&term| cells.store.sort(term) != Sort::Array)
            );
        }
        assert_eq!(cells.is_linear(), instances != Instances::Read);
    }
}

/// Random clauses over an array and a number: what is read and written, and where.
fn random_arrays(rng: &mut Rng) -> String {
    let index = |rng: &mut Rng| ["x", "y", "(+ x 1)", "0", "2"][rng.below(5)];
    let mut text = format!("(declare-fun p ({ARRAY} Int) Bool)\n");
    let variables = format!("(a {ARRAY}) (b {ARRAY}) (x Int) (y Int)");
    let clause = |body: &str, head: &str| {
        format!("(assert (forall ({variables}) (=> (and true {body}) {head})))\n")
    };
    text += &clause("(= x 0) (= (select a 0) 1)", "(p a x)");
    for _ in 0..2 {
        let (at, from) = (index(rng), index(rng));
        let bound = rng.below(4);
        let head = format!("(p (store a {at} (select a {from})) (+ x 1))");
        text += &clause(&format!("(p a x) (< x {bound})"), &head);
    }
    let (at, value) = (index(rng), rng.below(3));
    let query = match rng.below(3) {
        0 => format!("(p a x) (p b x) (not (= a b)) (= y {value})"),
        1 => format!("(p a x) (= (select a {at}) {value}) (= y 1)"),
        _ => format!("(p a x) (not (= (select a {at}) {value})) (= y x)"),
    };
    text + &clause(&query, "false")
}

#[test]
fn cells_agree_with_arrays() {
    let mut rng = Rng::new(7);
    let mut decided = 0;
    for _ in 0..40 {
        let text = random_arrays(&mut rng);
        let system = system(&text);
        let other = answer(&SPACER, &system);
        for engine in &CELLS {
            let here = answer(engine, &system);
            let agree = here == other || here == "unknown" || other == "unknown";
            assert!(
                agree,
                "{} says {here}, Spacer {other}\n{text}",
                engine.name()
            );
            decided += usize::from(here != "unknown");
        }
    }
    assert!(decided > 40, "only {decided} were decided");
}

/// Random sums of vectors, one component an input.
fn random_vectors(rng: &mut Rng) -> String {
    let vector = |rng: &mut Rng| {
        let each: Vec<String> = (0..3).map(|_| rng.below(5).to_string()).collect();
        each.join(" ")
    };
    let (first, second) = (vector(rng), vector(rng));
    let asked = [rng.below(9), rng.below(9), rng.below(9)];
    format!(
        "(declare-fun e (Int Int Int) Bool)
        (assert (e {first}))
        (assert (e {second}))
        (assert (forall ((a Int) (b Int) (c Int) (x Int) (y Int) (z Int))
            (=> (and (e a b c) (e x y z)) (e (+ a x) (+ b y) (+ c z)))))
        (assert (forall ((a Int) (b Int) (c Int))
            (=> (and (e a b c) (= a {}) (= b {}) (= c {})) false)))",
        asked[0], asked[1], asked[2]
    )
}

#[test]
fn components_agree_with_all_arguments() {
    let mut rng = Rng::new(11);
    let mut decided = 0;
    for _ in 0..25 {
        let text = random_vectors(&mut rng);
        let system = system(&text);
        let (here, other) = (answer(&COMPONENTS, &system), answer(&SPACER, &system));
        let agree = here == other || here == "unknown" || other == "unknown";
        assert!(agree, "components say {here}, Spacer {other}\n{text}");
        decided += usize::from(here != "unknown");
    }
    assert!(decided > 15, "only {decided} were decided");
}

/// A step that is a relation of its own, with what is known about the loop: an engine finds the
/// step.
#[test]
fn an_engine_finds_the_relations_that_a_model_lacks() {
    let system = system(
        "(declare-fun loop (Int) Bool)
        (declare-fun step (Int Int) Bool)
        (declare-fun half (Int Int) Bool)
        (assert (loop 0))
        (assert (forall ((x Int) (y Int)) (=> (= y (+ x 1)) (half x y))))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (and (half x y) (half y z)) (step x z))))
        (assert (forall ((x Int) (y Int)) (=> (and (loop x) (step x y)) (loop y))))
        (assert (forall ((x Int)) (=> (and (loop x) (< x 0)) false)))",
    );
    let mut store = system.store.clone();
    let x = store.fresh("x", Sort::Int);
    let zero = store.int(0i64);
    let body = store.le(zero, x);
    let mut known = IdVec::filled(None, system.relations.len());
    let first = known.ids().next().expect("there should be relations");
    known[first] = Some(Definition::new(vec![x], body));
    let budget = Budget::unlimited();
    let model = complete_by(&DUALITY_HEIGHTS, &system, store, known.clone(), &budget)
        .expect("the step should be found");
    assert_eq!(model.definitions[first].parameters, [x]);
    assert_eq!(check_model(&system, &model, &budget), Ok(()));

    let mut store = system.store.clone();
    let x = store.fresh("x", Sort::Int);
    let body = store.le(x, zero);
    known[first] = Some(Definition::new(vec![x], body));
    let nothing = complete_by(&DUALITY_HEIGHTS, &system, store, known, &budget);
    assert!(nothing.is_err(), "{nothing:?}");
}
