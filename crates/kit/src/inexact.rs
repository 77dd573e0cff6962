//! Which expressions on a path are only approximated by formulas, in words.
//!
//! An expression that the encoder cannot describe is a fresh value of its type. If such a value
//! leaves a path to an error undecided, the user should know which expression it was.

use base::Budget;
use certify::Reason;
use encode::blocks::BlockId;
use encode::encoder::Encoder;
use encode::{Context, CutGraph};
use program::expr::{BinaryOp, Expr, Type, UnaryOp};
use program::ir::{Callee, Library, Op, Place, Program};

/// Why a path to an error is left undecided though its formula has a model: the last construct on
/// it that is only approximated, at its location.
pub fn undecided(program: &Program, cuts: &CutGraph, path: &[BlockId]) -> Reason {
    let blocks = path.iter().map(|&block| cuts.block(block));
    let edges: Vec<_> = blocks.flat_map(|block| &block.edges).collect();
    let procedure = &program.procs[cuts.proc];
    let mut ctx = Context::new(program, &Budget::unlimited());
    let last = edges.into_iter().rev().find_map(|&edge| {
        let edge = &procedure.edges[edge];
        Some((rough(&mut ctx, &edge.op)?, edge.span))
    });
    let (why, span) = match last {
        Some((what, span)) => (format!("formulas describe {what} only roughly"), span),
        None => {
            let span = path
                .last()
                .map_or(base::Span::NONE, |&block| cuts.block(block).span);
            (
                "its formula allows more than the program does".to_owned(),
                span,
            )
        }
    };
    Reason::gave_up(format!("a path to an error cannot be decided: {why}")).at(span)
}

/// What is only approximated in an op, if anything.
fn rough(ctx: &mut Context, op: &Op) -> Option<&'static str> {
    let expr = match op {
        Op::Assign(Place::Var(_), value) | Op::Assume(value) => value,
        Op::Call(call) => {
            return match call.callee {
                Callee::Library(Library::Tracked | Library::Cleaned) => {
                    Some("which heap objects are left")
                }
                Callee::Library(_) => Some("what a library function does"),
                Callee::Proc(_) | Callee::Pointer(_) => None,
            };
        }
        Op::Assign(Place::Mem(..), _)
        | Op::Havoc(..)
        | Op::Skip
        | Op::Return(_)
        | Op::Halt(_)
        | Op::Enter(_)
        | Op::Leave(_)
        | Op::Unsupported(_) => return None,
    };
    Some(words(innermost(ctx, expr)?))
}

/// The first subexpression that is only approximated, though its operands are not.
fn innermost<'e>(ctx: &mut Context, expr: &'e Expr) -> Option<&'e Expr> {
    let mut encoder = Encoder::new(ctx.program, &mut ctx.store, &ctx.state);
    encoder.expr(expr);
    let (_, exact) = encoder.finish();
    if exact {
        return None;
    }
    // An address is of no interest beside what is read there or compared with it.
    let mut operands = expr.children().filter(|part| !is_address(part));
    let inner = operands.find_map(|part| innermost(ctx, part));
    Some(inner.unwrap_or(expr))
}

fn words(expr: &Expr) -> &'static str {
    use BinaryOp::*;
    match expr {
        Expr::Load(..) => "a value read from memory",
        Expr::Valid(..) | Expr::Freeable(_) => "whether an address may be used",
        Expr::Object(_) | Expr::Proc(_) | Expr::Offset(..) => "an address",
        Expr::Const(_) => "a floating-point number",
        Expr::Binary(_, Type::Float(_), ..) | Expr::Unary(_, Type::Float(_), _) => {
            "floating-point arithmetic"
        }
        Expr::Binary(PtrDiff, ..) => "a difference of addresses",
        Expr::Binary(_, Type::Ptr, ..) => "a comparison of addresses",
        Expr::Binary(Mul, ..) | Expr::Overflows(Mul, ..) => "a product of variables",
        Expr::Binary(Div | Rem, ..) => "a quotient of variables",
        Expr::Binary(And | Or | Xor, ..) => "a bit operation",
        Expr::Binary(Shl | Shr, ..) => "a shift by a variable",
        Expr::Unary(UnaryOp::Popcount | UnaryOp::Clz | UnaryOp::Ctz | UnaryOp::Bswap, ..) => {
            "an operation on single bits"
        }
        Expr::Cast(..) => "a conversion of an address or a floating-point number",
        Expr::Var(_)
        | Expr::Select(..)
        | Expr::Overflows(..)
        | Expr::Unary(UnaryOp::Neg | UnaryOp::Not, ..)
        | Expr::Binary(Add | Sub | Eq | Ne | Lt | Le | Gt | Ge, ..) => "an expression",
    }
}

fn is_address(expr: &Expr) -> bool {
    matches!(expr, Expr::Object(_) | Expr::Proc(_) | Expr::Offset(..))
}
