//! The trusted passes keep the meaning of programs; `scalarise` and `unbounded` have tests of their
//! own.

mod common;

use base::{Diagnostics, Id, SourceMap, Span};
use common::keeps::{Tally, every_program};
use common::{c_programs, on_large_stack, run};
use exec::End;
use logic::{IntType, IntValue};
use program::expr::{BinaryOp, Constant, Expr, Type};
use program::ir::*;
use program::pass::errors::{keep_errors, restrict_errors};
use program::pass::inline::{InlineLimit, Origins, inline_calls};
use program::pass::inlined;
use program::pass::liveness::drop_dead_declarations;
use program::pass::pointer_calls::direct_calls;
use program::text::{Spans, print, read};
use program::validate::validate;

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
            let text = print(&program, Spans::Raw);
            let file = sources.add("p", text.into_bytes()).unwrap();
            let mut diagnostics = Diagnostics::new();
            let back = read(&sources, file, &mut diagnostics);
            assert!(back.as_ref() == Some(&program), "{name}: {diagnostics:?}");
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
