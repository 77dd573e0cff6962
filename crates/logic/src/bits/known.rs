//! Known bits without their values: trailing zeros and leading zeros.

use super::meaning::mask;
use super::{BitComparison, BitId, BitNode, BitOp, BitStore};

impl BitStore {
    /// How many of the lowest bits are surely zero.
    pub fn trailing_zeros(&self, a: BitId) -> u8 {
        self.zeros[a]
    }

    pub(super) fn zeros_of(&self, node: BitNode, width: u8) -> u8 {
        use BitOp::*;
        let zeros = |part: BitId| self.zeros[part];
        match node {
            BitNode::Const(0) => width,
            BitNode::Const(value) => value.trailing_zeros() as u8,
            BitNode::Binary(op, a, b) => match op {
                Add | Sub | Or | Xor => zeros(a).min(zeros(b)),
                And => zeros(a).max(zeros(b)),
                Mul => zeros(a).saturating_add(zeros(b)).min(width),
                Shl => {
                    let by = self.as_constant(b).unwrap_or(0);
                    let by = u8::try_from(by).unwrap_or(u8::MAX);
                    zeros(a).saturating_add(by).min(width)
                }
                UDiv | URem | SDiv | SRem | LShr | AShr => 0,
            },
            BitNode::Ite(_, a, b) => zeros(a).min(zeros(b)),
            BitNode::ZeroExtend(a) | BitNode::SignExtend(a) if zeros(a) == self.width(a) => width,
            BitNode::ZeroExtend(a) | BitNode::SignExtend(a) => zeros(a),
            BitNode::Symbol(_)
            | BitNode::Not(_)
            | BitNode::Compare(..)
            | BitNode::Extract(..)
            | BitNode::Concat(..)
            | BitNode::FloatUnary(..)
            | BitNode::FloatBinary(..) => 0,
        }
    }

    /// How many bits may be set, counted from the lowest one on.
    pub fn used_bits(&self, a: BitId) -> u8 {
        self.used[a]
    }

    /// The largest value that a term may have.
    pub(super) fn most(&self, a: BitId) -> u128 {
        match self.used[a] {
            0 => 0,
            used => mask(used),
        }
    }

    pub(super) fn used_of(&self, node: BitNode, width: u8) -> u8 {
        use BitOp::*;
        let used = |part: BitId| self.used[part];
        let bits = match node {
            BitNode::Const(value) => 128 - value.leading_zeros() as u8,
            BitNode::Binary(op, a, b) => {
                let by = self.as_constant(b);
                let shift = by.and_then(|by| u8::try_from(by).ok()).unwrap_or(0);
                // A quotient or a remainder of numbers without a sign.
                let positive = used(a) < width && used(b) < width;
                match op {
                    And => used(a).min(used(b)),
                    Or | Xor => used(a).max(used(b)),
                    Add => used(a).max(used(b)).saturating_add(1),
                    Mul => used(a).saturating_add(used(b)),
                    Shl if by.is_some() => used(a).saturating_add(shift),
                    LShr => used(a).saturating_sub(shift),
                    AShr if used(a) < width => used(a).saturating_sub(shift),
                    UDiv if by.is_some_and(|by| by != 0) => used(a),
                    SDiv if positive && by.is_some_and(|by| by != 0) => used(a),
                    URem | SRem if positive || op == URem => match by {
                        None | Some(0) => used(a),
                        Some(by) => used(a).min(128 - (by - 1).leading_zeros() as u8),
                    },
                    Sub | UDiv | URem | SDiv | SRem | Shl | AShr => width,
                }
            }
            BitNode::Extract(low, a) => used(a).saturating_sub(low),
            BitNode::ZeroExtend(a) => used(a),
            BitNode::SignExtend(a) if used(a) < self.width(a) => used(a),
            BitNode::Concat(top, bottom) if used(top) == 0 => used(bottom),
            BitNode::Concat(top, bottom) => used(top) + self.width(bottom),
            BitNode::Ite(_, a, b) => used(a).max(used(b)),
            BitNode::Symbol(_)
            | BitNode::Not(_)
            | BitNode::Compare(..)
            | BitNode::SignExtend(_)
            | BitNode::FloatUnary(..)
            | BitNode::FloatBinary(..) => width,
        };
        bits.min(width)
    }

    /// What a comparison says already by the bits that may be set.
    pub(super) fn by_range(
        &mut self,
        comparison: BitComparison,
        a: BitId,
        b: BitId,
    ) -> Option<BitId> {
        use BitComparison::*;
        let width = self.width(a);
        let is_positive = |term: BitId| self.used[term] < width;
        let negative = |value: Option<u128>| value.is_some_and(|value| value >> (width - 1) == 1);
        let (left, right) = (self.as_constant(a), self.as_constant(b));
        match comparison {
            SLt | SLe if is_positive(a) && is_positive(b) => {
                let unsigned = if comparison == SLt { ULt } else { ULe };
                Some(self.compare(unsigned, a, b))
            }
            SLt | SLe if is_positive(a) && negative(right) => Some(Self::FALSE),
            SLt | SLe if negative(left) && is_positive(b) => Some(Self::TRUE),
            SLt | SLe => None,
            ULt if right.is_some_and(|right| self.most(a) < right) => Some(Self::TRUE),
            ULt if left.is_some_and(|left| self.most(b) <= left) => Some(Self::FALSE),
            ULe if right.is_some_and(|right| self.most(a) <= right) => Some(Self::TRUE),
            ULe if left.is_some_and(|left| self.most(b) < left) => Some(Self::FALSE),
            Eq if right.is_some_and(|right| self.most(a) < right) => Some(Self::FALSE),
            Eq if left.is_some_and(|left| self.most(b) < left) => Some(Self::FALSE),
            ULt | ULe | Eq => None,
        }
    }
}
