//! The invariants are inductive: the solver finds no edge, and no defined step over it, from what
//! holds at its source to a state outside of what holds at its target.

mod common;

use absdom::{Invariants, Options};
use base::Budget;
use common::{inlined, parse};
use encode::encoder::Encoder;
use encode::transition::{State, TransitionFormula};
use logic::{TermId, TermStore};
use program::expr::{Expr, Type};
use program::ir::*;
use rustc_hash::FxHashMap;
use smt::{Answer, Solver};
use std::time::Duration;
use testkit::random;

/// How many edges of the entry procedure were proved, and those that were not.
fn check(program: &Program, name: &str) -> usize {
    let proc = program.entry;
    let procedure = &program.procs[proc];
    let budget = Budget::unlimited();
    let invariants = Invariants::new(program, proc, &Options::default(), &budget);
    let mut store = TermStore::new();
    let state = State::new(program, &mut store);
    let mut solver = Solver::new();
    let mut proved = 0;
    for (id, edge) in procedure.edges.iter_enumerated() {
        let formula = TransitionFormula::of_op(program, &mut store, &state, &edge.op);
        let Some(formula) = formula else { continue };
        if !invariants.is_reachable(edge.source) {
            continue;
        }
        let source = invariants.formula(edge.source, &mut store, &state);
        let target = invariants.formula(edge.target, &mut store, &state);
        let after: FxHashMap<_, _> = (formula.map.iter())
            .map(|(&var, &term)| (state.symbol(var), term))
            .collect();
        let target = store.substitute(target, &after);
        let outside = store.not(target);
        let range = state.in_range(program, &mut store, program.vars.ids());
        let mut parts = vec![source, formula.guard, outside, range];
        for expr in edge.op.exprs() {
            parts.extend(defined(program, &mut store, &state, expr));
        }
        if let (Op::Assign(Place::Var(var), _), Type::Int(ty)) =
            (&edge.op, written_type(program, &edge.op))
        {
            let term = formula.map[var];
            parts.push(within(&mut store, term, ty));
        }
        solver.push();
        for &part in &parts {
            solver.assert(&store, part);
        }
        let limit = budget.clone().with_timeout(Duration::from_secs(2));
        let answer = solver.check(&store, &[], &limit);
        let holds = answer == Answer::Unsat;
        let is_excused = !formula.exact || matches!(answer, Answer::Unknown(_));
        let shown: Vec<String> = parts.iter().map(|&part| store.readable(part)).collect();
        assert!(
            holds || is_excused,
            "{name}: edge {id}: {:?}\n{}\n{:?}",
            edge.op,
            shown.join("\n"),
            solver.model()
        );
        solver.pop();
        proved += usize::from(holds);
    }
    proved
}

fn written_type(program: &Program, op: &Op) -> Type {
    op.written().map_or(Type::Ptr, |var| program.vars[var].ty)
}

fn within(store: &mut TermStore, term: TermId, ty: logic::IntType) -> TermId {
    let (low, high) = (store.int(ty.min()), store.int(ty.max()));
    let parts = [store.le(low, term), store.le(term, high)];
    store.and(&parts)
}

/// The results of signed arithmetic are in range, in what is surely evaluated.
fn defined(program: &Program, store: &mut TermStore, state: &State, expr: &Expr) -> Vec<TermId> {
    let mut facts = Vec::new();
    let mut open = vec![expr];
    while let Some(part) = open.pop() {
        if let Expr::Select(condition, ..) = part {
            open.push(condition);
            continue;
        }
        if let Expr::Binary(_, Type::Int(ty), ..) | Expr::Unary(_, Type::Int(ty), _) = part
            && ty.signed
            && part.ty(program) == Type::Int(*ty)
        {
            let mut encoder = Encoder::new(program, store, state);
            let term = encoder.expr(part);
            if encoder.finish().1 {
                facts.push(within(store, term, *ty));
            }
        }
        open.extend(part.children());
    }
    facts
}

#[test]
fn small_programs() {
    for (name, text) in common::SMALL {
        let program = parse(text);
        assert!(check(&inlined(&program), name) > 3, "{name}");
    }
}

#[test]
fn small_programs_are_safe() {
    for (name, text) in common::SMALL {
        let program = inlined(&parse(text));
        let procedure = &program.procs[program.entry];
        let options = Options::default();
        let budget = Budget::unlimited();
        let invariants = Invariants::new(&program, program.entry, &options, &budget);
        for (at, location) in procedure.locations.iter_enumerated() {
            let fails = location.error.is_some() && invariants.is_reachable(at);
            assert!(!fails, "{name}: {at}");
        }
    }
}

#[test]
fn nothing_is_known_without_time() {
    let program = inlined(&parse(common::SMALL[0].1));
    let budget = Budget::unlimited().with_timeout(Duration::ZERO);
    let invariants = Invariants::new(&program, program.entry, &Options::default(), &budget);
    let mut store = TermStore::new();
    let state = State::new(&program, &mut store);
    for at in program.procs[program.entry].locations.ids() {
        assert!(invariants.is_reachable(at));
        assert!(invariants.conjuncts(at, &mut store, &state).is_empty());
    }
}

#[test]
fn random_programs() {
    let mut proved = 0;
    for seed in 0..60 {
        let program = random::program(seed, 30);
        proved += check(&program, &format!("seed {seed}"));
    }
    assert!(proved > 300, "{proved}");
}
