//! The trusted passes keep the meaning of programs; `scalarise` and `unbounded` have tests of their
//! own.

mod common;

use base::{Budget, Diagnostics, Id, SourceMap, Span};
use common::keeps::{Tally, every_program};
use common::{c_programs, on_large_stack, run};
use exec::inputs::SiteInputs;
use exec::{End, Limits, Machine, Run, Watch};
use logic::{IntType, IntValue};
use program::expr::{BinaryOp, Constant, Expr, Type};
use program::ir::*;
use program::pass::errors::{keep_errors, restrict_errors};
use program::pass::goals::{GoalPlace, close_goal, with_goals};
use program::pass::inline::{InlineLimit, Origins, inline_calls};
use program::pass::inlined;
use program::pass::liveness::drop_dead_declarations;
use program::pass::pointer_calls::direct_calls;
use program::text::{Spans, print, read};
use program::validate::validate;
use testkit::random::without_spans;

#[test]
fn inlining_keeps_runs_and_knows_the_way_back() {
    let mut tally = Tally::default();
    every_program(|program, seeds| {
        let (result, origins) = inline_calls(
            program,
            InlineLimit {
                edges: 20_000,
                ..InlineLimit::default()
            },
        );
        for seed in seeds {
            tally.compare(program, &result, seed);
            let (before, after) = (run(program, seed), run(&result, seed));
            if let (End::Violated(proc, location), End::Violated(..)) = (&before.end, &after.end) {
                assert_eq!(origin(&origins, &after.end), Some((*proc, *location)));
            }
        }
    });
    tally.check();
}

/// Calls go through pointers: read from a table, or chosen by a global between the procedure, another
/// one and none.
#[test]
fn directing_calls_keeps_runs() {
    let (mut tally, mut directed) = (Tally::default(), 0);
    every_program(|program, seeds| {
        let program = through_pointers(program);
        assert_eq!(validate(&program).first(), None);
        let result = direct_calls(&program).program.into_owned();
        directed += usize::from(result != program);
        let inlined = inlined(
            &program,
            InlineLimit {
                edges: 20_000,
                ..InlineLimit::default()
            },
        );
        for seed in seeds {
            tally.compare(&program, &result, seed);
            tally.compare(&program, &inlined, seed);
        }
    });
    tally.check();
    assert!(directed > 100, "{directed}");
}

fn through_pointers(program: &Program) -> Program {
    let mut result = program.clone();
    let word = u64::from(program.pointer_bytes);
    let count = program.procs.len() as u64;
    let addresses = program.procs.ids().map(|proc| {
        let base = AddressBase::Proc(proc);
        (word * proc.index() as u64, Address { base, offset: 0 })
    });
    let table = result.objects.push(Object {
        name: "table".into(),
        size: word * count,
        align: word,
        scope: Scope::Global,
        read_only: false,
        init: ObjectInit {
            bytes: Vec::new(),
            addresses: addresses.collect(),
        },
        contents: None,
        span: Span::NONE,
    });
    let globals = program.vars.iter_enumerated();
    let chooser = globals
        .filter(|(_, row)| row.scope == Scope::Global)
        .find_map(|(var, row)| Some((var, row.ty.int()?)));
    let offset = program.offset_type();
    for procedure in result.procs.iter_mut() {
        for (id, edge) in procedure.edges.iter_mut().enumerate() {
            let Op::Call(call) = &mut edge.op else {
                continue;
            };
            let Callee::Proc(callee) = call.callee else {
                continue;
            };
            // Where the arguments are undefined too, either may be met first.
            let is_plain = !call.args.iter().any(|arg| arg.may_be_undefined_in(program));
            let pointer = match (chooser, id % 3) {
                (Some((var, ty)), 0) if is_plain => {
                    let other = ProcId::from_index(id % program.procs.len());
                    let is = |op| Expr::binary(op, Type::Int(ty), Expr::Var(var), Expr::int(ty, 1));
                    let other = match other == program.entry {
                        true => Expr::null(),
                        false => Expr::select(is(BinaryOp::Gt), Expr::Proc(other), Expr::null()),
                    };
                    Expr::select(is(BinaryOp::Le), Expr::Proc(callee), other)
                }
                (_, 1) => Expr::Proc(callee),
                _ => {
                    let at = i128::from(word) * callee.index() as i128;
                    let at = Expr::offset(Expr::Object(table), Expr::int(offset, at));
                    Expr::load(Type::Ptr, at)
                }
            };
            call.callee = Callee::Pointer(pointer);
        }
    }
    result
}

