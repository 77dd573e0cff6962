//! Operator precedences of the text form, for printer and reader.

use crate::expr::BinaryOp;

pub(super) const UNARY: u8 = 8;
pub(super) const PRIMARY: u8 = 9;

/// How strongly an operator binds.
pub(super) fn op_level(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        Eq | Ne | Lt | Le | Gt | Ge => 1,
        Or => 2,
        Xor => 3,
        And => 4,
        Shl | Shr => 5,
        Add | Sub | PtrDiff => 6,
        Mul | Div | Rem => 7,
    }
}
