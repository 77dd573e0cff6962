//! Floating-point numbers as bit-vectors: IEEE 754 operations on the bits of its formats.
//!
//! Rounding is to nearest, ties to even, unless an operation says otherwise. A NaN result has the
//! bits of [`FloatType::nan`]: what a machine puts into sign and payload of a NaN is for the caller
//! to model.

use super::meaning::{mask, signed};
use super::{BitComparison, BitId, BitNode, BitOp, BitStore};
use base::named_enum;

/// Floating-point formats.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatType {
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
}

named_enum! {
    /// Operations on two numbers of a format, named as in SMT-LIB; the last three are comparisons.
    #[allow(missing_docs, reason = "the names are SMT-LIB's")]
    pub enum FloatBinary {
        Add = "fp.add",
        Sub = "fp.sub",
        Mul = "fp.mul",
        Div = "fp.div",
        Eq = "fp.eq",
        Lt = "fp.lt",
        Le = "fp.leq",
    }

    /// Operations on one number.
    pub enum FloatUnary {
        /// The square root.
        Sqrt = "fp.sqrt",
        /// The whole number below.
        Floor = "floor",
        /// The whole number above.
        Ceil = "ceil",
        /// The whole number towards zero.
        Trunc = "trunc",
        /// The nearest whole number, ties away from zero.
        Round = "round",
        /// The nearest whole number, ties to even.
        Rint = "rint",
        /// The number in the other format.
        Resize = "resize",
        /// The number that a signed integer is.
        FromSigned = "from_signed",
        /// The number that an unsigned integer is.
        FromUnsigned = "from_unsigned",
        /// A signed integer, the fraction dropped; only where that fits.
        ToSigned = "fp.to_sbv",
        /// An unsigned integer, the fraction dropped; only where that fits.
        ToUnsigned = "fp.to_ubv",
    }
}

impl FloatType {
    /// How many bits a number has.
    pub fn bits(self) -> u8 {
        match self {
            FloatType::F32 => 32,
            FloatType::F64 => 64,
        }
    }

    /// The bits of the exponent and of the significand, the hidden one included.
    pub fn shape(self) -> (u8, u8) {
        match self {
            FloatType::F32 => (8, 24),
            FloatType::F64 => (11, 53),
        }
    }

    /// The format of so many bits.
    pub fn of_bits(bits: u8) -> FloatType {
        if bits == 32 {
            FloatType::F32
        } else {
            FloatType::F64
        }
    }

    /// Infinity.
    pub fn infinity(self) -> u64 {
        self.rounded(f64::INFINITY)
    }

    /// The NaN that is positive and quiet and has no payload.
    pub fn nan(self) -> u64 {
        match self {
            FloatType::F32 => 0x7fc0_0000,
            FloatType::F64 => 0x7ff8_0000_0000_0000,
        }
    }

    /// The number that bits are; a `float` is the same number as a `double`.
    pub fn number(self, bits: u64) -> f64 {
        match self {
            FloatType::F32 => f32::from_bits(bits as u32).into(),
            FloatType::F64 => f64::from_bits(bits),
        }
    }

    /// The bits of the number of this format that is nearest.
    pub fn rounded(self, value: f64) -> u64 {
        match self {
            FloatType::F32 => (value as f32).to_bits().into(),
            FloatType::F64 => value.to_bits(),
        }
    }

    /// The same, with [`nan`](Self::nan) for what is not a number.
    fn canonical(self, value: f64) -> u128 {
        let bits = if value.is_nan() {
            self.nan()
        } else {
            self.rounded(value)
        };
        bits.into()
    }
}

impl FloatBinary {
    /// Whether the result is a truth value.
    pub fn is_comparison(self) -> bool {
        match self {
            FloatBinary::Eq | FloatBinary::Lt | FloatBinary::Le => true,
            FloatBinary::Add | FloatBinary::Sub | FloatBinary::Mul | FloatBinary::Div => false,
        }
    }

    /// The bits of the result. Operands are exact in `f64`, and a result of `f32` operands rounded
    /// twice (53 >= 2 * 24 + 2 bits) is the one rounded once.
    pub fn operate(self, ty: FloatType, a: u128, b: u128) -> u128 {
        let [a, b] = [a, b].map(|bits| ty.number(bits as u64));
        let value = match self {
            FloatBinary::Add => a + b,
            FloatBinary::Sub => a - b,
            FloatBinary::Mul => a * b,
            FloatBinary::Div => a / b,
            FloatBinary::Eq => return (a == b).into(),
            FloatBinary::Lt => return (a < b).into(),
            FloatBinary::Le => return (a <= b).into(),
        };
        ty.canonical(value)
    }
}