fn origin(origins: &Origins, end: &End) -> Option<(ProcId, LocationId)> {
    match end {
        End::Violated(proc, location) => origins.locations[*proc][*location],
        End::Exited(_)
        | End::Aborted
        | End::Blocked
        | End::Undefined(_)
        | End::Unsupported(_)
        | End::OutOfInputs
        | End::OutOfBudget(_) => None,
    }
}

#[test]
fn dropping_dead_declarations_keeps_runs() {
    let (mut tally, mut dropped) = (Tally::default(), 0);
    every_program(|program, seeds| {
        let mut result = program.clone();
        drop_dead_declarations(&mut result);
        dropped += usize::from(result != *program);
        seeds.for_each(|seed| tally.compare(program, &result, seed));
    });
    tally.check();
    assert!(dropped > 20, "{dropped}");
}

#[test]
fn c_programs_survive_the_text_form() {
    on_large_stack(|| {
        for (name, program) in c_programs() {
            let mut sources = SourceMap::new();
            let text = print(&program, Spans::Omit);
            let file = sources.add("p", text.into_bytes()).unwrap();
            let mut diagnostics = Diagnostics::new();
            let back = read(&sources, file, &mut diagnostics);
            let back = back.map(|back| without_spans(&back));
            let is_same = back == Some(without_spans(&program));
            assert!(is_same, "{name}: {diagnostics:?}");
            program::dot::program(&program, None);
        }
    });
}

/// With a condition that holds the same errors are reached; with one that does not, and where they
/// are not wanted, the run is aborted there.
#[test]
fn restricted_errors_are_reached_where_the_condition_holds() {
    let (mut tally, mut cut) = (Tally::default(), 0);
    every_program(|program, seeds| {
        let mut counted = program.clone();
        let ty = IntType::unsigned(32);
        let two = Constant::Int(IntValue::wrap(ty, 2));
        let counter = counted.add_global("counter", two, Span::NONE);
        let is = |number: i128| {
            let number = Expr::int(ty, number);
            Expr::binary(BinaryOp::Eq, Type::Int(ty), Expr::Var(counter), number)
        };
        let restricted = |number, wanted: bool| {
            let mut result = counted.clone();
            restrict_errors(&mut result, &is(number), |_| wanted);
            result
        };
        let (holds, fails) = (restricted(2, true), restricted(1, true));
        let unwanted = restricted(2, false);
        for seed in seeds {
            tally.compare(program, &holds, seed);
            let before = run(program, seed);
            for result in [&fails, &unwanted] {
                let after = run(result, seed);
                if let End::Violated(..) = before.end {
                    cut += 1;
                    let ended = matches!(after.end, End::Aborted | End::OutOfBudget(_));
                    assert!(ended, "seed {seed}: {:?}", after.end);
                } else if !matches!(before.end, End::OutOfBudget(_)) {
                    assert_eq!(before.end, after.end, "seed {seed}");
                }
            }
        }
    });
    tally.check();
    assert!(cut > 200, "{cut}");
}

/// The errors that are kept are reached as before, by ids; at the others the run is aborted.
#[test]
fn kept_errors_are_reached_as_before() {
    let (mut kept, mut cut) = (0, 0);
    every_program(|program, seeds| {
        let is_even = |_: ProcId, at: LocationId| at.index().is_multiple_of(2);
        let mut result = program.clone();
        keep_errors(&mut result, is_even);
        for seed in seeds {
            let (before, after) = (run(program, seed), run(&result, seed));
            match before.end {
                End::Violated(proc, at) if !is_even(proc, at) => {
                    cut += 1;
                    assert_eq!(after.end, End::Aborted, "seed {seed}");
                }
                End::OutOfBudget(_) => {}
                end => {
                    kept += usize::from(matches!(end, End::Violated(..)));
                    assert_eq!(after.end, end, "seed {seed}");
                    assert_eq!(after.inputs, before.inputs, "seed {seed}");
                }
            }
        }
    });
    assert!(kept > 50 && cut > 50, "{kept} {cut}");
}

