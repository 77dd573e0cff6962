//! The parts of the search, each separately on one small loop.

use super::guide::{Guide, Summaries};
use super::search::{Ending, Search, SearchOutcome};
use super::*;
use crate::testing;
use base::Id;
use exec::value::Values;
use kit::unwinding::Fate;
use logic::TermValue;
use program::ir::{EdgeId, LocationId};
use summary::ToError;

fn twos(condition: &str, opposite: &str) -> Program {
    testing::program(&testkit::texts::twos(condition, opposite))
}

const HEAD: usize = 2;
const INPUT: usize = 1;
const X: usize = 1;

/// Gives a search of a program to a test.
fn with_search<T>(program: &Program, test: impl FnOnce(&mut Search<'_>) -> T) -> T {
    let budget = Budget::unlimited();
    let prepared = Prepared::new(program);
    let ready = &prepared.program;
    let machine = Machine::new(ready);
    let [options, _] = analyses();
    let given = Machine::new(program);
    let shared = SearchContext {
        original: program,
        given: GivenRuns {
            machine: &given,
            leap: &|inputs, budget| accelerate::run(program, inputs, budget),
        },
        prepared: &prepared,
        machine: &machine,
        invariants: Invariants::new(ready, ready.entry, &options, &budget),
        style: Style::Cairn,
        budget: &budget,
        journal: None,
        why: "",
        leapt: RefCell::new(Vec::new()),
        with_gas: OnceCell::new(),
    };
    test(&mut Search::new(&shared, GPS.config, None))
}

#[test]
fn a_vertex_at_an_error_is_closed_by_nothing_but_a_proof() {
    // The run to the error is undefined in the program, but not in what the search looks at.
    let program = testing::parse_main(
        "x: i32, y: i32",
        r#"
          l0:
            e0: x := 0i32 -> l2
          l2:
            e1: y := 10i32 / x -> l3
          l3: error assertion "reached""#,
    );
    with_search(&program, |search| {
        let root = search.tree.unwinding.root();
        search.expand(root);
        let error = search.tree.unwinding.vertex(root).children[0];
        assert!(search.is_failing(error));
        let model = search.reach(error).expect("an answer");
        let model = model.expect("nothing that is left stops the path");
        match search.explore(error, &model) {
            Some(Ending::SearchOutcome(found)) => assert!(matches!(*found, SearchOutcome::Removed)),
            Some(Ending::NeedsPrecision(_)) | None => {
                panic!("the search should start again")
            }
        }
        assert_eq!(search.tree.unwinding.vertex(error).fate, Fate::Open);
    });
}

#[test]
fn summaries_prove_or_find_the_run() {
    let loop_to = |bound| testing::program(&testkit::texts::counting_to_ten(bound));
    let safe = loop_to(10);
    with_search(&safe, |search| {
        let Some(Ending::SearchOutcome(found)) = search.summarise() else {
            panic!("the summary of the loop should be enough");
        };
        let SearchOutcome::Labels(labels) = *found else {
            panic!("the summary of the loop should give labels");
        };
        let label = labels[&LocationId::from_index(HEAD)];
        let i = search.main.ctx.before(VarId::from_index(0));
        let ten = search.main.ctx.store.int(10i64);
        let most = search.main.ctx.store.le(i, ten);
        assert!(search.main.ctx.entails(label, most));
    });
    with_search(&loop_to(9), |search| match search.summarise() {
        Some(Ending::SearchOutcome(found)) => assert!(matches!(*found, SearchOutcome::Trace(_))),
        Some(Ending::NeedsPrecision(_)) | None => {
            panic!("the first test should fail")
        }
    });
}

/// What the guide takes at the head, in a state.
fn choice(summaries: &mut Summaries<'_>, guide: &mut Guide, x: i32) -> Option<(TermValue, i64)> {
    let head = LocationId::from_index(HEAD);
    let mut values: Values = summaries.ctx.program.vars.iter().map(|_| None).collect();
    values[VarId::from_index(X)] = Some(testing::number(x));
    let budget = Budget::unlimited();
    let found = guide.choose(summaries, head, &values, None, &budget);
    let choice = found.expect("an answer")?;
    let input = summaries.input(&choice, EdgeId::from_index(INPUT));
    let gas = choice.gas.as_ref().and_then(logic::Integer::to_i64);
    Some((input.expect("an input"), gas.unwrap_or(-1)))
}

fn is_positive(value: &TermValue) -> bool {
    matches!(value, TermValue::Int(value) if value.signum() > 0)
}

#[test]
fn the_guide_takes_inputs_that_leave_an_error_in_reach() {
    let program = twos("x == 8i32", "x != 8i32");
    with_search(&program, |search| {
        search.main.to_error = ToError::new(&search.main.nest, summary::Level::Inequalities);
        let mut guide = Guide::default();
        let (input, _) = choice(&mut search.main, &mut guide, 4).expect("two more iterations");
        assert!(is_positive(&input));
        let (input, _) = choice(&mut search.main, &mut guide, 8).expect("the error is next");
        assert!(!is_positive(&input), "an error that comes next comes first");
        assert!(choice(&mut search.main, &mut guide, 10).is_none());
    });
}

#[test]
fn with_gas_the_guide_takes_as_little_as_will_do() {
    let program = twos("x == 8i32", "x != 8i32");
    with_search(&program, |search| {
        search.summarise_with_gas();
        let mut guide = std::mem::take(&mut search.guide);
        let summaries = search.with_gas.as_mut().expect("summaries with gas");
        // A unit for each iteration, and one for leaving the loop.
        let (_, enough) = choice(summaries, &mut guide, 0).expect("four iterations");
        assert_eq!(enough, 5);
        let (_, enough) = choice(summaries, &mut guide, 6).expect("one iteration");
        assert_eq!(enough, 2);
    });
}