impl FloatUnary {
    /// The format of what an operation on a number of a format gives, unless that is an integer.
    pub fn result(self, ty: FloatType) -> FloatType {
        match self {
            FloatUnary::Resize => ty.other(),
            _ => ty,
        }
    }

    /// The bits of the result, for an operand of so many bits. An integer that does not fit is any.
    pub fn operate(self, ty: FloatType, operand_width: u8, a: u128) -> u128 {
        use FloatUnary::*;
        let number = ty.number(a as u64);
        let whole = |value: f64| ty.canonical(value);
        match self {
            Sqrt => ty.canonical(number.sqrt()),
            Floor => whole(number.floor()),
            Ceil => whole(number.ceil()),
            Trunc => whole(number.trunc()),
            Round => whole(number.round()),
            Rint => whole(number.round_ties_even()),
            Resize => ty.other().canonical(number),
            // Directly to the format, so that it is rounded once.
            FromSigned => match ty {
                FloatType::F32 => (signed(operand_width, a) as f32).to_bits().into(),
                FloatType::F64 => (signed(operand_width, a) as f64).to_bits().into(),
            },
            FromUnsigned => match ty {
                FloatType::F32 => (a as f32).to_bits().into(),
                FloatType::F64 => (a as f64).to_bits().into(),
            },
            ToSigned => number.trunc() as i128 as u128,
            ToUnsigned => number.trunc() as u128,
        }
    }
}

impl FloatType {
    /// The format that this one is not.
    pub fn other(self) -> FloatType {
        match self {
            FloatType::F32 => FloatType::F64,
            FloatType::F64 => FloatType::F32,
        }
    }
}

impl BitStore {
    /// An operation on two numbers of a format.
    pub fn float_binary(&mut self, op: FloatBinary, ty: FloatType, a: BitId, b: BitId) -> BitId {
        let width = if op.is_comparison() { 1 } else { ty.bits() };
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(a), Some(b)) => self.constant(width, op.operate(ty, a, b)),
            _ => self.intern_float(BitNode::FloatBinary(op, ty, a, b), width),
        }
    }

    /// An operation on one number of a format, except for conversions to integers.
    pub fn float_unary(&mut self, op: FloatUnary, ty: FloatType, a: BitId) -> BitId {
        self.unary_of_width(op, ty, a, op.result(ty).bits())
    }

    /// Whether a number, its fraction dropped, fits an integer of up to 64 bits; and that integer,
    /// or zero.
    pub fn float_to_int(
        &mut self,
        ty: FloatType,
        a: BitId,
        width: u8,
        is_signed: bool,
    ) -> (BitId, BitId) {
        debug_assert!(width <= 64, "the bounds should be numbers of the format");
        let whole = self.float_unary(FloatUnary::Trunc, ty, a);
        // Powers of two are exact.
        let low = if is_signed {
            -(2f64.powi(i32::from(width) - 1))
        } else {
            0.0
        };
        let beyond = 2f64.powi(i32::from(width) - i32::from(is_signed));
        let [low, beyond] =
            [low, beyond].map(|bound| self.constant(ty.bits(), ty.rounded(bound).into()));
        let above = self.float_binary(FloatBinary::Le, ty, low, whole);
        let below = self.float_binary(FloatBinary::Lt, ty, whole, beyond);
        let fits = self.and(above, below);
        let op = match is_signed {
            true => FloatUnary::ToSigned,
            false => FloatUnary::ToUnsigned,
        };
        let value = self.unary_of_width(op, ty, a, width);
        let zero = self.constant(width, 0);
        (fits, self.ite(fits, value, zero))
    }

    /// Whether bits of a format are no number.
    pub fn is_nan(&mut self, ty: FloatType, a: BitId) -> BitId {
        let magnitude = self.magnitude(ty, a);
        let infinity = self.constant(ty.bits(), ty.infinity().into());
        self.compare(BitComparison::ULt, infinity, magnitude)
    }

    /// Bits of a format without their sign.
    pub fn magnitude(&mut self, ty: FloatType, a: BitId) -> BitId {
        let unsigned = self.constant(ty.bits(), mask(ty.bits() - 1));
        self.binary(BitOp::And, a, unsigned)
    }

    fn unary_of_width(&mut self, op: FloatUnary, ty: FloatType, a: BitId, width: u8) -> BitId {
        match self.as_constant(a) {
            Some(value) => {
                let value = op.operate(ty, self.width(a), value);
                self.constant(width, value)
            }
            None => self.intern_float(BitNode::FloatUnary(op, ty, a), width),
        }
    }

    fn intern_float(&mut self, node: BitNode, width: u8) -> BitId {
        self.has_floats = true;
        self.intern(node, width)
    }

    /// Whether there is an operation on floating-point numbers among the terms.
    pub fn has_floats(&self) -> bool {
        self.has_floats
    }
}