/// A goal is reached exactly where a run of the program reaches its place. Without a choice the
/// copy runs as the program does, and a goal that is closed is not reached.
#[test]
fn goals_are_reached_where_their_places_are() {
    let (mut reached, mut missed, mut closed) = (0, 0, 0);
    every_program(|program, seeds| {
        let places = places(program);
        let numbered: Vec<_> = places.iter().copied().zip(0..).collect();
        let goals = with_goals(program, &numbered);
        for seed in seeds {
            let before = run(program, seed);
            if matches!(before.end, End::OutOfBudget(_)) {
                continue;
            }
            let visited = visited(program, &before);
            let after = run_goals(&goals.program, &before, goals.choice, None);
            let end = match before.end {
                End::Violated(..) => End::Aborted,
                ref end => end.clone(),
            };
            assert_eq!(after.end, end, "seed {seed}");
            let is_choice = |row: &&(SiteId, Constant)| row.0 == goals.choice;
            let choices = after.inputs.iter().filter(is_choice).count();
            let mut found = std::collections::BTreeSet::new();
            for chosen in 0..choices {
                let after = run_goals(&goals.program, &before, goals.choice, Some(chosen));
                let End::Violated(proc, at) = after.end else {
                    panic!("seed {seed}: a choice should end the run: {:?}", after.end);
                };
                found.insert((proc, at));
                let mut without = goals.program.clone();
                close_goal(&mut without, (proc, at));
                let after = run_goals(&without, &before, goals.choice, Some(chosen));
                closed += 1;
                assert_ne!(after.end, End::Violated(proc, at), "seed {seed}");
            }
            for (place, error) in places.iter().zip(&goals.errors) {
                let is_visited = visited.contains(place);
                assert_eq!(found.contains(error), is_visited, "seed {seed}: {place:?}");
                reached += usize::from(is_visited);
                missed += usize::from(!is_visited);
            }
        }
    });
    assert!(
        reached > 500 && missed > 500 && closed > 500,
        "{reached} {missed} {closed}"
    );
}

/// Some places of a program: every third edge of a branch and every fifth location.
fn places(program: &Program) -> Vec<GoalPlace> {
    let mut places = Vec::new();
    for (proc, procedure) in program.procs.iter_enumerated() {
        for (id, edge) in procedure.edges.iter_enumerated() {
            let leads_on = procedure.locations[edge.target].error.is_none();
            if matches!(edge.op, Op::Assume(_)) && id.index() % 3 == 0 && leads_on {
                places.push(GoalPlace::Edge(proc, id));
            }
        }
        for (at, row) in procedure.locations.iter_enumerated() {
            let is_place = !row.out.is_empty() && at.index() % 5 == 0;
            if is_place || row.error.is_some() {
                places.push(GoalPlace::Location(proc, at));
            }
        }
    }
    places
}

/// The places that a run gets to.
fn visited(program: &Program, run: &Run) -> std::collections::BTreeSet<GoalPlace> {
    struct Edges<'p>(&'p Program, std::collections::BTreeSet<GoalPlace>);
    impl Watch for Edges<'_> {
        fn edge(&mut self, proc: ProcId, edge: EdgeId) {
            self.1.insert(GoalPlace::Edge(proc, edge));
            let source = self.0.procs[proc].edges[edge].source;
            self.1.insert(GoalPlace::Location(proc, source));
        }
    }
    let mut inputs = SiteInputs::new(program, &run.inputs);
    let mut edges = Edges(program, Default::default());
    let budget = Budget::unlimited();
    let again = Machine::new(program).run_watched(&mut inputs, &GOAL_LIMITS, &budget, &mut edges);
    assert_eq!(again.end, run.end);
    match (&again.end, again.at) {
        (End::Violated(proc, at), _) => {
            edges.1.insert(GoalPlace::Location(*proc, *at));
        }
        // It ended before a condition there had a value.
        (_, Some((proc, edge))) => {
            let source = program.procs[proc].edges[edge].source;
            edges.1.insert(GoalPlace::Location(proc, source));
        }
        (_, None) => {}
    }
    edges.1
}

const GOAL_LIMITS: Limits = Limits {
    steps: 1_000_000,
    memory: 1 << 24,
    depth: 50,
};

/// The run of a copy with goals on the inputs of a run of the program; one choice ends it.
fn run_goals(copy: &Program, before: &Run, choice: SiteId, chosen: Option<usize>) -> Run {
    let mut inputs = before.inputs.clone();
    if let Some(chosen) = chosen {
        inputs.extend((0..=chosen).map(|at| (choice, Constant::Bool(at == chosen))));
    }
    let mut inputs = SiteInputs::new(copy, &inputs);
    Machine::new(copy).run(&mut inputs, &GOAL_LIMITS, &Budget::unlimited())
}

#[test]
fn inlining_keeps_the_runs_of_c_programs() {
    on_large_stack(|| {
        let mut tally = Tally::default();
        for (name, program) in c_programs() {
            assert_eq!(validate(&program).first(), None, "{name}");
            let (inlined, _) = inline_calls(
                &program,
                InlineLimit {
                    edges: 50_000,
                    ..InlineLimit::default()
                },
            );
            for seed in 0..3 {
                tally.compare(&program, &inlined, seed);
            }
        }
        assert!(tally.same > 100 && tally.violated > 5, "{tally:?}");
    });
}
