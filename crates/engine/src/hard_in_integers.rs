//! Recognises programs about which integer formulas say little, so that runs or bit-vectors are
//! better tried first.

use program::expr::{BinaryOp, Expr, Type, UnaryOp};
use program::ir::{Op, Place, Program};

/// Why an engine for such programs gives up on another.
pub(crate) const NOT_HARD: &str = "the program has no bit operations and no memory";

/// Whether a program works on bits or on memory, or multiplies variables.
pub(crate) fn is_hard_in_integers(program: &Program) -> bool {
    let mut edges = program.procs.iter().flat_map(|proc| proc.edges.iter());
    edges.any(|edge| match &edge.op {
        Op::Assign(place, value) => is_memory(place) || is_hard(value),
        Op::Assume(condition) => is_hard(condition),
        Op::Havoc(place, _) => is_memory(place),
        Op::Call(call) => call.args.iter().any(is_hard),
        Op::Return(value) => value.as_ref().is_some_and(is_hard),
        Op::Skip | Op::Halt(_) | Op::Enter(_) | Op::Leave(_) | Op::Unsupported(_) => false,
    })
}

fn is_memory(place: &Place) -> bool {
    matches!(place, Place::Mem(..))
}

fn is_hard(expr: &Expr) -> bool {
    use BinaryOp::*;
    use Expr::*;
    expr.any(&|part| match part {
        Load(..) => true,
        Unary(op, ty, _) => *op != UnaryOp::Neg && ty.int().is_some(),
        Binary(op, Type::Int(_), left, right) => match op {
            And | Or | Xor | Shl | Shr => true,
            Mul => left.constant().is_none() && right.constant().is_none(),
            Add | Sub | Div | Rem | Eq | Ne | Lt | Le | Gt | Ge | PtrDiff => false,
        },
        Const(_) | Var(_) | Object(_) | Proc(_) | Binary(..) | Offset(..) | Cast(..)
        | Select(..) | Overflows(..) | Valid(..) | Freeable(_) => false,
    })
}
