//! States that runs of the machine pass through are never outside of the invariants.

mod common;

use absdom::{Invariants, Options};
use base::{Budget, Id};
use common::{inlined, parse};
use encode::transition::State;
use exec::{Limits, Machine};
use logic::{SymbolId, TermId, TermStore, TermValue};
use program::expr::Constant;
use program::ir::Program;
use testkit::sample::{Sample, sample};

/// Checks the states of some runs; how many there were.
fn check(program: &Program, name: &str, seeds: std::ops::Range<u64>) -> usize {
    let mut store = TermStore::new();
    let state = State::new(program, &mut store);
    let budget = Budget::unlimited();
    let mut formulas: Vec<Vec<TermId>> = Vec::new();
    for (proc, procedure) in program.procs.iter_enumerated() {
        let invariants = Invariants::new(program, proc, &Options::default(), &budget);
        let locations = procedure.locations.ids();
        let formula = |at| invariants.formula(at, &mut store, &state);
        formulas.push(locations.map(formula).collect());
    }
    let machine = Machine::new(program);
    let limits = Limits {
        steps: 3000,
        memory: 1 << 20,
        depth: 30,
    };
    let mut checked = 0;
    for seed in seeds {
        sample(&machine, seed, &limits, &budget, &mut |sample: &Sample| {
            let formula = formulas[sample.proc.index()][sample.at.index()];
            let value = |symbol: SymbolId| {
                let value = sample.values[state.var(symbol)?]?;
                match value {
                    Constant::Int(value) => Some(TermValue::Int(value.into())),
                    Constant::Bool(value) => Some(TermValue::Bool(value)),
                    Constant::Float(..) | Constant::Null => None,
                }
            };
            if let Some(holds) = store.evaluate(formula, &value) {
                checked += 1;
                assert_eq!(
                    holds.as_bool(),
                    Some(true),
                    "{name}, seed {seed}: {} at {} of {:?}: {}",
                    sample.proc,
                    sample.at,
                    sample.values,
                    store.readable(formula)
                );
            }
        });
    }
    checked
}

#[test]
fn random_programs() {
    let mut checked = 0;
    for seed in 0..150 {
        let program = testkit::random::program(seed, 25);
        checked += check(&program, &format!("seed {seed}"), 0..8);
    }
    assert!(checked > 20_000, "{checked}");
}

#[test]
fn small_programs() {
    for (name, text) in common::SMALL {
        let program = inlined(&parse(text));
        assert!(check(&program, name, 0..30) > 100, "{name}");
    }
}

#[test]
fn benchmark_programs() {
    for (name, program) in common::benchmarks() {
        check(&inlined(&program), &name, 0..5);
    }
}
