//! Where nothing can wrap, unbounded integers are C's: the machine runs both programs alike.

mod common;

use common::{c_programs, on_large_stack, run};
use exec::End;
use logic::IntType;
use program::expr::{BinaryOp, Expr, Type, UnaryOp};
use program::ir::Program;
use program::pass::unbounded::unbounded;
use testkit::random;

/// Whether a part of the program may wrap.
fn can_wrap(program: &Program) -> bool {
    let ops = program.procs.iter().flat_map(|row| row.edges.iter());
    let mut exprs = ops.flat_map(|edge| edge.op.exprs());
    exprs.any(|expr| expr.any(&|part| part_can_wrap(program, part)))
}

fn part_can_wrap(program: &Program, part: &Expr) -> bool {
    use BinaryOp::{Add, Mul, Shl, Sub};
    match part {
        Expr::Unary(UnaryOp::Neg, Type::Int(ty), _)
        | Expr::Binary(Add | Sub | Mul | Shl, Type::Int(ty), ..) => !ty.signed,
        Expr::Cast(Type::Int(to), operand) => match operand.ty(program) {
            Type::Int(from) => !holds(*to, from),
            Type::Bool | Type::Float(_) | Type::Ptr => false,
        },
        _ => false,
    }
}

/// Whether a type has all values of another.
fn holds(to: IntType, from: IntType) -> bool {
    match (to.signed, from.signed) {
        (true, true) | (false, false) => to.bits >= from.bits,
        (true, false) => to.bits > from.bits,
        (false, true) => false,
    }
}

/// Runs both; counts those that end alike. A run that is undefined in C may continue.
fn compare(name: &str, program: &Program, seeds: std::ops::Range<u64>, alike: &mut usize) {
    if can_wrap(program) {
        return;
    }
    let wide = unbounded(program);
    for seed in seeds {
        let (before, after) = (run(program, seed), run(&wide, seed));
        match (&before.end, &after.end) {
            (End::Undefined(_) | End::OutOfBudget(_), _) | (_, End::OutOfBudget(_)) => {}
            (left, right) => {
                assert_eq!(left, right, "{name}, seed {seed}");
                assert_eq!(before.inputs, after.inputs, "{name}, seed {seed}");
                assert_eq!(before.output, after.output, "{name}, seed {seed}");
                *alike += 1;
            }
        }
    }
}

#[test]
fn where_nothing_wraps_runs_are_the_same() {
    on_large_stack(|| {
        let mut alike = 0;
        for (name, program) in c_programs() {
            compare(&name, &program, 0..4, &mut alike);
        }
        let of_c = alike;
        for seed in 0..2000 {
            let program = random::program(seed, 3 + seed as usize % 10);
            compare("random", &program, seed * 10..seed * 10 + 4, &mut alike);
        }
        assert!(of_c > 100 && alike > of_c + 100, "{of_c} of {alike}");
    });
}
