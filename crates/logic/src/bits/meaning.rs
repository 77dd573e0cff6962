//! The semantics of bit-vector operations, as in SMT-LIB: everything wraps, and a division by zero
//! has a value.

use super::{BitComparison, BitOp};

/// Ones on all bits of a width.
pub fn mask(width: u8) -> u128 {
    u128::MAX >> (128 - u32::from(width))
}

/// The number that the bits are in two's complement.
pub fn signed(width: u8, bits: u128) -> i128 {
    let unused = 128 - u32::from(width);
    (bits << unused) as i128 >> unused
}

/// The value of an operation.
pub fn operate(op: BitOp, width: u8, a: u128, b: u128) -> u128 {
    let (x, y) = (signed(width, a), signed(width, b));
    let by = u32::try_from(b).unwrap_or(u32::MAX);
    let shifts = by < u32::from(width);
    let value = match op {
        BitOp::Add => a.wrapping_add(b),
        BitOp::Sub => a.wrapping_sub(b),
        BitOp::Mul => a.wrapping_mul(b),
        BitOp::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        BitOp::URem => a.checked_rem(b).unwrap_or(a),
        BitOp::SDiv if y == 0 && x >= 0 => u128::MAX,
        BitOp::SDiv if y == 0 => 1,
        BitOp::SDiv => x.wrapping_div(y) as u128,
        BitOp::SRem if y == 0 => a,
        BitOp::SRem => x.wrapping_rem(y) as u128,
        BitOp::And => a & b,
        BitOp::Or => a | b,
        BitOp::Xor => a ^ b,
        BitOp::Shl if shifts => a << by,
        BitOp::LShr if shifts => a >> by,
        BitOp::Shl | BitOp::LShr => 0,
        BitOp::AShr if shifts => (x >> by) as u128,
        BitOp::AShr => (x >> 127) as u128,
    };
    value & mask(width)
}

/// Whether a comparison holds.
pub fn compare(comparison: BitComparison, width: u8, a: u128, b: u128) -> bool {
    let (x, y) = (signed(width, a), signed(width, b));
    match comparison {
        BitComparison::Eq => a == b,
        BitComparison::ULt => a < b,
        BitComparison::ULe => a <= b,
        BitComparison::SLt => x < y,
        BitComparison::SLe => x <= y,
    }
}
