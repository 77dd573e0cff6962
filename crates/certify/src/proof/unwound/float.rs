//! Floating-point numbers: the effect of operators, conversions and `<math.h>` on their bits.
//!
//! A NaN result may have any sign and payload, as machines and compilers differ in them; it is
//! quiet.

use super::explore::Unwinder;
use super::state::Value;
use logic::{BitComparison, BitId, BitOp, BitStore, FloatBinary, FloatType, FloatUnary, IntType};
use program::expr::{BinaryOp, Type};
use program::math::Math;

/// The widest integer that is converted.
const WIDEST: u8 = 64;

impl Unwinder<'_> {
    /// An operator on two numbers; `None` if there is no such operator.
    pub(super) fn float_binary(
        &mut self,
        op: BinaryOp,
        ty: FloatType,
        (a, b): (BitId, BitId),
    ) -> Option<BitId> {
        use BinaryOp::*;
        let computed = match op {
            Add => FloatBinary::Add,
            Sub => FloatBinary::Sub,
            Mul => FloatBinary::Mul,
            Div => FloatBinary::Div,
            Eq => return Some(self.store.float_binary(FloatBinary::Eq, ty, a, b)),
            Ne => {
                let equal = self.store.float_binary(FloatBinary::Eq, ty, a, b);
                return Some(self.store.not(equal));
            }
            Lt => return Some(self.store.float_binary(FloatBinary::Lt, ty, a, b)),
            Le => return Some(self.store.float_binary(FloatBinary::Le, ty, a, b)),
            Gt => return Some(self.store.float_binary(FloatBinary::Lt, ty, b, a)),
            Ge => return Some(self.store.float_binary(FloatBinary::Le, ty, b, a)),
            Rem | And | Or | Xor | Shl | Shr | PtrDiff => return None,
        };
        let result = self.store.float_binary(computed, ty, a, b);
        Some(self.with_any_nan(ty, result))
    }

    /// A conversion from or to a floating-point number; `None` if it is not described.
    pub(super) fn float_cast(
        &mut self,
        from: Type,
        to: Type,
        a: BitId,
        under: BitId,
    ) -> Option<BitId> {
        match (from, to) {
            (Type::Float(from), Type::Float(_)) => {
                let result = self.store.float_unary(FloatUnary::Resize, from, a);
                Some(self.with_any_nan(from.other(), result))
            }
            (Type::Float(from), Type::Bool) => {
                let zero = self.store.constant(from.bits(), 0);
                let is_zero = self.store.float_binary(FloatBinary::Eq, from, a, zero);
                Some(self.store.not(is_zero))
            }
            (Type::Float(from), Type::Int(to)) if to.bits <= WIDEST => {
                let (fits, value) = self.store.float_to_int(from, a, to.bits, to.signed);
                self.defined_if(fits, under);
                Some(value)
            }
            (Type::Int(from), Type::Float(to)) if from.bits <= WIDEST => {
                Some(self.of_integer(from, to, a))
            }
            (Type::Bool, Type::Float(to)) => Some(self.of_integer(IntType::unsigned(1), to, a)),
            _ => None,
        }
    }

    fn of_integer(&mut self, from: IntType, to: FloatType, a: BitId) -> BitId {
        // A truth value is no vector of one bit to the solver.
        let a = self.store.zero_extend(from.bits.max(2), a);
        let op = match from.signed {
            true => FloatUnary::FromSigned,
            false => FloatUnary::FromUnsigned,
        };
        self.store.float_unary(op, to, a)
    }

    /// A result, with any sign and payload where it is no number.
    fn with_any_nan(&mut self, ty: FloatType, result: BitId) -> BitId {
        let is_nan = self.store.is_nan(ty, result);
        if is_nan == BitStore::FALSE {
            return result;
        }
        let any = self.store.fresh(ty.bits());
        let quiet = self.store.constant(ty.bits(), ty.nan().into());
        let nan = self.store.binary(BitOp::Or, any, quiet);
        self.store.ite(is_nan, nan, result)
    }

    /// A function of `<math.h>`; `None` if it is not described.
    pub(super) fn math(&mut self, math: Math, ty: FloatType, args: &[Value]) -> Option<Value> {
        use Math::*;
        let args: Vec<BitId> = args
            .iter()
            .filter_map(|arg| match arg {
                Value::Bits(bits) => Some(*bits),
                Value::Address(..) => None,
            })
            .collect();
        let a = *args.first()?;
        let b = args.get(1).copied().unwrap_or(a);
        let unary = |op| (op, ty, a);
        let (op, ty, a) = match math {
            Ceil => unary(FloatUnary::Ceil),
            Floor => unary(FloatUnary::Floor),
            Trunc => unary(FloatUnary::Trunc),
            Round => unary(FloatUnary::Round),
            Rint => unary(FloatUnary::Rint),
            Sqrt => unary(FloatUnary::Sqrt),
            Fabs => return Some(Value::Bits(self.store.magnitude(ty, a))),
            Copysign => {
                let magnitude = self.store.magnitude(ty, a);
                let sign = self.store.extract(ty.bits() - 1, 1, b);
                let minus = self.store.constant(ty.bits(), 1 << (ty.bits() - 1));
                let negative = self.store.binary(BitOp::Or, magnitude, minus);
                return Some(Value::Bits(self.store.ite(sign, negative, magnitude)));
            }
            Fmin => return Some(Value::Bits(self.least(ty, a, b, (a, b)))),
            Fmax => return Some(Value::Bits(self.least(ty, a, b, (b, a)))),
            Isnan | Isinf | Isfinite | Isnormal | Signbit | Fpclassify => {
                return Some(Value::Bits(self.class(math, ty, a)));
            }
            Fdim => return Some(Value::Bits(self.positive_difference(ty, a, b))),
            Fmod => return Some(Value::Bits(self.remainder(ty, a, b))),
            Remainder | Fma => return None,
        };
        let result = self.store.float_unary(op, ty, a);
        Some(Value::Bits(self.with_any_nan(ty, result)))
    }

    /// The first of two numbers if the one that is named first is less, else the second; what is no
    /// number does not count. Of two zeros it may be either.
    fn least(
        &mut self,
        ty: FloatType,
        a: BitId,
        b: BitId,
        (small, large): (BitId, BitId),
    ) -> BitId {
        let less = self.store.float_binary(FloatBinary::Lt, ty, small, large);
        let same = self.store.float_binary(FloatBinary::Eq, ty, a, b);
        let [none, other] = [a, b].map(|bits| self.store.is_nan(ty, bits));
        let either = self.store.fresh(1);
        let tied = self.store.and(same, either);
        let first = self.store.or(less, tied);
        let first = self.store.or(first, other);
        let first = self.store.and_not(first, none);
        let chosen = self.store.ite(first, a, b);
        self.with_any_nan(ty, chosen)
    }

    /// How much more the first is than the second, or zero.
    fn positive_difference(&mut self, ty: FloatType, a: BitId, b: BitId) -> BitId {
        let difference = self.store.float_binary(FloatBinary::Sub, ty, a, b);
        let difference = self.with_any_nan(ty, difference);
        let at_most = self.store.float_binary(FloatBinary::Le, ty, a, b);
        let zero = self.store.constant(ty.bits(), 0);
        self.store.ite(at_most, zero, difference)
    }

    /// What is left of the first when the second is taken away as often as it fits; described where
    /// it fits at most once.
    fn remainder(&mut self, ty: FloatType, a: BitId, b: BitId) -> BitId {
        let [left, right] = [a, b].map(|bits| self.store.magnitude(ty, bits));
        let [zero, infinity] =
            [0, ty.infinity()].map(|bits| self.store.constant(ty.bits(), bits.into()));
        let is_finite = self.store.compare(BitComparison::ULt, left, infinity);
        let by_zero = self.store.equal(right, zero);
        let by_nan = self.store.is_nan(ty, b);
        let bad = self.store.or(by_zero, by_nan);
        let is_number = self.store.and_not(is_finite, bad);
        let is_more = self.store.compare(BitComparison::ULt, right, left);
        let is_open = self.store.and(is_number, is_more);
        self.open("a remainder of floating-point numbers", is_open);
        let sign = self.store.binary(BitOp::Xor, a, left);
        let is_same = self.store.equal(left, right);
        let rest = self.store.ite(is_same, sign, a);
        let nan = self.store.constant(ty.bits(), ty.nan().into());
        let result = self.store.ite(is_number, rest, nan);
        self.with_any_nan(ty, result)
    }

    /// What a test of a number's class says, as the machine does.
    fn class(&mut self, math: Math, ty: FloatType, a: BitId) -> BitId {
        let magnitude = self.store.magnitude(ty, a);
        let [zero, infinity] =
            [0, ty.infinity()].map(|bits| self.store.constant(ty.bits(), bits.into()));
        let (_, significand) = ty.shape();
        let normal = self.store.constant(ty.bits(), 1 << (significand - 1));
        let sign = self.store.extract(ty.bits() - 1, 1, a);
        let is_nan = self.store.is_nan(ty, a);
        let is_infinite = self.store.equal(magnitude, infinity);
        let is_zero = self.store.equal(magnitude, zero);
        let is_finite = self.store.compare(BitComparison::ULt, magnitude, infinity);
        let is_large = self.store.compare(BitComparison::ULe, normal, magnitude);
        let is_normal = self.store.and(is_finite, is_large);
        let [no, one, two, three, four, minus] =
            [0, 1, 2, 3, 4, u128::MAX].map(|number| self.store.constant(32, number));
        let mut choose = |condition, then, otherwise| self.store.ite(condition, then, otherwise);
        match math {
            Math::Isnan => choose(is_nan, one, no),
            Math::Isfinite => choose(is_finite, one, no),
            Math::Isnormal => choose(is_normal, one, no),
            Math::Signbit => choose(sign, one, no),
            Math::Isinf => {
                let signed = choose(sign, minus, one);
                choose(is_infinite, signed, no)
            }
            _ => {
                let finite = choose(is_normal, four, three);
                let finite = choose(is_zero, two, finite);
                let number = choose(is_infinite, one, finite);
                choose(is_nan, no, number)
            }
        }
    }
}
